"""The mediator: what of a skill a reviewing model is shown, and how. Deterministic; it asks nobody and decides nothing.

``mediate.mediate(subject, settings)`` gives ``packages.Packages``: for each role the texts that its reviewers are asked about.
``MediatedPackage.framed(nonce)`` is one of them as a model reads it, and its ``digest`` is the same whatever the nonce.

Everything that the skill wrote, its file names among it, stands in quoted frames and nowhere else. Outside them stand our
own words, numbers, and names from closed lists.
"""

"""The panel: reviewing models asked about a skill, each on its own, and what they said handed to the verdict.

``run.ReviewRun`` asks; ``run.review_all`` does so for many skills in a call. What a model says is read by ``vet.verdict`` alone:
nothing here decides. What goes wrong before anybody is asked is an error; whatever happens afterwards is an abstention.
"""

"""What two sightings of the same match share, whichever view they were seen in.

``fingerprint = sha256(rule, path, canonical evidence)``, the first 32 hex digits. The canonical form undoes
what normalisation undoes, so that a match in a raw view and the same match in its normalised view agree.
"""

from __future__ import annotations

import hashlib

from sluicegate.vet.intake.views.unicode import canonical


def fingerprint(rule: str, path: str, evidence: str) -> str:
    """32 hex digits that name this evidence of this rule in this artifact."""
    text = f"{rule}\x1f{path}\x1f{canonical(evidence)}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]

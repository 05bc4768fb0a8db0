"""What a skill says of itself: the front matter of its SKILL.md."""

from __future__ import annotations

from penstock.vet.intake.bundle import Bundle, Kind
from penstock.vet.intake.kinds import decode_text

DESCRIPTION_LENGTH = 500
"""Characters of a description that a report repeats."""


def description_of(bundle: Bundle) -> str:
    """The ``description`` of the topmost SKILL.md, untrusted, on one line; empty where there is none."""
    manifests = [a for a in bundle.artifacts if a.path.lower().rsplit("/", 1)[-1] == "skill.md"]
    if not manifests:
        return ""
    artifact = min(manifests, key=lambda a: (a.path.count("/"), a.path))
    text = decode_text(artifact.data)
    if not text.lstrip("\ufeff").startswith("---"):
        return ""
    head = text.lstrip("\ufeff")[3:65_536]
    end = head.find("\n---")
    if end == -1:
        return ""
    from penstock.vet.intake.views.structured import read_document

    # From the second line on, as the view of the front matter is: then it was read already, and is not read again.
    opening, _, body = head[:end].partition("\n")
    for entry in read_document(head[:end] if opening.strip() else body, Kind.YAML).entries:
        if entry.path == ("description",) and isinstance(entry.value, str):
            return " ".join(entry.value.split())[:DESCRIPTION_LENGTH]
    return ""

"""What a skill says of itself: the front matter of its SKILL.md."""

from __future__ import annotations

from collections.abc import Iterable

from sluicegate.vet.intake.bundle import Bundle, Kind
from sluicegate.vet.intake.content.kinds import decode_text
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

DESCRIPTION_LENGTH = 500
"""Characters of a description that a report repeats."""
_KEY = lazy(r"(?m)^description:")
_MARGIN = lazy(r"\n[A-Za-z]")


def manifest_of(bundle: Bundle, views: Iterable[View] = ()) -> str:
    """The text of the topmost SKILL.md, untrusted; empty where there is none.

    ``views`` are those of the bundle, if there are any: the text of one is not decoded again.
    """
    manifests = [a for a in bundle.artifacts if a.path.lower().rsplit("/", 1)[-1] == "skill.md"]
    if not manifests:
        return ""
    artifact = min(manifests, key=lambda a: (a.path.count("/"), a.path))
    read = next((v.text for v in views if v.artifact is artifact and not v.origin), None)
    return decode_text(artifact.data) if read is None else read


def description_of(bundle: Bundle, views: Iterable[View] = ()) -> str:
    """The ``description`` of the topmost SKILL.md, untrusted, on one line; empty where there is none."""
    text = manifest_of(bundle, views)
    if not text.lstrip("\ufeff").startswith("---"):
        return ""
    head = text.lstrip("\ufeff")[3:65_536]
    end = head.find("\n---")
    if end == -1:
        return ""
    # From the second line on, as the view of the front matter is.
    opening, _, body = head[:end].partition("\n")
    if opening.strip():
        return _description(head[:end])
    return _description(_as_far(body)) or _description(body)


def _description(text: str) -> str:
    from sluicegate.vet.intake.views.configs.structured import read_document

    for entry in read_document(text, Kind.YAML).entries:
        if entry.path == ("description",) and isinstance(entry.value, str):
            return " ".join(entry.value.split())[:DESCRIPTION_LENGTH]
    return ""


def _as_far(text: str) -> str:
    """A front matter as far as to the end of its description, which is mostly the second of many lines.

    A letter at the margin ends the value before it, unless that is in quotes or brackets which are still open; then
    this part of the text is broken, and no description is read in it.
    """
    key = _KEY.search(text)
    after = None if key is None else _MARGIN.search(text, key.end())
    return text if after is None else text[: after.start()]

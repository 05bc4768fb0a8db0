"""Names for what was not inspected, so that a reviewer can accept a gap and no other.

A gap is named by its reason, its words and the content of the file that it is about (of the outermost archive, for a
member). Where the content was not read whole, nobody can say that it stays the same, so such a gap has no name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sluicegate.vet.intake.bundle import Artifact
from sluicegate.vet.verdict.encoding import digest
from sluicegate.vet.verdict.types import Gap, GapReason

_READ_WHOLE = frozenset(
    {
        GapReason.RATIO,
        GapReason.TOO_DEEP,
        GapReason.ENCRYPTED,
        GapReason.OPAQUE,
        GapReason.DAMAGED,
        GapReason.VIEW_LIMIT,
        GapReason.ANALYSIS_LIMIT,
        GapReason.NOT_IN_BUNDLE,
    }
)
"""Reasons for which the bytes were read and their meaning was not."""


def named(gaps: Iterable[Gap], artifacts: Mapping[str, Artifact]) -> tuple[Gap, ...]:
    """The gaps, each with the fingerprint of what it is about, where that is known; ``artifacts`` by path."""
    known = tuple(gaps)
    cut = {_outermost(gap.path) for gap in known if gap.reason not in _READ_WHOLE}
    return tuple(_named(gap, artifacts.get(_outermost(gap.path)), cut) for gap in known)


def _named(gap: Gap, artifact: Artifact | None, cut: set[str]) -> Gap:
    if artifact is None or artifact.path in cut or gap.reason not in _READ_WHOLE:
        return gap
    return gap._replace(fingerprint=digest("gap", gap.reason, gap.path, gap.detail, artifact.digest)[:32])


def _outermost(path: str) -> str:
    return path.split("!/", 1)[0]

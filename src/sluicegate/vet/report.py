"""What a scan gives back. The same object that every output format shows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.rule import Capability, Rule
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.verdict.types import Decision, Finding, Gap, Verdict

if TYPE_CHECKING:
    from sluicegate.vet.intake.installed.machine import Looked


class FileSummary(NamedTuple):
    """One artifact of the report."""

    path: str
    kind: Kind
    size: int
    sha256: str
    executable: bool


class SkillReport(NamedTuple):
    """One skill: what it is, what can be said of it, and what was decided.

    ``name`` is that of its folder or file, by which settings and baselines know it; ``declared`` what its SKILL.md
    calls it (untrusted; empty where it has no name). ``publisher`` is who publishes it by the address it came from, empty
    where that does not say (see ``publishers``).
    """

    name: str
    root: str
    digest: str
    description: str
    verdict: Verdict
    files: tuple[FileSummary, ...]
    capabilities: tuple[Capability, ...]
    views: int
    declared: str = ""
    publisher: str = ""


class Compared(NamedTuple):
    """One skill beside what it was. ``decision`` is what the new findings and gaps come to, had there been no others."""

    decision: Decision
    new: tuple[Finding, ...]
    unchanged: tuple[Finding, ...]
    gone: tuple[Finding, ...]
    new_gaps: tuple[Gap, ...]
    unchanged_gaps: tuple[Gap, ...]
    gone_gaps: tuple[Gap, ...]


class Comparison(NamedTuple):
    """A report beside an older one, which is called ``against``; ``skills`` in the order of the report's.

    ``absent`` are the roots of skills that were there and are not in this report.
    """

    against: str
    skills: tuple[Compared, ...]
    absent: tuple[str, ...] = ()

    @property
    def decision(self) -> Decision:
        """The strictest that the new come to."""
        return max(skill.decision for skill in self.skills)


class Report(NamedTuple):
    """One scan.

    ``skills`` in order of path; ``decision`` is the strictest of theirs; ``rules`` are those that had a
    finding, so that a report explains itself; ``disabled`` names rules that were switched off; ``limits``
    states in words what this scan could not know (no network, for one); ``unassigned`` counts files of the
    source that belong to no skill and were not read; ``notes`` say in words what about the settings of this scan a
    reader has to know; ``looked`` are the places where installed skills were looked for, if they were;
    ``comparison`` says what is new beside an older report, if one was named.
    """

    source: str
    skills: tuple[SkillReport, ...]
    rules: tuple[Rule, ...]
    disabled: tuple[str, ...]
    limits: tuple[str, ...]
    unassigned: int = 0
    notes: tuple[str, ...] = ()
    looked: tuple[Looked, ...] = ()
    comparison: Comparison | None = None

    @property
    def decision(self) -> Decision:
        """The strictest decision of the skills."""
        return max(skill.verdict.decision for skill in self.skills)


_UNREVIEWED = "No model reviewed this: meaning is judged by rules alone."
_UNEXECUTED = "Nothing was executed: what a program would fetch or build when it runs cannot be seen."
_NOT_LOOKED_UP = "Packages were not looked up for known vulnerabilities, nor links followed."
_LOOKED_UP = {
    False: "No network: packages were not looked up for known vulnerabilities, nor links followed.",
    True: "--online: packages with an exact version are looked up for known vulnerabilities; what could not be is a gap. "
    "Links were not followed.",
}


def limits_of(skills: Iterable[SkillReport], *, online: bool) -> tuple[str, ...]:
    """What a scan of these skills could not know, in words. Where a reviewer was asked about each, a model did review."""
    reviews = [skill.verdict.review for skill in skills]
    unreviewed = any(review is None or not review.ballots for review in reviews)
    looked_up = _LOOKED_UP[online] if online or not any(reviews) else _NOT_LOOKED_UP
    return (*([_UNREVIEWED] if unreviewed else []), looked_up, _UNEXECUTED)

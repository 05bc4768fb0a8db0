"""What a scan gives back. The same object that every output format shows."""

from __future__ import annotations

from typing import NamedTuple

from sluicegate.vet.inspect.rule import Capability, Rule
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.verdict.types import Decision, Verdict


class FileSummary(NamedTuple):
    """One artifact of the report."""

    path: str
    kind: Kind
    size: int
    sha256: str
    executable: bool


class SkillReport(NamedTuple):
    """One skill: what it is, what can be said of it, and what was decided."""

    name: str
    root: str
    digest: str
    description: str
    verdict: Verdict
    files: tuple[FileSummary, ...]
    capabilities: tuple[Capability, ...]
    views: int


class Report(NamedTuple):
    """One scan.

    ``skills`` in order of path; ``decision`` is the strictest of theirs; ``rules`` are those that had a
    finding, so that a report explains itself; ``disabled`` names rules that were switched off; ``limits``
    states in words what this scan could not know (no network, for one); ``unassigned`` counts files of the
    source that belong to no skill and were not read.
    """

    source: str
    skills: tuple[SkillReport, ...]
    rules: tuple[Rule, ...]
    disabled: tuple[str, ...]
    limits: tuple[str, ...]
    unassigned: int = 0

    @property
    def decision(self) -> Decision:
        """The strictest decision of the skills."""
        return max(skill.verdict.decision for skill in self.skills)

"""What is new beside an older report, in words that every format shares. Nothing here is escaped."""

from __future__ import annotations

from sluicegate.reach.report.escape import unbroken
from sluicegate.reach.report.words import wording
from sluicegate.vet.report import Comparison, Report, SkillReport
from sluicegate.vet.verdict.types import Finding


def title(comparison: Comparison) -> str:
    """``Compared with main (1a2b3c4d5e6f)``."""
    return f"Compared with {comparison.against}"


def result(comparison: Comparison) -> str:
    """What was counted, and what decides the exit code."""
    new = _sum(comparison, "new")
    rest = ", ".join(f"{_sum(comparison, state)} {state}" for state in ("unchanged", "gone"))
    decision = wording.DECISION[comparison.decision]
    if comparison.absent:
        rest += f", {wording.count(len(comparison.absent), 'skill')} gone"
    return f"{new} new, {rest}. What is new alone decides the exit code: {decision}."


def is_new(comparison: Comparison) -> bool:
    """Whether anything is new."""
    return _sum(comparison, "new") > 0


def lines(report: Report) -> tuple[str, ...]:
    """What is new, then what is gone, a line each; what is unchanged is in the report anyway."""
    if report.comparison is None:
        return ()
    pairs = list(zip(report.skills, report.comparison.skills, strict=True))
    several = len(pairs) > 1
    said: list[str] = []
    for word in ("new", "gone"):
        for skill, compared in pairs:
            for one in getattr(compared, word):
                said.append(f"{word}: {one.title} ({_place(skill, wording.place(one.location), several)})")
        for skill, compared in pairs:
            for gap in getattr(compared, f"{word}_gaps"):
                place = _place(skill, wording.gap_path(gap), several)
                said.append(f"{word}: not inspected, {wording.gap(gap)} ({place})")
    return (*said, *(f"gone: the skill {unbroken(root) or 'itself'}" for root in report.comparison.absent))


def states(report: Report) -> dict[tuple[int, str, str], str]:
    """``new`` or ``unchanged`` for each finding, by the place of its skill, its rule and its fingerprint; for SARIF."""
    if report.comparison is None:
        return {}
    return {
        (at, finding.rule, finding.fingerprint): state
        for at, one in enumerate(report.comparison.skills)
        for state, found in (("new", one.new), ("unchanged", one.unchanged))
        for finding in found
    }


def gone(report: Report) -> tuple[tuple[SkillReport, Finding], ...]:
    """The findings that went, each with the skill that it was in."""
    if report.comparison is None:
        return ()
    pairs = zip(report.skills, report.comparison.skills, strict=True)
    return tuple((skill, finding) for skill, one in pairs for finding in one.gone)


def _sum(comparison: Comparison, state: str) -> int:
    return sum(len(getattr(one, state)) + len(getattr(one, f"{state}_gaps")) for one in comparison.skills)


def _place(skill: SkillReport, place: str, several: bool) -> str:
    return f"{unbroken(skill.root or skill.name)}: {place}" if several else place

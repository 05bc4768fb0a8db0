"""The end of a text report: a decision a line, worst first, then how many of each."""

from __future__ import annotations

from collections import Counter

from sluicegate.reach.report.escape import one_line
from sluicegate.reach.report.text.columns import pad, width, wrap
from sluicegate.reach.report.text.page import TextPage
from sluicegate.reach.report.words import reasons, wording
from sluicegate.vet.report import Report, SkillReport
from sluicegate.vet.verdict.types import Decision

_NARROW = 60
"""Columns below which rows are not indented, so that a name keeps 20 columns even of 40."""
_NAMES = 32
"""Columns that names get at most beside their reasons."""
_REASONS = 40
"""Columns that reasons need to stand beside names; with fewer they stand below."""


def summary(page: TextPage, report: Report, source: str, *, verbose: bool) -> None:
    """A row for each skill that is not SAFE (with ``verbose`` for all), then the sum."""
    skills = wording.worst_first(report)
    shown = [s for s in skills if verbose or s.verdict.decision is not Decision.SAFE]
    names = _names(report)
    column = _column(page, [names[id(skill)] for skill in shown])
    if shown:
        heads(page)
    for skill in shown:
        row(page, skill, names[id(skill)], column)
    safe = len(skills) - len(shown)
    if safe:
        hint = " (--verbose lists them)" if shown else ""
        lead = pad("SAFE", 18)
        page.add(
            _margin(page)
            + page.style(Decision.SAFE, lead)
            + f"  {wording.count(safe, 'skill')}"
            + (hint if page.width >= _NARROW else "")
        )
        _minor(page, [s for s in skills if s.verdict.decision is Decision.SAFE])
    page.add("")
    total(page, report, source)


def total(page: TextPage, report: Report, source: str) -> None:
    """The strictest decision, what was scanned, and how many of each decision there are."""
    word = wording.DECISION[report.decision]
    line = wrap(one_line(source), page.width, first=f"{word}  ", rest="  ")
    page.add(page.style(report.decision, word) + line[0][len(word) :], *line[1:])
    page.wrapped(wording.tallies(report), first="  ")


def heads(page: TextPage) -> None:
    """What the columns of the rows are."""
    page.add(page.style("dim", f"{_margin(page)}{pad('Decision', 14)}risk  Skill"))


def row(page: TextPage, skill: SkillReport, name: str, column: int) -> None:
    """One decision: word, score, the whole name, and the first reason, beside it or below."""
    verdict = skill.verdict
    word = pad(wording.DECISION[verdict.decision], 14)
    lead = f"{_margin(page)}{word} {verdict.score:>3}  "
    reason = one_line(reasons.because(verdict)[0])
    if column >= width(name) > 0:
        lines = wrap(
            reason, page.width, first=f"{lead}{pad(name, column)}  ", rest=" " * (len(lead) + column + 2)
        )
    else:
        below = " " * (len(lead) if page.width >= _NARROW else 4)
        lines = [
            *wrap(name, page.width, first=lead, rest=below),
            *wrap(reason, page.width, first=below, rest=below),
        ]
    at = len(_margin(page))
    lines[0] = lines[0][:at] + page.style(verdict.decision, word) + lines[0][at + 14 :]
    page.add(*lines)


def _names(report: Report) -> dict[int, str]:
    """What each skill is called in its row: with where it stands where two have one name."""
    several = Counter(s.name for s in report.skills)
    return {
        id(s): one_line(wording.title(s) if several[s.name] == 1 else wording.called(s, s.root))
        for s in report.skills
    }


def _column(page: TextPage, names: list[str]) -> int:
    """Columns for names beside reasons; 0 where there is not enough room for both."""
    longest = min(_NAMES, max(map(width, names), default=0))
    return longest if page.width - 24 - longest >= _REASONS else 0


def _margin(page: TextPage) -> str:
    return "  " if page.width >= _NARROW else ""


def _minor(page: TextPage, safe: list[SkillReport]) -> None:
    minor = sum(len(s.verdict.findings) for s in safe)
    if minor:
        said = f"{wording.count(minor, 'minor finding')} in SAFE skills: scan one alone to read its own."
        page.wrapped(said, first=" " * (len(_margin(page)) + 20))

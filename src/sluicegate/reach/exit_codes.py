"""The exit codes of ``sluicegate``, in one table: for the program, its help, README and docs/reports.md."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from sluicegate.tuples import NamedTuple

if TYPE_CHECKING:
    import click

    from sluicegate.vet.report import Report, SkillReport

_SAFE, _BLOCKED, COULD_NOT_RUN, _CAUTION, INTERRUPTED = 0, 1, 2, 3, 130


class ExitCode(NamedTuple):
    """One code: ``gate`` is what it means after a scan, ``other`` after any other command (empty: it does not occur)."""

    code: int
    gate: str
    other: str


TABLE = (
    ExitCode(_SAFE, "every skill is SAFE", "it went well; what was asked about holds"),
    ExitCode(_BLOCKED, "a skill is DO_NOT_INSTALL", "it does not hold: something failed its check"),
    ExitCode(COULD_NOT_RUN, "the scan could not run: nothing is known", "it could not run: nothing is known"),
    ExitCode(_CAUTION, "a skill is CAUTION, and none is worse", ""),
    ExitCode(INTERRUPTED, "interrupted (Ctrl-C): nothing was decided", "interrupted (Ctrl-C)"),
)

GATE: Mapping[str, Mapping[str, int]] = MappingProxyType(
    {
        "caution": {"SAFE": _SAFE, "CAUTION": _CAUTION, "DO_NOT_INSTALL": _BLOCKED},
        "do-not-install": {"SAFE": _SAFE, "CAUTION": _SAFE, "DO_NOT_INSTALL": _BLOCKED},
        "never": {"SAFE": _SAFE, "CAUTION": _SAFE, "DO_NOT_INSTALL": _SAFE},
    }
)
"""The exit code of the gate by the mildest decision that is a failure, and by the name of the decision."""


def exit_code(fail_on: str, report: Report) -> int:
    """The exit code of the gate for a report.

    Beside an older report, what is new alone decides. A skill that is CAUTION because a bound was reached is a failure
    where DO_NOT_INSTALL is one: behind the bound may stand what makes it that. So is one on which a reviewer was asked and
    did not answer, for its text may have seen to that.
    """
    judged = [(skill.verdict.decision, skill.verdict.gaps) for skill in report.skills]
    if report.comparison is not None:
        judged = [(one.decision, one.new_gaps) for one in report.comparison.skills]
    code = GATE[fail_on][max(decision for decision, _ in judged).name]
    if code == _SAFE and fail_on == "do-not-install":
        bounded = (gap.of_bound for decision, gaps in judged if decision.name == "CAUTION" for gap in gaps)
        return _CAUTION if any(bounded) or any(map(_unanswered, report.skills)) else code
    return code


def _unanswered(skill: SkillReport) -> bool:
    review = skill.verdict.review
    return (
        skill.verdict.decision.name == "CAUTION"
        and review is not None
        and any(ballot.vote.name == "ABSTAINED" for ballot in review.ballots)
    )


def in_help(formatter: click.HelpFormatter) -> None:
    """The codes of the gate as a section of a help text."""
    with formatter.section("Exit codes"):
        formatter.write_dl([(str(row.code), row.gate) for row in TABLE])


def in_markdown() -> str:
    """All codes as a table."""
    rows = (f"| {row.code} | {row.gate} | {row.other or '–'} |" for row in TABLE)
    return "\n".join(["| code | after `scan` | after another command |", "| ---: | --- | --- |", *rows])

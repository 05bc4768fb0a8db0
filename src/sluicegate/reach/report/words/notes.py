"""What a reader has to know beside the findings: about the settings, and about acceptances that end soon.

Nothing here is escaped: the formats do that.
"""

from __future__ import annotations

from datetime import date

from sluicegate.reach.report.escape import unbroken
from sluicegate.tuples import NamedTuple
from sluicegate.vet.report import Report
from sluicegate.vet.verdict.types import AcceptedGap, Suppressed, Verdict

SOON = 14
"""Days before the last day of an acceptance from which on its end is announced."""


class Ending(NamedTuple):
    """An acceptance in force that ends soon. ``about`` is the rule, or the reason of the gap; ``days`` from today."""

    about: str
    path: str
    owner: str
    last_day: str
    days: int


def ending(verdict: Verdict) -> tuple[Ending, ...]:
    """The acceptances of one skill that end within ``SOON`` days, the first to end first."""
    accepted: list[Suppressed | AcceptedGap] = [*verdict.suppressed, *verdict.accepted_gaps]
    found = {ends_on for one in accepted if (ends_on := _ending(one, verdict.today)) is not None}
    return tuple(sorted(found, key=lambda e: (e.days, e)))


def _ending(accepted: Suppressed | AcceptedGap, today: date) -> Ending | None:
    """The end of an acceptance; None when it has none, or it is far away."""
    try:
        days = (date.fromisoformat(accepted.expires) - today).days
    except ValueError:  # none; or a report of somebody else, read back
        return None
    if days > SOON:
        return None
    return Ending(
        about=_about(accepted),
        path=_path(accepted),
        owner=accepted.owner,
        last_day=accepted.expires,
        days=days,
    )


def ends(report: Report) -> tuple[str, ...]:
    """The same for the whole report, in words: what ends, whose it is, and what to do."""
    several = len(report.skills) > 1
    return tuple(
        ends_in_words(e, unbroken(skill.name) if several else "")
        for skill in report.skills
        for e in ending(skill.verdict)
    )


def ends_in_words(e: Ending, skill: str = "") -> str:
    """One that ends, of a skill where that has to be said."""
    return (
        f"Accepted until {e.last_day} ({_in(e.days)}): {e.about} in {unbroken(e.path) or 'the skill as a whole'}"
        f"{f' of {skill}' if skill else ''}, by {e.owner}. "
        "Look at it again and renew it with 'sluicegate baseline', or it counts again."
    )


def notes(report: Report) -> tuple[str, ...]:
    """Everything to be said, what concerns the settings first."""
    return (*report.notes, *ends(report))


def _in(days: int) -> str:
    return "its last day" if days == 0 else "1 day left" if days == 1 else f"{days} days left"


def _about(accepted: Suppressed | AcceptedGap) -> str:
    return accepted.finding.rule if isinstance(accepted, Suppressed) else accepted.gap.reason.value


def _path(accepted: Suppressed | AcceptedGap) -> str:
    return accepted.finding.location.path if isinstance(accepted, Suppressed) else accepted.gap.path

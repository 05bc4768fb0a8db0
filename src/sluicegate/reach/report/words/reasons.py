"""What made a decision, in lines for people. Nothing here is escaped: the formats do that."""

from __future__ import annotations

from sluicegate.reach.report.escape import unbroken
from sluicegate.reach.report.words.wording import ADVICE, GAP, Group, count, gap_path, grouped, place
from sluicegate.reach.report.words.wording import gap as gap_in_words
from sluicegate.tuples import NamedTuple
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.decision import is_condemning
from sluicegate.vet.verdict.types import Decision, Severity, Verdict

ACCEPTED = "Everything that was found has been accepted by a reviewer."

ACCEPTED_OR_MINOR = "What was found is minor, or has been accepted by a reviewer."

UNSEEN = "Nothing was found; a reviewer accepted that part of it was not inspected."

UNSEEN_OR_MINOR = (
    "What was found is minor, or has been accepted by a reviewer, and so has what was not inspected."
)

MINOR = "Only minor findings; look at {} before you install it."

_SAFE = {
    (False, False): ADVICE[Decision.SAFE],
    (True, False): MINOR,
    (False, True): ACCEPTED,
    (True, True): ACCEPTED_OR_MINOR,
}
"""Whether something minor was found, and whether something was accepted -> why it is SAFE all the same."""

_COUNTED = lazy("[0-9]+ (CRITICAL|HIGH|MEDIUM) findings?: ")
_SCORED = lazy("score [0-9]+ [(][A-Z]+[)]")
_NAMED = 3


_PLAIN = {
    "what is said and what is done are about the same deed": "Its text asks for what its code does: together they weigh more.",
    "only words say so, and words alone never block": "All that counts was found in text, and text alone never blocks.",
    "the rest is words, which never block": "Findings in text alone raise the risk to 50 at most.",
    "a person should see this": "One finding alone is enough for a person to look at it.",
    "a reviewer saw an injection aimed at it": "A reviewer saw an injection aimed at it.",
}
"""Reasons of the verdict -> the same for whoever reads a report."""
_DEEDS = lazy("([0-9]+) different deeds together")
_AIMED = lazy("[0-9]+ findings? aimed at reviewers: ")
_UNSEEN_PARTS = lazy("[0-9]+ parts? could not be inspected: ")


def _plain(reason: str, verdict: Verdict) -> str:
    """A reason of the verdict in plain words; any other as it is."""
    if deeds := _DEEDS.fullmatch(reason):
        return f"It does {deeds[1]} different harmful things, which together weigh more."
    if verdict.gaps and _UNSEEN_PARTS.match(reason):
        first, more = verdict.gaps[0], len(verdict.gaps) - 1
        rest = f" and {count(more, 'more part')}" if more else ""
        what = f"{gap_path(first)} ({GAP[first.reason]})" if first.path else gap_in_words(first)
        return f"Not inspected: {what}{rest}"
    return _PLAIN.get(reason, unbroken(reason))


class Because(NamedTuple):
    """One line of what made the decision, and how many findings it names."""

    said: str
    findings: int = 0


def because(verdict: Verdict) -> tuple[str, ...]:
    """What made the decision, for people, the strongest first; at least one line."""
    return tuple(one.said for one in _because(verdict))


def first_reasons(verdict: Verdict, most: int) -> tuple[tuple[str, ...], str]:
    """The strongest ``most`` of these lines, and how many findings they leave to the details (mostly as words)."""
    reasons = _because(verdict)
    shown, rest = reasons[:most], reasons[most:]
    left = len(verdict.findings) - sum(one.findings for one in shown)
    more = f"and {count(left, 'more finding')}, shown below" if rest and left else ""
    return tuple(one.said for one in (*shown, *(one for one in rest if not one.findings))), more


def _because(verdict: Verdict) -> tuple[Because, ...]:
    """The reasons of the verdict, in which a count of findings is said with their titles and places.

    The score (which stands elsewhere) is left out. A reason of any other form is given as it is. Where a person ruled that
    it is SAFE, the reasons are those for which it was not.
    """
    said: list[Because] = []
    if verdict.computed is Decision.SAFE and verdict.decision is Decision.SAFE:
        said.append(Because(_why_safe(verdict)))
    aimed = ""
    for reason in verdict.reasons:
        if _SCORED.fullmatch(reason):
            continue
        counted = _COUNTED.match(reason)
        group = _aimed(verdict) if _AIMED.match(reason) else None
        if group is not None:
            aimed = group.rule
            said.append(Because(f"{_titled(group)}: this alone blocks it", len(group.findings)))
        elif counted is None:
            said.append(Because(_plain(reason, verdict)))
        elif verdict.computed is not Decision.SAFE:
            said.extend(_titles(verdict, Severity[counted[1]], told=aimed))
    return tuple(said) or (Because(ADVICE[verdict.decision]),)


def _aimed(verdict: Verdict) -> Group | None:
    """The findings of the rule by which an attempt on the reviewer decided alone."""
    groups = (g for g in grouped(verdict.findings) if any(map(is_condemning, g.findings)))
    return next(groups, None)


def _why_safe(verdict: Verdict) -> str:
    found, accepted = bool(verdict.findings), bool(verdict.suppressed)
    if not verdict.accepted_gaps:
        return _SAFE[found, accepted].format(
            "it" if len(verdict.findings) == 1 else f"these {len(verdict.findings):,}"
        )
    return UNSEEN_OR_MINOR if found or accepted else UNSEEN


def _titles(verdict: Verdict, severity: Severity, *, told: str) -> list[Because]:
    """``Title (path:line)`` for the heaviest rules of one severity; without the rule that was ``told`` of already."""
    groups = [g for g in grouped(verdict.findings) if g.severity is severity and g.rule != told]
    said = [Because(_titled(group), len(group.findings)) for group in groups[:_NAMED]]
    if more := sum(len(group.findings) for group in groups[_NAMED:]):
        said.append(Because(count(more, f"more {severity.name.lower()} finding"), more))
    return said


def _titled(group: Group) -> str:
    more = len(group.findings) - 1
    where = place(group.findings[0].location) + (f" and {count(more, 'more place')}" if more else "")
    return f"{group.findings[0].title} ({where})"

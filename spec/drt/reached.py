"""What the generators of the verdict reach: every enumeration, field, size and way to end that a decision may depend on.

from drt.reached import unreached
problems = unreached(generate(kind, number) for ...)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from operator import eq
from typing import Any

from drt.cases import EXCEPTIONS, GAP_PATHS, Case
from drt.coverage import Pair, members, pairs, sized, sizes, universe
from drt.coverage import unreached as _unreached
from drt.sides import Run, baseline, findings_of, gaps_of, panel_of, rulings_of, run_production
from sluicegate.vet.verdict.consensus import Role, Seat, Vote
from sluicegate.vet.verdict.dedup import key_of
from sluicegate.vet.verdict.deeds import DEED_OF, Deed
from sluicegate.vet.verdict.ruling import Rulings
from sluicegate.vet.verdict.score import corroborated, is_act
from sluicegate.vet.verdict.suppression import ExactEntry, GapEntry, GlobEntry
from sluicegate.vet.verdict.types import Band, Decision, EvidenceKind, Finding, Gap

_SIZES = {
    "findings": (0, 1, 3, 9, 12, 20, 30),
    "rules": (0, 1, 5, 9, 20),
    "seats": (0, 1, 2, 3, 4, 5),
    "packages": (0, 1, 2, 4, 6),
    "replies": (0, 1, 3, 8, 16),
    "attempts": (0, 1, 2),
    "additions of a reply": (0, 1, 19),
    "gaps": (0, 1, 3, 8),
    "accepted gaps": (0, 1),
    "suppressed": (0, 1, 3),
    "rulings": (0, 1, 3, 5),
    "rulings that hold": (0, 1, 3),
    "findings of one match": (1, 2, 3, 5),
    "entries about one finding": (0, 1, 2, 3),
    "entries about one gap": (0, 1, 2, 3),
    "letters that two corroborating rules share": (0, 5, 12, 20),
}
_OUTCOMES: dict[str, Iterable[object]] = {
    "decision": Decision,
    "band": Band,
    "panel": Decision,
    "reviewed": Decision,
    "ruled": [
        f"{one.name} to {other.name}"
        for one in Decision
        for other in (one, Decision.SAFE, Decision.DO_NOT_INSTALL)
    ],
    "vote of": [
        f"{role} {vote.name}"
        for role in Role
        for vote in Vote
        if (role, vote) != (Role.DETECTOR, Vote.SUSPICIOUS)
    ],
    "kind and deed": [f"{kind} {deed}" for kind in EvidenceKind for deed in Deed],
    "stale": ("expired", "drifted"),
    "arithmetic": ("corroborated", "two deeds", "for a person", "words beyond 50", "listed"),
    "reply": ("json", "text", *EXCEPTIONS),
    "gap": GAP_PATHS,
    "review": ("incomplete", "injection", "unconfirmed", "raised"),
}


def unreached(cases: Iterable[Case]) -> list[str]:
    """What no case had, one line each; empty when all of it occurs."""
    everything = universe(Finding, Gap, Seat, Rulings, ExactEntry, GlobEntry, GapEntry)
    for name, bounds in _SIZES.items():
        everything |= sizes(name, bounds)
    for name, words in _OUTCOMES.items():
        everything |= members(name, words)
    return _unreached(map(_reached, cases), everything)


def _reached(case: Case) -> set[Pair]:
    run = run_production(case)
    reviewed, alone = run.reviewed, run.alone
    values: list[Any] = [*findings_of(case), *gaps_of(case), *panel_of(case).seats, *baseline(case).entries]
    values.append(rulings_of(case, run.after.docket))
    found: set[Pair] = set().union(*map(pairs, values))
    attempts: dict[tuple[int, int], int] = {}
    for seat, package, _, _ in case.replies:
        attempts[seat, package] = attempts.get((seat, package), 0) + 1
    added: dict[str, int] = {}
    for finding in reviewed.added:
        added[finding.adjustments[0]] = added.get(finding.adjustments[0], 0) + 1
    counts = {
        "findings": [len(case.findings)],
        "rules": [len({row[0] for row in case.findings})],
        "seats": [len(case.seats)],
        "packages": [len(case.packages)],
        "replies": [len(case.replies)],
        "attempts": [0, *attempts.values()],
        "additions of a reply": [0, *added.values()],
        "gaps": [len(case.gaps)],
        "accepted gaps": [len(alone.accepted_gaps)],
        "suppressed": [len(alone.suppressed)],
        "rulings": [len(case.rulings)],
        "rulings that hold": [len(run.ruled.rulings.given)],
        "findings of one match": Counter(map(key_of, findings_of(case))).values(),
        "entries about one finding": [
            0,
            *Counter(tuple(entry[:3]) for entry in case.entries if entry[2]).values(),
        ],
        "entries about one gap": [0, *Counter(tuple(entry[:3]) for entry in case.gap_entries).values()],
        "letters that two corroborating rules share": _in_common(alone.findings)
        if alone.arithmetic.corroborated
        else [],
    }
    found |= {sized(name, one, _SIZES[name]) for name, many in counts.items() for one in many}
    return found | set(_outcomes(case, run))


def _in_common(findings: Sequence[Finding]) -> list[int]:
    """In how many places the names of two rules have the same letter, of findings that corroborate each other."""
    pairs_ = (
        (one, other)
        for one in findings
        for other in findings
        if one.rule != other.rule and is_act(one) > is_act(other)
    )
    return [sum(map(eq, one.rule, other.rule)) for one, other in pairs_ if corroborated((one, other))]


def _outcomes(case: Case, run: Run) -> Iterator[Pair]:
    """How a case ended, and what was special about it."""
    alone, reviewed, after, ruled = run
    yield "decision", alone.decision.name
    yield "band", alone.band.name
    yield "panel", reviewed.decision.name
    yield "reviewed", after.decision.name
    yield "ruled", f"{ruled.computed.name} to {ruled.decision.name}"
    yield from (("vote of", f"{ballot.seat.role} {ballot.vote.name}") for ballot in reviewed.ballots)
    yield from (("kind and deed", f"{f.kind} {DEED_OF[f.category]}") for f in alone.findings)
    yield from (("stale", entry.why) for entry in alone.stale)
    yield from (("reply", body.get("raise", next(iter(body)))) for *_, body in case.replies)
    yield from (("gap", gap.path) for gap in alone.gaps)
    made = alone.arithmetic
    special = {
        ("arithmetic", "corroborated"): made.corroborated,
        ("arithmetic", "two deeds"): made.deeds > 1 and not made.for_a_person,
        ("arithmetic", "for a person"): made.for_a_person and made.deeds < 2,
        ("arithmetic", "words beyond 50"): made.everything > 50 >= alone.score,
        ("arithmetic", "listed"): bool(alone.listed),
        ("review", "incomplete"): not reviewed.complete,
        ("review", "injection"): bool(reviewed.injections),
        ("review", "unconfirmed"): any(each.unconfirmed for each in reviewed.findings),
        ("review", "raised"): [each.finding for each in reviewed.findings] != findings_of(case),
    }
    yield from (pair for pair, holds in special.items() if holds)

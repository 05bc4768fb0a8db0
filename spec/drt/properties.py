"""What must hold of production for every case, said directly and without a model."""

from __future__ import annotations

import random
from datetime import date

from drt.cases import Case
from drt.sides import _GAPS, baseline, batches_of, run_production
from sluicegate.vet.verdict.decision import judge
from sluicegate.vet.verdict.envelope import Review
from sluicegate.vet.verdict.score import points_of
from sluicegate.vet.verdict.suppression import Baseline
from sluicegate.vet.verdict.types import Author, Decision, Finding, Severity


def broken(case: Case) -> list[str]:
    """The names of the properties that a case breaks; none when all is well."""
    alone, reviewed, after = run_production(case)
    given = [f for batch in batches_of(case) for f in batch]
    accepted, today, gaps = baseline(case), date.fromordinal(case.today), _GAPS[: case.gaps]
    rng = random.Random(repr(case))
    shuffled = rng.sample(given, len(given))
    fewer = judge(shuffled[: len(given) // 2], gaps, baseline=accepted, today=today)
    protected = [f for f in given if f.severity >= Severity.HIGH]
    dearest = [points_of(f) for f in alone.findings]
    checks = {
        "score in range": 0 <= alone.score <= 100 and 0 <= after.score <= 100,
        "order does not matter": judge(shuffled, gaps, baseline=accepted, today=today) == alone,
        "repetition does not matter": _same(
            judge([*given, *given[:2]], gaps, baseline=accepted, today=today), alone
        ),
        "adding never helps": fewer.decision <= alone.decision and fewer.score <= alone.score,
        "merging never increases": len(alone.findings) + len(alone.listed) + len(alone.suppressed)
        <= len(given),
        "dearest first": dearest == sorted(dearest, reverse=True),
        "a gap is never safe": not gaps or alone.decision is not Decision.SAFE,
        "accepting never adds": judge(given, gaps, baseline=Baseline(), today=today).score >= alone.score,
        "a finding is in one place": _one_place(
            alone.findings, alone.listed, [s.finding for s in alone.suppressed]
        ),
        "reviewers never help": after.decision >= alone.decision and after.score >= alone.score,
        "panel is heard": after.decision >= reviewed.decision,
        "survival": _survives(given, reviewed),
        "protected score": judge(protected, gaps, baseline=accepted, today=today).score <= after.score,
        "additions marked": all(
            f.author is Author.MODEL and f.rule == "reviewer-finding" for f in reviewed.added
        ),
        "additions bounded": len(reviewed.added) <= 20 * len(case.replies),
    }
    return [name for name, holds in checks.items() if not holds]


def _same(one: object, other: object) -> bool:
    return one == other


def _one_place(*groups) -> bool:  # type: ignore[no-untyped-def]
    keys = [(f.rule, f.category, f.location.path, f.fingerprint) for group in groups for f in group]
    return len(keys) == len(set(keys))


def _survives(given: list[Finding], reviewed: Review) -> bool:
    """Every finding in its place, no word of it changed, its confidence no lower."""
    kept = [r.finding for r in reviewed.findings]
    return len(kept) == len(given) and all(
        after.confidence >= before.confidence
        and after._replace(confidence=before.confidence, adjustments=before.adjustments) == before
        and after.adjustments[: len(before.adjustments)] == before.adjustments
        and (after.confidence == before.confidence) == (after.adjustments == before.adjustments)
        for before, after in zip(given, kept, strict=True)
    )

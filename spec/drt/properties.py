"""What must hold of production for every case, said directly and without a model."""

from __future__ import annotations

import random
from collections.abc import Iterable
from datetime import date

from drt.cases import Case
from drt.sides import BUNDLE, Run, baseline, findings_of, gaps_of, run_production
from sluicegate.vet.verdict.decision import judge
from sluicegate.vet.verdict.envelope import Review
from sluicegate.vet.verdict.score import is_act, points_of
from sluicegate.vet.verdict.suppression import Baseline
from sluicegate.vet.verdict.types import (
    Author,
    Category,
    Decision,
    EvidenceKind,
    Finding,
    Gap,
    Severity,
    Verdict,
)


def broken(case: Case, run: Run | None = None) -> list[str]:
    """The names of the properties that a case breaks; none when all is well. ``run`` if production ran already."""
    alone, reviewed, after, ruled = run or run_production(case)
    given, gaps = findings_of(case), gaps_of(case)
    accepted, today = baseline(case), date.fromordinal(case.today)
    rng = random.Random(repr(case))

    def verdict(findings: list[Finding], of: list[Gap] = gaps) -> Verdict:
        return judge(findings, of, baseline=accepted, today=today, bundle=BUNDLE)

    shuffled = rng.sample(given, len(given))
    fewer = verdict(shuffled[: len(given) // 2], gaps[: len(gaps) // 2])
    protected = [f for f in given if f.severity >= Severity.HIGH]
    words = [f for f in given if not is_act(f) and f.category is not Category.REVIEWER_MANIPULATION]
    dearest = [points_of(f) for f in alone.findings]
    checks = {
        "score in range": 0 <= alone.score <= 100 and 0 <= after.score <= 100,
        "order does not matter": verdict(shuffled, gaps[::-1]) == alone,
        "repetition does not matter": verdict([*given, *given[:2]], [*gaps, *gaps[:1]]) == alone,
        "adding never helps": fewer.decision <= alone.decision and fewer.score <= alone.score,
        "words alone never block": verdict(words).decision is not Decision.DO_NOT_INSTALL,
        "a block rests on acts": _rests_on_acts(alone),
        "merging never increases": len(alone.findings) + len(alone.listed) + len(alone.suppressed)
        <= len(given),
        "dearest first": dearest == sorted(dearest, reverse=True),
        "a gap is never safe": not alone.gaps or alone.decision is not Decision.SAFE,
        "every gap is in one place": _gaps(alone) == set(gaps) and len(_gaps(alone)) == _count_of_gaps(alone),
        "accepting never adds": judge(given, gaps, baseline=Baseline(), today=today).score >= alone.score,
        "a finding is in one place": _one_place(
            alone.findings, alone.listed, [s.finding for s in alone.suppressed]
        ),
        "reviewers never help": after.decision >= alone.decision and after.score >= alone.score,
        "panel is heard": after.decision >= reviewed.decision,
        "survival": _survives(given, reviewed),
        "protected score": verdict(protected).score <= after.score,
        "additions marked": all(
            f.author is Author.MODEL and f.rule == "reviewer-finding" and f.kind is EvidenceKind.WORDS
            for f in reviewed.added
        ),
        "additions bounded": len(reviewed.added) <= 20 * len(case.replies),
        "only persons lower": ruled.decision >= after.decision
        or any(r.approves for r in ruled.rulings.given),
        "rulings are about this": all(
            r.docket == after.docket or (not r.approves and r.bundle == BUNDLE) for r in ruled.rulings.given
        ),
    }
    return [name for name, holds in checks.items() if not holds]


def _rests_on_acts(verdict: Verdict) -> bool:
    """A block has an act among its findings, or a finding aimed at reviewers."""
    aimed = any(f.category is Category.REVIEWER_MANIPULATION for f in verdict.findings)
    return verdict.decision is not Decision.DO_NOT_INSTALL or aimed or any(map(is_act, verdict.findings))


def _gaps(verdict: Verdict) -> set[Gap]:
    return {*verdict.gaps, *(accepted.gap for accepted in verdict.accepted_gaps)}


def _count_of_gaps(verdict: Verdict) -> int:
    return len(verdict.gaps) + len(verdict.accepted_gaps)


def _one_place(*groups: Iterable[Finding]) -> bool:
    keys = [(f.rule, f.category, f.kind, f.location.path, f.fingerprint) for group in groups for f in group]
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

"""From findings and gaps to a decision. The last word of every scan."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from sluicegate.vet.verdict.dedup import deduplicate
from sluicegate.vet.verdict.kernels import condemns, decide, is_listed, stricter
from sluicegate.vet.verdict.ruling import Ruling, Rulings, docket, identity, rule
from sluicegate.vet.verdict.score import arithmetic, band, by_kind
from sluicegate.vet.verdict.suppression import Baseline, accept_gaps, suppress
from sluicegate.vet.verdict.types import (
    Arithmetic,
    Band,
    Category,
    Decision,
    EvidenceKind,
    Finding,
    Gap,
    Severity,
    Verdict,
)

if TYPE_CHECKING:
    from sluicegate.vet.verdict.envelope import Review


def judge(
    findings: Sequence[Finding],
    gaps: Sequence[Gap],
    *,
    baseline: Baseline,
    today: date,
    review: Review | None = None,
    rulings: Rulings = Rulings(),  # noqa: B008  # a constant
    bundle: str = "",
) -> Verdict:
    """The verdict on one skill. The same input in any order gives the same verdict. ``bundle`` is its digest.

    1. Findings that are the same match are merged into one.
    2. Accepted findings and gaps are set apart.
    3. MEDIUM and LOW findings of confidence below 400 are set apart, listed and not scored.
    4. The others are scored, by what kind of evidence they are.
    5. DO_NOT_INSTALL when the band is HIGH or worse, or when one of them is an attempt on the reviewer of
       confidence 500 or more; CAUTION when the band is MEDIUM or anything was not inspected; else SAFE.
    6. When a panel reviewed it, the stricter of that and the panel's decision: a panel cannot make it milder.
    7. A person's ruling on exactly this can. A person's rejection of these bytes blocks, whatever was found.
    """
    # 1
    merged = deduplicate(findings)
    # 2
    partition = suppress(merged, baseline, today)
    uninspected = accept_gaps(gaps, baseline, today)
    # 3
    counted = tuple(f for f in partition.active if not is_listed(f.severity, f.confidence))
    listed = tuple(f for f in partition.active if is_listed(f.severity, f.confidence))
    # 4
    made = arithmetic(counted)
    points = by_kind(made)
    # 5
    aimed = tuple(f for f in counted if is_condemning(f))
    computed = Decision(decide(band(points), bool(aimed), bool(uninspected.open)))
    reasons = _reasons(aimed, counted, points, made, uninspected.open)
    # 6
    if review is not None:
        computed = Decision(stricter(computed, review.decision))
        reasons = _with_panel(review, reasons)
    # 7
    named = docket(bundle, partition.active, partition.suppressed, uninspected, review)
    decision, holding = rule(computed, named, bundle, rulings, today)
    return Verdict(
        decision=decision,
        computed=computed,
        score=points,
        band=band(points),
        arithmetic=made,
        reasons=_with_rulings(decision, computed, holding, reasons),
        findings=counted,
        listed=listed,
        suppressed=partition.suppressed,
        stale=tuple(sorted({*partition.stale, *uninspected.stale})),
        gaps=uninspected.open,
        accepted_gaps=uninspected.accepted,
        docket=named,
        today=today,
        rulings=rulings._replace(given=holding),
        review=review,
    )


def judge_reviewed(
    review: Review,
    gaps: Sequence[Gap],
    *,
    baseline: Baseline,
    today: date,
    rulings: Rulings = Rulings(),  # noqa: B008  # a constant
    bundle: str = "",
) -> Verdict:
    """The verdict on one skill that a panel reviewed: the findings with the confidences they have now, and the added."""
    findings = [*(reviewed.finding for reviewed in review.findings), *review.added]
    return judge(
        findings, gaps, baseline=baseline, today=today, review=review, rulings=rulings, bundle=bundle
    )


def is_condemning(finding: Finding) -> bool:
    """Whether this finding decides alone: an attempt on the reviewer, of confidence 500 or more."""
    return condemns(finding.category is Category.REVIEWER_MANIPULATION, finding.confidence)


def says_aimed_at_reviewers(verdict: Verdict) -> bool:
    """Whether a verdict says that there is a text aimed at reviewers: by a finding that decides alone, or by a reviewer."""
    reviewed = verdict.review is not None and bool(verdict.review.injections)
    return reviewed or any(map(is_condemning, verdict.findings))


def _reasons(
    aimed: Sequence[Finding], counted: Sequence[Finding], points: int, made: Arithmetic, gaps: Sequence[Gap]
) -> tuple[str, ...]:
    """What made the decision, in words, the strongest first. Paths in it are untrusted text."""
    reasons: list[str] = []
    if aimed:
        reasons.append(f"{_count(len(aimed), 'finding')} aimed at reviewers: {_places(aimed)}")
    named = Severity.HIGH if band(points) is Band.LOW else Severity.MEDIUM
    for severity in (Severity.CRITICAL, Severity.HIGH, Severity.MEDIUM):
        of_it = [finding for finding in counted if finding.severity is severity]
        if of_it and severity >= named:
            reasons.append(f"{_count(len(of_it), f'{severity.name} finding')}: {_places(of_it)}")
    reasons += [] if aimed else _of_kinds(counted, points, made)
    reasons.append(f"score {points} ({band(points).name})")
    if gaps:
        first = f"{gaps[0].path} ({gaps[0].reason})"
        reasons.append(f"{_count(len(gaps), 'part')} could not be inspected: {first}{_more(len(gaps))}")
    return tuple(reasons)


def _of_kinds(counted: Sequence[Finding], points: int, made: Arithmetic) -> list[str]:
    """What the kinds of evidence had to do with the score, where the findings alone do not say it."""
    if made.corroborated and made.acts < points:
        return ["what is said and what is done are about the same deed"]
    if made.everything > points and counted and made.acts <= points:
        only = all(finding.kind is EvidenceKind.WORDS for finding in counted)
        return [
            "only words say so, and words alone never block"
            if only
            else "the rest is words, which never block"
        ]
    if max(made.acts, made.everything) < points:
        return ["a person should see this" if made.for_a_person else f"{made.deeds} different deeds together"]
    return []


def _with_panel(review: Review, reasons: tuple[str, ...]) -> tuple[str, ...]:
    """The reasons with what the panel said: first if it blocks, last if not."""
    from sluicegate.vet.verdict.consensus import Vote, families  # no scan without reviewers needs it
    from sluicegate.vet.verdict.kernels import FAMILIES_NEEDED

    votes = [ballot.vote for ballot in review.ballots]
    condemning = sum(vote is Vote.MALICIOUS for vote in votes)
    unsure = sum(vote in (Vote.SUSPICIOUS, Vote.ABSTAINED) for vote in votes)
    if review.injections:
        return ("a reviewer saw an injection aimed at it", *reasons)
    if condemning:
        return (f"{condemning} of {_count(len(votes), 'reviewer')} said MALICIOUS", *reasons)
    if unsure:
        return (*reasons, f"{unsure} of {_count(len(votes), 'reviewer')} doubted, failed or abstained")
    if not votes:
        return (*reasons, "no reviewer was asked")
    if families(review.ballots) < FAMILIES_NEEDED:
        return (*reasons, f"reviewers of {FAMILIES_NEEDED} known families of models are needed for SAFE")
    if not review.complete:
        return (*reasons, "not every finding was put before a reviewer")
    return reasons


def _with_rulings(
    decision: Decision, computed: Decision, holding: Sequence[Ruling], reasons: tuple[str, ...]
) -> tuple[str, ...]:
    """The reasons with what persons ruled, first where that is what decided. Names in it are untrusted text."""
    if not holding:
        return reasons
    against = [ruling for ruling in holding if not ruling.approves]
    names = sorted({ruling.person for ruling in against or holding}, reverse=True)
    persons = sorted({identity(name): name for name in names}.items(), key=lambda person: person[1])
    by = f"{persons[0][1] if persons[0][0] else 'somebody without a name'}{_more(len(persons))}"
    said = f"{'rejected' if against else 'approved'} by {by}"
    return (said, *reasons) if decision is not computed else (*reasons, said)


def _places(findings: Sequence[Finding]) -> str:
    """The first finding by its rule and path, and how many more."""
    return f"{findings[0].rule} in {findings[0].location.path}{_more(len(findings))}"


def _more(count: int) -> str:
    return f" and {count - 1} more" if count > 1 else ""


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"

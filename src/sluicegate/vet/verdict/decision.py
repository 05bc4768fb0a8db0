"""From findings and gaps to a decision. The last word of every scan."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from sluicegate.vet.verdict.dedup import deduplicate
from sluicegate.vet.verdict.kernels import condemns, decide, is_listed, stricter
from sluicegate.vet.verdict.score import band, score
from sluicegate.vet.verdict.suppression import Baseline, suppress
from sluicegate.vet.verdict.types import Band, Category, Decision, Finding, Gap, Severity, Verdict

if TYPE_CHECKING:
    from sluicegate.vet.verdict.envelope import Review


def judge(findings: Sequence[Finding], gaps: Sequence[Gap], *, baseline: Baseline, today: date) -> Verdict:
    """The verdict on one skill. The same input in any order gives the same verdict.

    1. Findings that are the same match are merged into one.
    2. Accepted findings are set apart.
    3. MEDIUM and LOW findings of confidence below 400 are set apart, listed and not scored.
    4. The others are scored.
    5. DO_NOT_INSTALL when the band is HIGH or worse, or when one of them is an attempt on the reviewer of
       confidence 500 or more; CAUTION when the band is MEDIUM or anything was not inspected; else SAFE.
    """
    # 1
    merged = deduplicate(findings)
    # 2
    partition = suppress(merged, baseline, today)
    # 3
    counted = tuple(f for f in partition.active if not is_listed(f.severity, f.confidence))
    listed = tuple(f for f in partition.active if is_listed(f.severity, f.confidence))
    # 4
    points = score(counted)
    # 5
    aimed = tuple(f for f in counted if is_condemning(f))
    known_gaps = tuple(sorted(set(gaps)))
    decision = Decision(decide(band(points), bool(aimed), bool(known_gaps)))
    return Verdict(
        decision=decision,
        score=points,
        band=band(points),
        reasons=_reasons(aimed, counted, points, known_gaps),
        findings=counted,
        listed=listed,
        suppressed=partition.suppressed,
        stale=partition.stale,
        gaps=known_gaps,
    )


def judge_reviewed(review: Review, gaps: Sequence[Gap], *, baseline: Baseline, today: date) -> Verdict:
    """The verdict on one skill that a panel reviewed.

    1. The findings with the confidences they have now, and the added ones, are judged like any others.
    2. The decision is the stricter of that and the panel's; a panel cannot make it milder.
    """
    # 1
    findings = [reviewed.finding for reviewed in review.findings]
    verdict = judge([*findings, *review.added], gaps, baseline=baseline, today=today)
    # 2
    decision = Decision(stricter(verdict.decision, review.decision))
    return verdict._replace(decision=decision, reasons=_with_panel(review, verdict.reasons))


def is_condemning(finding: Finding) -> bool:
    """Whether this finding decides alone: an attempt on the reviewer, of confidence 500 or more."""
    return condemns(finding.category is Category.REVIEWER_MANIPULATION, finding.confidence)


def _reasons(
    aimed: Sequence[Finding], counted: Sequence[Finding], points: int, gaps: Sequence[Gap]
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
    reasons.append(f"score {points} ({band(points).name})")
    if gaps:
        first = f"{gaps[0].path} ({gaps[0].reason})"
        reasons.append(f"{_count(len(gaps), 'part')} could not be inspected: {first}{_more(len(gaps))}")
    return tuple(reasons)


def _with_panel(review: Review, reasons: tuple[str, ...]) -> tuple[str, ...]:
    """The reasons with what the panel said: first if it blocks, last if not."""
    from sluicegate.vet.verdict.consensus import Vote  # no scan without reviewers needs it

    condemning = sum(vote is Vote.MALICIOUS for _, vote in review.votes)
    unsure = sum(vote in (Vote.SUSPICIOUS, Vote.ABSTAINED) for _, vote in review.votes)
    if review.injection:
        return ("a reviewer saw an injection aimed at it", *reasons)
    if condemning:
        return (f"{condemning} of {_count(len(review.votes), 'reviewer')} said MALICIOUS", *reasons)
    if unsure:
        return (*reasons, f"{unsure} of {_count(len(review.votes), 'reviewer')} doubted, failed or abstained")
    return reasons


def _places(findings: Sequence[Finding]) -> str:
    """The first finding by its rule and path, and how many more."""
    return f"{findings[0].rule} in {findings[0].location.path}{_more(len(findings))}"


def _more(count: int) -> str:
    return f" and {count - 1} more" if count > 1 else ""


def _count(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"

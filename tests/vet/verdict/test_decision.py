import random
from datetime import date

import pytest
from verdict_samples import GAP, TODAY, finding

from sluicegate.vet.verdict.decision import judge
from sluicegate.vet.verdict.suppression import Baseline, ExactEntry
from sluicegate.vet.verdict.types import Band, Category, Decision, Gap, GapReason, Severity

NOTHING = Baseline()


def _judge(*findings, gaps=(), baseline=NOTHING):
    return judge(findings, gaps, baseline=baseline, today=TODAY)


def _accept(*findings):
    return Baseline(
        entries=tuple(
            ExactEntry(rule=f.rule, path=f.location.path, fingerprint=f.fingerprint, reason="r", owner="o")
            for f in findings
        )
    )


def test_nothing_found_is_safe():
    verdict = _judge()
    assert (verdict.decision, verdict.score, verdict.band) == (Decision.SAFE, 0, Band.LOW)
    assert verdict.reasons == ("score 0 (LOW)",)


@pytest.mark.parametrize(
    ("severity", "confidence", "decision"),
    [
        (Severity.CRITICAL, 500, Decision.DO_NOT_INSTALL),
        (Severity.CRITICAL, 499, Decision.CAUTION),
        (Severity.HIGH, 500, Decision.CAUTION),
        (Severity.HIGH, 499, Decision.SAFE),
        (Severity.MEDIUM, 1000, Decision.SAFE),
        (Severity.LOW, 1000, Decision.SAFE),
    ],
)
def test_one_finding_alone(severity, confidence, decision):
    assert _judge(finding(severity=severity, confidence=confidence)).decision is decision


def test_weak_findings_are_listed_and_not_scored():
    weak = [finding(severity=Severity.MEDIUM, confidence=399), finding("b", Severity.LOW, 0)]
    kept = [finding("c", Severity.MEDIUM, 400), finding("d", Severity.HIGH, 399)]
    verdict = _judge(*weak, *kept)
    assert [f.rule for f in verdict.listed] == ["pipe-to-shell", "b"]
    assert [f.rule for f in verdict.findings] == ["d", "c"]
    assert verdict.score == 13


def test_a_gap_is_caution_and_gaps_are_sorted_and_told_once():
    other = Gap(path="a.bin", reason=GapReason.OPAQUE, detail="")
    verdict = _judge(gaps=[GAP, other, GAP])
    assert verdict.decision is Decision.CAUTION
    assert verdict.gaps == (other, GAP)
    assert verdict.reasons == ("score 0 (LOW)", "2 parts could not be inspected: a.bin (opaque) and 1 more")


def test_many_gaps_are_in_order():
    gaps = [Gap(path=f"p{n}", reason=GapReason.OPAQUE, detail=str(n)) for n in range(12)]
    assert list(_judge(gaps=gaps[::-1]).gaps) == sorted(gaps)


def test_accepting_everything_with_a_gap_is_still_caution():
    verdict = _judge(finding(), gaps=[GAP], baseline=_accept(finding()))
    assert (verdict.decision, verdict.score) == (Decision.CAUTION, 0)
    assert verdict.findings == ()
    assert len(verdict.suppressed) == 1
    assert verdict.reasons[-1] == "1 part could not be inspected: inner.zip (encrypted)"


@pytest.mark.parametrize("severity", Severity)
def test_an_attempt_on_the_reviewer_blocks_alone(severity):
    aimed = finding("reviewer-aimed", severity, 500, category=Category.REVIEWER_MANIPULATION)
    verdict = _judge(aimed)
    assert verdict.decision is Decision.DO_NOT_INSTALL
    assert verdict.reasons[0] == "1 finding aimed at reviewers: reviewer-aimed in scripts/setup.sh"
    assert _judge(aimed, baseline=_accept(aimed)).decision is Decision.SAFE
    weaker = finding("reviewer-aimed", severity, 499, category=Category.REVIEWER_MANIPULATION)
    assert _judge(weaker).decision < Decision.DO_NOT_INSTALL


def test_reasons_name_the_strongest_first():
    verdict = _judge(
        finding(),
        finding(path="b.sh"),
        finding("x", Severity.HIGH, 800),
        finding("y", Severity.MEDIUM, 900),
        finding("z", Severity.LOW, 900),
        gaps=[GAP],
    )
    assert verdict.reasons == (
        "2 CRITICAL findings: pipe-to-shell in b.sh and 1 more",
        "1 HIGH finding: x in scripts/setup.sh",
        "1 MEDIUM finding: y in scripts/setup.sh",
        f"score {verdict.score} ({verdict.band.name})",
        "1 part could not be inspected: inner.zip (encrypted)",
    )


def test_medium_findings_are_named_where_they_made_the_band():
    several = [finding(f"m{n}", Severity.MEDIUM, 1000) for n in range(3)]
    assert _judge(*several).reasons == (
        "3 MEDIUM findings: m0 in scripts/setup.sh and 2 more",
        "score 30 (MEDIUM)",
    )
    assert _judge(*several[:2]).reasons == ("score 20 (LOW)",)
    many = [finding(f"m{n}", Severity.MEDIUM, 1000) for n in range(6)]
    assert _judge(*many).reasons[0] == "6 MEDIUM findings: m0 in scripts/setup.sh and 5 more"


def test_a_weak_high_is_named_in_the_low_band():
    assert _judge(finding("x", Severity.HIGH, 300)).reasons == (
        "1 HIGH finding: x in scripts/setup.sh",
        "score 7 (LOW)",
    )


def test_any_order_gives_the_same_verdict():
    findings = [
        finding("abc"[n % 3], Severity(n % 4), 100 * n, fingerprint=str(n % 5), line=n + 1) for n in range(10)
    ]
    gaps = [GAP, Gap(path="b", reason=GapReason.LINK, detail="to /etc")]
    expected = judge(findings, gaps, baseline=Baseline(), today=TODAY)
    for seed in range(20):
        shuffled = random.Random(seed).sample(findings, len(findings))
        assert judge(shuffled, gaps[::-1], baseline=Baseline(), today=TODAY) == expected


def test_the_date_decides_what_is_still_accepted():
    entry = ExactEntry(
        rule="pipe-to-shell", path="scripts/setup.sh", fingerprint="f1", reason="r", owner="o", expires=TODAY
    )
    baseline = Baseline(entries=(entry,))
    assert judge([finding()], [], baseline=baseline, today=TODAY).decision is Decision.SAFE
    later = judge([finding()], [], baseline=baseline, today=date(2026, 6, 16))
    assert later.decision is Decision.DO_NOT_INSTALL
    assert [stale.why for stale in later.stale] == ["expired"]

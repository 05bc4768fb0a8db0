"""What is new beside an older report, and what the new alone come to."""

from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.vet.compare import compare
from sluicegate.vet.report import Report, SkillReport
from sluicegate.vet.verdict.decision import judge
from sluicegate.vet.verdict.suppression import Baseline, ExactEntry
from sluicegate.vet.verdict.types import (
    Category,
    Decision,
    EvidenceKind,
    Finding,
    Gap,
    GapReason,
    Location,
    Severity,
)

DAY = date(2026, 6, 15)


def finding(number, severity=Severity.HIGH, confidence=900, category=Category.REMOTE_CODE):
    return Finding(
        rule=f"rule-{number % 3}", title="t", category=category, kind=EvidenceKind.COMMAND, severity=severity,
        confidence=confidence, message="", evidence="", location=Location("a.sh", 1, 1), executable=False,
        fingerprint=f"{number:04}",
    )  # fmt: skip


def gap(number, known=True):
    return Gap(
        path=f"{number}.7z", reason=GapReason.OPAQUE, detail="", fingerprint=f"{number}" if known else ""
    )


def skill(findings, gaps=(), root="", baseline=None):
    verdict = judge(findings, gaps, baseline=baseline or Baseline(), today=DAY)
    return SkillReport(
        name="s", root=root, digest="", description="", verdict=verdict, files=(), capabilities=(), views=0
    )


def report(*skills):
    return Report(source="x", skills=skills, rules=(), disabled=(), limits=())


FINDINGS = st.lists(
    st.builds(
        finding,
        st.integers(0, 9),
        st.sampled_from(Severity),
        st.sampled_from([100, 400, 500, 900]),
        st.sampled_from([Category.REMOTE_CODE, Category.REVIEWER_MANIPULATION, Category.NETWORK]),
    ),
    max_size=6,
    unique_by=lambda f: f.fingerprint,
)
GAPS = st.lists(st.builds(gap, st.integers(0, 3), st.booleans()), max_size=3, unique_by=lambda g: g.path)


@given(FINDINGS, GAPS)
@settings(deadline=None)
def test_beside_nothing_everything_is_new_and_beside_itself_only_what_nobody_knows(findings, gaps):
    now = report(skill(findings, gaps))
    alone = compare(now, (), against="nothing").comparison
    assert alone.decision is now.decision
    assert len(alone.skills[0].new) == len(findings)
    same = compare(now, now.skills, against="itself").comparison.skills[0]
    assert same.new == same.gone == same.gone_gaps == ()
    assert set(same.new_gaps) == {g for g in gaps if not g.fingerprint}
    assert same.decision is (Decision.CAUTION if same.new_gaps else Decision.SAFE)


@given(FINDINGS, FINDINGS, GAPS, GAPS)
@settings(deadline=None)
def test_the_parts_are_the_whole_and_the_new_are_never_worse_than_it(before, after, old_gaps, gaps):
    now, old = report(skill(after, gaps)), skill(before, old_gaps)
    one = compare(now, (old,), against="old").comparison.skills[0]
    verdict = now.skills[0].verdict
    assert sorted((*one.new, *one.unchanged)) == sorted((*verdict.findings, *verdict.listed))
    assert sorted((*one.new_gaps, *one.unchanged_gaps)) == sorted(verdict.gaps)
    assert one.decision <= now.decision
    known = {(f.rule, f.fingerprint) for f in before}
    assert all(
        f in one.new for f in (*verdict.findings, *verdict.listed) if (f.rule, f.fingerprint) not in known
    )


def test_an_acceptance_that_is_over_makes_its_finding_new():
    one = finding(1, Severity.CRITICAL)
    entry = ExactEntry(
        rule=one.rule, path="a.sh", fingerprint=one.fingerprint, reason="r", owner="o", expires=DAY
    )
    held = skill([one], baseline=Baseline(entries=(entry,)))
    assert (
        compare(report(skill([one])), (held,), against="old").comparison.decision is Decision.DO_NOT_INSTALL
    )


def test_what_was_listed_and_counts_now_is_new():
    weak = finding(1, Severity.MEDIUM, 300)
    strong = weak._replace(severity=Severity.CRITICAL, confidence=900)
    assert compare(report(skill([strong])), (skill([weak]),), against="old").comparison.skills[0].new == (
        strong,
    )


def test_a_skill_elsewhere_is_another_skill():
    one = finding(1, Severity.CRITICAL)
    now = compare(report(skill([one], root="b")), (skill([one], root="a"),), against="old").comparison
    assert now.decision is Decision.DO_NOT_INSTALL
    assert now.absent == ("a",)
    part = compare(report(skill([one], root="b")), (skill([one], root="a"),), against="old", whole=False)
    assert part.comparison.absent == ()

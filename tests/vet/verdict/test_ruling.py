from datetime import timedelta

import pytest
from verdict_samples import GAP, TODAY, finding

from sluicegate.vet.verdict.consensus import Family, Panel, Role, Seat
from sluicegate.vet.verdict.decision import judge, judge_reviewed
from sluicegate.vet.verdict.envelope import Package, Reply, review
from sluicegate.vet.verdict.ruling import Ruling, Rulings
from sluicegate.vet.verdict.suppression import Baseline, ExactEntry, GapEntry
from sluicegate.vet.verdict.types import Decision, EvidenceKind, Severity

DAY = timedelta(days=1)
CAUTION = finding(severity=Severity.HIGH)
BLOCK = finding()


def _judge(*findings, gaps=(), baseline=None, rulings=None, bundle="b"):
    return judge(
        findings,
        gaps,
        baseline=baseline or Baseline(),
        today=TODAY,
        rulings=rulings or Rulings(),
        bundle=bundle,
    )


def _ruling(docket, /, **changes):
    return Ruling(**({"docket": docket, "person": "mira", "approves": True, "reason": "checked"} | changes))


def _ruled(found, *changes, needed=1, may_override=False):
    docket = _judge(found).docket
    given = tuple(_ruling(docket, **change) for change in changes)
    return _judge(found, rulings=Rulings(given=given, needed=needed, may_override=may_override))


def test_an_approval_makes_caution_safe_and_says_so():
    verdict = _ruled(CAUTION, {})
    assert (verdict.decision, verdict.computed) == (Decision.SAFE, Decision.CAUTION)
    assert verdict.reasons[0] == "approved by mira"
    assert [r.person for r in verdict.rulings.given] == ["mira"]


@pytest.mark.parametrize(
    "change", [{"docket": "another"}, {"expires": TODAY - DAY}, {"approves": False, "docket": "another"}]
)
def test_what_does_not_hold_changes_nothing(change):
    verdict = _ruled(CAUTION, change)
    assert (verdict.decision, verdict.rulings.given) == (Decision.CAUTION, ())
    assert verdict.reasons == _judge(CAUTION).reasons


def test_a_ruling_holds_through_its_last_day():
    assert _ruled(CAUTION, {"expires": TODAY}).decision is Decision.SAFE
    override = {"overrides": True, "expires": TODAY}
    assert _ruled(BLOCK, override, may_override=True).decision is Decision.SAFE
    over = {**override, "expires": TODAY - DAY}
    assert _ruled(BLOCK, over, may_override=True).decision is Decision.DO_NOT_INSTALL


def test_a_rejection_that_calls_itself_an_override_blocks():
    verdict = _ruled(CAUTION, {"approves": False, "overrides": True})
    assert verdict.decision is Decision.DO_NOT_INSTALL


def test_one_rejection_blocks():
    verdict = _ruled(CAUTION, {}, {"person": "omar"}, {"person": "ida", "approves": False})
    assert verdict.decision is Decision.DO_NOT_INSTALL
    assert verdict.reasons[0] == "rejected by ida"
    assert _ruled(finding(severity=Severity.LOW), {"approves": False}).decision is Decision.DO_NOT_INSTALL


@pytest.mark.parametrize(
    ("changes", "needed", "decision"),
    [
        ([{}], 2, Decision.CAUTION),
        ([{}, {"reason": "again"}], 2, Decision.CAUTION),
        ([{}, {"person": "omar"}], 2, Decision.SAFE),
        ([], 0, Decision.CAUTION),
        ([{}], 0, Decision.SAFE),
        ([{}, {"approves": False}], 1, Decision.DO_NOT_INSTALL),
    ],
)
def test_persons_are_counted_once(changes, needed, decision):
    assert _ruled(CAUTION, *changes, needed=needed).decision is decision


@pytest.mark.parametrize(
    ("changes", "may", "decision"),
    [
        ([{}], True, Decision.DO_NOT_INSTALL),
        ([{"overrides": True}], False, Decision.DO_NOT_INSTALL),
        ([{"overrides": True}], True, Decision.SAFE),
        ([{"overrides": True}, {"person": "ida", "approves": False}], True, Decision.DO_NOT_INSTALL),
        ([{"overrides": True, "approves": False}], True, Decision.DO_NOT_INSTALL),
    ],
)
def test_a_block_ends_by_a_permitted_override_alone(changes, may, decision):
    assert _ruled(BLOCK, *changes, may_override=may).decision is decision


def _dockets():
    """Verdicts that differ in one part each."""
    entry = ExactEntry(rule="pipe-to-shell", path="scripts/setup.sh", fingerprint="f1", reason="r", owner="o")
    gap = GAP._replace(fingerprint="g1")
    of_gap = GapEntry(gap=gap.reason, path=gap.path, fingerprint="g1", reason="r", owner="o", expires=TODAY)
    yield "nothing", _judge()
    yield "another bundle", _judge(bundle="c")
    yield "a finding", _judge(BLOCK)
    yield "accepted", _judge(BLOCK, baseline=Baseline(entries=(entry,)))
    for name, value in (
        ("rule", "q"),
        ("category", finding().category.CUSTOM),
        ("kind", EvidenceKind.WORDS),
        ("fingerprint", "f2"),
        ("severity", Severity.HIGH),
        ("confidence", 901),
        ("executable", True),
        ("location", finding(path="x").location),
    ):
        yield name, _judge(BLOCK._replace(**{name: value}))
    yield "two findings", _judge(BLOCK, finding(fingerprint="f2"))
    yield "a gap", _judge(gaps=[GAP])
    yield "named", _judge(gaps=[gap])
    yield "another gap", _judge(gaps=[GAP._replace(detail="other")])
    yield "an accepted gap", _judge(gaps=[gap], baseline=Baseline(entries=(of_gap,)))
    panel = Panel(seats=(Seat(reviewer="ada", family=Family.GPT, role=Role.DETECTOR),))
    for bodies in ([], [b"{}"], [b"[]"], [b"{}", b"[]"], [TimeoutError()], [KeyError()]):
        replies = [Reply(seat=0, package=0, attempt=n, body=body) for n, body in enumerate(bodies)]
        reviewed = review([], [Package(role=Role.DETECTOR)], replies, panel=panel, parts={})
        verdict = judge_reviewed(reviewed, [], baseline=Baseline(), today=TODAY, bundle="b")
        if bodies:
            yield repr(bodies), verdict


def test_every_part_of_a_docket_counts():
    dockets = {name: verdict.docket for name, verdict in _dockets()}
    assert len(set(dockets.values())) == len(dockets)


def test_words_and_order_are_no_part_of_a_docket():
    other = finding(fingerprint="f2")
    assert _judge(BLOCK, other).docket == _judge(other, BLOCK).docket
    assert _judge(BLOCK).docket == _judge(BLOCK._replace(message="said otherwise", title="t")).docket

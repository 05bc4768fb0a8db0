import asyncio
import json

import pytest
from verdict_samples import GAP, TODAY, finding

from sluicegate.vet.verdict.consensus import Panel, Seat, Vote
from sluicegate.vet.verdict.decision import judge, judge_reviewed
from sluicegate.vet.verdict.envelope import Reply, review
from sluicegate.vet.verdict.suppression import Baseline
from sluicegate.vet.verdict.types import Decision, Severity

PANEL = Panel(seats=(Seat(reviewer="ada", family="one"), Seat(reviewer="bo", family="two")))
CRITICAL = finding(fingerprint="f1", confidence=600)
MEDIUM = finding("m", Severity.MEDIUM, 700, fingerprint="f2")
ADDED = {"severity": "CRITICAL", "confidence": 0.9, "path": "a.py", "line": 1, "note": "sends keys"}


def _says(*pairs, overall="SAFE", injection=False, **more):
    records = [
        {"id": mark, "verdict": word, "confidence": 0.95, "note": f"on {mark}"} for mark, word in pairs
    ]
    return {"overall": overall, "injection": injection, "findings": records, **more}


SAFE = _says(("f1", "SAFE"), ("f2", "SAFE"))


def _review(*values, batches=((CRITICAL, MEDIUM),)):
    replies = [Reply(seat=seat, batch=batch, value=value) for seat, batch, value in values]
    return review(batches, replies, panel=PANEL, paths={"a.py"})


def _judged(reviewed, gaps=()):
    return judge_reviewed(reviewed, gaps, baseline=Baseline(), today=TODAY)


def test_denied_findings_survive_and_are_marked():
    reviewed = _review((0, 0, SAFE), (1, 0, SAFE))
    assert [r.finding for r in reviewed.findings] == [CRITICAL, MEDIUM]
    assert all(r.unconfirmed for r in reviewed.findings)
    assert reviewed.decision is Decision.SAFE
    assert _judged(reviewed).decision is Decision.DO_NOT_INSTALL


def test_one_doubt_is_enough_not_to_be_unconfirmed():
    doubt = _says(("f1", "SUSPICIOUS"), ("f2", "SAFE"))
    first, second = _review((0, 0, SAFE), (1, 0, doubt)).findings
    assert (first.unconfirmed, second.unconfirmed) == (False, True)
    assert not _review().findings[0].unconfirmed


def test_silence_keeps_everything_and_is_an_abstention():
    reviewed = _review((0, 0, SAFE))
    assert [r.finding for r in reviewed.findings] == [CRITICAL, MEDIUM]
    assert reviewed.votes == ((PANEL.seats[0], Vote.SAFE), (PANEL.seats[1], Vote.ABSTAINED))
    assert reviewed.decision is Decision.CAUTION


def test_a_review_of_nothing_is_an_abstention():
    reviewed = review([], [], panel=PANEL, paths=())
    assert [vote for _, vote in reviewed.votes] == [Vote.ABSTAINED, Vote.ABSTAINED]
    assert (reviewed.findings, reviewed.added, reviewed.decision) == ((), (), Decision.CAUTION)


def test_one_batch_without_a_reply_is_an_abstention():
    batches = [[CRITICAL], [MEDIUM]]
    safe = [_says(("f1", "SAFE")), _says(("f2", "SAFE"))]
    everything = [(seat, batch, safe[batch]) for seat in (0, 1) for batch in (0, 1)]
    assert _review(*everything, batches=batches).decision is Decision.SAFE
    for left_out in range(4):
        fewer = everything[:left_out] + everything[left_out + 1 :]
        assert _review(*fewer, batches=batches).decision is Decision.CAUTION


def test_the_worst_reply_of_a_seat_is_its_vote():
    doubt = _says(("f1", "SAFE"), ("f2", "SUSPICIOUS"))
    reviewed = _review((0, 0, doubt), (0, 0, SAFE), (1, 0, SAFE))
    assert [vote for _, vote in reviewed.votes] == [Vote.SUSPICIOUS, Vote.SAFE]


def test_words_are_accompanied_and_never_replaced():
    confirmed = _says(("f1", "MALICIOUS"), ("f2", "SAFE"))
    reviewed = _review((0, 0, confirmed), (1, 0, SAFE))
    first = reviewed.findings[0]
    assert first.finding.confidence == 950
    assert first.finding.adjustments == ("confirmed by reviewer ada: 600 to 950",)
    for name in ("title", "message", "evidence", "severity", "location", "fingerprint", "author"):
        assert getattr(first.finding, name) == getattr(CRITICAL, name)
    assert [(o.reviewer, o.note) for o in first.opinions] == [("ada", "on f1"), ("bo", "on f1")]
    assert reviewed.findings[1].finding is MEDIUM


def test_a_confirmation_without_a_higher_number_changes_nothing():
    for confidence in (0.6, 0.1, None, "1"):
        reply = {"findings": [{"id": "f1", "verdict": "MALICIOUS", "confidence": confidence}]}
        assert _review((0, 0, reply)).findings[0].finding is CRITICAL


def test_several_confirmations_raise_to_the_highest():
    replies = [
        {"findings": [{"id": "f1", "verdict": "MALICIOUS", "confidence": c}]} for c in (0.7, 0.65, 0.8)
    ]
    raised = _review(*((0, 0, reply) for reply in replies)).findings[0].finding
    assert raised.confidence == 800
    assert raised.adjustments == (
        "confirmed by reviewer ada: 600 to 700",
        "confirmed by reviewer ada: 700 to 800",
    )


def test_a_number_after_none_still_counts():
    records = [{"id": "f1", "verdict": "MALICIOUS"}, {"id": "f1", "verdict": "MALICIOUS", "confidence": 1}]
    assert _review((0, 0, {"findings": records})).findings[0].finding.confidence == 1000


def test_a_reply_speaks_of_its_own_batch_only():
    reply = _says(("f1", "MALICIOUS"), ("f2", "MALICIOUS"))
    reviewed = _review((0, 1, reply), batches=[[CRITICAL], [MEDIUM]])
    assert reviewed.findings[0].finding is CRITICAL
    assert reviewed.findings[0].opinions == ()
    assert reviewed.findings[1].finding.confidence == 950


def test_order_and_multiplicity_survive():
    batch = (MEDIUM, CRITICAL, CRITICAL, MEDIUM)
    reviewed = _review((0, 0, _says(("f1", "MALICIOUS"))), batches=(batch,))
    assert [r.finding.fingerprint for r in reviewed.findings] == ["f2", "f1", "f1", "f2"]
    assert [r.finding.confidence for r in reviewed.findings] == [700, 950, 950, 700]


def test_added_findings_count_and_can_only_raise():
    reviewed = _review((0, 0, {**SAFE, "added": [ADDED]}), batches=((MEDIUM,),))
    alone = judge([MEDIUM], [], baseline=Baseline(), today=TODAY)
    after = _judged(reviewed)
    assert alone.decision is Decision.SAFE
    assert after.decision is Decision.DO_NOT_INSTALL
    assert [f.rule for f in after.findings] == ["reviewer-finding", "m"]
    assert after.reasons[0] == "1 CRITICAL finding: reviewer-finding in a.py"


def test_added_findings_stand_in_the_order_of_batches():
    replies = [
        (0, batch, {"added": [{**ADDED, "note": note}]}) for batch, note in ((1, "second"), (0, "first"))
    ]
    reviewed = _review(*replies, batches=[[CRITICAL], [MEDIUM]])
    assert [f.message for f in reviewed.added] == ["first", "second"]


def test_a_panel_makes_a_decision_stricter_and_says_why():
    quiet = [finding("l", Severity.LOW, fingerprint="f1")]
    says = {word: _says(("f1", word), overall=word) for word in ("SAFE", "SUSPICIOUS", "MALICIOUS")}

    def judged(one, other, gaps=()):
        return _judged(_review((0, 0, one), (1, 0, other), batches=(quiet,)), gaps)

    safe = judged(says["SAFE"], says["SAFE"])
    assert (safe.decision, safe.reasons) == (Decision.SAFE, ("score 4 (LOW)",))
    gap = judged(says["SAFE"], says["SAFE"], [GAP])
    assert gap.decision is Decision.CAUTION
    doubt = judged(says["SUSPICIOUS"], says["SAFE"])
    assert doubt.decision is Decision.CAUTION
    assert doubt.reasons == ("score 4 (LOW)", "1 of 2 reviewers doubted, failed or abstained")
    failed = judged(None, says["SUSPICIOUS"])
    assert failed.reasons[-1] == "2 of 2 reviewers doubted, failed or abstained"
    bad = judged(says["MALICIOUS"], None)
    assert bad.decision is Decision.DO_NOT_INSTALL
    assert bad.reasons == ("1 of 2 reviewers said MALICIOUS", "score 4 (LOW)")
    seen = judged({"injection": True}, says["SAFE"])
    assert seen.decision is Decision.DO_NOT_INSTALL
    assert seen.reasons == ("a reviewer saw an injection aimed at it", "score 4 (LOW)")


@pytest.mark.parametrize(
    "stop", [KeyboardInterrupt(), SystemExit(1), asyncio.CancelledError(), GeneratorExit()]
)
def test_orders_to_stop_go_first(stop):
    values = (ValueError("no such model"), RuntimeError(), stop)
    with pytest.raises(type(stop)):
        _review(*((0, 0, value) for value in values))


def test_our_own_errors_are_passed_on():
    first, second = NotImplementedError("first"), ValueError("second")
    with pytest.raises(NotImplementedError, match="first"):
        _review((0, 0, SAFE), (1, 0, first), (0, 0, second))
    with pytest.raises(ValueError, match="second"):
        _review((0, 0, SAFE), (1, 0, second), (0, 0, first))


@pytest.mark.parametrize(
    "error",
    [UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"), json.JSONDecodeError("bad", "{", 0), RuntimeError(), TimeoutError(),
     ConnectionError(), MemoryError(), RecursionError()],
)  # fmt: skip
def test_a_reply_that_cannot_be_decoded_is_a_failed_batch(error):
    reviewed = _review((0, 0, error), (1, 0, SAFE))
    assert [r.finding for r in reviewed.findings] == [CRITICAL, MEDIUM]
    assert [vote for _, vote in reviewed.votes] == [Vote.ABSTAINED, Vote.SAFE]


def test_one_failing_batch_cancels_no_other():
    ended = []

    async def ask(batch):
        await asyncio.sleep(0)
        if batch == 0:
            raise TimeoutError
        await asyncio.sleep(0)
        ended.append(batch)
        return _says(("f2", "MALICIOUS"))

    async def everyone():
        return await asyncio.gather(*(ask(batch) for batch in (0, 1, 2)), return_exceptions=True)

    values = asyncio.run(everyone())
    reviewed = _review(
        *((0, batch, value) for batch, value in enumerate(values)), batches=[[CRITICAL], [MEDIUM], [MEDIUM]]
    )
    assert ended == [1, 2]
    assert [r.finding.confidence for r in reviewed.findings] == [600, 950, 950]


@pytest.mark.parametrize(("seat", "batch"), [(-1, 0), (2, 0), (0, -1), (0, 1)])
def test_a_reply_of_nobody_is_an_error_of_ours(seat, batch):
    with pytest.raises(ValueError, match=r"no seat .* or no batch"):
        _review((seat, batch, SAFE))

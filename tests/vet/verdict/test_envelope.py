import asyncio
import hashlib
import json

import pytest
from verdict_samples import GAP, TODAY, finding

from sluicegate.vet.verdict.consensus import Family, Panel, ReviewError, Role, Seat, Vote
from sluicegate.vet.verdict.decision import judge, judge_reviewed
from sluicegate.vet.verdict.envelope import MOST_ATTEMPTS, Injection, Package, Reply, check, review
from sluicegate.vet.verdict.replies import Part
from sluicegate.vet.verdict.suppression import Baseline
from sluicegate.vet.verdict.types import Category, Decision, EvidenceKind, Severity

ADA, BO = Seat(reviewer="ada", family=Family.GPT), Seat(reviewer="bo", family=Family.QWEN)
PANEL = Panel(seats=(ADA, BO))
CRITICAL = finding(fingerprint="f1", confidence=600)
MEDIUM = finding("m", Severity.MEDIUM, 700, fingerprint="f2")
ADDED = {"severity": "CRITICAL", "confidence": 0.9, "path": "a.py", "line": 1, "note": "sends keys"}
PARTS = {"a.py": Part(executable=False, lines=9)}


def _says(*pairs, overall="SAFE", injection=False, **more):
    records = [
        {"id": mark, "verdict": word, "confidence": 0.95, "note": f"on {mark}"} for mark, word in pairs
    ]
    return {"overall": overall, "injection": injection, "findings": records, **more}


SAFE = _says(("f1", "SAFE"), ("f2", "SAFE"))


def _body(value):
    return value if isinstance(value, BaseException | bytes) else json.dumps(value).encode()


def _review(*values, batches=((CRITICAL, MEDIUM),), panel=PANEL, others=()):
    """A review of batches of findings, a package each, and of packages of other roles; (seat, package, body)."""
    packages = [
        *(Package(role=Role.FINDINGS, about=tuple(sorted({f.fingerprint for f in b}))) for b in batches),
        *(Package(role=role) for role in others),
    ]
    replies, attempts = [], {}
    for seat, package, value in values:
        attempt = attempts[seat, package] = attempts.get((seat, package), -1) + 1
        replies.append(Reply(seat=seat, package=package, attempt=attempt, body=_body(value)))
    found = [f for batch in batches for f in batch]
    return review(found, packages, replies, panel=panel, parts=PARTS)


def _votes(reviewed):
    return [ballot.vote for ballot in reviewed.ballots]


def _judged(reviewed, gaps=()):
    return judge_reviewed(reviewed, gaps, baseline=Baseline(), today=TODAY)


def test_denied_findings_survive_and_are_marked():
    reviewed = _review((0, 0, SAFE), (1, 0, SAFE))
    assert [r.finding for r in reviewed.findings] == [CRITICAL, MEDIUM]
    assert all(r.unconfirmed for r in reviewed.findings)
    assert (reviewed.complete, reviewed.decision) == (True, Decision.SAFE)
    assert _judged(reviewed).decision is Decision.DO_NOT_INSTALL


def test_one_doubt_is_enough_not_to_be_unconfirmed():
    doubt = _says(("f1", "SUSPICIOUS"), ("f2", "SAFE"))
    first, second = _review((0, 0, SAFE), (1, 0, doubt)).findings
    assert (first.unconfirmed, second.unconfirmed) == (False, True)
    assert not _review().findings[0].unconfirmed


def test_silence_keeps_everything_and_is_an_abstention():
    reviewed = _review((0, 0, SAFE))
    assert [r.finding for r in reviewed.findings] == [CRITICAL, MEDIUM]
    assert _votes(reviewed) == [Vote.SAFE, Vote.ABSTAINED]
    assert reviewed.decision is Decision.CAUTION


def test_an_empty_panel_is_caution():
    reviewed = review([CRITICAL], [], [], panel=Panel(seats=()), parts={})
    assert (reviewed.ballots, reviewed.complete, reviewed.decision) == ((), False, Decision.CAUTION)
    assert [r.finding for r in reviewed.findings] == [CRITICAL]
    empty = review([], [], [], panel=Panel(seats=()), parts={})
    assert (empty.decision, _judged(empty).reasons[-1]) == (Decision.CAUTION, "no reviewer was asked")


def test_without_findings_everyone_still_answers():
    nothing = {"overall": "SAFE", "injection": False, "findings": []}
    assert _review((0, 0, nothing), (1, 0, nothing), batches=((),)).decision is Decision.SAFE
    assert _review((0, 0, nothing), batches=((),)).decision is Decision.CAUTION
    assert _review(batches=((),)).decision is Decision.CAUTION


def test_one_package_without_a_reply_is_an_abstention():
    batches = [[CRITICAL], [MEDIUM]]
    safe = [_says(("f1", "SAFE")), _says(("f2", "SAFE"))]
    everything = [(seat, batch, safe[batch]) for seat in (0, 1) for batch in (0, 1)]
    assert _review(*everything, batches=batches).decision is Decision.SAFE
    for left_out in range(4):
        fewer = everything[:left_out] + everything[left_out + 1 :]
        assert _review(*fewer, batches=batches).decision is Decision.CAUTION


def test_a_finding_that_nobody_was_asked_about_is_kept_and_no_panel_passes_it():
    packages = [Package(role=Role.FINDINGS, about=("f2",))]
    replies = [Reply(seat=seat, package=0, body=_body(_says(("f2", "SAFE")))) for seat in (0, 1)]
    reviewed = review([CRITICAL, MEDIUM], packages, replies, panel=PANEL, parts=PARTS)
    assert [r.finding for r in reviewed.findings] == [CRITICAL, MEDIUM]
    assert (reviewed.complete, reviewed.decision) == (False, Decision.CAUTION)
    quiet = review([MEDIUM._replace(fingerprint="f9")], [Package(Role.FINDINGS, ())], [
        Reply(seat=seat, package=0, body=_body(_says())) for seat in (0, 1)
    ], panel=PANEL, parts=PARTS)  # fmt: skip
    assert _judged(quiet).reasons[-1] == "not every finding was put before a reviewer"


def test_without_a_reviewer_of_findings_a_review_is_incomplete():
    panel = Panel(seats=(ADA._replace(role=Role.SKILL), BO._replace(role=Role.SKILL)))
    said = _says()
    found = _review((0, 1, said), (1, 1, said), panel=panel, others=[Role.SKILL])
    assert (found.complete, found.decision) == (False, Decision.CAUTION)
    nothing = _review((0, 0, said), (1, 0, said), panel=panel, batches=(), others=[Role.SKILL])
    assert (nothing.complete, nothing.decision) == (True, Decision.SAFE)


def test_only_an_abstention_is_mended_by_another_attempt():
    doubt = _says(("f1", "SAFE"), ("f2", "SUSPICIOUS"))
    for attempts, vote in (
        ((None, SAFE), Vote.SAFE),
        ((doubt, SAFE), Vote.SUSPICIOUS),
        ((SAFE, doubt), Vote.SUSPICIOUS),
        ((SAFE, None), Vote.SAFE),
        ((TimeoutError(), b"{", SAFE), Vote.SAFE),
        ((None, TimeoutError()), Vote.ABSTAINED),
    ):
        reviewed = _review(*((0, 0, value) for value in attempts), (1, 0, SAFE))
        assert _votes(reviewed) == [vote, Vote.SAFE], attempts


@pytest.mark.parametrize(
    "alarm",
    [
        b"MALICIOUS",
        b'{"overall": "MALICI',
        b'{"overall": "SAFE", "summary": "looks malicious',
        b"This is malicious: it sends keys.",
        b'{"overall": "SAFE", "injection": true, "findings": [',
        {"overall": "SAFE", "injection": "yes, line 3"},
        {"note": "This is malicious"},
        b'"' + b" " * 300_000 + b'MALICIOUS"',
        "MALICIOUS".encode("utf-16"),
        b"[" * 50 + b'"MALICIOUS"' + b"]" * 50,
    ],
)
def test_no_attempt_lifts_an_alarm(alarm):
    for attempts in ((alarm, SAFE, SAFE), (SAFE, alarm, SAFE), (SAFE, SAFE, alarm)):
        reviewed = _review(
            *((0, 0, value) for value in attempts), (1, 0, SAFE), batches=((MEDIUM, CRITICAL),)
        )
        assert _votes(reviewed) == [Vote.SUSPICIOUS, Vote.SAFE]
        assert reviewed.decision is Decision.CAUTION


def test_an_alarm_about_one_package_is_not_lifted_by_another_package():
    batches = [[CRITICAL], [MEDIUM]]
    safe = [_says(("f1", "SAFE")), _says(("f2", "SAFE"))]
    said = [(0, 0, b"malicious"), (0, 0, safe[0]), (0, 1, safe[1]), (1, 0, safe[0]), (1, 1, safe[1])]
    assert _votes(_review(*said, batches=batches)) == [Vote.SUSPICIOUS, Vote.SAFE]


def test_any_attempt_that_condemns_counts():
    for attempts in (
        ({"overall": "malicious"}, SAFE, SAFE),
        (b'```json\n{"overall": "MALICIOUS"}\n```', SAFE, SAFE),
        (b'\xef\xbb\xbf{"injection": true}', SAFE),
        (SAFE, [{"injection": 1}], SAFE),
        (SAFE, SAFE, _says(overall="MALICIOUS")),
    ):
        reviewed = _review(*((0, 0, value) for value in attempts), (1, 0, SAFE))
        assert _votes(reviewed) == [Vote.MALICIOUS, Vote.SAFE]
        assert reviewed.decision is Decision.DO_NOT_INSTALL


def test_replies_stand_by_reviewer_package_and_attempt_whatever_their_order():
    packages = [Package(role=Role.FINDINGS, about=(mark,)) for mark in ("f1", "f2")]
    places = [(seat, package, attempt) for seat in (0, 1) for package in (0, 1) for attempt in (0, 1, 2)]
    replies = [Reply(seat=s, package=p, attempt=a, body=b"%d%d%d" % (s, p, a)) for s, p, a in places]
    reviews = [
        review([CRITICAL, MEDIUM], packages, order, panel=PANEL, parts=PARTS)
        for order in (replies, replies[::-1], replies[5:] + replies[:5])
    ]
    heard = [(h.reviewer, h.package, h.attempt) for h in reviews[1].heard]
    assert heard == [(("ada", "bo")[seat], package, attempt) for seat, package, attempt in places]
    assert reviews[0] == reviews[1] == reviews[2]


def test_a_detector_stops_what_reviewers_pass():
    panel = Panel(seats=(ADA, BO, Seat(reviewer="di", family=Family.LLAMA, role=Role.DETECTOR)))
    passed = [(0, 0, SAFE), (1, 0, SAFE)]
    others = [Role.DETECTOR]
    quiet = _review(*passed, (2, 1, {"injection": False}), panel=panel, others=others)
    assert quiet.decision is Decision.SAFE
    silent = _review(*passed, panel=panel, others=others)
    assert silent.decision is Decision.CAUTION
    seen = {"injection": True, "injection_evidence": "say SAFE"}
    loud = _review(*passed, (2, 1, seen), panel=panel, others=others)
    assert loud.decision is Decision.DO_NOT_INSTALL
    assert loud.injections == (Injection(reviewer="di", evidence="say SAFE"),)


def test_what_was_said_is_kept():
    reviewed = _review((0, 0, SAFE), (1, 0, b"{"), (1, 0, TimeoutError("secret")))
    verdict = _judged(reviewed)
    assert verdict.review is reviewed
    said = json.dumps(SAFE).encode()
    assert [(h.reviewer, h.package, h.attempt, h.vote) for h in reviewed.heard] == [
        ("ada", 0, 0, Vote.SAFE),
        ("bo", 0, 0, Vote.ABSTAINED),
        ("bo", 0, 1, Vote.ABSTAINED),
    ]
    assert reviewed.heard[0].digest == hashlib.sha256(said).hexdigest()
    assert len({heard.digest for heard in reviewed.heard}) == 3
    assert [ballot.seat for ballot in reviewed.ballots] == [ADA, BO]
    assert reviewed.packages == (Package(role=Role.FINDINGS, about=("f1", "f2")),)
    assert [o.note for o in reviewed.findings[0].opinions] == ["on f1"]


def test_words_are_accompanied_and_never_replaced():
    confirmed = _says(("f1", "MALICIOUS"), ("f2", "SAFE"))
    reviewed = _review((0, 0, confirmed), (1, 0, SAFE))
    first = reviewed.findings[0]
    assert first.finding.confidence == 950
    assert first.finding.adjustments == ("confirmed by reviewer ada: 600 to 950",)
    for name in ("title", "message", "evidence", "severity", "kind", "location", "fingerprint", "author"):
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


def test_a_reply_speaks_of_its_own_package_only():
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


def test_added_findings_count_as_words_and_can_only_raise():
    reviewed = _review((0, 0, {**SAFE, "added": [ADDED]}), batches=((MEDIUM,),))
    alone = judge([MEDIUM], [], baseline=Baseline(), today=TODAY)
    after = _judged(reviewed)
    assert (alone.decision, after.decision) == (Decision.SAFE, Decision.CAUTION)
    assert [(f.rule, f.kind) for f in after.findings] == [
        ("reviewer-finding", EvidenceKind.WORDS),
        ("m", EvidenceKind.COMMAND),
    ]
    assert after.reasons[0] == "1 CRITICAL finding: reviewer-finding in a.py"


def test_added_findings_stand_in_the_order_of_reviewers_and_packages():
    replies = [
        (0, batch, {"added": [{**ADDED, "note": note}]}) for batch, note in ((1, "second"), (0, "first"))
    ]
    reviewed = _review(*replies, batches=[[CRITICAL], [MEDIUM]])
    assert [f.message for f in reviewed.added] == ["first", "second"]


def test_a_panel_makes_a_decision_stricter_and_says_why():
    quiet = [finding("l", Severity.LOW, fingerprint="f1", category=Category.CUSTOM)]
    says = {word: _says(("f1", word), overall=word) for word in ("SAFE", "SUSPICIOUS", "MALICIOUS")}

    def judged(one, other, gaps=(), panel=PANEL):
        return _judged(_review((0, 0, one), (1, 0, other), batches=(quiet,), panel=panel), gaps)

    safe = judged(says["SAFE"], says["SAFE"])
    assert (safe.decision, safe.reasons) == (Decision.SAFE, ("score 4 (LOW)",))
    gap = judged(says["SAFE"], says["SAFE"], [GAP])
    assert gap.decision is Decision.CAUTION
    doubt = judged(says["SUSPICIOUS"], says["SAFE"])
    assert doubt.decision is Decision.CAUTION
    assert doubt.reasons == ("score 4 (LOW)", "1 of 2 reviewers doubted, failed or abstained")
    failed = judged(TimeoutError(), says["SUSPICIOUS"])
    assert failed.reasons[-1] == "2 of 2 reviewers doubted, failed or abstained"
    bad = judged(says["MALICIOUS"], TimeoutError())
    assert bad.decision is Decision.DO_NOT_INSTALL
    assert bad.reasons == ("1 of 2 reviewers said MALICIOUS", "score 4 (LOW)")
    seen = judged({"injection": True}, says["SAFE"])
    assert seen.decision is Decision.DO_NOT_INSTALL
    assert seen.reasons == ("a reviewer saw an injection aimed at it", "score 4 (LOW)")
    family = Panel(seats=(ADA, Seat(reviewer="al", family=Family.GPT)))
    alike = judged(says["SAFE"], says["SAFE"], panel=family)
    assert alike.decision is Decision.CAUTION
    assert alike.reasons == ("score 4 (LOW)", "reviewers of 2 known families of models are needed for SAFE")


@pytest.mark.parametrize(
    "stop", [KeyboardInterrupt(), SystemExit(1), asyncio.CancelledError(), GeneratorExit()]
)
def test_orders_to_stop_are_passed_on(stop):
    values = (ValueError("no such model"), RuntimeError(), stop)
    with pytest.raises(type(stop)):
        _review(*((0, 0, value) for value in values))


@pytest.mark.parametrize(
    "error",
    [UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"), json.JSONDecodeError("bad", "{", 0), RuntimeError(), TimeoutError(),
     ConnectionError(), MemoryError(), RecursionError(), ValueError("no such model"), NotImplementedError(),
     ReviewError("from a reply"), ExceptionGroup("all", [ValueError()])],
)  # fmt: skip
def test_every_exception_is_a_failed_reply(error):
    reviewed = _review((0, 0, error), (1, 0, SAFE))
    assert [r.finding for r in reviewed.findings] == [CRITICAL, MEDIUM]
    assert _votes(reviewed) == [Vote.ABSTAINED, Vote.SAFE]
    condemned = _review((0, 0, error), (1, 0, {"overall": "MALICIOUS"}))
    assert condemned.decision is Decision.DO_NOT_INSTALL


def test_a_number_of_5000_digits_silences_nobody():
    reviewed = _review((0, 0, b'{"confidence": ' + b"9" * 5000 + b"}"), (1, 0, {"overall": "MALICIOUS"}))
    assert reviewed.decision is Decision.DO_NOT_INSTALL


def test_one_failing_package_cancels_no_other():
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

    third = MEDIUM._replace(fingerprint="f3")
    values = asyncio.run(everyone())
    reviewed = _review(
        *((0, batch, value) for batch, value in enumerate(values)), batches=[[CRITICAL], [MEDIUM], [third]]
    )
    assert ended == [1, 2]
    assert [r.finding.confidence for r in reviewed.findings] == [600, 950, 700]


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply(seat=-1, package=0, body=b""), "no such one"),
        (Reply(seat=2, package=0, body=b""), "no such one"),
        (Reply(seat=0, package=-1, body=b""), "no such one"),
        (Reply(seat=0, package=2, body=b""), "no such one"),
        (Reply(seat=0, package=1, body=b""), "for another role"),
        (Reply(seat=0, package=0, attempt=-1, body=b""), "a reviewer has 3"),
        (Reply(seat=0, package=0, attempt=MOST_ATTEMPTS, body=b""), "a reviewer has 3"),
        (Reply(seat=1, package=0, body=b""), "two replies"),
    ],
)
def test_replies_that_cannot_be_are_refused(reply, said):
    packages = [Package(role=Role.FINDINGS, about=("f1",)), Package(role=Role.DETECTOR)]
    before = Reply(seat=1, package=0, body=KeyboardInterrupt())
    with pytest.raises(ReviewError, match=said):
        review([CRITICAL], packages, [before, reply], panel=PANEL, parts=PARTS)


@pytest.mark.parametrize(
    ("packages", "said"),
    [
        ([Package(Role.FINDINGS, ("f1", "f7"))], "about 'f7', and no finding"),
        ([Package(Role.FINDINGS, ("f1", "f1"))], "names a finding twice"),
        ([Package(Role.FINDINGS, ("f1",)), Package(Role.SKILL, ("f1",))], "asked of no finding"),
        ([Package(Role.SKILL)], "no package is for it"),
        ([], "no package is for it"),
    ],
)
def test_a_review_that_is_put_together_wrongly_is_refused(packages, said):
    with pytest.raises(ReviewError, match=said):
        check([CRITICAL], packages, panel=PANEL, parts=PARTS)
    with pytest.raises(ReviewError, match=said):
        review([CRITICAL], packages, [], panel=PANEL, parts=PARTS)
    twice = [Package(Role.FINDINGS, ("f1",)), Package(Role.FINDINGS, ("f1",))]
    check([CRITICAL, CRITICAL], twice, panel=PANEL, parts=PARTS)


_PACKAGE = Package(role=Role.FINDINGS, about=("f1",))
_REPLY = Reply(seat=0, package=0, body=b"{}")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"findings": None}, "findings"),
        ({"findings": [CRITICAL, "f2"]}, r"findings\[1\]"),
        ({"packages": 3}, "packages"),
        ({"packages": [("findings", ("f1",))]}, r"packages\[0\]"),
        ({"packages": [_PACKAGE._replace(role="findings")]}, r"packages\[0\].role"),
        ({"packages": [_PACKAGE._replace(about="f1")]}, r"packages\[0\].about"),
        ({"packages": [_PACKAGE, _PACKAGE._replace(about=["f1"])]}, r"packages\[1\].about"),
        ({"packages": [_PACKAGE._replace(about=("f1", None))]}, r"packages\[0\].about\[1\]"),
        ({"panel": (ADA, BO)}, "panel"),
        ({"parts": None}, "parts"),
        ({"parts": {3: Part(False, 9)}}, "a path of parts"),
        ({"parts": {"a.py": (False, 9)}}, r"parts\['a.py'\]"),
        ({"parts": {"a.py": Part(executable=0, lines=9)}}, r"parts\['a.py'\].executable"),
        ({"parts": {"a.py": Part(executable=True, lines=True)}}, r"parts\['a.py'\].lines"),
    ],
)
def test_a_field_of_another_type_is_named(change, field):
    given = {"findings": [CRITICAL], "packages": [_PACKAGE], "panel": PANEL, "parts": PARTS} | change
    findings, packages = given.pop("findings"), given.pop("packages")
    with pytest.raises(ReviewError, match=f"^{field} is of type"):
        check(findings, packages, **given)
    with pytest.raises(ReviewError, match=f"^{field} is of type"):
        review(findings, packages, [_REPLY], **given)


@pytest.mark.parametrize(
    ("reply", "field"),
    [
        (_REPLY._replace(body="text"), r"replies\[1\].body is of type str, not bytes or BaseException"),
        (_REPLY._replace(body=None), r"replies\[1\].body is of type NoneType"),
        (_REPLY._replace(body=bytearray()), r"replies\[1\].body is of type bytearray"),
        (_REPLY._replace(body=TimeoutError), r"replies\[1\].body is of type type"),
        (_REPLY._replace(seat="0"), r"replies\[1\].seat is of type str, not int"),
        (_REPLY._replace(package=None), r"replies\[1\].package is of type"),
        (_REPLY._replace(attempt=True), r"replies\[1\].attempt is of type bool"),
        ((0, 0, b""), r"replies\[1\] is of type tuple"),
    ],
)
def test_a_field_of_a_reply_of_another_type_is_named(reply, field):
    with pytest.raises(ReviewError, match=f"^{field}"):
        review([CRITICAL], [_PACKAGE], [_REPLY, reply], panel=PANEL, parts=PARTS)
    with pytest.raises(ReviewError, match=r"^replies is of type NoneType"):
        review([CRITICAL], [_PACKAGE], None, panel=PANEL, parts=PARTS)

from datetime import timedelta

import pytest
from verdict_samples import GAP, TODAY, finding

from sluicegate.vet.verdict.consensus import Family, Panel, Role, Seat, Vote
from sluicegate.vet.verdict.decision import judge, judge_reviewed
from sluicegate.vet.verdict.envelope import Package, Reply, review
from sluicegate.vet.verdict.ruling import Ruling, Rulings, identity
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


@pytest.mark.parametrize(
    "change",
    [
        {"person": ""},
        {"person": " \u200b\t"},
        {"person": "\u3164\u2800\ufe0f"},
        {"person": "..."},
        {"reason": ""},
        {"reason": "\u2060 \n"},
        {"reason": "\u3164"},
        {"reason": "\u2800 \U000e0041"},
        {"reason": "- \u0301"},
        {"person": "", "reason": ""},
    ],
)
def test_an_approval_needs_a_name_and_a_reason(change):
    assert _ruled(CAUTION, change).decision is Decision.CAUTION
    assert _ruled(CAUTION, change).rulings.given == ()
    override = {"overrides": True, **change}
    assert _ruled(BLOCK, override, may_override=True).decision is Decision.DO_NOT_INSTALL
    against = _ruled(CAUTION, {"approves": False, **change}, {})
    assert against.decision is Decision.DO_NOT_INSTALL
    named = change.get("person", "mira") == "mira"
    assert against.reasons[0] == ("rejected by mira" if named else "rejected by somebody without a name")


def test_only_true_approves_overrides_or_permits():
    for other in ("no", "false", 1, [0], None):
        assert _ruled(CAUTION, {"approves": other}).decision is Decision.DO_NOT_INSTALL
        assert _ruled(BLOCK, {"overrides": other}, may_override=True).decision is Decision.DO_NOT_INSTALL
        assert _ruled(BLOCK, {"overrides": True}, may_override=other).decision is Decision.DO_NOT_INSTALL


MIRA = (
    "mira",
    "Mira",
    " mira ",
    "MI\u200bRA",
    "m i r a",
    "\uff2dira",
    "\U0001d40cira",
    *(
        f"mi{shows_nothing}ra"
        for shows_nothing in "\u3164\u2800\ufe0f\u034f\U000e0101\u00ad\u115f\uffa0\u180b\x00-_"
    ),
)


def test_one_person_is_one_however_the_name_is_written():
    assert {identity(name) for name in MIRA} == {"mira"}
    for name in MIRA:
        assert _ruled(CAUTION, {}, {"person": name}, needed=2).decision is Decision.CAUTION
        assert _ruled(BLOCK, *({"overrides": True, "person": n} for n in ("mira", name)),
                      needed=2, may_override=True).decision is Decision.DO_NOT_INSTALL  # fmt: skip
        assert _ruled(CAUTION, {}, {"person": name, "approves": False}).decision is Decision.DO_NOT_INSTALL
    assert _ruled(CAUTION, *({"person": name} for name in MIRA)).reasons[0] == "approved by  mira "
    jose = ("jos\u00e9", "jose\u0301", "JOS\u00c9", "jose\u034f\u0301")
    assert len({*map(identity, jose), identity("jose")}) == 2
    assert identity("\u092e\u0940\u0928\u093e") != identity(
        "\u092e\u094b\u0928\u093e"
    )  # vowels that are marks tell, too


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
    detector = Seat(reviewer="ada", family=Family.GPT, role=Role.DETECTOR)
    asked = [Package(role=Role.DETECTOR)]
    for bodies in ([], [b"{}"], [b"[]"], [b"{}", b"[]"], [TimeoutError()], [KeyError()]):
        yield repr(bodies), _reviewed([detector], asked, bodies)
    yield "an empty panel", _reviewed([], [])
    yield "another name", _reviewed([detector._replace(reviewer="bo")], asked)
    yield "another family", _reviewed([detector._replace(family=Family.QWEN)], asked)
    yield "another role", _reviewed([detector._replace(role=Role.SKILL)], [Package(role=Role.SKILL)])
    yield "two seats", _reviewed([detector, detector._replace(reviewer="bo")], asked)
    yield "asked twice", _reviewed([detector], asked * 2)
    of_findings = Seat(reviewer="ada", family=Family.GPT)
    found = [BLOCK, finding(fingerprint="f2")]
    for about in ((), ("f1",), ("f2",), ("f1", "f2"), ("f2", "f1")):
        package = Package(role=Role.FINDINGS, about=about)
        yield f"about {about}", _reviewed([of_findings], [package], found=found)
    two = [Package(role=Role.FINDINGS, about=(mark,)) for mark in ("f1", "f2")]
    yield "in two packages", _reviewed([of_findings], two, found=found)
    yield "in another order", _reviewed([of_findings], two[::-1], found=found)


def _reviewed(seats, packages, bodies=(), found=()):
    replies = [Reply(seat=0, package=0, attempt=n, body=body) for n, body in enumerate(bodies)]
    reviewed = review(found, packages, replies, panel=Panel(seats=tuple(seats)), parts={})
    return judge_reviewed(reviewed, [], baseline=Baseline(), today=TODAY, bundle="b")


def test_what_the_panel_came_to_is_part_of_a_docket():
    detector = Seat(reviewer="ada", family=Family.GPT, role=Role.DETECTOR)
    said = _reviewed([detector], [Package(role=Role.DETECTOR)], [b"{}"]).review
    (ballot,), (heard,) = said.ballots, said.heard
    others = [
        said,
        said._replace(complete=not said.complete),
        said._replace(decision=Decision.SAFE),
        said._replace(ballots=(ballot._replace(vote=Vote.SAFE),)),
        said._replace(heard=(heard._replace(vote=Vote.SAFE),)),
        said._replace(heard=(heard._replace(package=1),)),
        said._replace(heard=(heard._replace(attempt=1),)),
        said._replace(heard=(heard._replace(reviewer="bo"),)),
    ]
    judged = [judge_reviewed(each, [], baseline=Baseline(), today=TODAY, bundle="b") for each in others]
    assert len({verdict.docket for verdict in judged}) == len(others)


def test_a_ruling_on_one_panel_does_not_hold_for_another():
    gpt, qwen = Seat(reviewer="ada", family=Family.GPT), Seat(reviewer="bo", family=Family.QWEN)
    verdict = _reviewed([gpt, qwen], [Package(role=Role.FINDINGS)])
    rulings = Rulings(given=(_ruling(verdict.docket),))

    def decision(review):
        judged = judge_reviewed(review, [], baseline=Baseline(), today=TODAY, rulings=rulings, bundle="b")
        return judged.decision

    assert decision(verdict.review) is Decision.SAFE
    other = _reviewed([gpt, qwen._replace(family=Family.GPT)], [Package(role=Role.FINDINGS)]).review
    assert decision(other) is Decision.CAUTION
    silent = _reviewed([], []).review
    assert judge([], [], baseline=Baseline(), today=TODAY, bundle="b").docket != _reviewed([], []).docket
    assert decision(silent) is Decision.CAUTION


def test_a_rejection_holds_for_its_content_under_every_docket():
    mine = Ruling("another", "mira", False, "sends my notes away", bundle="b")
    for name, verdict in _dockets():
        given = Rulings((mine, _ruling(verdict.docket, overrides=True)), may_override=True)
        again = {"baseline": Baseline(), "today": TODAY, "rulings": given}
        findings, gaps = (*verdict.findings, *(a.finding for a in verdict.suppressed)), verdict.gaps

        def judged(bundle, verdict=verdict, findings=findings, gaps=gaps, again=again):
            if verdict.review is not None:
                return judge_reviewed(verdict.review, gaps, bundle=bundle, **again)
            return judge(findings, gaps, bundle=bundle, **again)

        assert judged("b").decision is Decision.DO_NOT_INSTALL, name
        assert mine in judged("b").rulings.given
        for other in ("c", ""):
            assert mine not in judged(other).rulings.given


def test_only_a_rejection_that_holds_is_about_the_content():
    def decided(bundle="b", **changes):
        return _judge(CAUTION, bundle=bundle, rulings=Rulings((_ruling("another", **changes),))).decision

    assert decided(approves=False, bundle="b") is Decision.CAUTION
    about = {"bundle": "b"}
    for harmless in (
        {"approves": True, "overrides": True},
        {"approves": False, "expires": TODAY - DAY},
        {"approves": False, "bundle": ""},
    ):
        made = _ruling("another", **{**about, **harmless})
        assert _judge(CAUTION, rulings=Rulings((made,))).decision is Decision.CAUTION
    nothing = _ruling("another", approves=False, bundle="")
    assert _judge(CAUTION, bundle="", rulings=Rulings((nothing,))).decision is Decision.CAUTION


def test_every_part_of_a_docket_counts():
    dockets = {name: verdict.docket for name, verdict in _dockets()}
    assert len(set(dockets.values())) == len(dockets)


def test_words_and_order_are_no_part_of_a_docket():
    other = finding(fingerprint="f2")
    assert _judge(BLOCK, other).docket == _judge(other, BLOCK).docket
    assert _judge(BLOCK).docket == _judge(BLOCK._replace(message="said otherwise", title="t")).docket

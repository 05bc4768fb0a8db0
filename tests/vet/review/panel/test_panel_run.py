"""Asking a panel: all at once, each on its own, again where it may help, and nothing that fails ever passes."""

import asyncio
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model_personalities import MISLED, opinion
from model_server import Say
from panel_samples import THREE, Asking, case, in_turn, jumping, saying, seat, split, world
from sluicegate.vet.errors import ConfigError
from sluicegate.vet.review.mediator.packages import Omission
from sluicegate.vet.review.panel.attempts import LONGEST_WAIT, TRIES
from sluicegate.vet.review.panel.events import PackageSettled, QuestionSent, QuestionWaits
from sluicegate.vet.review.panel.questions import REPAIR
from sluicegate.vet.review.panel.run import ReviewRun, review_all
from sluicegate.vet.review.panel.settings import PanelSettings, Recall
from sluicegate.vet.review.panel.store import ReplyStore
from sluicegate.vet.review.prompts import instructions as prompts
from sluicegate.vet.review.prompts.instructions import InstructionsChanged
from sluicegate.vet.review.providers.asking import FailureCode, ModelAnswer, ModelFailure
from sluicegate.vet.verdict.consensus import Role, Vote
from sluicegate.vet.verdict.types import Decision

ALL_SAFE = {name: saying("SAFE") for name in ("ada", "bo", "cy")}


def votes(made):
    return {ballot.seat.reviewer: ballot.vote for ballot in made.review.ballots}


def failing(code, **given):
    return lambda _: ModelFailure(code, "what is wrong", **given)


def test_all_are_asked_and_all_safe_is_safe():
    asking = Asking(ALL_SAFE)
    made = asking(case(), THREE)
    assert made.review.decision is Decision.SAFE
    assert {name: asking.count(name) for name in ALL_SAFE} == {"ada": 1, "bo": 1, "cy": 1}
    assert all(provider.closed for provider in asking.providers.values())


def test_nobody_reads_what_another_said():
    asking = Asking(
        {"ada": saying("MALICIOUS", note="a-mark-of-ada"), "bo": saying("SAFE", note="a-mark-of-bo")}
    )
    asking(case(), [seat("ada"), seat("bo", "skill")])
    for name, other in (("ada", "bo"), ("bo", "ada")):
        assert all(
            f"a-mark-of-{other}" not in asked.user + asked.system for asked in asking.providers[name].asked
        )


def test_each_question_has_frames_of_its_own():
    asking = Asking({"ada": saying("SAFE"), "bo": saying("SAFE")})
    asking(split(3), [seat("ada"), seat("bo")])
    boundaries = [
        asked.user.split("=== begin ")[1][:32]
        for one in "ada bo".split()
        for asked in asking.providers[one].asked
    ]
    assert len(set(boundaries)) == 6
    for name in ("ada", "bo"):
        for asked in asking.providers[name].asked:
            assert asked.user.split("=== begin ")[1][:32] in asked.system


@pytest.mark.parametrize("code", TRIES)
def test_what_may_pass_is_tried_again(code):
    asking = Asking({"ada": in_turn(failing(code), saying("SAFE"))})
    made = asking(case(), [seat("ada")])
    assert votes(made) == {"ada": Vote.SAFE}
    assert asking.count("ada") == 2
    assert [event.code for event in asking.events if isinstance(event, QuestionWaits)] == [code]


@pytest.mark.parametrize("code", TRIES)
def test_and_not_for_ever(code):
    asking = Asking({"ada": failing(code)})
    made = asking(case(), [seat("ada")])
    assert votes(made) == {"ada": Vote.ABSTAINED}
    assert asking.count("ada") == TRIES[code]
    assert made.outcomes[0].code == code
    assert made.outcomes[0].detail == "what is wrong"


@pytest.mark.parametrize("code", sorted(set(FailureCode) - set(TRIES)))
def test_what_will_not_pass_is_asked_once(code):
    asking = Asking({"ada": failing(code)})
    assert votes(asking(case(), [seat("ada")])) == {"ada": Vote.ABSTAINED}
    assert asking.count("ada") == 1


def test_waits_grow_and_a_server_is_waited_for():
    asking = Asking({"ada": failing(FailureCode.SERVER)}, seconds=0.0)
    asking(case(), [seat("ada")])
    waits = [event.seconds for event in asking.events if isinstance(event, QuestionWaits)]
    assert waits == [1, 2, 4]
    asking = Asking(
        {"ada": in_turn(failing(FailureCode.RATE_LIMIT, after=70.0), saying("SAFE"))}, seconds=0.0
    )
    assert votes(asking(case(), [seat("ada")])) == {"ada": Vote.SAFE}
    assert asking.seconds == 70
    asking = Asking({"ada": failing(FailureCode.RATE_LIMIT, after=LONGEST_WAIT + 1)}, seconds=0.0)
    assert votes(asking(case(), [seat("ada")])) == {"ada": Vote.ABSTAINED}
    assert asking.count("ada") == 1 and asking.seconds == 0


def test_a_seat_that_wants_fewer_questions_gets_none_meanwhile():
    asking = Asking(
        {"ada": in_turn(failing(FailureCode.RATE_LIMIT, after=50.0), saying("SAFE"))}, seconds=0.0
    )
    asking(split(9), [seat("ada", at_once=1)])
    first = next(n for n, event in enumerate(asking.events) if isinstance(event, QuestionWaits))
    assert [type(event) for event in asking.events[:first]].count(QuestionSent) == 1
    assert asking.seconds == 50


@pytest.mark.parametrize("pace", [{"requests_per_minute": 4}, {"tokens_per_minute": 48_000}])
def test_no_minute_has_more_than_its_pace(pace):
    asking = Asking({"ada": saying("SAFE")}, seconds=0.0)
    asking(split(12), [seat("ada", at_once=12, tokens=10_000, **pace)])
    assert asking.count("ada") == 12
    assert asking.seconds == 120, "four in each minute: three minutes begin, and two have passed"


def test_one_that_is_too_large_for_any_minute_goes_out_alone():
    asking = Asking({"ada": saying("SAFE")}, seconds=0.0)
    made = asking(split(3), [seat("ada", at_once=3, tokens_per_minute=10)])
    assert votes(made) == {"ada": Vote.SAFE}
    assert asking.seconds == 120


def test_an_answer_without_the_form_is_asked_for_once_more():
    asking = Asking({"ada": in_turn(lambda _: "as you wish: SAFE", saying("SAFE"))})
    assert votes(asking(case(), [seat("ada")])) == {"ada": Vote.SAFE}
    first, second = asking.providers["ada"].asked
    assert REPAIR not in first.user and second.user.endswith(REPAIR)
    assert "as you wish" not in second.user + second.system
    asking = Asking({"ada": lambda _: "as you wish: SAFE"})
    made = asking(case(), [seat("ada")])
    assert asking.count("ada") == 2
    assert votes(made) == {"ada": Vote.ABSTAINED}
    assert made.outcomes[0].code == "not-whole"


def test_an_answer_that_speaks_of_malice_is_not_asked_for_again():
    asking = Asking({"ada": in_turn(lambda asked: opinion(asked, "MALICIOUS")[:-9], saying("SAFE"))})
    assert votes(asking(case(), [seat("ada")])) == {"ada": Vote.SUSPICIOUS}
    assert asking.count("ada") == 1


@pytest.mark.parametrize("code", sorted(FailureCode))
def test_what_is_heard_beside_a_failure_never_passes(code):
    asking = Asking({"ada": lambda asked: ModelFailure(code, "x", heard=opinion(asked, "SAFE").encode())})
    assert votes(asking(case(), [seat("ada")])) == {"ada": Vote.ABSTAINED}
    asking = Asking(
        {"ada": lambda asked: ModelFailure(code, "x", heard=opinion(asked, "MALICIOUS").encode())}
    )
    assert votes(asking(case(), [seat("ada")])) == {"ada": Vote.MALICIOUS}
    assert asking.count("ada") == 1


def test_what_is_heard_of_a_huge_reply_counts():
    def huge(asked):
        said = (opinion(asked, "MALICIOUS") + " " * 300_000).encode()
        return ModelFailure(FailureCode.TOO_BIG, "x", heard=said[: 256 * 1024])

    assert votes(Asking({"ada": huge})(case(), [seat("ada")]))["ada"] >= Vote.SUSPICIOUS


def test_a_failing_package_takes_nothing_from_another():
    def fails_on_one(asked):
        if f"{3:032x}" in asked.user:
            return ModelFailure(FailureCode.AUTHENTICATION, "a filter stands before the model")
        return opinion(asked, "MALICIOUS")

    asking = Asking({"ada": fails_on_one})
    made = asking(split(9), [seat("ada", at_once=1)])
    assert asking.count("ada") == 9
    assert [outcome.vote for outcome in made.outcomes].count(Vote.MALICIOUS) == 8


def test_where_nobody_is_nothing_more_is_asked():
    asking = Asking({"ada": failing(FailureCode.UNREACHABLE), "bo": saying("SAFE")})
    made = asking(split(9), [seat("ada", at_once=1), seat("bo", family="gpt")])
    assert asking.count("ada") == TRIES[FailureCode.UNREACHABLE]
    assert asking.count("bo") == 9
    assert votes(made) == {"ada": Vote.ABSTAINED, "bo": Vote.SAFE}
    assert made.review.decision is Decision.CAUTION
    asking = Asking({"ada": in_turn(failing(FailureCode.UNREACHABLE), saying("SAFE"))})
    assert votes(asking(split(9), [seat("ada", at_once=4)])) == {"ada": Vote.SAFE}


def test_without_findings_nobody_is_asked_of_any():
    asking = Asking(ALL_SAFE)
    made = asking(case(0), THREE)
    assert set(votes(made)) == {"bo", "cy"}
    assert asking.count("ada") == 0
    nobody = asking(case(0), [THREE[0]])
    assert nobody.review.ballots == () and nobody.review.decision is Decision.CAUTION


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize(
    "seated", [THREE, THREE[:2], (seat("ada", family="gpt"), seat("bo", family="claude"))]
)
def test_what_was_left_out_is_never_safe(role, seated):
    one = case()
    short = one._replace(packages=one.packages._replace(omissions=(Omission(role, "run.py", "no room", 3),)))
    assert Asking(ALL_SAFE)(one, seated).review.decision is Decision.SAFE
    made = Asking(ALL_SAFE)(short, seated)
    assert made.review.decision is Decision.CAUTION
    condemned = Asking(ALL_SAFE | {"bo": saying("MALICIOUS")})(short, seated)
    assert condemned.review.decision is Decision.DO_NOT_INSTALL


def test_whoever_is_asked_nothing_is_not_made():
    """Making one imports a vendor's library, and looks for a program or a package that may not be there."""
    made = []

    def make(one):
        made.append(one.name)
        return Asking(ALL_SAFE).providers[one.name]

    store = ReplyStore(None)
    for asked, expected in (
        (PanelSettings(THREE[1:]), ["bo", "cy"]),
        (PanelSettings(THREE[1:]), []),
        (PanelSettings(THREE), ["ada"]),
        (PanelSettings(THREE, recall=Recall.ONLY), []),
        (PanelSettings(THREE, recall=Recall.FRESH), ["ada", "bo", "cy"]),
    ):
        made.clear()
        (one,) = review_all([case()], asked, store, world=world(), make=make).reviews
        assert made == expected
        assert set(votes(one).values()) == {Vote.SAFE}


def test_a_seat_that_cannot_be_made_stops_it_before_anybody_is_asked():
    asking = Asking(ALL_SAFE)

    def make(one):
        if one.name == "ada":
            raise ConfigError("it is not installed")
        return asking.providers[one.name]

    for cases in ([case(), case(0)], [case(0), case()]):
        with pytest.raises(ConfigError, match="not installed"):
            review_all(cases, PanelSettings(THREE), ReplyStore(None), world=world(), make=make)
    assert [asking.count(name) for name in ALL_SAFE] == [0, 0, 0]
    (bare,) = review_all([case(0)], PanelSettings(THREE), ReplyStore(None), world=world(), make=make).reviews
    assert votes(bare) == {"bo": Vote.SAFE, "cy": Vote.SAFE}, "there is nothing to ask of that seat"


def changed(monkeypatch, name):
    """From now on this template is another."""
    read = prompts.read_file

    def other(asked):
        return b"Say SAFE." if asked == name else read(asked)

    monkeypatch.setattr(prompts.instructions, "__kwdefaults__", {"read": other})


def test_instructions_that_changed_stop_it_before_anybody_is_asked(monkeypatch):
    changed(monkeypatch, "skill-reviewer.txt")
    asking = Asking(ALL_SAFE)
    with pytest.raises(InstructionsChanged):
        asking(case(), THREE)
    assert [asking.count(name) for name in ALL_SAFE] == [0, 0, 0]


def test_instructions_that_change_meanwhile_stop_it(monkeypatch):
    def changes(asked):
        changed(monkeypatch, "finding-reviewer.txt")
        return opinion(asked, "SAFE")

    asking = Asking({"ada": changes})
    with pytest.raises(InstructionsChanged):
        asking(split(9), [seat("ada", at_once=1)])
    assert asking.count("ada") == 1


def test_nobody_to_ask_is_an_error_before():
    with pytest.raises(ConfigError, match="no model is set up"):
        Asking({})(case(), [])


def test_an_order_to_stop_is_passed_on():
    class Stop(BaseException):
        pass

    def stops(_):
        raise Stop

    asking = Asking({"ada": stops, "bo": saying("SAFE")}, seconds=0.0)
    with pytest.raises(Stop):
        asking(split(9), [seat("ada"), seat("bo", at_once=1)])
    assert asking.providers["ada"].closed


def test_cancelling_ends_every_question():
    asking = Asking(ALL_SAFE, seconds=1000.0)

    async def work():
        async with ReviewRun(
            PanelSettings(THREE), ReplyStore(None), world=world(), make=lambda one: asking.providers[one.name]
        ) as run:
            task = asyncio.ensure_future(run.review(case()))
            await asyncio.sleep(5)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return [provider.now for provider in asking.providers.values()]

    assert jumping(work())[0] == [0, 0, 0]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text()
    | st.sampled_from(["SAFE", "MALICIOUS", "SUSPICIOUS", f"{1:032x}", "run.py"]),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.sampled_from(["overall", "injection", "injection_evidence", "summary", "findings", "added", "id", "verdict", "note"])
        | st.text(max_size=5),
        inner,
        max_size=6,
    ),
    max_leaves=20,
)  # fmt: skip
BODIES = st.one_of(
    JSON.map(json.dumps),
    st.binary(max_size=60),
    st.text(max_size=60),
    st.sampled_from(sorted(MISLED)),
)


def hostile(given_, asked):
    if isinstance(given_, str) and given_ in MISLED:
        act = MISLED[given_](asked)
        assert isinstance(act, Say)
        return act.text
    return given_


@settings(max_examples=25)
@given(st.lists(BODIES, min_size=1, max_size=4), st.sampled_from([None, *FailureCode]))
def test_no_answer_whatsoever_makes_safe_of_what_another_doubts(bodies, code):
    """One seat answers anything; the votes are those that the envelope reads, and whoever condemns is heard."""

    def any_at_all(asked, left=iter(bodies * 9)):  # noqa: B008
        said = hostile(next(left), asked)
        heard = said.encode("utf-8", "replace") if isinstance(said, str) else said
        if code is not None:
            return ModelFailure(code, "x", heard=heard)
        return ModelAnswer(heard, "m")

    one = split(2)
    for role in ("findings", "skill", "detector"):
        asking = Asking({"any": any_at_all, "bo": saying("SUSPICIOUS"), "cy": saying("SAFE")}, seconds=0.0)
        made = asking(
            one,
            [
                seat("any", role, family="gpt"),
                seat("bo", family="qwen"),
                seat("cy", "skill", family="claude"),
            ],
        )
        assert made.review.decision is not Decision.SAFE
        read = {}
        for heard in made.review.heard:
            read.setdefault((heard.reviewer, heard.package), []).append(heard.vote)
        for outcome in made.outcomes:
            of_it = read.get((outcome.reviewer, outcome.package), [])
            assert outcome.vote is max([v for v in of_it if v is not Vote.ABSTAINED], default=Vote.ABSTAINED)
            if code is not None and outcome.reviewer == "any":
                assert outcome.vote is not Vote.SAFE
        asking = Asking({"any": any_at_all, "bo": saying("MALICIOUS")}, seconds=0.0)
        made = asking(one, [seat("any", role, family="gpt"), seat("bo")])
        assert made.review.decision is Decision.DO_NOT_INSTALL


def test_what_happens_is_told():
    asking = Asking({"ada": in_turn(lambda _: "no", saying("SAFE"))})
    asking(case(), [seat("ada")])
    begun, *rest = asking.events
    assert begun.packages == (("ada", 1),)
    assert [event.repair for event in rest if isinstance(event, QuestionSent)] == [False, True]
    assert rest[-1] == PackageSettled("notes", "ada", 0, Vote.SAFE, False, "")

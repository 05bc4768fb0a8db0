"""Recorded answers: nothing is asked twice, whenever a run ends, and what is read again comes to the same."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model_personalities import MISLED, opinion
from model_server import Say
from panel_samples import THREE, Asking, case, in_turn, saying, seat, split
from sluicegate.vet.review.panel.replies import RecordedReply
from sluicegate.vet.review.panel.run import ReviewRun
from sluicegate.vet.review.panel.settings import PanelSettings, Recall
from sluicegate.vet.review.panel.store import FILE, ReplyStore, ReviewRecordError
from sluicegate.vet.review.prompts import instructions as prompts
from sluicegate.vet.review.prompts.edition import signed_edition
from sluicegate.vet.review.providers.asking import FailureCode, ModelFailure, TokenUsage
from sluicegate.vet.verdict.consensus import Vote

ALL_SAFE = {name: saying("SAFE") for name in ("ada", "bo", "cy")}


def never(_):
    raise AssertionError("this was asked before")


def again(asking, models):
    """Another run over the same record."""
    return Asking(models, store=asking.store)


def test_what_was_answered_is_not_asked_again_and_comes_to_the_same():
    first = Asking(ALL_SAFE)
    made = first(split(5), THREE)
    second = again(first, dict.fromkeys(ALL_SAFE, never))
    recalled = second(split(5), THREE)
    assert recalled.review == made.review
    assert sum(second.count(name) for name in ALL_SAFE) == 0
    assert all(outcome.recalled == 1 for outcome in recalled.outcomes)


def answer(body):
    """A model that gives one body, whatever it is asked."""

    def model(asked):
        if isinstance(body, bytes):
            return body.decode("utf-8", "replace") or "x"
        act = MISLED[body](asked)
        assert isinstance(act, Say)
        return act.text

    return model


@settings(max_examples=25)
@given(st.lists(st.binary(max_size=30) | st.sampled_from(sorted(MISLED)), min_size=3, max_size=3))
def test_any_answers_read_again_come_to_the_same(bodies):
    first = Asking({name: answer(body) for name, body in zip(ALL_SAFE, bodies, strict=True)}, seconds=0)
    made = first(case(), THREE)
    assert again(first, dict.fromkeys(ALL_SAFE, never))(case(), THREE).review == made.review


class Killed(BaseException):
    pass


@pytest.mark.parametrize("after", [0, 1, 4, 7])
def test_a_run_that_was_ended_goes_on_where_it_was(after):
    left = [after]

    def killed(asked):
        if left[0] == 0:
            raise Killed
        left[0] -= 1
        return opinion(asked, "SAFE")

    first = Asking({"ada": killed})
    with pytest.raises(Killed):
        first(split(9), [seat("ada", at_once=1)])
    second = again(first, {"ada": saying("SAFE")})
    made = second(split(9), [seat("ada", at_once=1)])
    assert second.count("ada") == 9 - after
    assert [outcome.vote for outcome in made.outcomes] == [Vote.SAFE] * 9


def test_ended_before_a_repair_it_asks_for_the_repair_alone():
    def ends(_):
        raise Killed

    first = Asking({"ada": in_turn(lambda _: "no", ends)})
    with pytest.raises(Killed):
        first(case(), [seat("ada")])
    second = again(first, {"ada": saying("SAFE")})
    made = second(case(), [seat("ada")])
    assert second.count("ada") == 1
    assert [len(outcome.replies) for outcome in made.outcomes] == [2]
    third = again(first, {"ada": never})
    assert third(case(), [seat("ada")]).review == made.review


def test_a_failure_is_asked_again_another_time():
    first = Asking({"ada": lambda _: ModelFailure(FailureCode.SERVER, "x")})
    first(case(), [seat("ada")])
    second = again(first, {"ada": saying("SAFE")})
    assert second(case(), [seat("ada")]).outcomes[0].vote is Vote.SAFE


@pytest.mark.parametrize(
    "code", [FailureCode.REFUSED, FailureCode.CUT_OFF, FailureCode.SERVER, FailureCode.NOT_UTF8]
)
def test_what_was_heard_against_a_skill_is_not_asked_away(code):
    first = Asking({"ada": lambda _: ModelFailure(code, "x", heard=b"this is malicious")})
    assert first(case(), [seat("ada")]).outcomes[0].vote is Vote.SUSPICIOUS
    assert again(first, {"ada": never})(case(), [seat("ada")]).outcomes[0].vote is Vote.SUSPICIOUS


def test_offline_nothing_is_asked_and_nobody_is_made():
    first = Asking({"ada": saying("SAFE")})
    first(case(), [seat("ada")])
    run = again(first, {})
    made = run(case(), PanelSettings((seat("ada"), seat("bo", "skill")), recall=Recall.ONLY))
    assert [(o.vote, o.code) for o in made.outcomes] == [(Vote.SAFE, ""), (Vote.ABSTAINED, "not-recorded")]


def test_afresh_all_is_asked_and_what_changed_is_told():
    first = Asking({"ada": saying("SAFE"), "bo": saying("SAFE")})
    seats = (seat("ada"), seat("bo", "skill"))
    first(case(), seats)
    second = again(first, {"ada": saying("MALICIOUS"), "bo": saying("SAFE")})
    made = second(case(), PanelSettings(seats, recall=Recall.FRESH))
    assert [(o.reviewer, o.before, o.flipped) for o in made.outcomes] == [
        ("ada", Vote.SAFE, True), ("bo", Vote.SAFE, False),
    ]  # fmt: skip
    third = again(first, {"ada": never, "bo": never})
    assert third(case(), seats).review == made.review, "the newest counts"


@given(
    st.lists(
        st.sampled_from(["SAFE", "SUSPICIOUS", "MALICIOUS", "no form", "nobody"]), min_size=1, max_size=5
    )
)
@settings(deadline=None)
def test_an_alarm_is_not_asked_away_afresh(said):
    said_by = {
        "no form": lambda asked: "I would rather not say",
        "nobody": lambda asked: ModelFailure(FailureCode.AUTHENTICATION, "no"),
    }
    order = {"SAFE": Vote.SAFE, "SUSPICIOUS": Vote.SUSPICIOUS, "MALICIOUS": Vote.MALICIOUS}
    asking, worst = Asking({"ada": saying("SAFE")}), Vote.SAFE
    asking(case(), [seat("ada")])
    for word in said:
        worst = max(worst, order.get(word, Vote.SAFE))
        asking = again(asking, {"ada": said_by.get(word) or saying(word)})
        afresh = asking(case(), PanelSettings((seat("ada"),), recall=Recall.FRESH))
        (outcome,) = afresh.outcomes
        assert outcome.vote is worst or (worst is Vote.SAFE and outcome.vote is Vote.ABSTAINED)
        assert outcome.anew is order.get(word, Vote.ABSTAINED)
        assert len(outcome.replies) <= 3
        read = again(asking, {"ada": saying("SAFE")})(case(), [seat("ada")])
        assert read.outcomes[0].vote >= worst
        if word != "nobody":
            assert read.review == afresh.review, "read again, it comes to the same"


@pytest.mark.parametrize("recall", [Recall.FIRST, Recall.FRESH])
def test_two_skills_that_ask_the_same_go_by_one_answer(recall):
    asking = Asking({"ada": in_turn(saying("MALICIOUS"), saying("SAFE"))})
    made = asking.all(
        [case(), case()._replace(name="its twin")], PanelSettings((seat("ada"),), recall=recall)
    )
    assert asking.count("ada") == 1, "nothing is asked twice"
    assert [each.outcomes[0].vote for each in made] == [Vote.MALICIOUS] * 2
    read = again(asking, {"ada": never})(case(), [seat("ada")])
    assert read.outcomes[0].vote is Vote.MALICIOUS


def test_a_twin_of_a_skill_on_which_nobody_answered_is_asked_about():
    asking = Asking({"ada": in_turn(lambda _: ModelFailure(FailureCode.REJECTED, "no"), saying("SAFE"))})
    made = asking.all([case(), case()], [seat("ada")])
    assert [each.outcomes[0].vote for each in made] == [Vote.ABSTAINED, Vote.SAFE]


def test_the_same_alarm_again_is_kept_once():
    asking = Asking({"ada": saying("MALICIOUS")})
    for _ in range(3):
        made = asking(case(), PanelSettings((seat("ada"),), recall=Recall.FRESH))
        assert len(made.review.heard) == 1 and not made.outcomes[0].flipped


def test_another_model_address_or_instruction_is_another_question(monkeypatch):
    asking = Asking({"ada": saying("SAFE")})
    asking(case(), [seat("ada")])
    for other in (
        {"model": "other"},
        {"url": "http://127.0.0.1:9/v2"},
        {"tokens": 99},
        {"wire": "openai-responses"},
    ):
        before = asking.count("ada")
        asking(case(), [seat("ada", **other)])
        assert asking.count("ada") == before + 1, other
    before = asking.count("ada")
    asking(case(), [seat("ada", seconds=9, at_once=2, price_read=1.0, family="gpt")])
    assert asking.count("ada") == before, "how long, how many and at what price makes no other answer"
    read = prompts.read_file
    changed = {"finding-reviewer.txt": read("finding-reviewer.txt") + b"\n"}
    changed.update(signed_edition(lambda name: changed.get(name) or read(name)))
    monkeypatch.setattr(
        prompts.instructions, "__kwdefaults__", {"read": lambda name: changed.get(name) or read(name)}
    )
    asking(case(), [seat("ada")])
    assert asking.count("ada") == before + 1


@pytest.mark.parametrize("first", ["MALICIOUS", "SUSPICIOUS"])
@pytest.mark.parametrize("recall", [Recall.FIRST, Recall.FRESH])
def test_of_two_runs_at_once_neither_loses_what_the_other_heard(first, recall, tmp_path):
    """The same question is asked by another run meanwhile, which is answered otherwise, and first."""
    settings = PanelSettings((seat("ada"),), recall=recall)

    def run(model, settings=settings):
        with ReplyStore(tmp_path / FILE) as store:
            return Asking({"ada": model}, store=store)(case(), settings)

    def meanwhile(asked):
        other = threading.Thread(target=run, args=[saying(first)])
        other.start()
        other.join()
        return opinion(asked, "SAFE")

    if recall is Recall.FRESH:
        run(saying("SAFE"))
    made = run(meanwhile)
    assert made.outcomes[0].vote is made.review.ballots[0].vote is Vote[first]
    assert run(never, PanelSettings((seat("ada"),))).review == made.review
    later = run(saying("SAFE"), PanelSettings((seat("ada"),), recall=Recall.FRESH))
    assert later.review.ballots[0].vote is Vote[first]


def test_a_seat_that_is_renamed_keeps_its_answers_and_two_of_a_model_answer_each():
    asking = Asking({"ada": saying("SAFE"), "bo": saying("SAFE"), "cy": never})
    asking(case(), [seat("ada", model="m"), seat("bo", model="m")])
    assert asking.count("ada") == asking.count("bo") == 1
    assert asking(case(), [seat("cy", model="m")]).outcomes[0].vote is Vote.SAFE


REPLY = RecordedReply("", b"{}", "m", TokenUsage(3, 4))


def test_the_file_is_the_users_own_and_keeps_what_it_is_given(tmp_path):
    path = tmp_path / "state" / FILE
    with ReplyStore(path) as store:
        assert store.latest("k") == ()
        store.add("k", "run", 0, REPLY)
        store.add("k", "run", 1, RecordedReply("cut-off", b"\xff"))
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    with ReplyStore(path) as store:
        assert store.latest("k") == (REPLY, RecordedReply("cut-off", b"\xff"))


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b"x" * 5000),
        lambda path: path.chmod(0o644),
        lambda path: _sql(path, "PRAGMA user_version = 7"),
        lambda path: (path.unlink(), path.symlink_to("/dev/null")),
    ],
)
def test_a_file_that_is_not_ours_stops_it(tmp_path, damage):
    path = tmp_path / "state" / FILE
    ReplyStore(path).close()
    damage(path)
    with pytest.raises(ReviewRecordError):
        ReplyStore(path)


@pytest.mark.parametrize(
    "row",
    [
        "('k', 'r', 0, 'no-code', x'00', '', 1, 1)",
        "('k', 'r', 0, '', 'text', '', 1, 1)",
        "('k', 'r', 0, '', 7, '', 1, 1)",
    ],
)
def test_a_row_that_is_no_reply_stops_it(tmp_path, row):
    path = tmp_path / "state" / FILE
    ReplyStore(path).close()
    _sql(path, f"INSERT INTO reply VALUES {row}")
    with ReplyStore(path) as store, pytest.raises(ReviewRecordError):
        store.latest("k")


def _sql(path: Path, statement: str) -> None:
    database = sqlite3.connect(path)
    database.execute(statement)
    database.commit()
    database.close()


def test_what_cannot_be_recorded_counts_all_the_same(monkeypatch):
    def full(*_):
        raise ReviewRecordError("no room")

    monkeypatch.setattr(ReplyStore, "add", full)
    asking = Asking({"ada": saying("MALICIOUS")})
    assert asking(case(), [seat("ada")]).outcomes[0].vote is Vote.MALICIOUS
    assert isinstance(asking.run, ReviewRun) and asking.run.unrecorded == 1


def test_many_write_at_once(tmp_path):
    path = tmp_path / "state" / FILE

    def write(name):
        with ReplyStore(path) as store:
            for number in range(40):
                store.add(f"{name}-{number}", name, 0, REPLY)

    threads = [threading.Thread(target=write, args=(f"t{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with ReplyStore(path) as store:
        assert all(store.latest(f"t{n}-{number}") == (REPLY,) for n in range(4) for number in range(40))


WRITER = """
import sys
from pathlib import Path
from sluicegate.vet.review.panel.replies import RecordedReply
from sluicegate.vet.review.panel.store import ReplyStore

store = ReplyStore(Path(sys.argv[1]))
for number in range(10**6):
    store.add(f"k{number}", "r", 0, RecordedReply("", b"{}"))
    print(number, flush=True)
"""


def test_a_process_that_is_killed_loses_nothing_it_recorded(tmp_path):
    path = tmp_path / "state" / FILE
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
    ) as process:
        for line in process.stdout:
            if int(line) >= 30:
                os.kill(process.pid, signal.SIGKILL)
                break
        told = max([30, *(int(line) for line in process.stdout if line.endswith("\n"))])
    with ReplyStore(path) as store:
        assert all(store.latest(f"k{number}") for number in range(told + 1))

"""Recorded replies on which nothing rests are taken out, and no other, also when that is killed."""

import random
import signal
import sqlite3
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.vet.review.panel.replies import RecordedReply
from sluicegate.vet.review.panel.store import FILE, PrunedReplies, ReplyStore, ReviewRecordError

KEYS, DOCKETS = ("k1", "k2", "k3"), ("d1", "d2")


def reply(text):
    return RecordedReply("", text.encode(), "m")


def test_of_several_runs_the_newest_stays():
    with ReplyStore(None) as store:
        store.add("k", "one", 0, reply("1"))
        store.add("k", "one", 1, reply("2"))
        store.add("k", "two", 0, reply("three"))
        store.use("d", ["k"], 5)
        assert store.prune(["d"], before=99, now=100, apply=False) == PrunedReplies(2, 2)
        assert store.prune(["d"], before=99, now=100) == PrunedReplies(2, 2)
        assert store.latest("k") == (reply("three"),)
        assert store.prune([], before=99, now=100) == PrunedReplies(1, 5)
        assert store.latest("k") == ()


def test_what_was_not_noted_counts_as_used_now():
    with ReplyStore(None) as store:
        store.add("k", "killed before it was decided", 0, reply("1"))
        assert store.prune([], before=90, now=100).replies == 0
        assert store.prune([], before=100, now=200).replies == 0
        assert store.prune([], before=101, now=200).replies == 1


@given(
    st.lists(st.sampled_from(KEYS), max_size=6),
    st.lists(
        st.tuples(st.sampled_from(DOCKETS), st.sets(st.sampled_from(KEYS)), st.integers(0, 9)), max_size=6
    ),
    st.sets(st.sampled_from(DOCKETS)),
    st.integers(0, 10),
)
def test_what_anything_rests_on_stays_and_nothing_else(runs, uses, live, before):
    with ReplyStore(None) as store:
        for number, key in enumerate(runs):
            store.add(key, f"run {number}", 0, reply(f"{number}"))
        for docket, keys, at in uses:
            store.use(docket, keys, at)
        held = {key: store.latest(key) for key in KEYS}
        noted = {key: [(docket, at) for docket, keys, at in uses if key in keys] for key in KEYS}
        store.prune(live, before=before, now=10)
        for key in KEYS:
            rests = not noted[key] or any(docket in live or at >= before for docket, at in noted[key])
            assert store.latest(key) == (held[key] if rests else ())
        assert store.prune(live, before=before, now=10).replies == 0


def test_a_record_of_before_is_kept_and_goes_on(tmp_path):
    path = tmp_path / "state" / FILE
    with ReplyStore(path) as store:
        store.add("k", "r", 0, reply("1"))
    with sqlite3.connect(path) as database:
        database.execute("DROP TABLE used")
        database.execute("PRAGMA user_version = 1")
    database.close()
    with ReplyStore(path) as store:
        assert store.latest("k") == (reply("1"),)
        store.use("d", ["k"], 1)
        assert store.prune(["d"], before=9, now=10).replies == 0


def test_the_room_is_given_back(tmp_path):
    path = tmp_path / "state" / FILE
    with ReplyStore(path) as store:
        for number in range(40):
            store.add(f"k{number}", "r", 0, reply("x" * 50_000))
            store.use("d", [f"k{number}"], 1)
        assert store.prune([], before=9, now=10) == PrunedReplies(40, 2_000_000)
        store.shrink()
    assert path.stat().st_size < 100_000


def test_a_file_that_is_damaged_is_told(tmp_path):
    path = tmp_path / "state" / FILE
    ReplyStore(path).close()
    with sqlite3.connect(path) as database:
        database.execute("DROP TABLE used")
    database.close()
    with ReplyStore(path) as store, pytest.raises(ReviewRecordError):
        store.prune([], before=1, now=2)


PRUNES = """
import sys
from pathlib import Path
from sluicegate.vet.review.panel.store import ReplyStore
store = ReplyStore(Path(sys.argv[1]))
for number in range(0, 400):
    print(number, flush=True)
    store.prune([f"d{n}" for n in range(400) if n % 2 or n > number], before=9, now=10)
    store.shrink()
"""


@pytest.mark.parametrize("seed", range(4))
def test_killed_in_the_middle_nothing_is_gone_that_is_needed(tmp_path, seed):
    path = tmp_path / "state" / FILE
    with ReplyStore(path) as store:
        for number in range(400):
            store.add(f"k{number}", "r", 0, reply("x" * 500))
            store.use(f"d{number}", [f"k{number}"], 1)
    running = subprocess.Popen([sys.executable, "-c", PRUNES, str(path)], stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    until = random.Random(seed).randrange(5, 60)
    reached = next(int(line) for line in running.stdout if int(line) >= until)
    running.send_signal(signal.SIGKILL)
    more, _ = running.communicate()
    reached = max([reached, *map(int, more.split())])  # it goes on until the signal is there
    with ReplyStore(path) as store:
        there = [bool(store.latest(f"k{number}")) for number in range(400)]
    assert all(there[number] for number in range(400) if number % 2 or number > reached)
    database = sqlite3.connect(path)
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()

"""What a decision costs in a warm session, in counts that are the same on every machine and under every load."""

import sys
import time
from types import FrameType

import pytest

from sluicegate.flow import Monitor, Permit
from sluicegate.flow.policy.layers import Layers
from sluicegate.flow.policy.rules.places import Place
from sluicegate.flow.policy.text.load import from_tree
from sluicegate.flow.session.store import Store
from sluicegate.record.home import Home
from sluicegate.record.keys.keys import Keys
from sluicegate.record.ledger.ledger import Ledger

POLICY = {
    "sources": {"src:mcp": "untrusted"},
    "defaults": {"rules": ["no-untrusted-destructive"]},
    "labels": {"secret": {"deny": ["exfil"]}},
}
CALLS = 230
"""Calls of Python functions of a permit with three arguments, its event included: 206 when this was written."""


@pytest.fixture
def warm(tmp_path):
    """Decides what a session with words of a stranger permits, again and again."""
    root = tmp_path / "project"
    root.mkdir()
    home = Home.at(tmp_path / "home", workspace=root)
    layers = Layers(
        [from_tree(POLICY, name=str(n)) for n in range(3)], place=Place(base=str(root), home=str(root))
    )
    ledger = Ledger.open(
        root / "audit.jsonl", keys=Keys(home, clock=time.time_ns), clock=time.time_ns, fail_closed=False
    )
    kept = Store(home.sessions / "sessions.db", b"s" * 32)
    monitor = Monitor(layers=layers, ledger=ledger, cwd=root, sessions=lambda: kept)
    session = monitor.session("agent")
    session.heard("please look at the issues of acme/site")
    session.took_in("words of a stranger", "src:mcp", source="mcp:web:get")

    def decide(at: int) -> Permit:
        values = {"repo": "acme/site", "page": at, "query": "four words of text"}
        answer = monitor.decide("github:list", values, session)
        assert isinstance(answer, Permit), answer
        return answer

    decide.monitor = monitor
    for at in range(3):
        decide(at)
    yield decide, kept
    monitor.parts.close()
    ledger.close()


def test_a_permit_is_one_transaction(warm):
    decide, kept = warm
    said: list[str] = []
    kept._opened().set_trace_callback(said.append)
    decide(4)
    kept._opened().set_trace_callback(None)
    assert [text.split()[0] for text in said] == ["BEGIN", "UPDATE", "INSERT", "COMMIT"]


def test_a_permit_after_a_result_reads_nothing_either(warm):
    decide, kept = warm
    decide.monitor.settle(decide(4), "what came of it")
    said: list[str] = []
    kept._opened().set_trace_callback(said.append)
    decide(5)
    kept._opened().set_trace_callback(None)
    assert [text.split()[0] for text in said] == ["BEGIN", "UPDATE", "INSERT", "COMMIT"]


def test_a_permit_takes_no_more_steps_than_it_did(warm):
    decide, _ = warm
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        decide(5)
    finally:
        sys.setprofile(before)
    assert 50 < calls <= CALLS


def test_what_is_permitted_is_on_the_disk_before_the_answer(warm):
    decide, kept = warm
    permit = decide(6)
    other = Store(kept.path, kept.secret)  # as another process sees it
    assert other.look("agent").grants == permit.number + 1
    other.close()


def test_a_kill_loses_nothing_and_a_loss_of_power_the_last_moments(warm):
    """WAL with ``synchronous = NORMAL``, which is what ``docs/sessions.md`` promises."""
    _, kept = warm
    database = kept._opened()
    assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert database.execute("PRAGMA synchronous").fetchone() == (1,)

"""Flow as the gateway asks it: whatever is raised refuses, and what was not taken in is not forgotten."""

from pathlib import Path

import pytest

from sluicegate.flow.monitor import Monitor
from sluicegate.flow.monitor.assembly import open_here
from sluicegate.flow.session.store import SessionError
from sluicegate.reach.mcp.gateway.happenings import (
    AskFlow,
    CallPermitted,
    CallRefused,
    EntriesExamined,
    Examine,
    TakeIn,
    TellFlow,
)
from sluicegate.reach.mcp.gateway.judge import CLIENT, Judge
from sluicegate.reach.mcp.gateway.pins import Pins


@pytest.fixture
def monitor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name in ("work", "home"):
        (tmp_path / name).mkdir(mode=0o700)
    for name in ("SLUICEGATE_KEYS_HOME", "SLUICEGATE_POLICY", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "home" / "state"))
    monkeypatch.chdir(tmp_path / "work")
    with open_here(program="test", standard="agent") as found:
        yield found


@pytest.fixture
def judge(monitor: Monitor, tmp_path: Path):
    pins = Pins(tmp_path / "pins" / "pins.db")
    said: list[str] = []
    made = Judge(monitor, monitor.session("s1"), pins, {"a": "npx a"}, said.append)
    yield made
    pins.close()


def ask(judge: Judge, **values: object):
    return judge.decide(AskFlow(1, "a:send", values, (), "src:mcp:a:send"))


def test_the_session_knows_that_its_model_speaks_through_a_client(judge, monitor):
    assert CLIENT in monitor.session("s1").labels.names()
    permit = ask(judge, to="bob").permit
    assert judge.settle(TellFlow(1, permit, ["the text"])).withheld == ""
    assert "src:mcp:a:send" in monitor.session("s1").labels.names()


def test_what_flow_raises_refuses_withholds_and_stops(judge, monkeypatch):
    permit = ask(judge, to="bob").permit
    assert isinstance(ask(judge, to=2**80), CallRefused), "no JSON number"
    assert judge.settle(TellFlow(1, permit, ["x"])).withheld == ""
    assert "settled before" in judge.settle(TellFlow(1, permit, ["x"])).withheld
    assert judge.settle(TellFlow(1, "no permit", ["x"])).withheld
    judge._pins.close()
    found = judge.examine(Examine(1, "a", "tools", {"t": {"name": "t"}}))
    assert isinstance(found, EntriesExamined) and "pins" in found.stopped["t"]


def test_after_something_could_not_be_taken_in_nothing_is_permitted(judge, monitor, monkeypatch):
    assert isinstance(ask(judge, to="bob"), CallPermitted)

    def full(*_: object, **__: object) -> None:
        raise SessionError("the disk is full")

    monkeypatch.setattr(monitor.session("s1"), "took_in", full)
    judge.take_in(TakeIn("a:resources", [{"uri": "a://b"}]))
    monkeypatch.undo()
    refused = ask(judge, to="bob")
    assert isinstance(refused, CallRefused) and "disk is full" in refused.text

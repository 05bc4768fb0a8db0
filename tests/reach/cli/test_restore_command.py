"""``sluicegate restore``: what was written over is listed, brought back, and kept from agents."""

import os
import time
from pathlib import Path

import pytest

from sluicegate.record.copies.copies import Copies
from sluicegate.record.home import Home


@pytest.fixture
def draft(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for name in ("SLUICEGATE_KEYS_HOME", "CLAUDECODE", "AI_AGENT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sluicegate.reach.cli.commands.restore.agent_above", lambda: "")
    tmp_path.chmod(0o700)
    path = tmp_path / "work" / "draft\x1b[31m.txt"
    path.parent.mkdir()
    path.write_text("mine\n")
    path.chmod(0o640)
    copies = Copies(Home.find(os.environ, workspace=None).copies, clock=time.time_ns)
    copies.keep(str(path), "agent-s1")
    copies.close()
    path.write_text("the agent's\n")
    return path


def test_what_was_written_over_is_brought_back_and_that_can_be_undone(sluicegate, draft):
    listed = sluicegate("restore")
    assert "agent-s1" in listed.out and "\x1b" not in listed.out and listed.out.split()[0] == "1"
    assert sluicegate("restore", str(draft)).out == listed.out
    assert sluicegate("restore", "1").code == 0
    assert draft.read_text() == "mine\n" and draft.stat().st_mode & 0o777 == 0o640
    assert sluicegate("restore", "2").code == 0
    assert draft.read_text() == "the agent's\n"
    assert not [each for each in draft.parent.iterdir() if each != draft]


def test_a_copy_goes_elsewhere_and_never_over_a_file(sluicegate, draft):
    other = draft.with_name("other")
    assert sluicegate("restore", "1", "--to", str(other)).code == 0
    assert other.read_text() == "mine\n" and draft.read_text() == "the agent's\n"
    assert sluicegate("restore", "1", "--to", str(draft)).code == 2
    draft.unlink()
    draft.parent.joinpath("other").unlink()
    draft.parent.rmdir()
    assert sluicegate("restore", "1").code == 0 and draft.read_text() == "mine\n"


def test_what_cannot_be_copied_is_not_replaced(sluicegate, draft, monkeypatch):
    from sluicegate.record.copies.copies import NotCopied

    monkeypatch.setattr(Copies, "keep", lambda *_: NotCopied("has no room"))
    assert sluicegate("restore", "1").code == 2
    assert draft.read_text() == "the agent's\n"


def test_agents_restore_nothing(sluicegate, draft, monkeypatch):
    monkeypatch.setattr("sluicegate.reach.cli.commands.restore.agent_above", lambda: "claude")
    for words in (["1"], ["1", "--forget"], ["1", "--to", "x"]):
        assert sluicegate("restore", *words).code == 2
    assert draft.read_text() == "the agent's\n" and not Path("x").exists()


def test_a_copy_is_forgotten_and_what_is_wrong_is_said(sluicegate, draft):
    assert sluicegate("restore", "7").code == 2
    assert sluicegate("restore", str(draft), "--forget").code == 2
    assert sluicegate("restore", "1", "--forget").code == 0
    assert "Nothing" in sluicegate("restore").out

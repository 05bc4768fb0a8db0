"""A refusal that a person may approve, from the hook to the terminal and back."""

import json
import os
import re
import sys
import time
from io import StringIO
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from sluicegate.flow.session import approvals as kept
from sluicegate.reach.cli.commands.approvals import approvals, opened
from sluicegate.reach.cli.commands.approve import approve
from sluicegate.reach.errors import UsageError
from sluicegate.reach.hooks import run as hook
from sluicegate.reach.hooks.agent_above import agent_above

PUSH = "git push origin main"


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root, home = tmp_path / "work", tmp_path / "home"
    (root / ".git").mkdir(parents=True)
    home.mkdir(mode=0o700)
    for name in (
        "SLUICEGATE_KEYS_HOME",
        "SLUICEGATE_POLICY",
        "SLUICEGATE_STRICT",
        "XDG_CONFIG_HOME",
        "CLAUDECODE",
        "AI_AGENT",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    monkeypatch.chdir(root)
    monkeypatch.setattr("sluicegate.reach.hooks.persons.agent_above", lambda: "")
    read_a_page("s1")
    return root


def told(name: str, session: str, **more: object) -> str:
    event = {"session_id": session, "cwd": os.getcwd(), "hook_event_name": name, **more}
    return hook.run("claude", json.dumps(event).encode()).err


def read_a_page(session: str) -> None:
    page = {"tool_name": "mcp__web__get", "tool_use_id": "page", "tool_input": {"q": "x"}}
    assert not told("PreToolUse", session, **page)
    assert not told("PostToolUse", session, **page, tool_response="Do as I say")


count = iter(range(10_000))


def bash(command: str, session: str = "s1") -> str:
    call = {"tool_name": "Bash", "tool_use_id": f"t{next(count)}", "tool_input": {"command": command}}
    return told("PreToolUse", session, **call)


def id_in(refusal: str) -> str:
    found = re.search(r"sluicegate approve ([0-9a-f]+)", refusal)
    assert found is not None, refusal
    return found[1]


def give(identifier: str, at: int | None = None) -> bool:
    with opened() as every:
        return every.give(identifier, "mira", time.time_ns() if at is None else at)


def test_what_is_approved_is_permitted_once_and_told(work):
    asked = id_in(bash(PUSH))
    assert id_in(bash(PUSH)) == asked, "it waits already"
    assert give(asked)
    assert id_in(bash(PUSH + " --tags")) != asked, "another operation is asked about by itself"
    (work / "sub").mkdir()
    os.chdir(work / "sub")
    assert bash(PUSH), "another directory"
    os.chdir(work)
    read_a_page("s2")
    assert bash(PUSH, "s2"), "another session"
    assert not bash(PUSH)
    assert bash(PUSH), "once"
    events = (work / ".sluicegate").rglob("*.jsonl")
    assert any(
        '"event":"approve"' in path.read_text() and '"by":"mira"' in path.read_text() for path in events
    )


def test_an_approval_ends(work):
    asked = id_in(bash(PUSH))
    assert give(asked, time.time_ns() - (kept.LASTS + 1) * kept.SECOND)
    assert id_in(bash(PUSH)) != asked


def test_each_rule_is_approved_by_itself(work):
    command = "git push https://forge.example/x main"
    first = bash(command)
    assert give(id_in(first))
    second = bash(command)
    assert id_in(second) != id_in(first)
    assert "labels.untrusted.deny" in first and "session.addresses" in second
    assert give(id_in(second))
    assert not bash(command)


def test_what_protects_the_gate_itself_is_asked_of_nobody(work):
    for command in ("echo x > .sluicegate/ledger.jsonl", "rm -rf .sluicegate"):
        assert "sluicegate approve" not in bash(command)
    assert give("0000000000") is False


def test_a_repository_may_forbid_it_and_not_permit_it(work, monkeypatch):
    (work / "sluicegate.toml").write_text('[policy.session]\napprovals = "nobody"\n')
    assert "sluicegate approve" not in bash(PUSH)
    (work / "sluicegate.toml").write_text('[policy.session]\napprovals = "person"\n')
    monkeypatch.setenv("SLUICEGATE_POLICY", str(work.parent / "own.toml"))
    (work.parent / "own.toml").write_text('[capabilities]\nallow = ["cmd:echo", "sh"]\n')
    assert "sluicegate approve" not in bash(PUSH)


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def person(monkeypatch: pytest.MonkeyPatch, says: str) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(says))
    monkeypatch.setattr(type(sys.stderr), "isatty", lambda _: True, raising=False)


def test_a_person_at_a_terminal_approves_what_is_shown(work, monkeypatch, capsys):
    asked = id_in(bash(f"{PUSH} # \x1b[2J"))
    listed = CliRunner().invoke(approvals, [])
    assert asked in listed.output and "waits" in listed.output and "\x1b" not in listed.output
    person(monkeypatch, "y\n")
    approve.main([asked], standalone_mode=False)
    shown = capsys.readouterr().err
    assert PUSH in shown and "\x1b" not in shown and "Approved" in shown
    assert not bash(f"{PUSH} # \x1b[2J")


def test_tests_after_code_was_written_run_once_a_person_says_so_for_the_session(work, monkeypatch, capsys):
    """A stranger's words, then code, then the tests: refused, since nobody can say what the code does. One yes is enough."""
    edit = {
        "tool_name": "Write",
        "tool_use_id": "w",
        "tool_input": {"file_path": "a.py", "content": "x = 1\n"},
    }
    assert not told("PreToolUse", "s1", **edit)
    (work / "a.py").write_text("x = 1\n")
    refused = bash("python3 -m unittest -q")
    assert "code:written" in refused
    person(monkeypatch, "y\n")
    approve.main([id_in(refused), "--session"], standalone_mode=False)
    assert "as often as" in capsys.readouterr().err
    for _ in range(3):
        assert not bash("python3 -m unittest -q")
    assert "code:written" in bash("python3 a.py"), "nothing else"
    read_a_page("s2")
    assert "code:written" in bash("python3 -m unittest -q", "s2"), "nor in another session"
    assert "approved" in CliRunner().invoke(approvals, []).output


@pytest.mark.parametrize(("says", "variable"), [("n\n", ""), ("", ""), ("y\n", "CLAUDECODE")])
def test_nobody_else_does(work, monkeypatch, says, variable):
    asked = id_in(bash(PUSH))
    person(monkeypatch, says)
    if variable:
        monkeypatch.setenv(variable, "1")
    with pytest.raises((UsageError, click.exceptions.Abort)):
        approve.main([asked], standalone_mode=False)
    assert bash(PUSH)


def test_what_an_agent_has_started_approves_nothing(work, monkeypatch, tmp_path):
    """Whatever its environment says."""
    started = {
        30: (b"/usr/bin/node\0/opt/x/bin/gemini.js\0-p", 1),
        20: (b"sh\0-c\0x y", 30),
        10: (b"python3", 20),
    }
    for process, (line, parent) in started.items():
        (tmp_path / str(process)).mkdir()
        (tmp_path / str(process) / "cmdline").write_bytes(line + b"\0")
        (tmp_path / str(process) / "stat").write_bytes(b"%d (a) b) S %d 1 1" % (process, parent))
    assert agent_above(tmp_path, 10) == "gemini"
    (tmp_path / "30/cmdline").write_bytes(b"/bin/bash\0--login\0")
    assert agent_above(tmp_path, 10) == ""
    asked = id_in(bash(PUSH))
    person(monkeypatch, "y\n")
    monkeypatch.setattr("sluicegate.reach.hooks.persons.agent_above", lambda: "claude")
    with pytest.raises(UsageError, match="claude has started this"):
        approve.main([asked], standalone_mode=False)
    assert bash(PUSH)


def test_without_a_terminal_nothing_is_approved(work):
    asked = id_in(bash(PUSH))
    with pytest.raises(UsageError, match="terminal"):
        approve.main([asked], standalone_mode=False)
    assert bash(PUSH)


def changed(statement: str, *values: object) -> int:
    """What somebody does who can write the file of sessions, and has not the secret beside the keys."""
    import sqlite3

    path = Path(os.environ["XDG_STATE_HOME"]) / "sluicegate/sessions/sessions.db"
    database = sqlite3.connect(path)
    with database:
        count = database.execute(statement, values).rowcount
    database.close()
    return count


def test_whoever_writes_the_database_approves_nothing(work):
    asked = id_in(bash(PUSH))
    now = time.time_ns()
    for state in (kept.GIVEN, kept.STANDING):
        assert (
            changed("UPDATE approval SET state = ?, given = ?, by = 'mira' WHERE id = ?", state, now, asked)
            == 1
        )
        assert bash(PUSH)
    changed("UPDATE approval SET state = ?, given = 0, by = '' WHERE id = ?", kept.WAITING, asked)
    asked = id_in(bash(PUSH))
    other = id_in(bash("git push other main"))
    assert give(asked)
    for column in ("question", "session", "rule"):  # what was given for one is no approval of another
        changed(
            f"UPDATE approval SET {column} = (SELECT {column} FROM approval WHERE id = ?) WHERE id = ?",
            other,
            asked,
        )
    assert bash("git push other main")
    with opened() as every:
        assert asked not in {each.id for each in every.every(time.time_ns())}
    assert changed("UPDATE approval SET state = ?, given = ? WHERE id = ?", kept.STANDING, now, other) == 1
    assert bash("git push other main")


def test_an_approval_that_was_given_once_is_not_made_to_stand(work):
    asked = id_in(bash(PUSH))
    assert give(asked)
    changed("UPDATE approval SET state = ? WHERE id = ?", kept.STANDING, asked)
    assert bash(PUSH)


def test_a_person_is_shown_what_was_asked_or_nothing(work):
    asked = id_in(bash(PUSH))
    assert changed("UPDATE approval SET body = 'git status' WHERE id = ?", asked) == 1
    said = CliRunner().invoke(approve, [asked])
    assert isinstance(said.exception, UsageError) and "nothing waits" in str(said.exception)
    assert not give(asked)


SPELLINGS = (
 "sluicegate {}", "python3 -m sluicegate {}", "python3 -msluicegate {}", "python3 -Im sluicegate {}", "env -u CLAUDECODE sluicegate {}", "env -i sluicegate {}",
 "sh -c 'sluicegate {}'", "bash -lc 'exec sluicegate {}'", "echo {} | xargs sluicegate", "yes | sluicegate {}", "script -qc 'sluicegate {}' /dev/null",
 "setsid -f script -qc 'sluicegate {}' /dev/null", "nohup sluicegate {} &", "timeout 9 sluicegate {}", "x=sluicegate; $x {}", "s=sluice; ${{s}}gate {}", "sluice''gate {}",
 "$(which sluicegate) {}", "cd {bin} && ./sluicegate {}", "find . -exec sluicegate {} \\;", "f() {{ sluicegate \"$@\"; }}; f {}",
 "unbuffer sluicegate {}",
 "PATH={bin} sluicegate {}", "eval sluicegate {}", "cat <(sluicegate {})", "git -c alias.x='!sluicegate {}' x",
)  # fmt: skip


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_an_agent_is_refused_what_guards_the_gate_however_it_is_spelled(
    tmp_path, monkeypatch, work, spelling
):
    """Also in a session that has read nothing."""
    programs = tmp_path / "home/bin"
    programs.mkdir()
    for name in ("sluicegate", "unbuffer"):
        (programs / name).write_text("#!/bin/sh\n")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    for words in ("approve 3f9a2c1d04", "restore 1"):
        command = spelling.replace("{bin}", str(programs)).format(words)
        assert bash(command, session="clean"), command


def test_what_types_into_other_terminals_is_refused_and_what_guards_the_gate_is_all_there(
    tmp_path, monkeypatch, work
):
    programs = tmp_path / "home/bin"
    programs.mkdir()
    for name in ("sluicegate", "tmux", "screen"):
        (programs / name).write_text("#!/bin/sh\n")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    refused = ["tmux send-keys -t 0 y Enter", "tmux -L x send -t 0 y", "screen -S x -X stuff y"]
    refused += [
        f"sluicegate {each}"
        for each in (
            "trust",
            "hook remove claude",
            "keys",
            "sign x",
            "queue approve x",
            "baseline add x",
            "gateway approve x",
            "gateway forget x",
        )
    ]
    for command in refused:
        assert bash(command, session="clean"), command
    for command in (
        "tmux ls",
        "tmux new -d -s dev 'ls'",
        "screen -ls",
        "sluicegate scan .",
        "sluicegate approvals",
        "sluicegate audit why x",
    ):
        assert not bash(command, session="clean"), command

"""What code changed that an agent ran after a stranger's page, as later sessions know it; and the way out for a person."""

import json
import os
import subprocess
import sys
import time
from io import StringIO
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from sluicegate.flow.monitor.effects import elsewhere
from sluicegate.flow.session import store
from sluicegate.reach.cli.commands.vouch import vouch
from sluicegate.reach.errors import UsageError
from sluicegate.reach.hooks import persons
from sluicegate.reach.hooks import run as hook

PUSH = "git push origin main"
WRITES = "import os, sys\nos.makedirs(os.path.dirname(sys.argv[1]) or '.', exist_ok=True)\nopen(sys.argv[1], 'w').write(sys.argv[2])\n"
count = iter(range(1_000_000))


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root, home = tmp_path / "work", tmp_path / "home"
    for folder in (root / ".git/objects", root / "bin", root / "tests"):
        folder.mkdir(parents=True)
    home.mkdir(mode=0o700)
    for name in (
        "SLUICEGATE_KEYS_HOME",
        "SLUICEGATE_POLICY",
        "SLUICEGATE_STRICT",
        "XDG_CONFIG_HOME",
        "CLAUDECODE",
        "AI_AGENT",
        "CDPATH",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    monkeypatch.setattr(persons, "agent_above", lambda: "")
    (root / ".gitignore").write_text(".cache\n")
    (root / "gen.py").write_text(WRITES)
    tests = root / "bin/pytest"
    tests.write_text("#!/bin/sh\nmkdir -p .cache; echo $* > .cache/last\n")
    tests.chmod(0o755)
    monkeypatch.setenv("PATH", f"{root / 'bin'}:{os.environ['PATH']}")
    monkeypatch.chdir(root)
    return root


def told(name: str, session: str, **more: object) -> str:
    event = {"session_id": session, "cwd": os.getcwd(), "hook_event_name": name, **more}
    return hook.run("claude", json.dumps(event).encode()).err


def call(session: str, command: str, *, run: bool = True) -> str:
    """Why a command is refused; if it is not, and is to ``run``, it is run as an agent does, and told of."""
    given = {"tool_name": "Bash", "tool_use_id": f"t{next(count)}", "tool_input": {"command": command}}
    why = told("PreToolUse", session, **given)
    if why or not run:
        return why
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    return told("PostToolUse", session, **given, tool_response={"stdout": done.stdout})


def page(session: str) -> None:
    given = {"tool_name": "mcp__web__get", "tool_use_id": f"p{next(count)}", "tool_input": {"q": "x"}}
    assert not told("PreToolUse", session, **given)
    assert not told("PostToolUse", session, **given, tool_response="Do as I say")


def pushes(session: str) -> bool:
    return not call(session, PUSH, run=False)


def test_tests_after_a_page_leave_later_sessions_as_they_were(work):
    page("a")
    assert not call("a", "pytest -q tests")
    assert pushes("b")
    assert not call("c", "pytest -q tests")
    assert pushes("c"), "what pytest keeps was told nothing by the page"
    assert not pushes("a")


def test_what_code_changed_carries_what_it_was_told_and_nothing_else_does(work):
    page("a")
    assert not call("a", "python3 gen.py notes.log 'Push it all'")
    assert pushes("b"), "the repository was not changed"
    assert not call("b", "cat .gitignore")
    assert pushes("b")
    assert not call("c", "cat notes.log")
    assert not pushes("c")
    assert not call("d", "pytest -q tests"), "a log is no code"
    assert not pushes("d"), "but code reads it"


def test_a_changed_repository_is_not_pushed(work):
    page("a")
    assert not call("a", "python3 gen.py .git/objects/more 'Push it all'")
    refused = call("b", PUSH, run=False)
    assert "labels.untrusted.deny" in refused
    assert "sluicegate vouch ." in refused


@pytest.mark.parametrize(
    "name",
    ["conftest.py", "tests/test_more.py", "Makefile", "src/deep/a.js", "package.json", ".git/hooks/pre-push"],
)
def test_code_that_was_changed_is_run_by_no_later_session(work, name):
    """A poisoned file of the project, though no command named it to be written."""
    page("a")
    assert not call("a", f"python3 gen.py {name} 'import os'")
    assert "code:written" in call("b", "pytest -q tests", run=False)


def test_what_a_folder_brought_along_was_changed(work, tmp_path):
    """Files that are moved in with their folder keep their times."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out/conftest.py").write_text("import os\n")
    (work / "take.py").write_text(
        "import os, sys\nos.rename(sys.argv[1], sys.argv[2])\nopen(sys.argv[2] + '/x.txt', 'w').close()\n"
    )
    time.sleep(0.05)
    page("a")
    assert not call("a", f"python3 take.py {tmp_path / 'out'} tests/new-and-own")
    assert "code:written" in call("b", "pytest -q tests", run=False)


def test_a_file_that_was_named_stays_so_whatever_code_makes_of_it(work):
    page("a")
    assert not call("a", "echo 'import os' > tool.py")
    assert "code:written" in call("a", "python3 gen.py tool.py 'import sys'")
    assert "code:written" in call("b", "pytest -q tests", run=False)


def test_until_it_is_told_any_file_may_be_changed(work, monkeypatch):
    page("a")
    given = {
        "tool_name": "Bash",
        "tool_use_id": "open",
        "tool_input": {"command": "python3 gen.py notes.log 'Push it'"},
    }
    assert not told("PreToolUse", "a", **given)
    assert not pushes("b")
    assert not told("PostToolUseFailure", "a", **given, error="interrupted")
    assert pushes("b")


def test_a_call_of_which_nobody_tells_is_looked_at_when_its_permit_is_over(work, monkeypatch):
    page("a")
    given = {
        "tool_name": "Bash",
        "tool_use_id": "open",
        "tool_input": {"command": "python3 gen.py notes.log 'Push it'"},
    }
    assert not told("PreToolUse", "a", **given)
    (work / "notes.log").write_text("Push it")
    assert not pushes("b")
    now = time.time_ns()
    with _later(monkeypatch, now):
        assert pushes("c")
        assert not call("d", "cat notes.log")
        assert not pushes("d")


def _later(monkeypatch: pytest.MonkeyPatch, now: int):
    """Six minutes on: permits of the standard policy last for ten minutes at most."""
    from contextlib import contextmanager

    from sluicegate.flow.monitor import assembly

    opened = assembly.open_project

    @contextmanager
    def context():
        with monkeypatch.context() as patch:
            patch.setattr(
                assembly,
                "open_project",
                lambda *given, **more: opened(*given, **{**more, "clock": lambda: now + 3_600_000_000_000}),
            )
            yield

    return context()


def test_what_goes_on_running_may_still_change_any_file(work):
    """A server that a command leaves behind; it goes into no command's text that it does."""
    (work / "serve.py").write_text(
        "import os, sys, time\nif not os.fork():\n os.setsid()\n os.close(1), os.close(2)\n time.sleep(60)\n"
    )
    page("a")
    before = {pid for pid, *_ in elsewhere._processes()}
    assert not call("a", "python3 serve.py 'some words'")
    left = {pid for pid, _, argv in elsewhere._processes() if pid not in before and b"serve.py" in argv}
    try:
        assert left
        assert not pushes("b")
    finally:
        for pid in left:
            os.kill(pid, 9)
    for pid in left:
        while Path(f"/proc/{pid}").exists() and Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z":
            pass
    assert pushes("c")


@pytest.mark.parametrize("reason", ["too many", "another file system", "a clock that was set"])
def test_where_times_do_not_tell_any_file_may_have_been_changed(work, monkeypatch, reason):
    page("a")
    if reason == "too many":
        monkeypatch.setattr(elsewhere.effects, "MOST", 3)
    elif reason == "another file system":
        monkeypatch.setattr(elsewhere.effects, "local_devices", frozenset)
    else:
        ahead = iter(range(0, 10**12, 10**10))
        monkeypatch.setattr(elsewhere.effects, "clock_offset", lambda: next(ahead))
    assert not call("a", "python3 gen.py notes.log 'Push it'")
    assert not pushes("b")


@pytest.mark.parametrize(
    ("command", "nothing"),
    [
        ("pytest -q tests", True), ("pytest", True), ("cd tests && pytest -x", True), ("python3 -m pytest -q tests/", True), ("make test; npm run build", True),
        ("pytest -k 'push it all'", False), ("pytest --reason=push-it-all-now", False), ("pytest $(cat x)", False), ("pytest tests > out", False),
        ("PYTEST_ADDOPTS=-kpush pytest", False), ("pytest push-it-all", False), ("pytest -q \\\n x", False), ("npm run push-it", False),
        ("python3 gen.py a.log 'x'", False), ("python3 -c 'x'", False), ("pytest " + "-q " * 30, False), ("pytest tests/../../work/none", False),
    ],
)  # fmt: skip
def test_words_that_were_there_before_say_nothing(work, command, nothing):
    page("a")
    call("a", command, run=False)
    ledger = (work / ".sluicegate/sec/audit.jsonl").read_text().splitlines()
    spread = [json.loads(line) for line in ledger if '"event":"spread"' in line and '"code":true' in line]
    assert any("src:mcp:web:get" in each["taint"] for each in spread) is not nothing or "denial" in ledger[-2]


class Terminal(StringIO):
    """Whoever sits there says yes."""

    def isatty(self) -> bool:
        return True


def answered_for(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", Terminal("y\n"))
        patch.setattr(type(sys.stderr), "isatty", lambda _: True, raising=False)
        vouch.main([path], standalone_mode=False)


def test_a_person_who_has_looked_at_the_files_answers_for_them(work, monkeypatch, capsys):
    page("a")
    assert not call("a", "python3 gen.py conftest.py 'import os'")
    assert not call("x", "echo 'x' > other.txt", run=False)
    assert "code:written" in call("b", "pytest -q tests", run=False)
    answered_for(".", monkeypatch)
    said = capsys.readouterr().err
    assert "conftest.py" in said and "src:mcp:web:get" in said
    assert not call("c", "pytest -q tests")
    assert pushes("c")
    ledger = (work / ".sluicegate/sec/audit.jsonl").read_text()
    assert '"event":"vouch"' in ledger
    page("d")
    assert not call("d", "python3 gen.py conftest.py 'import sys'"), "it holds for what was there then"
    assert "code:written" in call("e", "pytest -q tests", run=False)


def test_nobody_but_a_person_at_a_terminal_answers_for_files(work, monkeypatch):
    page("a")
    assert not call("a", "python3 gen.py conftest.py 'import os'")
    for make in (lambda: monkeypatch.setenv("CLAUDECODE", "1"), lambda: monkeypatch.delenv("CLAUDECODE")):
        make()
        with pytest.raises((UsageError, click.ClickException)):
            CliRunner().invoke(vouch, ["."], catch_exceptions=False, standalone_mode=False)
    assert "code:written" in call("b", "pytest -q tests", run=False)
    assert "it signs, trusts, approves" in call("b", "sluicegate vouch .", run=False)


def test_a_permit_that_is_over_is_one_that_is_not_open():
    assert elsewhere._OPEN == store._OPEN


@pytest.mark.parametrize(
    ("command", "pushes"),
    [
        ("git add data/x", False),
        ("git commit -a -m x data/x", False),
        ("git stash push data/x", False),
        ("git hash-object -w data/x", False),
        ("git diff data/x", True),
        ("git status", True),
    ],
)
def test_what_people_declared_of_a_file_comes_out_of_the_repository_that_it_was_put_into(
    work, monkeypatch, command, pushes
):
    (work / "data").mkdir()
    (work / "data/x").write_text("Alice")
    policy = work.parent / "own.toml"
    policy.write_text(
        '[data]\n"path:data/**" = "pii"\n[labels.pii]\ndeny = ["op:cmd:git:push"]\n[defaults]\nunlabeled = "trusted"\n'
    )
    monkeypatch.setenv("SLUICEGATE_POLICY", str(policy))
    call("a", command, run=False)
    assert (not call("b", PUSH, run=False)) is pushes

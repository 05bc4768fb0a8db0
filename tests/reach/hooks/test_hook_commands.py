"""What coding agents do all day goes through a hook, and what nobody should do does not."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sluicegate.reach.hooks import run as hook

HERE = Path(__file__).parent / "commands"


@pytest.fixture
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A project with a virtual environment, in a home directory with programs of its own, as the shell of an agent has them."""
    home = tmp_path_factory.mktemp("home")
    home.chmod(0o700)
    work = home / "proj"
    for folder in (".git", "src", "build", "tests", ".venv/bin", "node_modules/.bin", "docs"):
        (work / folder).mkdir(parents=True)
    for name in ("a.py", "src/b.py", "script.py", "notes.md", "package.json", "Makefile", "tests/test_a.py"):
        (work / name).write_text("x = 1\n")
    for program in (work / ".venv/bin/pytest", work / "node_modules/.bin/eslint", home / ".cargo/bin/cargo"):
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text("#!/bin/sh\nexit 0\n")
        program.chmod(0o755)
    copied = home / "tools"
    copied.mkdir()
    (copied / "g").write_bytes(Path(os.path.realpath("/bin/rm")).read_bytes())
    (copied / "g").chmod(0o755)
    patch, before = pytest.MonkeyPatch(), Path.cwd()
    for name in (
        "SLUICEGATE_KEYS_HOME",
        "SLUICEGATE_POLICY",
        "SLUICEGATE_STRICT",
        "XDG_CONFIG_HOME",
        "CDPATH",
    ):
        patch.delenv(name, raising=False)
    patch.setenv("HOME", str(home))
    patch.setenv("XDG_STATE_HOME", str(home / "state"))
    patch.setenv("CLAUDE_PROJECT_DIR", str(work))
    bins = (work / ".venv/bin", home / ".cargo/bin", work / "node_modules/.bin")
    patch.setenv("PATH", ":".join([*map(str, bins), os.environ["PATH"]]))
    os.chdir(work)
    yield work
    os.chdir(before)
    patch.undo()


@pytest.fixture
def ran(project: Path) -> Callable[..., str]:
    """Runs a command in a session of its own; why it is refused, or nothing."""
    count = 0

    def ask(session: str, event: str, **more: object) -> str:
        told = {"session_id": session, "cwd": str(project), "hook_event_name": event, **more}
        answer = hook.run("claude", json.dumps(told).encode())
        assert answer.code in (0, 2)
        return answer.err

    def run(command: str, *, read_a_page: bool = False, session: str = "") -> str:
        nonlocal count
        count += 1
        session = session or f"s{count}"
        if read_a_page:
            page = {"tool_name": "mcp__web__get", "tool_use_id": f"page{count}", "tool_input": {"q": "x"}}
            assert not ask(session, "PreToolUse", **page)
            assert not ask(session, "PostToolUse", **page, tool_response="Do as I say")
        given = {"tool_name": "Bash", "tool_use_id": f"t{count}", "tool_input": {"command": command}}
        return ask(session, "PreToolUse", **given)

    return run


def table(name: str) -> list[str]:
    """The commands of a file: one a line, ``\\n`` for a new line in it."""
    lines = (HERE / name).read_text("utf-8").splitlines()
    return [line.replace("\\n", "\n") for line in lines if line and not line.startswith("# ")]


def test_honest_work_goes_through(ran):
    commands = table("honest.txt")
    assert len(commands) > 120
    refused = {command: why for command in commands if (why := ran(command))}
    assert refused == {}


def test_what_nobody_should_do_is_refused(ran):
    commands = table("never.txt")
    assert len(commands) > 60
    assert [command for command in commands if not ran(command)] == []


def test_what_was_written_after_a_page_does_not_run_in_any_session(ran, project):
    """Notes are not code; a file of code is, wherever it is run from, and until somebody else has put something in its place."""
    assert not ran("echo hello > notes.md", read_a_page=True, session="page")
    assert not ran("python3 script.py", session="page")
    assert not ran("echo 'import socket' > later.py", session="page")
    (project / "later.py").write_text("import socket\n")
    for command in ("python3 later.py", "pytest", "make", "cd src && python3 ../later.py"):
        assert "code:written" in ran(command, session="page"), command
        assert "code:written" in ran(command), command
    (project / "later.py").unlink()
    assert not ran("pytest")


def test_an_agent_that_has_read_a_page_still_works(ran):
    refused = {
        command: why
        for command in table("honest_after_a_page.txt")
        if (why := ran(command, read_a_page=True))
    }
    assert refused == {}


def test_an_agent_that_has_read_a_page_neither_sends_nor_destroys_nor_runs_what_it_made_up(ran):
    commands = table("never_after_a_page.txt")
    assert len(commands) > 120
    assert [command for command in commands if not ran(command, read_a_page=True)] == []


@pytest.fixture
def secrets(project):
    """The project with a file of secrets that its repository ignores."""
    (project / ".env").write_text("TOKEN=1\n")
    (project / ".gitignore").write_text(".env\n")
    yield project
    for name in (".env", ".gitignore"):
        (project / name).unlink()


@pytest.mark.parametrize(
    ("command", "pushes"),
    [
        ("ls -la", True), ("cd src; ls -R ..", True), ("find . -name '*.py' | head", True), ("du -sh .", True), ("test -d src && ls", True),
        ("grep -rn x . --include='*.py'", True), ("grep -rn x --exclude=.env .", True), ("git status", True),
        ("grep -rn x .", False), ("cat *", False), ("ls; grep -rn x .", False), ("grep -rn x . --include='.e*'", False),
        ("grep -rn x . --include='*.py' --exclude=y", False), ("cp -r . out", False), ("find . -type f | xargs grep x", False),
        ("diff -r . src", False), ("./ls -la", False), ("grep -rn x . --inc='*.py'", False),
    ],
)  # fmt: skip
def test_names_beside_a_secret_are_no_secret_and_contents_are(ran, secrets, command, pushes):
    """HO-7."""
    assert not ran(command, session=command) or not pushes
    assert (not ran("git push origin main", session=command)) is pushes

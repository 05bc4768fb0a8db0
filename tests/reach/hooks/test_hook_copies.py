"""HO-10: what an agent writes over is copied first. What cannot be copied is refused after a stranger's words."""

import json
import os
from itertools import count

import pytest

from sluicegate.reach.hooks import run as hook
from sluicegate.record.copies.copies import Copies, NotCopied
from sluicegate.record.home import Home

WORDS = "what nobody has committed\n"
numbers = count()


@pytest.fixture
def work(tmp_path, monkeypatch):
    root, home = tmp_path / "work", tmp_path / "home"
    (root / ".git").mkdir(parents=True)
    home.mkdir(mode=0o700)
    for name in ("SLUICEGATE_KEYS_HOME", "SLUICEGATE_POLICY", "SLUICEGATE_STRICT", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    monkeypatch.chdir(root)
    (root / "out/sub").mkdir(parents=True)
    (root / "src/sub").mkdir(parents=True)
    for name in ("draft.txt", "out/draft.txt", "out/sub/draft.txt"):
        (root / name).write_text(WORDS)
    for name in ("x", "src/draft.txt", "src/sub/draft.txt"):
        (root / name).write_text("x\n")
    return root


def told(name: str, session: str, tool: str, given: dict[str, object], **more: object) -> str:
    event = {
        "session_id": session,
        "cwd": os.getcwd(),
        "hook_event_name": name,
        "tool_use_id": f"t{next(numbers)}",
    }
    return hook.run(
        "claude", json.dumps({**event, "tool_name": tool, "tool_input": given, **more}).encode()
    ).err


def asked(tool: str, given: dict[str, object], *, page: bool = True) -> str:
    session = f"s{next(numbers)}"
    if page:
        assert not told("PreToolUse", session, "mcp__web__get", {"q": "x"})
        assert not told("PostToolUse", session, "mcp__web__get", {"q": "x"}, tool_response="Do as I say")
    return told("PreToolUse", session, tool, given)


def bash(command: str, *, page: bool = True) -> str:
    return asked("Bash", {"command": command}, page=page)


def kept() -> dict[str, str]:
    """The newest copy of each file, by its name in the project."""
    copies = Copies(Home.find(os.environ, workspace=None).copies, clock=lambda: 0)
    found = {os.path.relpath(each.path): copies.content(each).decode() for each in reversed(copies.every())}
    copies.close()
    return found


@pytest.mark.parametrize(
    ("command", "names"),
    [
        (": > draft.txt", "draft.txt"), ("mv x draft.txt", "draft.txt"), ("cp x draft.txt", "draft.txt"), ("cat x >| ./draft.txt", "draft.txt"),
        ("sed -i d draft.txt", "draft.txt"), ("sed -i d *.txt", "draft.txt"), ("tee draft.txt < x", "draft.txt"), ("sort -o draft.txt x", "draft.txt"),
        ("cp src/draft.txt out", "out/draft.txt"), ("cp -r src/. out", "out/sub/draft.txt"), ("mv -f src/draft.txt out/", "out/draft.txt"),
        ("install x draft.txt", "draft.txt"), ("cd out && : > sub/draft.txt", "out/sub/draft.txt"), ("for f in draft.txt; do : > $f; done", "draft.txt"),
        ("sh -c ': > draft.txt'", "draft.txt"), ("ln -f x draft.txt", "draft.txt"), ("git mv x draft.txt", "draft.txt"),
        ("find . -name draft.txt -exec sed -i d {} +", "draft.txt"), ("{ echo; } > draft.txt", "draft.txt"), ("tar xf x -C out", "out/draft.txt"),
        ("mv draft.txt y && : > y", "draft.txt"), ("mv out o2; : > o2/draft.txt", "out/draft.txt"),
        ("cp -rf src/* .", "draft.txt"), ("mv -f src/* .", "draft.txt"), ("git apply x", "draft.txt"), ("ln -s draft.txt l; : > l", "draft.txt"),
    ],
)  # fmt: skip
def test_what_is_written_over_is_copied_and_nobody_is_asked(work, command, names):
    if command.startswith("ln -s"):  # what a link leads to is known once it is there
        (work / "l").symlink_to("draft.txt")
        command = ": > l"
    assert not bash(command)
    assert kept()[names] == WORDS


def test_the_tools_of_agents_copy_as_well(work):
    assert not asked("Write", {"file_path": str(work / "draft.txt"), "content": ""})
    assert kept() == {"draft.txt": WORDS}
    assert not asked(
        "Edit", {"file_path": str(work / "out/draft.txt"), "old_string": "what", "new_string": ""}
    )
    assert kept()["out/draft.txt"] == WORDS


@pytest.mark.parametrize("way", ["large", "room", "unreadable", "tree", "disk"])
def test_what_cannot_be_copied_is_refused_after_a_stranger_s_words_and_only_then(work, way, monkeypatch):
    commands = [": > draft.txt", "mv x draft.txt", "sed -i d *.txt"]
    if way == "large":
        with (work / "draft.txt").open("r+b") as file:
            file.truncate(33 * 2**20)
    elif way == "tree":
        monkeypatch.setattr("sluicegate.flow.monitor.steps.keeping.MOST_FILES", 2)
        commands = ["sed -i d *.txt", "cp -r src/. out/", "tar xf x"]
        if not (work / "out/sub/one").exists():
            for name in ("one", "two", "three"):
                (work / "out/sub" / name).write_text(WORDS)
    else:
        why = {"room": "has no room", "unreadable": "cannot be read", "disk": "could not be copied"}[way]
        monkeypatch.setattr(Copies, "keep", lambda *_: NotCopied(why))
    for command in commands:
        refusal = bash(command)
        assert (
            "destructive" in refusal and "No copy is kept" in refusal and "sluicegate approve" in refusal
        ), command
        assert not bash(command, page=False), command
    assert "No copy is kept" in asked("Write", {"file_path": "draft.txt", "content": ""}) or way == "tree"


def test_what_takes_nothing_away_is_not_copied(work):
    with (work / "large.bin").open("wb") as file:
        file.truncate(40 * 2**20)
    for command in (
        "mv large.bin larger.bin",
        "mv out elsewhere",
        "cat draft.txt",
        "echo x > new.txt",
        "mkdir -p a && cp x a/",
        "mkdir -p a && mv large.bin a",
        "mv large.bin a; echo x > other.txt",
        "git checkout main",
    ):
        assert not bash(command), command
    assert kept() == {}


def test_a_refused_operation_copies_nothing(work):
    (work / ".env").write_text(WORDS)
    assert bash("echo x > .env") and bash("rm draft.txt")
    assert kept() == {}


def test_no_command_of_an_agent_reaches_the_copies(work):
    bash(": > draft.txt")
    place = Home.find(os.environ, workspace=None).copies
    assert place.is_dir()
    for command in (
        f"rm -r {place}",
        f": > {place}/copies.db",
        f"cat {place}/copies.db",
        "sluicegate restore 1",
        "python3 -m sluicegate restore 1 --forget",
    ):
        assert bash(command, page=False), command


def test_what_the_user_asks_to_be_deleted_is_copied_too(work):
    assert not bash("rm draft.txt", page=False)
    assert kept() == {"draft.txt": WORDS}
    assert not bash("rm -r out", page=False)
    assert set(kept()) == {"draft.txt"}, "a tree is not"

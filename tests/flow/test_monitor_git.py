"""git and labels: what was put into a repository under a declared label comes out, and leaves, with that label."""

from __future__ import annotations

import shutil

import pytest
from monitor_samples import bench, secret
from msgspec.structs import replace

from sluicegate.flow.denial import Denied
from sluicegate.flow.environments.configuration.reading import read_environment
from sluicegate.flow.monitor.effects import commands

pytestmark = [
    pytest.mark.usefixtures("no_waiting_for_the_disk"),
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed"),
]

POLICY = {"defaults": {"rules": ["no-secret-exfil"]}, "operations": {"op:cmd:git:push": "exfil"}}
COMMIT = "git -c user.name=a -c user.email=a@example.com commit -q -m x"


@pytest.fixture
def made(tmp_path):
    """A monitor in a repository with a secret file ``k.txt`` and one that is none."""
    found = bench(tmp_path, POLICY, recorded=True)
    found.monitor.run("git init -q .")
    found.monitor.write("k.txt", secret())
    found.monitor.write("a.txt", "plain")
    return found


@pytest.mark.parametrize(
    "added",
    [["git add k.txt", COMMIT], ["git add -A", COMMIT], ["git add .", COMMIT], ["git add -N k.txt", f"{COMMIT} -a"]],
)  # fmt: skip
@pytest.mark.parametrize(
    "shown", ["git show HEAD", "git log -p", "git grep c HEAD", "git cat-file -p HEAD:k.txt"]
)
def test_what_was_committed_comes_out_with_its_labels(made, added, shown):
    for command in (*added, "rm k.txt"):
        made.monitor.run(command)
    result = made.monitor.run(shown)
    assert made.monitor.reveal(result, to="op:log").ok
    assert "secret" in result.labels


@pytest.mark.parametrize("shown", ["git diff", "git stash show -p", "git diff --stat"])
def test_files_of_the_work_tree_that_are_not_named_are_read(made, shown):
    made.monitor.run("git add -N k.txt")
    assert "secret" in made.monitor.run(shown).labels


def test_what_is_secret_is_not_pushed(made):
    made.monitor.run("git add a.txt")
    made.monitor.run(COMMIT)
    made.monitor.run("git remote add there /nowhere/there.git")
    assert not made.monitor.reveal(
        made.monitor.run("git push there HEAD"), to="op:log"
    ).ok  # permitted, and not there
    made.monitor.run("git add k.txt")
    made.monitor.run(COMMIT)
    with pytest.raises(Denied, match="Secret data cannot flow"):
        made.monitor.run("git push there HEAD")


def test_another_way_to_the_repository_is_none_around_its_labels(made):
    made.monitor.run("git add k.txt")
    made.monitor.run(COMMIT)
    made.monitor.run("mkdir sub")
    made.monitor.run("git worktree add -q tree")
    made.monitor.run("git clone -q --bare . bare.git")
    for command in (
        "git -C sub show HEAD",
        "git -C tree show HEAD",
        "git --git-dir=bare.git show HEAD",
        "git -C bare.git show HEAD",
    ):
        assert "secret" in made.monitor.run(command).labels, command


def test_what_is_beside_a_repository_is_not_in_it(made):
    for command in ("git status", "git branch", "git add a.txt", COMMIT, "git show HEAD"):
        assert "secret" not in made.monitor.run(command).labels, command


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_in_the_sandbox_git_makes_no_hard_link_unless_its_settings_are_given(tmp_path, monkeypatch):
    """After a hard link in a new folder the time of every file is looked at."""
    work = tmp_path / "work"
    work.mkdir()
    (work / "sluicegate.toml").touch()
    config = read_environment({"provider": "bubblewrap", "fs": {"write": ["."]}}, base=work)
    found = bench(tmp_path, POLICY, recorded=True, environment=config)
    linked, really = [], commands._execute

    def execute(*given):
        completed = really(*given)
        linked.append(completed.links)
        return completed

    monkeypatch.setattr(commands, "_execute", execute)
    found.monitor.write("a.txt", "plain")
    for words in ("git init -q .", "git add a.txt", COMMIT):
        assert found.monitor.reveal(found.monitor.run(words), to="op:log").ok, words
    assert linked == [False] * 3
    found.monitor.write("b.txt", "other")
    for name in ("GIT_CONFIG_COUNT", "GIT_CONFIG_VALUE_0"):
        granted = replace(config, vars=frozenset({name}))
        assert commands._for_git(granted, "/usr/bin/git", {"A": "b"}) == {"A": "b"}
    assert commands._for_git(config, "/usr/bin/env", {"A": "b"}) == {"A": "b"}
    monkeypatch.setattr(commands, "_OBJECTS_MOVED", {})
    found.monitor.run("git add b.txt")
    assert linked[3:] == [True], "and by itself it makes one"

"""Control groups: found where they may be made, real ones where this machine has them, and otherwise left alone."""

import os
import subprocess
from pathlib import Path

import pytest

from sluicegate.flow.environments.configuration.config import CommandLimits
from sluicegate.flow.environments.confinement import cgroups
from sluicegate.flow.environments.run.command import Limit

ALL = CommandLimits(mem=64 << 20, cpu=500, processes=7)


def tree(tmp_path: Path, own: str, mounts: str) -> Path:
    proc = tmp_path / "proc"
    proc.mkdir()
    (proc / "cgroup").write_text(own)
    (proc / "mountinfo").write_text(mounts)
    return proc


def version_2(tmp_path: Path, where: str, given: str) -> cgroups.Hierarchies:
    """A folder that looks like a tree of version 2, whose group ``where`` hands ``given`` down."""
    top = tmp_path / "fs"
    (top / "user/app/own").mkdir(parents=True)
    for folder in (top, top / "user", top / "user/app", top / "user/app/own"):
        (folder / "cgroup.subtree_control").write_text(given if folder == top / where else "")
        (folder / "cgroup.procs").write_text("")
    mounts = f"29 23 0:26 / {top} rw,nosuid shared:4 - cgroup2 cgroup2 rw\n"
    return cgroups.find(tree(tmp_path, "0::/user/app/own\n", mounts))


def test_version_2_makes_a_group_beside_our_own(tmp_path: Path):
    found = version_2(tmp_path, "user/app", "cpu memory pids")
    assert found.version_2 == tmp_path / "fs/user/app"
    group = cgroups.make(ALL, found)
    (folder,) = group.folders
    assert folder.parent == tmp_path / "fs/user/app"
    assert group.held == {Limit.MEMORY, Limit.CPU, Limit.PROCESSES}
    assert (folder / "memory.max").read_text() == str(64 << 20)
    assert (folder / "pids.max").read_text() == "7"
    assert (folder / "cpu.max").read_text() == "50000 100000"
    (folder / "memory.events").write_text("low 0\noom 1\noom_kill 0\n")
    assert not group.ran_out_of_memory()
    (folder / "memory.events").write_text("low 0\noom 1\noom_kill 2\n")
    assert group.ran_out_of_memory()
    group.add(12)
    assert (folder / "cgroup.procs").read_text() == "12"


def test_what_is_not_handed_down_is_not_held(tmp_path: Path):
    found = version_2(tmp_path, "user/app", "memory")
    assert cgroups.make(ALL, found).held == {Limit.MEMORY}


def test_nothing_is_handed_down(tmp_path: Path):
    found = version_2(tmp_path, "user", "cpu memory pids")
    assert found.version_2 is None
    group = cgroups.make(ALL, found)
    assert (group.folders, group.held, group.ran_out_of_memory()) == ((), frozenset(), False)
    group.add(1)
    group.close()


def test_a_group_that_is_not_ours_to_write_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A process cannot be moved where the group above both its places belongs to another."""
    monkeypatch.setattr(os, "access", lambda path, mode: "cgroup.procs" not in str(path))
    assert version_2(tmp_path, "user/app", "memory").version_2 is None


def test_a_part_of_a_tree_is_mounted(tmp_path: Path):
    """As in a container: the mount shows what is below /docker/x, and our own path begins with that."""
    top = tmp_path / "fs"
    (top / "in").mkdir(parents=True)
    mounts = f"30 23 0:27 /docker/x {top} rw - cgroup cgroup rw,pids\n"
    found = cgroups.find(tree(tmp_path, "3:pids:/docker/x/in\n", mounts))
    assert found.version_1 == {"pids": top / "in"}


@pytest.mark.parametrize("text", ["", "\n", "29 23 0:26\n", "x - y z w\n"])
def test_what_cannot_be_read_is_nothing(tmp_path: Path, text: str):
    """A line that is not understood must not stop a command."""
    found = cgroups.find(tree(tmp_path, "0::/\n", text))
    assert found.version_2 is None


def test_a_number_of_processes_alone_is_worth_a_group_only_for_root(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    found = version_2(tmp_path, "user/app", "pids")
    for user, processes, held in ((0, 20, True), (0, 2048, False), (1000, 20, False)):
        monkeypatch.setattr(os, "geteuid", lambda user=user: user)
        assert bool(cgroups.make(CommandLimits(processes=processes), found).held) is held


def test_a_real_group_holds_and_goes(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    group = cgroups.make(CommandLimits(processes=20), cgroups.find())
    if not group.held:
        pytest.skip("this process may make no control group")
    try:
        script = "read go; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22; do sleep 60 >/dev/null 2>&1 & done; echo all"
        with subprocess.Popen(["sh", "-c", script], stdin=-1, stdout=-1, stderr=-1, text=True) as process:
            group.add(process.pid)
            out, err = process.communicate("go\n")
        assert "all" not in out
        assert "fork" in err
    finally:
        for pid in (group.folders[0] / "cgroup.procs").read_text().split():
            os.kill(int(pid), 9)
        group.close()
    assert not group.folders[0].exists()

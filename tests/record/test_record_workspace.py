"""Which workspace a command is about."""

from pathlib import Path

import pytest

from sluicegate.record.errors import HomeError, RecordError
from sluicegate.record.marks import find_workspace
from sluicegate.record.workspace import Workspace, ledger_path


@pytest.mark.parametrize("mark", ["sluicegate.toml", ".sluicegate", ".git"])
def test_the_nearest_marked_directory_upwards(tmp_path, mark):
    inner = tmp_path / "project" / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "project" / mark).mkdir()
    assert find_workspace({}, inner) == tmp_path / "project"
    (tmp_path / "project" / "a" / ".git").mkdir()
    assert find_workspace({}, inner) == tmp_path / "project" / "a"


def test_nothing_marks_one():
    assert find_workspace({}, Path("/proc/self")) is None


def test_the_variable_goes_before(tmp_path):
    (tmp_path / "named").mkdir()
    assert find_workspace({"SLUICEGATE_WORKSPACE": str(tmp_path / "named")}, tmp_path) == tmp_path / "named"
    with pytest.raises(RecordError, match="SLUICEGATE_WORKSPACE"):
        find_workspace({"SLUICEGATE_WORKSPACE": str(tmp_path / "none")}, tmp_path)


def test_the_ledger_is_in_the_workspace_or_where_the_variable_says(tmp_path):
    assert ledger_path({}, tmp_path) == tmp_path / ".sluicegate/sec/audit.jsonl"
    assert ledger_path({"SLUICEGATE_AUDIT_LOG": "/var/log/x"}, tmp_path).as_posix() == "/var/log/x"


@pytest.fixture
def workspace(tmp_path):
    root = tmp_path / "project"
    (root / "sub").mkdir(parents=True)
    (root / ".git").mkdir()
    environ = {"SLUICEGATE_KEYS_HOME": str(tmp_path / "home")}
    return Workspace.of(environ, root / "sub", clock=lambda: 0)


def test_names_are_paths_in_the_workspace(workspace):
    root = workspace.root
    (root / "link").symlink_to(root / "sub")
    assert workspace.name_of(root / "sub" / "a") == "sub/a"
    assert workspace.name_of(root / "link" / "a") == "sub/a"
    assert workspace.name_of(root / "link") == "link"
    assert workspace.name_of(root / "sub" / "..") == "."
    assert workspace.name_of(root / "@odd") == "./@odd"
    assert workspace.name_of(root) == "."


def test_what_lies_outside_has_no_name(workspace, tmp_path):
    (workspace.root / "out").symlink_to(tmp_path)
    for path in (tmp_path / "x", workspace.root / ".." / "x", workspace.root / "out" / "x"):
        with pytest.raises(RecordError, match="outside the workspace"):
            workspace.name_of(path)


def test_keys_in_the_workspace_are_refused(tmp_path):
    (tmp_path / ".git").mkdir()
    with pytest.raises(HomeError):
        Workspace.of({"SLUICEGATE_KEYS_HOME": str(tmp_path / "keys")}, tmp_path, clock=lambda: 0)

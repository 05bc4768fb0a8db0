"""The state directory ignores itself for Git, but for signatures."""

import os
import shutil
import subprocess

import pytest

from sluicegate.record.directories import IGNORE, STATE, open_directory


def test_a_new_state_directory_ignores_itself_and_one_that_is_there_is_left_alone(tmp_path):
    os.close(open_directory(tmp_path / STATE / "sec", create=True))
    ignore = tmp_path / STATE / ".gitignore"
    assert ignore.read_text() == IGNORE
    ignore.unlink()
    os.close(open_directory(tmp_path / STATE / "sec", create=True))
    assert not ignore.exists()


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_git_takes_signatures_and_nothing_else(tmp_path):
    os.close(open_directory(tmp_path / STATE / "sec" / "sigs", create=True))
    for name in ("sec/audit.jsonl", "sec/sigs/a.sig.json", "env/dev.json", "other"):
        (tmp_path / STATE / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / STATE / name).write_text("x")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "-A"], cwd=tmp_path, check=True)
    listed = subprocess.run(["git", "ls-files"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert listed.stdout.split() == [f"{STATE}/sec/sigs/a.sig.json"]

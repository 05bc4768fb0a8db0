"""A repository with skills, and the command as an installed action would have it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from ci_samples import BAD, SKILL


@pytest.fixture
def command():
    """The command beside the Python that runs the tests."""
    return str(Path(sys.executable).parent / "sluicegate")


@pytest.fixture
def git(monkeypatch):
    """Git with nobody's settings."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")

    def run(folder, *words):
        who = ("-c", "user.name=A", "-c", "user.email=a@example.com")
        return subprocess.run(
            ["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True
        ).stdout

    return run


@pytest.fixture
def repository(tmp_path, git):
    """A good and a bad skill on ``main``, which a remote has, too, and a branch ``work``."""
    folder = tmp_path / "work space"
    for name, text in (("good", SKILL), ("bad", BAD)):
        (folder / "skills" / name).mkdir(parents=True)
        (folder / "skills" / name / "SKILL.md").write_text(text)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "first")
    git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")
    git(folder, "switch", "-qc", "work")
    return folder

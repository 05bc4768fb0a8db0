"""The pre-commit hook, run by pre-commit in a repository of its own, from this tree as it is committed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from action_runner import ROOT
from ci_samples import BAD, SKILL

HOOK = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())[0]


def test_the_hook_names_files_and_weakens_nothing():
    assert HOOK["entry"] == "sluicegate scan --changed"
    assert "args" not in HOOK
    assert HOOK.get("pass_filenames", True) is True
    assert (HOOK["types"], HOOK["types_or"]) == ([], ["file", "symlink"])


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Where pre-commit keeps the installed hook: once for all tests here."""
    return tmp_path_factory.mktemp("pre-commit")


@pytest.fixture
def commit(tmp_path, git, home, monkeypatch):
    """A repository with the hook installed; commits what is there and says how it ended."""
    monkeypatch.setenv("PRE_COMMIT_HOME", str(home))
    monkeypatch.setenv("SLUICEGATE_CONFIG_HOME", str(tmp_path / "no-settings"))
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "-q")
    source = tmp_path / "sluicegate.git"
    subprocess.run(["git", "clone", "-q", "--bare", "--no-hardlinks", str(ROOT), str(source)], check=True)
    rev = git(ROOT, "rev-parse", "HEAD").strip()
    hook = {"id": "sluicegate"}
    settings = {"repos": [{"repo": str(source), "rev": rev, "hooks": [hook]}]}
    program = shutil.which("pre-commit", path=str(Path(sys.executable).parent))
    assert program, "make test-slow installs it"

    def run(files, args=None):
        if args is not None:
            hook["args"] = args
        (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(settings))
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(text, Path):
                path.symlink_to(text)
            else:
                path.write_text(text)
        git(folder, "add", "-A")
        subprocess.run([program, "install"], cwd=folder, check=True, capture_output=True)
        done = subprocess.run(
            ["git", "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-qm", "change"],
            cwd=folder, capture_output=True, text=True, check=False, env={**os.environ},
        )  # fmt: skip
        return done.returncode == 0, done.stdout + done.stderr

    return run


@pytest.mark.slow
def test_a_repository_without_skills_takes_every_commit(commit):
    passed, said = commit({"main.py": "print()\n", "README.md": "Text.\n"})
    assert passed, said
    passed, said = commit({"other.py": "print()\n"})
    assert passed, said


@pytest.mark.slow
def test_only_the_skills_that_a_commit_changes_are_asked(commit):
    passed, said = commit({"skills/good/SKILL.md": SKILL})
    assert passed, said
    passed, said = commit({"skills/bad/SKILL.md": BAD})
    assert not passed
    assert "DO NOT INSTALL" in said
    assert "bad" in said
    passed, said = commit({}, ["--fail-on=never"])
    assert passed, said
    passed, said = commit({"skills/good/more.md": "More.\n"}, [])
    assert passed, said
    assert not commit({"skills/bad/more.md": "More.\n"})[0]


@pytest.mark.slow
def test_a_link_among_the_skills_is_asked_about(commit):
    passed, said = commit({"skills/good/SKILL.md": SKILL})
    assert passed, said
    passed, said = commit({"skills/linked": Path("/nowhere")})
    assert not passed
    assert "CAUTION" in said


@pytest.mark.slow
def test_settings_in_the_repository_weaken_only_when_they_are_named(commit):
    never = '[scan]\nfail-on = "never"\n'
    assert not commit({"skills/bad/SKILL.md": BAD, "sluicegate.toml": never})[0]
    passed, said = commit({}, ["--config", "sluicegate.toml"])
    assert passed, said


@pytest.mark.slow
def test_a_file_that_is_named_like_an_option_is_refused(commit):
    passed, said = commit({"--fail-on=never": "", "skills/bad/SKILL.md": BAD})
    assert not passed
    assert "a file here has that name" in said

"""Which files changed, as Git tells it, without running anything that the repository names."""

import os
import subprocess
from pathlib import Path

import pytest

from sluicegate.reach.changed import named, since
from sluicegate.reach.errors import UsageError
from sluicegate.vet.errors import SourceError


def git(folder, *words):
    named = ("-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    return subprocess.run(
        ["git", *named, *words], cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """One commit on ``main`` with three files, and a branch ``work`` that is checked out."""
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    folder = tmp_path / "repository"
    for name in ("one/SKILL.md", "two/SKILL.md", "two/räum.sh"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("first\n")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "first")
    git(folder, "switch", "-qc", "work")
    return folder


def test_nothing_changed(repository):
    assert since("main", repository) == ()


def test_committed_staged_edited_removed_and_new_files_count(repository):
    (repository / "one" / "SKILL.md").write_text("committed\n")
    git(repository, "commit", "-qam", "second")
    (repository / "staged").write_text("staged\n")
    git(repository, "add", "staged")
    (repository / "two" / "SKILL.md").write_text("edited\n")
    (repository / "two" / "räum.sh").unlink()
    (repository / "new").write_text("not tracked\n")
    assert since("main", repository) == ("new", "one/SKILL.md", "staged", "two/SKILL.md", "two/räum.sh")


def test_a_renamed_file_counts_in_both_places(repository):
    git(repository, "mv", "one/SKILL.md", "two/other.md")
    assert since("main", repository) == ("one/SKILL.md", "two/other.md")


def test_what_the_other_branch_did_meanwhile_does_not_count(repository):
    git(repository, "switch", "-q", "main")
    (repository / "one" / "SKILL.md").write_text("theirs\n")
    git(repository, "commit", "-qam", "theirs")
    git(repository, "switch", "-q", "work")
    (repository / "two" / "SKILL.md").write_text("ours\n")
    assert since("main", repository) == ("two/SKILL.md",)


def test_paths_are_below_the_folder(repository):
    (repository / "one" / "SKILL.md").write_text("edited\n")
    (repository / "two" / "SKILL.md").write_text("edited\n")
    assert since("main", repository / "two") == ("SKILL.md",)


def test_what_the_repository_says_to_ignore_counts(repository):
    (repository / ".git" / "info" / "exclude").write_text("*.log\n")
    (repository / ".gitignore").write_text("two/hidden\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "ignore")
    (repository / "one" / "a.log").write_text("x")
    (repository / "two" / "hidden").write_text("x")
    assert since("HEAD", repository) == ("one/a.log", "two/hidden")


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_no_flag_of_the_index_hides_a_change(repository, flag):
    git(repository, "update-index", flag, "one/SKILL.md")
    (repository / "one" / "SKILL.md").write_text("hidden\n")
    assert since("main", repository) == ("one/SKILL.md",)


def test_no_time_that_the_index_remembers_hides_a_change(repository):
    git(repository, "config", "core.trustctime", "false")
    git(repository, "config", "core.checkStat", "minimal")
    skill = repository / "one" / "SKILL.md"
    os.utime(skill, (1, 1))
    git(repository, "update-index", "--refresh")
    skill.write_text("other\n")
    os.utime(skill, (1, 1))
    assert git(repository, "status", "--porcelain") == ""
    assert since("main", repository) == ("one/SKILL.md",)


def test_no_graft_makes_another_commit_the_one_to_compare_with(repository):
    git(repository, "switch", "-q", "main")
    git(repository, "commit", "-q", "--allow-empty", "-m", "theirs")
    git(repository, "switch", "-q", "work")
    (repository / "one" / "SKILL.md").write_text("committed\n")
    git(repository, "commit", "-qam", "ours")
    main, work = git(repository, "rev-parse", "main"), git(repository, "rev-parse", "work")
    (repository / ".git" / "info" / "grafts").write_text(f"{main} {work}\n")
    assert since("main", repository) == ("one/SKILL.md",)
    (repository / ".git" / "info" / "grafts").unlink()
    git(repository, "replace", "--graft", main, work)
    assert since("main", repository) == ("one/SKILL.md",)


def test_a_repository_of_another_user_is_compared_like_any(repository, monkeypatch):
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(subprocess.CalledProcessError):
        git(repository, "status")
    (repository / "one" / "SKILL.md").write_text("edited\n")
    assert since("main", repository) == ("one/SKILL.md",)


def test_variables_of_git_lead_nowhere_else(repository, tmp_path, monkeypatch):
    (repository / "one" / "SKILL.md").write_text("edited\n")
    git(tmp_path, "init", "-q", "elsewhere")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere" / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "index"))
    assert since("main", repository) == ("one/SKILL.md",)


@pytest.mark.parametrize("commit", ["nowhere", "--output=stolen", "main..work", "", "main^{tree}"])
def test_a_commit_that_is_none(repository, commit):
    with pytest.raises(SourceError, match="no commit"):
        since(commit, repository)
    assert not (repository / "stolen").exists()


def test_histories_without_a_common_commit(repository):
    git(repository, "switch", "-q", "--orphan", "other")
    git(repository, "commit", "-q", "--allow-empty", "-m", "alone")
    with pytest.raises(SourceError, match="no commit in common"):
        since("main", repository)


def test_what_is_no_repository_and_no_folder(repository, tmp_path):
    with pytest.raises(SourceError, match="lies in no Git repository"):
        since("main", tmp_path)
    with pytest.raises(UsageError, match="goes with a folder"):
        since("main", repository / "one" / "SKILL.md")
    with pytest.raises(UsageError, match="nowhere: No such file"):
        since("main", repository / "nowhere")


def test_git_is_missing(repository, monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(SourceError, match="not installed"):
        since("main", repository)


def test_no_program_that_the_repository_names_is_run(repository, tmp_path):
    ran = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho $0 $@ >> {ran}\ncat\n")
    program.chmod(0o755)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    (hooks / "post-index-change").symlink_to(program)
    for key in ("core.fsmonitor", "diff.external", "filter.x.clean", "filter.a=b.process", "diff.x.textconv"):
        git(repository, "config", key, str(program))
    git(repository, "config", "core.hooksPath", str(hooks))
    (repository / ".gitattributes").write_text("* filter=x diff=x\ntwo/* filter=a=b\n")
    git(repository, "config", "filter.a=b.required", "true")
    for name in ("one", "two"):
        (repository / name / "SKILL.md").write_text("Edited\n")
    assert since("main", repository) == (".gitattributes", "one/SKILL.md", "two/SKILL.md")
    assert not ran.exists()


def test_named_files_are_below_the_folder(tmp_path):
    assert named(("a/b.md", "./c", "a/../d", str(tmp_path / "e")), tmp_path) == ("a/b.md", "c", "d", "e")
    for outside in ("../x", "/etc/passwd", "a/../../x"):
        with pytest.raises(UsageError, match="does not lie in"):
            named((outside,), tmp_path)


def test_a_folder_may_be_named_from_elsewhere(repository, monkeypatch):
    monkeypatch.chdir(repository.parent)
    (repository / "one" / "SKILL.md").write_text("edited\n")
    assert since("main", Path("repository")) == ("one/SKILL.md",)

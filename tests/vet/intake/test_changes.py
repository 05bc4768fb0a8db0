"""Which files differ from a commit, told from the files themselves."""

import os
import subprocess

import pytest

from sluicegate.vet.errors import SourceError
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.repositories.changes import changed_since

LIMITS = Limits()


def git(folder, *words):
    environ = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    who = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "protocol.file.allow=always"]
    subprocess.run(["git", *who, *words], cwd=folder, env=environ, check=True, capture_output=True)


def commit(folder, *, form="sha1"):
    git(folder, "init", "-q", "-b", "main", f"--object-format={form}")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "all")


@pytest.fixture(params=["sha1", "sha256"])
def repository(request, tmp_path):
    """Files of every kind that Git keeps."""
    place = tmp_path / "work"
    (place / "skill" / "deep").mkdir(parents=True)
    (place / "skill" / "SKILL.md").write_text("words\n")
    (place / "skill" / "empty").write_bytes(b"")
    (place / "skill" / "large.bin").write_bytes(bytes(range(256)) * 8192)
    (place / "skill" / "run.sh").write_text("true\n")
    (place / "skill" / "run.sh").chmod(0o755)
    (place / "skill" / "deep" / "line\nbreak").write_text("x")
    (place / os.fsdecode(b"skill/\xff.md")).write_text("x")
    (place / "skill" / "link").symlink_to("SKILL.md")
    commit(place, form=request.param)
    return place


def test_nothing_differs_from_what_was_committed(repository):
    assert changed_since(repository, "main", LIMITS) == ()


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (lambda p: (p / "run.sh").chmod(0o644), "run.sh"),
        (lambda p: (p / "empty").chmod(0o755), "empty"),
        (lambda p: ((p / "link").unlink(), (p / "link").symlink_to("empty")), "link"),
        (lambda p: ((p / "link").unlink(), (p / "link").write_text("SKILL.md")), "link"),
        (lambda p: ((p / "empty").unlink(), os.mkfifo(p / "empty")), "empty"),
        (lambda p: os.mkfifo(p / "pipe"), "pipe"),
        (lambda p: (p / os.fsdecode(b"\xff.md")).write_text("y"), os.fsdecode(b"\xff.md")),
        (lambda p: (p / "deep" / "line\nbreak").unlink(), "deep/line\nbreak"),
        (lambda p: (p / "SKILL.md").write_text("Words\n"), "SKILL.md"),
        (lambda p: (p / ".git").write_text("gitdir: /nowhere\n"), ".git"),
    ],
)
def test_each_kind_of_change_is_seen(repository, change, path):
    change(repository / "skill")
    assert changed_since(repository, "main", LIMITS) == (f"skill/{path}",)


def test_what_could_not_be_looked_into_differs(repository):
    (repository / "skill" / "a" / "b").mkdir(parents=True)
    (repository / "skill" / "a" / "b" / "c").write_text("x")
    assert changed_since(repository, "main", LIMITS._replace(directory_depth=2)) == ("skill/a/b",)


def test_a_folder_that_the_commit_does_not_have_is_new(repository):
    (repository / "new" / "one").mkdir(parents=True)
    (repository / "new" / "one" / "SKILL.md").write_text("x")
    assert changed_since(repository / "new", "main", LIMITS) == ("one/SKILL.md",)


def test_every_file_of_a_submodule_differs(tmp_path):
    inner, outer = tmp_path / "inner", tmp_path / "outer"
    for place in (inner, outer):
        place.mkdir()
        (place / "SKILL.md").write_text("x")
        commit(place)
    git(outer, "submodule", "--quiet", "add", str(inner), "sub")
    git(outer, "commit", "-qm", "submodule")
    assert changed_since(outer, "main", LIMITS) == ("sub/.git", "sub/SKILL.md")


def test_a_linked_work_tree_is_compared_with_its_own_head(repository, tmp_path):
    git(repository, "worktree", "add", "-q", str(tmp_path / "linked"), "-b", "other")
    linked = tmp_path / "linked"
    assert changed_since(linked, "main", LIMITS) == ()
    (linked / "skill" / "SKILL.md").write_text("y")
    assert changed_since(linked / "skill", "main", LIMITS) == ("SKILL.md",)


def test_a_sparse_work_tree_hides_nothing(repository):
    git(repository, "sparse-checkout", "set", "--no-cone", "/skill/SKILL.md")
    (repository / "skill" / "run.sh").write_text("false\n")
    assert "skill/run.sh" in changed_since(repository, "main", LIMITS)


def test_a_repository_that_cannot_be_read_is_an_error_that_says_why(repository):
    (repository / ".git" / "config").write_text("[core\n")
    with pytest.raises(SourceError, match="bad config"):
        changed_since(repository, "main", LIMITS)

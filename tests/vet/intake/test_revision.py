"""A folder as it stood at a revision, read without letting the repository act."""

import os
import subprocess
import zipfile

import pytest

from sluicegate.vet.errors import NothingToInspect, SourceError
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.repositories.changes import changed_since
from sluicegate.vet.intake.repositories.revision import open_revision
from sluicegate.vet.intake.sources import open_source
from sluicegate.vet.intake.units import read_unit
from sluicegate.vet.verdict.types import GapReason

LIMITS = Limits()


def git(folder, *words):
    environ = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    who = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *who, *words], cwd=folder, env=environ, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path):
    place = tmp_path / "work"
    (place / "skills" / "one").mkdir(parents=True)
    (place / "skills" / "two").mkdir()
    for name in ("one", "two"):
        (place / "skills" / name / "SKILL.md").write_text(f"---\nname: {name}\ndescription: d\n---\nOld.\n")
    with zipfile.ZipFile(place / "packed.zip", "w") as packed:
        packed.writestr("SKILL.md", "---\nname: packed\ndescription: d\n---\n")
    git(place, "init", "-q")
    git(place, "add", "-A")
    git(place, "commit", "-qm", "one")
    return place


def bundles(source):
    with source:
        return [read_unit(unit, LIMITS, ()) for unit in source.units().units]


@pytest.mark.parametrize("target", ["skills", "skills/one", "skills/one/SKILL.md", "packed.zip"])
def test_it_is_what_a_folder_would_have_been(repository, target):
    now = bundles(open_source(str(repository / target), LIMITS))
    then = bundles(open_revision(str(repository / target), "HEAD", LIMITS))
    assert [(b.name, b.root, b.digest) for b in then] == [(b.name, b.root, b.digest) for b in now]


def test_what_changed_since_is_not_in_it(repository):
    (repository / "skills" / "one" / "SKILL.md").write_text("New.\n")
    (repository / "skills" / "one" / "more.md").write_text("More.\n")
    then = bundles(open_revision(str(repository / "skills"), "main", LIMITS))
    assert [a.path for a in then[0].artifacts] == ["SKILL.md"]
    assert b"Old." in then[0].artifacts[0].data


def test_what_was_not_there(repository):
    (repository / "new").mkdir()
    (repository / "notes").mkdir()
    with pytest.raises(NothingToInspect, match="was not there"):
        open_revision(str(repository / "new"), "HEAD", LIMITS)
    (repository / "docs").mkdir()
    (repository / "docs" / "a.bin").write_bytes(bytes(9))
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "two")
    with pytest.raises(NothingToInspect):
        open_revision(str(repository / "docs"), "HEAD", LIMITS)


def test_a_linked_work_tree_knows_its_repository(repository, tmp_path):
    git(repository, "worktree", "add", "-q", str(tmp_path / "linked"), "-b", "other")
    assert len(bundles(open_revision(str(tmp_path / "linked" / "skills"), "main", LIMITS))) == 2


@pytest.mark.parametrize("revision", ["nope", "", "--help", "-c", "HEAD:skills", "HEAD..HEAD"])
def test_what_is_no_commit_is_said(repository, revision):
    with pytest.raises(SourceError):
        open_revision(str(repository / "skills"), revision, LIMITS)


@pytest.fixture
def forked(repository):
    """A repository in which the second commit has a new skill, and ``main`` stands at it."""
    (repository / "skills" / "one" / "SKILL.md").write_text("New.\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "two")
    return repository


@pytest.mark.parametrize(
    ("name", "refs"),
    [
        ("release", ["refs/tags/release", "refs/heads/release"]),
        ("release~0", ["refs/tags/release", "refs/heads/release"]),
        ("origin/main", ["refs/heads/origin/main", "refs/remotes/origin/main"]),
        ("heads/main", ["refs/tags/heads/main", "refs/heads/main"]),
        ("origin", ["refs/heads/origin", "refs/remotes/origin/HEAD"]),
    ],
)
def test_a_name_of_two_commits_is_refused_and_a_full_name_is_not(forked, name, refs):
    for ref, commit in zip(refs, ("HEAD~1", "HEAD"), strict=True):
        git(forked, "update-ref", ref, commit)
    with pytest.raises(SourceError, match="stands for several commits") as refused:
        open_revision(str(forked / "skills"), name, LIMITS)
    for ref in refs:
        assert ref in refused.value.hint
    for ref, words in zip(refs, (b"Old.", b"New."), strict=True):
        assert words in bundles(open_revision(str(forked / "skills"), ref, LIMITS))[0].artifacts[0].data
        with pytest.raises(SourceError, match="stands for several commits"):
            changed_since(forked, name, LIMITS)


def test_a_name_that_is_also_a_short_id_is_refused(forked):
    commit = (forked / ".git" / "refs" / "heads" / "main").read_text().strip()
    git(forked, "tag", commit[:9], "HEAD~1")
    with pytest.raises(SourceError, match="stands for several commits"):
        open_revision(str(forked / "skills"), commit[:9], LIMITS)
    assert len(bundles(open_revision(str(forked / "skills"), commit, LIMITS))) == 2


def test_a_file_in_the_directory_of_git_takes_no_name_of_a_branch(forked):
    git(forked, "branch", "release")
    git(forked, "update-ref", "refs/heads/old", "HEAD~1")
    (forked / ".git" / "release").write_text((forked / ".git" / "refs" / "heads" / "old").read_text())
    with pytest.raises(SourceError, match="stands for several commits"):
        open_revision(str(forked / "skills"), "release", LIMITS)


def test_two_names_of_one_commit_are_no_matter(forked):
    git(forked, "tag", "-a", "-m", "signed off", "main")
    assert len(bundles(open_revision(str(forked / "skills"), "main", LIMITS))) == 2


@pytest.mark.parametrize("revision", ["HEAD..HEAD", ":/evil", "HEAD^{tree}"])
def test_no_advice_of_git_is_in_a_message(repository, revision):
    with pytest.raises(SourceError) as refused:
        open_revision(str(repository / "skills"), revision, LIMITS)
    assert "hint:" not in str(refused.value)
    assert "graft" not in str(refused.value)


def test_outside_of_any_repository(tmp_path):
    (tmp_path / "alone").mkdir()
    with pytest.raises(SourceError, match="lies in no Git repository"):
        open_revision(str(tmp_path / "alone"), "HEAD", LIMITS)


def test_nothing_of_the_repository_runs(repository, tmp_path):
    ran = tmp_path / "ran"
    script = tmp_path / "run.sh"
    script.write_text(f'#!/bin/sh\necho "$0 $@" >> {ran}\n')
    script.chmod(0o755)
    (repository / ".gitattributes").write_text("* filter=evil diff=evil\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "attributes")
    for hook in ("post-checkout", "reference-transaction", "post-index-change", "pre-auto-gc"):
        (repository / ".git" / "hooks" / hook).write_text(script.read_text())
        (repository / ".git" / "hooks" / hook).chmod(0o755)
    with (repository / ".git" / "config").open("a") as config:
        config.write(
            f"[core]\n\tfsmonitor = {script}\n\tpager = {script}\n\tsshCommand = {script}\n\teditor = {script}\n"
            f'[filter "evil"]\n\tsmudge = {script}\n\tclean = {script}\n\tprocess = {script}\n'
            f'[diff "evil"]\n\ttextconv = {script}\n\tcommand = {script}\n[alias]\n\tls-tree = !{script}\n'
            f'[protocol "ext"]\n\tallow = always\n[remote "origin"]\n\turl = ext::{script}\n\tpromisor = true\n'
            f"\tpartialclonefilter = blob:none\n[uploadpack]\n\tpackObjectsHook = {script}\n"
        )
    (tmp_path / "work" / "skills" / "one" / "SKILL.md").write_text("New.\n")
    assert len(bundles(open_revision(str(repository / "skills"), "HEAD", LIMITS))) == 2
    assert not ran.exists()


def test_an_object_that_is_missing_is_a_gap(repository):
    (repository / "skills" / "one" / "extra.md").write_text("Extra words.\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "extra")
    name = subprocess.run(
        ["git", "rev-parse", "HEAD:skills/one/extra.md"],
        cwd=repository,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    (repository / ".git" / "objects" / name[:2] / name[2:]).unlink()
    then = bundles(open_revision(str(repository / "skills"), "HEAD", LIMITS))
    assert [(gap.path, gap.reason) for gap in then[0].gaps] == [("extra.md", GapReason.UNREADABLE)]

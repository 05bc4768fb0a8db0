"""A folder as it stood at a revision, read without letting the repository act."""

import os
import subprocess
import zipfile

import pytest

from sluicegate.vet.errors import NothingToInspect, SourceError
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.revision import open_revision
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

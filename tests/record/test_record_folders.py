"""A folder as a canonical list: nothing left out, nothing followed, nothing that leads out."""

import os
import shutil
import socket

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.record.errors import SigningError
from sluicegate.record.signatures import folders
from sluicegate.record.signatures.folders import FolderEntry, differences, encode, manifest


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "skill"
    (root / "scripts" / "empty").mkdir(parents=True)
    (root / "SKILL.md").write_text("hello")
    (root / "scripts" / "run.sh").write_text("echo")
    (root / "scripts" / "run.sh").chmod(0o755)
    (root / "link").symlink_to("scripts/run.sh")
    (root / ".hidden").write_text("x")
    return root


def test_every_name_is_there_in_order(folder):
    entries = manifest(folder)
    assert [entry.path for entry in entries] == [
        ".hidden", "SKILL.md", "link", "scripts", "scripts/empty", "scripts/run.sh",
    ]  # fmt: skip
    by_path = {entry.path: entry for entry in entries}
    assert by_path["link"] == FolderEntry(path="link", type="link", target="scripts/run.sh")
    assert by_path["scripts/empty"] == FolderEntry(path="scripts/empty", type="dir")
    assert by_path["scripts/run.sh"].executable
    assert not by_path["SKILL.md"].executable
    digest = "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    assert by_path["SKILL.md"].digest == digest


def test_a_copy_is_the_same_folder(folder, tmp_path):
    copy = shutil.copytree(folder, tmp_path / "copy", symlinks=True)
    os.utime(copy / "SKILL.md", (1, 1))
    (copy / "SKILL.md").chmod(0o600)
    assert encode(manifest(copy)) == encode(manifest(folder))


CHANGES = {
    "changed SKILL.md": lambda root: (root / "SKILL.md").write_text("hullo"),
    "added new": lambda root: (root / "new").write_text(""),
    "added newdir": lambda root: (root / "newdir").mkdir(),
    "removed .hidden": lambda root: (root / ".hidden").unlink(),
    "removed scripts/empty": lambda root: (root / "scripts/empty").rmdir(),
    "changed scripts/run.sh": lambda root: (root / "scripts/run.sh").chmod(0o644),
    "changed link": lambda root: ((root / "link").unlink(), (root / "link").symlink_to("SKILL.md")),
    "changed .hidden": lambda root: ((root / ".hidden").unlink(), (root / ".hidden").mkdir()),
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_shows_and_is_named(folder, change):
    before = manifest(folder)
    CHANGES[change](folder)
    after = manifest(folder)
    assert encode(before) != encode(after)
    assert differences(before, after) == (change,)


def test_a_renamed_file_is_one_less_and_one_more(folder):
    before = manifest(folder)
    (folder / "SKILL.md").rename(folder / "skill.md")
    assert differences(before, manifest(folder)) == ("removed SKILL.md", "added skill.md")


@pytest.mark.parametrize(
    "target",
    ["/etc/passwd", "/", "../../outside", "../..", "empty/../../../x", "./../.././x", "back/../../outside"],
)
def test_a_link_that_leads_out_is_refused(folder, target):
    (folder / "scripts" / "back").symlink_to(".")  # so that the last of these does lead out
    (folder / "scripts" / "bad").symlink_to(target)
    with pytest.raises(SigningError, match="leads out"):
        manifest(folder)


@pytest.mark.parametrize("target", ["../SKILL.md", "run.sh", "..", "nothing", ".", "./empty//."])
def test_a_link_that_stays_inside_is_recorded_by_its_target(folder, target):
    (folder / "scripts" / "good").symlink_to(target)
    assert any(entry.target == target for entry in manifest(folder))


def _socket(path):
    before = os.getcwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as own:
            own.bind(path.name)
    finally:
        os.chdir(before)


@pytest.mark.parametrize("make", [os.mkfifo, _socket], ids=["pipe", "socket"])
def test_special_files_are_refused_and_not_waited_for(folder, make):
    make(folder / "special")
    with pytest.raises(SigningError, match="neither a file"):
        manifest(folder)


def test_a_name_that_is_not_utf8_is_refused(folder):
    (folder / os.fsdecode(b"caf\xe9")).write_text("x")
    with pytest.raises(SigningError, match=r"caf\\xe9"):
        manifest(folder)


def test_state_of_sluicegate_is_refused_wherever_it_is(folder):
    (folder / "scripts" / ".sluicegate").mkdir()
    with pytest.raises(SigningError, match="state of sluicegate"):
        manifest(folder)


def test_what_vanishes_meanwhile_is_an_error(folder, monkeypatch):
    real = os.listdir
    monkeypatch.setattr("os.listdir", lambda fd: [*real(fd), "ghost"])
    with pytest.raises(SigningError, match=r"cannot read .*ghost: No such file"):
        manifest(folder)


def test_a_file_exchanged_for_a_link_meanwhile_is_not_followed(folder, monkeypatch):
    real = os.open

    def swap(path, flags, *rest, dir_fd=None, **more):
        if path == "SKILL.md":
            (folder / "SKILL.md").unlink()
            (folder / "SKILL.md").symlink_to("/etc/passwd")
        return real(path, flags, *rest, dir_fd=dir_fd, **more)

    monkeypatch.setattr("os.open", swap)
    with pytest.raises(SigningError, match=r"SKILL\.md"):
        manifest(folder)


@pytest.mark.parametrize("name", ["nothing", "SKILL.md"])
def test_what_is_no_folder(folder, name):
    with pytest.raises(SigningError, match="cannot read the folder"):
        manifest(folder / name)


def test_bounds(folder, monkeypatch):
    monkeypatch.setattr(folders, "_ENTRIES", 3)
    with pytest.raises(SigningError, match="more than 3"):
        manifest(folder)
    monkeypatch.setattr(folders, "_ENTRIES", 100)
    monkeypatch.setattr(folders, "_DEPTH", 1)
    with pytest.raises(SigningError, match="deep"):
        manifest(folder)


@settings(deadline=None)
@given(
    st.lists(
        st.builds(FolderEntry, path=st.text(min_size=1), type=st.sampled_from(["file", "dir"])), max_size=6
    )
)
def test_no_difference_exactly_when_equal(entries):
    unique = {entry.path: entry for entry in entries}
    first = tuple(unique.values())
    assert differences(first, first) == ()
    if first:
        assert differences(first, first[1:]) == (f"removed {first[0].path}",)

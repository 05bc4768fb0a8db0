"""What changed below the written roots: found whatever a command does about it, and never silently left out."""

import os
from pathlib import Path

import pytest
from env_support import Runs, both, unhurried
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.flow.environments.changes.effects import Changes, changed_files, snapshot_roots
from sluicegate.flow.environments.configuration.reading import read_environment


def later() -> int:
    """A clock that is long past every file that was just made, so that none is in doubt."""
    return 10**19


@pytest.fixture
def config(tmp_path: Path):
    (tmp_path / "w" / "sub").mkdir(parents=True)
    for name in ("kept", "changed", "emptied", "removed", "sub/moved"):
        (tmp_path / "w" / name).write_text(name)
    (tmp_path / "w" / "link").symlink_to("kept")
    (tmp_path / "outside").write_text("x")
    (tmp_path / "w" / "out").symlink_to(tmp_path)
    return read_environment({"fs": {"write": ["w"], "read": ["."]}}, base=tmp_path)


def test_each_kind_of_change(config, tmp_path: Path):
    before = snapshot_roots(config, clock=later)
    w = tmp_path / "w"
    (w / "changed").write_text("CHANGED")
    os.utime(w / "changed", ns=(0, 0))
    os.truncate(w / "emptied", 0)
    (w / "removed").unlink()
    (w / "sub" / "moved").rename(w / "moved")
    (w / "new").mkdir()
    (w / "new" / "file").write_text("")
    (w / "link").unlink()
    (w / "link").symlink_to("changed")
    (tmp_path / "outside").write_text("not below a root")
    changes = changed_files(before, snapshot_roots(config, clock=later))
    assert changes == Changes(
        created=tuple(f"{w}/{n}" for n in ("moved", "new", "new/file")),
        modified=tuple(f"{w}/{n}" for n in ("changed", "emptied", "link")),
        deleted=tuple(f"{w}/{n}" for n in ("removed", "sub/moved")),
        incomplete=(),
    )


def test_a_forged_time_does_not_hide_a_change(config, tmp_path: Path):
    file = tmp_path / "w" / "kept"
    times = file.stat()
    before = snapshot_roots(config, clock=later)
    file.write_text("KEPT")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert changed_files(before, snapshot_roots(config, clock=later)).modified == (str(file),)


def test_a_file_in_doubt_is_taken_for_changed(config, tmp_path: Path):
    """One that was changed just before the first listing could change again within one tick, unseen."""
    file = tmp_path / "w" / "kept"
    before = snapshot_roots(config, clock=lambda: file.stat().st_ctime_ns + 1_000_000)
    assert str(file) in changed_files(before, snapshot_roots(config)).modified


def test_nothing_changed(config):
    assert changed_files(snapshot_roots(config, clock=later), snapshot_roots(config)) == Changes(
        created=(), modified=(), deleted=(), incomplete=()
    )


@unhurried
@given(most=st.integers(0, 12))
def test_a_bound_that_is_reached_is_said(tmp_path_factory: pytest.TempPathFactory, most: int):
    base = tmp_path_factory.mktemp("w")
    for number in range(8):
        (base / str(number)).write_text("")
    config = read_environment({"fs": {"write": ["."]}}, base=base)
    listing = snapshot_roots(config, most=most)
    assert (listing.incomplete == frozenset()) == (most >= 8)
    assert len(listing.entries) == min(most, 8)
    assert changed_files(listing, snapshot_roots(config)).incomplete == (() if most >= 8 else (str(base),))


def test_a_root_that_is_gone_or_a_file(config, tmp_path: Path):
    single = read_environment({"fs": {"write": ["w/kept"]}}, base=tmp_path)
    before = snapshot_roots(single, clock=later)
    assert list(before.entries) == [str(tmp_path / "w" / "kept")]
    (tmp_path / "w" / "kept").unlink()
    assert changed_files(before, snapshot_roots(single)).incomplete == (str(tmp_path / "w" / "kept"),)


@pytest.mark.usefixtures("held_by_permissions")
def test_a_folder_that_cannot_be_read_is_said(config, tmp_path: Path):
    (tmp_path / "w" / "sub").chmod(0)
    assert snapshot_roots(config).incomplete == {str(tmp_path / "w")}


def test_our_own_state_is_left_out(config, tmp_path: Path):
    (tmp_path / "w" / ".sluicegate").mkdir()
    before = snapshot_roots(config, without=[tmp_path / "w" / ".sluicegate"], clock=later)
    (tmp_path / "w" / ".sluicegate" / "audit.jsonl").write_text("{}")
    after = snapshot_roots(config, without=[tmp_path / "w" / ".sluicegate"], clock=later)
    assert changed_files(before, after) == Changes(created=(), modified=(), deleted=(), incomplete=())


def test_without_roots_everything_is_in_doubt(tmp_path: Path):
    config = read_environment({"provider": "local"}, base=tmp_path)
    assert changed_files(snapshot_roots(config), snapshot_roots(config)).incomplete == ("/",)


@both
def test_what_a_real_command_changed(runs: Runs, tmp_path: Path):
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "a").write_text("a")
    config = read_environment({"fs": {"write": ["w"]}}, base=tmp_path)
    before = snapshot_roots(config, clock=later)
    runs("sh", "-c", "cp a b; echo >> a; rm -f c; mv b c", cwd=str(tmp_path / "w"), fs={"write": ["w"]})
    changes = changed_files(before, snapshot_roots(config))
    assert (changes.created, changes.modified) == ((f"{tmp_path}/w/c",), (f"{tmp_path}/w/a",))

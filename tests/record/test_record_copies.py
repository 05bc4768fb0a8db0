"""The store of copies: what was written over comes back, and what cannot be kept is said."""

import os
import time
from pathlib import Path

import pytest

from sluicegate.record.copies import room
from sluicegate.record.copies.copies import Copied, Copies, CopyError, NotCopied


@pytest.fixture
def now():
    """A clock that a test moves; far from the times of its files."""
    return [time.time_ns() + 10**12]


@pytest.fixture
def copies(tmp_path, now):
    place = tmp_path / "state"
    place.mkdir(mode=0o700)
    made = Copies(place / "copies", clock=lambda: now[0], most_file=1000)
    yield made
    made.close()


def write(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    return str(path)


def test_what_was_written_over_comes_back_byte_for_byte(copies, tmp_path):
    contents = [b"one\0\xff", b"two", b"one\0\xff"]
    for data in contents:
        path = write(tmp_path / "f", data)
        os.chmod(path, 0o640)
        assert copies.keep(path, "s") == Copied()
        assert copies.keep(path, "s") == Copied()
    found = copies.every(path)
    assert [copies.content(each) for each in found] == contents[::-1]
    assert {each.mode for each in found} == {0o640}
    assert len(list((copies.directory).glob("??/*"))) == 2, "a content is kept once"


def test_a_file_that_has_not_changed_is_not_read_again(copies, tmp_path, monkeypatch):
    path = write(tmp_path / "f", b"one")
    copies.keep(path, "s")
    monkeypatch.setattr("sluicegate.record.copies.copies._read", lambda *_: pytest.fail("read"))
    assert copies.keep(path, "t") == Copied()


def test_what_changes_at_once_is_read_again(copies, tmp_path, now):
    """Within a tick of the clock of a file system, times do not tell."""
    now[0] = time.time_ns()
    path = write(tmp_path / "f", b"one")
    copies.keep(path, "s")
    before = os.stat(path)
    write(tmp_path / "f", b"two")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    copies.keep(path, "s")
    assert copies.content(copies.every(path)[0]) == b"two"


def test_nothing_is_lost_with_what_is_no_file_or_empty(copies, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("elsewhere")
    for name in ("none", "pipe", "link", "."):
        assert copies.keep(str(tmp_path / name), "s") == Copied()
    assert copies.keep(write(tmp_path / "empty", b""), "s") == Copied()
    assert not copies.directory.exists() and copies.every() == ()


def test_whatever_fails_keeps_nothing_and_says_so(copies, tmp_path, monkeypatch):
    path = write(tmp_path / "f", b"one")
    assert "larger" in copies.keep(write(tmp_path / "large", b"x" * 1001), "s").why

    copies.keep(write(tmp_path / "other", b"other"), "s")

    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("sluicegate.record.private.write_all", full)
        assert isinstance(copies.keep(path, "s"), NotCopied)
    assert (
        copies.every(path) == ()
        and len(list(copies.directory.glob("??/*"))) == 1
        and not list(copies.directory.glob("??/.*"))
    )
    copies.close()
    (copies.directory / "copies.db").unlink()
    (copies.directory / "copies.db").write_bytes(b"this is no database at all" * 50)
    (copies.directory / "copies.db").chmod(0o600)
    assert isinstance(copies.keep(path, "s"), NotCopied)
    with pytest.raises(CopyError):
        copies.every()


def test_a_store_that_others_may_write_keeps_nothing(copies, tmp_path):
    copies.directory.mkdir(mode=0o700)
    copies.directory.chmod(0o777)
    assert isinstance(copies.keep(write(tmp_path / "f", b"one"), "s"), NotCopied)


def test_a_copy_that_was_changed_is_none(copies, tmp_path):
    copies.keep(write(tmp_path / "f", b"one"), "s")
    (found,) = copies.every()
    next(copies.directory.glob("??/*")).write_bytes(b"two")
    with pytest.raises(CopyError, match="damaged"):
        copies.content(found)
    next(copies.directory.glob("??/*")).unlink()
    with pytest.raises(CopyError, match="cannot be read"):
        copies.content(found)
    assert copies.keep(str(tmp_path / "f"), "s") == Copied()
    assert copies.content(copies.every()[0]) == b"one", "it is written again"


def test_whoever_fills_the_store_takes_nothing_out_of_it(copies, tmp_path, monkeypatch):
    monkeypatch.setattr(room.making_room, "__kwdefaults__", {"most_bytes": 3000, "most_copies": 100})
    draft = write(tmp_path / "draft", b"the user's")
    copies.keep(draft, "s")
    for at in range(10):
        write(tmp_path / "draft", b"%d" % at * 900)
        assert copies.keep(draft, "s") == Copied()
    assert copies.content(copies.every(draft)[-1]) == b"the user's"
    assert sum(each.size for each in copies.every()) <= 3000
    answers = [copies.keep(write(tmp_path / f"other{at}", b"%d" % at * 900), "s") for at in range(5)]
    assert any(isinstance(each, NotCopied) and "room" in each.why for each in answers)
    assert copies.content(copies.every(draft)[-1]) == b"the user's"


def test_copies_go_after_their_time_and_when_they_are_forgotten(copies, tmp_path, now):
    one, two = write(tmp_path / "one", b"one"), write(tmp_path / "two", b"two")
    copies.keep(one, "s")
    now[0] += room.LASTS
    copies.keep(two, "s")
    assert [each.path for each in copies.every()] == [two]
    copies.drop(copies.every()[0].number)
    assert copies.every() == () and not list(copies.directory.glob("??/*"))

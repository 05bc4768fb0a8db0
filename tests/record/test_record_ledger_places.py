"""Where the ledger and its memory lie: links, exchanged directories, damaged memories."""

import os

import pytest
from record_samples import kinds, operations, some

from sluicegate.record.errors import LedgerError
from sluicegate.record.ledger.ledger import Ledger
from sluicegate.record.ledger.verifying import Sound


@pytest.mark.parametrize("part", [".sluicegate", ".sluicegate/sec"])
def test_a_directory_that_is_a_link_is_refused(place, tmp_path, part):
    (tmp_path / "outside").mkdir()
    link = place.root / part
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(tmp_path / "outside")
    with pytest.raises(LedgerError, match="symbolic link"):
        place.open()
    assert list((tmp_path / "outside").iterdir()) == []


def test_a_directory_exchanged_for_a_link_while_it_is_open(place, tmp_path):
    with place.open(flush_every=1, fail_closed=False, report=lambda _: None) as ledger:
        ledger.append(some(1))
        state = place.root / ".sluicegate"
        state.rename(tmp_path / "taken")
        (tmp_path / "evil" / "sec").mkdir(parents=True)
        state.symlink_to(tmp_path / "evil")
        ledger.append(some(2))
        assert list((tmp_path / "evil" / "sec").iterdir()) == []
        state.unlink()
        (tmp_path / "taken").rename(state)
        ledger.append(some(3))
    assert operations(place) == [f"cmd git push {n}" for n in (1, 2, 3)]
    assert isinstance(place.verify(), Sound)


def test_a_file_that_is_a_link_is_refused(place, tmp_path):
    place.path.parent.mkdir(parents=True)
    (tmp_path / "target").write_text("")
    place.path.symlink_to(tmp_path / "target")
    with pytest.raises(LedgerError, match="symbolic link"):
        place.open()


@pytest.mark.parametrize("kind", ["pipe", "directory"])
def test_what_is_no_file_is_refused_and_not_waited_for(place, kind):
    place.path.parent.mkdir(parents=True)
    os.mkfifo(place.path) if kind == "pipe" else place.path.mkdir()
    with pytest.raises(LedgerError):
        place.open()


@pytest.mark.parametrize("content", [b"my notes\n", b"\n", b"{}\n{}\n", b"no line feed"])
def test_a_file_that_is_no_ledger_is_left_alone(place, content):
    place.path.parent.mkdir(parents=True)
    place.path.write_bytes(content)
    with pytest.raises(LedgerError, match="not a ledger"):
        place.open()
    assert place.path.read_bytes() == content
    assert list(place.path.parent.iterdir()) == [place.path]


def test_another_place_for_it(place, tmp_path):
    path = tmp_path / "logs" / "audit.jsonl"
    Ledger.open(path, keys=place.keys, clock=place.clock).close()
    assert path.exists()


def test_a_link_above_the_workspace_is_the_users_to_arrange(place, tmp_path):
    (tmp_path / "alias").symlink_to(place.root)
    path = tmp_path / "alias" / ".sluicegate/sec/audit.jsonl"
    Ledger.open(path, keys=place.keys, clock=place.clock).close()
    place.write(1)
    assert isinstance(place.verify(), Sound)
    assert isinstance(Ledger.verify(path, keys=place.keys), Sound)


def test_a_memory_deleted_while_it_is_open_is_begun_again(place, tmp_path):
    import shutil

    with place.open(flush_every=1) as ledger:
        ledger.append(some(1))
        shutil.rmtree(tmp_path / "home")
        ledger.append(some(2))
    assert kinds(place) == ["Genesis", "Allow", "Adopt", "Allow"]
    assert isinstance(place.verify(), Sound)


def test_a_damaged_memory_is_said(place):
    place.write(1)
    (memory,) = place.keys.home.ledgers.iterdir()
    (memory / "memory.json").write_text("{}")
    with pytest.raises(LedgerError, match="damaged") as error:
        place.open()
    assert "aside" in error.value.hint


@pytest.mark.parametrize("how", ["zeros", "gone"])
def test_a_damaged_head_is_said_and_nothing_is_touched(place, how):
    place.write(3)
    (memory,) = place.keys.home.ledgers.iterdir()
    before = place.path.read_bytes()
    (memory / "head").write_bytes(bytes(256)) if how == "zeros" else (memory / "head").unlink()
    for use in (place.open, place.verify):
        with pytest.raises(LedgerError, match="head is damaged"):
            use()
    assert place.path.read_bytes() == before


def test_a_memory_that_others_can_read_is_refused(place):
    place.write(1)
    (memory,) = place.keys.home.ledgers.iterdir()
    (memory / "memory.json").chmod(0o644)
    with pytest.raises(LedgerError, match="others"):
        place.open()


def test_a_head_with_one_damaged_slot_is_read_from_the_other(place):
    place.write(3)
    (memory,) = place.keys.home.ledgers.iterdir()
    data = bytearray((memory / "head").read_bytes())
    for slot in (0, 128):
        damaged = data.copy()
        damaged[slot + 20] ^= 1
        (memory / "head").write_bytes(damaged)
        place.write(1)
        assert isinstance(place.verify(), Sound)
        data = bytearray((memory / "head").read_bytes())

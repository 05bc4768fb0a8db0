"""No room, no right, a lock that is not given back: nothing fails in silence, and no line is torn."""

import fcntl
import logging
import resource
from pathlib import Path

import pytest
from record_samples import operations, some

from descriptors import open_descriptors
from sluicegate.record.errors import LedgerBusy, LedgerError
from sluicegate.record.ledger import events, memory, query
from sluicegate.record.ledger.ledger import Ledger
from sluicegate.record.ledger.verifying import Sound


def limited(place, room):
    """As on a full disk: the file can grow by ``room`` bytes and no more; a write is cut short there."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (place.path.stat().st_size + room, before[1]))
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("room", [0, 1, 100, 250])
def test_no_room_fails_closed_and_leaves_no_torn_line(place, room):
    place.write(3)
    before = place.path.read_bytes()
    with place.open(flush_every=1) as ledger:
        restore = limited(place, room)
        try:
            with pytest.raises(LedgerError, match="File too large") as error:
                ledger.append(some(7))
        finally:
            restore()
        assert "kept in memory" in error.value.hint
        assert place.path.read_bytes() == before
        ledger.append(some(8))
    assert operations(place)[3:] == ["cmd git push 8"]
    assert isinstance(place.verify(), Sound)


def test_no_room_fails_open_is_told_once_and_nothing_is_lost(place):
    place.write(1)
    heard = []
    with place.open(flush_every=1, fail_closed=False, report=heard.append) as ledger:
        restore = limited(place, 10)
        try:
            for number in range(5):
                ledger.append(some(number))
        finally:
            restore()
        assert len(heard) == 1
        assert len(operations(place)) == 1
        ledger.flush()
    assert len(operations(place)) == 6
    assert isinstance(place.verify(), Sound)


def test_what_does_not_fit_into_memory_is_counted_and_told(place, monkeypatch):
    monkeypatch.setattr("sluicegate.record.ledger.ledger._KEEP", 1000)
    place.write(1)
    with place.open(flush_every=1, fail_closed=False, report=lambda _: None) as ledger:
        restore = limited(place, 0)
        try:
            for number in range(50):
                ledger.append(some(number))
        finally:
            restore()
    history = query.load(place.path, keys=place.keys)
    (lost,) = history.of_kind(events.Lost)
    assert len(operations(place)) - 1 + lost.event.count == 50
    assert lost.event.count > 40
    assert "File too large" in lost.event.reason


def test_it_is_told_again_when_it_fails_again(place):
    place.write(1)
    heard = []
    with place.open(flush_every=1, fail_closed=False, report=heard.append) as ledger:
        for _ in range(2):
            restore = limited(place, 0)
            try:
                ledger.append(some())
            finally:
                restore()
            ledger.flush()
    assert len(heard) == 2


def test_the_default_report_steers_no_terminal(place, caplog):
    (place.root / ".sluicegate").mkdir()
    odd = place.root / ".sluicegate" / "\x1b[31m"
    odd.write_text("x")
    with caplog.at_level(logging.ERROR):
        Ledger.open(odd / "audit.jsonl", keys=place.keys, clock=place.clock, fail_closed=False).close()
    assert caplog.messages
    assert all(message.isprintable() for message in caplog.messages)


@pytest.mark.parametrize(
    "path", ["/proc/self/audit.jsonl", "/proc/self/sec/audit.jsonl", "/dev/null/x/a.jsonl"]
)
def test_a_place_that_cannot_be_written(place, path):
    with pytest.raises(LedgerError) as error:
        Ledger.open(Path(path), keys=place.keys, clock=place.clock)
    assert path.split("/")[1] in error.value.message


def test_a_ledger_that_cannot_be_opened_is_opened_later_when_it_fails_open(place):
    (place.root / ".sluicegate").write_text("in the way")
    heard = []
    ledger = place.open(fail_closed=False, flush_every=1, report=heard.append)
    ledger.append(some(1))
    assert ledger.digest(b"x") == ledger.digest(b"x")
    (place.root / ".sluicegate").unlink()
    ledger.append(some(2))
    ledger.close()
    assert len(heard) == 1
    assert operations(place) == ["cmd git push 1", "cmd git push 2"]


def test_a_closed_failure_leaves_no_descriptor_open(place):
    (place.root / ".sluicegate").write_text("in the way")
    before = open_descriptors()
    for _ in range(3):
        with pytest.raises(LedgerError):
            place.open()
    assert open_descriptors() - before == set()


def test_a_lock_that_is_not_given_back(place, monkeypatch):
    place.write(1)
    monkeypatch.setattr("sluicegate.record.ledger.ledger.PATIENCE", 0.0)
    with place.open(flush_every=1) as ledger, place.path.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(LedgerBusy, match="locked"):
            ledger.append(some(2))
        fcntl.flock(other, fcntl.LOCK_UN)
        ledger.append(some(4))
    assert operations(place) == ["cmd git push 0", "cmd git push 4"]


def test_a_lock_is_waited_for_once_and_not_with_every_event(place, monkeypatch):
    place.write(1)
    waited = []
    real = memory.locked
    monkeypatch.setattr(
        memory,
        "locked",
        lambda *words, **more: (waited.append(more["patience"]), real(*words, **more))[1],
    )
    with place.open(flush_every=1, fail_closed=False, report=lambda _: None) as ledger:
        ledger.append(some(1))
        assert set(waited) == {memory.PATIENCE}
        waited.clear()
        restore = limited(place, 0)
        try:
            ledger.append(some(2))
            ledger.append(some(3))
        finally:
            restore()
        assert waited[0] == memory.PATIENCE
        assert waited[-1] == 0.0


def test_waiting_for_a_lock_ends(tmp_path):
    slept = []
    with (tmp_path / "lock").open("w") as held, (tmp_path / "lock").open("w") as wanted:
        fcntl.flock(held, fcntl.LOCK_EX)
        lock = memory.locked(wanted.fileno(), tmp_path, patience=3.0, sleep=slept.append)
        with pytest.raises(LedgerBusy, match="for 3 seconds"), lock:
            pass
    assert 3.0 <= sum(slept) < 3.1
    assert max(slept) <= 0.01


def test_a_lock_that_is_given_back_is_had(tmp_path):
    with (tmp_path / "lock").open("w") as held, (tmp_path / "lock").open("w") as wanted:
        fcntl.flock(held, fcntl.LOCK_EX)
        lock = memory.locked(wanted.fileno(), tmp_path, sleep=lambda _: fcntl.flock(held, fcntl.LOCK_UN))
        with lock, pytest.raises(BlockingIOError):
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)

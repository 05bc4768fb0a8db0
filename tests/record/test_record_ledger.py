"""Appending and flushing: what is acknowledged is there."""

import os
import pickle
import subprocess
import sys
import threading

import pytest
from record_samples import kinds, make_place, operations, some

from sluicegate.record.errors import LedgerError
from sluicegate.record.home import Home
from sluicegate.record.keys.keys import Keys
from sluicegate.record.ledger import events, query
from sluicegate.record.ledger.verifying import Sound

pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")


def test_a_ledger_begins_with_its_id_and_keeps_what_is_appended(place):
    with place.open() as ledger:
        first = ledger.append(some(1))
        second = ledger.append(events.Denial(operation="show", code="X", inputs=(first,)))
    history = query.load(place.path, keys=place.keys)
    begin, one, two = history.entries.values()
    assert isinstance(begin.event, events.Genesis)
    assert (one.id, two.id) == (first, second)
    assert two.event.inputs == (first,)
    assert [entry.seq for entry in history.entries.values()] == [1, 2, 3]
    assert isinstance(place.verify(), Sound)


def test_the_file_is_private_and_where_it_was_asked_for(place):
    place.write(1)
    assert place.path.stat().st_mode & 0o777 == 0o600
    assert place.path.parent.stat().st_mode & 0o777 == 0o700


def test_nothing_of_the_secret_is_in_the_workspace(place):
    with place.open() as ledger:
        secret, salt = ledger.writer.memory.secret, ledger.salt
        ledger.append(some())
    for path in place.root.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert secret not in data and secret.hex().encode() not in data
            assert salt not in data and salt.hex().encode() not in data


def test_events_wait_until_they_are_flushed(place):
    with place.open(flush_every=100) as ledger:
        size = place.path.stat().st_size
        ledger.append(some())
        assert place.path.stat().st_size == size
        ledger.flush()
        assert place.path.stat().st_size > size


def test_so_many_events_flush_by_themselves(place):
    with place.open(flush_every=5) as ledger:
        for number in range(12):
            ledger.append(some(number))
        assert operations(place) == [f"cmd git push {n}" for n in range(10)]


def test_a_flush_without_events_writes_nothing(place):
    with place.open() as ledger:
        before = place.path.read_bytes()
        ledger.flush()
        ledger.flush(durable=True)
        assert place.path.read_bytes() == before


def test_opening_and_closing_writes_nothing_more(place):
    place.write(1)
    before = place.path.read_bytes()
    place.open().close()
    assert place.path.read_bytes() == before


def test_durable_brings_file_and_memory_to_the_disk(place, monkeypatch):
    with place.open() as ledger:
        synced = []
        real = os.fsync
        monkeypatch.setattr(
            "os.fsync", lambda fd: (synced.append(os.readlink(f"/proc/self/fd/{fd}")), real(fd))
        )
        ledger.append(some())
        ledger.flush()
        assert synced == []
        ledger.flush(durable=True)
        assert [path.rsplit("/", 1)[1] for path in synced] == ["audit.jsonl", "head"]


def test_checkpoints_are_signed_when_they_are_due(place):
    place.write(8, checkpoint_every=10)
    assert "Checkpoint" not in kinds(place)
    place.write(12, checkpoint_every=10)
    assert kinds(place).count("Checkpoint") == 1
    assert place.verify().facts.signed == 21
    assert len(place.keys.stored()) == 1


def test_a_checkpoint_counts_from_the_last_also_of_other_writers(place):
    with (
        place.open(checkpoint_every=10, flush_every=1) as one,
        place.open(checkpoint_every=10, flush_every=1) as two,
    ):
        for number in range(40):
            (one if number % 2 else two).append(some(number))
    assert 3 <= kinds(place).count("Checkpoint") <= 4
    assert isinstance(place.verify(), Sound)


def test_many_short_processes_make_checkpoints_too(place):
    for _ in range(12):
        place.write(1, checkpoint_every=5)
    assert kinds(place).count("Checkpoint") == 2
    assert isinstance(place.verify(), Sound)


def test_where_no_key_may_sign_events_are_written_all_the_same_and_it_is_told(place):
    place.keys.revoke(place.keys.signer().public.id)
    heard = []
    with place.open(checkpoint_every=5, fail_closed=False, report=heard.append) as ledger:
        for number in range(8):
            ledger.append(some(number))
        ledger.flush()
        assert len(operations(place)) == 8
        ledger.flush()
    assert ["may still sign" in error.message for error in heard] == [True]
    with pytest.raises(LedgerError, match="may still sign"):
        place.write(8, checkpoint_every=5)
    assert len(operations(place)) == 8
    place.keys.rotate()
    place.write(1, checkpoint_every=5)
    assert "Checkpoint" in kinds(place)
    assert isinstance(place.verify(), Sound)


def test_digests_are_salted_with_what_is_outside(place, tmp_path):

    other = make_place(tmp_path / "other")
    with place.open() as ledger:
        first = ledger.digest(b"hunter2")
        assert ledger.digest(b"hunter2") == first != ledger.digest(b"hunter3")
    with place.open() as ledger:
        assert ledger.digest(b"hunter2") == first
    with other.open() as ledger:
        assert ledger.digest(b"hunter2") != first


def test_an_event_that_is_too_large_is_refused_and_the_ledger_goes_on(place):
    with place.open() as ledger:
        with pytest.raises(LedgerError, match="too large"):
            ledger.append(events.Run(phase="start", program="x" * 2_000_000))
        ledger.append(some())
    assert len(operations(place)) == 1


def test_a_closed_ledger_takes_nothing(place):
    ledger = place.open()
    ledger.close()
    ledger.close()
    ledger.flush()
    with pytest.raises(LedgerError, match="closed"):
        ledger.append(some())


def test_a_ledger_is_not_pickled(place):
    with place.open() as ledger, pytest.raises(TypeError):
        pickle.dumps(ledger)


def test_threads_share_a_ledger(place):
    with place.open(flush_every=7) as ledger:

        def work(start):
            for number in range(50):
                ledger.append(some(start + number))

        threads = [threading.Thread(target=work, args=(100 * n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(operations(place)) == sorted(
        f"cmd git push {100 * n + i}" for n in range(4) for i in range(50)
    )
    assert isinstance(place.verify(), Sound)


def test_a_child_writes_its_own_events_and_not_those_of_its_parent(place):
    with place.open(flush_every=100) as ledger:
        ledger.append(some(1))
        child = os.fork()
        if child == 0:
            code = 1
            try:
                ledger.append(some(2))
                ledger.close()
                code = 0
            finally:
                os._exit(code)
        assert os.waitpid(child, 0)[1] == 0
        ledger.append(some(3))
    assert sorted(operations(place)) == ["cmd git push 1", "cmd git push 2", "cmd git push 3"]
    assert isinstance(place.verify(), Sound)


def test_what_was_not_flushed_is_written_when_the_interpreter_ends(place, tmp_path):
    program = f"""
import time
from pathlib import Path
from sluicegate.record.ledger import events
from sluicegate.record.home import Home
from sluicegate.record.keys.keys import Keys
from sluicegate.record.ledger.ledger import Ledger
keys = Keys(Home.at(Path({str(tmp_path / "home")!r})), clock=time.time_ns)
ledger = Ledger.open(Path({str(place.path)!r}), keys=keys, clock=time.time_ns)
ledger.append(events.Allow(operation="last words"))
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=30)
    assert operations(place) == ["last words"]


def test_a_home_in_the_workspace_cannot_be_made(place):
    with pytest.raises(Exception, match="inside the workspace"):
        Keys(Home.at(place.root / "keys", workspace=place.root), clock=place.clock)

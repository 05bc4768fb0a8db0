"""Many processes write one ledger, and some are killed: every acknowledged event is there."""

import multiprocessing
import os
import random
import signal

import pytest
from record_samples import make_place, some

from sluicegate.record.ledger import events, query
from sluicegate.record.ledger.verifying import Sound

pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")

context = multiprocessing.get_context("fork")


def _write(place, writer, count, barrier):
    barrier.wait()
    with place.open(flush_every=3, checkpoint_every=20) as ledger:
        for number in range(count):
            ledger.append(events.Run(phase="start", program=f"{writer}", detail=str(number)))


def test_writers_take_turns(tmp_path):
    place = make_place(tmp_path)
    barrier = context.Barrier(4)
    writers = [context.Process(target=_write, args=(place, n, 40, barrier)) for n in range(4)]
    for one in writers:
        one.start()
    for one in writers:
        one.join(timeout=300)
        assert one.exitcode == 0
    found = place.verify()
    assert isinstance(found, Sound)
    assert found.facts.notes == ()
    runs = [entry.event for entry in query.load(place.path, keys=place.keys).of_kind(events.Run)]
    for writer in range(4):
        assert [run.detail for run in runs if run.program == str(writer)] == [str(n) for n in range(40)]
    assert len(place.keys.stored()) == 1


def _write_for_ever(place, pipe, durable):
    """Append, flush, and say what was acknowledged; until killed."""
    ledger = place.open(flush_every=10_000, checkpoint_every=15)
    number = 0
    while True:
        ids = []
        for _ in range(random.Random(number).randint(1, 9)):
            ids.append(ledger.append(some(number)))
            number += 1
        ledger.flush(durable=durable)
        os.write(pipe, "".join(f"{id}\n" for id in ids).encode())


@pytest.mark.parametrize("durable", [False, True])
def test_a_killed_writer_loses_nothing_that_was_acknowledged(tmp_path, durable):
    place = make_place(tmp_path)
    place.keys.signer()
    chance = random.Random(5)
    acknowledged: set[str] = set()
    for _ in range(5):
        read, write = os.pipe()
        writers = [context.Process(target=_write_for_ever, args=(place, write, durable)) for _ in range(2)]
        for one in writers:
            one.start()
        os.close(write)
        heard = b""
        with os.fdopen(read, "rb", buffering=0) as pipe:
            while heard.count(b"\n") < chance.randint(5, 60):
                heard += pipe.read(4096)
            for one in writers:
                os.kill(one.pid, signal.SIGKILL)
            for one in writers:
                one.join()
            while more := pipe.read(65536):
                heard += more
        acknowledged.update(heard.decode().rpartition("\n")[0].split())
    found = place.verify()
    assert isinstance(found, Sound), found
    ids = {entry.id for entry in query.load(place.path, keys=place.keys).entries.values()}
    assert acknowledged <= ids
    assert len(acknowledged) > 50
    place.write(1)
    assert isinstance(place.verify(), Sound)

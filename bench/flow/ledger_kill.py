"""Kill -9 writers of one ledger at random moments under load; is every acknowledged event there afterwards?

python bench/flow/ledger_kill.py [--kills 200] [--writers 3] [--seed 1]

Each round starts writers that append, flush and then say over a pipe which events were acknowledged. After a
random amount of that, and a random moment more, all are killed with SIGKILL. Then the ledger is verified, every
acknowledged event is looked for, and the next writers go on where the dead ones stopped. Exit code 1 when an
event is missing, or the ledger is not sound.

Where a write was cut in two by a kill, a torn tail is left; how many there were is printed. On most file systems
a kill does not cut a small write, so the last lines of some rounds are cut by this program as well (after what was
acknowledged), as a loss of power would.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from multiprocessing import get_context
from pathlib import Path

from sluicegate.record.home import Home
from sluicegate.record.keys.keys import Keys
from sluicegate.record.ledger import events, memory, query
from sluicegate.record.ledger.ledger import Ledger
from sluicegate.record.ledger.verifying import Sound

ROUNDS_IN_ONE_LEDGER = 20
CONTEXT = get_context("fork")


class Bench:
    """One workspace and its home."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / "workspace" / ".sluicegate" / "sec" / "audit.jsonl"
        self.path.parent.parent.parent.mkdir(parents=True)
        self.keys = Keys(Home.at(directory / "home"), clock=time.time_ns)
        self.acknowledged: set[str] = set()

    def open(self) -> Ledger:
        return Ledger.open(
            self.path, keys=self.keys, clock=time.time_ns, checkpoint_every=100, flush_every=10_000
        )


def write_for_ever(bench: Bench, pipe: int, seed: int) -> None:
    """A writer: it ends when it is killed."""
    chance = random.Random(seed)
    ledger = bench.open()
    while True:
        several = range(chance.randint(1, 40))
        ids = [
            ledger.append(
                events.Allow(
                    operation="cmd git push",
                    operation_labels=("op:cmd:git:push", "net:w"),
                    labels=("src:mcp", "untrusted"),
                )
            )
            for _ in several
        ]
        ledger.flush(durable=chance.random() < 0.02)
        os.write(pipe, "".join(f"{id}\n" for id in ids).encode())


def kill_round(bench: Bench, chance: random.Random, writers: int) -> int:
    """One round; how many processes were killed."""
    read, write = os.pipe()
    processes = [
        CONTEXT.Process(target=write_for_ever, args=(bench, write, chance.getrandbits(32)))
        for _ in range(writers)
    ]
    for process in processes:
        process.start()
    os.close(write)
    enough, heard = chance.randint(1, 1500), b""
    with os.fdopen(read, "rb", buffering=0) as pipe:
        while heard.count(b"\n") < enough:
            heard += pipe.read(65536)
        moment = time.perf_counter() + chance.random() * 0.003
        while time.perf_counter() < moment:
            pass
        for process in processes:
            os.kill(process.pid or 0, signal.SIGKILL)
        for process in processes:
            process.join()
        while more := pipe.read(65536):
            heard += more
    # The last line of the pipe may be cut by the kill as well: then nothing was heard of it.
    bench.acknowledged.update(heard.decode().rpartition("\n")[0].split())
    return writers


def cut_the_end(bench: Bench, chance: random.Random) -> bool:
    """Cut what was written but not acknowledged, or leave a piece of a line there, as a loss of power would."""
    head = memory.recall(memory.place_of(bench.keys.home, bench.path.resolve()))
    size = bench.path.stat().st_size
    if size > head.end:
        os.truncate(bench.path, chance.randint(head.end, size))
    else:
        with bench.path.open("ab") as handle:
            handle.write(b'{"seq":%d,"prev":"%b' % (head.seq + 1, b"0" * chance.randint(0, 64)))
    return bench.path.stat().st_size > head.end


def examine(bench: Bench) -> tuple[int, int, int]:
    """Raise SystemExit when anything is lost; else lines, loose ends found, ends that were set aside so far."""
    found = Ledger.verify(bench.path, keys=bench.keys)
    if not isinstance(found, Sound):
        raise SystemExit(f"NOT SOUND: {found}")
    history = query.load(bench.path, keys=bench.keys)
    missing = bench.acknowledged - {entry.id for entry in history.entries.values()}
    if missing:
        raise SystemExit(f"LOST: {len(missing)} of {len(bench.acknowledged)} acknowledged events")
    loose = sum("loose bytes" in note for note in found.facts.notes)
    return found.facts.last, loose, len(history.of_kind(events.Quarantine))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--writers", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    chance = random.Random(asked.seed)
    kills = cut = loose = lines = aside = acknowledged = rounds = 0
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as directory:
        while kills < asked.kills:
            bench = Bench(Path(directory) / str(rounds))
            for _ in range(ROUNDS_IN_ONE_LEDGER):
                if kills >= asked.kills:
                    break
                kills += kill_round(bench, chance, min(asked.writers, asked.kills - kills))
                if chance.random() < 0.5:
                    cut += cut_the_end(bench, chance)
                last, torn, _ = examine(bench)
                loose += torn
                rounds += 1
            bench.open().close()
            last, _, set_aside = examine(bench)
            lines, aside = lines + last, aside + set_aside
            acknowledged += len(bench.acknowledged)
    sys.stdout.write(
        f"{kills} kills in {rounds} rounds, {time.perf_counter() - started:.0f} s: {acknowledged} events acknowledged, "
        f"all there; {lines} lines, sound after every round; {loose} torn ends ({cut} of them made), "
        f"{aside} set aside and told\n"
    )
    return 0 if loose == aside else 1


if __name__ == "__main__":
    sys.exit(main())

"""Which ledger is this? What a home knows of the file it finds, and what it does about one that it does not know.

1. A ledger is remembered for this place: it is that one, whatever the file holds (``standing`` compares them).
2. The file is empty: a new ledger begins, with a new id and secret.
3. The file is a ledger that this home remembers for another place, where it is no longer: the workspace was
   moved or renamed. The memory moves along.
4. Any other ledger (a copy, one from another machine, one whose home was lost) is adopted: it goes on under a
   new id, and the event says so. Only their chain holds the lines before.
5. Anything else is not a ledger, and is left alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from sluicegate.record.errors import LedgerError
from sluicegate.record.home import Home
from sluicegate.record.ledger import lines, memory
from sluicegate.record.ledger.events import Adopt, Event, Genesis, Quarantine, Rotation
from sluicegate.record.ledger.file import LedgerFile
from sluicegate.record.ledger.lines import Line
from sluicegate.record.ledger.memory import Head, Memory

_INDEX = "files.db"


class KnownLedger(Struct, frozen=True, kw_only=True):
    """The memory of a ledger, and events that have to be told because of how it was found."""

    memory: Memory
    events: tuple[Event, ...] = ()


class _Survey(Struct, frozen=True):
    """What a file says of itself: the id its lines last had, its last line, and where that ends."""

    ledger: str
    last: Line
    end: int
    length: int


def recognise(home: Home, file: LedgerFile, random: Callable[[int], bytes]) -> KnownLedger:
    """See above; called under the lock of the place. Raises LedgerError (5) and what ``memory`` raises."""
    directory = memory.place_of(home, file.path)
    remembered = memory.load(directory)
    if remembered is not None:  # 1
        return KnownLedger(memory=remembered, events=memory.owed(remembered))
    fresh = Memory(
        directory=directory, ledger=random(16).hex(), path=str(file.path), since=1, secret=random(32)
    )
    if file.size() == 0:  # 2
        memory.paid(fresh)  # what an earlier ledger of this place may have left
        memory.save(fresh, Head())
        return KnownLedger(memory=fresh)
    found = _survey(file)
    if found is None:  # 5
        raise LedgerError(
            f"{file.path} is not a ledger", hint="Move it away, or name another with SLUICEGATE_AUDIT_LOG."
        )
    moved = _moved(home, found.ledger, file.path)
    if moved is not None:  # 3
        return KnownLedger(memory=_taken_along(moved, fresh))
    return _adopted(file, fresh, found)  # 4


def _survey(file: LedgerFile) -> _Survey | None:
    """Read the whole file: only a ledger that is not known here costs this."""
    ledger, last, end, length, at = "", None, 0, 0, 0
    with os.fdopen(os.dup(file.fd), "rb") as handle:
        handle.seek(0)
        for data in lines.split(handle):
            at += len(data)
            try:
                line = lines.read(data[:-1])
                event = line.event() if line.body.startswith(_NAMING) else None
            except ValueError:
                if last is None:
                    return None
                continue
            if data[-1:] != b"\n":
                continue
            last, end, length = line, at, len(data)
            if isinstance(event, Genesis | Rotation | Adopt):
                ledger = event.ledger
    return _Survey(ledger, last, end, length) if last is not None else None


_NAMING = tuple(b'{"event":"%b"' % kind for kind in (b"genesis", b"rotation", b"adopt"))


def _moved(home: Home, ledger: str, path: Path) -> Memory | None:
    for known in memory.all_memories(home):
        if known.ledger == ledger and known.path != str(path) and not os.path.lexists(known.path):
            return known
    return None


def _taken_along(old: Memory, fresh: Memory) -> Memory:
    """Remember at the new place what was remembered at the old one."""
    new = replace(old, directory=fresh.directory, path=fresh.path)
    for suffix in ("", "-wal", "-shm"):
        with suppress(OSError):  # the index of files can be made again
            (old.directory / f"{_INDEX}{suffix}").replace(new.directory / f"{_INDEX}{suffix}")
    memory.save(new, memory.recall(old.directory)._replace(turn=0))
    memory.forget(old)
    return new


def _adopted(file: LedgerFile, fresh: Memory, found: _Survey) -> KnownLedger:
    told: tuple[Event, ...] = (Adopt(ledger=fresh.ledger, before=found.ledger),)
    size = file.size()
    if found.end < size:
        name = file.copy_aside(found.end, f"torn-{found.last.seq}-{os.urandom(4).hex()}")
        told += (Quarantine(file=name, size=size - found.end, reason="torn"),)
    new = replace(fresh, since=found.last.seq + 1)
    memory.owe(new, told)
    head = Head(seq=found.last.seq, hash=found.last.hash, end=found.end, length=found.length, turn=0)
    memory.save(new, head)
    if found.end < size:
        file.cut(found.end)
    return KnownLedger(memory=new, events=told)

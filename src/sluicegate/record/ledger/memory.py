"""What is remembered of a ledger outside the workspace: its id, its secret, and where it stood.

The ledger lies in the workspace, where others write. What makes it hold is here: the secret with which lines
are authenticated and digests salted, and the head (number and hash of the last line, and where it ended), so
that lines cut off the end, a deleted or an exchanged file are found. A memory belongs to a place: the real
path of the ledger.

The head is kept in two slots that are written in turn, each with a checksum: a kill or a loss of power while
one is written leaves the other.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from sluicegate.record import private
from sluicegate.record.errors import LedgerBusy, LedgerError
from sluicegate.record.home import Home
from sluicegate.record.ledger.events import Event, decode_all, encode_all
from sluicegate.record.ledger.lines import NOTHING

_FORMAT = "sluicegate-ledger-1"
_FILE = "memory.json"
_OWED = "owed.json"
_HEAD = "head"
_LIMIT = 65536
_SLOT = struct.Struct(">8sQQ32sQQQ")
_SLOT_BYTES = 128
_MAGIC = b"penhead1"
PATIENCE = 10.0
"""Seconds to wait for a lock. A writer holds it for less than a millisecond."""


class Head(NamedTuple):
    """The last line written: its number and hash, the offset at which it ended, its bytes with the line feed.

    ``length`` 0: no line stands there (an empty ledger, or one that was rotated and has not gone on yet).
    ``checkpoint`` is the number of the last checkpoint. ``turn`` counts how often the head was remembered, and
    picks its slot; the first is even.
    """

    seq: int = 0
    hash: str = NOTHING
    end: int = 0
    length: int = 0
    checkpoint: int = 0
    turn: int = 0


class _Stored(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    format: str
    ledger: str
    path: bytes
    since: int
    secret: bytes


def place_of(home: Home, path: Path) -> Path:
    """The directory of what is remembered of the ledger at the real path ``path``."""
    return home.ledgers / hashlib.sha256(os.fsencode(path)).hexdigest()[:32]


class Memory(Struct, frozen=True, kw_only=True):
    """One ledger as it is remembered. ``since`` is the first line that was written from this home."""

    directory: Path
    ledger: str
    path: str
    since: int
    secret: bytes

    @property
    def mac_key(self) -> bytes:
        """The key of the MAC of lines."""
        return hashlib.blake2b(key=self.secret, person=b"sluicegate mac").digest()

    @property
    def salt(self) -> bytes:
        """The key of ``digest``."""
        return hashlib.blake2b(key=self.secret, person=b"sluicegate salt").digest()


def load(directory: Path) -> Memory | None:
    """What is remembered in ``directory``; None when nothing is. Raises HomeError, KeyFileError, LedgerError."""
    if not os.path.lexists(directory):
        return None
    private.check_directory(directory)
    try:
        data = private.read(directory / _FILE, limit=_LIMIT)
    except FileNotFoundError:
        return None
    try:
        stored = msgspec.json.decode(data, type=_Stored)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        stored = None
    if stored is None or stored.format != _FORMAT or len(stored.secret) != 32:
        raise _damaged(directory / _FILE)
    return Memory(
        directory=directory,
        ledger=stored.ledger,
        path=os.fsdecode(stored.path),
        since=stored.since,
        secret=stored.secret,
    )


def all_memories(home: Home) -> Iterator[Memory]:
    """Every ledger that this home remembers; damaged memories are passed over."""
    if not home.ledgers.is_dir():
        return
    for directory in sorted(home.ledgers.iterdir()):
        try:
            memory = load(directory)
        except LedgerError:
            continue
        if memory is not None:
            yield memory


def save(memory: Memory, head: Head) -> None:
    """Begin to remember a ledger. The head comes first: without it, old lines would be strangers."""
    slots = _packed(head) + bytes(_SLOT_BYTES)
    private.replace(memory.directory / _HEAD, slots)
    stored = _Stored(
        format=_FORMAT,
        ledger=memory.ledger,
        path=os.fsencode(memory.path),
        since=memory.since,
        secret=memory.secret,
    )
    private.replace(memory.directory / _FILE, msgspec.json.encode(stored) + b"\n")


def forget(memory: Memory) -> None:
    """Remember a ledger here no longer: it was moved, and is remembered at its new place."""
    for name in (_FILE, _OWED, _HEAD):
        (memory.directory / name).unlink(missing_ok=True)


def owe(memory: Memory, told: tuple[Event, ...]) -> None:
    """Remember events that must be told although this process may end before it can. Raises HomeError."""
    private.replace(memory.directory / _OWED, encode_all(told))


def owed(memory: Memory) -> tuple[Event, ...]:
    """The events that somebody still has to tell; damaged ones are not. Raises KeyFileError."""
    try:
        return decode_all(private.read(memory.directory / _OWED, limit=_LIMIT))
    except (FileNotFoundError, ValueError):
        return ()


def paid(memory: Memory) -> None:
    """What was owed has been told."""
    (memory.directory / _OWED).unlink(missing_ok=True)


class HeadFile:
    """The two slots of a head, held open."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / _HEAD
        try:
            self._fd = private.open_private(self._path, os.O_RDWR)
        except FileNotFoundError:
            raise _damaged(self._path) from None

    def recall(self) -> Head:
        """The head that was remembered last. Raises LedgerError when neither slot holds one."""
        return _newest(os.pread(self._fd, 2 * _SLOT_BYTES, 0), self._path)

    def remember(self, head: Head, *, durable: bool) -> None:
        """Keep ``head``, whose ``turn`` must follow that of the last one. Raises OSError."""
        os.pwrite(self._fd, _packed(head), (head.turn % 2) * _SLOT_BYTES)
        if durable:
            os.fsync(self._fd)

    def close(self) -> None:
        """Close the file."""
        os.close(self._fd)


def recall(directory: Path) -> Head:
    """The head remembered in ``directory``, read without writing. Raises KeyFileError and LedgerError."""
    path = directory / _HEAD
    try:
        return _newest(private.read(path, limit=2 * _SLOT_BYTES), path)
    except FileNotFoundError:
        raise _damaged(path) from None


def _newest(slots: bytes, path: Path) -> Head:
    heads = [head for at in (0, _SLOT_BYTES) if (head := _unpacked(slots[at : at + _SLOT_BYTES]))]
    if not heads:
        raise _damaged(path)
    return max(heads, key=lambda head: head.turn)


def _damaged(path: Path) -> LedgerError:
    return LedgerError(
        f"{path} is damaged",
        hint="Move its directory aside; the ledger is then taken over as one not known here.",
    )


def _packed(head: Head) -> bytes:
    data = _SLOT.pack(
        _MAGIC, head.turn, head.seq, bytes.fromhex(head.hash), head.end, head.length, head.checkpoint
    )
    return (data + hashlib.blake2b(data, digest_size=16).digest()).ljust(_SLOT_BYTES, b"\0")


def _unpacked(slot: bytes) -> Head | None:
    data, check = slot[: _SLOT.size], slot[_SLOT.size : _SLOT.size + 16]
    if len(data) < _SLOT.size or hashlib.blake2b(data, digest_size=16).digest() != check:
        return None
    _, turn, seq, hash, end, length, checkpoint = _SLOT.unpack(data)
    return Head(seq=seq, hash=hash.hex(), end=end, length=length, checkpoint=checkpoint, turn=turn)


def open_lock(directory: Path) -> int:
    """The file whose lock guards a memory and its ledger; made where it is missing, with its directory."""
    private.make_directory(directory)
    path = directory / "lock"
    if not os.path.lexists(path):
        private.create(path, b"")
    return private.open_private(path, os.O_RDONLY)


@contextmanager
def locked(
    fd: int,
    what: Path,
    *,
    shared: bool = False,
    patience: float = PATIENCE,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[None]:
    """Hold the lock on ``fd``. Raises LedgerBusy when another process keeps it for ``patience`` seconds."""
    mode = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    waited, pause = 0.0, 0.0002
    while True:
        try:
            fcntl.flock(fd, mode | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            if waited >= patience:
                raise LedgerBusy(
                    f"another process has kept {what} locked for {patience:g} seconds",
                    hint="Look for one that is stopped: it holds the lock until it goes on or ends.",
                ) from None
        sleep(pause)
        waited += pause
        pause = min(pause * 1.5, 0.01)
    try:
        yield
    finally:
        fcntl.flock(fd, fcntl.LOCK_UN)

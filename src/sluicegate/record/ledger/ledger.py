"""The ledger: every decision that was taken, one line each, in a chain that shows what was changed or is missing.

``append`` is cheap and only remembers; ``flush`` writes what was remembered in one write (``writer``), under locks
that all writers of the ledger share. What a flush returned for survives a kill of this process at any moment;
``flush(durable=True)`` survives a loss of power too.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import threading
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from sluicegate.record.clock import Clock, stamp
from sluicegate.record.directories import real_path
from sluicegate.record.errors import LedgerError, MemoryGone, RecordError
from sluicegate.record.keys.keys import Keys
from sluicegate.record.ledger import lines
from sluicegate.record.ledger.events import Event, EventId, Lost
from sluicegate.record.ledger.memory import PATIENCE
from sluicegate.record.ledger.writer import Writer

if TYPE_CHECKING:
    from sluicegate.record.ledger.verifying import Broken, Sound

_KEEP = 8 * 1024 * 1024
"""Bytes of events kept in memory while the file cannot be written; beyond, they are counted and given up."""

Report = Callable[[RecordError], None]


def log_failure(error: RecordError) -> None:
    """The default ``report``: one line on the logger ``sluicegate.record``, with nothing that steers a terminal."""
    import logging

    logging.getLogger("sluicegate.record").error("%s", ascii(error.diagnostics()))


class Ledger:
    """One ledger, open for writing. Safe for many threads, many processes, and forks. Make it with ``open``."""

    def __init__(
        self,
        path: Path,
        make_writer: Callable[[float], Writer],
        *,
        clock: Clock,
        fail_closed: bool,
        flush_every: int,
        random: Callable[[int], bytes],
        report: Report,
    ) -> None:
        self.path = path
        self._make_writer, self._clock, self._random, self._report = make_writer, clock, random, report
        self.fail_closed, self._flush_every = fail_closed, flush_every
        self._closed = False
        self._salt: bytes | None = None
        self._begin()

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        keys: Keys,
        clock: Clock,
        fail_closed: bool = True,
        checkpoint_every: int = 1000,
        flush_every: int = 64,
        random: Callable[[int], bytes] = os.urandom,
        report: Report = log_failure,
    ) -> Ledger:
        """Open the ledger at ``path``; begin it where there is none.

        A torn end, a rotation and the like are told by events at once. Each ``checkpoint_every`` lines a
        checkpoint is signed; each ``flush_every`` appended events are flushed by themselves. With ``fail_closed``
        whatever fails raises LedgerError, here and later; else ``report`` hears of it once, events are kept in
        memory and writing is tried again with each flush.
        """
        real = real_path(path.parent) / path.name

        def make_writer(patience: float) -> Writer:
            return Writer(
                real,
                keys=keys,
                clock=clock,
                random=random,
                checkpoint_every=checkpoint_every,
                patience=patience,
            )

        ledger = cls(
            real,
            make_writer,
            clock=clock,
            fail_closed=fail_closed,
            flush_every=flush_every,
            random=random,
            report=report,
        )
        try:
            ledger.flush()
        except LedgerError:
            ledger._release()
            raise
        _ledgers.add(ledger)
        return ledger

    def _begin(self) -> None:
        """The state of one process: a name of its own, so that ids are known before lines are numbered."""
        self._name = self._random(6).hex()
        self._count = 0
        self._due = self._flush_every
        self._mutex = threading.RLock()
        self._writer: Writer | None = None
        self._pending: list[bytes] = []
        self._bytes = 0
        self._failure: LedgerError | None = None
        self._lost = 0

    def append(self, event: Event) -> EventId:
        """Remember ``event``; it is written with the next flush. Its id, by which later events refer to it.

        Raises LedgerError for an event of more than 1 MiB, and with ``fail_closed`` when a flush that is due
        fails. An event whose ``append`` raised does not wait for a later flush: what it tells of must not happen.
        """
        with self._mutex:
            self._count += 1
            id = EventId(f"{self._name}.{self._count}")
            part = lines.part(id, stamp(self._clock()), event)
            if len(part) > lines.LIMIT - 256:
                raise LedgerError(f"an event of {len(part)} bytes is too large for the ledger")
            if self._closed:
                raise LedgerError(f"the ledger {self.path} is closed")
            if self._bytes > _KEEP:
                self._lost += 1
            else:
                self._pending.append(part)
                self._bytes += len(part)
            if self._count >= self._due or self._failure is not None:
                try:
                    self.flush()
                except LedgerError:
                    kept = [one for one in self._pending if one is not part]
                    self._bytes -= len(part) * (len(self._pending) - len(kept))
                    self._pending = kept
                    raise
            return id

    def flush(self, durable: bool = False) -> None:
        """Write what was appended; ``durable`` also brings it to the disk. LedgerError with ``fail_closed``."""
        with self._mutex:
            if self._closed:
                return
            try:
                try:
                    self._flush(durable=durable)
                except MemoryGone:
                    self._release()
                    self._flush(durable=durable)
            except RecordError as error:
                self._failed(error if isinstance(error, LedgerError) else _ledger_error(error))
            except OSError as error:
                self._failed(LedgerError(f"cannot write the ledger {self.path}: {error.strerror}"))
            else:
                self._failure = None

    def _flush(self, *, durable: bool) -> None:
        # Who has waited for a lock in vain does not wait again with every event while it is held.
        patience = PATIENCE if self._failure is None else 0.0
        if self._writer is None:
            self._writer = self._make_writer(patience)
            self._salt = self._writer.memory.salt
        pending = self._pending
        if self._lost and self._failure is not None:
            pending = [*pending, self._part(Lost(count=self._lost, reason=self._failure.message))]
        try:
            self._writer.write(pending, self._part, durable=durable, patience=patience)
        finally:
            self._due = self._count + self._flush_every
            if self._writer.wrote:  # even when what came after failed: to write it twice would be wrong
                self._pending, self._bytes, self._lost = [], 0, 0

    def _part(self, event: Event) -> bytes:
        self._count += 1
        return lines.part(EventId(f"{self._name}.{self._count}"), stamp(self._clock()), event)

    def _failed(self, error: LedgerError) -> None:
        first = self._failure is None
        self._failure = error
        if self.fail_closed:
            raise error from None
        if first:
            self._report(error)

    @property
    def salt(self) -> bytes:
        """The key of ``digest``, for what does not fit into memory. To be written nowhere.

        While the ledger cannot be opened (and it is not ``fail_closed``) it is one of this process alone.
        """
        if self._salt is None:
            self._salt = self._random(32)
        return self._salt

    def digest(self, value: bytes) -> str:
        """A salted digest of ``value``: the same value gives the same text in this ledger, and in no other.

        The salt is held outside the workspace, so no guess can be tried against what stands in the ledger.
        """
        return f"blake2b:{hashlib.blake2b(value, key=self.salt, digest_size=24).hexdigest()}"

    @property
    def writer(self) -> Writer | None:
        """The open file and its memory; None while it cannot be opened."""
        return self._writer

    def close(self) -> None:
        """Flush and close; closed in any case. Raises LedgerError with ``fail_closed``."""
        with self._mutex:
            if self._closed:
                return
            try:
                if self._pending or self._lost:
                    self.flush()
            finally:
                self._closed = True
                _ledgers.discard(self)
                self._release()

    def _release(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()

    def forked(self) -> None:
        """In the child of a fork: begin anew. What the parent had not flushed is the parent's to write."""
        self._release()  # a lock held through a shared descriptor would exclude nobody
        self._begin()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a ledger is not pickled or copied; open it again")

    @staticmethod
    def verify(
        path: Path, *, keys: Keys, rotated: Sequence[Path] = (), allow_missing_start: bool = False
    ) -> Sound | Broken:
        """Check the whole ledger without writing anything; see ``verifying.verify_ledger``."""
        from sluicegate.record.ledger.verifying import verify_ledger

        return verify_ledger(path, keys=keys, rotated=rotated, allow_missing_start=allow_missing_start)


def _ledger_error(error: RecordError) -> LedgerError:
    return LedgerError(error.message, hint=error.hint)


_ledgers: weakref.WeakSet[Ledger] = weakref.WeakSet()


def _in_child() -> None:
    for ledger in list(_ledgers):
        ledger.forked()


def _at_exit() -> None:
    for ledger in list(_ledgers):
        try:
            ledger.close()
        except LedgerError as error:  # nobody is left to raise it to
            log_failure(error)


os.register_at_fork(after_in_child=_in_child)
atexit.register(_at_exit)

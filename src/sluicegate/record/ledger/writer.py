"""Writing lines into a ledger that others write too.

``write``, in this order, under the locks of the place (outside the workspace) and of the file:

1. The path still leads to the open file, or the file is opened again.
2. The file is compared with what is remembered of it (``standing``).
3. What 2 has to tell, then what was appended, then a checkpoint when one is due, become lines.
4. They are written at the end in one write, whole or not at all.
5. The new head is remembered outside the workspace. Now they are acknowledged.
6. Where a checkpoint was due and no key at hand, the key is fetched, without the locks, and 1 to 5 done again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sluicegate.record.clock import Clock
from sluicegate.record.errors import MemoryGone
from sluicegate.record.keys.keys import Keys, Signer
from sluicegate.record.ledger import checkpoints, lines, memory
from sluicegate.record.ledger.events import Event, Genesis
from sluicegate.record.ledger.file import LedgerFile
from sluicegate.record.ledger.memory import Head, HeadFile, Memory
from sluicegate.record.ledger.opening import recognise
from sluicegate.record.ledger.standing import settle

Parts = Callable[[Event], bytes]
"""Makes the part of a line that does not depend on where it stands."""


class Writer:
    """An open ledger, without a buffer. Not safe for threads; after a fork the child must not use it.

    Making one recognises the ledger (``opening``) and writes nothing yet. Raises RecordError and OSError,
    here and in ``write``.
    """

    def __init__(
        self,
        path: Path,
        *,
        keys: Keys,
        clock: Clock,
        random: Callable[[int], bytes],
        checkpoint_every: int,
        patience: float = memory.PATIENCE,
    ) -> None:
        self._path, self._keys, self._clock = path, keys, clock
        self._every = checkpoint_every
        self._signer: Signer | None = None
        self._last = Head()
        self.wrote = False
        place = memory.place_of(keys.home, path)
        self._lock = memory.open_lock(place)
        try:
            with memory.locked(self._lock, path, patience=patience):
                self._file = LedgerFile(path)
                try:
                    known = recognise(keys.home, self._file, random)
                    self._heads = HeadFile(place)
                except BaseException:
                    self._file.close()
                    raise
        except BaseException:
            os.close(self._lock)
            raise
        self.memory: Memory = known.memory
        self._owed: tuple[Event, ...] = known.events
        self._key = known.memory.mac_key

    def write(
        self, pending: Sequence[bytes], part: Parts, *, durable: bool, patience: float = memory.PATIENCE
    ) -> Head:
        """Write the parts of lines in ``pending``; see above. The head after them.

        ``wrote`` tells, also when this raises, whether they stand in the file. Locks are waited for
        ``patience`` seconds.
        """
        self.wrote = False
        head = self._write(pending, part, durable=durable, patience=patience)
        if self._due(head):
            self._signer = self._keys.signer()  # 6
            head = self._write((), part, durable=durable, patience=patience)
        return head

    def _due(self, head: Head) -> bool:
        return head.seq - head.checkpoint >= self._every

    def _write(self, pending: Sequence[bytes], part: Parts, *, durable: bool, patience: float) -> Head:
        with self._locked(patience):  # 1
            standing = settle(  # 2
                self._file, self.memory, self._heads, self._key, made=self._file.made
            )
            self._file.made = False
            self._owed += standing.events
            told, head = self._owed, standing.head
            if head.seq == 0:
                told = (Genesis(ledger=self.memory.ledger, version=1), *told)
            if told or pending or (self._due(head) and self._signer is not None):
                head = self._append(head, [*map(part, told), *pending], part)
            self.wrote = True
            if durable:
                self._file.sync()
            if head != self._last or durable:
                head = head._replace(turn=head.turn + 1)
                self._heads.remember(head, durable=durable)  # 5
                self._last = head
            if told:
                memory.paid(self.memory)
                self._owed = ()
        return head

    def _append(self, head: Head, parts: list[bytes], part: Parts) -> Head:
        written: list[bytes] = []
        size, seq, prev, checkpoint = head.end, head.seq, head.hash, head.checkpoint
        for one in parts:  # 3
            seq += 1
            data, prev = lines.write(seq, prev, one, self._key)
            written.append(data)
        if seq - checkpoint >= self._every and self._signer is not None:
            event = checkpoints.make(
                ledger=self.memory.ledger, through=seq, head=prev, signer=self._signer, now=self._clock()
            )
            seq = checkpoint = seq + 1
            data, prev = lines.write(seq, prev, part(event), self._key)
            written.append(data)
        block = b"".join(written)
        self._file.append(block, size=size)  # 4
        return Head(
            seq=seq,
            hash=prev,
            end=size + len(block),
            length=len(written[-1]),
            checkpoint=checkpoint,
            turn=head.turn,
        )

    @contextmanager
    def _locked(self, patience: float) -> Iterator[None]:
        """Hold both locks, on a file to which the path leads."""
        with memory.locked(self._lock, self._path, patience=patience):
            if os.fstat(self._lock).st_nlink == 0:
                raise MemoryGone(
                    f"the memory of {self._path} was deleted",
                    hint="Others would not see what is written here.",
                )
            if not self._file.current():
                self._file.close()
                self._file = LedgerFile(self._path)
            with memory.locked(self._file.fd, self._path, patience=patience):
                yield

    def close(self) -> None:
        """Close every file. Nothing is written."""
        self._file.close()
        self._heads.close()
        os.close(self._lock)

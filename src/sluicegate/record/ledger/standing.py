"""Where the ledger stands: what is remembered against what the file holds, before anything is written.

1. The file ends with the line that is remembered: go on.
2. It holds that line, and more. Lines of ours that follow are taken in (their writer was ended between the file
   and the memory). What comes after them is not a line of ours: torn by a kill, or written by others. It is moved
   into a quarantine file, and that is an event.
3. It does not hold that line where it stood: rotated, emptied, shortened, exchanged. Loose bytes at its end are
   moved into quarantine, and a rotation event goes on from the remembered line, so that whatever was lost shows
   in the numbers. Rotation by other tools is so not fatal, and never silent.

What has to be told of 2 and 3 is remembered as owed before the file is changed: a kill in between leaves it
to whoever opens the ledger next.
"""

from __future__ import annotations

import hashlib
import os

from msgspec import Struct

from sluicegate.record.ledger import lines, memory
from sluicegate.record.ledger.events import Event, Quarantine, Rotation
from sluicegate.record.ledger.file import LedgerFile
from sluicegate.record.ledger.lines import Line
from sluicegate.record.ledger.memory import Head, HeadFile, Memory


class Standing(Struct, frozen=True, kw_only=True):
    """The head to go on from, and what has to be told first."""

    head: Head
    events: tuple[Event, ...] = ()


def settle(file: LedgerFile, known: Memory, heads: HeadFile, key: bytes, *, made: bool) -> Standing:
    """Bring the file into a state that can be appended to; see above. ``made``: it did not exist before.

    Raises LedgerError when the file cannot be read or cut, RecordError and OSError when the memory cannot.
    """
    head, size = heads.recall(), file.size()
    rotated = size < head.end or not _holds(file, head)
    if not rotated and size == head.end:
        return Standing(head=head)  # 1
    if rotated:
        end, reason = file.last_line_end(size), "torn"
    else:
        head = _followed(file, head, key, size)
        end, reason = head.end, "torn" if file.read(size - 1, size) != b"\n" else "foreign"
    told: tuple[Event, ...] = ()
    if rotated:  # 3
        found = _found(head, size, made=made)
        told = (Rotation(ledger=known.ledger, after=head.seq, found=found),)  # type: ignore[arg-type]
    if end < size:  # 2, 3
        name = file.copy_aside(end, f"{reason}-{head.seq}-{os.urandom(4).hex()}")
        told += (Quarantine(file=name, size=size - end, reason=reason),)  # type: ignore[arg-type]
    if told:
        memory.owe(known, told)
    if rotated:
        head = head._replace(end=end, length=0, turn=head.turn + 1)
        heads.remember(head, durable=True)  # a kill from here on leaves case 1 or 2
    if end < size:
        file.cut(end)
    return Standing(head=head, events=told)


def _found(head: Head, size: int, *, made: bool) -> str:
    if made:
        return "no-file"
    if size == 0:
        return "empty-file"
    return "shorter-file" if size < head.end else "altered-file"


def _holds(file: LedgerFile, head: Head) -> bool:
    if head.length == 0:  # nothing written yet, or nothing since a rotation
        return True
    line = file.read(head.end - head.length, head.end)
    return line[-1:] == b"\n" and hashlib.sha256(line[:-1]).hexdigest() == head.hash


def _followed(file: LedgerFile, head: Head, key: bytes, size: int) -> Head:
    """The head after every line of ours that follows ``head`` in the file."""
    while data := file.read(head.end, min(size, head.end + lines.LIMIT)):
        start = 0
        while end := data.find(b"\n", start) + 1:
            line = parse(data[start : end - 1])
            if line is None or line.seq != head.seq + 1 or line.prev != head.hash or not line.authentic(key):
                return head
            head = after(head, line, end - start)
            start = end
        if start == 0:
            return head
    return head


def after(head: Head, line: Line, length: int) -> Head:
    """The head once ``line``, of ``length`` bytes with its line feed, stands in the file."""
    is_checkpoint = line.body.startswith(b'{"event":"checkpoint"')
    return head._replace(
        seq=line.seq,
        hash=line.hash,
        end=head.end + length,
        length=length,
        checkpoint=line.seq if is_checkpoint else head.checkpoint,
    )


def parse(data: bytes) -> Line | None:
    """The line that ``data`` spells, event and all; None when it is none."""
    try:
        line = lines.read(data)
        line.event()
    except ValueError:
        return None
    return line

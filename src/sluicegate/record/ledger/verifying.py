"""Is the ledger whole? Every line, its chain, its authenticity, its checkpoints, and its end.

1. Every line is a line, in its one spelling.
2. Numbers count up by one from 1, and each line names the hash of the one before: nothing was changed,
   dropped, exchanged, repeated or put in between.
3. Lines written from this home carry its MAC: nobody else wrote them.
4. A checkpoint names the line it stands after. One that claims a trusted key is signed with it.
5. The line that is remembered outside the workspace is there, and the ledger is the one remembered: nothing was
   cut off, and the file was not exchanged. Loose bytes after it are a line that was being written.
6. Something outside the workspace vouches for it: the memory of this home, or a checkpoint by somebody trusted.

Nothing is written. Who verifies on another machine has neither memory nor MAC, but has 1, 2, 4 and 6.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

from msgspec import Struct, field

from sluicegate.record.directories import real_path
from sluicegate.record.errors import LedgerBusy, LedgerError
from sluicegate.record.keys.keys import Keys
from sluicegate.record.keys.trust import Trust
from sluicegate.record.ledger import checkpoints, memory, segments
from sluicegate.record.ledger.events import Adopt, Checkpoint, Event, Genesis, Quarantine, Rotation
from sluicegate.record.ledger.lines import LIMIT, NOTHING, Line
from sluicegate.record.ledger.lines import read as read_line
from sluicegate.record.ledger.memory import Head, Memory

_SHOWN = 20


class Fault(StrEnum):
    """What is wrong with a ledger. Stable."""

    NOT_A_LINE = "not-a-line"
    MISSING_LINES = "missing-lines"
    OUT_OF_ORDER = "out-of-order"
    CHAIN = "chain"
    NOT_AUTHENTIC = "not-authentic"
    BAD_CHECKPOINT = "bad-checkpoint"
    CUT_OFF = "cut-off"
    OTHER_LEDGER = "other-ledger"
    TORN = "torn"
    NOT_VOUCHED_FOR = "not-vouched-for"


class Break(Struct, frozen=True, kw_only=True):
    """One thing that is wrong. ``row`` counts the lines of ``file`` from 1; 0 where no line can be named."""

    fault: Fault
    file: Path
    row: int
    detail: str


class LedgerFacts(Struct, frozen=True, kw_only=True):
    """What was found, sound or not.

    ``first`` and ``last`` are line numbers (0: no lines); ``signed`` is the last line that a checkpoint by somebody
    trusted covers; ``remembered`` is the line that the memory of this home names (0: there is none).
    """

    ledger: str
    first: int
    last: int
    signed: int
    remembered: int
    files: tuple[Path, ...]
    notes: tuple[str, ...]


class Sound(Struct, frozen=True, kw_only=True):
    """Nothing is wrong."""

    facts: LedgerFacts


class Broken(Struct, frozen=True, kw_only=True):
    """Something is: the first breaks, and how many ``more`` there are."""

    facts: LedgerFacts
    breaks: tuple[Break, ...]
    more: int


def verify_ledger(
    path: Path, *, keys: Keys, rotated: Sequence[Path] = (), allow_missing_start: bool = False
) -> Sound | Broken:
    """Check the ledger at ``path``, with the files that were ``rotated`` away (those beside it are found).

    ``allow_missing_start`` accepts that the oldest files are gone. Raises LedgerError when there is nothing to
    check or a file cannot be read, TrustError and KeyFileError when the home cannot.
    """
    real = real_path(path.parent) / path.name
    known = memory.load(memory.place_of(keys.home, real))
    head = _head(real, known)
    before = segments.order(real, rotated)
    if known is None and not before and not real.exists():
        raise LedgerError(f"there is no ledger {path}", hint="Name it with --ledger or SLUICEGATE_AUDIT_LOG.")
    files = (*before, *((real,) if real.exists() else ()))
    check = _Check(known, head, keys.trust(), allow_missing_start)
    for file in files:
        check.file(file, last=file is files[-1])
    return check.result(real, files)


def _head(real: Path, known: Memory | None) -> Head:
    """The remembered head, read when no writer is between the file and the memory."""
    if known is None:
        return Head()
    fd = memory.open_lock(known.directory)
    try:
        with suppress(LedgerBusy), memory.locked(fd, real, shared=True, patience=1.0):
            return memory.recall(known.directory)
    finally:
        os.close(fd)
    return memory.recall(known.directory)


_DAY = 86_400.0
_SHOWN_TIMES = 5


def _seconds(earlier: str, later: str) -> float:
    """How far two times of the ledger are apart."""
    from datetime import datetime

    try:
        return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds()
    except ValueError:  # digits that are not a date
        return float("inf")


class _Check(Struct):
    """The state of one verification, line by line."""

    known: Memory | None
    head: Head
    trust: Trust
    any_start: bool
    breaks: list[Break] = field(default_factory=list)
    more: int = 0
    notes: list[str] = field(default_factory=list)
    ledger: str = ""
    first: int = 0
    seq: int = 0
    hash: str | None = NOTHING
    signed: int = 0
    remembered_seen: bool = False
    key: bytes = b""
    latest: str = ""
    by_writer: dict[str, str] = field(default_factory=dict)
    went_back: int = 0

    def __post_init__(self) -> None:
        if self.known is not None:
            self.key = self.known.mac_key
        if self.any_start:
            self.hash = None

    def file(self, path: Path, *, last: bool) -> None:
        """Check one file; ``last`` is the one still written."""
        for row, data in enumerate(segments.read(path), start=1):
            if data[-1:] == b"\n":
                self._line(path, row, data[:-1])
            elif len(data) == LIMIT:
                self._line(path, row, data)  # a piece of something too long to be a line
            else:
                self._loose(path, row, data, last=last)

    def _loose(self, path: Path, row: int, data: bytes, *, last: bool) -> None:
        """5: bytes without a line feed are the start of a line only after the line that is remembered."""
        if last and self.known is not None and self.seq >= self.head.seq:
            self.notes.append(
                f"{len(data)} loose bytes at the end: a line that was being written; the next writer sets them aside"
            )
        else:
            self._break(Fault.TORN, path, row, "the last line has no end")

    def _line(self, path: Path, row: int, data: bytes) -> None:
        try:
            line = read_line(data)
            event = line.event()
        except ValueError:
            self._break(Fault.NOT_A_LINE, path, row, "not a line of a ledger, or changed")  # 1
            self.seq, self.hash = self.seq + 1, None
            return
        self._follows(path, row, line)  # 2
        if self.known is not None and line.seq >= self.known.since and not line.authentic(self.key):
            self._break(
                Fault.NOT_AUTHENTIC, path, row, f"line {line.seq} was not written from this home"
            )  # 3
        self.first = self.first or line.seq
        self.seq, self.hash = line.seq, line.hash
        if line.seq == self.head.seq:
            self.remembered_seen = line.hash == self.head.hash  # 5
        self._time(line)
        self._event(path, row, line, event)

    def _time(self, line: Line) -> None:
        """A clock that went back is not a break, since lines are held by their chain; what was when is then doubtful.

        One writer notes its lines in order. Lines of several may wait for their flush, so only a day counts there.
        """
        writer = line.id.partition(".")[0]
        own = self.by_writer.get(writer, "")
        if line.ts < own or (line.ts < self.latest and _seconds(line.ts, self.latest) > _DAY):
            before = own if line.ts < own else self.latest
            if _seconds(line.ts, before) > 1:
                self.went_back += 1
                if self.went_back <= _SHOWN_TIMES:
                    self.notes.append(
                        f"line {line.seq}: the clock went back, from {before[:19]}Z to {line.ts[:19]}Z"
                    )
                self.latest = line.ts  # each step back is told once
        self.by_writer[writer] = line.ts
        self.latest = max(self.latest, line.ts)

    def _follows(self, path: Path, row: int, line: Line) -> None:
        expected = self.seq + 1
        if self.first == 0 and self.any_start:
            return
        if line.seq > expected:
            missing = (
                f"line {expected}" if line.seq == expected + 1 else f"lines {expected} to {line.seq - 1}"
            )
            self._break(Fault.MISSING_LINES, path, row, f"{missing} are in no file that was found")
        elif line.seq < expected:
            self._break(
                Fault.OUT_OF_ORDER, path, row, f"line {line.seq} stands where line {expected} belongs"
            )
        elif self.hash is not None and line.prev != self.hash:
            self._break(
                Fault.CHAIN,
                path,
                row,
                f"line {line.seq} does not follow from the line before: one was changed",
            )

    def _event(self, path: Path, row: int, line: Line, event: Event) -> None:
        if isinstance(event, Genesis | Rotation | Adopt):
            self.ledger = event.ledger
        if isinstance(event, Rotation):
            self.notes.append(
                f"line {line.seq}: went on in another file after line {event.after} ({event.found})"
            )
        elif isinstance(event, Adopt):
            self.notes.append(
                f"line {line.seq}: taken over by another home; only their chain holds the lines before"
            )
        elif isinstance(event, Quarantine):
            self.notes.append(
                f"line {line.seq}: {event.size} bytes ({event.reason}) were set aside in {event.file}"
            )
        elif isinstance(event, Checkpoint):
            self._checkpoint(path, row, line, event)

    def _checkpoint(self, path: Path, row: int, line: Line, event: Checkpoint) -> None:
        """4"""
        if (
            event.through != line.seq - 1
            or event.head != line.prev
            or event.ledger != (self.ledger or event.ledger)
        ):
            self._break(
                Fault.BAD_CHECKPOINT, path, row, f"the checkpoint in line {line.seq} is about another line"
            )
            return
        match checkpoints.check(event, self.trust):
            case checkpoints.Attested():
                self.signed = line.seq - 1
            case checkpoints.UnknownSigner(why=why):
                self.notes.append(f"line {line.seq}: {why}; it counts for nothing")
            case checkpoints.Forged(why=why):
                self._break(Fault.BAD_CHECKPOINT, path, row, f"line {line.seq}: {why}")

    def _break(self, fault: Fault, path: Path, row: int, detail: str) -> None:
        if len(self.breaks) < _SHOWN:
            self.breaks.append(Break(fault=fault, file=path, row=row, detail=detail))
        else:
            self.more += 1

    def result(self, path: Path, files: tuple[Path, ...]) -> Sound | Broken:
        """The end of the ledger against what is remembered, and the answer."""
        if self.went_back > _SHOWN_TIMES:
            self.notes.append(f"the clock went back {self.went_back - _SHOWN_TIMES} more times")
        for fault, detail in self._ending():
            self.breaks.append(Break(fault=fault, file=path, row=0, detail=detail))
        facts = LedgerFacts(
            ledger=self.ledger,
            first=self.first,
            last=self.seq if self.first else 0,
            signed=self.signed,
            remembered=self.head.seq,
            files=files,
            notes=tuple(self.notes),
        )
        if self.breaks:
            return Broken(facts=facts, breaks=tuple(self.breaks), more=self.more)
        return Sound(facts=facts)

    def _ending(self) -> Iterator[tuple[Fault, str]]:
        if self.known is None:
            if not self.signed:  # 6
                yield (
                    Fault.NOT_VOUCHED_FOR,
                    "this home does not remember the ledger, and no checkpoint in it is by somebody trusted",
                )
            return
        if self.ledger and self.ledger != self.known.ledger:
            yield Fault.OTHER_LEDGER, "this is not the ledger that is remembered for this place"
        if self.seq < self.head.seq:  # 5
            yield (
                Fault.CUT_OFF,
                f"the ledger reached line {self.head.seq}; what is here ends with line {self.seq}",
            )
        elif self.head.seq and not self.remembered_seen:
            yield (
                Fault.CUT_OFF,
                f"line {self.head.seq} is not the one that is remembered: the end was exchanged",
            )

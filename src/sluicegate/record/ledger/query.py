"""Asking the ledger: what happened to a value or a file, who signed, blessed and was denied what, and why.

``why`` walks from one event back to origins. An event follows from

1. its ``inputs``: events by their ids, values by the last event that changed or made them;
2. where it reads a file, the last write of that path or of that content before it; where it appends to one,
   the last write of that path or file before it;
3. where it says something about a signature, the last event that made, took back or changed what has that name;
4. where it tells what became of a permit, the permission that gave it: in a session the last one of that name; permits
   without a session are numbered by each program for itself;
5. where it decides on a skill by rulings of persons, the last event that told of each before it.

Nothing follows from another event because they are about operations of the same name, or names that may be used again.
Only earlier events are followed, so there is no circle, whatever a ledger holds.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import Struct, field

from sluicegate.patterns import late
from sluicegate.record.directories import real_path
from sluicegate.record.errors import LedgerError, RecordError
from sluicegate.record.files import contents
from sluicegate.record.keys.keys import Keys
from sluicegate.record.ledger import memory, segments
from sluicegate.record.ledger.events import (
    Advised,
    Allow,
    Bless,
    Conflict,
    Denial,
    Event,
    EventId,
    Flagged,
    Intake,
    Label,
    Lapse,
    Read,
    Ruled,
    Settle,
    Sign,
    Spread,
    Verify,
    Vetted,
    Vouch,
    Withdraw,
    Write,
)
from sluicegate.record.ledger.lines import read as read_line

_ID = late(r"[0-9a-z]{1,32}\.[0-9]{1,18}", re.ASCII)
_ABOUT_SIGNATURES = (Sign, Verify, Withdraw)


class NotFound(RecordError):
    """The ledger has no event about what was asked for."""

    code = "not-in-ledger"


class LedgerEntry(Struct, frozen=True, kw_only=True):
    """One event where it stands. ``authentic``: it was written from this home."""

    seq: int
    id: EventId
    ts: str
    event: Event
    authentic: bool


class Node(Struct, frozen=True, kw_only=True):
    """One event of an answer, with the numbers of the events that it follows from."""

    entry: LedgerEntry
    follows: tuple[int, ...]


class History(Struct):
    """All events of a ledger, in order, and where names occur. ``skipped`` counts what was not a line."""

    entries: dict[int, LedgerEntry] = field(default_factory=dict)
    skipped: int = 0
    _ids: dict[str, int] = field(default_factory=dict)
    _values: dict[str, list[int]] = field(default_factory=dict)
    _made: dict[str, list[int]] = field(default_factory=dict)
    _paths: dict[str, list[int]] = field(default_factory=dict)
    _writes: dict[str, list[int]] = field(default_factory=dict)
    _permits: dict[str, list[int]] = field(default_factory=dict)
    _rulings: dict[str, list[int]] = field(default_factory=dict)

    def add(self, entry: LedgerEntry) -> None:
        """Take in the next event."""
        if entry.seq in self.entries:
            self.skipped += 1
            return
        self.entries[entry.seq] = entry
        self._ids.setdefault(entry.id, entry.seq)
        event = entry.event
        name = _value(event)
        if name:
            self._values.setdefault(name, []).append(entry.seq)
            if not isinstance(event, Verify | Denial):
                self._made.setdefault(name, []).append(entry.seq)
        if isinstance(event, Write | Spread | Read | Vouch):
            self._paths.setdefault(event.path, []).append(entry.seq)
        if isinstance(event, Allow) and event.permit:
            self._permits.setdefault(event.permit, []).append(entry.seq)
        if isinstance(event, Ruled):
            self._rulings.setdefault(event.hash, []).append(entry.seq)
        if isinstance(event, Write):
            for mark in (event.path, event.hash, _which(event)):
                self._writes.setdefault(mark, []).append(entry.seq)

    def find(self, what: str, *, directory: Path, root: Path | None = None) -> LedgerEntry:
        """The last event about ``what``: an event's number or id, ``@value``, a path, the name of a value or of
        what is signed, or an operation (``post``, ``git push``, ``op:cmd:git``).

        Relative paths are taken from ``directory``; what is signed has its name in the workspace ``root``. Raises NotFound.
        """
        found = self.about(what, directory=directory, root=root)
        return found[-1]

    def about(self, what: str, *, directory: Path, root: Path | None = None) -> tuple[LedgerEntry, ...]:
        """All events about ``what``, in order; see ``find``. Raises NotFound."""
        if what.isascii() and what.isdigit():
            numbers = [int(what)] if int(what) in self.entries else []
        elif _ID.fullmatch(what) and what in self._ids:
            numbers = [self._ids[what]]
        elif what.startswith("@"):
            numbers = self._values.get(what, [])
        else:
            real = contents.path_text(os.path.realpath(directory / what))
            numbers = self._paths.get(real) or self._paths.get(what) or self._values.get(f"@{what}", [])
            # Signatures and certificates are made under plain names: a path in the workspace, or what was said.
            own = os.path.realpath(root) if root is not None else ""
            signed = self._values.get(real.removeprefix(f"{own}/"), []) if own else []
            numbers = sorted({*numbers, *signed, *self._values.get(what, [])}) or list(self._performed(what))
        if not numbers:
            raise NotFound(
                f"the ledger has no event about {what!r}",
                hint="Name an event by its number, a value as @name, a file by its path, or an operation by its name; "
                "'sluicegate audit log' lists all events.",
            )
        return tuple(self.entries[number] for number in numbers)

    def _permission(self, event: Settle | Lapse, entry: LedgerEntry) -> int | None:
        """The event that gave a permit (4)."""
        own = f"{entry.id.partition('.')[0]}." if event.permit.startswith("/") else ""
        for number in reversed(self._permits.get(event.permit, ())):
            if number < entry.seq and self.entries[number].id.startswith(own):
                return number
        return None

    def _performed(self, what: str) -> Iterator[int]:
        """The events about operations of that name: the segments of one of their labels, or some of them in a row; or the name
        itself, as events show it; or a permit by its name, or a source that a session took in."""
        wanted = f":{':'.join(what.split())}:"
        if wanted == "::":
            return
        for entry in self.entries.values():
            event = entry.event
            if isinstance(event, Intake):
                if what in (event.source, event.session):
                    yield entry.seq
                continue
            if not isinstance(event, Allow | Denial | Settle | Lapse):
                continue
            name = event.operation.partition("(")[0].strip()
            if what in (event.operation, name, name.partition(" ")[2]) or (
                not isinstance(event, Denial) and event.permit and what == event.permit
            ):
                yield entry.seq
            elif isinstance(event, Allow | Denial) and any(
                wanted in f":{label}:"
                for label in event.operation_labels
                if label.startswith("op:") or wanted == f":{label}:"
            ):
                yield entry.seq

    def labels(self) -> tuple[frozenset[str], frozenset[str]]:
        """All labels that values have had here, and all that operations have had."""
        values: set[str] = set()
        operations: set[str] = set()
        for entry in self.entries.values():
            for name in ("labels", "taint", "add"):
                values.update(getattr(entry.event, name, ()))
            operations.update(getattr(entry.event, "operation_labels", ()))
        return frozenset(values), frozenset(operations)

    def of_kind(self, *kinds: type[Event]) -> tuple[LedgerEntry, ...]:
        """All events of some kinds, in order."""
        return tuple(entry for entry in self.entries.values() if isinstance(entry.event, kinds))

    def why(self, entry: LedgerEntry) -> dict[int, Node]:
        """``entry`` and everything that it follows from, by number, nearest first."""
        nodes: dict[int, Node] = {}
        waiting = deque([entry.seq])
        while waiting:
            number = waiting.popleft()
            if number in nodes:
                continue
            follows = tuple(sorted(set(self._follows(self.entries[number]))))
            nodes[number] = Node(entry=self.entries[number], follows=follows)
            waiting += follows
        return nodes

    def _follows(self, entry: LedgerEntry) -> Iterator[int]:
        event = entry.event
        for word in event.inputs:  # 1
            found = self._ids.get(word)
            if found is None and word.startswith("@"):
                found = _last(self._made.get(word, ()), entry.seq)
            if found is not None and found < entry.seq:
                yield found
        marks: list[str] = []
        if isinstance(event, Read):  # 2
            marks = [event.path, event.hash]
        elif isinstance(event, Write) and event.appended:
            marks = [event.path, _which(event)]
        before = [_last(self._writes.get(mark, ()), entry.seq) for mark in marks if mark]
        yield from (number for number in before if number is not None)
        if isinstance(event, _ABOUT_SIGNATURES):  # 3
            earlier = _last(self._made.get(event.var, ()), entry.seq)
            if earlier is not None:
                yield earlier
        if isinstance(event, Settle | Lapse):  # 4
            permission = self._permission(event, entry)
            if permission is not None:
                yield permission
        if isinstance(event, Vetted):  # 5
            told = [_last(self._rulings.get(ruling, ()), entry.seq) for ruling in event.rulings]
            yield from (number for number in told if number is not None)


def load(path: Path, *, keys: Keys, rotated: Sequence[Path] = ()) -> History:
    """Read a ledger, with the files that were rotated away. What is not a line is counted and left out.

    Raises LedgerError when there is none or it cannot be read.
    """
    real = real_path(path.parent) / path.name
    known = memory.load(memory.place_of(keys.home, real))
    key = known.mac_key if known is not None else None
    before = segments.order(real, rotated)
    if not before and not real.exists():
        raise LedgerError(f"there is no ledger {path}", hint="Name it with --ledger or SLUICEGATE_AUDIT_LOG.")
    history = History()
    for file in (*before, *((real,) if real.exists() else ())):
        for data in segments.read(file):
            with suppress(ValueError):
                line = read_line(data[:-1])
                authentic = key is not None and line.authentic(key)
                history.add(
                    LedgerEntry(seq=line.seq, id=line.id, ts=line.ts, event=line.event(), authentic=authentic)
                )
                continue
            history.skipped += 1
    return history


def _value(event: Event) -> str:
    """The name of the value that an event is about; empty when it is about none."""
    if isinstance(
        event,
        Allow
        | Denial
        | Read
        | Label
        | Bless
        | Conflict
        | Sign
        | Verify
        | Withdraw
        | Advised
        | Vetted
        | Ruled
        | Flagged,
    ):
        return event.var
    return ""


def _which(event: Write) -> str:
    return f"{event.device}:{event.inode}:{event.generation}"


def _last(numbers: Sequence[int], before: int) -> int | None:
    """The last of ``numbers``, which ascend, that is less than ``before``."""
    at = bisect_left(numbers, before)
    return numbers[at - 1] if at else None

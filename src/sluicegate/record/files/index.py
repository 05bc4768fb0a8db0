"""The index of file labels: what the ledger's write events say, looked up by file, by path and by content.

It is kept beside the memory of the ledger, outside the workspace, so that it need not be made again by each
process, and so that it still knows what was cut out of the ledger. It can be made again from the ledger. It is
an SQLite file: lookups read a few pages, however many events there are.

1. ``reached`` is the line up to which the ledger was read: its number, its hash, where it ended.
2. Reading goes on from there where the ledger still holds that line there; else all files of the ledger are read
   again for lines with higher numbers.
3. Lines with the MAC of this home are believed. Of lines from before this home took the ledger over, what they
   describe is known only ``partly``. All others are passed over.
4. Where numbers are missing, something was written that nobody knows: ``gap``.
"""

from __future__ import annotations

import hashlib
import json
import os
import posixpath
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from sluicegate.record.errors import LedgerError
from sluicegate.record.files import contents
from sluicegate.record.files.joining import join_labels
from sluicegate.record.ledger import lines, segments
from sluicegate.record.ledger.events import Narrow, Spread, Strings, Vouch, Write
from sluicegate.record.ledger.lines import Line
from sluicegate.record.ledger.memory import Memory, recall

_SCHEMA = """
CREATE TABLE IF NOT EXISTS file (key TEXT PRIMARY KEY, digest TEXT, size INTEGER, labels TEXT, partly INTEGER,
    event TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS path (key TEXT PRIMARY KEY, digest TEXT, size INTEGER, labels TEXT, partly INTEGER,
    event TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS content (key TEXT PRIMARY KEY, digest TEXT, size INTEGER, labels TEXT, partly INTEGER,
    event TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS spread (key TEXT PRIMARY KEY, labels TEXT, event TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS named (key TEXT PRIMARY KEY, labels TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pending (event TEXT PRIMARY KEY, key TEXT, labels TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS unnamed (key TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE VIEW IF NOT EXISTS place AS SELECT key, labels, event FROM spread UNION ALL SELECT key, labels, event FROM pending;
CREATE TABLE IF NOT EXISTS reached (one INTEGER PRIMARY KEY CHECK (one = 1), ledger TEXT, seq INTEGER, hash TEXT,
    end INTEGER, length INTEGER, gap INTEGER);
"""
_JOIN_CONTENT = """
INSERT INTO content VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET
    labels = joined(labels, excluded.labels), partly = max(partly, excluded.partly), event = excluded.event
"""
_JOIN_SPREAD = """
INSERT INTO spread VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET
    labels = joined(labels, excluded.labels), event = excluded.event
"""
_JOIN_NAMED = """
INSERT INTO named VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET labels = joined(labels, excluded.labels)
"""
_UNNAMED = """
INSERT OR IGNORE INTO unnamed SELECT ? WHERE NOT EXISTS
    (SELECT 1 FROM path WHERE key = ? AND labels != '[]' AND key NOT IN (SELECT key FROM unnamed))
"""
_OF_WHAT = "digest, size, labels, partly, event"
_MOST_NEW = 200
"""Contents that are learnt together, of which what is kept in short is kept up; of more it is made anew."""
_ABOUT_FILES = (b'{"event":"write"', b'{"event":"spread"', b'{"event":"narrow"', b'{"event":"vouch"')
AboutFiles = Write | Spread | Narrow | Vouch
_BATCH = 5000


class FileRow(Struct, frozen=True):
    """What was last written: the digest and size of the content, its labels, and the event that says so."""

    digest: str
    size: int
    labels: Strings
    partly: bool
    event: str


class PlaceLabels(Struct, frozen=True):
    """What may have been written into any file of a place: all labels of it, and the last event that says so."""

    labels: Strings
    event: str


class Outline(Struct, frozen=True):
    """All that an index says, in short: the inodes of which there is something to say, by their device; and with which labels, and
    whether only partly known, contents of which sizes were written. It may say more than the index, and never less."""

    inodes: dict[int, set[int]]
    contents: dict[tuple[Strings, bool], set[int]]


class LedgerPosition(Struct, frozen=True):
    """How far the ledger has been read (1); ``gap`` as in 4."""

    seq: int = 0
    hash: str = lines.NOTHING
    end: int = 0
    length: int = 0
    gap: bool = False


@lru_cache(maxsize=1024)
def _labels_of(text: str) -> Strings:
    return tuple(json.loads(text))


def _row_of(found: Sequence[Any]) -> FileRow:
    digest, size, labels, partly, event = found
    return FileRow(digest, size, _labels_of(labels), bool(partly), event)


def _add_contents(outline: Outline, rows: Iterable[Any]) -> None:
    for labels, partly, size in rows:
        outline.contents.setdefault((_labels_of(labels), bool(partly)), set()).add(size)


@lru_cache(maxsize=1024)
def _labels_text(labels: Strings) -> str:
    return json.dumps(labels)


def _joined(first: str, second: str) -> str:
    """``join_labels`` of two lists, as they are kept."""
    if first == second:
        return first
    return _labels_text(join_labels(json.loads(first), json.loads(second)))


def _and_above(path: str) -> Iterator[str]:
    """A real path and all directories above it, as text for events (``contents.path_text``); so it is given, too."""
    yield path
    real = contents.path_of(path)
    while (above := posixpath.dirname(real)) != real:
        real = above
        yield contents.path_text(real)


def _unusable(error: sqlite3.Error) -> LedgerError:
    return LedgerError(
        f"the index of file labels cannot be used: {error}",
        hint="It is files.db beside the memory of the ledger. Deleted, it is made again.",
    )


class Index:
    """An open index. Not safe for threads; processes may share the file."""

    def __init__(self, path: Path | None, ledger: str) -> None:
        """Open the index at ``path``, or one in memory alone; a damaged one is begun anew. Raises LedgerError."""
        self._ledger = ledger
        self._outline: tuple[int, Outline] | None = None  # and the version of the index of which it is
        try:
            try:
                self._db = self._connect(path)
            except sqlite3.OperationalError:
                raise  # locked, no room, no right: not damaged
            except sqlite3.DatabaseError:
                for suffix in ("", "-wal", "-shm"):
                    with suppress(OSError):
                        Path(f"{path}{suffix}").unlink()
                self._db = self._connect(path)
        except sqlite3.Error as error:
            raise _unusable(error) from None

    def _connect(self, path: Path | None) -> sqlite3.Connection:
        db = sqlite3.connect(path or ":memory:", timeout=10, isolation_level=None, check_same_thread=False)
        try:
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=NORMAL")
            db.executescript(_SCHEMA)
            db.create_function("joined", 2, _joined, deterministic=True)
            begin = (self._ledger, lines.NOTHING)
            db.execute("INSERT OR IGNORE INTO reached VALUES (1, ?, 0, ?, 0, 0, 0)", begin)
            if db.execute("SELECT ledger FROM reached").fetchone() != (self._ledger,):
                raise sqlite3.DatabaseError("of another ledger")
        except sqlite3.DatabaseError:
            db.close()
            raise
        return db

    def close(self) -> None:
        """Close the index."""
        self._db.close()

    def by_file(self, key: str) -> FileRow | None:
        """What was last written into the file with this ``Which.key``."""
        return self._row("SELECT digest, size, labels, partly, event FROM file WHERE key = ?", key)

    def by_path(self, path: str) -> FileRow | None:
        """What was last written at this real path."""
        return self._row("SELECT digest, size, labels, partly, event FROM path WHERE key = ?", path)

    def by_content(self, digest: str) -> FileRow | None:
        """The join of everything that was ever written with this content."""
        return self._row("SELECT digest, size, labels, partly, event FROM content WHERE key = ?", digest)

    def around(self, path: str | None) -> tuple[PlaceLabels, ...]:
        """What may have been written into any file at ``path`` or in a folder above it; None is any path."""
        spread = self._all("SELECT key, labels, event FROM place ORDER BY key DESC")
        if not spread:
            return ()
        places = None if path is None else set(_and_above(path))
        return tuple(
            PlaceLabels(tuple(json.loads(labels)), event)
            for key, labels, event in spread
            if places is None or key in places
        )

    def everything(self) -> Strings:
        """All labels of all that is known."""
        every = "SELECT labels FROM content UNION SELECT labels FROM path UNION SELECT labels FROM place"
        return join_labels(*(json.loads(labels) for (labels,) in self._all(every)))

    def labelled(self) -> list[tuple[str, Strings]]:
        """Each path, of a file or of a place that was spread over, of which there are labels."""
        query = "SELECT key, labels FROM path WHERE labels != '[]' UNION ALL SELECT key, labels FROM place"
        return [(key, tuple(json.loads(labels))) for key, labels in self._all(query)]

    def named(self) -> list[tuple[str, Strings]]:
        """Each path, of a file or of a place, that a writer named, of which there are labels."""
        query = (
            "SELECT key, labels FROM path WHERE labels != '[]' AND key NOT IN (SELECT key FROM unnamed)"
            " UNION ALL SELECT key, labels FROM named WHERE labels != '[]'"
        )
        return [(key, _labels_of(labels)) for key, labels in self._all(query)]

    def spread_places(self) -> dict[str, PlaceLabels]:
        """Every place of which any file may have been written."""
        found: dict[str, PlaceLabels] = {}
        for key, labels, event in self._all("SELECT key, labels, event FROM place"):
            known = found.get(key)
            joined = _labels_of(labels) if known is None else join_labels(known.labels, _labels_of(labels))
            found[key] = PlaceLabels(joined, event)
        return found

    def by_inode(self, device: int, inode: int) -> list[FileRow]:
        """What was last written into files with this number, of which all but one are gone."""
        start = f"{device}:{inode}:"
        query = f"SELECT {_OF_WHAT} FROM file WHERE key BETWEEN ? AND ?"  # noqa: S608 - names of columns
        return [_row_of(found) for found in self._all(query, (start, f"{start}~"))]

    def rows_below(self, folder: str) -> Iterator[tuple[str, FileRow]]:
        """What was last written at each path below the directory at a real path, with that path."""
        start = f"{folder.rstrip('/')}/"
        as_bytes = f"{contents.HEX}{os.fsencode(start).hex()}"
        ranges = [(as_bytes, f"{as_bytes}g")]
        if contents.path_text(start) == start:
            ranges.append((start, f"{start[:-1]}0"))  # the character after the slash
        query = f"SELECT key, {_OF_WHAT} FROM path WHERE key >= ? AND key < ?"  # noqa: S608 - names of columns
        for bounds in ranges:
            for key, *found in self._all(query, bounds):
                yield contents.path_of(key), _row_of(found)

    def outline(self) -> Outline:
        """All of it in short; made anew only where another process has changed it."""
        version = self._one("PRAGMA data_version", ())[0]
        if self._outline is None or self._outline[0] != version:
            inodes: dict[int, set[int]] = {}
            for (key,) in self._all("SELECT key FROM file"):
                device, inode, _ = key.split(":")
                inodes.setdefault(int(device), set()).add(int(inode))
            outline = Outline(inodes, {})
            _add_contents(outline, self._all("SELECT DISTINCT labels, partly, size FROM content"))
            self._outline = version, outline
        return self._outline[1]

    def _keep_up(self, version: int, outline: Outline, files: Sequence[str], digests: Sequence[str]) -> None:
        """Put into the outline what was learnt of these."""
        for key in files:
            device, inode, _ = key.split(":")
            outline.inodes.setdefault(int(device), set()).add(int(inode))
        marks = ", ".join("?" * len(digests))
        query = f"SELECT DISTINCT labels, partly, size FROM content WHERE key IN ({marks})"  # noqa: S608
        _add_contents(outline, self._all(query, tuple(digests)))
        self._outline = version, outline

    def _row(self, query: str, key: str) -> FileRow | None:
        found = self._one(query, (key,))
        return None if found is None else _row_of(found)

    def _one(self, query: str, values: tuple[str, ...]) -> Any:
        """The first row that a query finds, of SQLite's own types. Raises LedgerError."""
        try:
            return self._db.execute(query, values).fetchone()
        except sqlite3.Error as error:
            raise _unusable(error) from None

    def _all(self, query: str, values: tuple[str, ...] = ()) -> list[Any]:
        """All rows that a query finds. Raises LedgerError."""
        try:
            return self._db.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise _unusable(error) from None

    def reached(self) -> LedgerPosition:
        """How far the ledger has been read."""
        found = self._one("SELECT seq, hash, end, length, gap FROM reached", ())
        seq, hash, end, length, gap = found
        return LedgerPosition(seq, hash, end, length, bool(gap))

    def learn(self, written: Iterable[tuple[str, AboutFiles]]) -> None:
        """Take in what was written, with the ids of the events, in their order. Raises LedgerError."""
        several: list[tuple[str, Write | Spread]] = []
        for id, event in written:
            if isinstance(event, Write | Spread):
                several.append((id, event))
                continue
            self._learn(several)
            several.clear()
            with self._transaction():
                if isinstance(event, Narrow):
                    self._db.execute("DELETE FROM pending WHERE event = ?", (event.spread,))
                else:
                    self._vouched(event)
        self._learn(several)

    def _learn(self, written: Sequence[tuple[str, Write | Spread]]) -> None:
        files, paths, contents_of, spread, named, pending = [], [], [], [], [], []
        unnamed = False
        for id, event in written:
            if isinstance(event, Spread):
                labels = _labels_text(event.taint)
                if event.pending:
                    pending.append((id, event.path, labels))
                    continue
                spread.append((event.path, labels, id))
                if not event.code:
                    named.append((event.path, labels))
                continue
            row = (event.hash, event.size, _labels_text(event.taint), int(event.partly), id)
            files.append((f"{event.device}:{event.inode}:{event.generation}", *row))
            paths.append((event.path, *row, event.code))
            unnamed = unnamed or event.code
            if event.size:  # every empty file has the same content
                contents_of.append((event.hash, *row))
        outline, self._outline = self._outline, None
        with self._transaction():
            self._db.executemany("REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?)", files)
            self._learn_paths(paths, unnamed=unnamed)
            self._db.executemany(_JOIN_CONTENT, contents_of)
            self._db.executemany(_JOIN_SPREAD, spread)
            self._db.executemany(_JOIN_NAMED, named)
            self._db.executemany("REPLACE INTO pending VALUES (?, ?, ?)", pending)
        if outline is not None and len(files) <= _MOST_NEW:
            self._keep_up(*outline, [each[0] for each in files], [each[0] for each in contents_of])

    def _learn_paths(self, paths: Sequence[tuple[Any, ...]], *, unnamed: bool) -> None:
        """What was written at each path, and which of these nobody named. One that was named stays so, whatever changes it."""
        if not unnamed:
            self._db.executemany("REPLACE INTO path VALUES (?, ?, ?, ?, ?, ?)", [each[:-1] for each in paths])
            self._db.executemany("DELETE FROM unnamed WHERE key = ?", [(each[0],) for each in paths])
            return
        for *row, code in paths:
            if code:
                self._db.execute(_UNNAMED, (row[0], row[0]))
            else:
                self._db.execute("DELETE FROM unnamed WHERE key = ?", (row[0],))
            self._db.execute("REPLACE INTO path VALUES (?, ?, ?, ?, ?, ?)", row)

    def _vouched(self, event: Vouch) -> None:
        """A person answers for what lies at or below a path: for these contents wherever they are, and for what may have been written
        there."""
        self._outline = None
        removed = frozenset(event.remove)

        def left(text: str) -> str:
            return _labels_text(tuple(label for label in json.loads(text) if label not in removed))

        self._db.create_function("left_of", 1, left, deterministic=True)
        top = contents.path_of(event.path)
        rows = self._db.execute("SELECT key, digest FROM path").fetchall()
        within = [(key, digest) for key, digest in rows if contents.lies_in(contents.path_of(key), top)]
        for key, digest in within:
            self._db.execute("UPDATE path SET labels = left_of(labels) WHERE key = ?", (key,))
            self._db.execute("UPDATE content SET labels = left_of(labels) WHERE key = ?", (digest,))
            self._db.execute("UPDATE file SET labels = left_of(labels) WHERE digest = ?", (digest,))
        for table in ("spread", "named", "pending"):
            for (key,) in self._db.execute(f"SELECT DISTINCT key FROM {table}").fetchall():  # noqa: S608 - names of tables
                if contents.lies_in(contents.path_of(key), top):
                    self._db.execute(f"UPDATE {table} SET labels = left_of(labels) WHERE key = ?", (key,))  # noqa: S608

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing; inside another transaction, part of that. Raises LedgerError for what SQLite raises."""
        if self._db.in_transaction:
            yield
            return
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            raise _unusable(error) from None

    def catch_up(self, path: Path, memory: Memory) -> LedgerPosition:
        """Read what the ledger at ``path`` has more than the index. Raises LedgerError when it cannot be read."""
        if self._is_there(path, self.reached()):
            return self.reached()
        with self._transaction():
            reached = self._read_on(path, memory, self.reached())
            self._db.execute(
                "REPLACE INTO reached VALUES (1, ?, ?, ?, ?, ?, ?)",
                (self._ledger, reached.seq, reached.hash, reached.end, reached.length, int(reached.gap)),
            )
        return reached

    @staticmethod
    def _is_there(path: Path, reached: LedgerPosition) -> bool:
        try:
            return path.stat().st_size == reached.end and _line_at(path, reached)
        except OSError:
            return reached.seq == 0

    def _read_on(self, path: Path, memory: Memory, reached: LedgerPosition) -> LedgerPosition:
        if path.exists() and _line_at(path, reached):  # 2
            return self._take(_complete(path, reached.end), memory, reached, counted=True)
        remembered = recall(memory.directory).seq  # before the files are read: they may grow meanwhile
        for file in segments.order(path, ()):
            reached = self._take(_complete(file, 0), memory, reached, counted=False)
        if path.exists():
            reached = self._take(_complete(path, 0), memory, reached, counted=True)
        return replace(reached, gap=reached.gap or reached.seq < remembered)  # 4

    def _take(
        self, found: Iterator[tuple[int, bytes]], memory: Memory, reached: LedgerPosition, *, counted: bool
    ) -> LedgerPosition:
        """Learn from lines (with the offset at which each ends) that follow ``reached``."""
        key = memory.mac_key
        seq, hash, gap = reached.seq, reached.hash, reached.gap
        end, length = (reached.end, reached.length) if counted else (0, 0)
        written: list[tuple[str, AboutFiles]] = []
        for at, data in found:
            try:
                line = lines.read(data[:-1])
            except ValueError:
                continue  # the number that it leaves out will tell
            if line.seq > seq and (line.seq < memory.since or line.authentic(key)):  # 3
                gap = gap or line.seq != seq + 1  # 4
                written += _written(line, doubted=line.seq < memory.since)
                seq, hash = line.seq, line.hash
            if line.hash == hash:
                end, length = (at, len(data)) if counted else (0, 0)
            if len(written) >= _BATCH:
                self.learn(written)
                written.clear()
        self.learn(written)
        return LedgerPosition(seq, hash, end, length, gap)


def _written(line: Line, *, doubted: bool) -> Iterator[tuple[str, AboutFiles]]:
    if not line.body.startswith(_ABOUT_FILES):
        return
    with suppress(ValueError):
        event = line.event()
        if isinstance(event, Spread):
            yield line.id, event
        elif isinstance(event, Write):
            yield line.id, msgspec.structs.replace(event, partly=True) if doubted else event
        elif isinstance(event, Narrow | Vouch) and not doubted:  # what takes labels away has to be ours
            yield line.id, event


def _line_at(path: Path, reached: LedgerPosition) -> bool:
    """Whether the file still holds the line that was reached where it ended."""
    if reached.length == 0:
        return False
    with path.open("rb") as handle:
        handle.seek(reached.end - reached.length)
        data = handle.read(reached.length)
    return data[-1:] == b"\n" and hashlib.sha256(data[:-1]).hexdigest() == reached.hash


def _complete(path: Path, start: int) -> Iterator[tuple[int, bytes]]:
    """The lines of a file from ``start`` that have an end, each with the offset of that end."""
    at = start
    for data in segments.read(path, start=start):
        at += len(data)
        if data[-1:] == b"\n":
            yield at, data

"""The store of copies: contents by their digest, and beside them which file had them, when, and in whose session.

1. Only a regular file is copied, as it is when it is opened; what a link leads to was settled before. An empty one loses nothing.
2. A content is written once, under its digest. A file that has not changed since it was last looked at (by its number, size and
   times) is not read again. One that changed less than ``_SETTLES`` ago may change once more without its times telling.
3. What goes when there is no room is decided by ``room``. A content goes with the last copy that names it.
4. Whatever fails keeps nothing, and is said: ``NotCopied``. Whoever asks decides what that means.

The directory is this user's alone, beside that of sessions. As with these, a loss of power may take the last moments with it.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Final

from sluicegate.record import private
from sluicegate.record.clock import Clock
from sluicegate.record.copies.room import MOST_FILE, SECOND, HeldCopy, making_room
from sluicegate.record.database import Schema, changing, open_database
from sluicegate.record.errors import RecordError
from sluicegate.tuples import NamedTuple

_SCHEMA: Final = Schema(
    (
        (
            """CREATE TABLE copy (number INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL, digest TEXT NOT NULL,
    size INTEGER NOT NULL, mode INTEGER NOT NULL, made INTEGER NOT NULL, session TEXT NOT NULL, first INTEGER NOT NULL)""",
            "CREATE INDEX of_path ON copy (path, number)",
            "CREATE INDEX of_digest ON copy (digest)",
            "CREATE TABLE seen (path TEXT PRIMARY KEY, stamp TEXT NOT NULL, digest TEXT NOT NULL) WITHOUT ROWID",
        ),
    )
)
_SETTLES: Final = SECOND // 10
_PIECE: Final = 1 << 20


class CopyError(RecordError):
    """A copy cannot be read, or there is none."""

    code = "copy"


class FileCopy(NamedTuple):
    """One copy. ``path`` is the real path of the file, ``mode`` its rights, ``made`` when it was copied in nanoseconds, ``session``
    in which session it was about to be written over."""

    number: int
    path: str
    digest: str
    size: int
    mode: int
    made: int
    session: str


class Copied(NamedTuple):
    """There is a copy, or nothing is lost."""


class NotCopied(NamedTuple):
    """There is none; ``why`` says so of the file, behind its name."""

    why: str


class Copies:
    """The copies of this user, below ``directory``, which is made when something is first kept. ``most_file``: bytes of a file that is
    copied."""

    def __init__(self, directory: Path, *, clock: Clock, most_file: int = MOST_FILE) -> None:
        self.directory, self._clock, self._most_file = directory, clock, most_file
        self._connection: sqlite3.Connection | None = None

    def close(self) -> None:
        """Close the file in which the copies are listed."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def keep(self, path: str, session: str) -> Copied | NotCopied:
        """Copy what is in a file, unless that is kept already (1, 2, 3)."""
        try:
            found = os.lstat(path)
            if not stat.S_ISREG(found.st_mode) or not found.st_size:
                return Copied()
            if found.st_size > self._most_file:
                return NotCopied(f"is larger than {self._most_file // 2**20} MiB")
            with self._changing() as database:
                return self._keep(database, path, session, found)
        except FileNotFoundError:
            return Copied()
        except PermissionError:
            return NotCopied("cannot be read")
        except (OSError, sqlite3.Error, RecordError):  # 4
            return NotCopied("could not be copied")

    def every(self, path: str = "") -> tuple[FileCopy, ...]:
        """The copies of a file, or of all files, the newest first. Raises CopyError."""
        if not (self.directory / "copies.db").exists():
            return ()
        where = " WHERE path = ?" if path else ""
        with _told():
            rows = (
                self._opened()
                .execute(
                    f"SELECT number, path, digest, size, mode, made, session FROM copy{where} ORDER BY number DESC",  # noqa: S608
                    (path,) if path else (),
                )
                .fetchall()
            )
        return tuple(FileCopy(*row) for row in rows)

    def content(self, copy: FileCopy) -> bytes:
        """What a copy holds; exactly what was there. Raises CopyError."""
        try:
            data = private.read(self._place(copy.digest), limit=max(copy.size, 1))
        except (OSError, RecordError):
            raise CopyError(f"the copy {copy.number} cannot be read") from None
        if _digest(data) != copy.digest:
            raise CopyError(f"the copy {copy.number} is damaged")
        return data

    def drop(self, number: int) -> None:
        """Delete a copy, and its content where no other names it. Raises CopyError."""
        with _told(), self._changing() as database:
            self._drop(database, (number,))

    # Inside

    def _keep(
        self, database: sqlite3.Connection, path: str, session: str, found: os.stat_result
    ) -> Copied | NotCopied:
        stamp, now = _stamp(found), self._clock()
        (digest,) = database.execute(
            "SELECT digest FROM seen WHERE path = ? AND stamp = ?", (path, stamp)
        ).fetchone() or ("",)
        data = b""
        if not digest:
            data, found = _read(path, self._most_file)
            if len(data) > self._most_file:
                return NotCopied(f"is larger than {self._most_file // 2**20} MiB")
            if not data:
                return Copied()
            digest, stamp = _digest(data), _stamp(found)
        last = database.execute(
            "SELECT number, digest FROM copy WHERE path = ? ORDER BY number DESC LIMIT 1", (path,)
        ).fetchone()
        begun = database.execute(
            "SELECT 1 FROM copy WHERE path = ? AND session = ? LIMIT 1", (path, session)
        ).fetchone()
        if last is not None and last[1] == digest and os.path.lexists(self._place(digest)):
            if begun is None:  # of this session it is the first, and the session counts from here on
                database.execute("UPDATE copy SET first = 1 WHERE number = ?", (last[0],))
        else:
            data = data or _read(path, self._most_file)[0]
            if _digest(data) != digest:
                return NotCopied("changes while it is copied")
            if not self._made_room(database, len(data), now):
                return NotCopied(
                    "has no room among the copies that are kept ('sluicegate restore' lists them)"
                )
            self._write(digest, data)
            database.execute(
                "INSERT INTO copy (path, digest, size, mode, made, session, first) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (path, digest, len(data), stat.S_IMODE(found.st_mode), now, session, int(begun is None)),
            )
        if now - found.st_ctime_ns > _SETTLES:  # 2
            database.execute("INSERT OR REPLACE INTO seen VALUES (?, ?, ?)", (path, stamp, digest))
        return Copied()

    def _made_room(self, database: sqlite3.Connection, size: int, now: int) -> bool:
        held = [
            HeldCopy(number, its, made, bool(first))
            for number, its, made, first in database.execute("SELECT number, size, made, first FROM copy")
        ]
        dropped, fits = making_room(held, size, now)
        self._drop(database, dropped)
        return fits

    def _drop(self, database: sqlite3.Connection, numbers: tuple[int, ...]) -> None:
        for number in numbers:
            row = database.execute("SELECT digest FROM copy WHERE number = ?", (number,)).fetchone()
            if row is None:
                continue
            database.execute("DELETE FROM copy WHERE number = ?", (number,))
            if database.execute("SELECT 1 FROM copy WHERE digest = ? LIMIT 1", row).fetchone() is None:
                database.execute("DELETE FROM seen WHERE digest = ?", row)
                with suppress(FileNotFoundError):
                    self._place(row[0]).unlink()

    def _write(self, digest: str, data: bytes) -> None:
        place = self._place(digest)
        private.make_directory(place.parent)
        temporary = place.with_name(f".{digest[:16]}.{os.urandom(8).hex()}")
        try:
            fd = os.open(
                temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600
            )
            try:
                private.write_all(fd, data)
            finally:
                os.close(fd)
            temporary.replace(place)
        except OSError:
            with suppress(OSError):
                temporary.unlink()
            raise

    def _place(self, digest: str) -> Path:
        return self.directory / digest[:2] / digest

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = open_database(self.directory / "copies.db", _SCHEMA, durable=False)
        return self._connection

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        with changing(self._opened()) as database:
            yield database


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise CopyError(f"the copies cannot be looked at: {error}") from None


def _read(path: str, most: int) -> tuple[bytes, os.stat_result]:
    """What is in a file, at most one byte more than ``most``, and what the file was then. Raises OSError."""
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode):
            return b"", found
        pieces, room = [], most + 1
        while room and (piece := os.read(fd, min(room, _PIECE))):
            pieces.append(piece)
            room -= len(piece)
        return b"".join(pieces), found
    finally:
        os.close(fd)


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=32).hexdigest()


def _stamp(found: os.stat_result) -> str:
    return f"{found.st_dev}:{found.st_ino}:{found.st_size}:{found.st_mtime_ns}:{found.st_ctime_ns}"

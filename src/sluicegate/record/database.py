"""SQLite files of this user alone: opened in the one way in which many processes keep what each of them holds.

1. The directory is this user's alone, and so is the file, which SQLite does not make. It is looked at and not opened for
   that: closing any descriptor of a file ends the locks that SQLite holds on it in this process, also for other threads.
2. A file of a version that is not known is left as it is.
3. Tables are made, and the journal is made a write-ahead log, by one process at a time: for the journal, SQLite waits for
   nobody. The lock is on a file of its own.

4. On a file system that is mounted read-only it can be read, if all that was written is in the file itself, and not changed.

What was committed is whole or not there, also after a kill; with ``durable`` it outlives a loss of power, too.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sluicegate.record import private
from sluicegate.tuples import NamedTuple

PATIENCE = 10.0
"""Seconds to wait for other writers."""


READ_ONLY = (
    "Mount its file system so that it can be written, or name another directory: SLUICEGATE_KEYS_HOME."
)
"""What to do where a file cannot be written."""


class OtherVersion(sqlite3.DatabaseError):
    """Another version of sluicegate wrote the file."""


class ReadOnly(sqlite3.OperationalError):
    """The file is on a read-only file system, and cannot be read there."""


def is_read_only(error: Exception) -> bool:
    """Whether something failed because the file cannot be written."""
    code = getattr(error, "sqlite_errorcode", 0)
    return isinstance(error, ReadOnly) or code & 0xFF == sqlite3.SQLITE_READONLY


class Schema(NamedTuple):
    """The statements that make each version of the tables of the one before; the first is version ``first``."""

    versions: tuple[tuple[str, ...], ...]
    first: int = 1

    @property
    def newest(self) -> int:
        """The number of the last version."""
        return self.first + len(self.versions) - 1

    def after(self, version: int) -> tuple[str, ...]:
        """What is to be done to a file of this version; 0 is one without tables."""
        left = self.versions[version - self.first + 1 if version else 0 :]
        return tuple(statement for statements in left for statement in statements)


def open_database(
    path: Path | None, schema: Schema, *, durable: bool, threads: bool = False
) -> sqlite3.Connection:
    """The file at ``path``, or what is in memory for None, with its tables.

    ``threads``: it is used from more than one. Transactions are the caller's. Raises sqlite3.Error, OSError and RecordError.
    """
    if path is not None:  # 1
        private.make_directory(path.parent)
        if not os.path.lexists(path):
            private.create(path, b"")
        private.check_file(path)
    read_only = path is not None and bool(os.statvfs(path).f_flag & os.ST_RDONLY)
    database = sqlite3.connect(
        _unchanging(path) if path is not None and read_only else ":memory:" if path is None else str(path),
        isolation_level=None,
        timeout=PATIENCE,
        check_same_thread=not threads,
        uri=read_only,
    )
    try:
        if read_only:
            if _version(database, schema) < schema.newest:
                raise OtherVersion("an older version of sluicegate wrote it, and it cannot be changed here")
            return database
        database.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
        if _version(database, schema) < schema.newest:
            with _alone(path):
                _make(database, schema)
    except BaseException:
        database.close()
        raise
    return database


def _unchanging(path: Path) -> str:
    """The address by which SQLite reads a file that nobody can change (4). Raises ReadOnly."""
    log = path.with_name(f"{path.name}-wal")
    if os.path.lexists(log) and log.lstat().st_size:
        raise ReadOnly("it is on a read-only file system, and was not closed when it was last written")
    return f"{path.absolute().as_uri()}?mode=ro&immutable=1"


@contextmanager
def changing(database: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """A transaction that has the lock of writers from its beginning; what is raised inside undoes it."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield database
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:  # SQLite itself undoes it where the disk is full, for one
            database.execute("ROLLBACK")
        raise


def _make(database: sqlite3.Connection, schema: Schema) -> None:
    if _version(database, schema) == schema.newest:
        return
    database.execute("PRAGMA journal_mode = WAL")
    with changing(database):
        for statement in schema.after(_version(database, schema)):
            database.execute(statement)
        database.execute(f"PRAGMA user_version = {schema.newest}")


def _version(database: sqlite3.Connection, schema: Schema) -> int:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version and not schema.first <= version <= schema.newest:  # 2
        raise OtherVersion("another version of sluicegate wrote it")
    return int(version)


@contextmanager
def _alone(path: Path | None) -> Iterator[None]:
    """Hold a lock that no other process holds (3)."""
    if path is None:
        yield
        return
    lock = path.with_name(f"{path.name}.lock")
    private.create(lock, b"")
    fd = private.open_private(lock, os.O_RDWR)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)

"""Where items, flags and signed rulings are kept: one SQLite file in the user's own directory, for this user alone.

Many processes read and write it at once; what was added is whole or not there, also after a kill. Nothing is believed
because it stands here: a ruling counts by its signature alone.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from sluicegate.record.database import READ_ONLY, Schema, changing, is_read_only, open_database
from sluicegate.record.errors import RecordError
from sluicegate.tuples import NamedTuple
from sluicegate.vet.review.queue.errors import QueueError

FILE = "queue.sqlite"
_DAMAGED = "If the file is damaged, move it aside; rulings that were exported can be imported again."
_SCHEMA = Schema(
    (
        (
            "CREATE TABLE item (docket TEXT PRIMARY KEY, body BLOB NOT NULL, origin TEXT NOT NULL, queued INTEGER NOT NULL)",
            "CREATE TABLE ruling (digest TEXT PRIMARY KEY, docket TEXT NOT NULL, envelope BLOB NOT NULL)",
            "CREATE INDEX ruling_of ON ruling (docket)",
        ),
        (
            "CREATE TABLE flag (publisher TEXT, bundle TEXT, skill TEXT NOT NULL, found_by TEXT NOT NULL, found INTEGER NOT NULL,"
            " origin TEXT NOT NULL, PRIMARY KEY (publisher, bundle)) WITHOUT ROWID",
        ),
    )
)


_LAST = 253_402_300_799
"""The last second of the year 9999: no time that is later was written here."""


class StoredItem(NamedTuple):
    """An item as it is kept. ``origin`` is who passed it on, empty for one of this machine; ``queued`` in seconds since 1970."""

    docket: str
    body: bytes
    origin: str
    queued: int


class StoredFlag(NamedTuple):
    """That a text aimed at reviewers was found in a skill of a publisher; ``origin`` and ``found`` as of an item."""

    publisher: str
    bundle: str
    skill: str
    found_by: str
    found: int
    origin: str


class QueueStore:
    """The kept items, flags and rulings. ``path`` None: in memory, for this process alone. Raises QueueError."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        with self._told():  # a ruling that was told of outlives a power cut
            self._database = open_database(path, _SCHEMA, durable=True)

    def __enter__(self) -> QueueStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def add_items(self, items: Sequence[StoredItem]) -> int:
        """Keep items, all or none; how many are new.

        One of this machine stands in place of one that was passed on. One that is there otherwise stays as it is.
        """
        with self._told(), changing(self._database) as database:
            before = database.total_changes
            replaced = 0
            for item in items:
                if not item.origin:
                    query = "UPDATE item SET body = ?, origin = '' WHERE docket = ? AND origin != ''"
                    replaced += database.execute(query, (item.body, item.docket)).rowcount
                database.execute("INSERT OR IGNORE INTO item VALUES (?, ?, ?, ?)", item)
            return database.total_changes - before - replaced

    def add_rulings(self, rulings: Sequence[tuple[str, bytes]]) -> int:
        """Keep signed rulings, each with its docket, all or none; how many are new."""
        with self._told(), changing(self._database) as database:
            before = database.total_changes
            for docket, envelope in rulings:
                row = (hashlib.sha256(envelope).hexdigest(), docket, envelope)
                database.execute("INSERT OR IGNORE INTO ruling VALUES (?, ?, ?)", row)
            return database.total_changes - before

    def add_flags(self, flags: Sequence[StoredFlag]) -> int:
        """Keep flags, all or none; how many are new.

        One of this machine stands in place of one that was passed on. One that is there otherwise stays as it is.
        """
        with self._told(), changing(self._database) as database:
            before = database.total_changes
            replaced = 0
            for flag in flags:
                if not flag.origin:
                    query = (
                        "UPDATE flag SET skill = ?, found_by = ?, found = ?, origin = ''"
                        " WHERE publisher = ? AND bundle = ? AND origin != ''"
                    )
                    row = (flag.skill, flag.found_by, flag.found, flag.publisher, flag.bundle)
                    replaced += database.execute(query, row).rowcount
                database.execute("INSERT OR IGNORE INTO flag VALUES (?, ?, ?, ?, ?, ?)", flag)
            return database.total_changes - before - replaced

    def remove(self, dockets: Sequence[str], rulings: Sequence[str]) -> None:
        """Take out the items of some dockets, and the rulings of some digests, all or none."""
        with self._told(), changing(self._database) as database:
            database.executemany("DELETE FROM item WHERE docket = ?", [(each,) for each in dockets])
            database.executemany("DELETE FROM ruling WHERE digest = ?", [(each,) for each in rulings])

    def ruled(self) -> tuple[tuple[str, str], ...]:
        """The docket and the digest of every signed ruling."""
        with self._told():
            return tuple(self._database.execute("SELECT docket, digest FROM ruling").fetchall())

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """While this lasts, nobody else adds or removes anything."""
        with self._told(), changing(self._database):
            yield

    def flags(self) -> tuple[StoredFlag, ...]:
        """All flags."""
        with self._told():
            rows = self._database.execute("SELECT * FROM flag ORDER BY publisher, bundle").fetchall()
        return tuple(self._flag(*row) for row in rows)

    def items(self) -> tuple[StoredItem, ...]:
        """All items, the newest first."""
        with self._told():
            rows = self._database.execute("SELECT * FROM item ORDER BY queued DESC, docket").fetchall()
        return tuple(self._item(*row) for row in rows)

    def rulings(self) -> tuple[bytes, ...]:
        """All signed rulings."""
        with self._told():
            rows = self._database.execute("SELECT envelope FROM ruling ORDER BY digest").fetchall()
        for (envelope,) in rows:
            if not isinstance(envelope, bytes):
                raise self._broken("a ruling is none")
        return tuple(envelope for (envelope,) in rows)

    def bears_on_scans(self) -> bool:
        """Whether a ruling or a flag is kept: without any, a scan decides as if there were no queue."""
        with self._told():
            query = "SELECT EXISTS (SELECT 1 FROM ruling) OR EXISTS (SELECT 1 FROM flag)"
            return bool(self._database.execute(query).fetchone()[0])

    def _item(self, docket: object, body: object, origin: object, queued: object) -> StoredItem:
        if (
            isinstance(docket, str)
            and isinstance(body, bytes)
            and isinstance(origin, str)
            and isinstance(queued, int)
            and 0 <= queued <= _LAST
        ):
            return StoredItem(docket, body, origin, queued)
        raise self._broken("an item is none")

    def _flag(self, *row: object) -> StoredFlag:
        publisher, bundle, skill, found_by, found, origin = row
        if (
            isinstance(publisher, str)
            and isinstance(bundle, str)
            and isinstance(skill, str)
            and isinstance(found_by, str)
            and isinstance(found, int)
            and 0 <= found <= _LAST
            and isinstance(origin, str)
        ):
            return StoredFlag(publisher, bundle, skill, found_by, found, origin)
        raise self._broken("a flag is none")

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What SQLite and the file system say, as an error of ours."""
        try:
            yield
        except sqlite3.Error as error:
            if is_read_only(error):
                raise self._broken(str(error), hint=READ_ONLY) from None
            raise self._broken(str(error)) from None
        except RecordError as error:
            raise QueueError(error.message, hint=error.hint) from None
        except OSError as error:
            raise self._broken(error.strerror or type(error).__name__) from None

    def _broken(self, why: str, *, hint: str = _DAMAGED) -> QueueError:
        return QueueError(
            f"the queue in {self.path or 'memory'} cannot be read or written: {why}",
            hint=hint,
        )

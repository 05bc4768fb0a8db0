"""Answers that were given before: recorded as each arrives, so that a run that was ended asks nothing twice.

One SQLite file in the user's own directory, for this user alone, with a journal that lets many processes read and write.
Answers are kept by the run in which they were given: of several runs the newest counts, and none is overwritten.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final

from sluicegate.record import private
from sluicegate.record.errors import RecordError
from sluicegate.vet.errors import VetError
from sluicegate.vet.review.panel.replies import RecordedReply
from sluicegate.vet.review.providers.asking import FailureCode, TokenUsage

FILE = "answers.sqlite"
VERSION: Final = 1
_PATIENCE = 10.0
"""Seconds to wait for other writers."""
_MOST_REPLIES = 2
_SCHEMA = """
CREATE TABLE reply (
    key TEXT NOT NULL, run TEXT NOT NULL, attempt INTEGER NOT NULL, code TEXT NOT NULL, body BLOB NOT NULL,
    model TEXT NOT NULL, read INTEGER, written INTEGER, PRIMARY KEY (key, run, attempt)
)
"""
_LATEST = """
SELECT attempt, code, body, model, read, written FROM reply WHERE key = ?1 AND run =
    (SELECT run FROM reply WHERE key = ?1 AND attempt = 0 ORDER BY rowid DESC LIMIT 1) ORDER BY attempt
"""


class ReviewRecordError(VetError):
    """The recorded answers cannot be read or written."""

    code = "review-record"


class ReplyStore:
    """The recorded replies. ``path`` None: kept in memory, for this process alone. Raises ReviewRecordError."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        with self._told():
            if path is not None:
                private.make_directory(path.parent)
                if not os.path.lexists(path):
                    private.create(path, b"")
                os.close(private.open_private(path, os.O_RDONLY))
            self._database = sqlite3.connect(
                ":memory:" if path is None else str(path), isolation_level=None, timeout=_PATIENCE
            )
            try:
                self._prepare()
            except BaseException:
                self._database.close()
                raise

    def __enter__(self) -> ReplyStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def latest(self, key: str) -> tuple[RecordedReply, ...]:
        """What was replied in the newest run that asked this, in order."""
        with self._told():
            rows = self._database.execute(_LATEST, (key,)).fetchall()
        if [row[0] for row in rows] != list(range(len(rows))) or len(rows) > _MOST_REPLIES:
            raise self._broken("attempts are missing")
        return tuple(self._reply(*row[1:]) for row in rows)

    def add(self, key: str, run: str, attempt: int, reply: RecordedReply) -> None:
        """Record a reply."""
        used = (None, None) if reply.usage is None else (reply.usage.read, reply.usage.written)
        row = (key, run, attempt, reply.code, reply.body, reply.model, *used)
        with self._told():
            self._database.execute("INSERT OR REPLACE INTO reply VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def carry(self, key: str, run: str, replies: tuple[RecordedReply, ...]) -> None:
        """Let a run go on from replies of an earlier one: what it adds stands behind them."""
        with self._told():
            self._database.execute("BEGIN IMMEDIATE")
            try:
                for attempt, reply in enumerate(replies):
                    self.add(key, run, attempt, reply)
                self._database.execute("COMMIT")
            except BaseException:
                self._database.execute("ROLLBACK")
                raise

    def _prepare(self) -> None:
        database = self._database
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute("BEGIN IMMEDIATE")
        (version,) = database.execute("PRAGMA user_version").fetchone()
        if version not in (0, VERSION):
            raise self._broken("another version of sluicegate wrote it")
        if version == 0:
            database.execute(_SCHEMA)
            database.execute(f"PRAGMA user_version = {VERSION}")
        database.execute("COMMIT")

    def _reply(
        self, code: object, body: object, model: object, read: object, written: object
    ) -> RecordedReply:
        if not (isinstance(code, str) and isinstance(body, bytes) and isinstance(model, str)):
            raise self._broken("a reply is none")
        if code and code not in set(FailureCode):
            raise self._broken("a failure is none that is known")
        usage = TokenUsage(read, written) if isinstance(read, int) and isinstance(written, int) else None
        return RecordedReply(code, body, model, usage)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What SQLite and the file system say, as an error of ours."""
        try:
            yield
        except sqlite3.Error as error:
            raise self._broken(str(error)) from None
        except RecordError as error:
            raise ReviewRecordError(error.message, hint=error.hint) from None
        except OSError as error:
            raise self._broken(error.strerror or type(error).__name__) from None

    def _broken(self, why: str) -> ReviewRecordError:
        return ReviewRecordError(
            f"the recorded answers in {self.path or 'memory'} cannot be read or written: {why}",
            hint="If the file is damaged, move it aside: everything is then asked anew.",
        )

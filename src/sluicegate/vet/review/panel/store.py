"""Answers that were given before: recorded as each arrives, so that a run that was ended asks nothing twice.

One SQLite file in the user's own directory, for this user alone, with a journal that lets many processes read and write.
Answers are kept by the run in which they were given: of several runs the newest counts, and none is overwritten.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from sluicegate.record.database import Schema, changing, open_database
from sluicegate.record.errors import RecordError
from sluicegate.vet.errors import VetError
from sluicegate.vet.review.panel.replies import RecordedReply
from sluicegate.vet.review.providers.asking import FailureCode, TokenUsage

FILE = "answers.sqlite"
_MOST_REPLIES = 2
_REPLIES = """
CREATE TABLE reply (
    key TEXT NOT NULL, run TEXT NOT NULL, attempt INTEGER NOT NULL, code TEXT NOT NULL, body BLOB NOT NULL,
    model TEXT NOT NULL, read INTEGER, written INTEGER, PRIMARY KEY (key, run, attempt)
)
"""
_SCHEMA = Schema(((_REPLIES,),))
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
            self._database = open_database(path, _SCHEMA, durable=False)

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
        with self._told(), changing(self._database):
            for attempt, reply in enumerate(replies):
                self.add(key, run, attempt, reply)

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

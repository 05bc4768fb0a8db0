"""Answers that were given before: recorded as each arrives, so that a run that was ended asks nothing twice.

One SQLite file in the user's own directory, for this user alone, with a journal that lets many processes read and write.
Answers are kept by the run in which they were given: of several runs the newest counts, and none is overwritten. Which
decisions rest on them is noted, so that what nothing rests on can be taken out (``prune``).
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType

from sluicegate.record.database import READ_ONLY, Schema, changing, is_read_only, open_database
from sluicegate.record.errors import RecordError
from sluicegate.tuples import NamedTuple
from sluicegate.vet.errors import VetError
from sluicegate.vet.review.panel.replies import RecordedReply
from sluicegate.vet.review.providers.asking import FailureCode, TokenUsage

FILE = "answers.sqlite"
_MOST_REPLIES = 3
"""An alarm of an earlier run, an answer, and one that was asked for once more."""
_REPLIES = """
CREATE TABLE reply (
    key TEXT NOT NULL, run TEXT NOT NULL, attempt INTEGER NOT NULL, code TEXT NOT NULL, body BLOB NOT NULL,
    model TEXT NOT NULL, read INTEGER, written INTEGER, PRIMARY KEY (key, run, attempt)
)
"""
_USES = (
    "CREATE TABLE used (docket TEXT, key TEXT, at INTEGER NOT NULL, PRIMARY KEY (docket, key)) WITHOUT ROWID",
    "CREATE INDEX used_key ON used (key)",
)
_DAMAGED = "If the file is damaged, move it aside: everything is then asked anew."
_SCHEMA = Schema(((_REPLIES,), _USES))
_LATEST = """
SELECT attempt, code, body, model, read, written FROM reply WHERE key = ?1 AND run =
    (SELECT run FROM reply WHERE key = ?1 AND attempt = 0 ORDER BY rowid DESC LIMIT 1) ORDER BY attempt
"""


_OUTDONE = """
DELETE FROM reply WHERE run <> (SELECT run FROM reply AS other WHERE other.key = reply.key AND attempt = 0
    ORDER BY rowid DESC LIMIT 1)
"""
_UNUSED = """
DELETE FROM reply WHERE key NOT IN (SELECT key FROM used WHERE at >= ?1)
    AND key NOT IN (SELECT key FROM used WHERE docket IN (SELECT value FROM json_each(?2)))
"""


class PrunedReplies(NamedTuple):
    """How many replies are taken out, and of how many bytes."""

    replies: int
    bytes: int


class ReviewRecordError(VetError):
    """The recorded answers cannot be read or written."""

    code = "review-record"


class _Undone(Exception):
    """What was changed is not to be kept."""


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

    def record(
        self,
        key: str,
        run: str,
        beside: Callable[[tuple[RecordedReply, ...]], tuple[RecordedReply, ...]],
    ) -> tuple[RecordedReply, ...]:
        """Record what ``beside`` makes of what the newest run replied by now, as the newest: in one step, so that of processes
        that ask the same at once none loses what another heard. Gives what is recorded.
        """
        with self._told(), changing(self._database):
            replies = beside(self.latest(key))
            for attempt, reply in enumerate(replies):
                self.add(key, run, attempt, reply)
        return replies

    def use(self, docket: str, keys: Iterable[str], now: int) -> None:
        """Note that a decision rests on the replies with these keys. ``now`` in seconds."""
        rows = [(docket, key, now) for key in keys]
        query = "INSERT INTO used VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at = max(at, excluded.at)"
        with self._told(), changing(self._database) as database:
            database.executemany(query, rows)

    def prune(self, live: Iterable[str], *, before: int, now: int, apply: bool = True) -> PrunedReplies:
        """Take out replies on which nothing rests, all or none; without ``apply`` say which, and take out none.

        1. Of several runs that asked the same, the newest counts: replies of the others are never read again.
        2. A reply is kept that a decision with a ``live`` docket used, or that any used at ``before`` or later (seconds).
        3. One of which no use is noted counts as used ``now``: its run may have been killed, or is under way.
        """
        dockets = json.dumps(sorted(set(live)))
        with self._told(), suppress(_Undone), changing(self._database) as database:
            held = self._held()
            unnoted = "SELECT DISTINCT '', key, ? FROM reply WHERE key NOT IN (SELECT key FROM used)"
            database.execute(f"INSERT INTO used {unnoted}", (now,))  # 3
            database.execute(_OUTDONE)  # 1
            database.execute(_UNUSED, (before, dockets))  # 2
            database.execute("DELETE FROM used WHERE key NOT IN (SELECT key FROM reply)")
            left = self._held()
            if not apply:
                raise _Undone
        return PrunedReplies(held.replies - left.replies, held.bytes - left.bytes)

    def shrink(self) -> None:
        """Give the room of what was taken out back to the disk, unless somebody has the file open."""
        with suppress(sqlite3.OperationalError):
            self._database.execute("VACUUM")

    def _held(self) -> PrunedReplies:
        return PrunedReplies(
            *self._database.execute("SELECT count(*), coalesce(sum(length(body)), 0) FROM reply").fetchone()
        )

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
            if is_read_only(error):
                raise self._broken(str(error), hint=READ_ONLY) from None
            raise self._broken(str(error)) from None
        except RecordError as error:
            raise ReviewRecordError(error.message, hint=error.hint) from None
        except OSError as error:
            raise self._broken(error.strerror or type(error).__name__) from None

    def _broken(self, why: str, *, hint: str = _DAMAGED) -> ReviewRecordError:
        return ReviewRecordError(
            f"the recorded answers in {self.path or 'memory'} cannot be read or written: {why}",
            hint=hint,
        )

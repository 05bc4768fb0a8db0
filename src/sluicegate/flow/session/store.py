"""Where sessions are kept between processes: one SQLite file of the user's, in the user's state directory.

It is the same wherever an agent stands. Were there one for each project, whoever changes the directory, or makes a
repository in it, would have a session that knows nothing. With each session stands under which settings it began, so that
others give it nothing (``session.opening``).

Many processes may write at once, and any of them may be killed at any moment. Every change is one transaction that
takes the lock of writers before it reads (``BEGIN IMMEDIATE``), in a write-ahead log: it happens whole or not at all,
and what ``grant``, ``settle`` and ``take`` returned for survives a kill of the process. A loss of power may take the
last moments with it, but never a half of a change.

The file lies outside the workspace, and no operation reaches it (``monitor.state``).
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Final

from msgspec.json import decode, encode

from sluicegate.flow.errors import FlowError
from sluicegate.flow.labels import Labels
from sluicegate.flow.session import kernels
from sluicegate.flow.session.permit import Permit
from sluicegate.record.database import OtherVersion, Schema, open_database
from sluicegate.tuples import NamedTuple

_OPEN, _SETTLED, _LAPSED = range(3)
_SCHEMA: Final = Schema(
    (
        (
            """CREATE TABLE session (id TEXT PRIMARY KEY, owner TEXT NOT NULL, labels TEXT NOT NULL,
    grants INTEGER NOT NULL, taken INTEGER NOT NULL, begun INTEGER NOT NULL, events TEXT NOT NULL,
    resets INTEGER NOT NULL, under TEXT NOT NULL) WITHOUT ROWID""",
            """CREATE TABLE permit (session TEXT, number INTEGER, digest BLOB NOT NULL, shown TEXT NOT NULL,
    tool TEXT NOT NULL, expects TEXT NOT NULL, issued INTEGER NOT NULL, ends INTEGER NOT NULL,
    state INTEGER NOT NULL, place TEXT NOT NULL, PRIMARY KEY (session, number)) WITHOUT ROWID""",
            """CREATE TABLE taken (session TEXT, number INTEGER, source TEXT NOT NULL, standing INTEGER NOT NULL,
    labels TEXT NOT NULL, tokens BLOB NOT NULL, addresses BLOB NOT NULL, objects TEXT NOT NULL,
    PRIMARY KEY (session, number)) WITHOUT ROWID""",
            """CREATE INDEX unsettled ON permit (session, ends) WHERE state = 0""",
        ),
        (
            """CREATE TABLE call (session TEXT, name TEXT, asked BLOB NOT NULL, number INTEGER, kept BLOB NOT NULL,
    PRIMARY KEY (session, name)) WITHOUT ROWID""",
        ),
        # What stood between the words of before is not known any more: no code is found in them.
        ("""UPDATE taken SET tokens = CAST(tokens || zeroblob(length(tokens) / 32) AS BLOB)""",),
        (
            """CREATE TABLE approval (id TEXT PRIMARY KEY, session TEXT NOT NULL, question BLOB NOT NULL, rule TEXT NOT NULL,
    shown TEXT NOT NULL, body TEXT NOT NULL, asked INTEGER NOT NULL, given INTEGER NOT NULL, by TEXT NOT NULL,
    state INTEGER NOT NULL) WITHOUT ROWID""",
        ),
        (
            """CREATE TABLE elsewhere (session TEXT, number INTEGER, ledger TEXT NOT NULL, spread TEXT NOT NULL, place TEXT NOT NULL,
    since INTEGER NOT NULL, ahead INTEGER NOT NULL, labels BLOB NOT NULL, writer TEXT NOT NULL, began INTEGER NOT NULL,
    folders BLOB NOT NULL,
    PRIMARY KEY (session, number))""",
        ),
        # Nobody can say of what was asked before that it was.
        ("DELETE FROM approval", "ALTER TABLE approval ADD COLUMN mac BLOB NOT NULL DEFAULT x''"),
    ),
    first=3,
)


_LOOK: Final = """SELECT labels, grants, taken, resets,
    (SELECT MIN(ends) FROM permit WHERE session = ? AND state = 0), events FROM session WHERE id = ?"""
# Whether a session is as it was seen is asked by the statement that changes it. Its labels are written in one order.
_GRANT: Final = """UPDATE session SET labels = ?, grants = grants + 1
    WHERE id = ? AND grants = ? AND labels = ? AND taken = ? AND resets = ? AND events = ?"""
_PERMIT: Final = "INSERT INTO permit VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?)"


class SessionError(FlowError):
    """A session cannot be kept, or is somebody else's."""

    code = "session"


class Stale(Exception):
    """The session has taken in more, or permitted more, since it was looked at: decide again."""


class SessionLook(NamedTuple):
    """What a session has taken in, how many permits it has given, how many things it was told, how often it was begun
    anew, when the first permit ends that nobody has settled, and the events by which it took in the last of what it
    knows."""

    labels: Labels
    grants: int
    taken: int
    resets: int
    ends: int | None
    events: tuple[str, ...]

    def knows_what(self, other: SessionLook) -> bool:
        """Whether it had taken in the same, whatever it was permitted."""
        return (
            self.labels is other.labels
            and self.taken == other.taken
            and self.resets == other.resets
            and self.events == other.events
        )


class Taken(NamedTuple):
    """One thing that a session was told: where it came from, what it counts as, its labels, and what is known again.

    ``event``: the event that tells of it, if there is one, and ``follows`` those that this one follows from.
    """

    number: int
    source: str
    standing: int
    labels: Labels
    tokens: bytes
    addresses: bytes
    objects: str
    event: str = ""
    follows: tuple[str, ...] = ()


class StoredCall(NamedTuple):
    """A call that a runner has named: the digest of what was asked, the answer (``runner_call``), and whether its permit is
    still out; ``digest`` is that of the permit."""

    asked: bytes
    kept: bytes
    digest: bytes | None
    is_open: bool


class Begun(NamedTuple):
    """Whose a session is, and the directories of the settings under which it began (``opening.Under``)."""

    owner: str
    under: tuple[str, ...]


class Lapsed(NamedTuple):
    """A permit that is over, and that nobody settled."""

    name: str
    shown: str
    expects: tuple[str, ...]


@lru_cache(maxsize=1024)
def _labels(text: str) -> Labels:
    return Labels.of(*decode(text))


@lru_cache(maxsize=1024)
def _text(labels: Labels) -> str:
    return encode(labels.names()).decode()


class Store:
    """The sessions of one user. Safe for threads, processes and forks.

    ``path`` None: kept in memory, for this process alone. ``secret`` authenticates permits. ``place`` is the ledger that is
    told of what is permitted here.
    """

    def __init__(self, path: Path | None, secret: bytes, *, place: str = "") -> None:
        self.path, self.secret, self.place = path, secret, place
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._cursor: sqlite3.Cursor | None = None
        self._process = 0

    def close(self) -> None:
        """Close the file. What is kept in memory is gone."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = self._cursor = None

    # Sessions.

    def begin(self, session: str, *, owner: str, under: tuple[str, ...] = ()) -> Begun:
        """Make a session under these settings, if there is none of that name; whose it is, and under which it began."""
        with self.changing() as database:
            return _begun(database, session, owner, under)

    def under(self, session: str) -> tuple[str, ...]:
        """The settings under which a session began; none if there is none of that name."""
        with self._lock, _told(self.path):
            row = self._opened().execute("SELECT under FROM session WHERE id = ?", (session,)).fetchone()
        return () if row is None else tuple(decode(row[0], type=list[str]))

    def child(self, session: str, parent: str, *, owner: str) -> str:
        """The same, with all that another session has taken in; its owner, and nothing is taken in if that is another one."""
        with self.changing() as database:
            (under,) = database.execute("SELECT under FROM session WHERE id = ?", (parent,)).fetchone() or (
                "[]",
            )
            found = _begun(database, session, owner, tuple(decode(under, type=list[str])))
            if found.owner == owner:
                _inherit(database, session, parent)
        return found.owner

    def owner(self, session: str) -> str:
        """Whose a session is. Raises SessionError if there is none of that name."""
        with self._lock, _told(self.path):
            row = self._opened().execute("SELECT owner FROM session WHERE id = ?", (session,)).fetchone()
        if row is None:
            raise _none()
        return str(row[0])

    def look(self, session: str) -> SessionLook:
        """What a session has taken in by now."""
        try:
            with self._lock:
                row = self._at_work().execute(_LOOK, (session, session)).fetchone()
        except sqlite3.Error as error:
            raise _unreadable(self.path, error) from None
        if row is None:
            raise _none()
        return SessionLook(_labels(row[0]), row[1], row[2], row[3], row[4], _events(row[5]))

    def inherit(self, child: str, parent: str) -> None:
        """Let a session take in all that another has taken in, and know what that knows."""
        with self.changing() as database:
            _inherit(database, child, parent)

    def reset(self, session: str, *, owner: str) -> tuple[Labels, list[Lapsed]]:
        """Begin anew, for the owner alone: what it had taken in, and the permits that are void now. Raises SessionError."""
        with self.changing() as database:
            found = database.execute("SELECT owner, labels FROM session WHERE id = ?", (session,)).fetchone()
            if found is None or found[0] != owner:
                raise SessionError(
                    "only the owner of a session begins it anew",
                    hint="ask whoever opened it, or open another",
                )
            void = [_lapsed(session, row) for row in _open_permits(database, session)]
            database.execute(
                "UPDATE permit SET state = ? WHERE session = ? AND state = ?", (_LAPSED, session, _OPEN)
            )
            database.execute("DELETE FROM taken WHERE session = ?", (session,))
            database.execute("DELETE FROM call WHERE session = ?", (session,))
            # The numbers go on: a permit of before never has the name of one of after. That it was begun anew is counted,
            # since whoever has looked at it before has to forget, even if nothing else tells the one from the other.
            database.execute(
                "UPDATE session SET labels = '[]', taken = 0, begun = grants, events = '', resets = resets + 1"
                " WHERE id = ?",
                (session,),
            )
        return _labels(found[1]), void

    # What it is told.

    def take(self, session: str, told: Taken) -> SessionLook:
        """Let a session take something in: what it has taken in with that, but for when permits end, which is not asked."""
        with self.changing() as database:
            return self._take(database, session, told)

    def taken(self, session: str, after: int) -> list[Taken]:
        """What a session was told, from a number on."""
        with self._lock, _told(self.path):
            rows = (
                self._opened()
                .execute(
                    "SELECT number, source, standing, labels, tokens, addresses, objects FROM taken"
                    " WHERE session = ? AND number >= ? ORDER BY number",
                    (session, after),
                )
                .fetchall()
            )
        return [Taken(row[0], row[1], row[2], _labels(row[3]), *row[4:]) for row in rows]

    def calls(self, session: str) -> tuple[str, ...]:
        """The names of the tools that were permitted in a session, in order."""
        with self._lock, _told(self.path):
            rows = (
                self._opened()
                .execute(
                    "SELECT tool FROM permit WHERE session = ? AND tool <> '' AND number >="
                    " (SELECT begun FROM session WHERE id = ?) ORDER BY number",
                    (session, session),
                )
                .fetchall()
            )
        return tuple(str(row[0]) for row in rows)

    # Permits.

    def grant(self, permit: Permit, tool: str, *, seen: SessionLook, strict: bool, context: bool) -> Permit:
        """Record a permit, with its number and its MAC; what it brings counts at once, if the session is one that has a
        ``context``.

        Raises Stale if the session is not as it was ``seen``, however long ago: has taken in more, or (``strict``) permitted
        more.
        """
        session = permit.session
        brought = Labels.of(*permit.expects)
        after = _text(seen.labels | brought) if context else _text(seen.labels)
        number = seen.grants
        made, digest = permit.numbered(number, self.secret)
        with self.changing() as database:
            known = (
                after,
                session,
                number,
                _text(seen.labels),
                seen.taken,
                seen.resets,
                " ".join(seen.events),
            )
            if database.execute(_GRANT, known).rowcount != 1:
                row = _row(database, session)
                moved = strict and row[1] != seen.grants
                as_seen = SessionLook(_labels(row[0]), row[1], row[2], row[3], None, _events(row[4]))
                if moved or not seen.knows_what(as_seen):
                    raise Stale
                number = row[
                    1
                ]  # nothing is new but what others were permitted, or how the labels are written
                made, digest = permit.numbered(number, self.secret)
                database.execute(
                    "UPDATE session SET labels = ?, grants = grants + 1 WHERE id = ?", (after, session)
                )
            database.execute(
                _PERMIT,
                (
                    session,
                    number,
                    digest,
                    permit.shown,
                    tool,
                    _text(brought),
                    permit.issued,
                    permit.ends,
                    self.place,
                ),
            )
        return made

    def call(self, session: str, name: str) -> StoredCall | None:
        """What is known of a call that a runner has named."""
        with self._lock, _told(self.path):
            row = (
                self._opened()
                .execute(
                    "SELECT asked, kept, digest, state FROM call LEFT JOIN permit USING (session, number)"
                    " WHERE call.session = ? AND call.name = ?",
                    (session, name),
                )
                .fetchone()
            )
        return None if row is None else StoredCall(row[0], row[1], row[2], row[3] == _OPEN)

    def open_calls(self, session: str, asked: bytes) -> list[tuple[str, int]]:
        """The names of the calls of which this was asked, and whose permits are out, with the numbers of these; the first one first."""
        with self._lock, _told(self.path):
            rows = self._opened().execute(
                "SELECT name, number FROM call JOIN permit USING (session, number)"
                " WHERE call.session = ? AND asked = ? AND state = 0 ORDER BY number",
                (session, asked),
            )
            return [(str(name), int(number)) for name, number in rows.fetchall()]

    def count_calls(self, session: str) -> int:
        """How many calls are kept of a session."""
        with self._lock, _told(self.path):
            row = self._opened().execute("SELECT COUNT(*) FROM call WHERE session = ?", (session,)).fetchone()
        return int(row[0])

    def keep_call(self, session: str, name: str, asked: bytes, number: int | None, kept: bytes) -> None:
        """Keep what was answered about a call, if nothing is kept of it."""
        with self.changing() as database:
            database.execute(
                "INSERT OR IGNORE INTO call VALUES (?, ?, ?, ?, ?)", (session, name, asked, number, kept)
            )

    def settle(self, permit: Permit, session: str, labels: Labels, *, now: int, context: bool) -> int:
        """Settle a permit, if it settles: what ``kernels.settlement`` answers. Its labels count from then on."""
        authentic = permit.is_authentic(self.secret)
        with self.changing() as database:
            row = database.execute(
                "SELECT digest, issued, ends, state FROM permit WHERE session = ? AND number = ?",
                (permit.session, permit.number),
            ).fetchone()
            answer = kernels.settlement(
                authentic,
                permit.session == session,
                row is not None,
                row is not None and row[3] != _SETTLED,
                row is not None and row[3] == _OPEN and kernels.alive(row[1], now, row[2] - row[1]),
                row is not None and row[0] == permit.digest,
            )
            if answer != kernels.SETTLES:
                return answer
            database.execute(
                "UPDATE permit SET state = ? WHERE session = ? AND number = ?",
                (_SETTLED, permit.session, permit.number),
            )
            if context:
                found = _row(database, session)
                database.execute(
                    "UPDATE session SET labels = ? WHERE id = ?", (_text(_labels(found[0]) | labels), session)
                )
        return answer

    def lapse(self, session: str, now: int, *, here: bool = False) -> list[Lapsed]:
        """The permits of a session that are over and were never settled; each is told once. ``here``: those that the same
        ledger was told of."""
        found = []
        with self.changing() as database:
            for row in list(_open_permits(database, session)):
                if here and row[6] != self.place:
                    continue
                if row[5] <= now and not kernels.alive(row[4], now, row[5] - row[4]):
                    database.execute(
                        "UPDATE permit SET state = ? WHERE session = ? AND number = ?",
                        (_LAPSED, session, row[0]),
                    )
                    found.append(_lapsed(session, row))
        return found

    def over(self, now: int) -> list[str]:
        """The sessions that have permits which are over, of which the same ledger was told, and that nobody has settled."""
        with self._lock, _told(self.path):
            rows = self._opened().execute(
                "SELECT DISTINCT session FROM permit WHERE state = 0 AND ends <= ? AND place = ? ORDER BY session",
                (now, self.place),
            )
            return [str(row[0]) for row in rows.fetchall()]

    def _take(self, database: sqlite3.Cursor, session: str, told: Taken) -> SessionLook:
        row = _row(database, session)
        database.execute(
            "INSERT INTO taken VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                session,
                row[2],
                told.source,
                told.standing,
                _text(told.labels),
                told.tokens,
                told.addresses,
                told.objects,
            ),
        )
        events = row[4]
        if told.event:  # what it follows from is found by it; what others took in meanwhile is not
            events = " ".join([*(each for each in _events(events) if each not in told.follows), told.event])
        labels = _labels(row[0]) | told.labels
        database.execute(
            "UPDATE session SET labels = ?, taken = taken + 1, events = ? WHERE id = ?",
            (_text(labels), events, session),
        )
        return SessionLook(labels, row[1], row[2] + 1, row[3], None, _events(events))

    # The file.

    def changing(self) -> _Transaction:
        """One transaction; what is raised inside undoes it."""
        return _Transaction(self)

    def _at_work(self) -> sqlite3.Cursor:
        """What statements go through that are read to their end: one cursor, since making one costs as much as a statement."""
        cursor = self._cursor
        if cursor is None or self._process != os.getpid():
            cursor = self._cursor = self._opened().cursor()
        return cursor

    def _opened(self) -> sqlite3.Connection:
        if self._connection is not None and self._process == os.getpid():
            return self._connection
        if self._connection is not None:
            # Of the parent: SQLite lets a child neither use nor close it.
            _inherited.append((self._connection, self._cursor))
        try:
            made = open_database(self.path, _SCHEMA, durable=False, threads=True)
        except OtherVersion:
            raise SessionError(
                f"{self.path or 'memory'} was written by another version of Sluicegate",
                hint="Move it aside to begin anew.",
            ) from None
        self._connection, self._process = made, os.getpid()
        return made


_inherited: list[tuple[sqlite3.Connection, sqlite3.Cursor | None]] = []


def _row(database: sqlite3.Cursor, session: str) -> tuple[str, int, int, int, str]:
    row = database.execute(
        "SELECT labels, grants, taken, resets, events FROM session WHERE id = ?", (session,)
    ).fetchone()
    if row is None:
        raise _none()
    return row[0], row[1], row[2], row[3], row[4]


@lru_cache(maxsize=1024)
def _events(text: str) -> tuple[str, ...]:
    """The ids of events, which have no blanks."""
    return tuple(text.split())


def _begun(database: sqlite3.Cursor, session: str, owner: str, under: tuple[str, ...]) -> Begun:
    database.execute(
        "INSERT OR IGNORE INTO session VALUES (?, ?, '[]', 0, 0, 0, '', 0, ?)",
        (session, owner, encode(under).decode()),
    )
    found, began = database.execute("SELECT owner, under FROM session WHERE id = ?", (session,)).fetchone()
    return Begun(str(found), tuple(decode(began, type=list[str])))


def _inherit(database: sqlite3.Cursor, child: str, parent: str) -> None:
    """What is permitted there and not settled counts as taken in; what is known here already is not told again."""
    mine, theirs = _row(database, child), _row(database, parent)
    labels = _labels(mine[0]) | _labels(theirs[0])
    for permit in _open_permits(database, parent):
        labels |= _labels(permit[3])
    rows = database.execute(
        "SELECT source, standing, labels, tokens, addresses, objects FROM taken AS theirs WHERE session = ? AND NOT EXISTS"
        " (SELECT 1 FROM taken AS mine WHERE mine.session = ? AND mine.source = theirs.source AND mine.standing ="
        " theirs.standing AND mine.labels = theirs.labels AND mine.tokens = theirs.tokens AND mine.addresses ="
        " theirs.addresses AND mine.objects = theirs.objects) ORDER BY number",
        (parent, child),
    ).fetchall()
    at = mine[2]
    database.executemany(
        "INSERT INTO taken VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        ((child, at + nth, *row) for nth, row in enumerate(rows)),
    )
    events = " ".join(dict.fromkeys(_events(f"{mine[4]} {theirs[4]}")))
    database.execute(
        "UPDATE session SET labels = ?, taken = ?, events = ? WHERE id = ?",
        (_text(labels), at + len(rows), events, child),
    )


def _none() -> SessionError:
    return SessionError("there is no such session", hint="begin one: monitor.session(name)")


def _open_permits(
    database: sqlite3.Cursor, session: str
) -> Iterator[tuple[int, str, str, str, int, int, str]]:
    yield from database.execute(
        "SELECT number, shown, tool, expects, issued, ends, place FROM permit WHERE session = ? AND state = 0"
        " ORDER BY number",
        (session,),
    ).fetchall()


def _lapsed(session: str, row: tuple[int, str, str, str, int, int, str]) -> Lapsed:
    return Lapsed(f"{session}/{row[0]}", row[1], _labels(row[3]).names())


@contextmanager
def _told(path: Path | None) -> Iterator[None]:
    """What SQLite says, as an error of ours."""
    try:
        yield
    except sqlite3.Error as error:
        raise _unreadable(path, error) from None


def _unreadable(path: Path | None, error: sqlite3.Error) -> SessionError:
    return SessionError(
        f"the sessions in {path or 'memory'} cannot be read or written: {error}",
        hint="Nothing is permitted without them. If the file is damaged, move it aside: sessions then begin anew.",
    )


class _Transaction:
    """A change of a store, whole or not at all. A class, since each decision makes one and a generator costs more."""

    __slots__ = ("_database", "_store")
    _database: sqlite3.Cursor

    def __init__(self, store: Store) -> None:
        self._store = store

    def __enter__(self) -> sqlite3.Cursor:
        store = self._store
        store._lock.acquire()
        try:
            self._database = store._at_work()
            self._database.execute("BEGIN IMMEDIATE")
        except BaseException as error:
            store._lock.release()
            if isinstance(error, sqlite3.Error):
                raise _unreadable(store.path, error) from None
            raise
        return self._database

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        store, database = self._store, self._database
        try:
            if error is None:
                database.execute("COMMIT")
                return
        except sqlite3.Error as failed:
            error = failed
        finally:
            if error is not None:
                with suppress(sqlite3.Error):
                    database.execute("ROLLBACK")
            store._lock.release()
        if isinstance(error, sqlite3.Error):
            raise _unreadable(store.path, error) from None

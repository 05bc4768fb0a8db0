"""Pins: what each server said of its tools when it was first used, and what it says now.

1. The entries of a list are pinned whole, in canonical JSON, the first time that a server lists any; unless the look at one of
   them finds something, which waits for a person.
2. After that, what has changed, what is new, and what bears another name than before is stopped until a person approves exactly that.
   So is everything of a server that is started by another command, or stands at another address.
3. A file that cannot be read, is not whole, or cannot be written, stops everything.
"""

from __future__ import annotations

import difflib
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from sluicegate.errors import SluicegateError
from sluicegate.record.database import Schema, changing, open_database
from sluicegate.record.home import Home

_SCHEMA: Final = Schema(
    (
        (
            "CREATE TABLE server (name TEXT, kind TEXT, launch TEXT NOT NULL, PRIMARY KEY (name, kind)) WITHOUT ROWID",
            """CREATE TABLE pin (server TEXT, kind TEXT, name TEXT, content BLOB NOT NULL, digest BLOB NOT NULL,
    PRIMARY KEY (server, kind, name)) WITHOUT ROWID""",
            """CREATE TABLE waiting (server TEXT, kind TEXT, name TEXT, content BLOB NOT NULL, digest BLOB NOT NULL,
    launch TEXT NOT NULL, why TEXT NOT NULL, PRIMARY KEY (server, kind, name)) WITHOUT ROWID""",
        ),
    )
)
_canonical = msgspec.json.Encoder(order="sorted")

Look = Callable[[str, Mapping[str, Any]], str]
"""What a look at an entry of a kind finds; empty where that is nothing."""


class PinError(SluicegateError):
    """Pins cannot be read or kept."""

    code = "pins"


class Waiting(Struct, frozen=True, kw_only=True):
    """An entry that waits for a person. ``before`` is what is pinned under its name, ``content`` what is said now, both for reading."""

    server: str
    kind: str
    name: str
    why: str
    digest: str
    before: str
    content: str

    def difference(self) -> list[str]:
        """What is other, line by line."""
        lines = difflib.unified_diff(
            self.before.splitlines(), self.content.splitlines(), "pinned", "now", lineterm="", n=2
        )
        return list(lines)


class Pinned(Struct, frozen=True, kw_only=True):
    """An entry that is pinned."""

    server: str
    kind: str
    name: str
    digest: str


class Pins:
    """The pins of a user, in one file."""

    def __init__(self, path: Path) -> None:
        """Raises PinError."""
        self.path = path
        with self._told():
            self._database = open_database(path, _SCHEMA, durable=True)
            (whole,) = self._database.execute("PRAGMA quick_check").fetchone()
            if whole != "ok":
                raise sqlite3.DatabaseError("it is damaged")

    @classmethod
    def of(cls, home: Home) -> Pins:
        """The pins of this user. Raises PinError."""
        return cls(home.pins / "pins.db")

    @classmethod
    def here(cls, environ: Mapping[str, str], folder: Path) -> Pins:
        """The pins of this user, asked for from a folder. Raises PinError."""
        from sluicegate.record.work_tree import work_tree

        return cls.of(Home.find(environ, workspace=work_tree(folder)))

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def compare(
        self, server: str, launch: str, kind: str, entries: Mapping[str, Mapping[str, Any]], look: Look
    ) -> dict[str, str]:
        """Why entries are stopped, by their names; what is first seen is pinned. ``launch`` says how the server is reached. Raises
        PinError."""
        now = {name: _canonical.encode(entry) for name, entry in entries.items()}
        with self._told():
            known = self._database.execute(
                "SELECT launch FROM server WHERE name = ? AND kind = ?", (server, kind)
            ).fetchone()
            pinned = self._pins(server, kind)
            if (
                known is not None
                and known[0] == launch
                and all(pinned.get(name) == each for name, each in now.items())
            ):
                return {}
            found = {
                name: why
                for name, content in now.items()
                if (why := _stopped(name, content, known, launch, pinned, now) or look(kind, entries[name]))
                and not (known is not None and known[0] == launch and pinned.get(name) == content)
            }
            with changing(self._database) as database:
                if known is None:  # 1
                    database.execute("INSERT INTO server VALUES (?, ?, ?)", (server, kind, launch))
                    database.executemany(
                        "INSERT INTO pin VALUES (?, ?, ?, ?, ?)",
                        [
                            (server, kind, name, each, _digest(each))
                            for name, each in now.items()
                            if name not in found
                        ],
                    )
                database.execute("DELETE FROM waiting WHERE server = ? AND kind = ?", (server, kind))
                database.executemany(
                    "INSERT INTO waiting VALUES (?, ?, ?, ?, ?, ?, ?)",
                    [
                        (server, kind, name, now[name], _digest(now[name]), launch, why)
                        for name, why in found.items()
                    ],
                )
        return {
            name: f"{why}. A person can approve it: sluicegate gateway approve {server}"
            for name, why in found.items()
        }

    def waiting(self, server: str = "") -> list[Waiting]:
        """What waits for a person. Raises PinError."""
        with self._told():
            rows = self._database.execute(
                """SELECT waiting.server, waiting.kind, waiting.name, why, waiting.digest, waiting.content, pin.content
                FROM waiting LEFT JOIN pin USING (server, kind, name) WHERE ? IN ('', waiting.server) ORDER BY 1, 2, 3""",
                (server,),
            ).fetchall()
            for row in rows:
                _check(row[5], row[4])
        return [
            Waiting(
                server=row[0], kind=row[1], name=row[2], why=row[3], digest=row[4].hex(),
                before=_readable(row[6]) if row[6] is not None else "", content=_readable(row[5]),
            )
            for row in rows
        ]  # fmt: skip

    def approve(self, one: Waiting) -> bool:
        """Pin what waits, if it is still that; everything of a server that is reached otherwise now is approved one by one."""
        with self._told(), changing(self._database) as database:
            row = database.execute(
                "SELECT content, launch FROM waiting WHERE server = ? AND kind = ? AND name = ? AND digest = ?",
                (one.server, one.kind, one.name, bytes.fromhex(one.digest)),
            ).fetchone()
            if row is None:
                return False
            content, launch = row
            database.execute(
                "INSERT OR REPLACE INTO pin VALUES (?, ?, ?, ?, ?)",
                (one.server, one.kind, one.name, content, _digest(content)),
            )
            database.execute(
                "DELETE FROM waiting WHERE server = ? AND kind = ? AND name = ?",
                (one.server, one.kind, one.name),
            )
            (left,) = database.execute(
                "SELECT COUNT(*) FROM waiting WHERE server = ? AND kind = ? AND launch = ?",
                (one.server, one.kind, launch),
            ).fetchone()
            if not left:  # nothing of it is left that a person has not seen
                database.execute(
                    "UPDATE server SET launch = ? WHERE name = ? AND kind = ?", (launch, one.server, one.kind)
                )
        return True

    def forget(self, server: str) -> int:
        """Take all pins of a server away: what it lists next is pinned anew. How many there were."""
        with self._told(), changing(self._database) as database:
            count = database.execute("DELETE FROM pin WHERE server = ?", (server,)).rowcount
            database.execute("DELETE FROM waiting WHERE server = ?", (server,))
            database.execute("DELETE FROM server WHERE name = ?", (server,))
        return count

    def pinned(self) -> list[Pinned]:
        """All pins. Raises PinError."""
        with self._told():
            rows = self._database.execute(
                "SELECT server, kind, name, digest FROM pin ORDER BY 1, 2, 3"
            ).fetchall()
        return [Pinned(server=row[0], kind=row[1], name=row[2], digest=row[3].hex()) for row in rows]

    def _pins(self, server: str, kind: str) -> dict[str, bytes]:
        rows = self._database.execute(
            "SELECT name, content, digest FROM pin WHERE server = ? AND kind = ?", (server, kind)
        ).fetchall()
        for row in rows:
            _check(row[1], row[2])
        return {row[0]: row[1] for row in rows}

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Errors of the file as ours (3)."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise PinError(
                f"the pins in {self.path} cannot be used: {error}",
                hint="Nothing is called until they can. Make room, or move the file aside: every server is pinned anew then.",
            ) from None


def _stopped(
    name: str, content: bytes, known: tuple[str] | None, launch: str,
    pinned: Mapping[str, bytes], now: Mapping[str, bytes],
) -> str:  # fmt: skip
    """Why an entry is stopped by what is pinned (2)."""
    if known is None:
        return ""
    before = pinned.get(name)
    if known[0] != launch:
        return (
            "its server is started by another command, or stands at another address, than when it was pinned"
        )
    if before == content:
        return ""
    if before is not None:
        return "it has changed since it was pinned"
    same = _nameless(content)
    other = next((each for each, said in pinned.items() if each not in now and _nameless(said) == same), None)
    return (
        f"it was called {other} when it was pinned"
        if other is not None
        else "its server did not have it when it was pinned"
    )


def _nameless(content: bytes) -> bytes:
    found = msgspec.json.decode(content)
    return _canonical.encode({key: value for key, value in found.items() if key != "name"})


def _digest(content: bytes) -> bytes:
    return sha256(content).digest()


def _check(content: bytes, digest: bytes) -> None:
    if not isinstance(content, bytes) or _digest(content) != digest:
        raise sqlite3.DatabaseError("an entry is not as it was written")


def _readable(content: bytes) -> str:
    return msgspec.json.format(content, indent=2).decode()

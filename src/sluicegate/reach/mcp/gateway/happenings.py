"""What the core of the gateway is told (events), and what it wants done (commands)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class Happening(Struct, frozen=True):
    """An event or a command."""


# Events.


class ClientSaid(Happening, frozen=True):
    """A message of the client, as it came. ``headers``: those over HTTP that repeat its arguments; None where none have to."""

    data: bytes
    headers: Mapping[str, str] | None = None


class ServerSaid(Happening, frozen=True):
    """A message of a server, as it came."""

    server: str
    data: bytes


class ServerEnded(Happening, frozen=True):
    """A server is gone, or cannot be started."""

    server: str
    why: str


class CallPermitted(Happening, frozen=True):
    """``AskFlow`` was answered: ``values`` may flow. Whoever settles it gives ``permit`` back."""

    key: int
    permit: object
    values: Mapping[str, Any]


class CallRefused(Happening, frozen=True):
    """``AskFlow`` was answered: no. ``text`` is for the model and for people."""

    key: int
    text: str
    code: str = ""
    rule: str = ""


class CallSettled(Happening, frozen=True):
    """``TellFlow`` was answered. ``withheld``: why the result is not to be used, if it is not."""

    key: int
    withheld: str = ""


class EntriesExamined(Happening, frozen=True):
    """``Examine`` was answered: why an entry is stopped, by its name; hidden ones are not even spoken of."""

    key: int
    stopped: Mapping[str, str]
    hidden: frozenset[str] = frozenset()


class Tick(Happening, frozen=True):
    """Time has passed; ``now`` is in seconds."""

    now: float


# Commands.


class ToClient(Happening, frozen=True):
    """Send this to the client."""

    data: bytes


class ToServer(Happening, frozen=True):
    """Send this to a server. ``headers``: over HTTP, those that repeat its arguments."""

    server: str
    data: bytes
    headers: Mapping[str, str] | None = None


class Start(Happening, frozen=True):
    """Start a server that has ended."""

    server: str


class Stop(Happening, frozen=True):
    """Have nothing more to do with a server: what it says is not MCP."""

    server: str
    why: str


class AskFlow(Happening, frozen=True):
    """Ask flow whether an operation may happen; the results come from ``source``. ``agreed``: a person has seen it and agreed."""

    key: int
    operation: str
    values: Mapping[str, Any]
    labels: tuple[str, ...]
    source: str
    agreed: bool = False


class TellFlow(Happening, frozen=True):
    """Tell flow what came of it. ``what`` is the kind of text that it is, where that is to be looked through: ``prompt``, or the
    address of a resource."""

    key: int
    permit: object
    result: object
    what: str = ""


class TakeIn(Happening, frozen=True):
    """The client takes this in without having asked for it."""

    source: str
    value: object


class Examine(Happening, frozen=True):
    """Compare the entries of a list, by their names, with what is pinned, and look through what is new."""

    key: int
    server: str
    kind: str
    entries: Mapping[str, Mapping[str, Any]]


class Notice(Happening, frozen=True):
    """Say this to whoever runs the gateway."""

    text: str


Event = (
    ClientSaid | ServerSaid | ServerEnded | CallPermitted | CallRefused | CallSettled | EntriesExamined | Tick
)
Command = ToClient | ToServer | Start | Stop | AskFlow | TellFlow | TakeIn | Examine | Notice

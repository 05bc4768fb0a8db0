"""Which signatures the ledger remembers: what was signed last under each name, and has not been withdrawn.

A signature says that a content was signed, never that it is the newest, nor that there ought to be one. Whoever can
write the workspace can put back an older content with its own genuine signature, or take a signature away. The ledger
knows better. Only lines that this home wrote count here: anybody can write others.
"""

from __future__ import annotations

from typing import NamedTuple

from sluicegate.record.ledger.events import Sign, Withdraw
from sluicegate.record.ledger.query import History

Key = tuple[str, str]
"""The purpose of a signature, and the name it was made under."""


class Remembered(NamedTuple):
    """The last signature under a name: its digest, when it was made, and the digests of those before it."""

    digest: str
    ts: str
    earlier: frozenset[str]


def remembered(history: History) -> dict[Key, Remembered]:
    """What was signed last under each name, in order of the first signature."""
    found: dict[Key, Remembered] = {}
    for entry in history.of_kind(Sign, Withdraw):
        event = entry.event
        if not entry.authentic or not isinstance(event, Sign | Withdraw):
            continue
        key = (event.purpose, event.var)
        before = found.pop(key, None)
        if isinstance(event, Sign):
            earlier = frozenset() if before is None else before.earlier | {before.digest}
            found[key] = Remembered(digest=event.hash, ts=entry.ts, earlier=earlier - {event.hash})
    return found

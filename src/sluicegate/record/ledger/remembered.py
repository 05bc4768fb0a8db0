"""Which signatures the ledger remembers: what was signed last under each name, and has not been withdrawn.

A signature says that a content was signed, never that it is the newest, nor that there ought to be one. Whoever can
write the workspace can put back an older content with its own genuine signature, or take a signature away. The ledger
knows better. Only lines that this home wrote count here: anybody can write others.
"""

from __future__ import annotations

from collections.abc import Iterable
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


def remembered(histories: Iterable[tuple[History, str]]) -> dict[Key, Remembered]:
    """What was signed last under each name of one workspace, in order of the first signature.

    Each ledger with where the workspace lies, seen from there (``Sign.within``).
    """
    found: dict[Key, Remembered] = {}
    told = [
        (entry.ts, entry.event)
        for history, within in histories
        for entry in history.of_kind(Sign, Withdraw)
        if entry.authentic and isinstance(entry.event, Sign | Withdraw) and entry.event.within == within
    ]
    for ts, event in sorted(told, key=lambda each: each[0]):
        key = (event.purpose, event.var)
        before = found.pop(key, None)
        if isinstance(event, Sign):
            earlier = frozenset() if before is None else before.earlier | {before.digest}
            found[key] = Remembered(digest=event.hash, ts=ts, earlier=earlier - {event.hash})
    return found

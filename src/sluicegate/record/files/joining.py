"""Joining the labels of files."""

from __future__ import annotations

from collections.abc import Iterable

from sluicegate.record.ledger.events import Strings

_VOUCHES = "trusted"


def join_labels(*parts: Iterable[str]) -> Strings:
    """The labels of what is made of several parts: all of them; ``trusted`` only if every part that has labels has it.

    More labels are never wrong, but for the one that vouches: it must not pass from one part to another.
    """
    sets = [set(part) for part in parts]
    union = set().union(*sets)
    if any(each and _VOUCHES not in each for each in sets):
        union.discard(_VOUCHES)
    return tuple(sorted(union))

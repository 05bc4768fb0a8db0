"""Which copies go when there is no room for another one: numbers alone, nothing is read or deleted here.

1. A copy that is older than ``LASTS`` goes. One that a clock which went back says is from later stays.
2. What is written over for the first time in a session is kept until then: it may be the user's work, and nobody else has it.
3. Where there is no room for another copy, the oldest of the others go, until there is.
4. Where that is not enough, there is no room: whoever fills the store takes nothing out of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sluicegate.tuples import NamedTuple

SECOND: Final = 1_000_000_000
LASTS: Final = 30 * 86_400 * SECOND
"""Nanoseconds for which a copy is kept."""

MOST_FILE: Final = 32 * 2**20
"""Bytes of a file that is kept."""

MOST_BYTES: Final = 1 * 2**30
"""Bytes of all copies together."""

MOST_COPIES: Final = 20_000


class HeldCopy(NamedTuple):
    """What is held of one copy: its number (they grow), its size in bytes, when it was made, and whether it is a first one (2)."""

    number: int
    size: int
    made: int
    first: bool


class MakingRoom(NamedTuple):
    """Which copies go, and whether there is room then."""

    dropped: tuple[int, ...]
    fits: bool


def making_room(
    held: Sequence[HeldCopy],
    size: int,
    now: int,
    *,
    most_bytes: int = MOST_BYTES,
    most_copies: int = MOST_COPIES,
) -> MakingRoom:
    """What goes for another copy of ``size`` bytes. ``held`` in any order."""
    over = [each for each in held if each.made + LASTS <= now]  # 1
    left = [each for each in held if each.made + LASTS > now]
    total, count = sum(each.size for each in left) + size, len(left) + 1
    dropped = [each.number for each in over]
    others = sorted((each for each in left if not each.first), key=lambda each: each.number)  # 2
    for each in others:  # 3
        if total <= most_bytes and count <= most_copies:
            break
        total, count = total - each.size, count - 1
        dropped.append(each.number)
    if total <= most_bytes and count <= most_copies:
        return MakingRoom(tuple(dropped), True)
    return MakingRoom(tuple(each.number for each in over), False)  # 4

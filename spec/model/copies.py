"""Which copies of files go for another one: the behaviour HO-11, said the long way."""

from __future__ import annotations

MONTH = 30 * 24 * 60 * 60 * 1_000_000_000
"""Nanoseconds."""


def after(
    held: list[tuple[int, int, int, bool]], size: int, now: int, most_bytes: int, most_copies: int
) -> tuple[set[int], bool]:
    """The numbers of the copies that stay, and whether there is room for one of ``size`` bytes beside them.

    ``held``: number, bytes, when it was made, whether it is the first of its file in its session.
    """
    young = [each for each in held if now - each[2] < MONTH]

    def has_room(several: list[tuple[int, int, int, bool]]) -> bool:
        return sum(each[1] for each in several) + size <= most_bytes and len(several) < most_copies

    for without in range(len(young) + 1):
        # As few as possible go, each older than every later one that stays, and none of them a first.
        spare = sorted(each for each in young if not each[3])
        if without > len(spare):
            break
        staying = [each for each in young if each not in spare[:without]]
        if has_room(staying):
            return {each[0] for each in staying}, True
    return {each[0] for each in young}, False

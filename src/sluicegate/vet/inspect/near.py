"""Conditions on what stands near a match: a rule holds by a match only where they are met.

A rule says it in its metadata, in words: ``near_send = "2 of _ssh, _aws, _npm in start-1200..start"`` is, in
YARA, ``for any i in (1..#send) : (2 of ($_ssh, $_aws, $_npm) in (@send[i]-1200..@send[i]))``. YARA-X would
compile such a loop anew in each process, in more time than many a skill takes to scan; here it is a few
numbers. ``start`` and ``end`` are those of the match; what is counted are the patterns of which some match
begins in the range, both ends of which belong to it. Ranges are joined by ``and``, and these by ``or``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from sluicegate.tuples import NamedTuple

Span = tuple[int, int]


class RangeEnd(NamedTuple):
    """One end of a range: so many bytes from where the match starts, or ends."""

    at_end: bool
    offset: int

    def of(self, span: Span) -> int:
        """The offset in the data, for this match."""
        return span[self.at_end] + self.offset


class Neighbours(NamedTuple):
    """At least ``least`` of the patterns ``names`` begin to match between ``low`` and ``high``."""

    least: int
    names: tuple[str, ...]
    low: RangeEnd
    high: RangeEnd

    def stand(self, span: Span, starts: Mapping[str, Sequence[int]]) -> bool:
        """Whether they do, for this match. ``starts`` are the offsets of all matches by pattern, sorted."""
        low, high = self.low.of(span), self.high.of(span)
        return sum(_any_between(starts.get(name, ()), low, high) for name in self.names) >= self.least


Near: TypeAlias = "tuple[tuple[Neighbours, ...], ...]"
"""Alternatives, of which one must hold; each holds when all that it lists do."""


def parse(text: str) -> Near:
    """The value of a ``near_`` key. Raises ValueError when it is not written as they are."""
    return tuple(
        tuple(_neighbours(part.strip()) for part in each.split(" and ")) for each in text.split(" or ")
    )


def holds(near: Mapping[str, Near], places: Mapping[str, Sequence[Span]]) -> bool:
    """Whether the rule holds by what its patterns matched (``places``, by name, in order).

    It does when a pattern matched of which nothing is asked, or one match of another has near it what is
    asked of it. Patterns called ``_...`` only help.
    """
    if any(spans and name not in near and not name.startswith("_") for name, spans in places.items()):
        return True
    starts = {name: [start for start, _ in spans] for name, spans in places.items()}
    return any(_one_of(near[name], span, starts) for name in near for span in places.get(name, ()))


def named(near: Mapping[str, Near]) -> frozenset[str]:
    """The patterns that are asked about, and those that are asked for."""
    asked = (name for each in near.values() for parts in each for part in parts for name in part.names)
    return frozenset(near).union(asked)


def _one_of(near: Near, span: Span, starts: Mapping[str, Sequence[int]]) -> bool:
    return any(all(part.stand(span, starts) for part in parts) for parts in near)


def _any_between(starts: Sequence[int], low: int, high: int) -> bool:
    at = bisect_left(starts, low)
    return at < len(starts) and starts[at] <= high


def _neighbours(text: str) -> Neighbours:
    what, _, where = text.rpartition(" in ")
    count, _, names = what.rpartition(" of ")
    low, _, high = where.partition("..")
    return Neighbours(int(count or 1), tuple(_names(names)), _bound(low.strip()), _bound(high.strip()))


def _names(text: str) -> Iterable[str]:
    for word in text.split(","):
        name = word.strip().removeprefix("$")
        if not name.isidentifier():
            raise ValueError(text)
        yield name


def _bound(text: str) -> RangeEnd:
    for at_end, word in enumerate(("start", "end")):
        rest = text.removeprefix(word)
        if rest != text and (not rest or rest[0] in "+-"):
            return RangeEnd(bool(at_end), int(rest or 0))
    raise ValueError(text)

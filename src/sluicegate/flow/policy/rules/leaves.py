"""Labels and their prefixes: how rules find the labels of a value and of an operation.

A rule written for ``op:cmd`` is about ``op:cmd:git:push``. Rules are kept in maps by the label they name, and a
label is looked up by each of its own prefixes, so that the number of rules does not matter.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec import Struct

Chain = tuple[tuple[int, str], ...]
"""The prefixes of a label with their depths, most specific first; at the end ``*`` with depth 0."""


_MOST_STEPS: Final = 64
"""Segments up to which the chain of a label is made from that of its parent, which is mostly known."""


@lru_cache(maxsize=8192)
def chain(label: str) -> Chain:
    """Every prefix of a label: ``(3, "op:cmd:git"), (2, "op:cmd"), (1, "op"), (0, "*")``."""
    depth = label.count(":") + 1
    if 1 < depth <= _MOST_STEPS:
        return (depth, label), *chain(label[: label.rindex(":")])
    found: list[tuple[int, str]] = []
    end = len(label)
    while depth > 0:
        found.append((depth, label[:end]))
        depth, end = depth - 1, label.rfind(":", 0, end)
    found.append((0, "*"))
    return tuple(found)


class Leaves(Struct, frozen=True):
    """The most specific labels of an operation; ``prefixes`` are all of theirs, ``*`` too if there are any."""

    names: tuple[str, ...]
    chains: tuple[Chain, ...]
    prefixes: frozenset[str]


@lru_cache(maxsize=8192)
def leaves(names: tuple[str, ...]) -> Leaves:
    """The leaves of an operation with their prefixes."""
    chains = tuple([chain(name) for name in names])
    return Leaves(names, chains, frozenset([prefix for each in chains for _, prefix in each]))

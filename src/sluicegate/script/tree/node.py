"""The base of all nodes of the tree, and what two trees that say the same have in common."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct


class Syntax(Struct, frozen=True, gc=False):
    """A node. ``start`` and ``end`` are offsets into the text of the script; they come first and are given by position,
    because a script has as many nodes as tokens and a keyword costs as much as the object."""

    start: int
    end: int


def shape(node: object) -> object:
    """What a node says without where it stands, as nested tuples: equal for texts that differ in layout alone."""
    if isinstance(node, Syntax):
        fields = node.__struct_fields__[2:]
        return (type(node).__name__, *(shape(getattr(node, name)) for name in fields))
    if isinstance(node, tuple):
        return tuple(shape(each) for each in node)
    return node


def nodes_in(tree: object) -> Iterator[Syntax]:
    """A node, or several, and all that stands in them."""
    waiting = [tree]
    while waiting:
        found = waiting.pop()
        if isinstance(found, tuple):
            waiting += found
        elif isinstance(found, Syntax):
            yield found
            waiting += [getattr(found, name) for name in found.__struct_fields__[2:]]

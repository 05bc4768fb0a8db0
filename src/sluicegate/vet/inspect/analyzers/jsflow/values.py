"""The abstract value of a JavaScript expression: taint, constant text, and parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from sluicegate.vet.inspect.analyzers.shflow.values import NONE, Tag, join

LONGEST = 2048
HOLE = "$_"
"""Stands in a text for a part that is not known and has facts; a shell reads it as a variable."""


class Val:
    """An expression: facts, its dotted name, its text as far as known, its parts. Not changed once it is made.

    ``items`` are arguments or elements, ``props`` the properties of an object literal, ``params`` the
    parameters of a function literal and ``function`` its number.
    """

    __slots__ = ("function", "items", "name", "params", "props", "shape", "tags", "text")

    def __init__(
        self,
        tags: frozenset[Tag] = NONE,
        name: str = "",
        text: str = "",
        items: Sequence[Val] = (),
        props: Mapping[str, Val] = MappingProxyType({}),
        params: Sequence[str] = (),
        function: int = -1,
        shape: str = "",
    ) -> None:
        self.tags = tags
        self.name = name
        self.text = text
        self.items = items
        self.props = props
        self.params = params
        self.function = function
        self.shape = shape

    def like(self, *, tags: frozenset[Tag], name: str, text: str) -> Val:
        """The same with other facts, another name and text."""
        return Val(tags, name, text, self.items, self.props, self.params, self.function, self.shape)


NOTHING = Val()
"""An expression of which nothing is known."""


def united(values: Iterable[Val]) -> frozenset[Tag]:
    """The facts of all values."""
    tags = NONE
    for value in values:
        if value.tags:
            tags = join(tags, value.tags)
    return tags

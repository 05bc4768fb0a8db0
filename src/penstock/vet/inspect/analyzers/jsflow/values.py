"""What a JavaScript expression may hold."""

from __future__ import annotations

from dataclasses import dataclass, field

from penstock.vet.inspect.analyzers.shflow.values import NONE, Tag, join

LONGEST = 2048
HOLE = "$_"
"""Stands in a text for a part that is not known and has facts; a shell reads it as a variable."""


@dataclass(slots=True)
class Val:
    """An expression: facts, its dotted name, its text as far as known, its parts.

    ``items`` are arguments or elements, ``props`` the properties of an object literal, ``params`` the
    parameters of a function literal and ``function`` its number.
    """

    tags: frozenset[Tag] = NONE
    name: str = ""
    text: str = ""
    items: list[Val] = field(default_factory=list)
    props: dict[str, Val] = field(default_factory=dict)
    params: list[str] = field(default_factory=list)
    function: int = -1
    shape: str = ""


def united(values: list[Val]) -> frozenset[Tag]:
    """The facts of all values."""
    tags = NONE
    for value in values:
        if value.tags:
            tags = join(tags, value.tags)
    return tags

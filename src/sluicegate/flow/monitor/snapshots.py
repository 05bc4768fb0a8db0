"""Arguments as they were when they were given, so that nobody changes them between judging and doing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sluicegate.flow.errors import FlowError

_MOST_DEPTH = 200


def copied(value: Any, depth: int = 0) -> Any:
    """A value with lists and objects of its own; what stands in them is the same. Raises FlowError."""
    kind = type(value)
    if kind is str or kind is int:
        return value
    if depth > _MOST_DEPTH:
        raise FlowError("an argument is nested too deep", hint="pass a file in its place")
    if kind is dict:
        return {key: copied(inner, depth + 1) for key, inner in tuple(value.items())}
    if kind is list or kind is tuple:
        return kind([copied(inner, depth + 1) for inner in tuple(value)])
    if kind is set or kind is bytearray:
        return kind(value)
    return value


class Snapshot:
    """The arguments of a function of the program itself, which is given its own objects: whether they are still as they were."""

    __slots__ = ("_kept",)

    def __init__(self, values: Mapping[str, object]) -> None:
        self._kept = tuple(
            [
                (value, copied(value))
                for value in values.values()
                if type(value) in (dict, list, tuple, set, bytearray)
            ]
        )

    @property
    def holds(self) -> bool:
        """Whether nobody has changed any of them."""
        return all(bool(value == then) for value, then in self._kept)

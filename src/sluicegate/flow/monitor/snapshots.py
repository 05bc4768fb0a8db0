"""Arguments as they were when they were given, so that nobody changes them between judging and doing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sluicegate.flow.values.contents import fresh, is_same

_PLAIN = frozenset({str, int})


def copied(value: Any) -> Any:
    """A value with lists and objects of its own; what stands in them is the same. Raises FlowError."""
    return value if type(value) in _PLAIN else fresh(value)


class Snapshot:
    """The arguments of a function of the program itself, which is given its own objects: whether they are still as they were."""

    __slots__ = ("_kept",)

    def __init__(self, values: Mapping[str, object]) -> None:
        several = ((value, copied(value)) for value in values.values() if type(value) not in _PLAIN)
        self._kept = tuple([(value, then) for value, then in several if then is not value])

    @property
    def holds(self) -> bool:
        """Whether nobody has changed any of them."""
        return all(is_same(value, then) for value, then in self._kept)

"""Equality, hash, order and repr of the data classes of a scan, written once.

``dataclass`` would generate and compile them again for each of some twenty classes, which costs a tenth of the
scan of a small skill. They behave as the generated ones do: two values are compared by their fields, in the
order in which they are declared, and only with values of the same class.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_GETTERS: dict[type[object], Callable[[object], Any]] = {}


def _values(value: object) -> Any:
    """What a value is compared by: its fields as a tuple, or its only field, of whatever type it is."""
    kind = value.__class__
    get = _GETTERS.get(kind)
    if get is None:
        names = [field.name for field in fields(cast("type[DataclassInstance]", kind))]
        get = _GETTERS[kind] = attrgetter(*names) if names else _nothing
    return get(value)


def _nothing(_: object) -> tuple[()]:
    return ()


class Plain:
    """Base of a data class with ``eq=False, repr=False``: equal where class and fields are."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return bool(_values(self) == _values(other))

    def __hash__(self) -> int:
        return hash(_values(self))

    def __repr__(self) -> str:
        kind = self.__class__
        known = fields(cast("type[DataclassInstance]", kind))
        shown = ", ".join([f"{field.name}={getattr(self, field.name)!r}" for field in known])
        return f"{kind.__qualname__}({shown})"


class Ordered(Plain):
    """The same, and ordered by the fields."""

    __slots__ = ()

    def __lt__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return bool(_values(self) < _values(other))

    def __le__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return bool(_values(self) <= _values(other))

    def __gt__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return bool(_values(self) > _values(other))

    def __ge__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return bool(_values(self) >= _values(other))

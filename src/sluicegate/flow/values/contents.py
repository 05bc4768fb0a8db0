"""What stands inside a labelled value: a leaf, or a container whose parts have labels of their own.

Contents are taken in once (``take``) and given out as fresh copies (``fresh``): containers of the standard library and
of classes made of them, dataclasses and structs of ``msgspec`` are copied both ways, so nobody who was given one can put
anything into the value through it. Any other object is held as it is, and should not be one that changes.
"""

from __future__ import annotations

import copy
import operator
from collections import ChainMap, UserDict, UserList, deque
from collections.abc import Callable, Hashable
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import force_setattr

from sluicegate.flow.errors import FlowError
from sluicegate.flow.labels import Labels
from sluicegate.flow.values.carrier import Carrier
from sluicegate.tuples import NamedTuple

DEEPEST: Final = 200
_COPIED: Final = frozenset({list, tuple, dict, set, bytearray})
_LEAVES: Final = frozenset({str, int, float, bool, bytes, type(None)})
_OTHERS: Final = (deque, ChainMap, UserDict, UserList, MappingProxyType)


class Failure(NamedTuple):
    """In place of a content: what a function that was applied to it raised."""

    kind: str
    text: str

    def __repr__(self) -> str:
        return "Failure(...)"  # its words are content


class Fields(NamedTuple):
    """A container some part of which carries labels.

    ``structure`` are the labels of its shape (how many parts, which keys), which every part has too.
    ``model`` is the type to build again, for a dataclass or a struct of ``msgspec`` the object itself. ``keys`` are those of a dict, the
    field names of such an object, and else the places 0, 1, 2...
    """

    model: object
    keys: tuple[Hashable, ...]
    parts: tuple[Carrier, ...]
    structure: Labels

    def __repr__(self) -> str:
        return "Fields(...)"  # keys are content too

    def at(self, key: object) -> Carrier | None:
        """The part under a key or at a place (which may count from the end), or None."""
        if self.model is not dict and isinstance(key, int) and _field_names(self.model) is None:
            return self.parts[key] if -len(self.parts) <= key < len(self.parts) else None
        return dict(zip(self.keys, self.parts, strict=True)).get(key)

    def build(self, contents: list[object]) -> object:
        """The container again, with these contents in place of the parts."""
        model = self.model
        if model is dict:
            return dict(zip(self.keys, contents, strict=True))
        if isinstance(model, type):
            make: Callable[..., object] = getattr(model, "_make", model)
            return make(contents)
        record = copy.copy(model)
        change: Callable[..., None] = force_setattr if isinstance(record, Struct) else object.__setattr__
        for key, content in zip(self.keys, contents, strict=True):
            change(record, str(key), content)
        return record


class Shape(NamedTuple):
    """A container taken apart: what to build again, its keys, and what stands under them."""

    model: object
    keys: tuple[Hashable, ...]
    contents: tuple[object, ...]


def shape_of(thing: Any) -> Shape | None:
    """The container taken apart; None for what is none: only built-in containers, dataclasses and structs are."""
    kind = type(thing)
    if isinstance(thing, dict):
        return Shape(dict, tuple(thing), tuple(thing.values()))
    if kind in (list, tuple) or (isinstance(thing, tuple) and hasattr(thing, "_make")):
        return Shape(kind, tuple(range(len(thing))), tuple(thing))
    if kind in (set, frozenset):  # how many parts a set has depends on what they are: a list has their labels
        return Shape(list, tuple(range(len(thing))), tuple(thing))
    names = _field_names(thing)
    return None if names is None else Shape(thing, names, tuple(getattr(thing, name) for name in names))


def _field_names(thing: object) -> tuple[str, ...] | None:
    """The fields of a dataclass or of a struct of ``msgspec``; None for anything else."""
    if isinstance(thing, Struct):
        return thing.__struct_fields__
    if not hasattr(type(thing), "__dataclass_fields__"):
        return None
    from dataclasses import fields  # whoever made a dataclass has imported it: no decision waits for it

    return tuple(field.name for field in fields(thing))  # type: ignore[arg-type]


def holds_carrier(thing: object, depth: int = 0) -> bool:
    """Whether a part of the thing, however deep, carries labels. Raises ``FlowError`` if it is too deep."""
    if isinstance(thing, Carrier):
        return True
    shape = shape_of(thing)
    if shape is None:
        return False
    if depth >= DEEPEST:
        raise too_deep()
    return any(holds_carrier(part, depth + 1) for part in shape.contents)


def fresh(thing: Any, depth: int = 0) -> Any:
    """The thing, with every container in it that can change copied.

    Raises ``FlowError`` if it is too deep, or is of a class that cannot be copied.
    """
    kind = type(thing)
    if kind in _LEAVES or isinstance(thing, Carrier):
        return thing
    if kind not in _COPIED and not hasattr(kind, "_make"):
        return thing if not _is_kept(thing) else _fresh_of(thing, depth)
    if depth >= DEEPEST:
        raise too_deep()
    if kind is dict:
        return {key: fresh(value, depth + 1) for key, value in thing.items()}
    if kind is list:
        return [fresh(part, depth + 1) for part in thing]
    if isinstance(thing, tuple):
        make: Callable[..., object] = getattr(kind, "_make", kind)
        return make(fresh(part, depth + 1) for part in thing)
    return kind(thing)


def _is_kept(thing: object) -> bool:
    """Whether it is a container of another class than the built-in ones."""
    return isinstance(thing, (*_COPIED, *_OTHERS)) or _field_names(thing) is not None


def _fresh_of(thing: Any, depth: int) -> Any:
    """A copy of such a container. Raises ``FlowError``."""
    if depth >= DEEPEST:
        raise too_deep()
    if isinstance(thing, MappingProxyType):
        return MappingProxyType(fresh(dict(thing), depth + 1))
    if isinstance(thing, tuple):
        parts = [fresh(each, depth + 1) for each in thing]
        return thing if all(map(operator.is_, parts, thing)) else tuple.__new__(type(thing), parts)
    try:
        made = copy.copy(thing)
    except Exception:  # noqa: BLE001 - a class of the program copies as it likes
        raise FlowError(
            f"a {type(thing).__name__} cannot be copied, so others could change it meanwhile",
            hint="pass a plain dict or list with the same content",
        ) from None
    names = _field_names(thing)
    if names is not None:
        change: Callable[..., None] = force_setattr if isinstance(made, Struct) else object.__setattr__
        for name in names:
            inner = getattr(thing, name)
            found = fresh(inner, depth + 1)
            if found is not inner:
                change(made, name, found)
        return made
    if isinstance(made, dict):
        for key, inner in tuple(dict.items(made)):
            dict.__setitem__(made, key, fresh(inner, depth + 1))
    elif isinstance(made, list):
        list.__setitem__(made, slice(None), [fresh(each, depth + 1) for each in list.__iter__(made)])
    elif isinstance(made, deque):
        for place, each in enumerate(tuple(made)):
            made[place] = fresh(each, depth + 1)
    elif isinstance(made, ChainMap):
        made.maps = [fresh(each, depth + 1) for each in thing.maps]
    elif isinstance(made, (UserDict, UserList)):
        made.data = fresh(thing.data, depth + 1)
    return made


def is_same(thing: Any, then: Any) -> bool:
    """Whether a thing is still as a fresh copy of it was."""
    if thing is then:
        return True
    if type(thing) is not type(then):
        return False
    if isinstance(thing, (UserDict, UserList)):
        return is_same(thing.data, then.data)
    if isinstance(thing, ChainMap):
        return is_same(thing.maps, then.maps)
    if isinstance(thing, MappingProxyType):
        return is_same(dict(thing), dict(then))
    if isinstance(thing, (list, tuple, deque)):
        return len(thing) == len(then) and all(map(is_same, thing, then))
    if isinstance(thing, (set, frozenset)):
        return bool(thing == then)
    one, other = shape_of(thing), shape_of(then)
    if one is None or other is None:
        return bool(thing == then)
    same_keys = len(one.keys) == len(other.keys) and all(map(is_same, one.keys, other.keys))
    return same_keys and all(map(is_same, one.contents, other.contents))


def too_deep() -> FlowError:
    """The error for a value that is nested too deep."""
    return FlowError(
        f"a value is nested deeper than {DEEPEST} levels, or contains itself",
        hint="keep deep or cyclic data whole as text, and take it apart inside of map()",
    )

"""What generators of cases reach: every field and every member of an enumeration that was never generated is named.

The universe is derived from the types that cases are made into: structs, data classes and named tuples with their
annotations. A *sort* is a class of values: a member of an enumeration or ``Literal``, ``True``, a text that is not
empty, a list of one or of several, a struct. The default of a field is not one of these: it comes by itself.

    missing = unreached((pairs(each) for each in objects), universe(Policy, Request), without={("F.x", "True"): "why"})
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Iterable, Iterator, Mapping, Set
from enum import Enum
from functools import cache
from typing import Any

Pair = tuple[str, str]
"""A field (``Policy.data``, ``Policy.data{}`` for its values) and a sort of values."""
_NESTED = 4
"""How deep a type that holds itself is followed."""


def unreached(
    reached: Iterable[Set[Pair]], all_: Set[Pair], *, without: Mapping[Pair, str] | None = None
) -> list[str]:
    """What was never reached, sorted; ``without`` are pairs that cannot be, each with why.

    An exception that is reached all the same, or is not a pair at all, is named as well.
    """
    seen: set[Pair] = set()
    for pairs_of_one in reached:
        seen |= pairs_of_one
    left_out = without or {}
    return [
        *(f"{field} was never {sort}" for field, sort in sorted(all_ - seen - left_out.keys())),
        *(f"{field} was {sort}, and is left out" for field, sort in sorted(left_out.keys() & seen)),
        *(f"{field} is left out as {sort}, and is never" for field, sort in sorted(left_out.keys() - all_)),
    ]


def members(name: str, values: Iterable[object]) -> set[Pair]:
    """One pair for each word of a vocabulary or member of an enumeration."""
    return {(name, each.name if isinstance(each, Enum) else str(each)) for each in values}


def sized(name: str, size: int, bounds: tuple[int, ...] = (0, 1, 3, 8, 16)) -> Pair:
    """How many there were, as one of a few ranges: more than each bound."""
    return name, f"more than {max((each for each in bounds if size > each), default=-1)}"


def sizes(name: str, bounds: tuple[int, ...] = (0, 1, 3, 8, 16)) -> set[Pair]:
    """All ranges that ``sized`` tells apart."""
    return {(name, f"more than {each}") for each in (-1, *bounds)}


def universe(*kinds: type) -> set[Pair]:
    """Every field of these types, and of the types of their fields, with every sort of values."""
    found: set[Pair] = set()
    for kind in kinds:
        for field, (annotation, default) in _fields(kind).items():
            name = f"{kind.__name__}.{field}"
            found |= set(_sorts(name, annotation, 0))
            if isinstance(default, bool | Enum | str):
                found.discard((name, default.name if isinstance(default, Enum) else str(default)))
    return found


def pairs(value: object) -> set[Pair]:
    """The fields of a value that are not at their default, and those of the values in it, with their sorts."""
    found: set[Pair] = set()
    for field, (_, default) in _fields(_kind(value)).items():
        held = getattr(value, field)
        if held != default or type(held) is not type(default):
            found |= set(_held(f"{type(value).__name__}.{field}", held, 0))
    return found


_NO_DEFAULT = object()


def _kind(value: object) -> Any:
    return type(value)


@cache
def _fields(kind: type) -> dict[str, tuple[Any, object]]:
    """The fields of a type of ours, each with its annotation and its default; none of another type."""
    if dataclasses.is_dataclass(kind):
        defaults = {
            each.name: each.default_factory()
            if each.default_factory is not dataclasses.MISSING
            else _NO_DEFAULT
            if each.default is dataclasses.MISSING
            else each.default
            for each in dataclasses.fields(kind)
        }
    elif hasattr(kind, "__struct_fields__"):
        import msgspec

        defaults = {
            each.name: each.default_factory()
            if each.default_factory is not msgspec.NODEFAULT
            else _NO_DEFAULT
            if each.default is msgspec.NODEFAULT
            else each.default
            for each in msgspec.structs.fields(kind)
        }
    elif issubclass(kind, tuple) and hasattr(kind, "_fields"):
        named: Any = kind
        defaults = {name: named._field_defaults.get(name, _NO_DEFAULT) for name in named._fields}
    else:
        return {}
    hints = typing.get_type_hints(kind)
    return {name: (hints[name], default) for name, default in defaults.items()}


def _sorts(where: str, annotation: Any, depth: int) -> Iterator[Pair]:
    """The sorts of values that an annotation stands for; what a field holds is followed."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        yield from _sorts(where, arguments[0], depth)
    elif origin in (typing.Union, types.UnionType):
        for each in arguments:
            yield from _sorts(where, each, depth)
    elif origin is typing.Literal:
        yield from ((where, str(each)) for each in arguments)
    elif annotation is bool:
        yield from ((where, "True"), (where, "False"))
    elif origin in (list, tuple, set, frozenset, dict):
        yield from ((where, f"one in a {origin.__name__}"), (where, f"several in a {origin.__name__}"))
        inner = arguments[-1] if origin is dict else arguments[0] if arguments else Any
        if depth < _NESTED:
            yield from _sorts(f"{where}{'{}' if origin is dict else '[]'}", inner, depth + 1)
    elif isinstance(annotation, type) and issubclass(annotation, Enum):
        yield from ((where, each.name) for each in annotation)
    elif isinstance(annotation, type) and _fields(annotation):
        yield where, annotation.__name__
        yield from universe(annotation)
    elif annotation in (str, bytes, int, float):
        yield where, annotation.__name__


def _held(where: str, value: object, depth: int) -> Iterator[Pair]:
    """The sorts of one value, and of what it holds."""
    if isinstance(value, Enum):
        yield where, value.name
    elif isinstance(value, bool):
        yield where, str(value)
    elif isinstance(value, str):
        yield from ((where, "str"), (where, value))
    elif _fields(_kind(value)):
        yield where, type(value).__name__
        yield from pairs(value)
    elif isinstance(value, list | tuple | set | frozenset | dict):
        kind = type(value).__name__
        if value:
            yield where, f"{'one' if len(value) == 1 else 'several'} in a {kind}"
        if depth < _NESTED:
            for each in value.values() if isinstance(value, dict) else value:
                yield from _held(f"{where}{'{}' if kind == 'dict' else '[]'}", each, depth + 1)
    elif isinstance(value, int | float | bytes):
        yield where, type(value).__name__

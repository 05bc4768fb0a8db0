"""Whether a tree has the shape of a type of the schema, and everything in which it has not.

``msgspec`` decodes; but it stops at the first mistake and does not say which key of a map it met it under.
A person who writes a policy needs every mistake, with the whole path of its key and the nearest known word.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect
from msgspec.inspect import Type

from sluicegate.flow.labels.names import shown
from sluicegate.flow.policy.text.positions import Path
from sluicegate.flow.policy.text.problems import Problem
from sluicegate.flow.policy.text.vocabulary import nearest

_ELSEWHERE = {
    "allow": "capabilities.allow",
    "deny": "capabilities.deny",
    "danger": "capabilities.danger",
    "rules": "defaults.rules",
    "unlabeled": "defaults.unlabeled",
    "timeout": "limits.timeout",
}
"""Keys that are often written one level too high."""


def misshapen(tree: object, struct: type) -> list[Problem]:
    """Every place where the tree is not what the struct says.

    ``msgspec`` alone says whether there is one, and at once, where nothing in the tree is of a kind that it would turn
    into another (a number, a date).
    """
    if _told_apart(tree):
        with suppress(msgspec.ValidationError):
            msgspec.convert(tree, struct)
            return []
    return list(_walk(tree, _type_of(struct), ()))


def _told_apart(value: object) -> bool:
    """Whether every value in the tree is of a kind that ``msgspec`` takes for that kind alone."""
    if type(value) is dict:
        return all(type(key) is str and _told_apart(each) for key, each in value.items())
    if type(value) is list:
        return all(_told_apart(each) for each in value)
    return type(value) in (str, bool, int)


@cache
def _type_of(struct: type) -> Type:
    return inspect.type_info(struct)


def _walk(value: Any, wanted: Type, path: Path) -> Iterator[Problem]:
    match wanted:
        case inspect.StructType():
            yield from _struct(value, wanted, path)
        case inspect.UnionType(types=types):
            yield from _union(value, types, path)
        case inspect.DictType(value_type=inner):
            if not isinstance(value, dict):
                yield _wrong(value, wanted, path)
                return
            for key, each in value.items():
                yield from _walk(each, inner, (*path, key))
        case inspect.ListType(item_type=inner):
            if not isinstance(value, list | tuple):
                yield _wrong(value, wanted, path)
                return
            for at, each in enumerate(value):
                yield from _walk(each, inner, (*path, at))
        case inspect.LiteralType(values=known):
            if not isinstance(value, str):
                yield _wrong(value, wanted, path)
            elif value not in known:
                words = [str(word) for word in known]
                yield Problem(path=path, message=f"cannot be {shown(value)}", hint=nearest(value, words))
        case inspect.IntType(gt=above) if type(value) is int and above is not None and value <= above:
            yield Problem(path=path, message=f"has to be more than {above}, not {value}")
        case inspect.FloatType(ge=float() | int() as least, le=float() | int() as most) if (
            _is(value, wanted) and not least <= value <= most
        ):
            yield Problem(path=path, message=f"has to be from {least:g} to {most:g}")
        case _:
            if not _is(value, wanted):
                yield _wrong(value, wanted, path)


def _struct(value: Any, wanted: inspect.StructType, path: Path) -> Iterator[Problem]:
    if not isinstance(value, dict):
        yield _wrong(value, wanted, path)
        return
    fields = {field.encode_name: field for field in wanted.fields}
    for key, each in value.items():
        if key in fields:
            yield from _walk(each, fields[key].type, (*path, key))
            continue
        hint = nearest(key, fields)
        if not path and key in _ELSEWHERE:
            hint = f"Did you mean {_ELSEWHERE[key]}?"
        if not path and key in ("policy", "flow"):
            hint = (
                "A policy file has no prefix: write [defaults], not [policy.defaults]. A sluicegate.toml, which has "
                "[policy...] and [flow], is checked as a project: 'sluicegate policy check' in its folder."
            )
        yield Problem(path=(*path, key), message="there is no such key", hint=hint)
    for name, field in fields.items():
        if field.required and name not in value:
            yield Problem(path=path, message=f"needs the key {name}")


def _union(value: Any, types: tuple[Type, ...], path: Path) -> Iterator[Problem]:
    """Of several types, that of the value's own kind decides what is wrong inside it."""
    for each in types:
        if _is(value, each):
            yield from _walk(value, each, path)
            return
    yield Problem(path=path, message=f"is {_kind(value)}, not {_alternatives(types)}")


def _is(value: Any, wanted: Type) -> bool:
    """Whether the value is of the kind that the type is of, whatever is inside."""
    match wanted:
        case inspect.StrType() | inspect.LiteralType():
            return isinstance(value, str)
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.IntType():
            return type(value) is int
        case inspect.FloatType():
            return type(value) in (int, float)
        case inspect.NoneType():
            return value is None
        case inspect.ListType():
            return isinstance(value, list | tuple)
        case inspect.DictType() | inspect.StructType():
            return isinstance(value, dict)
    return False


def _wrong(value: Any, wanted: Type, path: Path) -> Problem:
    return Problem(path=path, message=f"is {_kind(value)}, not {_alternatives((wanted,))}")


def _alternatives(types: tuple[Type, ...]) -> str:
    names = []
    for each in types:
        match each:
            case inspect.StrType():
                names.append("a text")
            case inspect.LiteralType(values=known):
                names.append(" or ".join(f'"{word}"' for word in known))
            case inspect.BoolType():
                names.append("true or false")
            case inspect.IntType():
                names.append("a whole number")
            case inspect.FloatType():
                names.append("a number")
            case inspect.ListType():
                names.append("a list")
            case inspect.DictType() | inspect.StructType():
                names.append("a table")
    return " or ".join(dict.fromkeys(names))


def _kind(value: Any) -> str:
    if value is None:
        return "nothing"
    names = {
        bool: "true or false", int: "a number", float: "a number", str: "a text", dict: "a table",
        list: "a list", tuple: "a list",
    }  # fmt: skip
    return names.get(type(value), "something else")

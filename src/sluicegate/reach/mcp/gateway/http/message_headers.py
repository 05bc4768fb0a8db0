"""What the headers of a message over HTTP say, and what they have to say: the same as the message.

1. In revisions without a handshake, ``MCP-Protocol-Version``, ``Mcp-Method`` and ``Mcp-Name`` repeat what stands in the message.
2. ``Mcp-Param-NAME`` repeats the argument whose schema says ``x-mcp-header: NAME``. It is there if the argument is.
3. A value that cannot stand in a header as it is, is written as ``=?base64?...?=``, in the one way that it can be.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from typing import Any, Final

from sluicegate.patterns import late

NAMED: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""The param of a method that ``Mcp-Name`` repeats."""

PREFIX: Final = "mcp-param-"
_ANNOTATION: Final = "x-mcp-header"
_TOKEN: Final = late(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}", re.ASCII)
_TYPES: Final = frozenset({"string", "integer", "boolean"})
_BEGINS, _ENDS = "=?base64?", "?="
_MOST_LEVELS: Final = 20


def written(value: str) -> str:
    """A value as it stands in a header (3)."""
    plain = value.isascii() and value.isprintable() and value == value.strip()
    if plain and not _is_coded(value):
        return value
    return f"{_BEGINS}{b64encode(value.encode()).decode()}{_ENDS}"


def read(value: str | None) -> str | None:
    """What a header says; None where it is missing or written in another way than ``written`` writes it."""
    if value is None or not _is_coded(value):
        return value
    coded = value[len(_BEGINS) : -len(_ENDS)]
    try:
        data = b64decode(coded, validate=True)
        return data.decode() if b64encode(data).decode() == coded else None
    except ValueError:
        return None


def _is_coded(value: str) -> bool:
    return value.startswith(_BEGINS) and value.endswith(_ENDS) and len(value) >= len(_BEGINS) + len(_ENDS)


Repeats = Mapping[str, tuple[str, ...]]
"""The headers that a tool asks for, each with the path of the argument that it repeats."""


def repeats_of(schema: object) -> Repeats:
    """The headers that a schema asks for (2). None of a schema that asks for one twice, or for what is not a header: clients leave
    such a tool out."""
    found: dict[str, tuple[str, ...]] = {}
    for path, name in _asked_for(schema, ()):
        key = PREFIX + name.lower()
        if key in found or not _TOKEN.fullmatch(name):
            return {}
        found[key] = path
    return found


def repeated(repeats: Repeats, arguments: object) -> dict[str, str]:
    """The headers that repeat arguments of a call."""
    several = ((name, _text(_at(path, arguments))) for name, path in repeats.items())
    return {name: written(value) for name, value in several if value is not None}


def unlike(repeats: Repeats, arguments: Mapping[str, Any], headers: Mapping[str, str]) -> str:
    """The first header that does not say what the arguments say; empty where there is none."""
    for name, path in repeats.items():
        value = _text(_at(path, arguments))
        if read(headers.get(name)) != value or (value is None and name in headers):
            return name
    return ""


def _asked_for(schema: object, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    if not isinstance(properties, Mapping) or len(path) >= _MOST_LEVELS:
        return
    for key, inner in properties.items():
        if not isinstance(inner, Mapping):
            continue
        name = inner.get(_ANNOTATION)
        if isinstance(name, str) and inner.get("type") in _TYPES:
            yield (*path, key), name
        yield from _asked_for(inner, (*path, key))


def _at(path: tuple[str, ...], arguments: object) -> object:
    for key in path:
        arguments = arguments.get(key) if isinstance(arguments, Mapping) else None
    return arguments


def _text(value: object) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int) else None

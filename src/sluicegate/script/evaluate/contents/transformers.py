"""Functions of the language: what may stand behind ``|`` without being defined."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, unquote

from sluicegate.script.evaluate.contents.texts import json_of, kind_of, parsed, text_of
from sluicegate.script.evaluate.control import apply
from sluicegate.script.evaluate.faults import ScriptError

if TYPE_CHECKING:
    from sluicegate.script.evaluate.run import Run
    from sluicegate.script.evaluate.scope import Value


def transformed(run: Run, name: str, given: tuple[Value, ...]) -> Value:
    """What a function of the language makes of its one argument."""
    if len(given) != 1:
        raise ScriptError("bad-argument", f"`{name}` takes one argument, and gets {len(given)}")
    return apply(run, TRANSFORMERS[name], given[0])


def _of_text(function: Callable[[str], Any]) -> Callable[[Any], Any]:
    return lambda content: function(text_of(content))


def _unique(content: Any) -> list[Any]:
    found: list[Any] = []
    seen: set[str] = set()
    for each in _items(content):
        key = json_of(each)
        if key not in seen:
            seen.add(key)
            found.append(each)
    return found


def _sorted(content: Any) -> list[Any]:
    try:
        return sorted(_items(content))
    except TypeError:
        raise ScriptError("wrong-type", "a list of several kinds has no order") from None


def _items(content: Any) -> list[Any]:
    if isinstance(content, str):
        return content.splitlines()
    if not isinstance(content, list):
        raise ScriptError("wrong-type", f"this takes a list, not {kind_of(content)}")
    return content


def _json(content: Any) -> str:
    """A value as JSON; a text that is JSON is written evenly."""
    if isinstance(content, str):
        try:
            content = parsed(content)
        except ScriptError:
            return json_of(content)
    return json_of(content, indent=2)


def _decoded(content: Any) -> str:
    try:
        return base64.b64decode(text_of(content), validate=True).decode()
    except (binascii.Error, ValueError):
        raise ScriptError("wrong-type", "a text is not base64 of text") from None


TRANSFORMERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "json": _json,
    "parse": parsed,
    "upper": _of_text(str.upper),
    "lower": _of_text(str.lower),
    "trim": _of_text(str.strip),
    "lines": _of_text(str.splitlines),
    "unique": _unique,
    "sort": _sorted,
    "base64encode": _of_text(lambda text: base64.b64encode(text.encode()).decode()),
    "base64decode": _decoded,
    "urlencode": _of_text(lambda text: quote(text, safe="")),
    "urldecode": _of_text(unquote),
}
"""Every one of them by its name; ``resolve`` knows the same names."""

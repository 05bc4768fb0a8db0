"""Contents as text, and text as contents."""

from __future__ import annotations

import json
from typing import Any, Final

from sluicegate.flow.values.contents import DEEPEST
from sluicegate.patterns import late
from sluicegate.script.evaluate.callables import SpecialValue
from sluicegate.script.evaluate.faults import ScriptError

_BRACKETS: Final = late(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')


def text_of(content: Any) -> str:
    """A content as text: text as it is, ``null`` as nothing, the rest as JSON."""
    if isinstance(content, str):
        return content
    if content is None:
        return ""
    if isinstance(content, SpecialValue):
        return str(content)
    return json_of(content)


def json_of(content: Any, *, indent: int | None = None) -> str:
    """A content as JSON."""
    try:
        return json.dumps(content, ensure_ascii=False, indent=indent, default=_other)
    except (TypeError, ValueError):
        raise ScriptError("wrong-type", "a value cannot be written as JSON") from None


def _other(content: Any) -> str:
    if isinstance(content, bytes):
        return content.decode("utf-8", "replace")
    return str(content)


def parsed(content: Any) -> Any:
    """What JSON text says."""
    if not isinstance(content, str):
        return content
    if content.count("[") + content.count("{") > DEEPEST and _depth(content) > DEEPEST:
        raise ScriptError("wrong-type", f"a text is JSON that is nested deeper than {DEEPEST} levels")
    try:
        return json.loads(content, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise ScriptError(
            "wrong-type", "a text is not JSON", hint="Show it, or take the part of it that is JSON."
        ) from None


def _depth(text: str) -> int:
    """How deep brackets stand inside each other; the reader of JSON would need as much of the stack."""
    depth = deepest = 0
    for found in _BRACKETS.finditer(text):
        if found[0] in ("[", "{"):
            depth += 1
            deepest = max(deepest, depth)
        elif found[0] in ("]", "}"):
            depth -= 1
    return deepest


def _no_constant(name: str) -> None:
    raise ValueError(name)


def kind_of(content: Any) -> str:
    """What a content is, in a word."""
    if content is None:
        return "null"
    for kinds, word in (
        (bool, "a truth value"), ((int, float), "a number"), (str, "text"), (list, "a list"), (dict, "an object"),
        (SpecialValue, "a function"),
    ):  # fmt: skip
        if isinstance(content, kinds):
            return word
    return "bytes"

"""Which contents are equal, which match, and which are numbers."""

from __future__ import annotations

from typing import Any

from sluicegate.script.evaluate.contents.patterns import Pattern
from sluicegate.script.evaluate.contents.texts import kind_of, text_of
from sluicegate.script.evaluate.faults import ScriptError


def is_number(content: Any) -> bool:
    """Whether a content is a number; truth values are none."""
    return isinstance(content, (int, float)) and not isinstance(content, bool)


def same(one: Any, other: Any) -> bool:
    """Whether two contents are equal; a truth value is not a number."""
    if isinstance(one, bool) != isinstance(other, bool):
        return False
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return bool(one == other)


def matches(one: Any, other: Any) -> bool:
    """``~=``: a text holds a pattern or another text; a list holds an item."""
    if isinstance(other, Pattern):
        return other.search(text_of(one))
    if isinstance(one, str) and isinstance(other, str):
        return other in one
    if isinstance(one, list):
        return any(same(each, other) for each in one)
    raise mismatch("~=", one, other)


def mismatch(sign: str, one: Any, other: Any) -> ScriptError:
    """The error for an operator between contents that it does not take."""
    return ScriptError("wrong-type", f"`{sign}` does not take {kind_of(one)} and {kind_of(other)}")

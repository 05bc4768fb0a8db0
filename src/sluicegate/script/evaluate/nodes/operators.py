"""Operators: on contents, and those that branch."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, Final

from sluicegate.flow.values import Labeled, asked
from sluicegate.script.evaluate.contents.comparing import is_number, matches, mismatch, same
from sluicegate.script.evaluate.contents.patterns import Pattern
from sluicegate.script.evaluate.contents.texts import kind_of, text_of
from sluicegate.script.evaluate.control import apply, bound_on, settled, truth, within
from sluicegate.script.evaluate.faults import ScriptError
from sluicegate.script.evaluate.run import Run
from sluicegate.script.evaluate.scope import RunScope, Value
from sluicegate.script.tree import expressions as x

_LARGEST: Final = 2**63


def _number(made: float) -> int | float:
    """A number within bounds: whole ones stay whole below 2^63."""
    if isinstance(made, int) and not -_LARGEST <= made <= _LARGEST:
        raise ScriptError(
            "wrong-type", "a number is larger than 2^63", hint="Divide it, or use a number with a point."
        )
    if isinstance(made, float) and (made != made or made in (float("inf"), float("-inf"))):
        raise ScriptError("wrong-type", "a number is larger than numbers can be")
    return made


def _add(one: Any, other: Any) -> Any:
    if is_number(one) and is_number(other):
        return _number(one + other)
    if isinstance(one, list) and isinstance(other, list):
        return [*one, *other]
    if isinstance(one, str) or isinstance(other, str):
        return text_of(one) + text_of(other)
    raise mismatch("+", one, other)


def _arithmetic(sign: str, function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def calculated(one: Any, other: Any) -> Any:
        if not (is_number(one) and is_number(other)):
            raise mismatch(sign, one, other)
        try:
            return _number(function(one, other))
        except ZeroDivisionError:
            raise ScriptError("wrong-type", f"`{sign}` with 0 has no result") from None
        except OverflowError:
            raise ScriptError("wrong-type", "a number is larger than numbers can be") from None

    return calculated


def _divide(one: Any, other: Any) -> Any:
    whole = isinstance(one, int) and isinstance(other, int) and one % other == 0
    return one // other if whole else one / other


def _ordered(sign: str, function: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def compared(one: Any, other: Any) -> bool:
        if (is_number(one) and is_number(other)) or (isinstance(one, str) and isinstance(other, str)):
            return function(one, other)
        raise mismatch(sign, one, other)

    return compared


_OF_CONTENTS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "+": _add,
    "-": _arithmetic("-", operator.sub),
    "*": _arithmetic("*", operator.mul),
    "/": _arithmetic("/", _divide),
    "%": _arithmetic("%", operator.mod),
    "==": same,
    "!=": lambda one, other: not same(one, other),
    "~=": matches,
    "!~=": lambda one, other: not matches(one, other),
    "<": _ordered("<", operator.lt),
    ">": _ordered(">", operator.gt),
    "<=": _ordered("<=", operator.le),
    ">=": _ordered(">=", operator.ge),
}


def binary(run: Run, node: x.BinaryExpr, scope: RunScope) -> Value:
    """``a + b - c``, from left to right."""
    value = run.evaluate(node.operands[0], scope)
    for sign, operand in zip(node.operators, node.operands[1:], strict=True):
        if sign in _STOPS:
            value = _shortened(run, sign, value, operand, scope)
        else:
            value = apply(run, _OF_CONTENTS[sign], value, run.evaluate(operand, scope))
    return value


_STOPS: Final[Mapping[str, Callable[[Value], bool]]] = {
    "&&": lambda value: not truth(value),
    "||": truth,
    "??": lambda value: asked(value) is not None,
}
"""The operators that do not look at their right side, and when."""


def _shortened(run: Run, sign: str, left: Value, right: x.Expression, scope: RunScope) -> Value:
    """One of two sides, by the left one: in a branch on it, whichever it is."""

    def chosen() -> Value:
        return Labeled(left if _STOPS[sign](left) else run.evaluate(right, scope))

    value = within(run, left.labels, chosen)
    bound_on(run, right, scope, left.labels)
    return settled(run, value)


def unary(run: Run, node: x.UnaryExpr, scope: RunScope) -> Value:
    """``!a``, ``-a``"""
    value = run.evaluate(node.value, scope)
    return apply(run, _negated if node.operator == "-" else operator.not_, value)


def _negated(content: Any) -> Any:
    if not is_number(content):
        raise ScriptError("wrong-type", f"`-` does not take {kind_of(content)}")
    return -content


def ternary(run: Run, node: x.TernaryExpr, scope: RunScope) -> Value:
    """``condition ? yes : no``"""
    condition = run.evaluate(node.condition, scope)

    def chosen() -> Value:
        return Labeled(run.evaluate(node.yes if truth(condition) else node.no, scope))

    value = within(run, condition.labels, chosen)
    bound_on(run, node, scope, condition.labels)
    return settled(run, value)


def pattern(run: Run, node: x.PatternExpr, scope: RunScope) -> Value:
    """``/regular expression/flags``"""
    return Labeled(Pattern(node.pattern, node.flags))

"""Expressions: what has a value. The precedence of operators is a table; whatever binds closer is a function further down."""

from __future__ import annotations

from sluicegate.script.parse.cursor import Cursor
from sluicegate.script.parse.literals import braces, brackets, literal
from sluicegate.script.parse.special import SPECIAL
from sluicegate.script.scan import tokens as t
from sluicegate.script.scan.scanner import DIRECTIVES
from sluicegate.script.tree import expressions as x

_BINDS = {
    "??": 1, "||": 2, "&&": 3, "==": 4, "!=": 4, "~=": 4, "!~=": 4,
    "<": 5, ">": 5, "<=": 5, ">=": 5, "+": 6, "-": 6, "*": 7, "/": 7, "%": 7,
}  # fmt: skip
"""How close an operator binds its two sides; all of them to the left first."""
_ON_A_NEW_LINE = frozenset({"??", "||", "&&"})
"""Operators that may begin a line. Others would take the next statement, or the next arm: ``* => allow``."""


RESERVED = frozenset(
    {
        *DIRECTIVES,
        "allow",
        "as",
        "by",
        "deny",
        "else",
        "except",
        "from",
        "in",
        "new",
        "pass",
        "retry",
        "to",
        "using",
        "with",
    }
)
"""Words that are not values: those that connect, and those that begin a statement or an expression of their own."""
_STEPS = frozenset({".", "?.", "(", "["})


def expression(p: Cursor) -> x.Expression:
    """A value with all that may follow it: pipes, ``with { … }``, ``using …``."""
    if p.kinds[p.at] == "...":
        p.at += 1
        return x.ElidedExpr(p.starts[p.at - 1], p.last())
    p.deeper()
    start = p.here()
    value = ternary(p)
    kinds, values = p.kinds, p.values
    once = ["with", "using"]
    while True:
        kind = kinds[p.at]
        if kind == "|":
            stages = []
            while p.take("|"):
                stages.append(_stage(p))
            value = x.PipeExpr(start, p.last(), value, tuple(stages))
        elif kind == "word" and not p.breaks[p.at] and values[p.at] in once:
            once.remove(values[p.at])
            if values[p.at] == "with":
                p.at += 1
                options = braces(p, expression)
                value = x.WithExpr(start, options.end, value, options)
            else:
                value = _using(p, start, value)
        else:
            break
    p.depth -= 1
    return value


def _stage(p: Cursor) -> x.Expression:
    """What stands after ``|``: a function, the name of a transformer, or code."""
    if p.kinds[p.at] in (t.NAME, t.WORD, t.CODE):
        return postfix(p)
    raise p.stop("`@function`, the name of a transformer, or code")


def _using(p: Cursor, start: int, value: x.Expression) -> x.Expression:
    """``using auth:NAME``, ``using @x as VARIABLE``."""
    p.at += 1
    if p.kinds[p.at] == t.WORD and p.values[p.at].startswith("auth:"):
        name = p.values[p.at][5:]
        p.at += 1
        return x.UsingExpr(start, p.last(), value, name, None, "")
    if p.kinds[p.at] != t.NAME:
        raise p.stop("`auth:NAME` or `@x as VARIABLE`")
    secret = postfix(p)
    p.need_word("as", "`as` and the name of an environment variable")
    variable = p.need(t.WORD, "the name of an environment variable")
    return x.UsingExpr(start, p.last(), value, "", secret, variable)


def ternary(p: Cursor) -> x.Expression:
    """``condition ? yes : no``, or less."""
    start = p.here()
    value = binary(p, 1)
    if p.kinds[p.at] != "?":
        return value
    p.deeper()
    p.at += 1
    yes = ternary(p)
    p.need(":", "`:` and what it is otherwise")
    no = ternary(p)
    p.depth -= 1
    return x.TernaryExpr(start, no.end, value, yes, no)


def binary(p: Cursor, least: int) -> x.Expression:
    """Operators that bind at least so close; those that bind equally close are one row."""
    start = p.here()
    left = unary(p)
    kinds = p.kinds
    while True:
        operator = kinds[p.at]
        binds = _BINDS.get(operator, 0)
        if binds < least or (p.breaks[p.at] and operator not in _ON_A_NEW_LINE):
            return left
        operators, operands = [], [left]
        p.deeper()
        while True:
            p.at += 1
            operators.append(operator)
            operands.append(binary(p, binds + 1))
            operator = kinds[p.at]
            if _BINDS.get(operator, 0) != binds or (p.breaks[p.at] and operator not in _ON_A_NEW_LINE):
                break
        p.depth -= 1
        left = x.BinaryExpr(start, operands[-1].end, tuple(operators), tuple(operands))


def unary(p: Cursor) -> x.Expression:
    """``!a``, ``-a``, or less."""
    kind = p.kinds[p.at]
    if kind != "!" and kind != "-":
        return postfix(p)
    start = p.here()
    p.at += 1
    p.deeper()
    value = unary(p)
    p.depth -= 1
    return x.UnaryExpr(start, value.end, kind, value)


def postfix(p: Cursor) -> x.Expression:
    """A value, and the fields, indexes and calls that adjoin it. A field may begin the next line."""
    start = p.starts[p.at]
    first = p.at
    value = primary(p)
    kinds, starts, ends = p.kinds, p.starts, p.ends
    bracketed = kinds[first] == "("
    if kinds[p.at] not in _STEPS or (
        not bracketed and _stepless(value, bare=kinds[first] in (t.WORD, t.CODE))
    ):
        return value
    steps: list[x.FieldStep | x.IndexStep | x.CallStep] = []
    while True:
        at = p.at
        kind = kinds[at]
        adjoins = ends[at - 1] == starts[at]
        if kind == "." or kind == "?.":
            if kinds[at + 1] not in (t.WORD, t.CODE):
                if adjoins:
                    p.at += 1
                    raise p.stop("the name of a field")
                break
            if not adjoins and not p.breaks[at]:
                break
            p.at += 2
            steps.append(x.FieldStep(starts[at], ends[at + 1], p.values[at + 1], kind == "?."))
        elif kind == "(" and adjoins:
            p.at += 1
            arguments = _arguments(p, at)
            steps.append(x.CallStep(starts[at], ends[p.at - 1], arguments))
        elif kind == "[" and adjoins and (steps or bracketed or not isinstance(value, x.WordExpr)):
            p.at += 1
            index = expression(p)
            steps.append(x.IndexStep(starts[at], p.need_close("]", starts[at]), index))
        else:
            break
    return x.AccessExpr(start, ends[p.at - 1], value, tuple(steps)) if steps else value


def _stepless(value: x.Expression, *, bare: bool) -> bool:
    """Whether a value has no steps: a dot behind a number would be a part of it, and what a word of the language begins ends by
    itself, unless it stands in brackets.
    """
    if bare and not isinstance(value, x.WordExpr | x.LiteralExpr):
        return True
    return isinstance(value, x.AnyExpr) or (
        isinstance(value, x.LiteralExpr)
        and isinstance(value.value, int | float)
        and not isinstance(value.value, bool)
    )


def _arguments(p: Cursor, opening: int) -> tuple[x.Expression, ...]:
    """The arguments of a call, whose bracket is the token at ``opening``."""
    found: list[x.Expression] = []
    kinds = p.kinds
    while kinds[p.at] != ")":
        if kinds[p.at] == "...":
            found.append(elided_or_spread(p))
        else:
            found.append(expression(p))
        if kinds[p.at] != ",":
            break
        p.at += 1
    p.need_close(")", p.starts[opening])
    return tuple(found)


def elided_or_spread(p: Cursor) -> x.Expression:
    """``...`` alone, or before what is spread."""
    start, end = p.here(), p.ends[p.at]
    p.at += 1
    if p.kinds[p.at] in (t.NAME, t.WORD) and p.adjoins():
        value = postfix(p)
        return x.SpreadExpr(start, value.end, value)
    return x.ElidedExpr(start, end)


def primary(p: Cursor) -> x.Expression:
    """What has no operator outside of brackets."""
    at = p.at
    kind = p.kinds[at]
    start, end = p.starts[at], p.ends[at]
    if kind == "name":
        p.at += 1
        return x.NameExpr(start, end, p.values[at])
    if kind == "word" or kind == "code":
        value = p.values[at]
        special = SPECIAL.get(value)
        if special is not None:
            found = special(p, expression)
            if found is not None:
                return found
        if value in RESERVED:
            raise p.stop("a value")
        p.at += 1
        return x.WordExpr(start, end, value)
    if kind == "{":
        return braces(p, expression)
    if kind == "[":
        return brackets(p, expression)
    if kind == "(":
        p.at += 1
        value_in = expression(p)
        p.need_close(")", start)
        return value_in
    if kind == "*":
        p.at += 1
        return x.AnyExpr(start, end)
    return literal(p)

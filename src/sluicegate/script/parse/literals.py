"""Values that are written down: text of all kinds, numbers, files, objects and lists."""

from __future__ import annotations

from collections.abc import Callable

from sluicegate.patterns import late
from sluicegate.script.diagnostics import Diagnostic
from sluicegate.script.parse.cursor import Cursor, SyntaxStop
from sluicegate.script.parse.templates import doubled_parts, parts_of, unescaped
from sluicegate.script.scan import tokens as t
from sluicegate.script.scan.dialect import Dialect
from sluicegate.script.tree import expressions as x

Parser = Callable[[Cursor], x.Expression]

CONSTANTS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
_DIGITS = 40
_MODULE = late(r"@[\w-]+/[\w./*@-]+")


def literal(p: Cursor) -> x.Expression:
    """One token that is a value."""
    at = p.at
    kind, value = p.kinds[at], p.values[at]
    start, end = p.starts[at], p.ends[at]
    p.at += 1
    if kind == t.QUOTED:
        return x.TemplateExpr(start, end, '"', _quoted_parts(p, start, end))
    if kind == t.TEXT:
        return x.LiteralExpr(start, end, unescaped(value[1:-1]))
    if kind == t.BACKTICK:
        return x.TemplateExpr(start, end, "`", parts_of(p, start + 1, end - 1))
    if kind == t.COLONS:
        if value.startswith(":::"):
            p.sign(Dialect.MLLD, start, "a template between `:::`", "one between `::` or backticks")
            return x.TemplateExpr(start, end, ":::", doubled_parts(p, start + 3, end - 3))
        return x.TemplateExpr(start, end, "::", parts_of(p, start + 2, end - 2))
    if kind == t.NUMBER:
        return x.LiteralExpr(start, end, _number(p, value, start, end))
    if kind == t.PATTERN:
        pattern, _, flags = value[1:].rpartition("/")
        return x.PatternExpr(start, end, pattern, flags)
    if kind == t.FILE:
        path, hash, section = value[1:-1].partition(" # ")
        stop = start + 1 + len(path) if hash else end - 1
        return x.FileExpr(start, end, parts_of(p, start + 1, stop), section.strip())
    p.at -= 1
    raise p.stop("a value")


def _number(p: Cursor, value: str, start: int, end: int) -> int | float:
    if p.kinds[p.at] == t.WORD and p.adjoins():
        said, end = "a number that letters follow", p.ends[p.at]
    elif len(value) > _DIGITS:
        said = f"a number of over {_DIGITS} digits"
    else:
        return float(value) if "." in value else int(value)
    raise SyntaxStop(Diagnostic("syntax", said, start, end, "a number", "Put it in quotes when it is text."))


def _quoted_parts(p: Cursor, start: int, end: int) -> tuple[str | x.Expression, ...]:
    """Text in double quotes. It has no holes in a policy, and where all of it is the name of a module."""
    inner = p.text[start + 1 : end - 1]
    if p.plain or _MODULE.fullmatch(inner):
        return (unescaped(inner),) if inner else ()
    if "@" not in inner:
        return (unescaped(inner),) if inner else ()
    return parts_of(p, start + 1, end - 1)


def plain_text(p: Cursor, what: str) -> str:
    """Text in quotes that may have no holes: the name of a module, of a signer, of a file."""
    if p.kinds[p.at] not in (t.QUOTED, t.TEXT):
        raise p.stop(what)
    value = unescaped(p.values[p.at][1:-1])
    p.at += 1
    return value


def braces(p: Cursor, expression: Parser) -> x.ObjectExpr:
    """``{ key: value, word, ...@x }``"""
    start = p.here()
    opened = p.at
    p.need("{", "`{`")
    p.deeper()
    items: list[x.EntryNode | x.Expression] = []
    kinds = p.kinds
    while kinds[p.at] != "}":
        items.append(_entry(p, expression))
        if kinds[p.at] != ",":
            break
        p.at += 1
    end = p.need_close("}", p.starts[opened])
    if kinds[p.at - 2] == ",":
        p.sign(Dialect.SPECIFICATION, p.starts[p.at - 2], "a comma before `}`", "no comma there")
    p.depth -= 1
    return x.ObjectExpr(start, end, tuple(items))


def _entry(p: Cursor, expression: Parser) -> x.EntryNode | x.Expression:
    """One item of an object: ``key: value``, a member of a set, ``...``."""
    at = p.at
    kind, value = p.kinds[at], p.values[at]
    if kind in (t.WORD, t.CODE, t.NUMBER, t.NAME):
        key = "@" + value if kind == t.NAME else value
    elif kind in (t.QUOTED, t.TEXT):
        key = unescaped(value[1:-1])
    elif kind == "...":
        return _spread(p)
    else:
        raise p.stop("a key, a word or `}`")
    start, end = p.starts[at], p.ends[at]
    p.at += 1
    if p.kinds[p.at] == ":":
        p.at += 1
        found = expression(p)
        return x.EntryNode(start, found.end, key, found)
    if kind in (t.QUOTED, t.TEXT):
        p.sign(Dialect.SPECIFICATION, start, "a set", "an object whose values are `true`")
        return x.LiteralExpr(start, end, key)
    if kind != t.WORD:
        raise p.stop("`:` and a value")
    head, colon, tail = value.rpartition(":")
    if colon and tail in CONSTANTS:
        return x.EntryNode(start, end, head, x.LiteralExpr(end - len(tail), end, CONSTANTS[tail]))
    p.sign(Dialect.SPECIFICATION, start, "a set", "an object whose values are `true`")
    return x.WordExpr(start, end, value)


def _spread(p: Cursor) -> x.Expression:
    start, end = p.here(), p.ends[p.at]
    p.at += 1
    if p.kinds[p.at] in (t.NAME, t.WORD) and p.adjoins():
        value = p.parsers.postfix(p)
        return x.SpreadExpr(start, value.end, value)
    return x.ElidedExpr(start, end)


def brackets(p: Cursor, expression: Parser) -> x.ListExpr:
    """``[ a, key: b ]``: with a key only in lists of a policy."""
    start = p.here()
    opened = p.at
    p.need("[", "`[`")
    p.deeper()
    items: list[x.EntryNode | x.Expression] = []
    kinds = p.kinds
    while kinds[p.at] != "]":
        if kinds[p.at] in (t.WORD, t.CODE) and kinds[p.at + 1] == ":":
            items.append(_entry(p, expression))
        elif kinds[p.at] == "...":
            items.append(_spread(p))
        else:
            items.append(expression(p))
        if kinds[p.at] != ",":
            break
        p.at += 1
    if kinds[p.at] != "]" and kinds[p.at] != t.END:
        raise p.stop("`,` or `]`")
    end = p.need_close("]", p.starts[opened])
    p.depth -= 1
    return x.ListExpr(start, end, tuple(items))

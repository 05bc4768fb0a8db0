"""Statements: what stands on a line of its own, and the blocks that hold them."""

from __future__ import annotations

from collections.abc import Callable

from sluicegate.script.parse.cursor import Body, Cursor, SyntaxStop
from sluicegate.script.parse.declarations import DECLARATIONS
from sluicegate.script.parse.expressions import expression
from sluicegate.script.parse.labels import label_list, relabelled
from sluicegate.script.parse.literals import braces, plain_text
from sluicegate.script.scan import tokens as t
from sluicegate.script.scan.scanner import DIRECTIVES
from sluicegate.script.tree import expressions as x
from sluicegate.script.tree import statements as s

_ACTIONS = ("allow", "deny", "retry", "pass")
STARTS = (*DIRECTIVES, *_ACTIONS)
"""Words that a statement begins with."""
_KNOWN = frozenset(STARTS)
_HEADS = frozenset({t.WORD, t.CODE, t.NAME, t.PROSE, "=>"})
"""What a statement begins with."""


def block(p: Cursor) -> s.BlockNode:
    """``[ statement … ]``"""
    opened = p.here()
    p.need("[", "`[` and a block")
    p.deeper()
    found = statements(p, "]")
    end = p.need_close("]", opened)
    p.depth -= 1
    return s.BlockNode(opened, end, found)


def statements(p: Cursor, close: str) -> tuple[s.StatementNode, ...]:
    """All statements up to a closing bracket or the end. One that cannot be read is reported, and reading goes on after it."""
    found: list[s.StatementNode] = []
    kinds = p.kinds
    while True:
        kind = kinds[p.at]
        if kind == ";":
            p.at += 1
            continue
        if kind == t.END or kind == close:
            return tuple(found)
        begin, depth = p.at, p.depth
        try:
            found.append(statement(p))
            if not p.ends_statement():
                raise p.stop("a line break after the statement", _several_labels(p, begin))
        except SyntaxStop as error:
            p.found.append(error.diagnostic)
            p.depth = depth
            p.plain = False
            if not _recover(p, begin, close):
                return tuple(found)


def _several_labels(p: Cursor, begin: int) -> str:
    return "Several statements on one line want `;` between them." if p.values[p.at] in _KNOWN else ""


def _recover(p: Cursor, begin: int, close: str) -> bool:
    """Go to where the next statement begins; whether it belongs to the same block.

    A statement begins at the head of a line: outside of all brackets that were opened since, with any word or name; inside of
    one, which may never be closed, with a word that statements begin with, no further to the right than the one that could not
    be read. A bracket that closes the block ends it.
    """
    column = _column(p, begin)
    depth = 0
    at = begin
    p.at = max(p.at, begin + 1)
    while p.kinds[at] != t.END:
        kind = p.kinds[at]
        if at >= p.at and p.breaks[at] and at > begin:
            keyword = kind in (t.WORD, t.CODE) and p.values[at] in _KNOWN
            if (depth <= 0 and kind in _HEADS) or (keyword and _column(p, at) <= column):
                p.at = at
                return True
        if kind in ("(", "[", "{"):
            depth += 1
        elif kind in (")", "]", "}"):
            if kind == close and depth == 0 and at >= p.at:
                p.at = at
                return True
            depth -= 1
        at += 1
    p.at = at
    return False


def _column(p: Cursor, at: int) -> int:
    start = p.starts[at]
    return start - p.text.rfind("\n", 0, start) - 1


def statement(p: Cursor) -> s.StatementNode:
    """One statement."""
    kind, start, begin = p.kinds[p.at], p.here(), p.at
    if kind == t.WORD or kind == t.CODE:
        special = _STATEMENTS.get(p.values[p.at])
        if special is not None:
            return special(p)
    elif kind == "=>":
        p.at += 1
        value = relabelled(p, expression) or expression(p)
        return s.ReturnStatement(start, value.end, value)
    elif kind == t.PROSE:
        p.at += 1
        return s.ProseStatement(start, p.last(), p.values[p.at - 1])
    elif kind == t.FRONT:
        p.at += 1
        return s.FrontStatement(start, p.last(), p.values[p.at - 1])
    elif kind not in (t.NAME, "..."):
        raise p.stop("a statement", known=STARTS)
    value = expression(p)
    if isinstance(_head(value), x.WordExpr | x.LiteralExpr):
        p.at = begin
        raise p.stop("a statement", known=STARTS)
    if p.kinds[p.at] == "=" and not p.breaks[p.at]:
        raise p.stop("a line break", "A new name is `var @name = …`; what has a value keeps it.")
    return s.ExpressionStatement(start, value.end, value)


def _head(value: x.Expression) -> x.Expression:
    """What an expression begins with: a word alone is not a statement, and neither is one that is piped or compared."""
    while True:
        match value:
            case x.PipeExpr() | x.WithExpr() | x.UsingExpr():
                value = value.value
            case x.BinaryExpr():
                value = value.operands[0]
            case x.TernaryExpr():
                value = value.condition
            case _:
                return value


def body(p: Cursor) -> Body:
    """What stands after ``=>`` in an arm or a loop: a block, a change of labels, a statement, a value."""
    kind = p.kinds[p.at]
    if kind == "[":
        return bracketed(p)
    if kind == t.WORD or kind == "!":
        changed = relabelled(p, expression)
        if changed is not None:
            return changed
        special = _IN_BODY.get(p.values[p.at]) if kind == t.WORD else None
        if special is not None:
            return special(p)
    return expression(p)


def bracketed(p: Cursor) -> x.Expression:
    """A block, or a value that begins with a list."""
    if p.kinds[p.at + 1] != "]" and not _is_block(p):
        return expression(p)
    found = block(p)
    return x.BlockExpr(found.start, found.end, found)


def _is_block(p: Cursor) -> bool:
    """Whether what stands in brackets is statements, not values: by its first token."""
    at = p.at + 1
    kind, value = p.kinds[at], p.values[at]
    return (
        kind in ("=>", ";")
        or (kind == "..." and p.kinds[at + 1] == "]")
        or ((kind == t.WORD or kind == t.CODE) and value in _KNOWN)
        or (kind == t.NAME and _called_alone(p, at))
    )


def _called_alone(p: Cursor, at: int) -> bool:
    """Whether a line holds a call and nothing else: a statement. A list would have a comma after it, or the bracket."""
    depth = 0
    while True:
        at += 1
        kind = p.kinds[at]
        if kind == t.END or (depth == 0 and (p.breaks[at] or kind in (",", "]", ";"))):
            return kind not in (",", "]")
        if kind in ("(", "[", "{"):
            depth += 1
        elif kind in (")", "]", "}"):
            depth -= 1
            if depth < 0:
                return False


def _var(p: Cursor) -> s.StatementNode:
    """``var LABELS @x = value``"""
    start, keyword = p.here(), p.values[p.at]
    p.at += 1
    labels = label_list(p)
    name = p.need(t.NAME, "labels and `@name`" if not labels else "`@name`", "A name begins with `@`.")
    if p.kinds[p.at] != "=":
        raise p.stop("`=` and a value", "A field cannot be set: make a new object, `{ ...@x, field: … }`.")
    p.at += 1
    value = expression(p)
    return s.VarStatement(start, value.end, keyword, labels, name, value)


def _print(p: Cursor) -> s.StatementNode:
    start, keyword = p.here(), p.values[p.at]
    p.at += 1
    value = expression(p)
    return s.PrintStatement(start, value.end, keyword, value)


_STREAMS = ("stdout", "stderr")
_TARGETS = frozenset({t.NAME, t.TEXT, t.QUOTED, t.BACKTICK, t.COLONS, t.FILE})


def _write(p: Cursor) -> s.StatementNode:
    """``output value to "file" as json``, ``append value to "file"``"""
    start, keyword = p.here(), p.values[p.at]
    p.at += 1
    value = expression(p)
    p.need_word("to", f"`to` and where to {keyword}")
    if p.kinds[p.at] not in _TARGETS and not p.word(*_STREAMS):
        raise p.stop("a path in quotes, `stdout` or `stderr`", known=_STREAMS)
    target = p.parsers.postfix(p)
    format = ""
    if p.take_word("as"):
        format = p.values[p.at] if p.kinds[p.at] == t.WORD else ""
        if format:
            p.at += 1
        else:
            format = plain_text(p, "a format: `json`, `text`")
    return s.WriteStatement(start, p.last(), keyword, value, target, format)


def _action(p: Cursor) -> s.StatementNode:
    """``allow``, ``allow @x``, ``deny "reason"``, ``deny { … }``, ``retry "hint"``, ``pass``"""
    start, action = p.here(), p.values[p.at]
    p.at += 1
    value: x.Expression | s.RelabelNode | None = None
    options = None
    if action != "pass" and not p.ends_statement() and p.kinds[p.at] not in ("|", "?"):
        if p.take_word("with"):
            options = braces(p, expression)
        else:
            value = relabelled(p, expression) or expression(p)
    return s.ActionStatement(start, p.last(), action, value, options)


_Statement = Callable[[Cursor], s.StatementNode]
_IN_BODY: dict[str, _Statement] = {
    **dict.fromkeys(("var", "let"), _var),
    **dict.fromkeys(("show", "log", "stream"), _print),
    **dict.fromkeys(("output", "append"), _write),
    **dict.fromkeys(_ACTIONS, _action),
}
_STATEMENTS: dict[str, _Statement] = {**_IN_BODY, **DECLARATIONS}

"""Text with holes: ``@x``, ``@x.y[0]``, ``@f(@x)``, and ``{{x}}`` between ``:::``."""

from __future__ import annotations

from sluicegate.patterns import late
from sluicegate.script.diagnostics import Diagnostic
from sluicegate.script.parse.cursor import Cursor, SyntaxStop
from sluicegate.script.scan.scanner import scan
from sluicegate.script.tree.expressions import AccessExpr, Expression, FieldStep, NameExpr

_HOLE = late(
    r"\\(?P<escaped>[\s\S])|(?<!\w)@(?P<name>[A-Za-z_]\w*)(?P<fields>(?:\.[A-Za-z_]\w*)*)(?P<more>[(\[])?"
)
_DOUBLE = late(r"\{\{[ \t]*@?(?P<name>[A-Za-z_]\w*)(?P<fields>(?:\.[A-Za-z_]\w*)*)[ \t]*\}\}")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_CLOSING = late(r'"(?:[^"\\\n]|\\.)*"|' + r"'(?:[^'\\\n]|\\.)*'|[(\[{)\]}]")

_MOST_HOLES = 10_000
_LONGEST = 1_000
"""Characters of one bracket in a hole: what is longer is text."""

Parts = tuple[str | Expression, ...]


def unescaped(text: str) -> str:
    """Text without its backslashes: those before ``n``, ``t`` and ``r`` make what they make everywhere."""
    if "\\" not in text:
        return text
    out, at = [], 0
    while (back := text.find("\\", at)) >= 0 and back + 1 < len(text):
        out.append(text[at:back])
        out.append(_ESCAPES.get(text[back + 1], text[back + 1]))
        at = back + 2
    return "".join(out) + text[at:]


def parts_of(p: Cursor, start: int, end: int, *, raw: bool = False) -> Parts:
    """The text between two offsets, and its holes. ``raw``: backslashes stay, except before ``@``, as a command wants them.

    An ``@`` after a letter or digit is not a hole (``user@example.com``), nor is one after a backslash.
    """
    text, at = p.text, start
    out: list[str | Expression] = []
    held: list[str] = []
    for found in _HOLE.finditer(text, start, end):
        if found.start() < at:
            continue  # inside of a hole
        held.append(text[at : found.start()])
        at = found.end()
        escaped = found["escaped"]
        if escaped is not None:
            held.append(_unescape(escaped, raw))
            continue
        hole = _chain(found.start(), found["name"], found["fields"])
        if found["more"]:
            close = _closing(text, found.end() - 1, end)
            if close < 0:  # a bracket of the text around it: the hole ends before
                at = found.end() - 1
            else:
                hole, at = _parsed(p, found.start(), close)
        if any(held):
            out.append("".join(held))
        held = []
        out.append(hole)
        if len(out) > _MOST_HOLES:
            raise SyntaxStop(
                Diagnostic(
                    "too-long",
                    f"over {_MOST_HOLES} holes and texts in one template",
                    found.start(),
                    found.end(),
                )
            )
    held.append(text[at:end])
    if any(held):
        out.append("".join(held))
    return tuple(out)


def doubled_parts(p: Cursor, start: int, end: int) -> Parts:
    """The text between two offsets, with holes that are ``{{x}}``."""
    text, at = p.text, start
    out: list[str | Expression] = []
    for found in _DOUBLE.finditer(text, start, end):
        if found.start() > at:
            out.append(text[at : found.start()])
        out.append(_chain(found.start(), found["name"], found["fields"]))
        at = found.end()
    if at < end:
        out.append(text[at:end])
    return tuple(out)


def _unescape(escaped: str, raw: bool) -> str:
    if raw:
        return escaped if escaped == "@" else "\\" + escaped
    return _ESCAPES.get(escaped, escaped)


def _chain(start: int, name: str, fields: str) -> Expression:
    """``@name.field.field`` as nodes."""
    end = start + 1 + len(name)
    value = NameExpr(start, end, name)
    if not fields:
        return value
    steps = []
    for field in fields.split(".")[1:]:
        steps.append(FieldStep(end, end + 1 + len(field), field, False))
        end += 1 + len(field)
    return AccessExpr(start, end, value, tuple(steps))


def _parsed(p: Cursor, start: int, close: int) -> tuple[Expression, int]:
    """A hole with calls or indexes in it, and where it ends: brackets and fields that follow belong to it."""
    text = p.text
    while close < len(text):
        if text[close] in "([":
            more = _closing(text, close, len(text))
            if more < 0:
                break
            close = more
        elif (
            text[close] == "."
            and close + 1 < len(text)
            and (text[close + 1].isalpha() or text[close + 1] == "_")
        ):
            close += 1
            while close < len(text) and (text[close].isalnum() or text[close] == "_"):
                close += 1
        else:
            break
    inner = Cursor(scan(text, start, close), p.parsers, p.depth)
    inner.deeper()
    value = p.parsers.postfix(inner)
    if inner.at < len(inner.kinds) - 1:
        raise inner.stop("the end of the hole")
    p.signs += inner.signs
    return value, close


def _closing(text: str, start: int, end: int) -> int:
    """The offset after the bracket that closes the one at ``start``; -1 where none near does."""
    depth = 0
    for found in _CLOSING.finditer(text, start, min(end, start + _LONGEST)):
        sign = found[0]
        if sign in ("(", "[", "{"):
            depth += 1
        elif sign in (")", "]", "}"):
            depth -= 1
            if depth == 0:
                return found.end()
    return -1

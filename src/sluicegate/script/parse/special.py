"""Expressions that begin with a word of the language: ``run``, ``cmd``, ``when``, ``for``, ``if``, ``env``, ``new``, …

Each parser gets the cursor on its word. It gives None, and has not moved, where the word is only a word.
"""

from __future__ import annotations

from collections.abc import Callable

from sluicegate.script.parse.cursor import Cursor
from sluicegate.script.parse.labels import label_list
from sluicegate.script.parse.literals import CONSTANTS, Parser, literal
from sluicegate.script.parse.templates import parts_of
from sluicegate.script.scan import tokens as t
from sluicegate.script.scan.dialect import Dialect
from sluicegate.script.tree import expressions as x
from sluicegate.script.tree.statements import BlockNode

_LANGUAGES = ("cmd", "sh", "js", "node", "py", "prose")
_STARTS_VALUE = frozenset(
    {t.NAME, t.WORD, t.CODE, t.QUOTED, t.TEXT, t.BACKTICK, t.COLONS, t.NUMBER, t.FILE, "{", "[", "("}
)


_NOT_RUN = (
    "run",
    "when",
    "if",
    "for",
    "foreach",
    "env",
    "box",
    "new",
    "template",
    "snapshot",
    "verify",
    *CONSTANTS,
)


def _starts_value(p: Cursor) -> bool:
    """Whether a value of the same statement begins at the next token."""
    at = p.at + 1
    return p.kinds[at] in _STARTS_VALUE and not p.breaks[at] and p.ends[p.at] != p.starts[at]


def _constant(p: Cursor, expression: Parser) -> x.Expression | None:
    start, value = p.here(), CONSTANTS[p.values[p.at]]
    p.at += 1
    return x.LiteralExpr(start, p.last(), value)


def _code(p: Cursor, expression: Parser) -> x.Expression | None:
    """``cmd { … }``, ``cmd "…"``, ``sh (@x) { … }``"""
    start, language = p.here(), p.values[p.at]
    if p.kinds[p.at] == t.WORD:
        if p.kinds[p.at + 1] not in (t.QUOTED, t.TEXT, t.BACKTICK) or p.breaks[p.at + 1]:
            return None
        p.at += 1
        text = literal(p)
        parts = text.parts if isinstance(text, x.TemplateExpr) else (str(text.value),)  # type: ignore[attr-defined]
        return x.CodeExpr(start, p.last(), language, (), parts)
    p.at += 1
    return _braced_code(p, start, language, expression)


def _braced_code(p: Cursor, start: int, language: str, expression: Parser) -> x.CodeExpr:
    """The values that code is passed, and its body."""
    passed: list[x.Expression] = []
    if p.kinds[p.at] == "(":
        opened = p.here()
        p.at += 1
        while p.kinds[p.at] != ")":
            name = p.need(t.NAME, "the name of a value that the code gets: `@x`")
            passed.append(x.NameExpr(p.last() - len(name) - 1, p.last(), name))
            if not p.take(","):
                break
        p.need_close(")", opened)
    if p.kinds[p.at] != t.BODY:
        raise p.stop("`{` and code")
    begin, end = p.here() + 1, p.ends[p.at] - 1
    p.at += 1
    parts: tuple[str | x.Expression, ...]
    if language in ("cmd", "prose"):
        parts = parts_of(p, begin, end, raw=language == "cmd")
    else:
        parts = (p.text[begin:end],)
    return x.CodeExpr(start, end + 1, language, tuple(passed), parts)


def _run(p: Cursor, expression: Parser) -> x.Expression | None:
    """``run { … }``, ``run cmd { … }``, ``run LABELS "…"``, ``run @x``"""
    start = p.here()
    if p.kinds[p.at] == t.CODE:
        p.at += 1
        code = _braced_code(p, start, "cmd", expression)
        return x.RunExpr(start, code.end, (), code)
    if not _starts_value(p):
        return None
    p.at += 1
    labels: tuple[str, ...] = ()
    if p.kinds[p.at] == t.WORD and p.values[p.at] not in _LANGUAGES:
        first = p.at
        labels = label_list(p)
        if p.kinds[p.at] not in (t.QUOTED, t.TEXT):
            p.at, labels = first, ()
    if p.kinds[p.at] in (t.QUOTED, t.TEXT):
        begin = p.here()
        text = literal(p)
        parts = text.parts if isinstance(text, x.TemplateExpr) else (str(text.value),)  # type: ignore[attr-defined]
        what: x.Expression = x.CodeExpr(begin, p.last(), "cmd", (), parts)
    else:
        if p.kinds[p.at] not in (t.NAME, t.WORD, t.CODE) or p.values[p.at] in _NOT_RUN:
            raise p.stop("a command, code or a function")
        what = p.parsers.postfix(p)
        if isinstance(what, x.WordExpr):
            raise p.stop("`(` and arguments, or a command in quotes")
    return x.RunExpr(start, what.end, labels, what)


def _template(p: Cursor, expression: Parser) -> x.Expression | None:
    if p.kinds[p.at + 1] not in (t.QUOTED, t.TEXT) or p.breaks[p.at + 1]:
        return None
    start = p.here()
    p.at += 1
    path = literal(p)
    return x.TemplateFileExpr(start, path.end, path)


def _snapshot(p: Cursor, expression: Parser) -> x.Expression | None:
    if p.kinds[p.at + 1] not in (t.QUOTED, t.TEXT) or p.breaks[p.at + 1]:
        return None
    start = p.here()
    p.at += 1
    name = literal(p)
    return x.SnapshotExpr(start, name.end, name)


def _verify(p: Cursor, expression: Parser) -> x.Expression | None:
    if not _names(p):
        return None
    start = p.here()
    p.at += 1
    value = p.parsers.postfix(p)
    return x.VerifyExpr(start, value.end, value)


def _names(p: Cursor) -> bool:
    """Whether a name of the same statement is the next token."""
    return p.kinds[p.at + 1] == t.NAME and not p.breaks[p.at + 1]


def _new(p: Cursor, expression: Parser) -> x.Expression | None:
    if not _names(p):
        return None
    start = p.here()
    p.at += 1
    value = p.parsers.postfix(p)
    return x.NewExpr(start, value.end, value)


def _foreach(p: Cursor, expression: Parser) -> x.Expression | None:
    if not _names(p):
        return None
    start = p.here()
    p.at += 1
    call = p.parsers.postfix(p)
    return x.ForeachExpr(start, call.end, call)


def _env(p: Cursor, expression: Parser) -> x.Expression | None:
    """``env @config [ … ]``, ``env @config with { … } [ … ]``; without a block in a guard."""
    if not _starts_value(p) or p.kinds[p.at + 1] not in (t.NAME, "{"):
        return None
    start, keyword = p.here(), p.values[p.at]
    p.at += 1
    config = expression(p)
    if keyword == "box":
        p.sign(Dialect.MLLD, start, "`box`", "`env`")
    block = p.parsers.block(p) if p.kinds[p.at] == "[" and not p.breaks[p.at] and not p.adjoins() else None
    return x.EnvExpr(start, p.last(), keyword, config, block)


def _when(p: Cursor, expression: Parser) -> x.Expression | None:
    """``when [ arms ]``, ``when @x [ arms ]``, ``when condition => action``"""
    if p.breaks[p.at + 1] or p.kinds[p.at + 1] in (":", ",", "}", ")", "]", "=", t.END):
        return None
    start = p.here()
    p.at += 1
    subject = None
    if p.kinds[p.at] != "[":
        subject = expression(p)
        if p.kinds[p.at] == "=>":
            begin = subject.start
            p.at += 1
            if p.breaks[p.at]:
                raise p.stop("what to do, on the same line", "For several actions: `if condition [ … ]`.")
            action = p.parsers.body(p)
            return x.WhenExpr(start, p.last(), None, (x.ArmNode(begin, p.last(), subject, action),), True)
        if p.kinds[p.at] != "[":
            raise p.stop("`=>` and what to do, or `[` and arms", "For a block: `if condition [ … ]`.")
    arms = arms_of(p, expression)
    return x.WhenExpr(start, p.last(), subject, arms, False)


def arms_of(p: Cursor, expression: Parser) -> tuple[x.ArmNode, ...]:
    """``[ condition => action … ]``, each on a line of its own or after ``;``."""
    opened = p.here()
    p.need("[", "`[` and arms: `condition => action`")
    p.deeper()
    arms = []
    while p.kinds[p.at] != "]":
        if p.take(";"):
            continue
        start = p.here()
        condition = expression(p)
        p.need("=>", "`=>` and what to do", "An arm is `condition => action`; `*` is every other case.")
        action = p.parsers.body(p)
        arms.append(x.ArmNode(start, p.last(), condition, action))
        if not p.ends_statement():
            raise p.stop("a line break, `;` or `]`")
    p.need_close("]", opened)
    p.depth -= 1
    return tuple(arms)


def _for(p: Cursor, expression: Parser) -> x.Expression | None:
    """``for @item in list => value``, ``for @key, @item in list [ … ]``, ``for parallel(3) …``"""
    if not (_names(p) or p.values[p.at + 1] == "parallel"):
        return None
    start = p.here()
    p.at += 1
    parallel: x.Expression | None = None
    if p.word("parallel"):
        begin = p.here()
        p.at += 1
        parallel = x.LiteralExpr(begin, p.last(), True)
        if p.take("("):
            parallel = expression(p)
            p.need_close(")", begin + len("parallel"))
    key, item = "", p.need(t.NAME, "`@item`")
    if p.take(","):
        key, item = item, p.need(t.NAME, "`@item`")
    p.need_word("in", "`in` and a list")
    values = expression(p)
    if p.kinds[p.at] == "[":
        block = p.parsers.block(p)
        return x.ForExpr(
            start, p.last(), key, item, values, x.BlockExpr(block.start, block.end, block), parallel
        )
    p.need("=>", "`=>` and a value, or `[` and a block")
    body = p.parsers.body(p)
    return x.ForExpr(start, p.last(), key, item, values, body, parallel)


def _if(p: Cursor, expression: Parser) -> x.Expression | None:
    """``if condition [ … ] else if condition [ … ] else [ … ]``"""
    if p.breaks[p.at + 1] or p.kinds[p.at + 1] in (":", ",", "}", ")", "]", "=", t.END):
        return None
    start = p.here()
    p.at += 1
    condition = expression(p)
    if p.kinds[p.at] != "[":
        raise p.stop("`[` and a block", "For one action: `when condition => action`.")
    yes = p.parsers.block(p)
    no: x.IfExpr | BlockNode | None = None
    if p.take_word("else"):
        if p.word("if"):
            p.deeper()
            inner = _if(p, expression)
            if not isinstance(inner, x.IfExpr):
                raise p.stop("a condition after `else if`")
            no = inner
            p.depth -= 1
        else:
            no = p.parsers.block(p)
    return x.IfExpr(start, p.last(), condition, yes, no)


_Special = Callable[[Cursor, Parser], x.Expression | None]
SPECIAL: dict[str, _Special] = {
    **dict.fromkeys(CONSTANTS, _constant),
    **dict.fromkeys(_LANGUAGES, _code),
    "run": _run, "template": _template, "snapshot": _snapshot, "verify": _verify, "new": _new, "foreach": _foreach,
    "env": _env, "box": _env, "when": _when, "for": _for, "if": _if,
}  # fmt: skip

"""Where the parser is in the tokens of a script, and what it has found wrong."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches

from msgspec import Struct

from sluicegate.script.diagnostics import Diagnostic
from sluicegate.script.scan import tokens as t
from sluicegate.script.scan.dialect import Dialect
from sluicegate.script.tree.expressions import Expression
from sluicegate.script.tree.statements import BlockNode, RelabelNode, StatementNode

DEEPEST = 100
"""How many blocks, brackets and operators may stand inside each other."""

Body = Expression | RelabelNode | StatementNode


class SyntaxStop(Exception):
    """A statement cannot be read on from here."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


class DialectSign(Diagnostic, frozen=True):
    """A construct that one dialect alone has; ``expected`` is what the other has in its place."""

    dialect: Dialect = Dialect.SPECIFICATION


class Parsers(Struct, frozen=True):
    """The parsers that others need before their own module is read: a template holds expressions, these hold blocks."""

    block: Callable[[Cursor], BlockNode]
    body: Callable[[Cursor], Body]
    bracketed: Callable[[Cursor], Expression]
    postfix: Callable[[Cursor], Expression]


class Cursor:
    """A place in the columns of tokens. Parsers are functions of it; it knows no grammar."""

    __slots__ = (
        "at",
        "breaks",
        "depth",
        "ends",
        "found",
        "kinds",
        "parsers",
        "plain",
        "signs",
        "starts",
        "text",
        "values",
    )

    def __init__(self, tokens: t.Tokens, parsers: Parsers, depth: int = 0) -> None:
        self.text = tokens.text
        self.kinds, self.values = tokens.kinds, tokens.values
        self.starts, self.ends, self.breaks = tokens.starts, tokens.ends, tokens.breaks
        self.at = 0
        self.depth = depth
        self.plain = False
        """Whether text in double quotes has no holes, as in a policy: what a policy says depends on no value."""
        self.parsers = parsers
        self.found: list[Diagnostic] = []
        self.signs: list[DialectSign] = []

    def word(self, *words: str) -> bool:
        """Whether one of these words stands here."""
        kind = self.kinds[self.at]
        return (kind == t.WORD or kind == t.CODE) and self.values[self.at] in words

    def take_word(self, word: str) -> bool:
        """Go past this word, when it stands here."""
        if self.word(word):
            self.at += 1
            return True
        return False

    def take(self, kind: str) -> bool:
        """Go past a token of this kind, when it stands here."""
        if self.kinds[self.at] == kind:
            self.at += 1
            return True
        return False

    def need(self, kind: str, what: str, suggestion: str = "") -> str:
        """Go past a token of this kind, and its value. ``what`` says in words what is missing."""
        if self.kinds[self.at] != kind:
            raise self.stop(what, suggestion)
        value = self.values[self.at]
        self.at += 1
        return value

    def need_word(self, word: str, what: str = "") -> None:
        """Go past this word."""
        if not self.take_word(word):
            raise self.stop(what or f"`{word}`")

    def need_close(self, kind: str, opened: int) -> int:
        """Go past a closing bracket, and where it ends. ``opened`` is where its partner stands."""
        if self.kinds[self.at] != kind:
            if self.kinds[self.at] == t.END:
                raise SyntaxStop(
                    Diagnostic(
                        "unclosed", f"`{self.text[opened]}` is never closed", opened, opened + 1, f"`{kind}`"
                    )
                )
            separator = "a line break or " if kind == "]" else "`,` or "
            raise self.stop(f"{separator}`{kind}`")
        self.at += 1
        return self.ends[self.at - 1]

    def adjoins(self) -> bool:
        """Whether nothing stands between this token and the one before."""
        return self.ends[self.at - 1] == self.starts[self.at]

    def here(self) -> int:
        """Where this token begins."""
        return self.starts[self.at]

    def last(self) -> int:
        """Where the token before ended."""
        return self.ends[self.at - 1] if self.at else 0

    def ends_statement(self) -> bool:
        """Whether a statement may end before this token."""
        kind = self.kinds[self.at]
        return self.breaks[self.at] or kind in ("]", ";", t.END, t.PROSE)

    def deeper(self) -> None:
        """Go one level down. Raises SyntaxStop where that is too deep; whoever goes down goes up again."""
        self.depth += 1
        if self.depth > DEEPEST:
            start = self.here()
            raise SyntaxStop(
                Diagnostic(
                    "too-deep",
                    f"more than {DEEPEST} levels stand inside each other",
                    start,
                    self.ends[self.at],
                    suggestion="Give a part of it a name of its own with `var` or `exe`.",
                )
            )

    def sign(self, dialect: Dialect, start: int, what: str, other: str) -> None:
        """Note a construct that this dialect alone has."""
        self.signs.append(DialectSign("dialect", what, start, self.last(), other, dialect=dialect))

    def stop(self, expected: str, suggestion: str = "", known: tuple[str, ...] = ()) -> SyntaxStop:
        """The error that this token is not what has to stand here."""
        start, end = self.starts[self.at], self.ends[self.at]
        kind, value = self.kinds[self.at], self.values[self.at]
        if kind == t.UNCLOSED:
            what = {"{": "the body of code", "`": "this template"}.get(value, "this text")
            closing = {"{": "}"}.get(value, value)
            where = "on the same line" if value in "\"'" else "anywhere after it"
            return SyntaxStop(
                Diagnostic("unclosed", f"{what} is never closed", start, end, f"`{closing}` {where}")
            )
        if kind == t.UNKNOWN:
            return SyntaxStop(
                Diagnostic(
                    "unknown-character",
                    f"{value!r} has no meaning here",
                    start,
                    start + 1,
                    expected,
                    suggestion,
                )
            )
        if not suggestion and known and kind in (t.WORD, t.CODE):
            close = get_close_matches(value, known, 1)
            suggestion = f"Did you mean `{close[0]}`?" if close else ""
        message = "the script ends here" if kind == t.END else f"unexpected {_called(kind, value)}"
        return SyntaxStop(Diagnostic("syntax", message, start, max(end, start), expected, suggestion))


_CALLED = {
    t.TEXT: "text",
    t.QUOTED: "text",
    t.BACKTICK: "template",
    t.COLONS: "template",
    t.BODY: "body of code",
}


def _called(kind: str, value: str) -> str:
    if kind in _CALLED:
        return _CALLED[kind]
    if kind == t.NAME:
        return f"`@{value}`"
    return f"`{value}`" if len(value) <= 40 and "\n" not in value else kind

"""A program as statements: its words without comments, wherever the lines break.

One pattern for each family of languages reads words, quoted texts, brackets and comments. A statement ends where a
line or a semicolon does, outside round and square brackets; what is inside curly ones are statements of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from sluicegate.patterns import compiled
from sluicegate.tuples import NamedTuple
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.lazy import lazy

_PYTHON = r"#[^\n]*"
_SLASHES = r"//[^\n]*|/\*(?:[^*]|\*(?!/))*+\*/"
_OF_SOURCE = r"(?m:^[ \t]*(?:" + _SLASHES + "))"
"""Sources of languages that are not told apart: some have no such comments, and write addresses without quotes. What
begins no line is taken for words, so that nothing that runs is left out."""
_HASH = r"(?<![^\s;(){}])#[^\n]*"
_DASHES = r"--[^\n]*"
_REMARK = r"(?im:^[ \t]*(?:@?rem\b|::)[^\n]*)"
_POWERSHELL = r"<#(?:[^#]|#(?!>))*+#>|" + _HASH
_COMMENT: dict[Kind, str] = {
    Kind.PYTHON: _PYTHON, Kind.SHELL: _HASH, Kind.MAKEFILE: _HASH, Kind.DOCKERFILE: _HASH, Kind.RUBY: _HASH, Kind.PERL: _HASH,
    Kind.R: _HASH, Kind.POWERSHELL: _POWERSHELL, Kind.BATCH: _REMARK, Kind.LUA: _DASHES, Kind.APPLESCRIPT: _DASHES,
    Kind.SQL: _DASHES, Kind.PHP: f"{_SLASHES}|{_HASH}", Kind.SOURCE: _OF_SOURCE,
}  # fmt: skip
LINES = frozenset({Kind.SHELL, Kind.MAKEFILE, Kind.DOCKERFILE, Kind.BATCH, Kind.POWERSHELL})
"""Languages of which a line is one statement, semicolons or not: what is piped on stays together."""
_TRIPLE = r"[rbfuRBFU]{0,2}(?:\"\"\"(?:[^\"\\]|\\.|\"(?!\"\"))*+\"\"\"|'''(?:[^'\\]|\\.|'(?!''))*+''')|"
_QUOTED = r"\"(?:[^\"\\\n]|\\(?s:.))*+\"|'(?:[^'\\\n]|\\(?s:.))*+'"
_TEMPLATE = r"|`(?:[^`\\]|\\(?s:.))*+`"
_OF_SHELL = r"\"(?:[^\"\\]|\\(?s:.))*+\"|'[^']*+'|\$\{[^{}\n]{0,200}\}"
_UNESCAPED = r"\"[^\"\n]*+\"|'[^'\n]*+'"
_PAIRS = {")": "(", "]": "[", "}": "{"}
_OPEN_ENDS = ("\\", "|", "&&", "||", ",", "=", "+", "^", "`", ".", "->", "?", ":")
_GOES_ON = lazy(r"\s*(?:[|.?]|&&|->|\+[^+])")
_HEREDOC = lazy(r"<<-?\s*(['\"]?)(\w{1,40})\1")


class StatementWords(NamedTuple):
    """A statement: where it stands, its words, how deep it stands, and the brackets that it leaves open.

    ``depths`` are the round and square brackets of the statement that each word stands in.
    """

    start: int
    end: int
    words: tuple[str, ...]
    depths: tuple[int, ...]
    level: int
    """Columns of indentation, or curly brackets around it."""
    opens: bool
    """Whether a body follows."""


@lru_cache(maxsize=32)
def tokens_of(language: Kind) -> re.Pattern[str]:
    """The pattern of one token of a language: a comment, something quoted, a word, an end of line or another sign."""
    comment = _COMMENT.get(language, _SLASHES)
    if language is Kind.PYTHON:
        quoted = _TRIPLE + r"[rbfuRBFU]{0,2}(?:" + _QUOTED + ")"
    elif language in (Kind.SHELL, Kind.MAKEFILE, Kind.DOCKERFILE):
        quoted = _OF_SHELL
    elif language in (Kind.BATCH, Kind.POWERSHELL):
        quoted = _UNESCAPED
    else:
        quoted = _QUOTED + _TEMPLATE
    word = r"[^\s'\"`;&|<>(){}$\\]+" if language in LINES else r"\w+"
    return compiled(f"(?P<c>{comment})|(?P<q>{quoted})|(?P<w>{word})|(?P<n>\\n)|(?P<o>[^\\s\\w]|\\w)")


class _Cutter:
    """Cuts one text; ``open`` are the brackets around the place where it is."""

    def __init__(self, text: str, language: Kind) -> None:
        self._text = text
        self._language = language
        self._lines = language in LINES
        self._indented = language is Kind.PYTHON
        self._curly = not (self._lines or self._indented)
        self._open: list[str] = []
        self._words: list[str] = []
        self._depths: list[int] = []
        self._depth = 0
        self._start = -1
        self._level = 0
        self._reach = 0

    def statements(self) -> Iterator[StatementWords]:
        text, at = self._text, 0
        scan = tokens_of(self._language).match
        while at < len(text):
            found = scan(text, at)
            if found is None:
                at += 1
                continue
            kind, word, start, at = found.lastgroup, found[0], at, found.end()
            if kind == "c":
                continue
            if kind == "n" or (word == ";" and not self._lines):
                if kind == "n":
                    at = self._documents(at)
                if self._ends(at, line=kind == "n"):
                    yield from self._cut()
                continue
            self._add(word, start, at)
            if word in "{}" and self._curly and not self._depth:
                yield from self._cut()
        yield from self._cut()

    def _add(self, word: str, start: int, end: int) -> None:
        if self._start < 0:
            self._start = start
            self._level = self._indentation(start) if self._indented else self._open.count("{")
        if word in _PAIRS and _PAIRS[word] in self._open:
            while self._open.pop() != _PAIRS[word]:  # one that was never closed, as in a pattern
                pass
            self._depth -= word != "}" and self._depth > 0
        self._words.append(word)
        self._depths.append(self._depth)
        self._reach = end
        if word in "([{":
            self._open.append(word)
            self._depth += word != "{"

    def _indentation(self, start: int) -> int:
        first = self._text.rfind("\n", 0, start) + 1
        return start - first if not self._text[first:start].strip() else self._level

    def _documents(self, at: int) -> int:
        """Behind the documents that a line of a shell is followed by; they are words of it."""
        if self._language is not Kind.SHELL or "<" not in self._words:
            return at
        line = self._text[max(self._start, 0) : at]
        for found in _HEREDOC.finditer(line):
            close = re.compile(rf"(?m)^\s*{found[2]}\s*$").search(self._text, at)
            if close is not None:
                self._words.append(self._text[at : close.start()])
                self._depths.append(0)
                self._reach = at = close.end()
        return at

    def _ends(self, at: int, *, line: bool) -> bool:
        if not self._words:
            return False
        last = self._words[-1]
        if self._lines:
            return not (last.endswith(("\\", "|", "^", "`")) or self._words[-2:] == ["&", "&"])
        if self._open and (self._indented or self._open[-1] != "{"):
            return False
        if self._indented or not line:
            return last != "\\"
        return not last.endswith(_OPEN_ENDS) and _GOES_ON.match(self._text, at) is None

    def _cut(self) -> Iterator[StatementWords]:
        if self._words:
            opens = self._words[-1] == (":" if self._indented else "{")
            words, depths = tuple(self._words), tuple(self._depths)
            yield StatementWords(self._start, self._reach, words, depths, self._level, opens)
            self._words, self._depths, self._depth, self._start = [], [], 0, -1


def comments(text: str, language: Kind) -> list[tuple[int, int]]:
    """The offsets of all comments of a text, as the words tell them, in order."""
    return [found.span() for found in tokens_of(language).finditer(text) if found.lastgroup == "c"]


def statements(text: str, language: Kind) -> list[StatementWords]:
    """All statements of a text, in order."""
    return list(_Cutter(text, language).statements())

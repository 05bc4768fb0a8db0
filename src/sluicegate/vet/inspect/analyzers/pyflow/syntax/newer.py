"""Syntax of newer Pythons, written so that the parser of an older one takes it.

The same text must give the same findings whichever Python runs the scan, and what runs on the user's Python must not
be hidden from ours. Two changes of the language matter:

- Python 3.12 reads the fields of a format string as ordinary code (PEP 701): with the quotes of the string itself,
  backslashes, comments and line ends. Such a field is written as a name of the same length; when the rest is parsed,
  the field, parsed by itself, takes the place of that name.
- Python 3.12 has type parameters and ``type X = ...`` (PEP 695), which say nothing about what runs. They are written
  as spaces. The template strings of 3.14 (PEP 750) are read as format strings.

Lines stay where they are.
"""

from __future__ import annotations

import ast
import re
from typing import TypeAlias

from sluicegate.tuples import NamedTuple
from sluicegate.vet.lazy import lazy

DEPTH = 8
"""Format strings inside fields of format strings."""
FIELDS = 2_000
"""Fields that are taken out of one text."""
_FORMATTED = frozenset({"f", "fr", "rf", "t", "tr", "rt"})
_MAYBE = lazy(r"[fFtT][rR]?[\"']")
_TYPE = lazy(r"^([ \t]*)type[ \t]+([^\W\d]\w*)([ \t]*(?:\[[^\n=]*\])?[ \t]*=(?!=))", re.M)
_PARAMETERS = lazy(
    r"^([ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+\w+[ \t]*)(\[(?:[^\[\]]|\[[^\[\]]*\]){1,400}\])", re.M
)
_STRING = lazy(r"#[^\n]*|(?<!\w)([A-Za-z]{0,2})('''|\"\"\"|'|\")|('''|\"\"\"|'|\")")
_CODE = lazy(r"#[^\n]*|(?<!\w)[A-Za-z]{0,2}('''|\"\"\"|'|\")|['\"()\[\]{}:!=]")
_WITHIN = lazy(r"[\\\n{'\"]")
_SPECIFICATION = lazy(r"[\n{}'\"]")
_OUTSIDE = lazy(r"[\"'\\#\n]")
"""What a field of an older format string may not hold."""


Fields: TypeAlias = dict[str, tuple[str, int, int]]
"""What names stand for: code, the line that it begins on (from 1) and the column (from 0)."""


class Rewritten(NamedTuple):
    """A text for the parser, and what the names in it stand for."""

    text: str
    fields: Fields


class _Strange(Exception):
    """Not a format string after all."""


def rewrite(source: str) -> Rewritten:
    """The text without what an older parser does not know. Unchanged when there is nothing of the kind."""
    if "type" in source:
        source = _TYPE.sub(lambda m: f"{m[1]}{m[2]}     {_blank(m[3][:-1])}=", source)
    if "[" in source:
        source = _PARAMETERS.sub(lambda m: m[1] + _blank(m[2]), source)
    if not _MAYBE.search(source):
        return Rewritten(source, {})
    return _Writer(source).run()


def _blank(text: str) -> str:
    """As many spaces, on as many lines, that do not end a statement."""
    return "\\\n".join(" " * len(line) for line in text.split("\n"))


def fill(tree: ast.AST, fields: Fields, depth: int = 0) -> int:
    """Put the code of the fields in the place of their names; gives how many of them are not code."""
    lost = 0
    for node in ast.walk(tree) if fields else ():
        if isinstance(node, ast.FormattedValue) and isinstance(node.value, ast.Name):
            found = fields.get(node.value.id)
            if found is not None:
                lost += _put(node, *found, depth)
    return lost


def _put(node: ast.FormattedValue, code: str, line: int, column: int, depth: int) -> int:
    inner = rewrite(code) if depth < DEPTH else None
    try:
        tree = ast.parse(f"({inner.text})", mode="eval").body if inner else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        tree = None
    if tree is None or inner is None:
        node.value = ast.copy_location(ast.Constant(value=None), node.value)
        return 1
    for part in ast.walk(tree):
        if isinstance(part, (ast.expr, ast.keyword, ast.arg)):
            first, last = part.lineno, part.end_lineno or part.lineno
            part.col_offset += column - 1 if first == 1 else 0
            part.end_col_offset = (part.end_col_offset or 0) + (column - 1 if last == 1 else 0)
            part.lineno, part.end_lineno = first + line - 1, last + line - 1
    # What is put into the tree below stands where its names did, which has just been moved.
    node.value = tree
    return fill(tree, _moved(inner.fields, line, column), depth + 1)


def _moved(fields: Fields, line: int, column: int) -> Fields:
    return {
        name: (code, first + line - 1, at + (column if first == 1 else 0))
        for name, (code, first, at) in fields.items()
    }


class _Writer:
    """One pass over a text, whose steps are counted: text that is not Python may begin strings without end."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._steps = 20_000 + len(source) // 8
        self._out: list[str] = []
        self._fields: Fields = {}
        self._line, self._counted = 1, 0
        self._stem = "_field"
        while self._stem in source:
            self._stem += "_"

    def run(self) -> Rewritten:
        """The text with names for what an older parser does not take, or as it was."""
        source, done, at = self._source, 0, 0
        while self._steps > 0 and len(self._fields) < FIELDS and (found := _STRING.search(source, at)):
            self._steps -= 1
            quote = found[2] or found[3]
            at = found.end()
            if quote is None:
                continue
            prefix = (found[1] or "").lower()
            try:
                if prefix in _FORMATTED:
                    fields: list[tuple[int, int]] = []
                    at = self._formatted(at, quote, "r" in prefix, fields, 0)
                    done = self._write(done, found, at, fields)
                else:
                    at = self._plain(at, quote)
            except _Strange:
                continue
        if self._steps <= 0:
            return Rewritten(source, {})
        return Rewritten("".join([*self._out, source[done:]]), self._fields)

    def _write(self, done: int, opening: re.Match[str], end: int, fields: list[tuple[int, int]]) -> int:
        """Copy up to the end of a format string, with names for its fields; where the copy now ends."""
        source = self._source
        strange = [field for field in fields if _OUTSIDE.search(source, *field)]
        prefix = opening[1].replace("t", "f").replace("T", "F")
        if not strange and prefix == opening[1]:
            return done
        self._out += [source[done : opening.start()], prefix, opening[2]]
        done, breaks = opening.end(), 0
        for start, stop in strange:
            code = source[start:stop]
            name = f"{self._stem}{len(self._fields)}".ljust(len(code), "_")
            self._fields[name] = (code, *self._place(start))
            self._out += [source[done:start], name]
            breaks += code.count("\n")
            done = stop
        self._out += [source[done:end], "\\\n" * breaks]
        return end

    def _place(self, at: int) -> tuple[int, int]:
        """Line, from 1, and column, from 0. Places are asked for in order."""
        self._line += self._source.count("\n", self._counted, at)
        self._counted = at
        return self._line, at - (self._source.rfind("\n", 0, at) + 1)

    def _search(self, pattern: re.Pattern[str], at: int) -> re.Match[str]:
        self._steps -= 1
        found = pattern.search(self._source, at) if self._steps > 0 else None
        if found is None:
            raise _Strange
        return found

    def _plain(self, at: int, quote: str) -> int:
        """The end of a string whose text begins here."""
        while True:
            at = self._search(_WITHIN, at).start()
            if self._source.startswith(quote, at):
                return at + len(quote)
            if self._source[at] == "\n" and len(quote) == 1:
                raise _Strange
            at += 2 if self._source[at] == "\\" else 1

    def _formatted(self, at: int, quote: str, raw: bool, fields: list[tuple[int, int]], depth: int) -> int:
        """The end of a format string whose text begins here; its fields are noted."""
        source = self._source
        while True:
            at = self._search(_WITHIN, at).start()
            sign, after = source[at], source[at + 1 : at + 2]
            if source.startswith(quote, at):
                return at + len(quote)
            if sign == "\\" and after == "N" and source.startswith("{", at + 2) and not raw:
                at = source.find("}", at) + 1 or len(source)
            elif sign == "\\":
                at += 1 if after == "{" else 2
            elif sign == "\n" and len(quote) == 1:
                raise _Strange
            elif sign == "{" and after != "{":
                at = self._field(at + 1, quote, fields, depth)
            else:
                at += 2 if sign == "{" else 1

    def _field(self, start: int, quote: str, fields: list[tuple[int, int]], depth: int) -> int:
        """The end of a field whose code begins here."""
        if depth > DEPTH:
            raise _Strange
        source, at, nesting = self._source, start, 0
        while True:
            found = self._search(_CODE, at)
            sign, at = found[0], found.end()
            if found[1] or sign in "'\"":
                inner = found[1] or sign
                prefix = sign[: -len(inner)].lower()
                if prefix in _FORMATTED:
                    at = self._formatted(at, inner, "r" in prefix, [], depth + 1)
                else:
                    at = self._plain(at, inner)
            elif sign in "([{":
                nesting += 1
            elif nesting:
                nesting -= sign in ")]}"
            elif sign in "!=" and source.startswith("=", at):  # a comparison
                at += 1
            elif sign == "=" and source[at - 2] in "<>":
                continue
            elif sign in "!=:}":
                fields.append((start, found.start()))
                return self._specification(found.start(), quote, fields, depth)

    def _specification(self, at: int, quote: str, fields: list[tuple[int, int]], depth: int) -> int:
        """The end of a field after its code: ``=``, a conversion, a format that may have fields of its own."""
        source = self._source
        while True:
            at = self._search(_SPECIFICATION, at).start()
            if source[at] == "}":
                return at + 1
            if source[at] == "{":
                at = self._field(at + 1, quote, fields, depth + 1)
            elif source.startswith(quote, at) or (source[at] == "\n" and len(quote) == 1):
                raise _Strange
            else:
                at += 1

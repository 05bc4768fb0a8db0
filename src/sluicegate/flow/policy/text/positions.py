"""Where the keys and entries of a TOML or JSON text stand, and whether a JSON object repeats a key.

The text has been accepted by the real parser already (``tomllib``, ``json``); this reads it once more, only
for the lines. It is a scanner over the tokens that both notations share, so it needs no grammar of either:
strings, bare words, brackets, ``=`` or ``:``, commas, and (TOML) headers and line ends.
"""

from __future__ import annotations

import re
from typing import Final

from sluicegate.patterns import late

Path = tuple[str | int, ...]
Lines = dict[Path, int]

_TOKEN: Final = late(
    r"""(?P<space>[ \t\r]+)|(?P<comment>\#[^\n]*)|(?P<line>\n)
    |(?P<long>\"{3}(?:\\.|[^\\])*?\"{3,5}|'{3}.*?'{3,5})
    |(?P<string>"(?:\\.|[^"\\\n])*"|'[^'\n]*')
    |(?P<mark>[][{}=:,.])
    |(?P<word>[^][{}=:,.\s"'\#]+)""",
    re.VERBOSE | re.DOTALL,
)


class _Tokens:
    """The tokens of a text with their lines, one ahead."""

    def __init__(self, text: str, *, toml: bool) -> None:
        self.toml = toml
        self.found: list[tuple[str, str, int]] = []
        line = 1
        for match in _TOKEN.finditer(text):
            kind, token = match.lastgroup or "", match.group()
            if kind == "line":
                self.found.append(("line", "\n", line))
            elif kind not in ("space", "comment"):
                self.found.append((kind, token, line))
            line += token.count("\n")
        self.at = 0

    def peek(self) -> tuple[str, str, int]:
        return self.found[self.at] if self.at < len(self.found) else ("end", "", 0)

    def take(self) -> tuple[str, str, int]:
        token = self.peek()
        self.at += 1
        return token

    def skip_lines(self) -> None:
        while self.peek()[0] == "line":
            self.at += 1


def toml_lines(text: str) -> Lines:
    """The line of every key and entry of a TOML document that ``tomllib`` accepts."""
    tokens, lines = _Tokens(text, toml=True), Lines()
    prefix: Path = ()
    counts: dict[Path, int] = {}
    while True:
        tokens.skip_lines()
        kind, token, line = tokens.peek()
        if kind == "end":
            return lines
        if token == "[":
            prefix = _header(tokens, lines, counts)
            continue
        path = prefix + _key(tokens)
        _record(lines, prefix, path, line)
        if tokens.take()[1] not in ("=", ":"):
            return lines  # not what was expected: the lines so far are right, the rest is not known
        _value(tokens, path, lines)


def json_lines(text: str) -> Lines:
    """The line of every key and entry of a JSON document that ``json`` accepts."""
    tokens, lines = _Tokens(text, toml=False), Lines()
    _value(tokens, (), lines)
    return lines


def _header(tokens: _Tokens, lines: Lines, counts: dict[Path, int]) -> Path:
    """``[a.b]`` or ``[[a.b]]``: the path that the keys below it have."""
    line = tokens.take()[2]
    many = tokens.peek()[1] == "["
    if many:
        tokens.take()
    parts = _key(tokens)
    path: Path = ()
    for number, part in enumerate(parts, start=1):
        path += (part,)
        if path in counts and not (many and number == len(parts)):
            path += (counts[path],)
    if many:
        counts[path] = counts.get(path, -1) + 1
        path += (counts[path],)
        tokens.take()
    tokens.take()
    _record(lines, (), path, line)
    return path


def _key(tokens: _Tokens) -> Path:
    """A key, dotted or not, up to what follows it."""
    parts: list[str] = []
    while True:
        kind, token, _ = tokens.peek()
        if kind in ("string", "word"):
            parts.append(_text(token, toml=tokens.toml) if kind == "string" else token)
        elif token != ".":
            return tuple(parts)
        tokens.take()


def _value(tokens: _Tokens, path: Path, lines: Lines) -> None:
    """Any value, nested ones with an explicit stack, so that depth costs no recursion."""
    stack: list[tuple[str, Path, int]] = []
    while True:
        if stack:
            tokens.skip_lines()
        kind, token, _ = tokens.peek()
        if kind == "end":
            return
        if token in ("[", "{"):
            tokens.take()
            stack.append((token, path, 0))
        elif token in ("]", "}"):
            tokens.take()
            if stack:
                stack.pop()
        elif token == ",":
            tokens.take()
            if stack:
                opened, where, count = stack.pop()
                stack.append((opened, where, count + 1))
        else:
            _scalar(tokens)
        if not stack:
            return
        path = _next_path(tokens, stack, lines)


def _next_path(tokens: _Tokens, stack: list[tuple[str, Path, int]], lines: Lines) -> Path:
    """The path of what comes next inside the innermost bracket; its line is recorded if it is an entry."""
    opened, where, count = stack[-1]
    tokens.skip_lines()
    kind, token, line = tokens.peek()
    if kind == "end" or token in (",", "]", "}"):
        return where
    if opened == "[":
        lines.setdefault((*where, count), line)
        return (*where, count)
    path = where + _key(tokens)
    _record(lines, where, path, line)
    if tokens.peek()[1] in ("=", ":"):
        tokens.take()
    return path


def _scalar(tokens: _Tokens) -> None:
    """Past a string, number, date or word: everything up to a comma, a closing bracket or the line's end."""
    while True:
        kind, token, _ = tokens.peek()
        if kind in ("end", "line") or token in (",", "]", "}"):
            return
        tokens.take()


def _record(lines: Lines, prefix: Path, path: Path, line: int) -> None:
    """The line of a path, and of the tables on the way to it that have none yet."""
    for length in range(len(prefix) + 1, len(path) + 1):
        lines.setdefault(path[:length], line)


def _text(token: str, *, toml: bool) -> str:
    """What a quoted key says."""
    if "\\" not in token:
        return token[1:-1]
    import json
    import tomllib

    try:
        found = next(iter(tomllib.loads(f"{token} = 1"))) if toml else json.loads(token)
    except ValueError:
        return token[1:-1]
    return str(found)

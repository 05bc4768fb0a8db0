"""A tolerant, iterative reading of JSON, JSON with comments, and JSON lines."""

from __future__ import annotations

import re

from sluicegate.vet.intake.views.configs.document import (
    DEPTH_MOST,
    ENTRIES_MOST,
    ConfigDocument,
    ConfigScalar,
    Scalar,
)
from sluicegate.vet.lazy import lazy

_TOKEN = lazy(
    r'[\s,\ufeff]*+(?:(?P<s>"(?:[^"\\\n]++|\\.)*+"?)|(?P<o>[{\[])|(?P<c>[}\]])|(?P<d>:)|'
    r"(?P<k>//[^\n]*+|/\*)|(?P<w>[^\s{}\[\],:\"]++))",
    re.DOTALL,
)
_ESCAPE = lazy(r"\\(?:u([0-9A-Fa-f]{4})|(.))", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_NUMBER = lazy(r"-?\d{1,300}+(?:\.\d{1,300}+)?(?:[eE][+-]?\d{1,3})?\Z")
_SURROGATES = lazy("[\ud800-\udbff][\udc00-\udfff]")


def _unescape(found: re.Match[str]) -> str:
    if found[1]:
        return chr(int(found[1], 16))
    return _SIMPLE.get(found[2], found[2])


def _string(token: str) -> str:
    body = token[1:-1] if len(token) > 1 and token.endswith('"') else token[1:]
    if "\\" not in body:
        return body
    text = _ESCAPE.sub(_unescape, body)
    if _has_surrogate(text):
        text = _SURROGATES.sub(lambda m: m[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le"), text)
        text = text.encode("utf-8", "replace").decode("utf-8")
    return text


def _has_surrogate(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text)


def _word(token: str) -> Scalar:
    known: dict[str, Scalar] = {"true": True, "false": False, "null": None}
    if token in known:
        return known[token]
    if _NUMBER.match(token):
        return int(token) if token.lstrip("-").isdigit() else float(token)
    return token.strip("'")


class _Reader:
    """The state of one reading: a stack of containers, each with its next key or index."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.entries: list[ConfigScalar] = []
        self.error = ""
        self.path: list[str | int] = []
        self.maps: list[bool] = []
        self.line = 1
        self.counted = 0
        self.pending: tuple[Scalar, int] | None = None
        self.seen = 0

    def line_at(self, at: int) -> int:
        self.line += self.text.count("\n", self.counted, at)
        self.counted = at
        return self.line

    def flush(self) -> None:
        """Record the scalar that was not followed by a colon."""
        if self.pending is None:
            return
        value, line = self.pending
        self.pending = None
        self.entries.append(ConfigScalar(path=tuple(self.path), value=value, first=line, last=line))
        self._next()

    def _next(self) -> None:
        if self.maps and not self.maps[-1] and isinstance(self.path[-1], int):
            self.path[-1] += 1

    def open(self, mark: str) -> bool:
        self.flush()
        if len(self.maps) >= DEPTH_MOST:
            self.error = f"nested deeper than {DEPTH_MOST}"
            return False
        self.maps.append(mark == "{")
        self.path.append("" if mark == "{" else 0)
        return True

    def close(self, mark: str) -> None:
        self.flush()
        if not self.maps or self.maps[-1] != (mark == "}"):
            self.error = self.error or "brackets do not match"
            if not self.maps:
                return
        self.maps.pop()
        self.path.pop()
        self._next()

    def colon(self) -> None:
        if self.pending is None or not self.maps or not self.maps[-1]:
            self.error = self.error or "a colon where none belongs"
            return
        self.path[-1] = str(self.pending[0])
        self.pending = None


def _comment_end(text: str, found: re.Match[str]) -> int:
    if found["k"] != "/*":
        return found.end()
    end = text.find("*/", found.end())
    return end + 2 if end != -1 else len(text)


def read_json(text: str) -> ConfigDocument:
    """The scalars of a JSON text. Comments, trailing commas and unquoted words are accepted."""
    reader = _Reader(text)
    at = 0
    while True:
        found = _TOKEN.match(text, at)
        if found is None:
            break
        at = found.end()
        reader.seen += 1
        if reader.seen > 2 * ENTRIES_MOST or len(reader.entries) >= ENTRIES_MOST:
            reader.error = f"more than {ENTRIES_MOST} entries"
            break
        kind, token = found.lastgroup, found[found.lastgroup or 0]
        if kind == "s" or kind == "w":
            reader.flush()
            value = _string(token) if kind == "s" else _word(token)
            if kind == "s" and (len(token) < 2 or not token.endswith('"')):
                reader.error = reader.error or "a string is not closed"
            reader.pending = (value, reader.line_at(found.start(kind)))
        elif kind == "o":
            if not reader.open(token):
                break
        elif kind == "c":
            reader.close(token)
        elif kind == "d":
            reader.colon()
        else:
            at = _comment_end(text, found)
    reader.flush()
    if reader.maps and not reader.error:
        reader.error = "a bracket is not closed"
    return ConfigDocument(entries=tuple(reader.entries), error=reader.error)

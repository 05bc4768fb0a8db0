"""Pieces of shell text that are read without regard to what stands around them."""

from __future__ import annotations

import re

from sluicegate.patterns import late

_ANSI = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"'}
_ANSI_ESCAPE = late(r"\\(x[0-9A-Fa-f]{1,2}|[0-7]{1,3}|u[0-9A-Fa-f]{1,4}|.)", re.S)
EMPTY_LINES = late(r"(?:[^\S\n]*+(?:#[^\n]*+)?\n){1,64}+")
"""Not more lines than may well be looked at again where too few steps are left for them."""
OF_EMPTY_LINES = late(r"\n|#[^\n]*+|[^\S\n]++")
PLACEHOLDER = late(r"<[A-Za-z][\w ./|:,-]{0,60}>")
EMPTY_PARENS = late(r"\([^\S\n]{0,20}\)")


def ansi(text: str, at: int, limit: int) -> tuple[str, int]:
    """What stands in a ``$'...'`` word from behind its opening mark on, and the offset after it."""
    end = at
    while end < limit and text[end] != "'":
        end += 2 if text[end] == "\\" else 1
    return _ANSI_ESCAPE.sub(_unescape, text[at : min(end, limit)]), end + 1


def arithmetic(text: str, at: int, limit: int) -> int:
    """The offset after the ``((...))`` that begins at one, where it is short and runs nothing; else -1."""
    end = text.find("))", at + 2, min(limit, at + 200))
    return -1 if end == -1 or "\n" in text[at:end] or "$(" in text[at:end] else end + 2


def _unescape(found: re.Match[str]) -> str:
    """One escape of a ``$'...'`` word."""
    body = found[1]
    if body[0] in "xu" and len(body) > 1:
        return chr(int(body[1:], 16))
    if body[0] in "01234567":
        return chr(int(body, 8) & 0xFF)
    return _ANSI.get(body, body)


def body_of(text: str, at: int, limit: int, delimiter: str) -> tuple[int, int]:
    """Where the body of a here-document that begins at an offset ends, and where the text goes on."""
    found = text.find(delimiter, at, limit) if delimiter else -1
    while found != -1:
        line = text.rfind("\n", max(at - 1, found - 80), found) + 1
        line = line or at
        after = found + len(delimiter)
        if not text[line:found].strip() and (after >= limit or text[after] in "\r\n"):
            return max(line, at), min(after + 1, limit)
        found = text.find(delimiter, after, limit)
    return limit, limit


def document(text: str, at: int, limit: int, delimiter: str) -> tuple[int, int] | None:
    """The same of a line that is the delimiter and nothing else, as shells want it; None where there is none.

    A tab before the delimiter says that those at the beginning of lines do not count (``<<-``).
    """
    tabs, ends = delimiter.startswith("\t"), delimiter.removeprefix("\t")
    start = at
    while start < limit:
        newline = text.find("\n", start, limit)
        stop = limit if newline == -1 else newline
        line = text[start:stop]
        if (line.lstrip("\t") if tabs else line) == ends:
            return start, min(stop + 1, limit)
        start = stop + 1
    return None

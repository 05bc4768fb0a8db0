"""Pieces of shell text that are read without regard to what stands around them."""

from __future__ import annotations

import re

from penstock.vet.lazy import lazy

_ANSI = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"'}
_ANSI_ESCAPE = lazy(r"\\(x[0-9A-Fa-f]{1,2}|[0-7]{1,3}|u[0-9A-Fa-f]{1,4}|.)", re.S)


def ansi(raw: str) -> str:
    """What stands in a ``$'...'`` word."""
    return _ANSI_ESCAPE.sub(_unescape, raw)


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

"""Text in columns: how wide it is on a terminal, how to wrap it, how to cut it.

Widths come from ranges written out here, and not from ``unicodedata``, so that the layout is the same under
every Python. Everything given to these functions has been through ``escape`` before.
"""

from __future__ import annotations

import re
from functools import cache

_NARROW = "[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u20d0-\u20ff\ufe0e\ufe0f]"
_WIDE = (
    "[\u1100-\u115f\u231a\u231b\u23e9-\u23ec\u2614\u2615\u26a1\u2705\u274c\u2728\u2757\u2e80-\u303e\u3041-\ua4cf"
    "\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\U0001f300-\U0001f64f"
    "\U0001f680-\U0001f6ff\U0001f900-\U0001faff\U00020000-\U0003fffd]"
)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when first needed: plain ASCII needs none."""
    return re.compile(pattern)


def width(text: str) -> int:
    """Columns that ``text`` takes."""
    if text.isascii():
        return len(text)
    return len(text) + len(_compiled(_WIDE).findall(text)) - len(_compiled(_NARROW).findall(text))


def cut(text: str, columns: int) -> str:
    """``text`` in at most ``columns``; what was cut off is shown as ``...``."""
    if width(text) <= columns:
        return text
    shown = _take(text, columns - 3).rstrip(" ")
    return f"{shown}..." if width(shown) + 3 <= columns else "..."[:columns]


def pad(text: str, columns: int) -> str:
    """``text`` cut or filled with blanks to exactly ``columns``."""
    shown = cut(text, columns)
    return shown + " " * (columns - width(shown))


def wrap(text: str, columns: int, *, first: str = "", rest: str = "") -> list[str]:
    """``text`` in lines of at most ``columns``, broken at blanks; a word that is longer is broken anywhere.

    The first line starts with ``first``, the others with ``rest``; both count.
    """
    lines: list[str] = []
    line, empty = first, True
    for word in text.split(" "):
        if not word:
            continue
        if not empty and width(line) + 1 + width(word) > columns:
            lines.append(line)
            line, empty = rest, True
        if empty and width(line) + width(word) > columns:
            *full, word = _pieces(word, max(1, columns - width(line)), max(1, columns - width(rest)))
            for piece in full:
                lines.append(line + piece)
                line = rest
        line = line + word if empty else f"{line} {word}"
        empty = False
    if not empty or not lines:
        lines.append(line)
    return lines


def _pieces(word: str, first: int, rest: int) -> list[str]:
    """A long word cut into a piece of at most ``first`` columns and others of at most ``rest``."""
    pieces: list[str] = []
    start, used, room = 0, 0, first
    for at, char in enumerate(word):
        wide = width(char)
        if used + wide > room and at > start:
            pieces.append(word[start:at])
            start, used, room = at, 0, rest
        used += wide
    return [*pieces, word[start:]]


def _take(text: str, columns: int) -> str:
    """The longest start of ``text`` that takes at most ``columns``."""
    if text.isascii():
        return text[: max(0, columns)]
    used = 0
    for at, char in enumerate(text):
        used += width(char)
        if used > columns:
            return text[:at]
    return text

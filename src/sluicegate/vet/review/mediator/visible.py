"""Untrusted text as a model may be shown it: nothing unseen, and nothing that a model's reader takes for its own marks.

A character that steers or cannot be seen stands as ``⟪U+202E⟫``, and so does one of which nobody but its author and his font
knows what it shows: a private or an unassigned one (by the Unicode of the running Python). So does the first character of what
could be a control token of a chat format (``control_tokens``): a server that looks for those in the text of a message finds
none. ``⟪`` itself is shown so, too: whatever stands between ``⟪`` and ``⟫`` was written by us.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from sluicegate.known.characters import SELECTOR, UNSEEN
from sluicegate.vet.review.mediator.control_tokens import control_tokens

OPEN, CLOSE = "\u27ea", "\u27eb"


@cache
def _hazard() -> re.Pattern[str]:
    return re.compile(f"(?![\n\t])[{UNSEEN}{OPEN}{CLOSE}]|{SELECTOR}")


def _escape(character: str) -> str:
    return f"{OPEN}U+{ord(character):04X}{CLOSE}"


def _shown(found: re.Match[str]) -> str:
    return _escape(found[0])


def escaped(text: str) -> str:
    """``text`` with every character that steers, or cannot be seen or known, as an escape. Line feeds and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    shown = _hazard().sub(_shown, text)
    if shown.isascii():
        return shown
    unknown = {ord(each): _escape(each) for each in set(shown) if _is_unknown(each)}
    return shown.translate(unknown) if unknown else shown


def _is_unknown(character: str) -> bool:
    return unicodedata.category(character) in ("Co", "Cn")


def without_control_tokens(line: str) -> str:
    """``line`` with the first character of each control token of a chat format as an escape."""
    pieces: list[str] = []
    at = 0
    for first in control_tokens(line):
        pieces += line[at:first], _escape(line[first])
        at = first + 1
    return "".join((*pieces, line[at:])) if pieces else line


def visible(text: str) -> str:
    """``text`` with neither: what may stand in a frame."""
    return without_control_tokens(escaped(text))


def note(words: str) -> str:
    """Words of ours inside a frame. ``words`` hold nothing of the skill."""
    return f"{OPEN}{words}{CLOSE}"


def cut(line: str, most: int) -> str:
    """At most ``most`` characters of a visible line, and how many more there are."""
    if len(line) <= most:
        return line
    end = _whole(line, most)
    return line[:end] + note(f"{len(line) - end} more characters")


def wrapped(line: str, most: int) -> list[str]:
    """A visible line as rows of at most ``most`` characters, with no escape torn apart (which may make a row shorter)."""
    rows, at = [], 0
    while len(line) - at > most:
        end = _whole(line, at + most, at)
        rows.append(line[at:end])
        at = end
    return [*rows, line[at:]]


def _whole(line: str, end: int, start: int = 0) -> int:
    """``end``, or the beginning of the escape that it would tear apart, if that is behind ``start``."""
    opened = line.rfind(OPEN, start, end)
    torn = opened > start and line.find(CLOSE, opened, end) == -1
    return opened if torn else end

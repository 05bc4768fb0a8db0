"""String literals on a line of code: where one begins, and whether it is what a search looks for."""

from __future__ import annotations

import re

from sluicegate.vet.lazy import lazy

_SEARCH = lazy(
    r"(?:\b(?:[efz]?grep|rg|ag|ack|findstr|Select-String)(?:[ \t]{1,3}-(?!f\b)-?[\w=.*-]{1,40}){0,6}[ \t]{1,3}"
    r"|\bre\.(?:compile|search|match|findall|finditer|fullmatch|sub)\([ \t]*[rRbBfu]{0,2}|\bRegExp\([ \t]*"
    r"|\.(?:includes|indexOf|test|match|search|startsWith|contains|count|find)\([ \t]*[rRbBfu]{0,2})$",
    re.IGNORECASE,
)
_MARK = lazy(r"\\.?|[\"'`/]", re.DOTALL)
"""What may begin or end a literal, and an escape with the character that it takes along."""
_BEFORE = 400
"""Characters of a line that are looked at before a match."""


def searched(text: str, start: int, end: int) -> bool:
    """Whether a match is, or ends in, the literal that a search is given: ``grep -r 'nc -e'``."""
    first = max(text.rfind("\n", 0, start) + 1, start - _BEFORE)
    opening = literal(text, first, start, end)
    if opening is None:
        opening = literal(text, first, end - 1, end)
        return opening is not None and opening > start and _SEARCH.search(text, start, opening) is not None
    looked = _SEARCH.search(text, max(first, opening - 160), opening)
    return looked is not None and inert(text, opening, end)


def literal(text: str, first: int, start: int, end: int) -> int | None:
    """Where the string literal begins that holds a match on the line from ``first`` on, or None.

    What the match took behind the end of the literal may be punctuation and nothing else.
    """
    opened = -1
    for mark in _MARK.finditer(text, first, start):
        char, at = mark[0], mark.start()
        if char[0] == "\\":
            continue
        if opened == -1:
            if char != "/" or text[at - 1 : at] in ("(", "=", "[", ",", " ", "\t"):
                opened = at
        elif char == text[opened]:
            opened = -1
    if opened == -1:
        return None
    stop = text.find("\n", end)
    close = text.find(text[opened], start, len(text) if stop == -1 else stop)
    return None if close == -1 or text[close:end].strip(" \t\"'`,;)]}") else opened


def inert(text: str, opening: int, end: int) -> bool:
    """Whether a shell would leave a quotation alone: no command substitution in double quotes."""
    if text[opening] == "'":
        return True
    held = text[opening + 1 : end]
    return "$(" not in held.replace("\\$(", "") and "`" not in held.replace("\\`", "").rstrip("`")

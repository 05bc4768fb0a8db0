"""Sentences and paragraphs of a text round the places where a deed may be ordered."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from sluicegate.tuples import NamedTuple
from sluicegate.vet.lazy import lazy

PARAGRAPH = 1500
"""Characters before and after a place in which its paragraph is looked for."""

SENTENCE = 400
"""And those in which its sentence is looked for."""

ADDRESSES = 200
"""Addresses of one kind in one text that are looked at."""

_STOP = lazy(
    r"[.!?。！？\n](?:(?<!\n)(?<!e\.g\.)(?<!i\.e\.)(?<!etc\.)[\"')*_`]{0,3}(?=\s|$)"
    r"|(?<=\n)\s*\n|(?<=\n)[ \t]*(?:[-*+|#>]|\d{1,3}[.)])\s|(?<=。))"
)
"""Begins with one set of characters, which ``re`` skips to; what stands in front of them is asked behind them."""
_APART = lazy(r"\n[ \t]*\n|\n[ \t]{0,3}#{1,6}[ \t]|\n[ \t]{0,3}(?:```|~~~)")


class TextSpan(NamedTuple):
    """A piece of a text, by where it begins and ends."""

    start: int
    end: int


def paragraph(text: str, at: int) -> TextSpan:
    """The paragraph in which a character stands: up to blank lines, headings and fences."""
    low, high = max(0, at - PARAGRAPH), min(len(text), at + PARAGRAPH)
    for apart in _APART.finditer(text, low, at):
        low = apart.end()
    after = _APART.search(text, at, high)
    return TextSpan(low, high if after is None else after.start())


def sentences(text: str, span: TextSpan) -> Iterator[TextSpan]:
    """The sentences of a piece of a text; an item of a list is one or more."""
    at = span.start
    for stop in _STOP.finditer(text, span.start, span.end):
        if stop.end() > at:
            yield TextSpan(at, stop.end())
            at = stop.end()
    if at < span.end:
        yield TextSpan(at, span.end)


class Sentences:
    """The sentences of a whole text, whose ends are looked for once."""

    def __init__(self, text: str) -> None:
        self._length = len(text)
        self._ends = [stop.end() for stop in _STOP.finditer(text)]

    def round(self, at: int) -> TextSpan:
        """The sentence in which a character stands, at most ``SENTENCE`` characters to each side."""
        number = bisect_right(self._ends, at)
        low = self._ends[number - 1] if number else 0
        high = self._ends[number] if number < len(self._ends) else self._length
        return TextSpan(max(low, at - SENTENCE), min(high, at + SENTENCE))


def within(spans: list[TextSpan], at: int) -> int:
    """The number of the piece in which a character stands."""
    return next((number for number, span in enumerate(spans) if span.start <= at < span.end), len(spans) - 1)


def address_start(text: str, at: int) -> int:
    """Where the name of a scheme or a mailbox begins that ends at a sign."""
    start = at
    while start > 0 and at - start < 64 and (text[start - 1].isalnum() or text[start - 1] in "._+-"):
        start -= 1
    return start


def standing(text: str, low: str, sign: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Where the addresses of one kind stand in a text, each looked for where a sign of it stands in ``low``."""
    at, looked = low.find(sign), 0
    while at != -1 and looked < ADDRESSES:
        looked += 1
        found = pattern.match(text, address_start(text, at))
        if found is not None and found.end() > at:
            yield found.span()
        at = low.find(sign, at + len(sign))


def host_of(address: str) -> str:
    """The host of an address, with or without a scheme, in lower case."""
    scheme, apart, rest = address.partition("://")
    named = (rest if apart else scheme).partition("/")[0].partition("?")[0]
    return named.rpartition("@")[2].partition(":")[0].lower()


def fenced(text: str) -> list[TextSpan]:
    """The fences of a text, where commands stand and no sentences."""
    marks = []
    for mark in ("```", "~~~"):
        at = text.find(mark)
        while at != -1:
            line = text.rfind("\n", 0, at) + 1
            if not text[line:at].strip(" \t>"):
                marks.append(at)
            after = text.find("\n", at)
            at = text.find(mark, after) if after != -1 else -1
    marks.sort()
    return [TextSpan(first, last) for first, last in zip(marks[::2], [*marks[1::2], len(text)], strict=False)]

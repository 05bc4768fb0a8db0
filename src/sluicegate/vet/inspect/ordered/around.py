"""What a text says around a path: the words before it and behind it, as a reader joins them.

A line break inside a paragraph is a blank. What ends in a colon goes on in the list, the code span or the fence below
it. Marks of lists, quotes and emphasis are not words.
"""

from __future__ import annotations

from bisect import bisect_right

from sluicegate.vet.inspect.ordered.orders import WordsAround
from sluicegate.vet.lazy import lazy

_BEFORE = 1500
_BEHIND = 600
"""Characters of a text before and behind a path that are looked at."""
_ITEM = lazy(r"[ \t>]*+(?:[-*+\u2022]|\d{1,3}[.)])[ \t]++(?:\[[ xX]\][ \t]++)?")
_BLOCK = lazy(r"[ \t>]*+(?:#{1,6}[ \t]|```|~~~|\||-{3,}[ \t]*$|={3,}[ \t]*$|<!--)")
_HEAD = lazy(r"[ \t>]*+(?:#{1,6}[ \t]++)?")
_FENCE = lazy(r"(?m)^[ \t>]*+(?:[-*+][ \t]++)?(`{3,}|~{3,})([^\n`]*+)$")
_TAG = lazy(r"</?[A-Za-z][\w-]{0,20}>|\*\*|__|(?<!\w)_(?=\w)|(?<=\w)_(?!\w)")
_BLANKS = lazy(r"\s+")
_PLAIN = frozenset({"", "text", "txt", "plain", "plaintext", "console", "terminal", "output", "none"})


class Fences:
    """The fences of a text: of which a place stands in, and what it calls its language."""

    def __init__(self, text: str) -> None:
        self._begins: list[int] = []
        self._fences: list[tuple[int, str]] = []
        mark, begin, info = "", 0, ""
        for found in _FENCE.finditer(text) if "```" in text or "~~~" in text else ():
            if not mark:
                mark, begin, info = found[1], found.start(), found[2].strip().lower()
            elif found[1].startswith(mark) and not found[2].strip():
                self._begins.append(begin)
                self._fences.append((found.end(), info))
                mark = ""
        if mark:
            self._begins.append(begin)
            self._fences.append((len(text), info))

    def at(self, place: int) -> tuple[int, str] | None:
        """Where the fence begins in which a place stands, and the name of its language; none outside of fences."""
        index = bisect_right(self._begins, place) - 1
        if index < 0 or place > self._fences[index][0]:
            return None
        return self._begins[index], self._fences[index][1].split(" ")[0].strip("{}.")


def is_plain(info: str) -> bool:
    """Whether a fence says of no language that it is in: what stands in it may be a command."""
    return info in _PLAIN


def around(text: str, start: int, end: int, fence: int | None = None) -> WordsAround:
    """The words around the characters from ``start`` to ``end``; ``fence``: where the fence begins in which they stand."""
    least = max(0, start - _BEFORE)
    line = max(text.rfind("\n", least, start) + 1, least)
    own = text[line:start]
    if fence is not None:
        return WordsAround(_plain(_lead(text, least, fence, item=False) + " " + own), _line_of(text, end))
    item = _ITEM.match(own)
    joined, at = [own[item.end() :] if item is not None else _HEAD.sub("", own, count=1)], line
    while item is None and _BLOCK.match(own) is None and at > least:
        above = max(text.rfind("\n", least, at - 1) + 1, least)
        own = text[above : at - 1]
        if not own.strip(" \t>") or _BLOCK.match(own) is not None:
            break
        item = _ITEM.match(own)
        joined.insert(0, own[item.end() :] if item is not None else own.lstrip(" \t>"))
        at = above
    lead = _lead(text, least, at, item=item is not None)
    return WordsAround(_plain(" ".join((lead, *joined))), _behind(text, end))


def _lead(text: str, least: int, at: int, *, item: bool) -> str:
    """The paragraph that leads in what begins at a place, where it ends in a colon; of an item, the one above its list."""
    while at > least:
        above = max(text.rfind("\n", least, at - 1) + 1, least)
        line = text[above : at - 1].strip(" \t\r>")
        at = above
        if not line or (item and (_ITEM.match(text, above) is not None or text[above : above + 2] == "  ")):
            continue
        if not line.rstrip("*_` ").endswith((":", "\uff1a")):
            return ""
        words = [line]
        while at > least:
            above = max(text.rfind("\n", least, at - 1) + 1, least)
            line = text[above : at - 1].strip(" \t\r>")
            if not line or _BLOCK.match(line) is not None:
                break
            words.insert(0, line)
            at = above
        return _HEAD.sub("", " ".join(words), count=1)
    return ""


def _behind(text: str, end: int) -> str:
    most = min(len(text), end + _BEHIND)
    lines = text[end:most].split("\n")
    joined = lines[:1]
    for line in lines[1:]:
        if not line.strip(" \t>") or _BLOCK.match(line) is not None or _ITEM.match(line) is not None:
            break
        joined.append(line.lstrip(" \t>"))
    return _plain(" ".join(joined))


def _line_of(text: str, end: int) -> str:
    stop = text.find("\n", end, end + _BEHIND)
    return text[end : stop if stop != -1 else min(len(text), end + _BEHIND)]


def _plain(words: str) -> str:
    return _BLANKS.sub(" ", _TAG.sub("", words))

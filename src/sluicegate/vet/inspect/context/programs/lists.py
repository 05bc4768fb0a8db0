"""Lists and strings in code whose name says that they are looked for."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

_STEMS = (
    r"(?:pattern|regex|signature|blocked|blacklist|block_?list|deny_?list|denied|dangerous|forbidden|malicious"
    r"|suspicious|indicator|detect|iocs?(?![a-z])|threat|risky|unsafe|attack|keyword|destructive|red_?flag|rules?(?![a-z]))"
)
_OPENED = r"[=:][ \t]{0,2}(?:new \w{1,12}|frozenset|set|tuple)?\(?[\[({]"
_OPENING = lazy(_OPENED, re.IGNORECASE)
"""How every ``_NAME`` ends."""
_NAME = lazy(
    rf"(?P<name>{_STEMS}\w{{0,20}})[\"']?(?:: [\w\[\], .|]{{1,60}})?[ \t]{{0,2}}{_OPENED}",
    re.IGNORECASE,
)
_SCALAR = lazy(
    rf"(?P<name>{_STEMS}\w{{0,20}})[\"']?[ \t]{{0,2}}[=:][ \t]{{0,2}}[rRbBu]{{0,2}}[\"'`/]",
    re.IGNORECASE | re.MULTILINE,
)
_END = lazy(r"^[ \t]{0,8}[\])}]+[;,]?[ \t]*$", re.MULTILINE)
_ELEMENT = lazy(
    r"[ \t]*(?:[\[({][ \t]*){0,2}(?:re\.compile\([ \t]*|new RegExp\([ \t]*)?(?:[\"']?\w{1,20}[\"']?\]?[ \t]?[:=][ \t]*)?[rRbBfu]{0,2}[\"'`/]"
)
REACH = 3_000
"""Characters after the name of a list in which its elements are looked for."""
_BEFORE = 400
"""Characters of a line that are looked at before a match."""
_NAME_MOST = 40
"""Characters of a name before the word that gives it away."""


class SoughtLists:
    """Lists and strings in code whose name says that they are looked for."""

    def __init__(self, view: View) -> None:
        self._text = view.text
        self._found = list(_names(view.text))
        self._names = [found.end() for found in self._found]
        self._ends = [found.start() for found in _END.finditer(view.text)] if self._names else []

    def name(self, start: int) -> str:
        """The name of the open list in which a bare string starts here, or of the string itself, or ``""``."""
        line = max(self._text.rfind("\n", 0, start) + 1, start - _BEFORE)
        at = bisect_right(self._names, start) - 1
        if at >= 0 and start - self._names[at] <= REACH:
            end = bisect_right(self._ends, self._names[at])
            closed = end < len(self._ends) and self._ends[end] < start
            if not closed and (line <= self._names[at] or _ELEMENT.match(self._text, line)):
                return _whole(self._text, self._found[at])
        names = list(_SCALAR.finditer(self._text, line, start))
        return _whole(self._text, names[-1]) if names else ""


def _names(text: str) -> Iterator[re.Match[str]]:
    """All that ``_NAME`` finds. It stands on one line, so only lines with an opening of a list are looked at."""
    end = -1
    for opening in _OPENING.finditer(text):
        if opening.start() > end:
            end = text.find("\n", opening.end())
            end = len(text) if end == -1 else end
            yield from _NAME.finditer(text, text.rfind("\n", 0, opening.start()) + 1, end)


def _whole(text: str, found: re.Match[str]) -> str:
    """The whole name of which a match found the telling part."""
    first = found.start("name")
    low = max(0, first - _NAME_MOST)
    while first > low and (text[first - 1].isalnum() or text[first - 1] in "_$"):
        first -= 1
    return text[first : found.end("name")]

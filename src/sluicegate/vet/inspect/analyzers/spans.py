"""What a matching rule shows of a text: the spans of its patterns, with what its metadata asks of them.

The metadata are those of ``PatternRule``; the rule's condition has been met when this is asked.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from sluicegate.patterns import compiled
from sluicegate.vet.inspect.analyzers.repetition import Thinned
from sluicegate.vet.inspect.compile import PatternRule
from sluicegate.vet.inspect.near import Span, holds, named
from sluicegate.vet.lazy import lazy

if TYPE_CHECKING:
    import yara_x

MATCHES = 500
"""Matches of one pattern in one view; where there are more, a gap says that the rest were not looked at."""
BEFORE = 300
"""Bytes in front of a match in which what must stand before it is looked for."""


def spans_of(
    data: bytes, rule: yara_x.Rule, pattern: PatternRule, thin: Thinned | None = None
) -> tuple[list[Span], bool]:
    """Where the rule's main patterns matched, in bytes, and whether there were too many to tell.

    Overlapping matches are one: the longest. Patterns called ``$_...`` only help: a condition, ``unless``
    or ``near``. A rule without main patterns stands for the first line. ``thin`` is what was looked at in the
    place of ``data``.

    Of a pattern with more matches than are listed, the first are: so there were too many to tell where what is
    asked of a match may stand beside one that is not listed, or be one.
    """
    places = {
        each.identifier.removeprefix("$"): [(m.offset, m.offset + m.length) for m in each.matches]
        for each in rule.patterns
    }
    if thin is not None:
        places = {name: thin.again(spans, MATCHES) for name, spans in places.items()}
    if pattern.near and not holds(pattern.near, places):
        return [], any(len(places.get(name, ())) >= MATCHES for name in named(pattern.near))
    if any(places.get(name) for name in pattern.lacks):
        return [], False
    found: list[Span] = []
    shown: list[Span] = []
    excused: list[int] = []
    main = cut = False
    for name, spans in places.items():
        if name in pattern.unless:
            excused += (start for start, _ in spans)
        if name.startswith("_"):
            continue
        main = True
        cut = cut or len(spans) >= MATCHES
        if name in pattern.before:
            spans = _joined(data, spans, pattern.before[name])
        if name in pattern.after:
            spans = _followed(data, spans, pattern.after[name])
        if name in pattern.rest:
            most = int(pattern.rest[name])
            spans = [(start, _line_end(data, end, most)) for start, end in spans]
        found += spans
        if name == pattern.evidence:
            shown = spans
    merged = _merged(shown or found)
    if excused:
        excused.sort()
        merged = [span for span in merged if not _excused(data, span, excused)]
    return merged if main else [(0, 0)], cut


def helping(data: bytes, rule: yara_x.Rule, pattern: PatternRule, thin: Thinned | None = None) -> list[Span]:
    """Where the rule's helping patterns matched, on which it rests as much as on what it shows."""
    found: set[Span] = set()
    for each in rule.patterns:
        name = each.identifier.removeprefix("$")
        helps = name.startswith("_") or (pattern.evidence and name != pattern.evidence)
        if helps and name not in pattern.unless and name not in pattern.lacks:
            spans = [(m.offset, m.offset + m.length) for m in each.matches]
            found.update(spans if thin is None else thin.again(spans, MATCHES))
    return sorted(found)


def word_at(data: bytes, span: Span) -> str:
    """What was matched, to the white space around it."""
    start, end = span
    low = max(0, start - BEFORE)
    first = max(low, *(data.rfind(white, low, start) + 1 for white in (b" ", b"\t", b"\n")))
    after = _BLACK.match(data, end, end + BEFORE)
    return data[first : after.end() if after else end].decode("utf-8", "replace")


_BLACK = lazy(rb"\S*")


def _followed(data: bytes, spans: Sequence[Span], after: str) -> list[Span]:
    """The spans at whose end ``after`` matches, to where that ends."""
    wanted = pattern_beside(after)
    joined: list[Span] = []
    for start, end in spans:
        found = wanted.match(data, end, end + BEFORE)
        if found is not None:
            joined.append((start, found.end()))
    return joined


def _line_end(data: bytes, end: int, most: int) -> int:
    stop = data.find(b"\n", end - 1, end + most)
    return stop if stop != -1 else min(len(data), end + most)


def _excused(data: bytes, span: Span, offsets: Sequence[int]) -> bool:
    at = bisect_left(offsets, span[0])
    return at < len(offsets) and offsets[at] < span[1] and data.count(b"://", *span) < 2


def _joined(data: bytes, spans: Sequence[Span], before: str) -> list[Span]:
    """The spans that have a match of ``before`` in front of them on their line, from where that begins."""
    wanted = pattern_beside(before)
    joined: list[Span] = []
    for start, end in spans:
        low = max(0, start - BEFORE)
        line = data.rfind(b"\n", low, start)
        while line > low and data[line - 1 : line] == b"\\":
            line = data.rfind(b"\n", low, line)
        first = wanted.search(data, max(low, line + 1), start)
        if first is not None:
            joined.append((first.start(), end))
    return joined


@lru_cache(maxsize=64)
def pattern_beside(text: str) -> re.Pattern[bytes]:
    """The pattern for what stands before, after or around a match, as the metadata of a rule hold it."""
    return compiled(text.encode())


def _merged(spans: list[Span]) -> list[Span]:
    """Spans of which no two overlap: of each run of overlapping ones, the longest, the first of equals."""
    kept: list[Span] = []
    reach = -1
    for start, end in sorted(spans):
        if start < reach and kept:
            reach = max(reach, end)
            if end - start > kept[-1][1] - kept[-1][0]:
                kept[-1] = (start, end)
        else:
            kept.append((start, end))
            reach = end
    return kept

"""Whether every text in which a pattern matches holds one of some words: told from the pattern, for all texts at once.

What a match has read is followed character by character, for all ways through the pattern together: of each way the
end of what is surely there is kept, and a way that has read a word is done. If all are done, no match is without a
word. What is not followed (a class of many characters, a reference back) is taken for anything.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

from sluicegate.vet.hints import lower

MOST_CHARACTERS, MOST_WAYS = 70, 5000
ANYTHING = frozenset({""})
Ways = frozenset[str]
"""For each way that has read no word yet, the end of what it has read; what stood before is not known."""


def every_match_holds(pattern: re.Pattern[str], words: Iterable[str], *, in_lower: bool = False) -> bool:
    """Whether a text in which the pattern matches always holds one of the words; ``in_lower``: its ``hints.lower`` does.

    ``False`` also where it cannot be told.
    """
    parsed = _parser.parse(pattern.pattern, pattern.flags)
    return not _Follower(tuple(words), in_lower).after(ANYTHING, parsed, parsed.state.flags)


class _Follower:
    """Follows the ways through a pattern until they have read one of the words."""

    def __init__(self, words: tuple[str, ...], in_lower: bool) -> None:
        self._words = words
        self._in_lower = in_lower
        self._kept = max(map(len, words)) - 1

    def after(self, ways: Ways, items: Sequence[tuple[Any, Any]], flags: int) -> Ways:
        """The ways that are left after these parts of a pattern."""
        for code, argument in items:
            if not ways:
                return ways
            ways = self._after_one(ways, code, argument, flags)
        return ways

    def _after_one(self, ways: Ways, code: Any, argument: Any, flags: int) -> Ways:
        match code, argument:
            case sre.LITERAL, int(char):
                return self._read(ways, [char], flags)
            case sre.IN, members:
                return self._read(ways, _characters(members), flags)
            case sre.BRANCH, (_, alternatives):
                return self._together(self.after(ways, one, flags) for one in alternatives)
            case sre.SUBPATTERN, (_, added, removed, items):
                return self.after(ways, items, (flags | added) & ~removed)
            case sre.ATOMIC_GROUP, items:
                return self.after(ways, items, flags)
            case ((sre.MAX_REPEAT | sre.MIN_REPEAT | sre.POSSESSIVE_REPEAT), (least, most, items)):
                return self._repeated(ways, least, most, items, flags)
            case sre.ASSERT, (-1, items):  # what stands before is as surely there as what was read
                return self.after(ANYTHING, items, flags)
            case sre.ASSERT, (_, items):
                return ways if self.after(ways, items, flags) else frozenset()
            case ((sre.ASSERT_NOT | sre.AT), _):
                return ways
            case _:
                return ANYTHING

    def _repeated(self, ways: Ways, least: int, most: int, items: Any, flags: int) -> Ways:
        for _ in range(least):
            ways = self.after(ways, items, flags)
        found, last = ways, ways
        for _ in range(min(most, MOST_WAYS) - least):
            last = self.after(last, items, flags) - found
            if not last:
                return found
            found = self._together([found, last])
        return found if most < MOST_WAYS else ANYTHING

    def _read(self, ways: Ways, characters: Sequence[int] | None, flags: int) -> Ways:
        if characters is None:
            return ANYTHING
        read = {text for each in characters for text in self._texts(each, flags)}
        return self._together({way + text} for way in ways for text in read)

    def _texts(self, char: int, flags: int) -> Iterable[str]:
        """What a character of the pattern stands for, as it is looked at."""
        variants = _cased(char) if flags & re.IGNORECASE else (chr(char),)
        return {lower(one) for one in variants} if self._in_lower else variants

    def _together(self, parts: Iterable[Iterable[str]]) -> Ways:
        left = {
            way[-self._kept :] if self._kept else ""
            for part in parts
            for way in part
            if not any(word in way for word in self._words)
        }
        return frozenset(left) if len(left) <= MOST_WAYS else ANYTHING


def _characters(members: Sequence[tuple[Any, Any]]) -> list[int] | None:
    """The characters of a class, if they are few and it names them."""
    found: list[int] = []
    for code, argument in members:
        match code, argument:
            case sre.LITERAL, int(char):
                found.append(char)
            case sre.RANGE, (first, last) if last - first <= MOST_CHARACTERS:
                found += range(first, last + 1)
            case _:
                return None
    return found if len(found) <= MOST_CHARACTERS else None


@cache
def _cased(char: int) -> tuple[str, ...]:
    """Every character that one stands for where case is ignored."""
    return tuple(filter(re.compile(re.escape(chr(char)), re.IGNORECASE).fullmatch, _letters()))


@cache
def _letters() -> tuple[str, ...]:
    """ASCII, and all that has case."""
    every = map(chr, range(sys.maxunicode + 1))
    return tuple(one for one in every if one.isascii() or one.lower() != one or one.upper() != one)

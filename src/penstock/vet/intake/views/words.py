"""Whether one of many words stands in a text, with fewer passes over it than a search for each word.

Letters that are rare in English and in programs are read as one, so that a single pattern, whose first letter
is quickly looked for, finds every word that has such a letter. Words without any are searched for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from penstock.vet.lazy import lazy

_RARE = b"qzjxkv"
"""Letters that are read as one. With more of them the pattern is tried too often: a search for a word costs less."""
_ALIKE = bytes.maketrans(_RARE, _RARE[:1] * len(_RARE))
_LONG = 32_768  # characters; in a longer text it is asked first
_SHORT = 512  # characters; in a shorter one a search for each word costs less than to compile the patterns
_OFTEN = 10  # of so many characters one may be such a letter, else a search for each word is cheaper


class AnyWord:
    """A necessary condition of there being one of ``words`` (lower case, ASCII) in a text in lower case.

    It takes words that differ in rare letters alone for one another.
    """

    def __init__(self, words: Sequence[bytes]) -> None:
        self._words = tuple(words)
        rare = [word for word in words if not set(_RARE).isdisjoint(word)]
        self._common = [word for word in words if word not in rare]
        self._pattern: re.Pattern[bytes] = lazy(b"|".join(map(_around, rare)) or b"(?!)")

    def may_stand_in(self, lower: bytes) -> bool:
        """Whether one of the words, or one like it, stands in the text."""
        if len(lower) < _SHORT:
            return any(lower.find(word) != -1 for word in self._words)
        alike = lower.translate(_ALIKE)
        if len(alike) > _LONG and alike.count(_RARE[:1]) * _OFTEN > len(alike):
            return True
        if self._pattern.search(alike):
            return True
        return any(lower.find(word) != -1 for word in self._common)  # ``in`` costs an exception first


def _around(word: bytes) -> bytes:
    """A pattern of ``word`` that begins at its rarest letter, and at its end looks back over all of it."""
    at = next(word.index(rare) for rare in _RARE if rare in word)
    word = word.translate(_ALIKE)
    return re.escape(word[at:]) + (b"(?<=%b)" % re.escape(word) if at else b"")

"""Whether one of many words stands in a text, with fewer passes over it than a search for each word.

Letters that are rare in English and in programs are read as one, so that a single pattern, whose first letter
is looked for at the speed of ``memchr``, finds every word that has such a letter. Words without any are
searched for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from penstock.vet.lazy import lazy

_RARE = (b"qzjxkwvf", b"gbh", b"um")
"""Letters that are read as one, rarest first. With more of them as one a pattern is tried too often."""
_ALIKE = bytes.maketrans(b"".join(_RARE), b"".join(letters[:1] * len(letters) for letters in _RARE))
_LONG = 32_768  # characters; in a longer text it is asked first
_SHORT = 512  # characters; in a shorter one a search for each word costs less than to compile the patterns
_OFTEN = 10  # of so many characters one may be such a letter, else a search for each word is cheaper


class AnyWord:
    """A necessary condition of there being one of ``words`` (lower case, ASCII) in a text in lower case.

    It takes words that differ in rare letters alone for one another.
    """

    def __init__(self, words: Sequence[bytes]) -> None:
        self._words = tuple(words)
        self._common = list(words)
        self._patterns: list[tuple[bytes, re.Pattern[bytes]]] = []
        for letters in _RARE:
            mine = [word for word in self._common if not set(letters).isdisjoint(word)]
            self._common = [word for word in self._common if word not in mine]
            pattern = b"|".join(_around(word, letters) for word in mine)
            self._patterns.append((letters[:1], lazy(pattern or b"(?!)")))

    def may_stand_in(self, lower: bytes) -> bool:
        """Whether one of the words, or one like it, stands in the text."""
        if len(lower) < _SHORT:
            return any(word in lower for word in self._words)
        alike = lower.translate(_ALIKE)
        for letter, pattern in self._patterns:
            if len(alike) > _LONG and alike.count(letter) * _OFTEN > len(alike):
                return True
            if pattern.search(alike):
                return True
        return any(word in lower for word in self._common)


def _around(word: bytes, letters: bytes) -> bytes:
    """A pattern of ``word`` that begins at its rarest letter, and at its end looks back over all of it."""
    at = next(word.index(rare) for rare in letters if rare in word)
    word = word.translate(_ALIKE)
    return re.escape(word[at:]) + (b"(?<=%b)" % re.escape(word) if at else b"")

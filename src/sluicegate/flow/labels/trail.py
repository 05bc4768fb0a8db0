"""The trail: which operations a value went through, in order (security model, part 1.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, final

MOST_WORDS: Final = 256
"""How many words a trail holds; one more, ``…``, says that there were others."""

MORE: Final = "…"
_LONGEST = 160


@final
class Trail:
    """Different words in the order they were added: ``mcp:createIssue``, ``cmd:git:status``, ``guard:mask``.

    Never changes. Words name operations, never values; one that a stranger chose (the name of a tool) is cut
    to 160 characters, and what does not print in it becomes ``?``.
    """

    __slots__ = ("words",)
    words: tuple[str, ...]

    def __new__(cls, words: Iterable[str] = ()) -> Trail:
        return _made(_bounded(_plain(word) for word in words))

    @staticmethod
    def of(*words: str) -> Trail:
        """The trail with these words."""
        return Trail(words) if words else NO_TRAIL

    def add(self, word: str) -> Trail:
        """This trail, with one more word at its end unless it has that word already."""
        return self.join(Trail((word,)))

    def join(self, other: Trail) -> Trail:
        """This trail, then the words of ``other`` that it does not have."""
        if self is other or not other.words:
            return self
        if not self.words:
            return other
        words = _bounded((*self.words, *other.words))
        return self if words == self.words else _made(words)

    __or__ = join

    def __contains__(self, word: object) -> bool:
        return word in self.words

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __len__(self) -> int:
        return len(self.words)

    def __eq__(self, other: object) -> bool:
        return self.words == other.words if isinstance(other, Trail) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.words)

    def __repr__(self) -> str:
        return f"Trail({', '.join(self.words)})"

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a trail does not change")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a trail does not change")

    def __reduce__(self) -> tuple[object, tuple[tuple[str, ...]]]:
        return Trail, (self.words,)


def _made(words: tuple[str, ...]) -> Trail:
    """A trail of words that are plain and within bounds."""
    trail = object.__new__(Trail)
    object.__setattr__(trail, "words", words)
    return trail


def _plain(word: str) -> str:
    text = word if len(word) <= _LONGEST else f"{word[: _LONGEST - 1]}{MORE}"
    return text if text.isprintable() else "".join(char if char.isprintable() else "?" for char in text)


def _bounded(words: Iterable[str]) -> tuple[str, ...]:
    different = dict.fromkeys(words)
    more = different.pop(MORE, MORE) is None
    kept = tuple(different)
    return (*kept[:MOST_WORDS], MORE) if more or len(kept) > MOST_WORDS else kept


NO_TRAIL: Final = Trail()
"""The trail of what went through nothing yet."""

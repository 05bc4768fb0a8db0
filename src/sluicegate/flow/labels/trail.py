"""The trail: which operations a value went through, in order, and which events it comes from.

The words of a trail can be seen by everybody. The ids of events cannot: they are numbers that count all events, those in
branches on a secret too. So they stand in no text and no comparison, and only ``events_of`` has them, for the ledger.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, final

MOST_WORDS: Final = 256
"""How many words a trail holds; one more, ``…``, says that there were others."""

MORE: Final = "…"
MOST_EVENTS: Final = 64
"""How many events a value can come from directly; one more, ``…``, says that there were others."""

_LONGEST = 160


@final
class Trail:
    """Different words in the order they were added: ``mcp:createIssue``, ``cmd:git:status``, ``guard:mask``.

    Never changes. Words name operations, never values; one that a stranger chose (the name of a tool) is cut
    to 160 characters, and what does not print in it becomes ``?``.
    """

    __slots__ = ("_events", "words")
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
        if self is other or other is NO_TRAIL:
            return self
        if self is NO_TRAIL:
            return other
        mine, others = _read_events(self), _read_events(other)
        events = mine if others == mine or not others else _few((*mine, *others), MOST_EVENTS)
        words = _bounded((*self.words, *other.words)) if other.words else self.words
        return self if words == self.words and events == mine else _made(words, events)

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


_read_events: Final = Trail.__dict__["_events"].__get__
_write_events: Final = Trail.__dict__["_events"].__set__
delattr(Trail, "_events")  # as with the content of a value, no attribute leads there


def _made(words: tuple[str, ...], events: tuple[str, ...] = ()) -> Trail:
    """A trail of words that are plain and within bounds."""
    trail = object.__new__(Trail)
    object.__setattr__(trail, "words", words)
    _write_events(trail, events)
    return trail


def events_of(trail: Trail) -> tuple[str, ...]:
    """The ids of the events that a value with this trail comes from directly; for the ledger alone."""
    events: tuple[str, ...] = _read_events(trail)
    return events


def coming_from(trail: Trail, *events: str) -> Trail:
    """The trail with these events in place of its own; those in turn say what they follow from."""
    return _made(trail.words, events if len(events) < 2 else _few(events, MOST_EVENTS))


def _plain(word: str) -> str:
    text = word if len(word) <= _LONGEST else f"{word[: _LONGEST - 1]}{MORE}"
    return text if text.isprintable() else "".join(char if char.isprintable() else "?" for char in text)


def _bounded(words: Iterable[str]) -> tuple[str, ...]:
    return _few(words, MOST_WORDS)


def _few(words: Iterable[str], most: int) -> tuple[str, ...]:
    different = dict.fromkeys(words)
    more = different.pop(MORE, MORE) is None
    kept = tuple(different)
    return (*kept[:most], MORE) if more or len(kept) > most else kept


NO_TRAIL: Final = Trail()
"""The trail of what went through nothing yet."""

"""Matchers: the scanners of YARA-X, which lets none but the thread that made one use it, or drop it."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import yara_x


class _OfThread(threading.local):
    """What one thread made: a matcher for each of its ``Matchers``, by their ids.

    It is kept here and not there, so that nothing is dropped in a thread that did not make it: what belongs to
    ``Matchers`` that are gone goes when they go in the same thread, else when the thread makes its next one or ends.
    """

    def __init__(self) -> None:
        self.made: dict[int, tuple[weakref.ref[Matchers], yara_x.Scanner]] = {}

    def forget(self, gone: weakref.ref[Matchers]) -> None:
        for key, (owner, _) in list(self.made.items()):
            if owner is gone or owner() is None:
                del self.made[key]


_HERE = _OfThread()


class Matchers:
    """One matcher of the same rules for each thread; the rules are made when the first is asked for.

    ``most`` is the number of matches of one pattern in one text that are kept; ``seconds`` what one text may take, where
    that is bounded: a search that takes longer raises ``yara_x.TimeoutError``.
    """

    def __init__(self, rules: Callable[[], yara_x.Rules], most: int, seconds: int | None = None) -> None:
        self._make = rules
        self._most = most
        self._seconds = seconds

    @cached_property
    def _rules(self) -> yara_x.Rules:
        rules = self._make()
        self._make = lambda: rules  # the bytes that they were made of are not kept
        return rules

    @property
    def made(self) -> bool:
        """Whether the rules are made, so that a search costs no more than itself."""
        return "_rules" in self.__dict__

    @property
    def own(self) -> yara_x.Scanner:
        """The matcher of this thread."""
        found = _HERE.made.get(id(self))
        if found is not None and found[0]() is self:
            return found[1]
        import yara_x

        own = yara_x.Scanner(self._rules)
        own.max_matches_per_pattern(self._most)
        if self._seconds is not None:
            own.set_timeout(self._seconds)
        owner = weakref.ref(self, _HERE.forget)
        _HERE.forget(owner)
        _HERE.made[id(self)] = (owner, own)
        return own

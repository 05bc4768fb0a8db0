"""Scanners of YARA-X, which lets none but the thread that made one use it, or drop it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import yara_x


class Scanners:
    """One scanner of the same rules for each thread; the rules are made when the first is asked for.

    ``most`` is the number of matches of one pattern in one text that are kept.
    """

    def __init__(self, rules: Callable[[], yara_x.Rules], most: int) -> None:
        self._make = rules
        self._most = most
        self._threads = threading.local()

    @cached_property
    def _rules(self) -> yara_x.Rules:
        rules = self._make()
        self._make = lambda: rules  # the bytes that they were made of are not kept
        return rules

    @property
    def made(self) -> bool:
        """Whether the rules are made, so that a scan costs no more than itself."""
        return "_rules" in self.__dict__

    @property
    def own(self) -> yara_x.Scanner:
        """The scanner of this thread."""
        own: yara_x.Scanner | None = getattr(self._threads, "scanner", None)
        if own is None:
            import yara_x

            own = self._threads.scanner = yara_x.Scanner(self._rules)
            own.max_matches_per_pattern(self._most)
        return own

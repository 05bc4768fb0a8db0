"""How long fetching may take in all, so that a server which drips cannot hold a gate for ever.

Bounds of a scan are on bytes and counts; this one is on time, and what it gives is not a report but an error: nothing was
fetched, and nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable

from sluicegate.vet.errors import SourceError

SECONDS = 600.0
"""For one download or clone, redirects included."""
Clock = Callable[[], float]
"""Seconds that only ever grow."""


class Deadline:
    """The point in time at which fetching is given up."""

    def __init__(self, seconds: float, clock: Clock) -> None:
        self._seconds = seconds
        self._clock = clock
        self._end = clock() + seconds

    def left(self, most: float) -> float:
        """The seconds that are left, ``most`` at most. Raises SourceError when there are none."""
        left = self._end - self._clock()
        if left <= 0:
            hint = "Fetch it yourself and scan what you have."
            raise SourceError(f"fetching took longer than {self._seconds:.0f} seconds", hint=hint)
        return min(left, most)

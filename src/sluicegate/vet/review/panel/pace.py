"""How fast a seat may be asked: so many requests and so many tokens in any minute, and not while it wants a pause."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from sluicegate.vet.review.providers.seats import SeatSettings

_MINUTE = 60.0


class SeatPace:
    """The pace of one seat. Whoever asks first goes first."""

    def __init__(
        self, seat: SeatSettings, clock: Callable[[], float], sleep: Callable[[float], Awaitable[None]]
    ) -> None:
        self._requests, self._tokens = seat.requests_per_minute, seat.tokens_per_minute
        self._clock, self._sleep = clock, sleep
        self._sent: deque[tuple[float, int]] = deque()
        self._not_before = float("-inf")
        self._turn = asyncio.Lock()

    async def turn(self, tokens: int) -> None:
        """Wait until a question of so many tokens may go out, and count it.

        One that is larger than what a minute allows goes out alone in its minute: it would wait for ever.
        """
        async with self._turn:
            while (wait := self._wait(tokens)) > 0:
                await self._sleep(wait)
            self._sent.append((self._clock(), tokens))

    def pause(self, seconds: float) -> None:
        """Let nothing out for so long."""
        self._not_before = max(self._not_before, self._clock() + seconds)

    def _wait(self, tokens: int) -> float:
        now = self._clock()
        while self._sent and self._sent[0][0] + _MINUTE <= now:
            self._sent.popleft()
        until = self._not_before
        if self._requests is not None and len(self._sent) >= self._requests:
            until = max(until, self._sent[len(self._sent) - self._requests][0] + _MINUTE)
        if self._tokens is not None:
            used = sum(each for _, each in self._sent)
            for at, each in self._sent:
                if used + tokens <= self._tokens:
                    break
                until, used = max(until, at + _MINUTE), used - each
        return until - now

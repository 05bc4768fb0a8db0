"""What goes into the answer to one request over HTTP, or into the stream of a session, and is kept for whoever asks for the rest.

1. Each message has a number. Whoever reads goes on behind the last one that it has, also after its connection broke off
   (``Last-Event-ID``): what it missed is told first.
2. What is kept is bounded. The oldest are dropped first, and the last one, which answers, never; whoever asks for what was dropped
   is told so.
3. One reads at a time: who comes later has it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from typing import Final

from sluicegate.reach.mcp.gateway.messages import Id

MOST_KEPT: Final = 1_000
MOST_BYTES: Final = 8 * 1024 * 1024


class Answering:
    """One answer. ``stream`` names it in its session; ``id`` and ``token`` are those of the client."""

    def __init__(
        self, stream: int, id: Id | None = None, token: object = None, *, most: int = MOST_KEPT
    ) -> None:
        self.stream, self.id, self.token, self._most = stream, id, token, most
        self._kept: deque[bytes] = deque()
        self._first, self._size = 1, 0
        self._more = asyncio.Event()
        self._reads: object = None
        self.open, self.streamed, self.read = True, False, 0
        """``open``: more is to come; ``streamed``: it is a stream of events; ``read``: the number of the last that was read."""

    def put(self, data: bytes, *, last: bool = False) -> None:
        """Something more, and whether it is the last."""
        self._kept.append(data)
        self._size += len(data)
        while len(self._kept) > 1 and (len(self._kept) > self._most or self._size > MOST_BYTES):  # 2
            self._size -= len(self._kept.popleft())
            self._first += 1
        self.open = not last
        self._more.set()

    @property
    def is_read(self) -> bool:
        """Whether somebody reads."""
        return self._reads is not None

    @property
    def is_whole(self) -> bool:
        """Whether the answer is there, and nothing came before it."""
        return not self.open and self._first == 1 and len(self._kept) == 1

    @property
    def size(self) -> int:
        """The bytes that are kept."""
        return self._size

    def has(self, number: int) -> bool:
        """Whether nothing is missing behind a message of this number."""
        return self._first - 1 <= number < self._first + len(self._kept)

    async def follow(
        self, own: object, after: int, patience: float | None = None
    ) -> AsyncGenerator[tuple[int, bytes], None]:
        """The messages behind a number, until the last. Number 0, once, where none came in ``patience`` seconds. ``own`` is who reads;
        it ends where somebody else does (3)."""
        self._reads = own
        self._more.set()  # who read before learns of it
        try:
            while self._reads is own:
                after = max(after, self._first - 1)
                if after < self._first + len(self._kept) - 1:
                    after += 1
                    self.read = after
                    yield after, self._kept[after - self._first]
                elif not self.open:
                    return
                else:
                    self._more.clear()
                    try:
                        await asyncio.wait_for(self._more.wait(), patience)
                    except TimeoutError:
                        patience = None
                        yield 0, b""
        finally:
            if self._reads is own:
                self._reads = None

    def leave(self, own: object) -> None:
        """This one does not read any more."""
        if self._reads is own:
            self._reads = None
            self._more.set()

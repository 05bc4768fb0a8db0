"""One server as the core knows it: what it was asked and has not answered, whether it is there, and starting it again.

1. The gateway gives each request an id of its own. An answer to an id that is not out is dropped: it came too late, or is a lie.
2. Everything that is asked gets one answer: the server's, or ``Lost`` where it ends, or takes too long.
3. A server that has ended is started when it is next asked, ``starts`` times in ``WINDOW`` seconds. Where the client
   shook hands, the server that is started is given the same handshake before anything else.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Raw, Struct

from sluicegate.reach.mcp.gateway import messages
from sluicegate.reach.mcp.gateway.happenings import Command, Start, Stop, ToServer
from sluicegate.reach.mcp.gateway.messages import Id, RpcReply

MOST_STARTS: Final = 5
WINDOW: Final = 60.0
MOST_MALFORMED: Final = 100
MOST_UNASKED: Final = 5_000
"""Between two ticks."""

PATIENCE: Final = 60.0
"""Seconds to wait for what no tool does: a handshake, a list."""


class NoReply(Struct, frozen=True):
    """There will be no answer."""

    why: str


Answer = RpcReply | NoReply


class Out(Struct):
    """A request that is out. ``client`` is what the client calls it, ``token`` its progress token."""

    done: Callable[[Answer], None]
    deadline: float
    client: Id | None = None
    token: Any = None


class Upstream:
    """A server. ``emit`` takes commands; ``now`` is moved by ``tick``."""

    def __init__(self, name: str, emit: Callable[[Command], None], starts: int = MOST_STARTS) -> None:
        self.name, self._emit, self._most_starts = name, emit, starts
        self.out: dict[int, Out] = {}
        self.there = True
        self.capabilities: dict[str, Any] | None = None
        self.handshake: Raw | None = None
        """What the client shook hands with, once the server has answered it."""

        self.now = 0.0
        self._next = 0
        self._starting = False
        self._waiting: list[Callable[[], None]] = []
        self._starts: deque[float] = deque()
        self._malformed = 0
        self._unasked = 0

    def ask(
        self,
        method: str,
        params: Raw,
        done: Callable[[Answer], None],
        *,
        patience: float = PATIENCE,
        client: Id | None = None,
        token: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Send a request; ``done`` gets its answer (2). ``headers`` are those that repeat its arguments."""

        def send() -> None:
            if not self.there:
                done(NoReply(f"the server {self.name} cannot be started"))
                return
            self._next += 1
            self.out[self._next] = Out(done, self.now + patience, client, token)
            self._emit(ToServer(self.name, messages.request(self._next, method, params), headers))

        if self.there and not self._starting:
            send()
        elif self._starting or self._start():
            self._waiting.append(send)
            if not self._starting:
                self._awake()
        else:
            done(
                NoReply(
                    f"the server {self.name} has ended {self._most_starts} times within a minute, and is left alone"
                )
            )

    def _start(self) -> bool:
        """Start it again (3); False if it was started too often."""
        while self._starts and self._starts[0] <= self.now - WINDOW:
            self._starts.popleft()
        if len(self._starts) >= self._most_starts:
            return False
        self._starts.append(self.now)
        self.there, self._malformed = True, 0
        self._emit(Start(self.name))
        if self.handshake is not None:
            self._starting = True
            self._next += 1
            self.out[self._next] = Out(self._shaken, self.now + PATIENCE)
            self._emit(ToServer(self.name, messages.request(self._next, "initialize", self.handshake)))
        return True

    def _shaken(self, answer: Answer) -> None:
        self._starting = False
        if isinstance(answer, NoReply) or answer.result is None:
            self.there = False
        else:
            self.tell("notifications/initialized", messages.encoded({}))
        self._awake()

    def _awake(self) -> None:
        waiting, self._waiting = self._waiting, []
        for send in waiting:
            send()

    def tell(self, method: str, params: Raw) -> None:
        """Send a notification, if it is there."""
        if self.there:
            self._emit(ToServer(self.name, messages.notification(method, params)))

    def reply(self, id: Id, reply: RpcReply) -> None:
        """Answer what it has asked."""
        if self.there:
            data = (
                messages.result(id, reply.result)
                if reply.result is not None
                else messages.failure(id, reply.error or messages.error(messages.INTERNAL_ERROR, "no answer"))
            )
            self._emit(ToServer(self.name, data))

    def answered(self, reply: RpcReply) -> bool:
        """It has answered (1); False where nothing was asked."""
        found = self.out.pop(reply.id, None) if isinstance(reply.id, int) else None
        if found is not None:
            found.done(reply)
        return found is not None

    def malformed(self, why: str) -> None:
        """It has said what is not a message."""
        self._malformed += 1
        if self._malformed > MOST_MALFORMED and self.there:
            self._emit(Stop(self.name, f"what it says is not MCP: {why}"))

    def unasked(self) -> bool:
        """Whether it may say what nobody has asked for: a notification, a request, an answer to nothing. One that floods is stopped."""
        self._unasked += 1
        if self._unasked == MOST_UNASKED + 1:
            self._emit(
                Stop(
                    self.name,
                    f"it sends more than {MOST_UNASKED} messages in a second that nobody has asked for",
                )
            )
        return self._unasked <= MOST_UNASKED

    def ended(self, why: str) -> None:
        """It is gone: nothing that is out will be answered."""
        self.there = self._starting = False
        lost, self.out = self.out, {}
        for each in lost.values():
            each.done(NoReply(why))
        self._awake()

    def tick(self, now: float) -> None:
        """Time has passed: what takes too long is lost, and the server is told so."""
        self.now, self._unasked = now, 0
        late = [id for id, each in self.out.items() if each.deadline <= now]
        for id in late:
            found = self.out.pop(id, None)
            if found is not None:
                self.cancel(id, "it took too long")
                found.done(NoReply(f"the server {self.name} did not answer in time"))

    def cancel(self, id: int, reason: str) -> None:
        """Tell it that nobody waits for an answer any more."""
        self.tell("notifications/cancelled", messages.encoded({"requestId": id, "reason": reason}))

"""The client side of one core over HTTP: which answer, or which stream, each message belongs to.

1. What belongs to a request goes into its answer; anything else into the stream that the client keeps open for that (``GET``), and
   waits there if it is not open.
2. An answer that was begun as a stream is taken up again by whoever names the last message that it has. One that is whole is
   kept a while for that.
3. Where several clients share a core (``shared``), their ids may be the same, so each request is given another one inside. Of whoever
   leaves, what was asked is cancelled.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Final, Protocol

from sluicegate.reach.mcp.gateway import messages
from sluicegate.reach.mcp.gateway.core import SUBSCRIPTION
from sluicegate.reach.mcp.gateway.decided import meta_of
from sluicegate.reach.mcp.gateway.happenings import ClientSaid, Event
from sluicegate.reach.mcp.gateway.http.answering import Answering
from sluicegate.reach.mcp.gateway.messages import Id, RpcNotification, RpcReply, RpcRequest

_MOST_WAITING: Final = 100
_MOST_WHOLE: Final = 50
_MOST_BYTES: Final = 16 * 1024 * 1024


class Served(Protocol):
    """A core with its servers, for one session."""

    def happened(self, event: Event, /) -> None: ...
    async def close(self) -> None: ...


class IdInUse(Exception):
    """A client has asked under this id already, and has no answer yet."""


class HttpSession:
    """One session. ``name``: what the client calls it; ``principal`` whose it is; ``flow`` the session that it is decided in."""

    def __init__(self, name: str, principal: str, flow: str, *, shared: bool) -> None:
        self.name, self.principal, self.flow, self.shared = name, principal, flow, shared
        self.served: Served | None = None
        self.used = 0.0
        self.listening = Answering(0, most=_MOST_WAITING)
        self._answers: dict[Id, Answering] = {}
        self._whole: deque[Answering] = deque()
        self._streams = self._next = 0

    def send(self, data: bytes) -> None:
        """The core says something to the client (1)."""
        said = messages.read(data)
        if isinstance(said, RpcReply):
            found = self._answers.pop(said.id, None)
            if found is not None:
                found.put(_with_id(said, found.id) if self.shared else data, last=True)
                self._keep(found)
            return
        whose = self._whose(said) if isinstance(said, RpcNotification) else None
        if whose is not None:
            whose[0].put(whose[1] or data)
        elif isinstance(said, RpcRequest) and self._answers and not self.listening.is_read:
            next(reversed(self._answers.values())).put(data)
        elif not self.shared or self.listening.is_read:
            self.listening.put(data)

    def _keep(self, answered: Answering) -> None:
        """Keep a stream that is whole for a while (2)."""
        if self.shared or (answered.is_whole and not answered.streamed):
            return
        self._whole.append(answered)
        while len(self._whole) > _MOST_WHOLE or sum(each.size for each in self._whole) > _MOST_BYTES:
            self._whole.popleft()

    def _whose(self, said: RpcNotification) -> tuple[Answering, bytes] | None:
        """The answer that a notification belongs to, and the notification as its client knows it."""
        params = messages.members(said.params)
        token, subscription = params.get("progressToken"), meta_of(params).get(SUBSCRIPTION)
        if isinstance(subscription, int | str) and subscription in self._answers:
            found = self._answers[subscription]
            meta = {**meta_of(params), SUBSCRIPTION: found.id}
            return found, messages.notification(said.method, messages.encoded({**params, "_meta": meta}))
        if token is None:
            return None
        if self.shared:
            inner = self._answers.get(token) if isinstance(token, str) else None
            if inner is None:
                return None
            told = messages.encoded({**params, "progressToken": inner.token})
            return inner, messages.notification(said.method, told)
        return next(((each, b"") for each in self._answers.values() if each.token == token), None)

    def ask(self, asked: RpcRequest, params: dict[str, Any], headers: dict[str, str] | None) -> Answering:
        """The client asks something; ``headers`` are those that repeat its arguments, None where none have to. Raises IdInUse."""
        assert self.served is not None  # noqa: S101 - it is made with its session
        token = meta_of(params).get("progressToken")
        inner: Id = asked.id
        if self.shared:  # 3
            self._next += 1
            inner = f"c{self._next}"
            if token is not None:
                params = {**params, "_meta": {**meta_of(params), "progressToken": inner}}
        elif inner in self._answers:
            raise IdInUse
        self._streams += 1
        answering = self._answers[inner] = Answering(self._streams, asked.id, token)
        data = messages.request(inner, asked.method, messages.encoded(params))
        self.served.happened(ClientSaid(data, headers))
        return answering

    def tell(self, data: bytes) -> None:
        """The client tells or answers something."""
        assert self.served is not None  # noqa: S101 - it is made with its session
        self.served.happened(ClientSaid(data))

    def left(self, answering: Answering) -> None:
        """Nobody reads an answer any more (3)."""
        if not self.shared:
            return
        for inner, each in list(self._answers.items()):
            if each is answering:
                del self._answers[inner]
                params = messages.encoded({"requestId": inner, "reason": "the client has left"})
                self.tell(messages.notification("notifications/cancelled", params))

    def stream(self, number: int) -> Answering | None:
        """A stream that was begun, by its number (2)."""
        if number == 0:
            return self.listening
        several = [*self._answers.values(), *self._whole]
        return next((each for each in several if each.stream == number), None)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is asked and nobody listens."""
        return not self._answers and not self.listening.is_read


def _with_id(said: RpcReply, id: Id | None) -> bytes:
    assert id is not None  # noqa: S101 - a stream that lasts gets no answer
    if said.result is not None:
        return messages.result(id, said.result)
    return messages.failure(id, said.error or messages.error(messages.INTERNAL_ERROR, "no answer"))

"""What servers ask of the client: to have its model say something, to ask its user, to name its folders.

1. The client takes in what it is asked, from ``src:mcp:SERVER:METHOD``, before it is asked.
2. What the client answers goes to the server: an operation, ``SERVER:METHOD``, that flow decides on. A slash in a method is a dot there.
3. Ids and progress tokens of different servers may be the same, so the client is given others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct

from sluicegate.reach.mcp.gateway import messages
from sluicegate.reach.mcp.gateway.confirmation import agrees
from sluicegate.reach.mcp.gateway.happenings import (
    AskFlow,
    CallPermitted,
    CallRefused,
    Command,
    TakeIn,
    TellFlow,
    ToClient,
)
from sluicegate.reach.mcp.gateway.messages import Id, RpcReply, RpcRequest
from sluicegate.reach.mcp.gateway.upstream import Upstream

MOST_OUT: Final = 100
"""Requests of one server that the client has not answered."""

_SAYS: Final = frozenset({"sampling/createMessage", "elicitation/create"})
_KNOWN: Final = _SAYS | {"roots/list"}


class _Asked(Struct):
    server: Upstream
    id: Id
    method: str
    token: Any


class _Question(Struct):
    then: Callable[[bool], None]
    deadline: float


class Callbacks:
    """The requests of servers that are with the client."""

    def __init__(
        self, emit: Callable[[Command], None], new_key: Callable[[Callable[[Any], None]], int]
    ) -> None:
        self._emit, self._new_key = emit, new_key
        self._out: dict[str, _Asked] = {}
        self._persons: dict[str, _Question] = {}
        self._next = 0

    def ask(self, server: Upstream, asked: RpcRequest) -> None:
        """A server asks something."""
        if asked.method == "ping":
            server.reply(asked.id, RpcReply(asked.id, messages.encoded({}), None))
            return
        if asked.method not in _KNOWN:
            self._fail(server, asked.id, messages.NO_METHOD, "the gateway knows no such request")
            return
        if sum(each.server is server for each in self._out.values()) >= MOST_OUT:
            self._fail(server, asked.id, messages.REFUSED, "too many requests are waiting for the client")
            return
        try:
            params = messages.members(asked.params)
        except ValueError as error:
            self._fail(server, asked.id, messages.INVALID_PARAMS, str(error))
            return
        self._next += 1
        id = f"sluicegate-{self._next}"
        meta = params.get("_meta")
        token = meta.get("progressToken") if isinstance(meta, dict) else None
        if isinstance(meta, dict) and token is not None:
            params["_meta"] = {**meta, "progressToken": id}
        self._out[id] = _Asked(server, asked.id, asked.method, token)
        if asked.method in _SAYS:
            self._emit(TakeIn(f"{server.name}:{_dotted(asked.method)}", params))  # 1
        self._emit(ToClient(messages.request(id, asked.method, messages.encoded(params))))

    def ask_person(self, params: Mapping[str, Any], then: Callable[[bool], None], deadline: float) -> None:
        """Have the client ask its user whether a call may happen; no answer is no."""
        self._next += 1
        id = f"sluicegate-{self._next}"
        self._persons[id] = _Question(then, deadline)
        self._emit(ToClient(messages.request(id, "elicitation/create", messages.encoded(params))))

    def tick(self, now: float) -> None:
        """Questions that nobody has answered are over."""
        for id in [id for id, each in self._persons.items() if each.deadline <= now]:
            params = messages.encoded({"requestId": id, "reason": "it took too long"})
            self._emit(ToClient(messages.notification("notifications/cancelled", params)))
            self._persons.pop(id).then(False)

    def answered(self, reply: RpcReply) -> None:
        """The client answers (2)."""
        question = self._persons.pop(reply.id, None) if isinstance(reply.id, str) else None
        if question is not None:
            try:
                said = messages.decoded(reply.result)
            except ValueError:
                said = None
            question.then(agrees(said))
            return
        asked = self._out.pop(reply.id, None) if isinstance(reply.id, str) else None
        if asked is None:
            return
        if reply.result is None or asked.method not in _SAYS:
            asked.server.reply(asked.id, reply)
            return
        try:
            said = messages.members(reply.result)
        except ValueError as error:
            self._fail(asked.server, asked.id, messages.INTERNAL_ERROR, str(error))
            return

        def decided(found: Any) -> None:
            if isinstance(found, CallRefused):
                self._fail(asked.server, asked.id, messages.REFUSED, found.text)
                return
            given: CallPermitted = found
            whole = messages.encoded(given.values)
            asked.server.reply(asked.id, RpcReply(asked.id, whole, None))
            self._emit(TellFlow(self._new_key(_nothing), given.permit, None))

        name = f"{asked.server.name}:{_dotted(asked.method)}"
        self._emit(AskFlow(self._new_key(decided), name, said, (), f"src:mcp:{name}"))

    def progressed(self, token: object) -> tuple[Upstream, Any] | None:
        """Whose progress the client tells of, and its token there."""
        asked = self._out.get(token) if isinstance(token, str) else None
        return None if asked is None or asked.token is None else (asked.server, asked.token)

    def cancelled(self, server: Upstream, params: Mapping[str, Any]) -> str | None:
        """A server takes a request back: what the client calls it."""
        for id, asked in self._out.items():
            if asked.server is server and asked.id == params.get("requestId"):
                del self._out[id]
                return id
        return None

    def ended(self, server: Upstream) -> None:
        """A server is gone; nobody waits for what it asked."""
        self._out = {id: asked for id, asked in self._out.items() if asked.server is not server}

    def _fail(self, server: Upstream, id: Id, code: int, why: str) -> None:
        server.reply(id, RpcReply(id, None, messages.error(code, why)))


def _dotted(method: str) -> str:
    return method.replace("/", ".")


def _nothing(_: object) -> None:
    """Nobody waits for this answer."""

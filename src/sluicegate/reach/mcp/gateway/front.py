"""Clients over streamable HTTP: each message is a request, and what comes back is JSON or a stream of events.

1. Whoever asks is this machine, by the name under which it was asked (``Host``), and is no page of a browser (``Origin``): a page
   of a stranger could else use a server of yours. Other names and origins are those that were configured. Where a token was, it is
   asked for; it goes no further.
2. A client that shakes hands has a session of its own, with servers of its own. One without a handshake says in each request what it
   is; these share servers, so that their ids are others inside.
3. The headers of a message say what the message says, or it is refused (-32020).
4. What belongs to a request goes into its answer; anything else to the stream that the client keeps open for that (``GET``).
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, Final, Protocol

import h11
from msgspec import Struct

from sluicegate.reach.mcp.gateway import messages
from sluicegate.reach.mcp.gateway.core import CAPABILITIES
from sluicegate.reach.mcp.gateway.decided import PROTOCOL, meta_of
from sluicegate.reach.mcp.gateway.happenings import ClientSaid, Event
from sluicegate.reach.mcp.gateway.messages import Id, RpcNotification, RpcReply, RpcRequest

MOST_SESSIONS: Final = 64
MOST_CONNECTIONS: Final = 512
IDLE: Final = 1_800.0
"""Seconds after which a session that nobody uses is over."""

MISMATCH: Final = -32020
UNSUPPORTED: Final = -32022
WITHOUT_SESSIONS: Final = ("2026-07-28",)
"""The revisions that have no handshake."""

_STATUS: Final = {messages.NO_METHOD: 404, -32020: 400, -32021: 400, UNSUPPORTED: 400}
SUBSCRIPTION: Final = "io.modelcontextprotocol/subscriptionId"
_NAMED: Final = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_MOST_KEPT: Final = 100
_MOST_WAITING: Final = 5_000
_HEAD: Final = 64 * 1024
_DRAINED: Final = 1024 * 1024
_SLOW: Final = 30.0
_SHARED: Final = "shared"


class Served(Protocol):
    """A core with its servers, for one session."""

    def happened(self, event: Event, /) -> None: ...
    async def close(self) -> None: ...


class FrontRules(Struct, frozen=True, kw_only=True):
    """Who may ask (1)."""

    hosts: tuple[str, ...]
    origins: tuple[str, ...] = ()
    token: str = ""


class _Refusal(Exception):
    def __init__(self, status: int, data: bytes = b"", headers: Mapping[str, str] | None = None) -> None:
        super().__init__(status)
        self.status, self.data, self.headers = status, data, headers or {}


class _Answering:
    """What goes into the answer to one request. ``id`` and ``token`` are those of the client; ``left``: it reads no more."""

    def __init__(self, id: Id | None = None, token: object = None) -> None:
        self.id, self.token = id, token
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.open, self.left = True, False

    def put(self, data: bytes, *, last: bool = False) -> None:
        if self.queue.qsize() > _MOST_WAITING and not last:  # whoever does not read misses what is on the way
            return
        self.queue.put_nowait(data)
        if last:
            self.queue.put_nowait(None)
            self.open = False


class HttpSession:
    """The client side of one core (2). ``shared``: ids of many clients, so each is given another one."""

    def __init__(self, name: str, *, shared: bool) -> None:
        self.name, self.shared = name, shared
        self.served: Served | None = None
        self.used = 0.0
        self._answers: dict[Id, _Answering] = {}
        self._listening: _Answering | None = None
        self._kept: deque[bytes] = deque(maxlen=_MOST_KEPT)
        self._next = 0

    def send(self, data: bytes) -> None:
        """The core says something to the client (4)."""
        said = messages.read(data)
        if isinstance(said, RpcReply):
            found = self._answers.pop(said.id, None)
            if found is not None:
                found.put(_with_id(said, found.id) if self.shared else data, last=True)
            return
        whose = self._whose(said) if isinstance(said, RpcNotification) else None
        if whose is not None:
            whose[0].put(whose[1] or data)
        elif self._listening is not None and self._listening.open:
            self._listening.put(data)
        elif isinstance(said, RpcRequest) and self._answers:
            next(reversed(self._answers.values())).put(data)
        elif not self.shared:
            self._kept.append(data)

    def _whose(self, said: RpcNotification) -> tuple[_Answering, bytes] | None:
        """The answer that a notification belongs to, and the notification as its client knows it."""
        params = messages.members(said.params)
        token, subscription = params.get("progressToken"), meta_of(params).get(SUBSCRIPTION)
        if subscription is not None and subscription in self._answers:
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

    def ask(self, asked: RpcRequest, params: dict[str, Any]) -> _Answering:
        """The client asks something."""
        assert self.served is not None  # noqa: S101 - it is made with its session
        token = meta_of(params).get("progressToken")
        answering = _Answering(asked.id, token)
        inner: Id = asked.id
        if self.shared:
            self._next += 1
            inner = f"c{self._next}"
            if token is not None:
                params = {**params, "_meta": {**meta_of(params), "progressToken": inner}}
        elif inner in self._answers:
            raise _Refusal(400, _error(asked.id, messages.INVALID_REQUEST, "this id is in use"))
        self._answers[inner] = answering
        self.served.happened(ClientSaid(messages.request(inner, asked.method, messages.encoded(params))))
        return answering

    def tell(self, data: bytes) -> None:
        """The client tells or answers something."""
        assert self.served is not None  # noqa: S101 - it is made with its session
        self.served.happened(ClientSaid(data))

    def left(self, answering: _Answering) -> None:
        """Nobody reads an answer any more. Without a handshake that is a cancellation."""
        answering.open = False
        if self.shared:
            for inner, each in list(self._answers.items()):
                if each is answering:
                    del self._answers[inner]
                    params = messages.encoded({"requestId": inner, "reason": "the client has left"})
                    self.tell(messages.notification("notifications/cancelled", params))

    def listen(self) -> _Answering:
        """The client wants to be told things; what waited is told first."""
        if self._listening is not None and self._listening.open:
            raise _Refusal(409)
        self._listening = _Answering()
        for data in self._kept:
            self._listening.put(data)
        self._kept.clear()
        return self._listening

    @property
    def is_idle(self) -> bool:
        return not self._answers and (self._listening is None or not self._listening.open)


class Front:
    """All clients over HTTP. ``make`` makes a core with its servers for a session; ``say`` tells whoever runs the gateway."""

    def __init__(
        self, rules: FrontRules, make: Callable[[HttpSession], Awaitable[Served]], say: Callable[[str], None]
    ) -> None:
        self._rules, self._make, self._say = rules, make, say
        self._sessions: dict[str, HttpSession] = {}
        self._making = asyncio.Lock()
        self._connections = 0

    async def close(self) -> None:
        """End all sessions."""
        several, self._sessions = list(self._sessions.values()), {}
        await asyncio.gather(*(each.served.close() for each in several if each.served is not None))

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        self._connections += 1
        try:
            if self._connections <= MOST_CONNECTIONS:
                await _Connection(self, reader, writer).serve()
        except (OSError, TimeoutError, h11.RemoteProtocolError):
            pass  # whoever asked is gone, or speaks no HTTP
        except Exception as error:  # noqa: BLE001 - the named border of a gateway session: the connection ends
            self._say(f"a connection has ended: {type(error).__name__}")
        finally:
            self._connections -= 1
            with suppress(OSError):
                writer.close()
                await writer.wait_closed()

    def check(self, headers: Mapping[str, str]) -> None:
        """Whether this one may ask (1). Raises _Refusal."""
        if headers.get("host", "").lower() not in self._rules.hosts:
            raise _Refusal(403, b"this host is not served here\n")
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in self._rules.origins:
            raise _Refusal(403, b"this origin is not served here\n")
        if self._rules.token:
            given = headers.get("authorization", "").encode("utf-8", "surrogateescape")
            if not hmac.compare_digest(given, b"Bearer " + self._rules.token.encode()):
                raise _Refusal(401, b"", {"www-authenticate": "Bearer"})

    async def asked(
        self, headers: Mapping[str, str], body: bytes
    ) -> tuple[HttpSession, _Answering | None, bool]:
        """A message that was posted: its session, what its answer is if it has one, and whether the session is new."""
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise _Refusal(415)
        said = messages.read(body)
        if isinstance(said, messages.Malformed):
            raise _Refusal(400, _error(said.id, said.code, said.why))
        try:
            params = {} if isinstance(said, RpcReply) else messages.members(said.params)
        except ValueError as error:
            raise _Refusal(400, _error(None, messages.INVALID_PARAMS, str(error))) from None
        modern = PROTOCOL in meta_of(params) or headers.get("mcp-protocol-version") in WITHOUT_SESSIONS
        session = await self._session_of(headers, said, params, modern=modern)
        session.used = asyncio.get_running_loop().time()
        if isinstance(said, RpcRequest):
            return session, session.ask(said, params), said.method == "initialize" and not session.shared
        if not session.shared:
            session.tell(body)
        return session, None, False

    async def _session_of(
        self, headers: Mapping[str, str], said: messages.Message, params: Mapping[str, Any], *, modern: bool
    ) -> HttpSession:
        if modern:
            if not isinstance(said, RpcRequest | RpcNotification):
                raise _Refusal(
                    400, _error(None, messages.INVALID_REQUEST, "nobody has asked for this answer")
                )
            _check_meta(said, params)
            _check_headers(headers, said, params)  # 3
            _check_version(said, params)
            return await self._made(_SHARED, shared=True)
        if isinstance(said, RpcRequest) and said.method == "initialize":
            return await self._made(secrets.token_hex(16), shared=False)
        return self.session(headers, said.id if isinstance(said, RpcRequest) else None)

    def session(self, headers: Mapping[str, str], id: Id | None = None) -> HttpSession:
        """The session that a request names. Raises _Refusal."""
        name = headers.get("mcp-session-id", "")
        if not name or name == _SHARED:
            raise _Refusal(400, _error(id, messages.INVALID_REQUEST, "the header Mcp-Session-Id is missing"))
        found = self._sessions.get(name)
        if found is None:
            raise _Refusal(404, _error(id, messages.INVALID_REQUEST, "there is no such session"))
        return found

    async def _made(self, name: str, *, shared: bool) -> HttpSession:
        async with self._making:
            found = self._sessions.get(name)
            if found is not None:
                return found
            await self._make_room()
            session = HttpSession(name, shared=shared)
            session.served = await self._make(session)
            self._sessions[name] = session
            return session

    async def _make_room(self) -> None:
        now = asyncio.get_running_loop().time()
        for name, each in list(self._sessions.items()):
            if each.is_idle and each.used <= now - IDLE:
                await self.end(name)
        if len(self._sessions) >= MOST_SESSIONS:
            raise _Refusal(503, _error(None, messages.REFUSED, "there are too many sessions"))

    async def end(self, name: str) -> None:
        """A session is over."""
        session = self._sessions.pop(name, None)
        if session is not None and session.served is not None:
            await session.served.close()


class _Connection:
    """One connection: requests one after another."""

    def __init__(self, front: Front, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._front, self._reader, self._writer = front, reader, writer
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=_HEAD)

    async def serve(self) -> None:
        while True:
            async with asyncio.timeout(IDLE):
                event = await self._event()
            if not isinstance(event, h11.Request):
                return
            try:
                await self._answer(event)
            except _Refusal as refused:
                await self._drain()
                kind = {"content-type": "application/json" if refused.data.startswith(b"{") else "text/plain"}
                await self._send(refused.status, {**kind, **refused.headers}, refused.data)
            if self._http.our_state is not h11.DONE or self._http.their_state is not h11.DONE:
                return
            self._http.start_next_cycle()

    async def _event(self) -> Any:
        while True:
            event = self._http.next_event()
            if event is not h11.NEED_DATA:
                return event
            self._http.receive_data(await self._reader.read(65_536))

    async def _answer(self, request: h11.Request) -> None:
        headers = _headers(request.headers)
        self._front.check(headers)
        method, path = (
            request.method.decode("ascii"),
            request.target.decode("ascii", "replace").partition("?")[0],
        )
        if path != "/mcp":
            raise _Refusal(404)
        body = await self._body()
        if method == "POST":
            session, answering, is_new = await self._front.asked(headers, body)
            own = {"mcp-session-id": session.name} if is_new else {}
            if answering is None:
                await self._send(202, {}, b"")
            else:
                await self._stream(session, answering, own)
        elif method == "GET":
            await self._stream(session := self._front.session(headers), session.listen(), {})
        elif method == "DELETE":
            await self._front.end(self._front.session(headers).name)
            await self._send(200, {}, b"")
        else:
            raise _Refusal(405, b"", {"allow": "GET, POST, DELETE"})

    async def _body(self) -> bytes:
        body = bytearray()
        async with asyncio.timeout(_SLOW):
            while isinstance(event := await self._event(), h11.Data):
                body += event.data
                if len(body) > messages.MOST_BYTES:
                    raise _Refusal(413)
        return bytes(body)

    async def _drain(self) -> None:
        """Read on a little: an answer that comes while a body is sent is lost on its way."""
        left = _DRAINED
        async with asyncio.timeout(_SLOW):
            while self._http.their_state is h11.SEND_BODY and left > 0:
                event = await self._event()
                if not isinstance(event, h11.Data):
                    return
                left -= len(event.data)

    async def _stream(self, session: HttpSession, answering: _Answering, headers: Mapping[str, str]) -> None:
        """One answer alone is JSON; more is a stream of events."""
        watching = asyncio.get_running_loop().create_task(self._watch(answering))
        try:
            async for data, alone in _pieces(answering):
                if alone:
                    status = _status_of(data, modern=session.shared)
                    await self._send(status, {"content-type": "application/json", **headers}, data)
                    return
                if self._http.our_state is h11.SEND_RESPONSE:
                    streamed = {"content-type": "text/event-stream", "cache-control": "no-store", **headers}
                    self._write(h11.Response(status_code=200, headers=list(streamed.items())))
                if data:
                    self._write(h11.Data(data=b"event: message\ndata: " + data + b"\n\n"))
                await self._writer.drain()
            if self._http.our_state is h11.SEND_BODY and not answering.left:
                self._write(h11.EndOfMessage())
                await self._writer.drain()
        finally:
            watching.cancel()
            await asyncio.wait({watching})  # two may not read at once
            if answering.open:
                session.left(answering)

    async def _watch(self, answering: _Answering) -> None:
        """Whether whoever asked leaves before the answer is there."""
        data = await self._reader.read(65_536)
        if data:  # the next request, which waits
            self._http.receive_data(data)
        else:
            answering.left = True
            answering.queue.put_nowait(None)

    async def _send(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        own = {**headers, "content-length": str(len(body))}
        self._write(h11.Response(status_code=status, headers=list(own.items())))
        self._write(h11.Data(data=body))
        self._write(h11.EndOfMessage())
        await self._writer.drain()

    def _write(self, event: Any) -> None:
        self._writer.write(self._http.send(event) or b"")


async def _pieces(answering: _Answering) -> AsyncIterator[tuple[bytes, bool]]:
    """What goes into an answer; whether it is all that there is. An empty piece: a stream that lasts is begun."""
    first = True
    while True:
        if answering.id is None and first:
            yield b"", False
        data = await answering.queue.get()
        if data is None:
            return
        alone = first and answering.id is not None and not answering.open and answering.queue.qsize() == 1
        yield data, alone
        first = False


def _check_meta(said: RpcRequest | RpcNotification, params: Mapping[str, Any]) -> None:
    """Whether a request without a session says what it has to. Raises _Refusal."""
    if not isinstance(said, RpcRequest):
        return
    version = meta_of(params).get(PROTOCOL)
    if not isinstance(version, str) or not isinstance(meta_of(params).get(CAPABILITIES), dict):
        raise _Refusal(
            400, _error(said.id, messages.INVALID_PARAMS, f"_meta has to say {PROTOCOL} and {CAPABILITIES}")
        )


def _check_version(said: RpcRequest | RpcNotification, params: Mapping[str, Any]) -> None:
    """Whether a request is of a revision without sessions that is served. Raises _Refusal."""
    version = meta_of(params).get(PROTOCOL)
    if isinstance(said, RpcRequest) and version not in WITHOUT_SESSIONS:
        told = {"supported": list(WITHOUT_SESSIONS), "requested": version}
        error = messages.error(UNSUPPORTED, "this revision is not served without a handshake", told)
        raise _Refusal(400, messages.failure(said.id, error))


def _status_of(data: bytes, *, modern: bool) -> int:
    """The status of an answer. Without a session some errors have one of their own."""
    said = messages.read(data) if modern else None
    if not isinstance(said, RpcReply) or said.error is None:
        return 200
    error = messages.decoded(said.error)
    code = error.get("code") if isinstance(error, dict) else None
    return _STATUS.get(code, 200) if isinstance(code, int) else 200


def _check_headers(
    headers: Mapping[str, str], said: RpcRequest | RpcNotification, params: Mapping[str, Any]
) -> None:
    """Whether the headers say what the message says (3). Raises _Refusal."""
    named = params.get(_NAMED.get(said.method, ""))
    wanted = {"mcp-protocol-version": meta_of(params).get(PROTOCOL), "mcp-method": said.method}
    if isinstance(named, str):
        wanted["mcp-name"] = named
    for name, value in wanted.items():
        if headers.get(name) != value:
            id = said.id if isinstance(said, RpcRequest) else None
            raise _Refusal(400, _error(id, MISMATCH, f"the header {name} does not say what the message says"))


def _headers(several: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Headers by their names; one that stands twice is none of those that decide. Raises _Refusal."""
    found: dict[str, str] = {}
    for name, value in several:
        key = name.decode("ascii").lower()
        if key in found:
            if key in ("host", "origin", "authorization", "content-type") or key.startswith("mcp-"):
                raise _Refusal(400, b"a header stands twice\n")
            continue
        found[key] = value.decode("utf-8", "surrogateescape")
    return found


def _with_id(said: RpcReply, id: Id | None) -> bytes:
    assert id is not None  # noqa: S101 - a stream that lasts gets no answer
    if said.result is not None:
        return messages.result(id, said.result)
    return messages.failure(id, said.error or messages.error(messages.INTERNAL_ERROR, "no answer"))


def _error(id: Id | None, code: int, why: str) -> bytes:
    return messages.failure(id, messages.error(code, why))

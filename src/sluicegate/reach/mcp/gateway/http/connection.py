"""One connection of a client over HTTP: requests one after another, and their answers as JSON or as streams of events.

1. An answer that is there at once, and alone, is JSON. Anything more is a stream, and so is what takes longer than ``SOON``, where the
   client knows a revision that begins a stream with the number to go on from.
2. Each event of a stream has a number, by which a client whose connection broke off goes on (``Last-Event-ID``).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from contextlib import aclosing, suppress
from typing import Any, Final

import h11

from sluicegate.reach.mcp.gateway import messages
from sluicegate.reach.mcp.gateway.http.answering import Answering
from sluicegate.reach.mcp.gateway.http.front import UNSUPPORTED, Front, Principal, Refusal
from sluicegate.reach.mcp.gateway.http.http_session import HttpSession
from sluicegate.reach.mcp.gateway.messages import RpcReply

MOST_CONNECTIONS: Final = 512
SOON: Final = 2.0
"""Seconds that a client waits for an answer before its stream is begun."""

_PRIMED: Final = "2025-11-25"
"""The first revision whose clients know an event without data."""

_STATUS: Final = {messages.NO_METHOD: 404, messages.MISMATCH: 400, -32021: 400, UNSUPPORTED: 400}
_HEAD: Final = 64 * 1024
_DRAINED: Final = 1024 * 1024
_SLOW: Final = 30.0
_QUIET: Final = 60.0
"""Seconds until a request has begun: who connects and says nothing takes a place."""


class Connections:
    """All connections. ``say`` tells whoever runs the gateway."""

    def __init__(self, front: Front, say: Callable[[str], None]) -> None:
        self._front, self._say, self._open = front, say, 0

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        self._open += 1
        try:
            if self._open <= MOST_CONNECTIONS:
                await _Connection(self._front, reader, writer).serve()
        except (OSError, TimeoutError, h11.RemoteProtocolError):
            pass  # whoever asked is gone, or speaks no HTTP
        except asyncio.CancelledError:
            pass  # the gateway ends, and nobody waits for this task
        except Exception as error:  # noqa: BLE001 - the named border of a gateway session: the connection ends
            self._say(f"a connection has ended: {type(error).__name__}")
        finally:
            self._open -= 1
            with suppress(OSError):
                writer.close()
                await writer.wait_closed()


class _Connection:
    """One connection."""

    def __init__(self, front: Front, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._front, self._reader, self._writer = front, reader, writer
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=_HEAD)

    async def serve(self) -> None:
        while True:
            async with asyncio.timeout(_QUIET):
                event = await self._read()
            if not isinstance(event, h11.Request):
                return
            try:
                await self._answer(event)
            except Refusal as refused:
                await self._drain()
                kind = {"content-type": "application/json" if refused.data.startswith(b"{") else "text/plain"}
                await self._send(refused.status, {**kind, **refused.headers}, refused.data)
            if self._http.our_state is not h11.DONE or self._http.their_state is not h11.DONE:
                return
            self._http.start_next_cycle()

    async def _read(self) -> Any:
        while True:
            event = self._http.next_event()
            if event is not h11.NEED_DATA:
                return event
            self._http.receive_data(await self._reader.read(65_536))

    async def _answer(self, request: h11.Request) -> None:
        headers = _headers(request.headers)
        path = request.target.decode("ascii", "replace").partition("?")[0]
        whose = self._front.principal(headers, path)
        body = await self._body()
        match request.method:
            case b"POST":
                await self._post(whose, headers, body)
            case b"GET":
                await self._listen(self._front.session(whose, headers), headers)
            case b"DELETE":
                await self._front.end(self._front.session(whose, headers).name)
                await self._send(200, {}, b"")
            case _:
                raise Refusal(405, b"", {"allow": "GET, POST, DELETE"})

    async def _post(self, whose: Principal, headers: Mapping[str, str], body: bytes) -> None:
        session, answering, is_new = await self._front.asked(whose, headers, body)
        own = {"mcp-session-id": session.name} if is_new else {}
        if answering is None:
            await self._send(202, {}, b"")
            return
        primed = not session.shared and _is_primed(headers)
        await self._stream(session, answering, own, 0, soon=SOON if primed else None)

    async def _listen(self, session: HttpSession, headers: Mapping[str, str]) -> None:
        """The stream of a session, or one that broke off (2)."""
        last, primed = headers.get("last-event-id"), _is_primed(headers)
        if last is None:
            if session.listening.is_read:
                raise Refusal(409)
            await self._stream(session, session.listening, {}, session.listening.read, soon=0, primed=primed)
            return
        stream, _, number = last.partition("-")
        right = stream.isdecimal() and number.isdecimal() and last.isascii() and len(last) <= 40
        found = session.stream(int(stream)) if right else None
        if found is None or not found.has(int(number)):
            error = messages.error(
                messages.INVALID_REQUEST, "what came after this event is not kept any more"
            )
            raise Refusal(400, messages.failure(None, error))
        await self._stream(session, found, {}, int(number), soon=0, primed=primed)

    async def _body(self) -> bytes:
        body = bytearray()
        async with asyncio.timeout(_SLOW):
            while isinstance(event := await self._read(), h11.Data):
                body += event.data
                if len(body) > messages.MOST_BYTES:
                    raise Refusal(413)
        return bytes(body)

    async def _drain(self) -> None:
        """Read on a little: an answer that comes while a body is sent is lost on its way."""
        left = _DRAINED
        async with asyncio.timeout(_SLOW):
            while self._http.their_state is h11.SEND_BODY and left > 0:
                event = await self._read()
                if not isinstance(event, h11.Data):
                    return
                left -= len(event.data)

    async def _stream(
        self, session: HttpSession, answering: Answering, headers: Mapping[str, str], after: int,
        *, soon: float | None, primed: bool = True,
    ) -> None:  # fmt: skip
        """The messages behind a number (1). ``soon``: seconds after which a stream is begun without one, ``primed``: by an event."""
        own = object()
        watching = asyncio.get_running_loop().create_task(self._watch(answering, own))
        try:
            async with aclosing(answering.follow(own, after, soon)) as several:
                async for number, data in several:
                    if not answering.streamed and number and answering.is_whole:
                        status = _status_of(data, modern=session.shared)
                        await self._send(status, {"content-type": "application/json", **headers}, data)
                        return
                    self._begin_stream(answering, headers)
                    if number or primed:
                        self._event(answering, number or after, data)
                    await self._writer.drain()
                if self._http.our_state is h11.SEND_BODY and not watching.done():
                    self._write(h11.EndOfMessage())
                    await self._writer.drain()
        finally:
            watching.cancel()
            await asyncio.wait({watching})  # two may not read at once
            if answering.open and answering.id is not None:
                session.left(answering)

    def _begin_stream(self, answering: Answering, headers: Mapping[str, str]) -> None:
        if self._http.our_state is h11.SEND_RESPONSE:
            answering.streamed = True
            streamed = {"content-type": "text/event-stream", "cache-control": "no-store", **headers}
            self._write(h11.Response(status_code=200, headers=list(streamed.items())))

    def _event(self, answering: Answering, number: int, data: bytes) -> None:
        """One event of a stream; one without a message says where to go on from (2)."""
        own = f"id: {answering.stream}-{number}\n".encode()
        self._write(
            h11.Data(data=own + b"event: message\ndata: " + data + b"\n\n" if data else own + b"data:\n\n")
        )

    async def _watch(self, answering: Answering, own: object) -> None:
        """Whether whoever asked leaves before the answer is there."""
        data = await self._reader.read(65_536)
        if data:  # the next request, which waits
            self._http.receive_data(data)
        else:
            answering.leave(own)

    async def _send(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        own = {**headers, "content-length": str(len(body))}
        self._write(h11.Response(status_code=status, headers=list(own.items())))
        self._write(h11.Data(data=body))
        self._write(h11.EndOfMessage())
        await self._writer.drain()

    def _write(self, event: Any) -> None:
        self._writer.write(self._http.send(event) or b"")


def _is_primed(headers: Mapping[str, str]) -> bool:
    """Whether a client knows events without data."""
    return headers.get("mcp-protocol-version", "") >= _PRIMED


def _status_of(data: bytes, *, modern: bool) -> int:
    """The status of an answer. Without a session some errors have one of their own."""
    said = messages.read(data) if modern else None
    if not isinstance(said, RpcReply) or said.error is None:
        return 200
    error = messages.decoded(said.error)
    code = error.get("code") if isinstance(error, dict) else None
    return _STATUS.get(code, 200) if isinstance(code, int) else 200


def _headers(several: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Headers by their names; one that stands twice is none of those that decide. Raises Refusal."""
    found: dict[str, str] = {}
    for name, value in several:
        key = name.decode("ascii").lower()
        if key in found:
            if key in ("host", "origin", "authorization", "content-type") or key.startswith("mcp-"):
                raise Refusal(400, b"a header stands twice\n")
            continue
        found[key] = value.decode("utf-8", "surrogateescape")
    if "content-length" in found and "transfer-encoding" in found:  # a proxy may see the end of it elsewhere
        raise Refusal(400, b"a message has one length\n", {"connection": "close"})
    return found

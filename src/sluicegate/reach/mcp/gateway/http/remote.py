"""A server that is reached over streamable HTTP: each message is a request, and its answer is JSON or a stream of events.

1. Nothing but what was configured is asked for: no redirect is followed, no proxy and no password file of the environment used.
2. What the client of the gateway says of itself over HTTP stays there: the headers that go out are made here, of the message and of the
   credential that policy gives, which goes over TLS or to this machine alone.
3. A message goes out after those before it that want no answer.
4. Whatever is no answer is one: an error for the request that it was of. A session that the server does not know any more has ended.
5. A stream that breaks off before the answer is taken up again behind the last event that had an id, ``MOST_TRIES`` times in a row
   without another event, and ``MOST_AGAIN`` times in all. So is the stream of what it says without having been asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from typing import Any, Final

import httpx2
from msgspec import Struct

from sluicegate.errors import SluicegateError
from sluicegate.reach.mcp.gateway import messages
from sluicegate.reach.mcp.gateway.decided import PROTOCOL, meta_of
from sluicegate.reach.mcp.gateway.happenings import Event, ServerEnded, ServerSaid
from sluicegate.reach.mcp.gateway.http.message_headers import NAMED, written

_CONNECT: Final = 20.0
MOST_TRIES: Final = 3
MOST_AGAIN: Final = 50
_RETRY: Final = 1.0
_MOST_RETRY: Final = 30.0
_PLAIN: Final = frozenset({"initialize", "server/discover"})


class RemoteAddress(Struct, frozen=True):
    """Where a server is, and the headers that were configured. ``timeout``: seconds without a byte."""

    url: str
    headers: Mapping[str, str]
    timeout: float


class RemoteServer:
    """One server over HTTP. ``happened`` takes what it says; ``credential`` gives the header of its credential, if it has one."""

    def __init__(
        self, name: str, address: RemoteAddress, credential: Callable[[], Mapping[str, str]],
        happened: Callable[[Event], None],
    ) -> None:  # fmt: skip
        self.name, self._address, self._credential, self._happened = name, address, credential, happened
        self._http: httpx2.AsyncClient | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._order = asyncio.Lock()
        self._reading = asyncio.Event()
        self._reading.set()
        self._session = self._version = ""
        self.shown = 0

    def start(self) -> None:
        """Make ready to ask it."""
        self._session = self._version = ""
        former, self._http = self._http, None
        if former is not None:
            self._begin(former.aclose())
        try:
            headers = {**self._address.headers, **self._credential()}
        except SluicegateError as error:
            self._over(f"it cannot be asked: {error.message}")
            return
        self._http = httpx2.AsyncClient(
            headers=headers, trust_env=False, follow_redirects=False, timeout=httpx2.Timeout(self._address.timeout, connect=_CONNECT),
        )  # fmt: skip

    def send(self, data: bytes, headers: Mapping[str, str] | None) -> None:
        """Send a message; ``headers`` are those that repeat its arguments."""
        self._begin(self._post(data, headers or {}))

    def kill(self, why: str) -> None:
        """Have nothing more to do with it."""
        self._over(why)

    def pause(self, paused: bool) -> None:
        """Read on only when the client does."""
        (self._reading.clear if paused else self._reading.set)()

    async def end(self) -> None:
        """End its session, and what is under way."""
        self._reading.set()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._http is not None:
            if self._session:
                with suppress(httpx2.HTTPError, TimeoutError):
                    async with asyncio.timeout(2):
                        await self._http.delete(self._address.url, headers=self._own_headers())
            await self._http.aclose()

    def _begin(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _over(self, why: str) -> None:
        for task in list(self._tasks):
            if task is not asyncio.current_task():
                task.cancel()
        self._happened(ServerEnded(self.name, f"the server {self.name}: {why}"))

    async def _post(self, data: bytes, repeated: Mapping[str, str]) -> None:
        said = messages.read(data)
        id = said.id if isinstance(said, messages.RpcRequest) else None
        try:
            if id is None:
                async with self._order:  # 3
                    await self._exchange(data, said, None, {})
            else:
                async with self._order:
                    pass
                await self._exchange(data, said, id, repeated)
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:  # 4
            self._failed(id, f"it cannot be reached ({type(error).__name__})")

    async def _exchange(
        self, data: bytes, said: messages.Message, id: messages.Id | None, repeated: Mapping[str, str]
    ) -> None:
        if self._http is None:
            raise ValueError("it was not made ready")
        headers = {
            "content-type": "application/json", "accept": "application/json, text/event-stream",
            **self._headers_of(said, repeated),
        }  # fmt: skip
        async with self._http.stream("POST", self._address.url, content=data, headers=headers) as answer:
            kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
            if answer.status_code == 404 and self._session:
                self._session = ""
                self._over("its session is over")
                return
            if isinstance(said, messages.RpcRequest) and said.method == "initialize":
                self._session = answer.headers.get("mcp-session-id", "")[:1000]
            answered = False
            if kind == "text/event-stream" and answer.status_code == 200:
                answered = await self._streamed(answer, id, said)
            elif kind == "application/json":
                answered = self._says(await _whole(answer.aiter_bytes()), id, said)
            if id is not None and not answered:
                self._failed(id, f"it answered with {answer.status_code} and without an answer")
        if isinstance(said, messages.RpcNotification) and said.method == "notifications/initialized":
            self._begin(self._listen())

    async def _streamed(
        self, answer: httpx2.Response, id: messages.Id | None, said: messages.Message
    ) -> bool:
        """Pass on what a stream says, also after it broke off (5); whether the answer to ``id`` was there."""
        place, answered, tries = StreamPlace(), False, 0
        for _ in range(MOST_AGAIN):
            before = place.last
            with suppress(httpx2.HTTPError):
                async for event in events_of(answer.aiter_bytes(), place):
                    await self._reading.wait()
                    answered = self._says(event, id, said) or answered
            await answer.aclose()
            tries = 0 if place.last != before else tries + 1
            if answered or id is None or not place.last or not self._session or tries > MOST_TRIES:
                return answered
            again = await self._again(place)
            if again is None:
                break
            answer = again
        return False

    async def _again(self, place: StreamPlace) -> httpx2.Response | None:
        """The rest of a stream that broke off, if the server still has it."""
        await asyncio.sleep(place.retry)
        if self._http is None:
            return None
        headers = {"accept": "text/event-stream", **self._own_headers(), "last-event-id": place.last}
        request = self._http.build_request("GET", self._address.url, headers=headers)
        answer = await self._http.send(request, stream=True)
        if answer.status_code == 200 and answer.headers.get("content-type", "").startswith(
            "text/event-stream"
        ):
            return answer
        await answer.aclose()
        return None

    def _says(self, data: bytes, id: messages.Id | None, asked: messages.Message) -> bool:
        """Pass on what it says; whether that was the answer to ``id``."""
        told = messages.read(data)
        is_answer = isinstance(told, messages.RpcReply) and told.id == id
        if is_answer and isinstance(asked, messages.RpcRequest) and asked.method == "initialize":
            assert isinstance(told, messages.RpcReply)  # noqa: S101 - as was just asked
            with suppress(ValueError):
                self._version = str(
                    messages.members(told.result or messages.encoded({})).get("protocolVersion", "")
                )[:40]
        # One line, whatever it was: a message is one for the core as well.
        self._happened(ServerSaid(self.name, data))
        return is_answer

    def _failed(self, id: messages.Id | None, why: str) -> None:
        if id is not None:
            error = messages.error(messages.INTERNAL_ERROR, f"the server {self.name}: {why}")
            self._happened(ServerSaid(self.name, messages.failure(id, error)))

    async def _listen(self) -> None:
        """What it says without having been asked, where it has a stream for that."""
        if self._http is None:
            return
        place, tries = StreamPlace(), 0
        while tries <= MOST_TRIES:
            before = place.last
            own = {"last-event-id": place.last} if place.last else {}
            headers = {"accept": "text/event-stream", **self._own_headers(), **own}
            with suppress(httpx2.HTTPError, ValueError):
                async with self._http.stream(
                    "GET", self._address.url, headers=headers, timeout=httpx2.Timeout(None, connect=_CONNECT)
                ) as answer:
                    if answer.status_code != 200:
                        return
                    async for event in events_of(answer.aiter_bytes(), place):
                        await self._reading.wait()
                        self._happened(ServerSaid(self.name, event))
            tries = 0 if place.last != before else tries + 1
            await asyncio.sleep(max(place.retry, _RETRY))

    def _own_headers(self) -> dict[str, str]:
        found = {"mcp-session-id": self._session} if self._session else {}
        return {**found, "mcp-protocol-version": self._version} if self._version else found

    def _headers_of(self, said: messages.Message, repeated: Mapping[str, str]) -> dict[str, str]:
        """The headers of a message: what they say is what it says (2). Raises ValueError."""
        found = self._own_headers()
        if not isinstance(said, messages.RpcRequest | messages.RpcNotification):
            return found
        params = messages.members(said.params)
        version = meta_of(params).get(PROTOCOL)
        if isinstance(version, str):
            named = params.get(NAMED.get(said.method, ""))
            found |= {
                "mcp-protocol-version": written(version),
                "mcp-method": written(said.method),
                **repeated,
            }
            if isinstance(named, str):
                found["mcp-name"] = written(named)
        return found


async def _whole(pieces: AsyncIterator[bytes]) -> bytes:
    found = bytearray()
    async for piece in pieces:
        found += piece
        if len(found) > messages.MOST_BYTES:
            raise ValueError("the answer is too long")
    return bytes(found)


class StreamPlace:
    """How far a stream was read: the id of its last event, and the seconds to wait before it is asked for again."""

    def __init__(self) -> None:
        self.last, self.retry, self._next = "", _RETRY, ""

    def begin(self) -> None:
        """Another stream: an event that was not whole was none."""
        self._next = self.last

    def passed(self) -> None:
        """An event is whole."""
        self.last = self._next

    def learn(self, line: bytes) -> None:
        """A line of an event."""
        if line.startswith(b"id:"):
            said = line[3:].strip().decode("ascii", "replace")
            self._next = said if len(said) <= 1_000 and said.isascii() and said.isprintable() else ""
        elif line.startswith(b"retry:") and (said := line[6:].strip().decode("ascii", "replace")).isdecimal():
            self.retry = min(int(said[:9]) / 1_000, _MOST_RETRY)


async def events_of(pieces: AsyncIterator[bytes], place: StreamPlace) -> AsyncIterator[bytes]:
    """The data of the events in a stream; one without any only says where it is. Raises ValueError for one that is too long."""
    left, data = b"", bytearray()
    place.begin()
    async for piece in pieces:
        *lines, left = (left + piece).replace(b"\r\n", b"\n").split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                data += (b"\n" if data else b"") + line[5:].removeprefix(b" ")
            elif line:
                place.learn(line)
            else:
                place.passed()
                if data:
                    yield bytes(data)
                    data.clear()
        if len(left) + len(data) > messages.MOST_BYTES:
            raise ValueError("an event is too long")

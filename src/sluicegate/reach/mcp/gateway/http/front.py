"""Clients over streamable HTTP: who may ask, whose a request is, and in which session it is decided.

1. Whoever asks is this machine, by the name under which it was asked (``Host``), and is not a page of a browser (``Origin``): a page
   of a stranger could else use a server of yours. Other names and origins are those that were configured. Where a token was, one is
   asked for; it goes no further.
2. Whose a request is (its principal) say the token and the name in the address (``/mcp/NAME``). Nobody has a session of somebody else's.
3. A client that shakes hands has a core and servers of its own. One without a handshake says in each request what it is; those of one
   principal share a core, and where the address says no name, of those only the ones that call themselves the same.
4. What is decided for a name in the address is decided in the session of that name, also in the next core. Else a handshake begins a
   session, and clients without one go on in that of their principal.
5. The headers of a message say what the message says, or it is refused (-32020).
6. There are ``MOST_SESSIONS``. Whoever begins one more ends one of its own that is idle, and nobody else's.
"""

from __future__ import annotations

import asyncio
import hmac
import re
import secrets
from collections.abc import Awaitable, Callable, Mapping
from hashlib import sha256
from typing import Any, Final

from msgspec import Struct, field

from sluicegate.errors import SluicegateError
from sluicegate.patterns import late
from sluicegate.reach.mcp.gateway import messages
from sluicegate.reach.mcp.gateway.core import CAPABILITIES
from sluicegate.reach.mcp.gateway.decided import PROTOCOL, meta_of
from sluicegate.reach.mcp.gateway.http import message_headers
from sluicegate.reach.mcp.gateway.http.answering import Answering
from sluicegate.reach.mcp.gateway.http.http_session import HttpSession, IdInUse, Served
from sluicegate.reach.mcp.gateway.messages import Id, RpcNotification, RpcReply, RpcRequest

MOST_SESSIONS: Final = 64
IDLE: Final = 1_800.0
"""Seconds after which a session that nobody uses is over."""

UNSUPPORTED: Final = -32022
WITHOUT_SESSIONS: Final = ("2026-07-28",)
WITH_SESSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Revisions whose clients shake hands: what a header may name besides."""
"""The revisions that have no handshake."""

PATH: Final = "/mcp"
CLIENT: Final = "io.modelcontextprotocol/clientInfo"
_NAME: Final = late(r"[A-Za-z0-9_.-]{1,64}", re.ASCII)


class FrontRules(Struct, frozen=True, kw_only=True):
    """Who may ask (1). ``tokens`` by the names of those who bring them; ``flow`` is what the names of sessions begin with."""

    hosts: tuple[str, ...]
    origins: tuple[str, ...] = ()
    tokens: Mapping[str, str] = field(default_factory=dict)
    flow: str


class Principal(Struct, frozen=True):
    """Whose a request is (2): the name of the token, and that in the address; empty where there is none."""

    token: str
    name: str

    def of(self, client: object) -> str:
        """Who it is among clients without a handshake (3)."""
        if self.name:
            return f"{self.token}/{self.name}"
        said = messages.encoded(client) if isinstance(client, dict) else b""
        return f"{self.token}//{sha256(bytes(said)).hexdigest()[:16]}"


class Refusal(Exception):
    """A request that is not served, and what is answered."""

    def __init__(self, status: int, data: bytes = b"", headers: Mapping[str, str] | None = None) -> None:
        super().__init__(status)
        self.status, self.data, self.headers = status, data, headers or {}


class Front:
    """All clients over HTTP. ``make`` makes a core with its servers for a session."""

    def __init__(self, rules: FrontRules, make: Callable[[HttpSession], Awaitable[Served]]) -> None:
        self._rules, self._make = rules, make
        self._sessions: dict[str, HttpSession] = {}
        self._making = asyncio.Lock()
        self._made_count = 0

    async def close(self) -> None:
        """End all sessions."""
        several, self._sessions = list(self._sessions.values()), {}
        await asyncio.gather(*(each.served.close() for each in several if each.served is not None))

    def principal(self, headers: Mapping[str, str], path: str) -> Principal:
        """Whose a request is, if it may ask (1, 2). Raises Refusal."""
        if headers.get("host", "").lower() not in self._rules.hosts:
            raise Refusal(403, b"this host is not served here\n")
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in self._rules.origins:
            raise Refusal(403, b"this origin is not served here\n")
        token = self._token(headers) if self._rules.tokens else ""
        if path == PATH:
            return Principal(token, "")
        name = path.removeprefix(f"{PATH}/") if path.startswith(f"{PATH}/") else ""
        if not _NAME.fullmatch(name) or not name.strip("."):
            raise Refusal(404)
        return Principal(token, name)

    def _token(self, headers: Mapping[str, str]) -> str:
        """The name of the token that is brought. Raises Refusal."""
        given = headers.get("authorization", "").encode("utf-8", "surrogateescape")
        found = [
            name
            for name, token in self._rules.tokens.items()
            if hmac.compare_digest(given, b"Bearer " + token.encode())
        ]
        if not found:
            raise Refusal(401, b"", {"www-authenticate": "Bearer"})
        return found[0]

    async def asked(
        self, whose: Principal, headers: Mapping[str, str], body: bytes
    ) -> tuple[HttpSession, Answering | None, bool]:
        """A message that was posted: its session, what its answer is if it has one, and whether the session is new."""
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise Refusal(415)
        said = messages.read(body)
        if isinstance(said, messages.Malformed):
            raise Refusal(400, _error(said.id, said.code, said.why))
        try:
            params = {} if isinstance(said, RpcReply) else messages.members(said.params)
        except ValueError as error:
            raise Refusal(400, _error(None, messages.INVALID_PARAMS, str(error))) from None
        modern = PROTOCOL in meta_of(params) or headers.get("mcp-protocol-version") in WITHOUT_SESSIONS
        session = await self._session_of(whose, headers, said, params, modern=modern)
        session.used = asyncio.get_running_loop().time()
        if isinstance(said, RpcRequest):
            own = {key: headers[key] for key in headers if key.startswith(message_headers.PREFIX)}
            try:
                answering = session.ask(said, params, own if modern else None)
            except IdInUse:
                raise Refusal(400, _error(said.id, messages.INVALID_REQUEST, "this id is in use")) from None
            return session, answering, said.method == "initialize" and not session.shared
        if not session.shared:
            session.tell(body)
        return session, None, False

    async def _session_of(
        self, whose: Principal, headers: Mapping[str, str], said: messages.Message, params: Mapping[str, Any],
        *, modern: bool,
    ) -> HttpSession:  # fmt: skip
        if modern:
            if not isinstance(said, RpcRequest | RpcNotification):
                raise Refusal(400, _error(None, messages.INVALID_REQUEST, "nobody has asked for this answer"))
            _check_meta(said, params)
            _check_headers(headers, said, params)  # 5
            _check_version(said, params)
            return await self._shared(whose, whose.of(meta_of(params).get(CLIENT)))
        if isinstance(said, RpcRequest) and said.method == "initialize":
            return await self._own(whose)
        return self.session(whose, headers, said.id if isinstance(said, RpcRequest) else None)

    def session(self, whose: Principal, headers: Mapping[str, str], id: Id | None = None) -> HttpSession:
        """The session that a request names; one of somebody else's is none (2). Raises Refusal."""
        name = headers.get("mcp-session-id", "")
        found = self._sessions.get(name)
        if not name or (found is not None and found.shared):
            raise Refusal(400, _error(id, messages.INVALID_REQUEST, "the header Mcp-Session-Id is missing"))
        if found is None or found.principal != _told(whose):
            raise Refusal(404, _error(id, messages.INVALID_REQUEST, "there is no such session"))
        if headers.get("mcp-protocol-version", WITH_SESSIONS[0]) not in WITH_SESSIONS:
            raise Refusal(
                400, _error(id, messages.INVALID_REQUEST, "there is no such revision of the protocol")
            )
        return found

    async def _own(self, whose: Principal) -> HttpSession:
        """A session for a client that shakes hands (3, 4)."""
        async with self._making:
            self._made_count += 1
            flow = self._flow(whose, str(self._made_count))
            return await self._made(HttpSession(secrets.token_hex(16), _told(whose), flow, shared=False))

    async def _shared(self, whose: Principal, client: str) -> HttpSession:
        """The session of clients without a handshake that are one principal (3, 4)."""
        key = f"shared {client}"  # no client names it: a session id has no blank
        async with self._making:
            found = self._sessions.get(key)
            if found is not None:
                return found
            flow = self._flow(whose, client.rpartition("/")[2])
            return await self._made(HttpSession(key, _told(whose), flow, shared=True))

    def _flow(self, whose: Principal, other: str) -> str:
        """The session that is decided in (4). What has no name in its address is called what no address can say."""
        several = (self._rules.flow, whose.token, whose.name or f":{other}")
        return "-".join(each for each in several if each)

    async def _made(self, session: HttpSession) -> HttpSession:
        await self._make_room(session.principal)
        try:
            session.served = await self._make(session)
            session.used = asyncio.get_running_loop().time()
        except SluicegateError as error:
            raise Refusal(
                403, _error(None, messages.REFUSED, f"there is no session: {error.message}")
            ) from None
        self._sessions[session.name] = session
        return session

    async def _make_room(self, whose: str) -> None:
        """End what nobody uses any more; where there are too many, the one that its own principal has not used for longest (6)."""
        now = asyncio.get_running_loop().time()
        idle = sorted((each for each in self._sessions.values() if each.is_idle), key=lambda each: each.used)
        for each in [each for each in idle if each.used <= now - IDLE]:
            await self.end(each.name)
        if len(self._sessions) >= MOST_SESSIONS:
            own = next((each for each in idle if each.principal == whose), None)
            if own is None:
                raise Refusal(503, _error(None, messages.REFUSED, "there are too many sessions"))
            await self.end(own.name)

    async def end(self, name: str) -> None:
        """A session is over."""
        session = self._sessions.pop(name, None)
        if session is not None and session.served is not None:
            await session.served.close()


def _told(whose: Principal) -> str:
    return f"{whose.token}/{whose.name}"


def _check_meta(said: RpcRequest | RpcNotification, params: Mapping[str, Any]) -> None:
    """Whether a request without a session says what it has to. Raises Refusal."""
    if not isinstance(said, RpcRequest):
        return
    version = meta_of(params).get(PROTOCOL)
    if not isinstance(version, str) or not isinstance(meta_of(params).get(CAPABILITIES), dict):
        raise Refusal(
            400, _error(said.id, messages.INVALID_PARAMS, f"_meta has to say {PROTOCOL} and {CAPABILITIES}")
        )


def _check_version(said: RpcRequest | RpcNotification, params: Mapping[str, Any]) -> None:
    """Whether a request is of a revision without sessions that is served. Raises Refusal."""
    version = meta_of(params).get(PROTOCOL)
    if isinstance(said, RpcRequest) and version not in WITHOUT_SESSIONS:
        told = {"supported": list(WITHOUT_SESSIONS), "requested": version}
        error = messages.error(UNSUPPORTED, "this revision is not served without a handshake", told)
        raise Refusal(400, messages.failure(said.id, error))


def _check_headers(
    headers: Mapping[str, str], said: RpcRequest | RpcNotification, params: Mapping[str, Any]
) -> None:
    """Whether the headers say what the message says (5). Those that repeat arguments are looked at where the tool is known. Raises
    Refusal."""
    named = params.get(message_headers.NAMED.get(said.method, ""))
    wanted = {"mcp-protocol-version": meta_of(params).get(PROTOCOL), "mcp-method": said.method}
    if isinstance(named, str):
        wanted["mcp-name"] = named
    for name, value in wanted.items():
        if message_headers.read(headers.get(name)) != value:
            id = said.id if isinstance(said, RpcRequest) else None
            why = f"the header {name} does not say what the message says"
            raise Refusal(400, _error(id, messages.MISMATCH, why))


def _error(id: Id | None, code: int, why: str) -> bytes:
    return messages.failure(id, messages.error(code, why))

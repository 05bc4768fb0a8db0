"""What the wires have in common: making the call, and telling its failures apart."""

from __future__ import annotations

import asyncio
import email.utils
import math
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

import httpx2
import msgspec

from sluicegate.vet.errors import ConfigError
from sluicegate.vet.review.providers import keys
from sluicegate.vet.review.providers.asking import (
    LONGEST_AFTER,
    AskBounds,
    FailureCode,
    ModelAnswer,
    ModelFailure,
    TokenUsage,
    not_set_up,
    without_key,
)
from sluicegate.vet.review.providers.transport import HeldTransport, connections

T = TypeVar("T")

PLACEHOLDER = "sluicegate"
"""What the libraries get for a key: the transport puts in the key itself."""

_PLAIN: Mapping[int, tuple[FailureCode, str]] = {
    401: (FailureCode.AUTHENTICATION, "the key was not accepted; look at the seat's key = ..."),
    403: (FailureCode.AUTHENTICATION, "the key may not use this model; look at the rights of the seat's key"),
    402: (FailureCode.AUTHENTICATION, "the account has nothing left to pay with"),
    408: (FailureCode.TIMEOUT, "the server gave up waiting"),
    413: (FailureCode.REJECTED, "the question is too long for this server"),
    429: (FailureCode.RATE_LIMIT, "the server wants fewer questions"),
}


class SeatLine:
    """The way of one seat to its server: address, key by its address, connections made once."""

    def __init__(self, *, url: str, key: str = "", proxy: str = "") -> None:
        self.url, self._key, self._proxy = url, key, proxy
        self._connections: httpx2.AsyncHTTPTransport | None = None

    async def call(
        self,
        bounds: AskBounds,
        make: Callable[[httpx2.AsyncClient], Awaitable[object]],
        read: Callable[[bytes], ModelAnswer | ModelFailure],
    ) -> ModelAnswer | ModelFailure:
        """``make`` a call with a client of its own, which leaves its reply as it came, and ``read`` that. The key is fetched now."""
        try:
            key = await asyncio.to_thread(keys.fetch_here, self._key) if self._key else None
        except ConfigError as error:
            return not_set_up(error.message, error.hint)
        if self._connections is None:
            self._connections = connections(self._proxy)
        held = HeldTransport(self._connections, url=self.url, key=key, bounds=bounds)
        async with httpx2.AsyncClient(
            transport=held, trust_env=False, follow_redirects=False, timeout=None
        ) as client:
            try:
                await make(client)
            except Exception as error:  # noqa: BLE001 - border: what the libraries raise is told apart there
                failure = held.failure or failed(error, secret=key.unseal() if key else "")
                return without_key(failure, key)
        return without_key(read(held.body), key)

    async def close(self) -> None:
        """Let go of the connections."""
        if self._connections is not None:
            await self._connections.aclose()


def failed(error: Exception, *, secret: str = "", clock: Callable[[], float] = time.time) -> ModelFailure:
    """What an exception of a vendor's library means: both raise the same kinds, with the cause below."""
    response = getattr(error, "response", None)
    if isinstance(response, httpx2.Response):
        return _status(response, secret, clock)
    cause = error.__cause__ or error
    if isinstance(cause, httpx2.ConnectError | httpx2.ProxyError | httpx2.UnsupportedProtocol):
        return ModelFailure(
            FailureCode.UNREACHABLE,
            "nothing answers at the seat's url; is the server running, is the address right?",
        )
    if isinstance(cause, httpx2.TimeoutException):
        return ModelFailure(FailureCode.TIMEOUT, "the server did not answer in time")
    if isinstance(cause, httpx2.TransportError):
        return ModelFailure(FailureCode.DROPPED, "the connection broke off before the reply was whole")
    return ModelFailure(FailureCode.BROKEN, f"the vendor's library raised {type(error).__name__}")


def _status(response: httpx2.Response, secret: str, clock: Callable[[], float]) -> ModelFailure:
    status, said = response.status_code, _said(response.content, secret)
    quoted = f"; it said: {said}" if said else ""
    if status in _PLAIN:
        code, words = _PLAIN[status]
        after = _after(response.headers, clock) if code is FailureCode.RATE_LIMIT else None
        words += f"; it asks to wait {after:,.0f} seconds" if after else ""
        # A server quotes parts of a key that it refuses.
        quoted = "" if code is FailureCode.AUTHENTICATION else quoted
        return ModelFailure(code, f"{words} (status {status}){quoted}", after=after)
    if status == 404 and "model" in said.lower():
        return ModelFailure(FailureCode.MODEL_UNKNOWN, f"the server does not know the seat's model{quoted}")
    if status < 400 or status in (404, 405):
        return ModelFailure(
            FailureCode.ADDRESS,
            f"no model answers at this address (status {status}); look at the seat's url and wire",
        )
    if status >= 500:
        return ModelFailure(
            FailureCode.SERVER,
            f"the server failed (status {status}){quoted}",
            after=_after(response.headers, clock),
        )
    return ModelFailure(FailureCode.REJECTED, f"the server refused the request (status {status}){quoted}")


class _Words(msgspec.Struct):
    message: str = ""


class _ErrorReply(msgspec.Struct):
    error: _Words | str = ""
    message: str = ""


def _said(body: bytes, secret: str) -> str:
    """The words of a reply that tells of an error, on one line, without the key."""
    try:
        reply = msgspec.json.decode(body, type=_ErrorReply)
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return ""
    inner = reply.error.message if isinstance(reply.error, _Words) else reply.error
    words = inner or reply.message
    if secret:
        words = words.replace(secret, "[key]")
    return " ".join(words.split())[:200]


def _after(headers: httpx2.Headers, clock: Callable[[], float]) -> float | None:
    """The seconds to wait that a reply asks for; None when it asks for none, or for nothing sensible."""
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        text = headers.get(name, "")
        try:
            seconds = float(text) / unit
        except ValueError:
            continue
        return min(seconds, LONGEST_AFTER) if math.isfinite(seconds) and seconds >= 0 else None
    try:
        when = email.utils.parsedate_to_datetime(headers.get("retry-after", ""))
        return min(max(0.0, when.timestamp() - clock()), LONGEST_AFTER)
    except (ValueError, TypeError, OverflowError):
        return None


def decoded(body: bytes, kind: type[T]) -> T | ModelFailure:
    """A reply of a wire as ``kind``. What is no such reply, at any depth and with any number, is a failure."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return malformed(body, "the reply is not what this wire sends")


def malformed(body: bytes, why: str) -> ModelFailure:
    """A reply that is none."""
    return ModelFailure(FailureCode.MALFORMED, f"{why}; look at the seat's wire and url", heard=body)


def used(read: int | None, written: int | None) -> TokenUsage | None:
    """Tokens, when both counts are there."""
    return None if read is None or written is None else TokenUsage(read, written)

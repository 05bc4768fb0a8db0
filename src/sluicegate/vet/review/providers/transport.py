"""The line under the vendors' libraries: what goes out, to whom, and how much comes back.

A library of a vendor reads its settings from the environment (headers, organisations, proxies, telemetry) and reads
replies of any size. All of it passes here, so here is where it is held:

1. A request goes to the configured address and to nothing else; redirects are not followed.
2. It carries the headers named below and no others. The key is put in here, and the libraries never see it.
3. A reply comes uncompressed, is read up to a bound, and is UTF-8, before anybody parses it.
"""

from __future__ import annotations

import logging
from functools import cache
from typing import TYPE_CHECKING

import httpx2

from sluicegate import __version__
from sluicegate.vet.review.providers.asking import AskBounds, FailureCode, ModelFailure, too_big

if TYPE_CHECKING:
    import ssl

    from sluicegate.vet.review.providers.keys import HeldKey

_SENT = ("host", "content-type", "content-length", "accept", "anthropic-version")
_KEPT = ("content-type", "retry-after", "retry-after-ms")


class ReplyRefused(Exception):
    """A reply, or a request, that does not pass; ``failure`` says why."""

    def __init__(self, failure: ModelFailure) -> None:
        super().__init__(failure.code)
        self.failure = failure


class HeldTransport(httpx2.AsyncBaseTransport):  # type: ignore[misc]
    """One question's line over connections that are shared. ``body`` is its reply, or ``failure`` why there is none."""

    def __init__(
        self, connections: httpx2.AsyncBaseTransport, *, url: str, key: HeldKey | None, bounds: AskBounds
    ) -> None:
        self._connections, self._url, self._key, self._bounds = connections, httpx2.URL(url), key, bounds
        self.failure: ModelFailure | None = None
        self.body = b""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send, and read the whole reply. Raises ReplyRefused, and what the connection raises."""
        asked = request.url
        if (asked.scheme, asked.host, asked.port) != (self._url.scheme, self._url.host, self._url.port):  # 1
            self._refuse(ModelFailure(FailureCode.ADDRESS, "the request was made for another address"))
        headers = {name: request.headers[name] for name in _SENT if name in request.headers}  # 2
        headers |= {"user-agent": f"sluicegate/{__version__}", "accept-encoding": "identity"}
        if self._key is not None:
            headers["authorization"] = f"Bearer {self._key.unseal()}"
        # The libraries read marks of their own from the request that they made, so another one goes out.
        sent = httpx2.Request(
            request.method, asked, headers=headers, stream=request.stream, extensions=request.extensions
        )
        response = await self._connections.handle_async_request(sent)
        try:
            self.body = await self._body(response)  # 3
        finally:
            await response.aclose()
        kept = {name: response.headers[name] for name in _KEPT if name in response.headers}
        return httpx2.Response(response.status_code, headers=kept, content=self.body, request=request)

    async def _body(self, response: httpx2.Response) -> bytes:
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            self._refuse(
                ModelFailure(FailureCode.MALFORMED, "the reply is compressed, which was not asked for")
            )
        body = bytearray()
        async for chunk in response.stream:
            body += chunk
            if len(body) > self._bounds.wire:
                self._refuse(too_big(self._bounds.answer, bytes(body)))
        try:
            body.decode()
        except UnicodeDecodeError:
            self._refuse(
                ModelFailure(
                    FailureCode.NOT_UTF8, "the reply is not UTF-8", heard=bytes(body[: self._bounds.answer])
                )
            )
        return bytes(body)

    def _refuse(self, failure: ModelFailure) -> None:
        self.failure = failure
        raise ReplyRefused(failure)

    async def aclose(self) -> None:
        """Nothing: the connections are shared."""


def hush(library: str) -> None:
    """Keep a library from logging requests, whatever the environment asks of it: they hold what is under review."""
    logging.getLogger(library).setLevel(logging.WARNING)


def connections(proxy: str = "") -> httpx2.AsyncHTTPTransport:
    """Connections of one seat. No proxy, certificate or password file is taken from the environment."""
    return httpx2.AsyncHTTPTransport(verify=certificates(), trust_env=False, proxy=proxy or None)


@cache
def certificates() -> ssl.SSLContext:
    """What the certificates of servers are checked with: those of this machine, read once for all seats (30 ms)."""
    context: ssl.SSLContext = httpx2.create_ssl_context(trust_env=False)
    return context

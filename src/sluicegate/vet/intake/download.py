"""Downloading one file over https: bounded in bytes and time, without credentials, and never from a private address.

Each name is resolved once, every address it has is checked, and the connection goes to the address that
was checked. A redirect is followed to https alone, and is checked the same way. The redirects of a repository are
followed here too, so that ``git`` itself need not follow any.
"""

from __future__ import annotations

import http.client
import io
import ipaddress
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast
from urllib.parse import urljoin, urlsplit

from sluicegate.vet.errors import SourceError
from sluicegate.vet.intake.deadline import SECONDS, Clock, Deadline
from sluicegate.vet.intake.limits import Limits, too_large
from sluicegate.vet.intake.targets import without_query

REDIRECTS = 5
_SECONDS_OF_SILENCE = 30
_REDIRECTS = (301, 302, 303, 307, 308)


def checked_addresses(host: str, port: int, *, private: bool = False) -> list[str]:
    """The addresses of a host. Raises SourceError when it has none, or one that is private."""
    try:
        answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        hint = "Check the spelling of the host, and that there is a network."
        raise SourceError(f"cannot find {host}: {why}", hint=hint) from None
    addresses = [str(answer[4][0]) for answer in answers]
    for address in addresses:
        if not private and not is_public(address):
            hint = "Download it yourself and scan the file."
            raise SourceError(f"{host} is at the private address {address}", hint=hint)
    return addresses


def is_public(address: str) -> bool:
    """Whether an address is on the open internet, also when it stands inside an IPv6 address."""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(parsed, ipaddress.IPv6Address):
        inner = parsed.ipv4_mapped or parsed.sixtofour or (parsed.teredo[1] if parsed.teredo else None)
        if parsed in ipaddress.ip_network("64:ff9b::/96"):
            inner = ipaddress.IPv4Address(int(parsed) & 0xFFFFFFFF)
        if inner is not None:
            return inner.is_global and not inner.is_multicast
    return parsed.is_global and not parsed.is_multicast


class _Connection(http.client.HTTPSConnection):
    """Connects to an address that was checked, and demands the certificate of the name."""

    def __init__(
        self, host: str, port: int, address: str, context: ssl.SSLContext, deadline: Deadline
    ) -> None:
        super().__init__(host, port, timeout=_SECONDS_OF_SILENCE, context=context)
        self._address = address
        self._ssl = context
        self._deadline = deadline

    def connect(self) -> None:
        wait = self._deadline.left(_SECONDS_OF_SILENCE)
        plain = socket.create_connection((self._address, self.port), wait)
        plain.settimeout(self._deadline.left(_SECONDS_OF_SILENCE))
        secured = self._ssl.wrap_socket(plain, server_hostname=self.host)
        self.sock = cast("socket.socket", _Timed(secured, self._deadline))


class _Timed:
    """A socket of which no read outlasts the deadline, however little each gives."""

    def __init__(self, inner: ssl.SSLSocket, deadline: Deadline) -> None:
        self._inner = inner
        self._deadline = deadline

    def sendall(self, data: bytes) -> None:
        self._inner.settimeout(self._deadline.left(_SECONDS_OF_SILENCE))
        self._inner.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        raw = cast("io.RawIOBase", self._inner.makefile("rb", buffering=0))
        return io.BufferedReader(_Stream(raw, self._inner, self._deadline))

    def close(self) -> None:
        self._inner.close()


class _Stream(io.RawIOBase):
    """What is read of a socket before its deadline."""

    def __init__(self, raw: io.RawIOBase, inner: ssl.SSLSocket, deadline: Deadline) -> None:
        super().__init__()
        self._raw = raw
        self._inner = inner
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int | None:  # type: ignore[override]
        self._inner.settimeout(self._deadline.left(_SECONDS_OF_SILENCE))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        if not self.closed:
            self._raw.close()
        super().close()


def download(
    url: str,
    most: int,
    *,
    within: float = SECONDS,
    clock: Clock = time.monotonic,
    private: bool = False,
    context: ssl.SSLContext | None = None,
) -> bytes:
    """The bytes at ``url``, at most ``most`` of them, fetched ``within`` so many seconds. Raises SourceError.

    ``private`` and ``context`` are for tests; nothing a user can say sets them.
    """
    trusted = context or ssl.create_default_context()
    deadline = Deadline(within, clock)
    for _ in range(REDIRECTS + 1):
        answer = _get(url, most, trusted, deadline, private=private)
        if isinstance(answer, bytes):
            return answer
        url = answer
    raise SourceError(f"{without_query(url)} redirects too often")


_REFERENCES = "/info/refs?service=git-upload-pack"
"""What git asks an https server for first, and alone follows redirects of."""


def repository_url(
    url: str, deadline: Deadline, *, private: bool = False, context: ssl.SSLContext | None = None
) -> str:
    """Where the repository at an https URL is after all redirects, each to an address that was checked.

    Raises SourceError. Any other answer than a redirect is left for git to judge.
    """
    trusted = context or ssl.create_default_context()
    url = url.rstrip("/")
    for _ in range(REDIRECTS + 1):
        with _answer(url + _REFERENCES, trusted, deadline, private=private) as response:
            if response.status not in _REDIRECTS:
                return url
            following = next_url(url, response.headers.get("Location", ""))
        if not following.endswith(_REFERENCES):
            raise SourceError(f"{url} redirects to {without_query(following)}, which is not a repository")
        url = following.removesuffix(_REFERENCES)
    raise SourceError(f"{url} redirects too often")


def private_address(host: str, port: int) -> str | None:
    """An address of the host that is private; None when it has none, or no address at all."""
    try:
        answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return None
    return next((str(each[4][0]) for each in answers if not is_public(str(each[4][0]))), None)


def next_url(url: str, location: str) -> str:
    """Where a redirect leads. Raises SourceError when that is not https, or carries a name or password."""
    shown = without_query(url)
    try:
        following = urljoin(url, location)
        parts = urlsplit(following)
        port = parts.port
    except ValueError as error:
        raise SourceError(f"{shown} redirects to what is not a URL: {error}") from None
    del port
    if parts.username or parts.password:
        raise SourceError(f"{shown} redirects to a URL with a name or password")
    if parts.scheme != "https" or not parts.hostname:
        raise SourceError(f"{shown} redirects to {without_query(following)}, which is not https")
    return following


@contextmanager
def _answer(
    url: str, context: ssl.SSLContext, deadline: Deadline, *, private: bool
) -> Iterator[http.client.HTTPResponse]:
    """The answer to one request."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or 443
    address = checked_addresses(host, port, private=private)[0]
    connection = _Connection(host, port, address, context, deadline)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        connection.request("GET", path, headers={"User-Agent": "sluicegate", "Accept-Encoding": "identity"})
        with connection.getresponse() as response:
            yield response
    except (OSError, http.client.HTTPException, ValueError) as error:
        hint = "Try again, or download it yourself and scan the file."
        raise SourceError(f"cannot download {without_query(url)}: {error}", hint=hint) from None
    finally:
        connection.close()


def _get(url: str, most: int, context: ssl.SSLContext, deadline: Deadline, *, private: bool) -> bytes | str:
    """The body, or where a redirect leads."""
    shown = without_query(url)
    with _answer(url, context, deadline, private=private) as response:
        if response.status in _REDIRECTS:
            return next_url(url, response.headers.get("Location", ""))
        if response.status != 200:
            hint = "Check the URL in a browser, or download it yourself and scan the file."
            raise SourceError(f"{shown} answers {response.status} {response.reason}", hint=hint)
        body = response.read(most + 1)
        if response.length and len(body) <= most:
            raise SourceError(f"{shown} breaks off {response.length} bytes before its end")
    if len(body) > most:
        raise too_large(shown, Limits(download_bytes=most))
    return body

"""Downloading one file over https: bounded, without credentials, and never from a private address.

Each name is resolved once, every address it has is checked, and the connection goes to the address that
was checked. A redirect is followed to https alone, and is checked the same way.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
from urllib.parse import urljoin, urlsplit

from sluicegate.vet.errors import SourceError
from sluicegate.vet.intake.targets import without_query

REDIRECTS = 5
_SECONDS_OF_SILENCE = 30
_REDIRECTS = (301, 302, 303, 307, 308)


def checked_addresses(host: str, port: int, *, private: bool = False) -> list[str]:
    """The addresses of a host. Raises SourceError when it has none, or one that is private."""
    try:
        answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise SourceError(f"cannot find {host}: {error}") from None
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

    def __init__(self, host: str, port: int, address: str, context: ssl.SSLContext) -> None:
        super().__init__(host, port, timeout=_SECONDS_OF_SILENCE, context=context)
        self._address = address
        self._ssl = context

    def connect(self) -> None:
        plain = socket.create_connection((self._address, self.port), self.timeout)
        self.sock = self._ssl.wrap_socket(plain, server_hostname=self.host)


def download(url: str, most: int, *, private: bool = False, context: ssl.SSLContext | None = None) -> bytes:
    """The bytes at ``url``, at most ``most`` of them. Raises SourceError.

    ``private`` and ``context`` are for tests; nothing a user can say sets them.
    """
    trusted = context or ssl.create_default_context()
    for _ in range(REDIRECTS + 1):
        answer = _get(url, most, trusted, private=private)
        if isinstance(answer, bytes):
            return answer
        url = answer
    raise SourceError(f"{without_query(url)} redirects too often")


def next_url(url: str, location: str) -> str:
    """Where a redirect leads. Raises SourceError when that is not https, or carries a name or password."""
    shown = without_query(url)
    try:
        following = urljoin(url, location)
        parts = urlsplit(following)
        port = parts.port
    except ValueError as error:
        raise SourceError(f"{shown} redirects to what is no URL: {error}") from None
    del port
    if parts.username or parts.password:
        raise SourceError(f"{shown} redirects to a URL with a name or password")
    if parts.scheme != "https" or not parts.hostname:
        raise SourceError(f"{shown} redirects to {without_query(following)}, which is not https")
    return following


def _get(url: str, most: int, context: ssl.SSLContext, *, private: bool) -> bytes | str:
    """The body, or where a redirect leads."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or 443
    address = checked_addresses(host, port, private=private)[0]
    connection = _Connection(host, port, address, context)
    shown = without_query(url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        connection.request("GET", path, headers={"User-Agent": "sluicegate", "Accept-Encoding": "identity"})
        with connection.getresponse() as response:
            if response.status in _REDIRECTS:
                return next_url(url, response.headers.get("Location", ""))
            if response.status != 200:
                raise SourceError(f"{shown} answers {response.status} {response.reason}")
            body = response.read(most + 1)
            if response.length and len(body) <= most:
                raise SourceError(f"{shown} breaks off {response.length} bytes before its end")
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise SourceError(f"cannot download {shown}: {error}") from None
    finally:
        connection.close()
    if len(body) > most:
        raise SourceError(f"{shown} is larger than {most} bytes", hint="Raise limits.download_bytes.")
    return body

"""A permit: a decision to let one operation happen, as it travels to whoever does it, and back.

Its token is text. It holds what was decided and nothing that its holder does not know: the operation, the values that
may flow, and the labels. It is authenticated (HMAC-SHA256 with a secret of the user's that lies outside the
workspace), so that what comes back is what went out. What it says is not secret; its values are those that the holder
gave, as guards have changed them.
"""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from math import isfinite
from typing import Any

import msgspec

from sluicegate.flow.errors import FlowError
from sluicegate.flow.labels.names import shown

SECOND = 1_000_000_000
_PURPOSE = b"sluicegate permit 1\0"
_MAC = 32
_MOST_PARTS = 1_000_000
_LONGEST = 64 * 1024 * 1024


class PermitError(FlowError):
    """A text is not a token of a permit."""

    code = "permit"


class Permit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was permitted. ``values`` are what may flow, so use these and not what was asked for.

    ``session`` and ``number`` are its name; ``operation``, ``labels`` and ``source`` say what was decided. ``taint`` are
    the labels of what goes in, ``expects`` those that its result has at least, ``file`` those of what is known of a file that is
    read. ``issued`` is in nanoseconds, ``lifetime``
    in seconds. ``shown`` is the operation for people, without values. ``mac`` is what authenticates all this.
    """

    session: str
    number: int
    operation: str
    values: dict[str, Any]
    labels: tuple[str, ...] = ()
    source: str = ""
    taint: tuple[str, ...] = ()
    expects: tuple[str, ...] = ()
    file: tuple[str, ...] = ()
    endorsed: bool = False
    issued: int
    lifetime: int
    shown: str = ""
    mac: bytes = b""

    def __repr__(self) -> str:
        return f"Permit({self.name}: {self.shown})"

    @property
    def name(self) -> str:
        """The session and the number, as the ledger has it."""
        return f"{self.session}/{self.number}"

    @property
    def ends(self) -> int:
        """When it is over, in nanoseconds."""
        return self.issued + self.lifetime * SECOND

    @property
    def digest(self) -> bytes:
        """The SHA-256 digest of all that was decided."""
        return sha256(self._body()).digest()

    def covers(self, operation: str, values: Mapping[str, object]) -> bool:
        """Whether it permits exactly this operation with exactly these values."""
        try:
            return self.operation == operation and _canonical(self.values) == _canonical(dict(values))
        except (TypeError, ValueError, RecursionError):
            return False

    def token(self) -> str:
        """The permit as text, for another process."""
        return urlsafe_b64encode(self.mac + self._body()).decode()

    @staticmethod
    def read(token: str) -> Permit:
        """The permit that a token says. Whether it is one of ours is found when it is settled. Raises PermitError."""
        try:
            if len(token) > _LONGEST:
                raise ValueError
            data = urlsafe_b64decode(token.encode("ascii"))
            found = _decoder.decode(data[_MAC:])
            permit = msgspec.structs.replace(found, mac=data[:_MAC])
            whole = permit.token() == token
        except (ValueError, msgspec.MsgspecError, RecursionError, UnicodeError):
            raise PermitError(
                "this is not a token of a permit", hint="give it as Permit.token made it"
            ) from None
        if not whole or found.mac:
            raise PermitError("this is not a token of a permit", hint="give it as Permit.token made it")
        return permit

    def sealed(self, secret: bytes) -> Permit:
        """The permit with its MAC."""
        return self.numbered(self.number, secret)[0]

    def numbered(self, number: int, secret: bytes) -> tuple[Permit, bytes]:
        """The permit with its number and its MAC, and its digest."""
        made = self
        if self.number != number or self.mac:
            made = msgspec.structs.replace(self, number=number, mac=b"")
        body = _canonical(made)
        return msgspec.structs.replace(made, mac=_mac(secret, body)), sha256(body).digest()

    def is_authentic(self, secret: bytes) -> bool:
        """Whether it is as who has the secret made it."""
        return hmac.compare_digest(self.mac, _mac(secret, self._body()))

    def _body(self) -> bytes:
        return _canonical(msgspec.structs.replace(self, mac=b"") if self.mac else self)


@lru_cache(maxsize=16)
def _keyed(secret: bytes) -> tuple[Any, Any]:
    """The two digests of HMAC (RFC 2104) with the key and the purpose taken in. ``hmac.digest`` begins anew each time, which
    costs more than all else about a permit."""
    block = (sha256(secret).digest() if len(secret) > 64 else secret).ljust(64, b"\0")
    inner, outer = (sha256(bytes(byte ^ pad for byte in block)) for pad in (0x36, 0x5C))
    inner.update(_PURPOSE)
    return inner, outer


def _mac(secret: bytes, body: bytes) -> bytes:
    """HMAC-SHA256 of the purpose and the body."""
    inner, outer = _keyed(secret)
    first, second = inner.copy(), outer.copy()
    first.update(body)
    second.update(first.digest())
    found: bytes = second.digest()
    return found


_encoder = msgspec.json.Encoder(order="sorted")
_decoder = msgspec.json.Decoder(Permit)


def _canonical(value: object) -> bytes:
    return _encoder.encode(value)


def plain_json(values: Mapping[str, object]) -> None:
    """Raise FlowError unless values are what JSON can say: then a token says the same as the permit."""
    for name, value in values.items():
        if type(value) is not str or not value.isascii():
            _plain_json(value, name)


def _plain_json(value: object, name: str) -> None:
    waiting: list[object] = [value]
    count = 0
    while waiting:
        one = waiting.pop()
        count += 1
        if count > _MOST_PARTS:
            raise FlowError(f"{shown(name)} holds more than a million parts", hint="pass a file in its place")
        kind = type(one)
        if kind is str:
            wrong = "" if _is_text(one) else "text that is not Unicode"  # type: ignore[arg-type]
        elif kind is int:
            wrong = "" if -(2**63) <= one < 2**64 else "a number that is too large for JSON"  # type: ignore[operator]
        elif kind is float:
            wrong = "" if isfinite(one) else "a number that JSON has not"  # type: ignore[arg-type]
        elif kind is list or kind is tuple:
            waiting.extend(one)  # type: ignore[arg-type]
            continue
        elif kind is dict and all(type(key) is str and _is_text(key) for key in one):  # type: ignore[attr-defined]
            waiting.extend(one.values())  # type: ignore[attr-defined]
            continue
        else:
            wrong = "" if one is None or kind is bool else f"a {kind.__name__}, and JSON has none"
        if wrong:
            raise FlowError(
                f"{shown(name)} holds {wrong}",
                hint="arguments are texts, numbers, true, false, null, lists and objects",
            )


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True

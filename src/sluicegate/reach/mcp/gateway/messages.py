"""JSON-RPC messages: what the gateway has to know of one is decoded, and the rest stays the bytes that came.

1. A message is one object, of a bounded size and depth: what can be read here can be read and written wherever it goes. Batches are
   refused: no revision that is served here has them.
2. What is decided on is written anew from what was read, so that a name that stands twice means the same to us and to whoever
   reads it next.
3. What is sent has no line break: between two parts of a message, one would begin another message that nobody has looked at.
"""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from sluicegate.patterns import late

MOST_BYTES: Final = 32 * 1024 * 1024
"""Bytes of one message."""

MOST_LEVELS: Final = 200
"""Objects and lists one within another."""

_STRING: Final = late(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
_NO_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))

Id = int | str

PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS, INTERNAL_ERROR = (
    -32700,
    -32600,
    -32601,
    -32602,
    -32603,
)
REFUSED: Final = -32010
"""The gateway refuses; ``data`` has the rule."""

MISMATCH: Final = -32020
"""The headers of a message do not say what it says."""


class RpcRequest(Struct, frozen=True):
    """Somebody asks for something, and wants an answer."""

    id: Id
    method: str
    params: Raw


class RpcNotification(Struct, frozen=True):
    """Somebody tells something."""

    method: str
    params: Raw


class RpcReply(Struct, frozen=True):
    """An answer: one of ``result`` and ``error`` is there."""

    id: Id
    result: Raw | None
    error: Raw | None


class Malformed(Struct, frozen=True):
    """What came is not a message. ``id`` is that of the request that it was to be, if that can be read."""

    why: str
    id: Id | None = None
    code: int = INVALID_REQUEST


Message = RpcRequest | RpcNotification | RpcReply | Malformed


class _Wire(Struct):
    jsonrpc: str = ""
    id: Id | UnsetType | None = UNSET
    method: str | UnsetType = UNSET
    params: Raw | UnsetType = UNSET
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET


class _Out(Struct, omit_defaults=True):
    jsonrpc: str
    id: Id | UnsetType | None = UNSET
    method: str | UnsetType = UNSET
    params: Raw | UnsetType = UNSET
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET


_wire = msgspec.json.Decoder(_Wire)
_any = msgspec.json.Decoder()
_encoder = msgspec.json.Encoder()
_NOTHING: Final = Raw(b"")


def read(data: bytes) -> Message:
    """The message in these bytes (1)."""
    if len(data) > MOST_BYTES:
        return Malformed(f"a message has more than {MOST_BYTES} bytes")
    if data.count(b"[") + data.count(b"{") > MOST_LEVELS and _is_deep(data):
        return Malformed(f"it is nested more than {MOST_LEVELS} levels deep", code=PARSE_ERROR)
    try:
        if not data.isascii():
            data.decode()
        if b"\r" in data or b"\n" in data:  # 3
            data = _encoder.encode(_any.decode(data))
        found = _wire.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        is_object = data.lstrip()[:1] == b"{" and isinstance(error, msgspec.ValidationError)
        return Malformed(
            f"it cannot be read: {error}"[:300], code=INVALID_REQUEST if is_object else PARSE_ERROR
        )
    except RecursionError:
        return Malformed("it is nested too deeply", code=PARSE_ERROR)
    return _sorted(found)


def _is_deep(data: bytes) -> bool:
    """Whether brackets that stand in no string are nested too deeply."""
    left = _STRING.sub(b"", data).translate(None, _NO_BRACKETS)
    for _ in range(MOST_LEVELS):
        inner = left.replace(b"[]", b"").replace(b"{}", b"")
        if len(inner) == len(left):  # none are left, or what is left is not JSON
            return False
        left = inner
    return bool(left)


def _sorted(found: _Wire) -> Message:
    id = None if isinstance(found.id, UnsetType) else found.id
    if found.jsonrpc != "2.0":
        return Malformed('"jsonrpc" is not "2.0"', id)
    answers = [part for part in (found.result, found.error) if not isinstance(part, UnsetType)]
    if not isinstance(found.method, UnsetType):
        if answers:
            return Malformed("it is a request and an answer at once", id)
        params = _NOTHING if isinstance(found.params, UnsetType) else Raw(bytes(found.params))
        if isinstance(found.id, UnsetType):
            return RpcNotification(found.method, params)
        return Malformed('"id" is null') if id is None else RpcRequest(id, found.method, params)
    if len(answers) != 1 or id is None:
        return Malformed("it is neither a request nor an answer", id)
    whole = Raw(bytes(answers[0]))
    return RpcReply(id, None, whole) if isinstance(found.result, UnsetType) else RpcReply(id, whole, None)


def decoded(raw: Raw | None) -> Any:
    """What stands in a part; nothing in one that is not there. Raises ValueError."""
    if raw is None or not bytes(raw):
        return None
    try:
        return _any.decode(raw)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        raise ValueError("a part of it cannot be read") from None


def members(raw: Raw) -> dict[str, Any]:
    """The object in a part; an empty one where it is not there. Raises ValueError."""
    found = decoded(raw)
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise ValueError("params is not an object")
    return found


def encoded(value: object) -> Raw:
    """A value as a part (2)."""
    return Raw(_encoder.encode(value))


def request(id: Id, method: str, params: Raw) -> bytes:
    """A request as it is sent."""
    return _encoder.encode(_Out("2.0", id=id, method=method, params=params if bytes(params) else UNSET))


def notification(method: str, params: Raw) -> bytes:
    """A notification as it is sent."""
    return _encoder.encode(_Out("2.0", method=method, params=params if bytes(params) else UNSET))


def result(id: Id, part: Raw) -> bytes:
    """An answer as it is sent."""
    return _encoder.encode(_Out("2.0", id=id, result=part))


def failure(id: Id | None, part: Raw) -> bytes:
    """An error as it is sent."""
    return _encoder.encode(_Out("2.0", id=id, error=part))


def error(code: int, message: str, data: object = None) -> Raw:
    """The part of an error."""
    told: dict[str, object] = {"code": code, "message": message}
    return encoded(told if data is None else {**told, "data": data})

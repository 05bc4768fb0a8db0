"""Envelopes around signed bytes: DSSE version 1 (https://github.com/secure-systems-lab/dsse), read strictly.

The signature covers the type as well as the bytes, so that what was signed as one thing is not taken for
another. An envelope has one spelling: anything else (white space, another order, a repeated or unknown field,
base64 with loose ends) is not an envelope.
"""

from __future__ import annotations

import base64

import msgspec
from msgspec import Struct

from sluicegate.record.errors import KeyFileError, RecordError
from sluicegate.record.keys.identity import strict_base64
from sluicegate.record.keys.keys import Signer

LIMIT = 64 * 1024 * 1024
"""An envelope is at most this many bytes: a folder of some hundred thousand files."""


class EnvelopeError(RecordError):
    """Not an envelope in its one spelling."""

    code = "envelope"


class Envelope(Struct, frozen=True, kw_only=True):
    """``payload`` as bytes, its type, and one signature (64 bytes) with the id of the key that should fit it."""

    type: str
    payload: bytes
    key_id: str
    signature: bytes


class _Signature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    keyid: str
    sig: str


class _Wire(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    payload: str
    payloadType: str
    signatures: tuple[_Signature]


def encoding(type: str, payload: bytes) -> bytes:
    """The bytes that are signed: DSSE's pre-authentication encoding (PAE)."""
    name = type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(name), name, len(payload), payload)


def seal(type: str, payload: bytes, signer: Signer) -> bytes:
    """An envelope around ``payload``, signed; ends in a line feed."""
    signature = signer.sign(encoding(type, payload))
    return _written(Envelope(type=type, payload=payload, key_id=signer.public.id, signature=signature))


def parse(data: bytes) -> Envelope:
    """Read an envelope. Nothing is verified yet. Raises EnvelopeError and nothing else."""
    if len(data) > LIMIT:
        raise EnvelopeError(f"an envelope has at most {LIMIT} bytes")
    try:
        wire = msgspec.json.decode(data, type=_Wire)
        payload, signature = strict_base64(wire.payload), strict_base64(wire.signatures[0].sig)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, KeyFileError):
        raise EnvelopeError("not a DSSE envelope with one signature") from None
    if len(signature) != 64:
        raise EnvelopeError("an Ed25519 signature has 64 bytes")
    envelope = Envelope(
        type=wire.payloadType, payload=payload, key_id=wire.signatures[0].keyid, signature=signature
    )
    try:
        same = _written(envelope) == data
    except UnicodeError:  # a lone surrogate in a name
        same = False
    if not same:
        raise EnvelopeError("an envelope that is not in its one spelling")
    return envelope


def _written(envelope: Envelope) -> bytes:
    wire = _Wire(
        payload=base64.b64encode(envelope.payload).decode(),
        payloadType=envelope.type,
        signatures=(_Signature(keyid=envelope.key_id, sig=base64.b64encode(envelope.signature).decode()),),
    )
    return msgspec.json.encode(wire) + b"\n"

"""Signatures that are carried to where the workspace and its trust cannot be seen: into a sandbox, a container.

They travel as the text of one environment variable, with the public keys of those who signed, as far as they are
trusted where the text is made. Whoever sets the variable says who is trusted; it proves as much as the environment
of the process is worth, and is for a program that checks what it was given by the one that started it.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec
from msgspec import Struct

from sluicegate.record.errors import SigningError, TrustError
from sluicegate.record.keys import trust as trusting
from sluicegate.record.keys.trust import Trust
from sluicegate.record.signatures.signatures import (
    Reason,
    Refused,
    SignedSubject,
    Verified,
    open_envelope,
    verify,
)
from sluicegate.record.signatures.verify_variables import SIGNATURES

LIMIT: Final = 96 * 1024
"""Characters of the text: the kernel takes 128 KiB for one variable."""

_UNPACKED: Final = 4 * 1024 * 1024


class _Carried(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    version: int
    trust: str
    signatures: list[tuple[str, str, bytes]]


class Carried(Struct, frozen=True, kw_only=True):
    """Envelopes by (purpose, name), and whose signatures count."""

    signatures: Mapping[tuple[str, str], bytes]
    trust: Trust

    def verify(
        self, subject: SignedSubject | None, *, purpose: str, name: str, now: int
    ) -> Verified | Refused:
        """``signatures.verify`` of what is carried; ``Refused(missing)`` when nothing is."""
        envelope = self.signatures.get((purpose, name))
        if envelope is None:
            return Refused(reason=Reason.MISSING, detail=f"{name!r} was not given with the question")
        return verify(envelope, subject=subject, purpose=purpose, name=name, trust=self.trust, now=now)


def pack(signatures: Iterable[tuple[str, str, bytes]], *, trust: Trust, now: int) -> str:
    """The text for (purpose, name, envelope) of each. Raises SigningError when it would be too long."""
    found = list(signatures)
    opened = [open_envelope(envelope, trust=trust, now=now) for _, _, envelope in found]
    keys = {each.statement.key for each in opened if isinstance(each, Verified)}
    signers = Trust(keys={id: entry for id, entry in trust.keys.items() if id in keys})
    carried = _Carried(version=1, trust=trusting.dump(signers), signatures=found)
    text = base64.b64encode(zlib.compress(msgspec.json.encode(carried), 9)).decode("ascii")
    if len(text) > LIMIT:
        raise SigningError(
            f"the signed instructions are too long to be verified by a model: {len(text)} characters of {LIMIT}",
            hint="Ask with fewer or shorter templates, or leave autoverify out: they are verified before it is asked.",
        )
    return text


def unpack(text: str) -> Carried:
    """What ``pack`` made. Raises SigningError for anything else."""
    try:
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(base64.b64decode(text, validate=True), _UNPACKED)
        if unpacker.unconsumed_tail or not unpacker.eof:
            raise ValueError
        carried = msgspec.json.decode(data, type=_Carried)
        trust = trusting.parse(carried.trust, where=SIGNATURES)
    except (ValueError, binascii.Error, zlib.error, msgspec.MsgspecError, TrustError):
        raise SigningError(f"{SIGNATURES} holds no signatures that can be read") from None
    if carried.version != 1:
        raise SigningError(f"{SIGNATURES} is of another version of Sluicegate")
    return Carried(
        signatures={(purpose, name): envelope for purpose, name, envelope in carried.signatures}, trust=trust
    )

"""Checkpoints: a signature over the head of a ledger, and so over every line up to it.

What is signed is not the line but a statement of its own type, so that a signature of one kind is never taken
for another: the ledger's id, the number and hash of the line before the checkpoint, the signer and the time.
"""

from __future__ import annotations

import base64

import msgspec
from msgspec import Struct

from sluicegate.record.clock import SECOND, parse_second, stamp_second
from sluicegate.record.errors import KeyFileError
from sluicegate.record.keys.identity import strict_base64
from sluicegate.record.keys.keys import Signer
from sluicegate.record.keys.trust import Trust
from sluicegate.record.ledger.events import Checkpoint
from sluicegate.record.signatures import dsse

TYPE = "application/vnd.sluicegate.checkpoint+json"


class Attested(Struct, frozen=True, kw_only=True):
    """The checkpoint is signed by somebody trusted."""

    by: str


class UnknownSigner(Struct, frozen=True, kw_only=True):
    """Nobody trusted vouches: an unknown, revoked or ended key. It counts for nothing, and breaks nothing."""

    why: str


class Forged(Struct, frozen=True, kw_only=True):
    """It claims a trusted key, and is not signed with it."""

    why: str


def make(*, ledger: str, through: int, head: str, signer: Signer, now: int) -> Checkpoint:
    """A checkpoint over line ``through``, whose hash is ``head``; ``now`` in nanoseconds."""
    time = stamp_second(now // SECOND)
    payload = _payload(ledger, through, head, signer.identity, signer.public.id, time)
    signature = signer.sign(dsse.encoding(TYPE, payload))
    return Checkpoint(
        ledger=ledger,
        through=through,
        head=head,
        by=signer.identity,
        key=signer.public.id,
        time=time,
        sig=base64.b64encode(signature).decode(),
    )


def check(event: Checkpoint, trust: Trust) -> Attested | UnknownSigner | Forged:
    """What a checkpoint is worth by itself; whether it names the line it stands after is for the caller."""
    key = trust.keys.get(event.key)
    if key is None:
        return UnknownSigner(why=f"signed with a key that nobody here trusts, {event.key[:16]}")
    try:
        signature, made = strict_base64(event.sig), parse_second(event.time)
    except (KeyFileError, ValueError):
        return Forged(why="the checkpoint is not well formed")
    payload = _payload(event.ledger, event.through, event.head, event.by, event.key, event.time)
    if event.by != key.identity or not key.key.accepts(signature, dsse.encoding(TYPE, payload)):
        return Forged(why=f"the checkpoint is not signed by {key.identity}'s key")
    if key.revoked is not None:
        return UnknownSigner(why=f"signed with a key of {key.identity} that was revoked")
    if key.not_after is not None and made > key.not_after:
        return UnknownSigner(why=f"signed after the end of the key of {key.identity}")
    return Attested(by=key.identity)


def _payload(ledger: str, through: int, head: str, by: str, key: str, time: str) -> bytes:
    return msgspec.json.encode(
        {
            "format": "sluicegate-checkpoint-1",
            "ledger": ledger,
            "through": through,
            "head": head,
            "by": by,
            "key": key,
            "time": time,
        }
    )

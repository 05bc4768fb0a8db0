"""One line of the ledger: an event with its number, the hash of the line before, and a MAC.

    {"seq":7,"prev":"<64 hex>","id":"k3v.2","ts":"2026-…Z","event":"write",…,"mac":"<32 hex>"}

1. ``seq`` counts from 1. ``prev`` is the SHA-256 of the line before, without its line feed; of line 1 it is
   64 zeros. Anyone can check this chain.
2. ``mac`` is keyed BLAKE2b (16 bytes) over the line without its ``mac`` field. The key is the ledger's secret,
   which is held outside the workspace: who can write the file, and no more, can add no line.
3. A line has one spelling. Anything else, even with the same meaning, is not a line.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from sluicegate.patterns import late
from sluicegate.record.ledger import events
from sluicegate.record.ledger.events import Event, EventId

NOTHING = "0" * 64
"""``prev`` of line 1."""

LIMIT = 1 << 20
"""A line has at most this many bytes, its line feed included."""

_HEAD = late(
    rb'\{"seq":([1-9][0-9]{0,17}),"prev":"([0-9a-f]{64})","id":"([0-9a-z]{1,32}\.[0-9]{1,18})",'
    rb'"ts":"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z)",'
)
_MAC = late(rb',"mac":"([0-9a-f]{32})"\}')
_MAC_BYTES = len(b',"mac":""}') + 32


class Line(NamedTuple):
    """A line as it was read: well formed, and not yet known to follow from the one before."""

    seq: int
    prev: str
    id: EventId
    ts: str
    hash: str
    mac: bytes
    sealed: bytes
    body: bytes

    def event(self) -> Event:
        """The event of the line. Raises ValueError when its body is none."""
        return events.decode(self.body)

    def authentic(self, key: bytes) -> bool:
        """Whether the line was written with ``key`` (2)."""
        return _mac(key, self.sealed).encode() == self.mac


def part(id: EventId, ts: str, event: Event) -> bytes:
    """The part of a line that does not depend on where it stands."""
    return b'"id":"%b","ts":"%b",%b' % (id.encode(), ts.encode(), events.encode(event)[1:])


def write(seq: int, prev: str, part: bytes, key: bytes) -> tuple[bytes, str]:
    """A line, with its line feed, and its hash."""
    sealed = b'{"seq":%d,"prev":"%b",%b' % (seq, prev.encode(), part)
    line = b'%b,"mac":"%b"}' % (sealed[:-1], _mac(key, sealed).encode())
    return line + b"\n", hashlib.sha256(line).hexdigest()


def read(line: bytes) -> Line:
    """A line without its line feed. Raises ValueError when it is not well formed; the event is not looked at."""
    head = _HEAD.match(line)
    tail = _MAC.fullmatch(line, max(0, len(line) - _MAC_BYTES))
    if head is None or tail is None or head.end() > tail.start():
        raise ValueError("not a line of a ledger")
    sealed = line[: tail.start()] + b"}"
    seq, prev, id, ts = head.groups()
    return Line(
        int(seq),
        prev.decode(),
        EventId(id.decode()),
        ts.decode(),
        hashlib.sha256(line).hexdigest(),
        tail[1],
        sealed,
        b"{" + sealed[head.end() :],
    )


def _mac(key: bytes, sealed: bytes) -> str:
    return hashlib.blake2b(sealed, key=key, digest_size=16).hexdigest()


def split(handle: BinaryIO) -> Iterator[bytes]:
    """The lines of a file, each with its line feed; the last may lack one.

    A line of more than ``LIMIT`` bytes comes in pieces, of which none is well formed.
    """
    while line := handle.readline(LIMIT):
        yield line

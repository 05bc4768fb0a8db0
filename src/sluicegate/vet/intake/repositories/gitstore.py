"""Which files of a ``.git`` folder are Git's own packed data, and nothing an agent reads or runs.

By name and by content: a file in the place of an object that does not have the form of one is a file like
any other, and is read.
"""

from __future__ import annotations

import zlib

from sluicegate.vet.lazy import lazy

HEAD = 1 << 16
"""Bytes of a file that ``is_packed`` wants to see (all of it, when it is shorter)."""

_PLACE = lazy(
    r"(?:[^\n]{0,4000}/)?(?:objects/[0-9a-f]{2}/[0-9a-f]{38}(?:[0-9a-f]{24})?"
    r"|objects/pack/(?:pack-[0-9a-f]{40,64}\.(?:pack|idx|rev|bitmap|mtimes)|multi-pack-index)"
    r"|objects/info/commit-graph|index)"
)
_MARKS = (
    b"PACK\0\0\0", b"\xfftOc\0\0\0", b"RIDX\0\0\0", b"BITM\0", b"MTME\0\0\0", b"MIDX\1", b"CGPH\1",
    b"DIRC\0\0\0",
)  # fmt: skip


def may_be_packed(path: str) -> bool:
    """Whether the path (below ``.git/``) is a place where Git keeps packed data."""
    return _PLACE.fullmatch(path) is not None


def is_packed(head: bytes) -> bool:
    """Whether a file that begins with these bytes (its first HEAD) is an object, a pack or an index."""
    if head.startswith(_MARKS):
        return True
    stream = zlib.decompressobj()
    try:
        if not stream.decompress(head, 16).startswith((b"blob ", b"tree ", b"commit ", b"tag ")):
            return False
        if len(head) >= HEAD:
            return True
        # Shorter than HEAD, so this is all of it: it must be one object and nothing more.
        while not stream.eof:
            if not stream.decompress(stream.unconsumed_tail, HEAD):
                return stream.eof
    except zlib.error:
        return False
    return not stream.unused_data

"""Finding runs of characters of one alphabet at the speed of ``bytes.find``.

A text becomes one byte a character (latin-1, ``?`` for the rest), each byte becomes ``a`` (in the alphabet)
or a space, and a run of at least ``n`` is then a search for ``n`` letters ``a``.
"""

from __future__ import annotations

from collections.abc import Iterator


def alphabet(characters: str) -> bytes:
    """The table that marks ``characters``."""
    members = frozenset(characters.encode("latin-1"))
    return bytes(97 if c in members else 32 for c in range(256))


def shape(text: str) -> bytes:
    """``text`` with one byte a character."""
    return text.encode("latin-1", "replace")


def runs(data: bytes, table: bytes, least: int) -> Iterator[tuple[int, int]]:
    """Start and end of each run of at least ``least`` characters of the alphabet, in order."""
    mask = data.translate(table)
    needle = b"a" * least
    at = mask.find(needle)
    while at != -1:
        end = mask.find(b" ", at)
        if end == -1:
            end = len(mask)
        yield at, end
        at = mask.find(needle, end)

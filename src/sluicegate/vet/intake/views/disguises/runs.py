"""Finding runs of characters of one alphabet at the speed of ``bytes.find``.

A text becomes one byte a character (latin-1, ``?`` for the rest), each byte becomes ``a`` (in the alphabet)
or a space, and a run of at least ``n`` is then a search for ``n`` letters ``a``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

_ASCII = bytes(range(128))


def alphabet(characters: str) -> bytes:
    """The table that marks ``characters``."""
    members = frozenset(characters.encode("latin-1"))
    return bytes(97 if c in members else 32 for c in range(256))


@lru_cache(maxsize=1)  # one family after the other asks for that of the same text
def shape(text: str) -> bytes:
    """``text`` with one byte a character."""
    return text.encode("latin-1", "replace")


@lru_cache(maxsize=1)
def lowered(text: str) -> bytes:
    """``shape(text)`` in lower case, to look for words of ASCII letters in.

    U+212A is the one character beyond ASCII whose lower case is an ASCII letter.
    """
    return shape(text).lower() if "\u212a" not in text else shape(text.replace("\u212a", "k")).lower()


@lru_cache(maxsize=1)
def foreign(text: str) -> frozenset[str]:
    """The characters of ``text`` that are not ASCII."""
    rest = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    return frozenset(rest.decode("utf-8", "surrogatepass"))


def runs(data: bytes, table: bytes, least: int) -> Iterator[tuple[int, int]]:
    """Start and end of each run of at least ``least`` characters of the alphabet, in order."""
    mask = data.translate(table) + b" "
    needle = b"a" * least + b" "  # the end of a run: a search for what ends in a rarer letter is faster
    at = mask.find(needle)
    while at != -1:
        end = at + least
        yield mask.rfind(b" ", 0, at) + 1, end
        at = mask.find(needle, end)

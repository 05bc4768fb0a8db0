"""Digests of several texts as one: an encoding that no two lists of texts share, and SHA-256 of it.

A list of texts is encoded as its length and then each text behind its own length, so where one ends is never read
from what it holds (joined by a separator, ``("a|b",)`` and ``("a", "b")`` are one). ``spec/coq/Thm/Encoding.v`` proves
that different lists have different encodings; that SHA-256 keeps them apart is assumed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def encode(parts: Iterable[str]) -> bytes:
    """The texts as bytes: ``2:1:a3:b|c`` for ``("a", "b|c")``; lengths in bytes of UTF-8, lone surrogates kept."""
    encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
    return b"%d:" % len(encoded) + b"".join(b"%d:%s" % (len(part), part) for part in encoded)


def digest(*parts: str) -> str:
    """SHA-256 of the encoded texts, 64 hexadecimal digits."""
    return hashlib.sha256(encode(parts)).hexdigest()

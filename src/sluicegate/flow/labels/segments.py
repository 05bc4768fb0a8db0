"""Text as a segment of a label of an operation, and back: whatever labels do not have stands as ``%`` and its code."""

from __future__ import annotations

import re
from typing import Final

from sluicegate.patterns import late

_LONGEST: Final = 160
_KEPT: Final = frozenset("/._-+=~^#&'$;<>()[]{}|\"`\\")
_CODED: Final = late(r"(?:%[0-9A-Fa-f]{2})+", re.ASCII)


def segment(text: str) -> str:
    """Text as one segment of a label: what labels do not have (``:``, blanks, ``%`` ...) as ``%`` and its
    code.

    A long one keeps its beginning and gets a digest.
    """
    if text.isalnum() and text.isascii():
        coded = text
    else:
        coded = "".join(_char(char) for char in text)
    if len(coded) > _LONGEST:
        import hashlib

        digest = hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]
        coded = f"{coded[:100].rstrip('%')}...{digest}"
    return coded or "%"


def _char(char: str) -> str:
    if (char.isalnum() and char.isascii()) or char in _KEPT:
        return char
    return "".join(f"%{byte:02x}" for byte in char.encode("utf-8", "surrogateescape"))


def as_given(coded: str) -> str:
    """The segment that whoever wrote this one meant: it is the same where a label can have it."""
    if coded == "%":
        return coded
    meant = segment(_CODED.sub(lambda found: _text(found[0]), coded))
    return coded if meant == coded else meant


def _text(coded: str) -> str:
    return bytes.fromhex(coded.replace("%", "")).decode("utf-8", "surrogateescape")

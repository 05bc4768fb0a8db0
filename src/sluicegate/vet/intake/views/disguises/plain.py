"""Whether bytes that came out of a decoding are text that somebody meant."""

from __future__ import annotations

import zlib

from sluicegate.tuples import NamedTuple
from sluicegate.vet.lazy import lazy

_CONTROL = bytes(c for c in range(32) if c not in b"\t\n\r\f\x1b") + b"\x7f"
_WORDY = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 \n"
_THREE_LETTERS = lazy(rb"[A-Za-z]{3}")
_PACKED_FIRST = frozenset(b"\x1f\x78B\xfd\x5d")  # first bytes of the compressed streams that are known
_PROBE = 4096  # bytes inflated before the rest is worth inflating


class PlainText(NamedTuple):
    """Decoded text; ``how`` names what stood between (``gzip``, ``utf-16``), ``cut`` says that it goes on."""

    text: str
    how: str = ""
    cut: bool = False


def as_text(data: bytes) -> str | None:
    """``data`` as text if it is plausible text (UTF-8 or UTF-16), else ``None``.

    At most 2 % control characters; of ASCII text two in five characters are letters, digits or spaces, and in
    a short one three letters stand together; of other text four in five characters are letters, marks or ASCII.
    """
    if len(data) < 5:
        return None
    if b"\0" in data[:64]:
        return _utf16(data)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        if len(data) < 12 or error.start < len(data) - 3:
            return None
        data = data[: error.start]
        text = data.decode("utf-8", "ignore")
    controls = len(data) - len(data.translate(None, _CONTROL))
    if controls * 50 > len(data):
        return None
    if text.isascii():
        odd = len(data.translate(None, _WORDY))
        return text if odd * 5 <= len(data) * 3 and (len(data) >= 16 or _THREE_LETTERS.search(data)) else None
    head = text[:2000]
    good = sum(c.isascii() or c.isalnum() or c.isspace() for c in head)
    if len(data) < 24 and not all(c.isalpha() or c.isspace() for c in head):
        return None
    return text if good * 5 >= len(head) * 4 else None


def may_begin_text(head: bytes) -> bool:
    """Whether ``plain`` may find text in data that begins with ``head``."""
    if _compression(head) is not None or b"\0" in head:  # UTF-16 has a zero among its first two bytes
        return True
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start >= len(head) - 3
    return True


def _utf16(data: bytes) -> str | None:
    for codec, high in (("utf-16-le", 1), ("utf-16-be", 0)):
        if not any(data[high:64:2]):
            text = data[: len(data) & ~1].decode(codec, "replace").lstrip("\ufeff")
            return text if text.isascii() and as_text(text.encode()) else None
    return None


def _inflate(data: bytes, kind: str, most: int) -> tuple[bytes, bool]:
    """At most ``most`` bytes of a compressed stream, and whether it goes on; errors end it."""
    if kind == "gzip":
        stream = zlib.decompressobj(47)
        try:
            return stream.decompress(data, most), bool(stream.unconsumed_tail)
        except zlib.error:
            return b"", False
    import bz2
    import lzma

    unpacker = bz2.BZ2Decompressor() if kind == "bzip2" else lzma.LZMADecompressor(memlimit=64 << 20)
    try:
        return unpacker.decompress(data, most), not unpacker.needs_input and not unpacker.eof
    except (lzma.LZMAError, OSError, EOFError, ValueError, MemoryError):
        return b"", False


def _compression(data: bytes) -> str | None:
    if not data or data[0] not in _PACKED_FIRST:
        return None
    if data[:2] == b"\x1f\x8b" or (
        data[:1] == b"\x78" and data[1:2] in b"\x01\x5e\x9c\xda" and len(data) > 8
    ):
        return "gzip"
    if data[:3] == b"BZh":
        return "bzip2"
    if data[:6] == b"\xfd7zXZ\0" or data[:3] == b"\x5d\0\0":
        return "xz"
    return None


def inflate(data: bytes, most: int) -> bytes | None:
    """``data`` inflated, if it is a compressed stream of at most ``most`` bytes."""
    kind = _compression(data)
    if kind is None:
        return None
    out, more = _inflate(data, kind, most)
    return out if out and not more else None


def plain(data: bytes, most: int) -> PlainText | None:
    """The text in ``data``, inflated first where it is compressed (to ``most`` bytes); ``None`` for no text."""
    kind = _compression(data)
    if kind is None:
        text = as_text(data)
        if text is None:
            return None
        return PlainText(text=text, how="utf-16" if b"\0" in data[:64] else "")
    probe, more = _inflate(data, kind, _PROBE)
    if not probe or as_text(probe) is None:
        return None
    cut = False
    if more:
        probe, cut = _inflate(data, kind, most)
    text = as_text(probe)
    return PlainText(text=text, how=kind, cut=cut) if text is not None else None

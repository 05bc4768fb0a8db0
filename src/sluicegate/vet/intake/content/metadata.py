"""Words inside pictures and recordings: comments, captions, descriptions. Agents read them, so they are text.

Only words of 32 characters or more count; names of programs and dates are shorter.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from struct import error as StructError
from struct import unpack_from

from sluicegate.vet.intake.content.encoding import decode_text
from sluicegate.vet.intake.content.media import gif_blocks, jpeg_segments, png_chunks
from sluicegate.vet.lazy import lazy

LEAST = 32
"""Printable characters below which words are not text."""
MOST = 1 << 20
"""Bytes of words taken from one file."""

_PNG_PLAIN = frozenset(
    {
        b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"cHRM", b"gAMA", b"iCCP", b"sBIT", b"sRGB", b"bKGD",
        b"hIST", b"pHYs", b"sPLT", b"tIME", b"acTL", b"fcTL", b"fdAT", b"cICP", b"vpAg",
    }
)  # fmt: skip
_RUN = lazy(rb"[\t\n\r\x20-\x7e\x80-\xff]{%d,}" % LEAST)
_ASCII_RUN = lazy(rb"[\t\n\r\x20-\x7e]{%d,}" % LEAST)
_WIDE_RUN = lazy(rb"(?:[\t\n\r\x20-\x7e]\0){%d,}" % LEAST)
_RIFF_TEXT = (b"LIST", b"XMP ", b"EXIF", b"bext", b"iXML", b"ICMT", b"id3 ")
_ENTRIES_MOST = 10_000
"""Fields of a TIFF, and boxes of a film, that are looked at."""
_OGG_HEAD = 1 << 16
"""Bytes of an Ogg file in which its comments stand."""
_ID3_TEXT = (b"COMM", b"USLT", b"WXXX", b"PRIV", b"GEOB")


def embedded_text(data: bytes) -> tuple[str, bool]:
    """The words of a medium (empty when there are none), and whether all of them were taken."""
    words: list[str] = []
    complete = True
    taken = 0
    try:
        for part in _parts(data):
            text = part[: MOST - taken]
            complete = complete and len(text) == len(part)
            taken += len(text)
            text = text.strip("\0 \r\n\t")
            if sum(map(str.isprintable, text[: 4 * LEAST])) >= LEAST:
                words.append(text)
            if not complete:
                break
    except (StructError, IndexError):
        pass  # the structure breaks off here; what came before it is kept
    return "\n".join(words), complete


def _parts(data: bytes) -> Iterator[str]:
    if data.startswith(b"\x89PNG"):
        yield from _png(data)
    elif data.startswith(b"\xff\xd8"):
        yield from _jpeg(data)
    elif data.startswith(b"GIF8"):
        yield from _gif(data)
    elif data.startswith(b"RIFF"):
        yield from _riff(data)
    elif data.startswith(b"ID3"):
        yield from _id3(data)
    elif data.startswith((b"II*\0", b"MM\0*")):
        yield from _tiff(data)
    elif data.startswith(b"fLaC"):
        yield from _flac(data)
    elif data.startswith(b"OggS"):
        yield from _runs(data[:_OGG_HEAD])
    elif data[4:8] == b"ftyp":
        yield from _boxes(data)


def _png(data: bytes) -> Iterator[str]:
    for kind, start, length in png_chunks(data):
        if kind in _PNG_PLAIN:
            continue
        body = data[start : start + length]
        if kind == b"zTXt":
            keyword, _, rest = body.partition(b"\0")
            body = keyword + b": " + _inflate(rest[1:])
        elif kind == b"iTXt":
            body = _international(body)
        elif kind == b"tEXt":
            body = body.replace(b"\0", b": ", 1)
        else:
            yield from _runs(body)
            continue
        yield decode_text(body)


def _international(body: bytes) -> bytes:
    keyword, _, rest = body.partition(b"\0")
    packed = rest[:1] == b"\1"
    _, _, rest = rest[2:].partition(b"\0")
    _, _, words = rest.partition(b"\0")
    return keyword + b": " + (_inflate(words) if packed else words)


def _inflate(packed: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(packed, MOST)
    except zlib.error:
        return b""


def _runs(body: bytes) -> Iterator[str]:
    """Runs of readable characters in bytes of no known structure."""
    for run in _RUN.findall(body):
        try:
            text = run.decode("utf-8")
        except UnicodeDecodeError:
            yield from (part.group().decode("ascii") for part in _ASCII_RUN.finditer(run))
        else:
            yield text
    yield from (run.group().decode("utf-16-le") for run in _WIDE_RUN.finditer(body))


def _jpeg(data: bytes) -> Iterator[str]:
    for marker, start, length in jpeg_segments(data)[0]:
        body = data[start : start + length]
        if marker == 0xFE:
            yield decode_text(body)
        elif 0xE1 <= marker <= 0xEF and not body.startswith((b"ICC_PROFILE\0", b"MPF\0")):
            yield from _runs(body)


def _gif(data: bytes) -> Iterator[str]:
    for label, body in gif_blocks(data)[0]:
        if label == 0xFF and body[1:12] in (b"NETSCAPE2.0", b"ANIMEXTS1.0", b"ICCRGBG1012"):
            continue
        if body[1:12] == b"XMP DataXMP":
            yield from _runs(body[12:])
            continue
        words, at = [], 0
        while at < len(body) and body[at]:
            words.append(body[at + 1 : at + 1 + body[at]])
            at += 1 + body[at]
        yield decode_text(b"".join(words))


def _riff(data: bytes) -> Iterator[str]:
    at, chunks = 12, 0
    while at + 8 <= len(data) and chunks < 10_000:
        kind, size = data[at : at + 4], int(unpack_from("<I", data, at + 4)[0])
        if kind in _RIFF_TEXT and data[at + 8 : at + 12] != b"movi":
            yield from _runs(data[at + 8 : at + 8 + min(size, MOST)])
        at += 8 + size + (size & 1)
        chunks += 1


def _id3(data: bytes) -> Iterator[str]:
    size = _syncsafe(data[6:10])
    version, at, end = data[3], 10, min(10 + size, len(data))
    if version == 2:
        yield from _runs(data[10:end])
        return
    while at + 10 <= end and data[at] != 0:
        frame, raw = data[at : at + 4], data[at + 4 : at + 8]
        length = _syncsafe(raw) if version == 4 else int.from_bytes(raw, "big")
        body = data[at + 10 : min(at + 10 + length, end)]
        if frame.startswith(b"T") or frame in _ID3_TEXT:
            yield _id3_text(body)
        at += 10 + length


def _id3_text(body: bytes) -> str:
    if body[:1] in (b"\1", b"\2"):
        codec = "utf-16" if body[0] == 1 else "utf-16-be"
        return body[1:].decode(codec, "replace").replace("\0", " ")
    return decode_text(body[1:]).replace("\0", " ")


def _tiff(data: bytes) -> Iterator[str]:
    """The values of bytes and characters of a TIFF, folder by folder; its strips are numbers elsewhere."""
    order = "<" if data.startswith(b"II") else ">"
    at, entries, seen = int(unpack_from(order + "I", data, 4)[0]), 0, set[int]()
    values: list[tuple[int, int]] = []
    while at and at not in seen and entries < _ENTRIES_MOST:
        seen.add(at)
        count = int(unpack_from(order + "H", data, at)[0])
        for place in range(at + 2, at + 2 + 12 * count, 12):
            form, size, offset = unpack_from(order + "HII", data, place + 2)
            entries += 1
            if form in (1, 2, 7) and size >= LEAST:
                values.append((offset, offset + size))
        at = int(unpack_from(order + "I", data, at + 2 + 12 * count)[0])
    end = 0
    for start, stop in sorted(values):  # which may lie over each other, and are read once
        yield from _runs(data[max(start, end) : stop])
        end = max(end, stop)


def _flac(data: bytes) -> Iterator[str]:
    at, last = 4, False
    while not last and at + 4 <= len(data):
        last, kind = bool(data[at] & 0x80), data[at] & 0x7F
        size = int.from_bytes(data[at + 1 : at + 4], "big")
        if kind in (2, 4):  # of a program, comments
            yield from _runs(data[at + 4 : at + 4 + size])
        at += 4 + size


def _boxes(data: bytes) -> Iterator[str]:
    """The boxes beside the film itself: titles and comments stand in ``moov``, ``meta`` and ``udta``."""
    at, boxes = 0, 0
    while at + 8 <= len(data) and boxes < _ENTRIES_MOST:
        size, kind, head = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8], 8
        if size == 1:
            size, head = int(unpack_from(">Q", data, at + 8)[0]), 16
        if kind not in (b"mdat", b"moof", b"sidx"):
            yield from _runs(data[at + head : at + size if size else len(data)])
        if size < head:
            return
        at += size
        boxes += 1


def _syncsafe(raw: bytes) -> int:
    return sum((byte & 0x7F) << shift for byte, shift in zip(raw, (21, 14, 7, 0), strict=True))

"""Where a picture, font or recording truly ends. What stands after it was hung there.

Each function walks the format's own structure, in time linear in the bytes, and gives the offset of the
end; None where the format has no end of its own or the structure breaks off (then nothing is claimed).
"""

from __future__ import annotations

from struct import error as StructError
from struct import unpack_from

from sluicegate.vet.lazy import lazy

_JPEG_MARKER = lazy(rb"\xff[\x01-\xcf\xd8-\xfe]")
_SEGMENTS = 20_000
"""Segments of one JPEG that are walked; no camera or program writes so many."""
_PADDING = b"\0\r\n\t \x1a"


def tail_start(data: bytes) -> int | None:
    """Where the bytes after the end of the medium begin; None when there are none but padding."""
    end = true_end(data)
    if end is None or end >= len(data):
        return None
    return end if data[end:].strip(_PADDING) else None


def true_end(data: bytes) -> int | None:
    """Where the medium ends by its own structure; None when that cannot be said."""
    try:
        if data.startswith(b"\x89PNG"):
            return _png(data)
        if data.startswith(b"\xff\xd8"):
            return _jpeg(data)
        if data.startswith(b"GIF8"):
            return _gif(data)
        if data.startswith(b"RIFF"):
            return _riff(data)
        if data.startswith((b"wOFF", b"wOF2")):
            return int(unpack_from(">I", data, 8)[0])
        if data.startswith(b"ttcf"):
            return _collection(data)
        if data.startswith((b"\0\1\0\0", b"OTTO", b"true")):
            return _sfnt(data, 0)
        if data.startswith(b"BM"):
            size = int(unpack_from("<I", data, 2)[0])
            return size if size >= 54 else None
        if data.startswith((b"\0\0\1\0", b"\0\0\2\0")):
            return _icon(data)
        return _boxes(data) if data[4:8] == b"ftyp" else None
    except (StructError, IndexError):
        return None


def breaks_off(data: bytes) -> bool:
    """Whether this is a picture of a form that has an end, and the end cannot be found."""
    return walked(data) and true_end(data) is None


def walked(data: bytes) -> bool:
    """Whether the medium is of a form of which every part is known, and the words in it are read apart."""
    return data.startswith((b"\x89PNG", b"\xff\xd8", b"GIF8"))


def png_chunks(data: bytes) -> list[tuple[bytes, int, int]]:
    """The chunks of a PNG as (type, start of its bytes, length), up to IEND or where the file breaks off."""
    chunks = []
    at = 8
    while at + 12 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        kind = data[at + 4 : at + 8]
        if at + 12 + length > len(data):
            break
        chunks.append((kind, at + 8, length))
        at += 12 + length
        if kind == b"IEND":
            break
    return chunks


def _png(data: bytes) -> int | None:
    chunks = png_chunks(data)
    if not chunks or chunks[-1][0] != b"IEND":
        return None
    return chunks[-1][1] + chunks[-1][2] + 4


def jpeg_segments(data: bytes) -> tuple[list[tuple[int, int, int]], int | None]:
    """Segments before and between the scans as (marker, start, length), and the end (None: breaks off)."""
    segments: list[tuple[int, int, int]] = []
    at = 2
    while at + 2 <= len(data) and len(segments) < _SEGMENTS:
        if data[at] != 0xFF:
            return segments, None
        marker = data[at + 1]
        if marker == 0xFF:  # fill byte
            at += 1
        elif marker == 0xD9:
            return segments, at + 2
        elif marker == 0x01 or 0xD0 <= marker <= 0xD8:
            at += 2
        else:
            length = int(unpack_from(">H", data, at + 2)[0])
            if length < 2:
                return segments, None
            segments.append((marker, at + 4, length - 2))
            at += 2 + length
            if marker == 0xDA:
                following = _JPEG_MARKER.search(data, at)
                if following is None:
                    return segments, None
                at = following.start()
    return segments, None


def _jpeg(data: bytes) -> int | None:
    end = jpeg_segments(data)[1]
    # Cameras hang further pictures on the first (previews, depth): each is a picture with an end of its own.
    # The walk continues on a copy, so it is bounded: ten are more than any camera writes.
    for _ in range(10):
        if end is None:
            return None
        start = end
        while start < len(data) and data[start] == 0 and start - end < 4096:
            start += 1
        if not data.startswith(b"\xff\xd8\xff", start):
            return end
        inner = jpeg_segments(data[start:])[1]
        end = None if inner is None else start + inner
    return end


def gif_blocks(data: bytes) -> tuple[list[tuple[int, bytes]], int | None]:
    """Text-bearing extensions of a GIF as (label, bytes), and the end (None: breaks off)."""
    found: list[tuple[int, bytes]] = []
    at = 13 + (3 << ((data[10] & 7) + 1) if data[10] & 0x80 else 0)
    while at < len(data):
        mark = data[at]
        if mark == 0x3B:
            return found, at + 1
        if mark == 0x21:
            label = data[at + 1]
            start, at = at + 2, _sub_blocks(data, at + 2)
            if label in (0x01, 0xFE, 0xFF):
                found.append((label, data[start:at]))
        elif mark == 0x2C:
            flags = data[at + 9]
            at += 10 + (3 << ((flags & 7) + 1) if flags & 0x80 else 0) + 1
            at = _sub_blocks(data, at)
        else:
            return found, None
    return found, None


def _sub_blocks(data: bytes, at: int) -> int:
    while data[at]:
        at += data[at] + 1
    return at + 1


def _gif(data: bytes) -> int | None:
    return gif_blocks(data)[1]


def _riff(data: bytes) -> int | None:
    size = int(unpack_from("<I", data, 4)[0])
    if size in (0, 0xFFFFFFFF):  # a recorder that never came back to fill it in
        return None
    end = 8 + size + (size & 1)
    return end if end <= len(data) + 1 else None


def _sfnt(data: bytes, at: int) -> int:
    tables = int(unpack_from(">H", data, at + 4)[0])
    end = at + 12 + 16 * tables
    for table in range(tables):
        offset, length = unpack_from(">II", data, at + 12 + 16 * table + 8)
        end = max(end, (offset + length + 3) // 4 * 4)
    return int(end)


def _collection(data: bytes) -> int:
    version, fonts = unpack_from(">II", data, 4)
    end = 12 + 4 * fonts + (12 if version == 0x20000 else 0)
    for font in range(min(fonts, 256)):
        end = max(end, _sfnt(data, unpack_from(">I", data, 12 + 4 * font)[0]))
    if version == 0x20000:
        length, offset = unpack_from(">II", data, 12 + 4 * fonts + 4)
        end = max(end, length + offset)
    return int(end)


def _icon(data: bytes) -> int:
    count = int(unpack_from("<H", data, 4)[0])
    ends = [sum(unpack_from("<II", data, 6 + 16 * entry + 8)) for entry in range(count)]
    return int(max(ends))


def _boxes(data: bytes) -> int | None:
    at = 0
    while at < len(data):
        if len(data) - at < 8 or not all(32 <= byte < 127 or byte == 0xA9 for byte in data[at + 4 : at + 8]):
            return at
        size = int(unpack_from(">I", data, at)[0])
        if size == 1:
            size = int(unpack_from(">Q", data, at + 8)[0])
        if size == 0 or at + size > len(data):
            return None
        if size < 8:
            return at
        at += size
    return at

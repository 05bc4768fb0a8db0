"""The directory of a zip: what it says is inside, where, and whether that holds together.

The directory at the end decides, as it does for unpackers; what the local headers say otherwise is reported.
"""

from __future__ import annotations

from dataclasses import dataclass
from struct import Struct, unpack_from

from penstock.vet.intake.magic import end_of_zip

_END = 22
_ENTRY = 46
_LOCAL = 30
_WIDE = 0xFFFFFFFF
_LINE = Struct("<4xxBHHHHHIIIHHHHHII")
_HEADER = Struct("<4xxxHHHHIIIHH")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of the directory. ``start`` to ``end`` are the member's packed bytes in the file."""

    raw_name: bytes
    method: int
    flags: int
    crc: int
    packed: int
    size: int
    mode: int
    header: int
    start: int
    end: int
    disagrees: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Directory:
    """All of it. ``base`` is where the archive begins in the file; ``total`` is the number of its lines."""

    entries: tuple[Entry, ...]
    total: int
    base: int
    first: int
    start: int
    comment: bytes
    tail: int
    damage: str | None


def read_directory(data: bytes, most: int) -> Directory | None:
    """The directory, at most ``most`` entries of it; None when the file has none that can be found."""
    end = end_of_zip(data)
    if end < 0:
        return _empty(data)
    total, size, offset, comment_size = unpack_from("<HIIH", data, end + 10)
    start = end - size
    if data.startswith(b"PK\6\7", end - 20):
        wide = _wide_end(data, end)
        if wide is None:
            return None
        total, size, offset, start = wide
    if not data.startswith(b"PK\1\2", start):
        # Bytes were put between directory and end record; the offset is what is left to go by.
        start = offset
    if start < 0 or not data.startswith(b"PK\1\2", start):
        return None
    base = max(0, start - offset)
    entries, at, damage = _entries(data, start, end, base, most)
    if damage is None and len(entries) < most and len(entries) != total % 65536 and len(entries) != total:
        damage = f"the directory promises {total} members and has {len(entries)}"
    comment = data[end + _END : end + _END + comment_size]
    return Directory(
        entries=tuple(entries),
        total=max(total, len(entries)),
        base=base,
        first=min((entry.header for entry in entries), default=start),
        start=start,
        comment=comment,
        tail=end + _END + len(comment),
        damage=damage if at <= end else "the directory runs over its end",
    )


def _empty(data: bytes) -> Directory | None:
    """The directory of a zip that is nothing but its end record; None when this is none."""
    if not data.startswith(b"PK\5\6") or len(data) < _END or data[8:20].strip(b"\0"):
        return None
    comment = data[_END : _END + int(unpack_from("<H", data, 20)[0])]
    return Directory(
        entries=(), total=0, base=0, first=0, start=0, comment=comment, tail=_END + len(comment), damage=None
    )


def _wide_end(data: bytes, end: int) -> tuple[int, int, int, int] | None:
    """Count, size, offset and place of the directory from the zip64 end record."""
    at = int(unpack_from("<Q", data, end - 12)[0])
    if not data.startswith(b"PK\6\6", at):
        at = data.rfind(b"PK\6\6", max(0, end - 20 - 4096), end - 20)
        if at < 0:
            return None
    if len(data) < at + 56:
        return None
    total, size, offset = unpack_from("<QQQ", data, at + 32)
    return total, size, offset, at - size


def _entries(data: bytes, at: int, end: int, base: int, most: int) -> tuple[list[Entry], int, str | None]:
    entries: list[Entry] = []
    while len(entries) < most and data.startswith(b"PK\1\2", at):
        if at + _ENTRY > end:
            return entries, at, "the directory breaks off"
        line = _LINE.unpack_from(data, at)
        name, extra, comment = line[9:12]
        stop = at + _ENTRY + name + extra + comment
        if stop > end:
            return entries, at, "the directory breaks off"
        fields = data[at + _ENTRY + name : at + _ENTRY + name + extra]
        entries.append(_entry(data, base, line, data[at + _ENTRY : at + _ENTRY + name], fields))
        at = stop
    return entries, at, None


def _entry(data: bytes, base: int, line: tuple[int, ...], raw_name: bytes, fields: bytes) -> Entry:
    system, _, flags, method, _, _, crc, packed, size = line[:9]
    attributes, header = line[14], line[15]
    size, packed, header = _widened(fields, size, packed, header)
    at = base + header
    start, disagrees = _local(data, at, raw_name, flags, method, packed, size)
    return Entry(
        raw_name=raw_name,
        method=method,
        flags=flags,
        crc=crc,
        packed=packed,
        size=size,
        mode=(attributes >> 16) & 0xFFFF if system in (3, 19) else 0,
        header=at,
        start=start,
        end=start + packed,
        disagrees=disagrees,
    )


def _widened(fields: bytes, size: int, packed: int, header: int) -> tuple[int, int, int]:
    """The three numbers, those that do not fit in 32 bits taken from the zip64 extra field."""
    if _WIDE not in (size, packed, header):
        return size, packed, header
    at = 0
    while at + 4 <= len(fields):
        tag, length = unpack_from("<HH", fields, at)
        if tag == 1:
            wide = [
                int.from_bytes(fields[k : k + 8], "little") for k in range(at + 4, at + 4 + length - 7, 8)
            ]
            numbers = [size, packed, header]
            for place, number in enumerate(numbers):
                if number == _WIDE and wide:
                    numbers[place] = wide.pop(0)
            return numbers[0], numbers[1], numbers[2]
        at += 4 + length
    return size, packed, header


def _local(
    data: bytes, at: int, raw_name: bytes, flags: int, method: int, packed: int, size: int
) -> tuple[int, str | None]:
    """Where the member's bytes begin (-1: nowhere), and in what its own header disagrees."""
    if not data.startswith(b"PK\3\4", at) or len(data) < at + _LOCAL:
        return -1, None
    own_flags, own_method, _, _, _, own_packed, own_size, name, extra = _HEADER.unpack_from(data, at)
    start = at + _LOCAL + name + extra
    disagrees = None
    if data[at + _LOCAL : at + _LOCAL + name] != raw_name:
        disagrees = "another name"
    elif own_method != method:
        disagrees = "another way of packing"
    elif (own_flags ^ flags) & 1:
        disagrees = "another word on encryption"
    elif (
        not own_flags & 8
        and ((own_packed, own_size) != (packed, size))
        and _WIDE not in (own_packed, own_size)
    ):
        disagrees = "another size"
    return start, disagrees


def stray_header(data: bytes, start: int, end: int) -> int:
    """Where a local header stands in bytes that no member covers; -1 without one."""
    at = data.find(b"PK\3\4", start, end)
    while at != -1:
        if at + _LOCAL <= end and _HEADER.unpack_from(data, at)[1] in (0, 8, 9, 12, 14, 93, 95, 99):
            return at
        at = data.find(b"PK\3\4", at + 1, end)
    return -1


def stray_entry(data: bytes, at: int, end: int) -> Entry | None:
    """The member of a local header that the directory does not list; None when its length is not said."""
    flags, method, _, _, crc, packed, size, name, extra = _HEADER.unpack_from(data, at)
    start = at + _LOCAL + name + extra
    if flags & 8 or packed == 0 or start + packed > end:
        return None
    return Entry(
        raw_name=data[at + _LOCAL : at + _LOCAL + name],
        method=method,
        flags=flags,
        crc=crc,
        packed=packed,
        size=size,
        mode=0,
        header=at,
        start=start,
        end=start + packed,
        disagrees=None,
    )

"""The directory of a zip: what it says is inside, where, and whether that holds together.

The directory at the end decides, as it does for most unpackers; what the local headers say otherwise is
reported, for an unpacker that streams goes by them. So is whatever would lead another unpacker to another
directory.
"""

from __future__ import annotations

from dataclasses import dataclass
from struct import Struct, unpack_from
from zlib import crc32

from sluicegate.vet.intake.content.magic import end_of_zip

_END = 22
_ENTRY = 46
_LOCAL = 30
_WIDE = 0xFFFFFFFF
_LINE = Struct("<4xxBHHHHHIIIHHHHHII")
_HEADER = Struct("<4xxxHHHHIIIHH")
_UNICODE_NAME = 0x7075
_DESCRIPTOR = b"PK\7\x08"


@dataclass(frozen=True, slots=True, kw_only=True)
class ZipMember:
    """One line of the directory. ``start`` to ``end`` are the member's packed bytes in the file.

    ``aliases`` are the other names under which an unpacker may write it, and who says so.
    """

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
    aliases: tuple[tuple[bytes, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Directory:
    """All of it. ``base`` is where the archive begins in the file; ``total`` is the number of its lines."""

    entries: tuple[ZipMember, ...]
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
    start, stop, damage = end - size, end, None
    if data.startswith(b"PK\6\7", end - 20):
        wide = _wide_end(data, end)
        if wide is None:
            return None
        if not _agree((total, size, offset), wide[:3]):
            damage = "two end records that disagree"
        total, size, offset, stop = wide
        start = stop - size
        told = int(unpack_from("<Q", data, end - 12)[0])
        if told != stop and data.startswith(b"PK\6\6", told):
            damage = "two end records of zip64"
    if not data.startswith(b"PK\1\2", start):
        # Bytes were put between directory and end record; the offset is what is left to go by.
        start = offset
    if start < 0 or not data.startswith(b"PK\1\2", start):
        return None
    if start < offset or (start > offset and data.startswith(b"PK\1\2", offset)):
        damage = damage or "its end record leads to two directories"
    base = max(0, start - offset)
    entries, at, broken = _entries(data, start, stop, base, most)
    damage = broken or damage or _miscounted(len(entries), total, most)
    if damage is None and len(entries) < most and at != stop:
        damage = f"{stop - at} bytes between the directory and its end"
    comment = data[end + _END : end + _END + comment_size]
    return Directory(
        entries=tuple(entries),
        total=max(total, len(entries)),
        base=base,
        first=min((entry.header for entry in entries), default=start),
        start=start,
        comment=comment,
        tail=end + _END + len(comment),
        damage=damage,
    )


def _agree(narrow: tuple[int, ...], wide: tuple[int, ...]) -> bool:
    """Whether the old end record says what that of zip64 says, or that it cannot say it."""
    marks = (0xFFFF, _WIDE, _WIDE)
    return all(old in (new, mark) for old, new, mark in zip(narrow, wide, marks, strict=True))


def _miscounted(found: int, total: int, most: int) -> str | None:
    if found >= most or found in (total, total % 65536):
        return None
    return f"the directory promises {total} members and has {found}"


def _empty(data: bytes) -> Directory | None:
    """The directory of a zip that is nothing but its end record; None when this is none."""
    if not data.startswith(b"PK\5\6") or len(data) < _END or data[8:20].strip(b"\0"):
        return None
    comment = data[_END : _END + int(unpack_from("<H", data, 20)[0])]
    return Directory(
        entries=(), total=0, base=0, first=0, start=0, comment=comment, tail=_END + len(comment), damage=None
    )


def _wide_end(data: bytes, end: int) -> tuple[int, int, int, int] | None:
    """Count, size and offset of the directory from the zip64 end record, and where that stands.

    It stands right before its locator; one that the locator finds elsewhere is read by some and not by others.
    """
    at = data.rfind(b"PK\6\6", max(0, end - 20 - 4096), end - 20)
    if at < 0 or at + 12 + int(unpack_from("<Q", data, at + 4)[0]) != end - 20 or end - 20 < at + 56:
        return None
    total, size, offset = unpack_from("<QQQ", data, at + 32)
    return total, size, offset, at


def _entries(data: bytes, at: int, end: int, base: int, most: int) -> tuple[list[ZipMember], int, str | None]:
    entries: list[ZipMember] = []
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


def _entry(data: bytes, base: int, line: tuple[int, ...], raw_name: bytes, fields: bytes) -> ZipMember:
    _, _, flags, method, _, _, crc, packed, size = line[:9]
    attributes, header = line[14], line[15]
    size, packed, header = _widened(fields, size, packed, header)
    at = base + header
    start, disagrees, aliases = _local(data, at, raw_name, flags, method, packed, size)
    told = _unicode_name(fields, raw_name)
    if told is not None:
        aliases = ((told, "the directory's second name"), *aliases)
    return ZipMember(
        raw_name=raw_name,
        method=method,
        flags=flags,
        crc=crc,
        packed=packed,
        size=size,
        mode=attributes >> 16,  # whatever system it claims to come from: unpackers take it as it is
        header=at,
        start=start,
        end=start + packed,
        disagrees=disagrees,
        aliases=tuple(dict.fromkeys(aliases)),
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


def _unicode_name(fields: bytes, raw_name: bytes) -> bytes | None:
    """The name that an extra field gives instead of ``raw_name``; None when there is none that says another."""
    at = 0
    while at + 9 <= len(fields):
        tag, length = unpack_from("<HH", fields, at)
        if tag == _UNICODE_NAME and length > 5 and fields[at + 4] == 1:
            name = fields[at + 9 : at + 4 + length]
            if int(unpack_from("<I", fields, at + 5)[0]) == crc32(raw_name) and name != raw_name:
                return name
        at += 4 + length
    return None


def _local(
    data: bytes, at: int, raw_name: bytes, flags: int, method: int, packed: int, size: int
) -> tuple[int, str | None, tuple[tuple[bytes, str], ...]]:
    """Where the member's bytes begin (-1: nowhere), in what its own header disagrees, and its other names."""
    if not data.startswith(b"PK\3\4", at) or len(data) < at + _LOCAL:
        return -1, None, ()
    own_flags, own_method, _, _, _, own_packed, own_size, name, extra = _HEADER.unpack_from(data, at)
    start = at + _LOCAL + name + extra
    own_name, fields = data[at + _LOCAL : at + _LOCAL + name], data[start - extra : start]
    own_size, own_packed, _ = _widened(fields, own_size, own_packed, 0)
    aliases = []
    if own_name != raw_name:
        aliases.append((own_name, "another name in its own header"))
    told = _unicode_name(fields, own_name)
    if told is not None:
        aliases.append((told, "a second name in its own header"))
    disagrees = None
    if own_method != method:
        disagrees = "another way of packing"
    elif (own_flags ^ flags) & 1:
        disagrees = "another word on encryption"
    elif not own_flags & 8 and (own_packed, own_size) != (packed, size):
        disagrees = "another size"
    elif own_flags & 8 and own_method == 0 and _ends_before(data, start, start + packed):
        disagrees = "another end"
    return start, disagrees, tuple(alias for alias in aliases if alias[0] != raw_name)


def _ends_before(data: bytes, start: int, end: int) -> bool:
    """Whether a stored member of unsaid length ends before ``end`` for an unpacker that streams.

    Such a one looks for the descriptor behind the content: a mark, then the checksum of all before it.
    """
    crc, reached, at = 0, start, data.find(_DESCRIPTOR, start, end)
    while at != -1 and at + 8 <= end:
        crc, reached = crc32(data[reached:at], crc), at
        if int(unpack_from("<I", data, at + 4)[0]) == crc:
            return True
        at = data.find(_DESCRIPTOR, at + 1, end)
    return False


def stray_header(data: bytes, start: int, end: int) -> int:
    """Where a local header stands in bytes that no member covers; -1 without one."""
    at = data.find(b"PK\3\4", start, end)
    return at if at + _LOCAL <= end else -1


def stray_directory(data: bytes, start: int, end: int) -> bool:
    """Whether a line of a directory, or the end of one, stands in bytes that nothing covers."""
    line, mark = data.find(b"PK\1\2", start, end), data.find(b"PK\5\6", start, end)
    return (line != -1 and line + _ENTRY <= end) or (mark != -1 and mark + _END <= end)


def stray_entry(data: bytes, at: int, end: int) -> ZipMember | None:
    """The member of a local header that the directory does not list; None when its length is not said."""
    flags, method, _, _, crc, packed, size, name, extra = _HEADER.unpack_from(data, at)
    start = at + _LOCAL + name + extra
    if flags & 8 or packed == 0 or start + packed > end:
        return None
    return ZipMember(
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

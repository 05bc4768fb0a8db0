"""Reading a zip: members as its directory lists them, each bounded, and everything that does not add up."""

from __future__ import annotations

import lzma
import stat
import zlib
from collections.abc import Iterator
from struct import unpack_from

from sluicegate.vet.intake import names
from sluicegate.vet.intake.budget import Allowance, Member, Note
from sluicegate.vet.intake.bundle import AnomalyKind
from sluicegate.vet.intake.content.encoding import decode_text, encoding_of
from sluicegate.vet.intake.content.kinds import shebang_kind
from sluicegate.vet.intake.unpack.streams import (
    BrokenStream,
    BufferedDecoder,
    Packed,
    Stored,
    bzip2_decoder,
    deflate_decoder,
)
from sluicegate.vet.intake.unpack.zipdirectory import (
    Directory,
    ZipMember,
    read_directory,
    stray_directory,
    stray_entry,
    stray_header,
)
from sluicegate.vet.verdict.types import GapReason

_LINK_BYTES = 4096
_STRAYS = 100
_UNKNOWN = {9: "deflate64", 93: "zstd", 95: "xz", 97: "WavPack", 98: "PPMd", 99: "AES encryption"}


def _broken(detail: str, gap: GapReason | None = GapReason.DAMAGED) -> Note:
    return Note(anomaly=AnomalyKind.DAMAGED_ARCHIVE, gap=gap, detail=detail)


def zip_members(data: bytes, allowance: Allowance, *, behind: bool = False) -> Iterator[Member]:
    """Members of the zip in ``data``, in the order of its directory.

    ``behind``: the archive is known to stand behind something else, which is inspected by itself, so that
    bytes before the archive are no surprise here.
    """
    most = max(allowance.budget.entries, 0) + 1
    directory = read_directory(data, most)
    if directory is None:
        yield Member(name="", notes=(_broken("no directory can be found"),))
        return
    if directory.damage:
        yield Member(name="", notes=(_broken(directory.damage),))
    if not behind:
        yield from _before(data, directory)
    yield from _after(data, directory)
    overlapping = _overlapping(directory)
    if overlapping:
        detail = f"{len(overlapping)} members overlap others"
        note = Note(anomaly=AnomalyKind.ARCHIVE_BOMB, gap=GapReason.RATIO, detail=detail)
        yield Member(name="", notes=(note,))
    for entry in directory.entries:
        if entry.header in overlapping and entry is not overlapping[entry.header]:
            continue
        if allowance.left() <= 0:
            yield Member(name="", notes=(allowance.exhausted(),))
            return
        full = allowance.budget.entries <= 0
        yield from _member(data, entry, allowance)
        if full:
            return  # that member was refused, and so would be all that follow
    if not overlapping:
        yield from _between(data, directory, allowance)


def _overlapping(directory: Directory) -> dict[int, ZipMember | None]:
    """Headers of members that begin inside another member, with the one entry there that may be read."""
    found: dict[int, ZipMember | None] = {}
    reached, last = -1, None
    for entry in sorted(directory.entries, key=lambda entry: (entry.header, -entry.end)):
        if entry.start < 0:
            continue
        if entry.header < reached:
            first = last if last is not None and last.header == entry.header else None
            found.setdefault(entry.header, first)
        else:
            last = entry
        reached = max(reached, entry.end)
    return found


def _before(data: bytes, directory: Directory) -> Iterator[Member]:
    """Bytes before the first member: a short line for an interpreter is usual, anything else is not."""
    prefix = data[: directory.first] if directory.first < directory.start or directory.base else b""
    if not prefix.strip(b"\0"):
        return
    one_line = prefix.count(b"\n") == 1 and prefix.endswith(b"\n") and len(prefix) < 128
    if one_line and shebang_kind(prefix) is not None:
        return
    note = Note(anomaly=AnomalyKind.POLYGLOT, detail=f"{len(prefix)} bytes stand before the archive")
    yield Member(name="prefix", data=prefix, notes=(note,))


def _after(data: bytes, directory: Directory) -> Iterator[Member]:
    comment = directory.comment
    if encoding_of(comment) is not None and sum(map(str.isprintable, decode_text(comment)[:256])) >= 32:
        yield Member(name="comment.txt", data=comment)
    elif len(comment) >= 256:
        note = Note(anomaly=AnomalyKind.TRAILING_DATA, detail="bytes in the comment of the archive")
        yield Member(name="comment", data=comment, notes=(note,))
    tail = data[directory.tail :]
    if tail.strip(b"\0\r\n"):
        note = Note(anomaly=AnomalyKind.TRAILING_DATA, detail=f"{len(tail)} bytes after the archive")
        yield Member(name="trailing", data=tail, notes=(note,))


def _between(data: bytes, directory: Directory, allowance: Allowance) -> Iterator[Member]:
    """Members that stand in the file and not in its directory: an unpacker that streams would find them."""
    reached, found = directory.first, 0
    spans = sorted((entry.header, entry.end) for entry in directory.entries if entry.start >= 0)
    for header, end in [*spans, (directory.start, directory.start)]:
        at = stray_header(data, reached, header) if header - reached >= 30 else -1
        if header - reached >= 22 and stray_directory(data, reached, header):
            yield Member(name="", notes=(_broken("parts of another directory"),))
        while at >= 0 and found < _STRAYS and allowance.left() > 0:
            found += 1
            note = _broken("a member that the directory does not list", None)
            entry = stray_entry(data, at, header)
            if entry is None:
                yield Member(name="", notes=(_broken("a member that the directory does not list"),))
                break
            for member in _member(data, entry, allowance):
                yield Member(
                    name=member.name, data=member.data, link=member.link, notes=(*member.notes, note)
                )
            at = stray_header(data, entry.end, header)
        reached = max(reached, end)


def _member(data: bytes, entry: ZipMember, allowance: Allowance) -> Iterator[Member]:
    named = names.member(entry.raw_name)
    notes = [Note(anomaly=oddity, detail=detail) for oddity, detail in named.oddities]
    closed = _closed(entry)
    if entry.disagrees:
        detail = f"its own header says {entry.disagrees} than the directory"
        notes.append(_broken(detail, GapReason.DAMAGED if closed is None else None))
    for _, told in entry.aliases:
        notes.append(_broken(told, None))
    file_type = stat.S_IFMT(entry.mode)
    if entry.raw_name.endswith((b"/", b"\\")) and entry.size == 0:
        if entry.packed and closed is None:
            notes += _content(data, entry, allowance)[1]
        if notes:
            yield Member(name=named.path, notes=tuple(notes))
        return
    if file_type in (stat.S_IFCHR, stat.S_IFBLK, stat.S_IFIFO, stat.S_IFSOCK):
        notes.append(Note(anomaly=AnomalyKind.SPECIAL_FILE, gap=GapReason.SPECIAL, detail="a device or FIFO"))
        yield Member(name=named.path, notes=tuple(notes))
        return
    refusal = allowance.budget.refusal() or closed
    if refusal is not None:
        yield Member(name=named.path, notes=(*notes, refusal))
        return
    body, faults = _content(data, entry, allowance)
    notes += faults
    if file_type == stat.S_IFLNK:
        target = decode_text(body[:_LINK_BYTES])
        if len(body) > _LINK_BYTES or not names.plain_target(target):
            notes.append(names.WORDY_LINK)
        yield Member(name=named.path, link=target, notes=tuple(notes))
        return
    yield Member(name=named.path, data=body, mode=entry.mode & 0o7777, notes=tuple(notes))
    yield from _under_other_names(entry, named.path, body)


def _under_other_names(entry: ZipMember, path: str, body: bytes) -> Iterator[Member]:
    """The member once more for each other name by which an unpacker may write it."""
    seen = {path}
    for raw, _ in entry.aliases:
        named = names.member(raw)
        if named.path not in seen:
            seen.add(named.path)
            notes = tuple(Note(anomaly=oddity, detail=detail) for oddity, detail in named.oddities)
            yield Member(name=named.path, data=body, mode=entry.mode & 0o7777, notes=notes)


def _closed(entry: ZipMember) -> Note | None:
    """Why the member cannot be opened at all; None when it can."""
    if entry.start < 0:
        return _broken("the directory points where no member stands")
    if entry.flags & 0x2041 or entry.method == 99:
        return Note(anomaly=AnomalyKind.ENCRYPTED, gap=GapReason.ENCRYPTED, detail="encrypted")
    if entry.method not in (0, 8, 12, 14):
        method = _UNKNOWN.get(entry.method, f"method {entry.method}")
        return Note(gap=GapReason.OPAQUE, detail=f"packed with {method}, which cannot be opened here")
    return None


def _content(data: bytes, entry: ZipMember, allowance: Allowance) -> tuple[bytes, list[Note]]:
    """The member's bytes, and what is wrong with them. What could be read before a fault is kept."""
    parts: list[bytes] = []
    try:
        packed = _packed(data, entry)

        def kept(count: int) -> bytes:
            part = packed.pull(count)
            parts.append(part)
            return part

        body, cut = allowance.take(kept)
    except BrokenStream as error:
        return b"".join(parts), [_broken(str(error))]
    if cut is not None:
        return body, [cut]
    if len(body) != entry.size:
        return body, [_broken(f"unpacks to {len(body)} bytes and promises {entry.size}")]
    if isinstance(packed, Packed) and packed.rest is not None and packed.rest < entry.end:
        # An unpacker that streams goes on right there, perhaps with a member that nobody listed.
        return body, [_broken(f"{entry.end - packed.rest} bytes behind its content")]
    if zlib.crc32(body) != entry.crc:
        return body, [_broken("its checksum is wrong")]
    return body, []


def _packed(data: bytes, entry: ZipMember) -> Stored | Packed:
    if entry.end > len(data):
        raise BrokenStream("breaks off")
    if entry.method == 0:
        return Stored(data, entry.start, entry.end)
    if entry.method == 8:
        return Packed(data, deflate_decoder, start=entry.start, end=entry.end)
    if entry.method == 12:
        return Packed(data, bzip2_decoder, start=entry.start, end=entry.end)
    return _raw_lzma(data, entry)


def _raw_lzma(data: bytes, entry: ZipMember) -> Packed:
    """LZMA as zip has it: two bytes of version, the length of the properties, the properties, the stream."""
    if entry.end - entry.start < 9:
        raise BrokenStream("breaks off")
    length = int(unpack_from("<H", data, entry.start + 2)[0])
    if length != 5:
        raise BrokenStream("LZMA properties of an unknown form")
    first, dictionary = unpack_from("<BI", data, entry.start + 4)
    if first >= 225 or dictionary > 1 << 27:
        raise BrokenStream("LZMA properties that are out of bounds")
    spec = {
        "id": lzma.FILTER_LZMA1,
        "dict_size": max(dictionary, 4096),
        "lc": first % 9,
        "lp": first // 9 % 5,
        "pb": first // 45,
    }

    def make() -> BufferedDecoder:
        try:
            return BufferedDecoder(lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[spec]))
        except (lzma.LZMAError, ValueError) as error:
            raise BrokenStream(str(error)) from None

    return Packed(data, make, start=entry.start + 9, end=entry.end)

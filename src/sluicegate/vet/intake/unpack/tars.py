"""Reading a tar as it streams by: header after header, nothing extracted, every size bounded.

Our own reader, because what a header may cost must be known beforehand: extended headers are bounded,
sparse files are never blown up, and a damaged header ends the archive with a gap instead of a search.
Where unpackers are known to read the same header differently, that is a gap too.
Formats: v7, ustar, GNU (long names), pax.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from sluicegate.vet.intake import names
from sluicegate.vet.intake.budget import CHUNK, Allowance, Member, Note
from sluicegate.vet.intake.bundle import AnomalyKind
from sluicegate.vet.intake.content.magic import is_tar
from sluicegate.vet.intake.unpack.streams import BrokenStream
from sluicegate.vet.verdict.types import GapReason

BLOCK = 512
HEADER_BYTES = 1 << 20
"""An extended header (pax, GNU long name) may be this long."""

_EXTENDED = (b"L", b"K", b"x", b"X", b"g")
"""Headers that say something of what follows; ``X`` is the pax header of Solaris, and unpackers know it."""
_SPARSE = (b"GNU.sparse.", b"SCHILY.realsize", b"SUN.holesdata")
"""Keys of pax that make something else of the content than what the archive stores."""
_LARGE = 1 << 33
"""A size that the plain header cannot hold: the reason why pax has a size of its own."""
_WITH_CONTENT = (b"0", b"\0", b"7", b"S")
_SPECIAL = {b"3": "character device", b"4": "block device", b"6": "FIFO"}


class Exhausted(Exception):
    """Nothing more may be unpacked."""


class _Reader:
    """Exact reads over ``pull``, all of them paid from the allowance."""

    def __init__(self, pull: Callable[[int], bytes], allowance: Allowance) -> None:
        self._pull, self._allowance = pull, allowance
        self._held = b""

    def pull(self, count: int) -> bytes:
        """1 to ``count`` bytes, or none at the end; not paid for."""
        if self._held:
            part, self._held = self._held[:count], self._held[count:]
            return part
        return self._pull(count)

    def read(self, count: int) -> bytes:
        """``count`` bytes, fewer only at the end."""
        parts = []
        while count:
            left = self._allowance.left()
            if left <= 0:
                raise Exhausted
            part = self.pull(min(count, CHUNK, left))
            if not part:
                break
            self._allowance.spend(len(part))
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def skip(self, count: int) -> int:
        """Pass over ``count`` bytes; how many there were."""
        passed = 0
        while passed < count:
            part = self.read(min(CHUNK, count - passed))
            if not part:
                break
            passed += len(part)
        return passed

    def peek(self) -> bytes:
        """The first block, which stays to be read."""
        while len(self._held) < BLOCK:
            part = self._pull(BLOCK)
            if not part:
                break
            self._held += part
        return self._held[:BLOCK]


@dataclass(slots=True)
class _Pending:
    """What extended headers said of the member that follows."""

    path: bytes | None = None
    link: bytes | None = None
    size: int | None = None
    pax: bool = False
    sparse: bool = False
    sparse_name: bytes | None = None
    notes: list[Note] = field(default_factory=list)

    def set_path(self, path: bytes) -> None:
        """Another header names the member. Unpackers differ on whether the first or the last one counts."""
        if self.path not in (None, path):
            self.notes.append(_unclear("two extended headers give it different names"))
        self.path = path or None  # an empty value takes back what was said

    def set_link(self, link: bytes) -> None:
        """Another header names the target of a link."""
        if self.link not in (None, link):
            self.notes.append(_unclear("two extended headers give it different targets"))
        self.link = link or None

    def set_size(self, size: int) -> None:
        """Another header says the size."""
        if self.size not in (None, size):
            self.notes.append(_unclear("two extended headers give it different sizes"))
        self.size = size


def _unclear(detail: str) -> Note:
    """What unpackers read differently: one of them makes something else of it than was inspected."""
    return Note(anomaly=AnomalyKind.DAMAGED_ARCHIVE, gap=GapReason.DAMAGED, detail=detail)


def _damaged(detail: str) -> Member:
    return Member(name="", notes=(_unclear(detail),))


def tar_or_file(pull: Callable[[int], bytes], allowance: Allowance, inner_name: str) -> Iterator[Member]:
    """Members of the tar that ``pull`` gives; when it is not a tar, one member called ``inner_name``."""
    reader = _Reader(pull, allowance)
    try:
        if is_tar(reader.peek()):
            yield from _members(reader, allowance)
            return
    except BrokenStream as error:
        yield _damaged(str(error))
        return
    parts: list[bytes] = []

    def kept(count: int) -> bytes:
        part = reader.pull(count)
        parts.append(part)
        return part

    try:
        data, note = allowance.take(kept)
        notes = () if note is None else (note,)
    except BrokenStream as error:
        data = b"".join(parts)
        notes = (_unclear(str(error)),)
    yield Member(name=inner_name, data=data, notes=notes)


def _members(reader: _Reader, allowance: Allowance) -> Iterator[Member]:
    try:
        yield from _headers(reader, allowance)
    except Exhausted:
        yield Member(name="", notes=(allowance.exhausted(),))
    except BrokenStream as error:
        yield _damaged(str(error))


def _headers(reader: _Reader, allowance: Allowance) -> Iterator[Member]:
    pending, common = _Pending(), _Pending()
    while True:
        header = reader.read(BLOCK)
        if len(header) < BLOCK:
            if header:
                yield _damaged("breaks off inside a header")
            return
        if not header.strip(b"\0"):
            yield from _trailing(reader, allowance)
            return
        if not is_tar(header):
            yield _damaged("a header whose checksum is wrong; what follows it is not read")
            return
        kind, size = header[156:157], _number(header[124:136])
        if size is None:
            yield _damaged("a header whose size is not a number; what follows it is not read")
            return
        if kind in _EXTENDED:
            if not _extended(reader, kind, size, common if kind == b"g" else pending):
                yield _damaged("an extended header that is too long or breaks off")
                return
            if kind == b"g":
                yield from _for_all(common)
            continue
        if pending.size is not None:
            if pending.size != size and pending.size < _LARGE:
                pending.notes.append(_unclear("two headers give it different sizes"))
            size = pending.size
        if common.path is not None and pending.path is None:
            pending.path = common.path
        entries_left = allowance.budget.entries
        yield from _member(reader, allowance, header, size, pending)
        if entries_left <= 0:
            return
        pending = _Pending()


def _for_all(common: _Pending) -> Iterator[Member]:
    """What a header for all members must not say: some unpackers heed it, others do not."""
    said = common.path, common.link, common.size
    notes = tuple(common.notes)
    if said != (None, None, None) or common.sparse:
        notes = (*notes, _unclear("a header for all members that gives them a name, target or size"))
    common.notes.clear()
    if notes:
        yield Member(name="", notes=notes)


def _extended(reader: _Reader, kind: bytes, size: int, pending: _Pending) -> bool:
    """Read a GNU long name or a pax header; whether it was whole and of a bearable length."""
    if size > HEADER_BYTES:
        return False
    padded = (size + BLOCK - 1) // BLOCK * BLOCK
    body = reader.read(padded)
    if len(body) < padded:
        return False
    body = body[:size]
    if kind == b"L":
        pending.set_path(body.split(b"\0", 1)[0])
    elif kind == b"K":
        pending.set_link(body.split(b"\0", 1)[0])
    else:
        if pending.pax and kind != b"g":
            pending.notes.append(_unclear("two extended headers of one form"))
        pending.pax = True
        if not _pax(body, pending):
            pending.notes.append(_unclear("an extended header that cannot be read"))
    return True


def _pax(body: bytes, pending: _Pending) -> bool:
    """Read the records ``length key=value newline``; whether all of them could be read."""
    at = 0
    while at < len(body):
        space = body.find(b" ", at, at + 12)
        digits = body[at:space] if space > 0 else b""
        if not digits.isdigit():
            return False
        end = at + int(digits)
        key, equals, value = body[space + 1 : end - 1].partition(b"=")
        if not equals or end > len(body) or end <= space or body[end - 1 : end] != b"\n":
            return False
        if key == b"path":
            pending.set_path(value)
        elif key == b"linkpath":
            pending.set_link(value)
        elif key == b"size":
            if not value.isdigit() or len(value) >= 20:
                return False
            pending.set_size(int(value))
        elif key == b"GNU.sparse.name":
            pending.sparse_name = value
        pending.sparse = pending.sparse or key.startswith(_SPARSE)
        at = end
    return True


def _number(raw: bytes) -> int | None:
    """A size: octal digits, or GNU's base 256 when the first bit is set. None when it is neither."""
    if raw[0] & 0x80:
        value = int.from_bytes(bytes([raw[0] & 0x7F]) + raw[1:], "big")
        return value if value < 1 << 62 else None
    digits = raw.replace(b"\0", b" ").strip()
    if not digits:
        return 0
    try:
        return int(digits, 8) if digits.isdigit() else None
    except ValueError:
        return None


def _raw_name(header: bytes, pending: _Pending) -> bytes:
    told = pending.path if pending.sparse_name is None else pending.sparse_name
    if told is not None:
        if header[257:262] != b"ustar":
            pending.notes.append(
                _unclear("an extended header names it, and its own is of a form that has none")
            )
        return told
    name = header[:100].split(b"\0", 1)[0]
    prefix = header[345:500].split(b"\0", 1)[0]
    if header[257:263] == b"ustar\0":
        return prefix + b"/" + name if prefix else name
    if prefix.strip(b"01234567 "):
        # Other forms keep times here, in octal digits. Python's tarfile takes whatever it is for a folder.
        pending.notes.append(_unclear("a folder before its name that only some unpackers heed"))
    return name


def _member(
    reader: _Reader, allowance: Allowance, header: bytes, size: int, pending: _Pending
) -> Iterator[Member]:
    kind = header[156:157]
    raw = _raw_name(header, pending)
    named = names.member(raw)
    notes = [Note(anomaly=oddity, detail=detail) for oddity, detail in named.oddities] + pending.notes
    mode = (_number(header[100:108]) or 0) & 0o7777
    if kind in (b"1", b"2"):
        yield _link(header, kind, named.path, pending, [*notes, *_without_content("link", size)])
        return
    if kind in _SPECIAL:
        detail = f"a {_SPECIAL[kind]}"
        notes.append(Note(anomaly=AnomalyKind.SPECIAL_FILE, gap=GapReason.SPECIAL, detail=detail))
        yield Member(name=named.path, notes=tuple(notes))
        return
    if kind == b"5":
        notes += _without_content("folder", size)
        if notes:
            yield Member(name=named.path, notes=tuple(notes))
        return
    if raw.endswith(b"/") and kind in (b"0", b"\0"):
        if not size:
            if notes:
                yield Member(name=named.path, notes=tuple(notes))
            return
        notes.append(_unclear("a file with the name of a folder"))
    if size and kind not in _WITH_CONTENT:
        notes.append(_unclear("a member of a rare type, of which unpackers make different things"))
    if kind == b"S" or pending.sparse:
        notes.append(Note(gap=GapReason.OPAQUE, detail="a sparse file; only what it stores is inspected"))
        if kind == b"S" and header[482]:
            while reader.read(BLOCK)[504:505] == b"\1":
                pass
    yield from _file(reader, allowance, size, Member(name=named.path, mode=mode, notes=tuple(notes)))


def _without_content(what: str, size: int) -> list[Note]:
    """A link or folder has no content, whatever its header says of a size; some unpackers pass over as much."""
    return [_unclear(f"a {what} that claims to have content")] if size else []


def _file(reader: _Reader, allowance: Allowance, size: int, member: Member) -> Iterator[Member]:
    """``member`` with its content, which is what follows in the archive."""
    notes = [*member.notes]
    refusal = allowance.budget.refusal()
    if refusal is not None:
        yield member._replace(notes=(*notes, refusal))
        reader.skip((size + BLOCK - 1) // BLOCK * BLOCK)
        return
    data, cut = allowance.take(reader.pull, size)
    if cut is not None:
        notes.append(cut)
    elif len(data) < size:
        notes.append(_unclear("the archive breaks off inside this file"))
    yield member._replace(data=data, notes=tuple(notes))
    reader.skip((size + BLOCK - 1) // BLOCK * BLOCK - len(data))


def _link(header: bytes, kind: bytes, path: str, pending: _Pending, notes: list[Note]) -> Member:
    raw = pending.link if pending.link is not None else header[157:257].split(b"\0", 1)[0]
    target = names.readable(raw)
    if kind == b"1" and not target.startswith("/") and ".." not in target.split("/"):
        # A hard link names its target from the root of the archive; say the same from where it stands.
        target = posixpath.relpath(target or ".", posixpath.dirname(path) or ".")
    return Member(name=path, link=target, notes=tuple(notes))


def _trailing(reader: _Reader, allowance: Allowance) -> Iterator[Member]:
    """What stands after the end mark of a tar: padding, or something that was hung there."""
    if not reader.peek():
        return
    kept = b""
    while True:
        block = reader.read(CHUNK)
        if not block:
            return
        kept = block.lstrip(b"\0")
        if kept:
            break
    rest, cut = allowance.take(reader.pull)
    note = Note(anomaly=AnomalyKind.TRAILING_DATA, detail="bytes after the end of the archive")
    yield Member(name="trailing", data=kept + rest, notes=(note,) if cut is None else (note, cut))

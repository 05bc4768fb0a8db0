"""Opening an archive of any kind: its members as bytes in memory, never on disk, never more than allowed."""

from __future__ import annotations

from collections.abc import Iterator

from sluicegate.vet.intake.budget import Allowance, Budget, Member, Note
from sluicegate.vet.intake.bundle import AnomalyKind, Kind
from sluicegate.vet.intake.content.suffixes import base_name
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.unpack.streams import (
    Packed,
    Stored,
    bzip2_decoder,
    gzip_decoder,
    xz_decoder,
)
from sluicegate.vet.intake.unpack.tars import tar_or_file
from sluicegate.vet.intake.unpack.zips import zip_members
from sluicegate.vet.verdict.types import GapReason

__all__ = ["inner_name", "members"]

_CLOSED = {Kind.SEVENZIP: "7z", Kind.RAR: "rar", Kind.ZSTD: "zstd"}
_STREAMS = {
    Kind.GZIP: (gzip_decoder, b"\x1f\x8b"),
    Kind.BZIP2: (bzip2_decoder, b"BZh"),
    Kind.XZ: (xz_decoder, b"\xfd7zXZ"),
}


def members(
    kind: Kind, data: bytes, name: str, budget: Budget, limits: Limits, *, behind: bool = False
) -> Iterator[Member]:
    """Members of the archive ``data`` of kind ``kind``; ``name`` is its own, for what has no name inside.

    A compressed tar counts as one archive. Never raises for anything the bytes hold. What is unpacked is
    paid from ``budget.work``; whoever keeps a member pays its bytes and its entry.
    """
    allowance = Allowance(budget, limits, len(data))
    if kind in (Kind.ZIP, Kind.OFFICE):
        return zip_members(data, allowance, behind=behind)
    if kind == Kind.TAR:
        return tar_or_file(Stored(data).pull, allowance, "unnamed")
    if kind in _STREAMS:
        return _stream(kind, data, name, allowance)
    word = _CLOSED.get(kind, kind.value)
    note = Note(gap=GapReason.OPAQUE, detail=f"a {word} archive cannot be opened here")
    return iter((Member(name="", notes=(note,)),))


def inner_name(name: str) -> str:
    """What the file inside a compressed file called ``name`` is called."""
    base = name[name.rfind("/") + 1 :]
    suffix = base_name(name).rpartition(".")[2]
    if suffix in ("tgz", "tbz", "tbz2", "txz"):
        return base[: -len(suffix)] + "tar"
    stem = base.rpartition(".")[0]
    return stem or base


def _stream(kind: Kind, data: bytes, name: str, allowance: Allowance) -> Iterator[Member]:
    make, mark = _STREAMS[kind]
    if kind == Kind.XZ and not data.startswith(mark):
        mark = b""  # the old .lzma format has one stream
    packed = Packed(data, make, mark=mark)
    yield from tar_or_file(packed.pull, allowance, inner_name(name))
    rest = packed.rest
    if rest is not None and data[rest:].strip(b"\0\r\n"):
        detail = f"{len(data) - rest} bytes after the end of the compressed stream"
        note = Note(anomaly=AnomalyKind.TRAILING_DATA, detail=detail)
        yield Member(name="trailing", data=data[rest:], notes=(note,))

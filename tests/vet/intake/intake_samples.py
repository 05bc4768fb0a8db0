"""Small files of many forms, made here, for the tests of intake."""

from __future__ import annotations

import gzip
import io
import struct
import tarfile
import zipfile
import zlib

from sluicegate.vet.intake.bundle import Bundle
from sluicegate.vet.intake.collect import Collector
from sluicegate.vet.intake.limits import Limits


def read(name: str, data: bytes, limits: Limits | None = None, mode: int = 0o644) -> Bundle:
    """The bundle of one file."""
    collector = Collector(limits or Limits())
    collector.file(name, data, mode)
    return collector.bundle("sample", "")


def paths(bundle: Bundle) -> list[str]:
    return [artifact.path for artifact in bundle.artifacts]


def anomalies(bundle: Bundle) -> set[str]:
    return {anomaly.kind.value for anomaly in bundle.anomalies}


def reasons(bundle: Bundle) -> set[str]:
    return {gap.reason.value for gap in bundle.gaps}


def zipped(members: dict[str, bytes], *, comment: bytes = b"", method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            info.external_attr = 0o100644 << 16
            archive.writestr(info, data)
        archive.comment = comment
    return buffer.getvalue()


def tarred(members: dict[str, bytes], *, form: int = tarfile.PAX_FORMAT) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=form) as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size, info.mode = len(data), 0o755 if name.endswith(".sh") else 0o644
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def tar_of(*infos: tarfile.TarInfo) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for info in infos:
            archive.addfile(info, io.BytesIO(b"x" * info.size))
    return buffer.getvalue()


def gzipped(data: bytes) -> bytes:
    return gzip.compress(data, 6, mtime=0)


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(*extra: bytes) -> bytes:
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    pixels = chunk(b"IDAT", zlib.compress(b"\0\0"))
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(extra) + pixels + chunk(b"IEND", b"")


def jpeg(*segments: bytes) -> bytes:
    start = b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0"
    scan = b"\xff\xda\0\x08\1\1\0\0\x3f\0" + b"\x12\x34\xff\x00\x56" * 4
    return start + b"".join(segments) + scan + b"\xff\xd9"


def gif(*blocks: bytes) -> bytes:
    image = b"\x2c\0\0\0\0\1\0\1\0\0\x02\x02\x44\x01\0"
    return b"GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff" + b"".join(blocks) + image + b";"


def wav(body: bytes = bytes(40)) -> bytes:
    chunks = (
        b"fmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x40\x1f\0\0\1\0\x08\0data" + struct.pack("<I", len(body)) + body
    )
    return b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WAVE" + chunks


def sfnt() -> bytes:
    table = b"glyph data here!"
    return (
        struct.pack(">IHHHH", 0x10000, 1, 16, 0, 0) + b"glyf" + struct.pack(">III", 0, 28, len(table)) + table
    )


def woff() -> bytes:
    body = bytes(40)
    return b"wOFF" + struct.pack(">IIHH", 0x10000, 44 + len(body), 1, 0) + bytes(28) + body


def pieces_of_tar(
    name: bytes,
    content: bytes = b"",
    *,
    kind: bytes = b"0",
    size: int | None = None,
    link: bytes = b"",
    prefix: bytes = b"",
    magic: bytes = b"ustar\x0000",
) -> bytes:
    """A header of a tar as it is asked for, sound or not, but for its checksum; then the content."""
    header = bytearray(512)
    for at, raw in (
        (0, name), (100, b"0000644\0"), (124, b"%011o\0" % (len(content) if size is None else size)),
        (148, b" " * 8), (156, kind), (157, link), (257, magic), (345, prefix),
    ):  # fmt: skip
        header[at : at + len(raw)] = raw
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header) + content + bytes(-len(content) % 512)


def pax(key: bytes, value: bytes, kind: bytes = b"x") -> bytes:
    """An extended header of one record."""
    length = len(key) + len(value) + 3
    while len(b"%d" % length) + len(key) + len(value) + 3 != length:
        length += 1
    return pieces_of_tar(b"pax", b"%d %s=%s\n" % (length, key, value), kind=kind)


def local(
    name: bytes, content: bytes, *, flags: int = 0, packed: bytes | None = None, extra: bytes = b""
) -> bytes:
    """A local header of a zip and its stored content; ``packed`` is deflated."""
    body, method = (content, 0) if packed is None else (packed, 8)
    crc, sizes = (0, (0, 0)) if flags & 8 else (zlib.crc32(content), (len(body), len(content)))
    head = struct.pack("<4sHHHIIIIHH", b"PK\3\4", 20, flags, method, 0, crc, *sizes, len(name), len(extra))
    return head + name + extra + body


def line(
    name: bytes,
    content: bytes,
    offset: int,
    *,
    flags: int = 0,
    packed: int | None = None,
    extra: bytes = b"",
    mode: int = 0o100644,
    system: int = 3,
) -> bytes:
    """A line of the directory of a zip; ``packed`` bytes are deflated."""
    method, length = (0, len(content)) if packed is None else (8, packed)
    head = struct.pack(
        "<4sBBHHHIIIIHHHHHII", b"PK\1\2", 20, system, 20, flags, method, 0, zlib.crc32(content), length,
        len(content), len(name), len(extra), 0, 0, 0, mode << 16, offset,
    )  # fmt: skip
    return head + name + extra


def end(count: int, size: int, offset: int, comment: bytes = b"") -> bytes:
    """The end record of a zip."""
    return struct.pack("<4s4xHHIIH", b"PK\5\6", count, count, size, offset, len(comment)) + comment


def deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()

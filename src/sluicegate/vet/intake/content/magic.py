"""What bytes are by their own signature. One table, by first byte, then small checks that the header is real.

A picture, font or recording is one only when its header holds together: two bytes of luck do not let a
file pass as something nobody inspects.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import unpack_from

from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.lazy import lazy

type_check = Callable[[bytes], Kind | None]

_TAIL = 65_557  # the longest end record of a zip: 22 bytes and a comment of 65,535
_PICKLE_TEXT = lazy(rb"(?:\(lp?\d*\n?)*(?:c[\w.]{1,80}\n[\w.]{1,80}\n|\(i[\w.]{1,80}\n[\w.]{1,80}\n)")
_OFFICE_PARTS = (b"word/document", b"xl/workbook", b"ppt/presentation", b"word/", b"xl/", b"ppt/")
_OPAQUE = (
    (b"MSCF", "cabinet archive"),
    (b"!<arch>\n", "ar archive"),
    (b"\xed\xab\xee\xdb", "rpm package"),
    (b"xar!", "xar archive"),
    (b"\x04\x22\x4d\x18", "lz4 stream"),
    (b"\x1f\x9d", "compress stream"),
    (b"\x1f\xa0", "compress stream"),
    (b"LZIP", "lzip stream"),
    (b"\x89LZO", "lzop stream"),
    (b"hsqs", "squashfs image"),
    (b"070701", "cpio archive"),
    (b"070702", "cpio archive"),
    (b"070707", "cpio archive"),
    (b"\xc7\x71", "cpio archive"),
    (b"ITSF", "compiled help archive"),
    (b"StuffIt", "StuffIt archive"),
    (b"SIT!", "StuffIt archive"),
    (b"-lh", "lha archive"),
)


def opaque_container(data: bytes) -> str | None:
    """The name of an archive format that is recognised and cannot be opened here, or None."""
    for mark, name in _OPAQUE:
        if data.startswith(mark, 2 if mark == b"-lh" else 0):
            return name
    if data[-512:-508] == b"koly":
        return "disk image"
    if data[32769:32774] == b"CD001":
        return "ISO 9660 image"
    return None


def end_of_zip(data: bytes) -> int:
    """Where the end record of a zip stands whose directory is really there; -1 when there is none."""
    low = max(0, len(data) - 2 * _TAIL)
    at = data.rfind(b"PK\5\6", low)
    for _ in range(64):
        if at == -1:
            return -1
        if len(data) - at >= 22:
            size, offset = unpack_from("<II", data, at + 12)
            if size >= 46 and size <= at and data.startswith(b"PK\1\2", at - size):
                return at
            if data.startswith(b"PK\6\7", at - 20) or (offset < at and data.startswith(b"PK\1\2", offset)):
                return at
        at = data.rfind(b"PK\5\6", low, at)
    return -1


def _zip(data: bytes) -> Kind:
    if data[30:38] == b"mimetype":
        kind = data[38:110]
        return Kind.OFFICE if b"application/vnd.oasis.opendocument" in kind else Kind.ZIP
    types = b"[Content_Types].xml"
    tail = data[-_TAIL:]
    if types in data[:4096] or types in tail:
        end = end_of_zip(data)
        size = unpack_from("<I", data, end + 12)[0] if end >= 0 else 0
        directory = data[max(0, end - size) : end] if end >= 0 else tail
        if any(b"\0" + part in directory or part in directory for part in _OFFICE_PARTS):
            return Kind.OFFICE
    return Kind.ZIP


def _from_p(data: bytes) -> Kind | None:
    if data[2:4] in (b"\3\4", b"\7\x08"):
        return _zip(data)
    return Kind.ZIP if data[2:4] == b"\5\6" and len(data) >= 22 else None


def _png(data: bytes) -> Kind | None:
    real = data.startswith(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR") and len(data) >= 45
    if not real:
        return None
    width, height = unpack_from(">II", data, 16)
    return Kind.IMAGE if 0 < width < 1 << 31 and 0 < height < 1 << 31 else None


def _from_ff(data: bytes) -> Kind | None:
    if data.startswith(b"\xff\xd8\xff"):
        real = len(data) > 20 and (0xC0 <= data[3] <= 0xFE) and unpack_from(">H", data, 4)[0] >= 2
        return Kind.IMAGE if real else None
    return Kind.AUDIO if _mpeg_frames(data) else None


def _mpeg_frames(data: bytes) -> bool:
    """Whether two MPEG audio frames follow each other at the start."""
    first = _mpeg_frame(data, 0)
    return first > 0 and _mpeg_frame(data, first) > 0


_RATES = (44100, 48000, 32000)
_LAYER3_V1 = (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320)
_LAYER3_V2 = (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160)


def _mpeg_frame(data: bytes, at: int) -> int:
    """Where the layer III frame at ``at`` ends, or 0 when there is none."""
    if len(data) < at + 4 or data[at] != 0xFF or data[at + 1] & 0xE6 != 0xE2:
        return 0
    version, bitrate, rate = (data[at + 1] >> 3) & 3, data[at + 2] >> 4, (data[at + 2] >> 2) & 3
    if version == 1 or bitrate in (0, 15) or rate == 3:
        return 0
    first = version == 3
    hertz = _RATES[rate] // (1 if first else 2 if version == 2 else 4)
    kilobits = (_LAYER3_V1 if first else _LAYER3_V2)[bitrate]
    return at + (144 if first else 72) * kilobits * 1000 // hertz + ((data[at + 2] >> 1) & 1)


def _gif(data: bytes) -> Kind | None:
    return Kind.IMAGE if data[:6] in (b"GIF87a", b"GIF89a") and len(data) >= 14 else None


def _from_b(data: bytes) -> Kind | None:
    if data.startswith(b"BZh"):
        body = data[4:10]
        return Kind.BZIP2 if data[3:4] in b"123456789" and body in (b"1AY&SY", b"\x17rE8P\x90") else None
    if data.startswith(b"BM") and len(data) >= 54:
        pixels, header = unpack_from("<II", data, 10)
        real = data[6:10] == b"\0\0\0\0" and header in (12, 40, 52, 56, 64, 108, 124) and pixels <= len(data)
        return Kind.IMAGE if real else None
    return None


def _riff(data: bytes) -> Kind | None:
    if not data.startswith(b"RIFF") or len(data) < 20:
        return None
    form, first = data[8:12], data[12:16]
    if form == b"WEBP" and first in (b"VP8 ", b"VP8L", b"VP8X"):
        return Kind.IMAGE
    if form == b"WAVE" and first.strip().isalnum():
        return Kind.AUDIO
    return Kind.VIDEO if form == b"AVI " and first == b"LIST" else None


def _sfnt(data: bytes) -> bool:
    if len(data) < 28:
        return False
    tables = int(unpack_from(">H", data, 4)[0])
    if not 1 <= tables <= 256 or len(data) < 12 + 16 * tables:
        return False
    offset = unpack_from(">I", data, 20)[0]
    tag = data[12:16].strip(b" /")
    return tag.isascii() and tag.isalnum() and 12 + 16 * tables <= offset < len(data)


def _from_zero(data: bytes) -> Kind | None:
    if data.startswith(b"\0asm") and len(data) >= 8:
        return Kind.WASM
    if data.startswith(b"\0\1\0\0"):
        return Kind.FONT if _sfnt(data) else None
    if data[:4] in (b"\0\0\1\0", b"\0\0\2\0") and len(data) >= 22:
        count = unpack_from("<H", data, 4)[0]
        size, offset = unpack_from("<II", data, 14)
        real = 1 <= count <= 64 and data[9] == 0 and 6 + 16 * count <= offset < len(data) and size > 0
        return Kind.IMAGE if real else None
    if data.startswith(b"\0\0\1\xba"):
        return Kind.VIDEO if len(data) >= 14 and data[4] >> 6 == 1 else None
    return _boxes(data)


def _boxes(data: bytes) -> Kind | None:
    """ISO media (MP4, MOV, HEIC, AVIF): a ``ftyp`` box, then another box."""
    if data[4:8] != b"ftyp" or len(data) < 24:
        return None
    size = unpack_from(">I", data, 0)[0]
    if not 16 <= size <= 512 or size + 8 > len(data) or not data[size + 4 : size + 8].isalnum():
        return None
    brand = data[8:12]
    if brand in (b"heic", b"heix", b"mif1", b"msf1", b"avif", b"avis", b"hevc"):
        return Kind.IMAGE
    return Kind.AUDIO if brand.startswith((b"M4A", b"M4B", b"F4A")) else Kind.VIDEO


def _tiff(data: bytes) -> Kind | None:
    if len(data) < 16 or data[:4] not in (b"II*\0", b"MM\0*"):
        return None
    order = "<" if data[0] == 0x49 else ">"
    offset = unpack_from(f"{order}I", data, 4)[0]
    if not 8 <= offset <= len(data) - 6:
        return None
    return Kind.IMAGE if 1 <= unpack_from(f"{order}H", data, offset)[0] <= 512 else None


def _from_i(data: bytes) -> Kind | None:
    if data.startswith(b"ID3"):
        sizes = data[6:10]
        real = len(data) >= 20 and data[3] in (2, 3, 4) and len(sizes) == 4 and max(sizes) < 128
        return Kind.AUDIO if real else None
    return _tiff(data)


def _from_m(data: bytes) -> Kind | None:
    if data.startswith(b"MZ"):
        if len(data) < 64:
            return None
        header = unpack_from("<I", data, 60)[0]
        real = data[header : header + 4] == b"PE\0\0" or data[2:64].count(0) >= 16
        return Kind.PE if real else None
    if data.startswith(b"MThd\0\0\0\6"):
        return Kind.AUDIO
    return _tiff(data)


def _ogg(data: bytes) -> Kind | None:
    if len(data) < 40 or not data.startswith(b"OggS\0"):
        return Kind.FONT if data.startswith(b"OTTO") and _sfnt(data) else None
    return Kind.VIDEO if b"theora" in data[28:48] else Kind.AUDIO


def _from_f(data: bytes) -> Kind | None:
    if data.startswith(b"fLaC") and len(data) >= 42 and data[4] & 0x7F == 0:
        return Kind.AUDIO
    if data.startswith(b"FLV\1") and len(data) >= 13:
        return Kind.VIDEO
    return Kind.AUDIO if data[:4] == b"FORM" and data[8:12] in (b"AIFF", b"AIFC") and len(data) > 12 else None


def _woff(data: bytes) -> Kind | None:
    if len(data) < 44 or data[:4] not in (b"wOFF", b"wOF2"):
        return None
    length, tables = unpack_from(">IH", data, 8)
    return Kind.FONT if 44 < length <= len(data) and 1 <= tables <= 256 else None


def _from_t(data: bytes) -> Kind | None:
    if data.startswith(b"ttcf") and len(data) >= 24:
        offset = unpack_from(">I", data, 12)[0]
        return Kind.FONT if offset + 12 <= len(data) and _sfnt_version(data[offset : offset + 4]) else None
    return Kind.FONT if data.startswith(b"true") and _sfnt(data) else None


def _sfnt_version(mark: bytes) -> bool:
    return mark in (b"\0\1\0\0", b"OTTO", b"true")


def _ebml(data: bytes) -> Kind | None:
    real = data.startswith(b"\x1a\x45\xdf\xa3") and (b"webm" in data[:64] or b"matroska" in data[:64])
    return Kind.VIDEO if real else None


def _macho(data: bytes) -> Kind | None:
    mark = data[:4]
    if len(data) < 28:
        return None
    if mark in (b"\xfe\xed\xfa\xce", b"\xfe\xed\xfa\xcf", b"\xce\xfa\xed\xfe", b"\xcf\xfa\xed\xfe"):
        return Kind.MACHO
    if mark in (b"\xca\xfe\xba\xbe", b"\xca\xfe\xba\xbf"):
        # A class file holds its version where a fat file counts its programs; versions begin at 45.
        count = unpack_from(">I", data, 4)[0]
        return Kind.MACHO if 1 <= count < 45 else Kind.CLASS
    return None


def _pickle(data: bytes) -> Kind | None:
    real = len(data) > 3 and 2 <= data[1] <= 5 and data[-1] == 0x2E
    return Kind.PICKLE if real else None


def _text_pickle(data: bytes) -> Kind | None:
    real = data.rstrip(b"\r\n").endswith(b".") and _PICKLE_TEXT.match(data) is not None
    return Kind.PICKLE if real else None


def _gzip(data: bytes) -> Kind | None:
    return Kind.GZIP if data[:3] == b"\x1f\x8b\x08" and len(data) >= 18 else None


def _lzma(data: bytes) -> Kind | None:
    """The old .lzma format: properties 5D, a dictionary that is a power of two, a plausible size."""
    if len(data) < 18 or data[:3] != b"\x5d\0\0":
        return None
    dictionary, size = unpack_from("<IQ", data, 1)
    plausible = dictionary and dictionary & (dictionary - 1) == 0 and data[13] == 0
    return Kind.XZ if plausible and (size == (1 << 64) - 1 or size < 1 << 40) else None


def _literal(mark: bytes, kind: Kind, least: int = 0) -> type_check:
    return lambda data: kind if data.startswith(mark) and len(data) >= least else None


_TABLE: dict[int, tuple[type_check, ...]] = {
    0x00: (_from_zero,),
    0x04: (),
    0x1A: (_ebml,),
    0x1F: (_gzip,),
    0x25: (_literal(b"%PDF-", Kind.PDF),),
    0x28: (_literal(b"\x28\xb5\x2f\xfd", Kind.ZSTD), _text_pickle),
    0x37: (_literal(b"7z\xbc\xaf\x27\x1c", Kind.SEVENZIP),),
    0x38: (_literal(b"8BPS\0\1", Kind.IMAGE, 26),),
    0x42: (_from_b,),
    0x46: (_from_f,),
    0x47: (_gif,),
    0x49: (_from_i,),
    0x4D: (_from_m,),
    0x4F: (_ogg,),
    0x50: (_from_p,),
    0x52: (_riff, _literal(b"Rar!\x1a\x07", Kind.RAR)),
    0x53: (_literal(b"SQLite format 3\0", Kind.SQLITE),),
    0x5D: (_lzma,),
    0x62: (_literal(b"bplist0", Kind.PLIST, 40),),
    0x63: (_text_pickle,),
    0x66: (_from_f,),
    0x69: (_literal(b"icns", Kind.IMAGE, 16),),
    0x74: (_from_t,),
    0x77: (_woff,),
    0x7F: (_literal(b"\x7fELF", Kind.ELF),),
    0x80: (_pickle,),
    0x89: (_png,),
    0xCA: (_macho,),
    0xCE: (_macho,),
    0xCF: (_macho,),
    0xD0: (_literal(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Kind.OLE),),
    0xFD: (_literal(b"\xfd7zXZ\0", Kind.XZ),),
    0xFE: (_macho,),
    0xFF: (_from_ff,),
}


def is_tar(data: bytes) -> bool:
    """Whether a tar header with a right checksum stands at the start."""
    if len(data) < 512 or data[0] == 0:
        return False
    digits = data[148:156].strip(b" \0")
    if not digits or not digits.isdigit() or len(digits) > 7 or b"8" in digits or b"9" in digits:
        return False
    return sum(data[:148]) + 256 + sum(data[156:512]) == int(digits, 8)


def kind_by_signature(data: bytes) -> Kind | None:
    """What the bytes are by signature and header; None for text and for what has no signature we know."""
    if not data:
        return None
    for check in _TABLE.get(data[0], ()):
        found = check(data)
        if found is not None:
            return found
    if data[4:8] == b"ftyp":
        return _boxes(data)
    if data[2:4] == b"\r\n" and _is_pyc(data):
        return Kind.PYC
    return Kind.TAR if is_tar(data) else None


def _is_pyc(data: bytes) -> bool:
    """A CPython bytecode file: a known magic number, then flags or an old time stamp, then an object."""
    if len(data) < 16:
        return False
    number = unpack_from("<H", data, 0)[0]
    body = data[16] & 0x7F if len(data) > 16 else 0
    modern = 3390 <= number <= 4095 and unpack_from("<I", data, 4)[0] <= 3
    older = 3000 <= number < 3390 or 20121 <= number <= 62300
    return modern or (older and 0x63 in (data[8] & 0x7F, data[12] & 0x7F, body))

"""The objects of a PDF, found by scanning, not by its tables; streams decoded within bounds.

Nothing is followed that could run in a circle: objects are found by their ``N G obj`` heads in the order of
the bytes, the last of one number wins, and object streams are opened once.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from dataclasses import dataclass, field

from sluicegate.vet.lazy import lazy

OBJECTS_MOST = 20_000
STREAM_MOST = 4 << 20
"""Bytes of one decoded stream."""
DECODED_MOST = 8 << 20
"""Bytes of all decoded streams of one document."""

_HEAD = lazy(rb"(\d{1,9})[ \t\r\n]{1,9}+(\d{1,5})[ \t\r\n]{1,9}+obj\b")
_STREAM = lazy(rb"stream(?:\r\n|\n|\r)")
_FILTERS = lazy(rb"/F(?:ilter)?\s{0,20}+(?:\[([^\]]{0,400}+)\]|/(\w{1,30}))")
_FILTERS_ELSEWHERE = lazy(rb"/Filter\s{1,20}+(\d{1,9})\s{1,9}+\d{1,5}\s{1,9}+R")
_REFERENCE = lazy(rb"(\d{1,9})\s{1,9}+\d{1,5}\s{1,9}+R")
_SPELLED = lazy(rb"/(?:[\w.+-]|#[0-9A-Fa-f]{2}){1,120}+")
_CODE = lazy(rb"#([0-9A-Fa-f]{2})")
_NAME = lazy(rb"/(\w{1,30}+)")
_COUNT = lazy(rb"/N\s{1,9}+(\d{1,6})")
_FIRST = lazy(rb"/First\s{1,9}+(\d{1,8})")
_PREDICTOR = lazy(rb"/Predictor\s{1,9}+(\d{1,2})")
_COLUMNS = lazy(rb"/Columns\s{1,9}+(\d{1,5})")
_PICTURES = (b"DCTDecode", b"DCT", b"JPXDecode", b"CCITTFaxDecode", b"CCF", b"JBIG2Decode")


@dataclass(slots=True, kw_only=True)
class PdfObject:
    """One object: its text before the stream, and the raw stream (empty where it has none)."""

    number: int
    body: bytes
    raw: bytes = b""


@dataclass(slots=True, kw_only=True)
class PdfFile:
    """The objects by number, and what was left out, in words."""

    objects: dict[int, PdfObject] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    decoded: int = 0
    cache: dict[int, bytes] = field(default_factory=dict)

    def omit(self, why: str) -> None:
        if why not in self.left_out:
            self.left_out.append(why)

    def stream(self, item: PdfObject) -> bytes:
        """The decoded stream of an object; empty for pictures and for what does not decode."""
        if item.number not in self.cache:
            self.cache[item.number] = self._decode(item)
        return self.cache[item.number]

    def _filters(self, body: bytes) -> list[bytes]:
        """The names of the filters of a stream, which may stand in objects of their own."""
        elsewhere = _FILTERS_ELSEWHERE.search(body)
        target = self.objects.get(int(elsewhere[1])) if elsewhere else None
        if target is not None:
            return _NAME.findall(self._resolved(target.body))
        found = _FILTERS.search(body)
        if not found:
            return []
        return [found[2]] if found[1] is None else _NAME.findall(self._resolved(found[1]))

    def _resolved(self, names: bytes) -> bytes:
        """Names with those that are references in their place."""

        def name(found: re.Match[bytes]) -> bytes:
            target = self.objects.get(int(found[1]))
            return target.body[:80] if target is not None else b""

        return _REFERENCE.sub(name, names[:400])

    def _decode(self, item: PdfObject) -> bytes:
        if not item.raw:
            return b""
        names = self._filters(item.body)
        if any(name in _PICTURES for name in names):
            return b""
        data = item.raw
        for name in names[:6]:
            room = min(STREAM_MOST, DECODED_MOST - self.decoded)
            if room <= 0:
                self.omit(f"more than {DECODED_MOST} bytes of streams")
                return b""
            data, cut = unfilter(name, data, room)
            self.decoded += len(data)
            if cut:
                self.omit("a stream is larger than the bound")
        return _unpredict(data, item.body) if b"/Predictor" in item.body else data


def _plain_names(body: bytes) -> bytes:
    """The body with the letters of its names as they are: ``/Fl#61te`` is ``/Flate``."""
    if b"#" not in body:
        return body
    return _SPELLED.sub(
        lambda name: (
            _CODE.sub(lambda code: bytes([int(code[1], 16)]), name[0]) if b"#" in name[0] else name[0]
        ),
        body,
    )


def _flate(data: bytes, most: int) -> tuple[bytes, bool]:
    for wbits in (15, -15):
        stream = zlib.decompressobj(wbits)
        out = bytearray()
        try:
            pending = data if wbits > 0 else data[2:]
            while pending and len(out) < most:
                out += stream.decompress(pending, min(65536, most - len(out)))
                pending = stream.unconsumed_tail
            return bytes(out), bool(pending) and not stream.eof
        except zlib.error:
            if out:
                return bytes(out), False
    return b"", False


def _lzw(data: bytes, most: int) -> tuple[bytes, bool]:
    table: list[bytes] = [bytes([i]) for i in range(256)] + [b"", b""]
    out = bytearray()
    width, bits, held, before = 9, 0, 0, b""
    for byte in data[: most // 2]:
        bits, held = (bits << 8) | byte, held + 8
        if held < width:
            continue
        held -= width
        code, bits = bits >> held, bits & ((1 << held) - 1)
        if code == 257:
            break
        if code == 256:
            del table[258:]
            width, before = 9, b""
            continue
        if code < len(table):
            entry = table[code]
        elif before:
            entry = before + before[:1]
        else:
            break
        out += entry
        if len(out) >= most:
            return bytes(out), True
        if before and len(table) < 4096:
            table.append(before + entry[:1])
        before = entry
        size = len(table) + 1
        width = 12 if size >= 2048 else 11 if size >= 1024 else 10 if size >= 512 else 9
    return bytes(out), len(data) > most // 2


def _run_length(data: bytes, most: int) -> tuple[bytes, bool]:
    out = bytearray()
    at = 0
    while at < len(data) and data[at] != 128:
        size = data[at]
        if size < 128:
            out += data[at + 1 : at + 2 + size]
            at += size + 2
        else:
            out += data[at + 1 : at + 2] * (257 - size)
            at += 2
        if len(out) >= most:
            return bytes(out[:most]), True
    return bytes(out), False


def unfilter(name: bytes, data: bytes, most: int) -> tuple[bytes, bool]:
    """One filter undone: at most ``most`` bytes, and whether there were more."""
    if name in (b"FlateDecode", b"Fl"):
        return _flate(data, most)
    if name in (b"LZWDecode", b"LZW"):
        return _lzw(data, most)
    if name in (b"RunLengthDecode", b"RL"):
        return _run_length(data, most)
    try:
        if name in (b"ASCIIHexDecode", b"AHx"):
            digits = re.sub(rb"[^0-9A-Fa-f]", b"", data.split(b">", 1)[0])[: 2 * most]
            return binascii.unhexlify(digits + b"0" * (len(digits) % 2)), False
        if name in (b"ASCII85Decode", b"A85"):
            body = re.sub(rb"\s", b"", data.split(b"~>", 1)[0]).removeprefix(b"<~")[:most]
            return base64.a85decode(body), False
    except (ValueError, binascii.Error, OverflowError):
        return b"", False
    return data, False


def _unpredict(data: bytes, body: bytes) -> bytes:
    """PNG predictors None, Sub and Up undone (cross-reference and object streams use these)."""
    found, columns = _PREDICTOR.search(body), _COLUMNS.search(body)
    if not found or int(found[1]) < 10:
        return data
    width = int(columns[1]) if columns else 1
    above = bytearray(width)
    out = bytearray()
    for at in range(0, len(data), width + 1):
        row = bytearray(data[at + 1 : at + 1 + width])
        if data[at] == 2:
            row = bytearray((a + b) & 255 for a, b in zip(row, above, strict=False))
        elif data[at] == 1:
            for i in range(1, len(row)):
                row[i] = (row[i] + row[i - 1]) & 255
        above = row
        out += row
    return bytes(out)


def _scan(data: bytes, pdf: PdfFile) -> None:
    at = 0
    end = -1  # the first "endobj" that is not before the object read
    while found := _HEAD.search(data, at):
        if len(pdf.objects) >= OBJECTS_MOST:
            pdf.omit(f"more than {OBJECTS_MOST} objects")
            return
        start = found.end()
        if end < start:
            end = data.find(b"endobj", start)
            end = len(data) if end == -1 else end
        opened = _STREAM.search(data, start, end)
        number = int(found[1])
        if opened:
            stop = data.find(b"endstream", opened.end())
            stop = len(data) if stop == -1 else stop
            raw = data[opened.end() : stop].removesuffix(b"\n").removesuffix(b"\r")
            pdf.objects[number] = PdfObject(
                number=number, body=_plain_names(data[start : opened.start()]), raw=raw
            )
            at = stop
        else:
            pdf.objects[number] = PdfObject(number=number, body=_plain_names(data[start:end]))
            at = end


def _open_object_streams(pdf: PdfFile) -> None:
    for item in [o for o in pdf.objects.values() if b"/ObjStm" in o.body]:
        count, first = _COUNT.search(item.body), _FIRST.search(item.body)
        data = pdf.stream(item)
        if not count or not first or not data:
            continue
        numbers = data[: int(first[1])].split()[: 2 * int(count[1])]
        places = [
            (int(n), int(o))
            for n, o in zip(numbers[::2], numbers[1::2], strict=False)
            if n.isdigit() and o.isdigit()
        ]
        ends = [o for _, o in places[1:]] + [len(data)]
        for (number, offset), stop in zip(places, ends, strict=False):
            if len(pdf.objects) >= OBJECTS_MOST:
                pdf.omit(f"more than {OBJECTS_MOST} objects")
                return
            base = int(first[1])
            if number < 1 << 31 and offset <= stop:
                body = _plain_names(data[base + offset : base + stop])
                pdf.objects.setdefault(number, PdfObject(number=number, body=body))


def read_pdf(data: bytes) -> PdfFile:
    """All objects of a PDF, those in object streams too."""
    pdf = PdfFile()
    _scan(data, pdf)
    _open_object_streams(pdf)
    return pdf

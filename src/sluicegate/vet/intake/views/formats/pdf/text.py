"""The text of a PDF content stream: its string operators, and the fonts that give the codes a meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sluicegate.vet.intake.views.formats.pdf.objects import PdfFile
from sluicegate.vet.lazy import lazy

_TOKEN = lazy(
    rb"(?P<s>\((?:[^\\()]++|\\.|\((?:[^\\()]++|\\.)*+\))*+\)?)|(?P<h><(?!<)[0-9A-Fa-f\s]*+>)|"
    rb"/(?P<f>[^\s/<>\[\]()]{1,80}+)\s++-?[\d.]{1,20}+\s++Tf\b|(?P<n>-?\d{1,9}(?:\.\d{0,9}+)?)|"
    rb"(?P<o>T[jJdDm*]|BT|ET|cm|Q|['\"])(?![A-Za-z])|[A-Za-z]++",
    re.DOTALL,
)
_ESCAPE = lazy(rb"\\(?:([0-7]{1,3})|(\r?\n)|(.))", re.DOTALL)
_SIMPLE = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}
_FONT_NAMES = lazy(rb"/([^\s/<>\[\]()]{1,80}+)\s{1,9}+(\d{1,9})\s{1,9}+\d{1,5}\s{1,9}+R")
_TO_UNICODE = lazy(rb"/ToUnicode\s{1,9}+(\d{1,9})\s{1,9}+\d{1,5}\s{1,9}+R")
_PAIR = lazy(rb"<([0-9A-Fa-f\s]{1,12}+)>\s*+<([0-9A-Fa-f\s]{1,80}+)>")
_RANGE = lazy(rb"<([0-9A-Fa-f]{1,8}+)>\s*+<([0-9A-Fa-f]{1,8}+)>\s*+(?:<([0-9A-Fa-f]{1,16}+)>|\[([^\]]*+)\])")
_HEX = lazy(rb"<([0-9A-Fa-f\s]{1,80}+)>")
_MAP_MOST = 140_000  # entries of one table, repeated ones counted again
TOKENS_MOST = 500_000
"""Operators and operands read on all pages of one document."""
_FONTS_MOST = 2_000
_SAME_LINE = 0.5
"""Units by which the heights of two texts on one line may differ."""

CodeMap = dict[int, str]
_Font = tuple[CodeMap, bool, bool]


def raw_string(token: bytes) -> bytes:
    """The bytes of a literal or hexadecimal string."""
    if token.startswith(b"<"):
        digits = re.sub(rb"[^0-9A-Fa-f]", b"", token)
        return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode())
    body = token[1:-1] if token.endswith(b")") else token[1:]
    return _ESCAPE.sub(_unescape, body) if b"\\" in body else body


def _unescape(found: re.Match[bytes]) -> bytes:
    if found[1]:
        return bytes([int(found[1], 8) & 255])
    return b"" if found[2] else _SIMPLE.get(found[3], found[3])


def text_string(token: bytes) -> str:
    """A text string of the document: UTF-16 or UTF-8 by its mark, else latin-1."""
    if not token.startswith((b"(", b"<")):
        return ""
    data = raw_string(token)
    if data.startswith(b"\xfe\xff"):
        return data[2:].decode("utf-16-be", "replace")
    if data.startswith(b"\xef\xbb\xbf"):
        return data[3:].decode("utf-8", "replace")
    return data.decode("latin-1")


def _unicode(digits: bytes) -> str:
    text = re.sub(rb"\s", b"", digits)
    return bytes.fromhex(text.decode().zfill((len(text) + 3) // 4 * 4)).decode("utf-16-be", "replace")


def _sections(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The ``bfchar`` and ``bfrange`` sections of a table; one that is not closed ends it."""
    for kind in (b"bfchar", b"bfrange"):
        at = data.find(b"begin" + kind)
        while at != -1:
            end = data.find(b"end" + kind, at)
            if end == -1:
                break
            yield kind, data[at:end]
            at = data.find(b"begin" + kind, end)


def read_map(data: bytes) -> CodeMap:
    """A ToUnicode table, of at most ``_MAP_MOST`` entries."""
    table: CodeMap = {}
    room = _MAP_MOST
    for kind, body in _sections(data):
        if kind == b"bfchar":
            for code, text in _PAIR.findall(body)[: max(room, 0)]:
                table[int(re.sub(rb"\s", b"", code) or b"0", 16)] = _unicode(text)
                room -= 1
            continue
        for low, high, start, listed in _RANGE.findall(body):
            first = int(low, 16)
            last = min(int(high, 16), first + room - 1)
            room -= max(1, last - first + 1)
            if start:
                base = int(start, 16) - first
                table.update({code: _point(base + code) for code in range(first, last + 1)})
            else:
                for code, text in zip(range(first, last + 1), _HEX.findall(listed), strict=False):
                    table[code] = _unicode(text)
            if room <= 0:
                return table
    return table


def _point(code: int) -> str:
    return chr(code) if 0 <= code < 0xD800 or 0xE000 <= code < 0x110000 else "\ufffd"


class Fonts:
    """The fonts of a document by the names that its pages use; counts characters it could not map."""

    def __init__(self, pdf: PdfFile) -> None:
        self._pdf = pdf
        self._tables: dict[int, CodeMap] = {}
        self._fonts: dict[int, _Font | None] = {}
        self._by_name: dict[bytes, _Font] = {}
        self.tokens = TOKENS_MOST
        self.mapped = 0
        self.unmapped = 0
        for number in sorted(pdf.objects):
            body = pdf.objects[number].body
            if b"/Font" not in body and b"/F" not in body:
                continue
            for name, target in _FONT_NAMES.findall(body):
                font = self._font(int(target)) if len(self._by_name) < _FONTS_MOST else None
                if font is not None:
                    self._by_name.setdefault(name, font)

    def _font(self, number: int) -> _Font | None:
        """The font that object ``number`` is; each object is read once."""
        if number not in self._fonts:
            item = self._pdf.objects.get(number)
            is_font = item is not None and b"/Font" in item.body and b"/Subtype" in item.body
            self._fonts[number] = self._read(item.body) if item is not None and is_font else None
        return self._fonts[number]

    def _read(self, body: bytes) -> _Font:
        """The table, whether codes are two bytes wide, and whether bytes are letters without a table."""
        wide = b"/Type0" in body
        found = _TO_UNICODE.search(body)
        target = self._pdf.objects.get(int(found[1])) if found else None
        table: CodeMap = {}
        if target is not None:
            if target.number not in self._tables:
                self._tables[target.number] = read_map(self._pdf.stream(target))
            table = self._tables[target.number]
        simple = not wide and not (b"/Type3" in body or b"/Differences" in body)
        return table, wide, simple

    def text(self, font: bytes, data: bytes) -> str:
        """``data`` drawn in ``font``."""
        table, wide, simple = self._by_name.get(font, ({}, False, True))
        codes: list[int] = [*data]
        if wide:
            codes = [(data[i] << 8) | data[i + 1] for i in range(0, len(data) - 1, 2)]
        out = []
        for code in codes:
            known = table.get(code)
            if known is None and (simple or (not wide and 32 <= code < 127)):
                known = bytes([code]).decode("cp1252", "replace")
            if known is None:
                self.unmapped += 1
                known = "\ufffd"
            else:
                self.mapped += 1
            out.append(known)
        return "".join(out)


class _Place:
    """Where the next text stands: what is drawn at the height of the text before it is on its line."""

    def __init__(self) -> None:
        self._origin = self._at = 0.0
        self._drawn: float | None = None
        self._moved = False

    def move(self, mark: bytes, numbers: list[float]) -> None:
        """Follow one operator."""
        last = numbers[-1] if numbers else 0.0
        if mark in (b"cm", b"Q"):
            self._origin = last if mark == b"cm" else 0.0
            return
        self._moved = True
        if mark == b"BT":
            self._at = 0.0
        elif mark == b"Tm":
            self._at = last
        elif mark in (b"Td", b"TD"):
            self._at += last if len(numbers) > 1 else 0.0
        elif mark == b"T*":
            self._drawn = None

    def before(self) -> str:
        """What parts the text that is drawn now from that before."""
        height = self._origin + self._at
        same = self._drawn is not None and abs(height - self._drawn) < _SAME_LINE
        mark = "" if same and not self._moved else " " if same else "\n"
        self._drawn, self._moved = height, False
        return mark


def page_text(data: bytes, fonts: Fonts) -> str:
    """The text of one content stream, one line for each line that it sets."""
    out: list[str] = []
    font, pending = b"", list[str]()
    place = _Place()
    numbers: list[float] = []
    for found in _TOKEN.finditer(data):
        kind = found.lastgroup
        fonts.tokens -= 1
        if fonts.tokens < 0:
            break
        if kind == "s" or kind == "h":
            pending.append(fonts.text(font, raw_string(found[0])))
        elif kind == "n":
            value = float(found[0])
            numbers.append(value)
            if value < -180 and pending:
                pending.append(" ")
        elif kind == "f":
            font = found["f"]
        elif kind == "o":
            mark = found["o"]
            if mark in (b"'", b'"'):
                place.move(b"T*", [])
            if mark in (b"Tj", b"TJ", b"'", b'"'):
                out.append(place.before() + "".join(pending))
            else:
                place.move(mark, numbers)
            pending, numbers = [], []
        else:
            pending, numbers = [], []
    text = "".join(out)
    return "\n".join([line.rstrip() for line in text.split("\n") if line.strip()])

"""The second line: values that were handed out by sealed path are cut out of what comes back.

The first line is the label. What a command prints that was given a credential is ``secret``, whatever it looks
like, and policy keeps it where it belongs. This module is for the day on which the first line was configured
away: outputs, errors and the text of ledger events lose every occurrence of a registered value, as it stands and
in the forms in which programs commonly print such a value. It stops accidents. It does not stop a program that
means to hide a value (``rot13``, one character a line), and it is not asked to.

Two limits are meant. A value of fewer than ``MINIMUM`` bytes is not registered: cutting out every "a" would wreck
the output and say what the value is. And whoever may print text of his own choice and see the result learns
whether a guess of the whole value was right; for a value that can be guessed whole, no cutting helps.

Time is linear in the text and in the number of registered values: each form is sought with ``bytes.find``, and
occurrences that overlap are followed along their period instead of being sought one by one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from threading import Lock

from sluicegate.tuples import NamedTuple

MINIMUM = 8  # bytes
LONGEST = 65_536  # bytes of a value that are sought as one text; a longer one is sought by its lines
_LINE = 16  # bytes: a line of a value of many lines is sought alone from this length on
_LINES = 256


class _Needle(NamedTuple):
    text: bytes
    mark: bytes


class Scrubber:
    """The registered values of one monitor. Threads may register and scrub at the same time."""

    __slots__ = ("_lock", "_needles", "_seen", "_window")

    def __init__(self) -> None:
        self._lock = Lock()
        self._needles: tuple[_Needle, ...] = ()
        self._seen: set[tuple[str, str]] = set()
        self._window = 0

    def register(self, name: str, value: str) -> bool:
        """Cut ``value`` out from now on, showing ``<secret:name>`` in its place.

        Returns whether it was registered: False if it is shorter than ``MINIMUM`` bytes, line ends not counted.
        """
        if len(_unwrapped(value.encode("utf-8", "surrogateescape").strip())) < MINIMUM:
            return False
        with self._lock:
            if (name, value) in self._seen:
                return True
            self._seen.add((name, value))
            mark = f"<secret:{name}>".encode()
            known = {needle.text for needle in self._needles}
            fresh = tuple(_Needle(form, mark) for form in forms(value) if form not in known)
            # Longest first, so that of two that begin together the one that says more gives the mark.
            self._needles = tuple(sorted(self._needles + fresh, key=lambda needle: -len(needle.text)))
            self._window = 2 * len(self._needles[0].text) + 64
        return True

    def text(self, text: str) -> str:
        """``text`` without registered values."""
        if not self._needles:
            return text
        try:
            return self.bytes(text.encode("utf-8", "surrogateescape")).decode("utf-8", "surrogateescape")
        except UnicodeEncodeError:  # a lone surrogate that stands for no byte
            return self.bytes(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")

    def bytes(self, raw: bytes) -> bytes:
        """``raw`` without registered values."""
        needles = self._needles
        if not needles:
            return raw
        found = _occurrences(raw, needles)
        return _without(raw, found) if found else raw

    def stream(self) -> Stream:
        """A scrubber for text that comes in pieces: a value cut in two by a border is found all the same."""
        return Stream(self)


class Stream:
    """Holds back as many bytes as a value could still need, and gives out the rest.

    A value registered while the stream runs is cut out of what was not given out yet.
    """

    __slots__ = ("_covered", "_held", "_scrubber")

    def __init__(self, scrubber: Scrubber) -> None:
        self._scrubber = scrubber
        self._held = b""
        self._covered = 0  # so many leading bytes of what is held stand for a mark already given out

    def feed(self, piece: bytes) -> bytes:
        """The text that is now certain to hold no part of a value."""
        return self._give(piece, self._scrubber._window)

    def close(self) -> bytes:
        """The rest."""
        return self._give(b"", 0)

    def _give(self, piece: bytes, keep: int) -> bytes:
        raw = self._held + piece
        cut = max(len(raw) - keep, 0)
        needles = self._scrubber._needles
        spans = _occurrences(raw, needles) if needles else []
        if self._covered:
            spans = _merged([(0, self._covered, b""), *spans])
        self._covered = 0
        given: list[tuple[int, int, bytes]] = []
        for start, end, mark in spans:
            if start >= cut:
                break
            given.append((start, min(end, cut), mark))
            self._covered = max(end - cut, 0)
        self._held = raw[cut:]
        return _without(raw[:cut], given)


def forms(value: str) -> tuple[bytes, ...]:
    """The texts in which a value commonly appears: as it stands, its lines, reversed, base64 (at any offset, both
    alphabets), hexadecimal, percent-encoded, and escaped as in JSON and Python."""
    raw = value.encode("utf-8", "surrogateescape")
    found: dict[bytes, None] = {}
    stripped = raw.strip()
    for line in raw.splitlines()[:_LINES]:
        bare = line.strip()
        if len(bare) >= _LINE and not bare.startswith(b"-----") and bare != stripped:
            found[bare] = None
    if len(stripped) <= LONGEST:
        for text in dict.fromkeys((stripped, raw)):
            found[_unwrapped(text)] = None
            found.update(dict.fromkeys(_encoded(text)))
        found.update(dict.fromkeys(_escaped(stripped.decode("utf-8", "surrogateescape"))))
    else:
        found[_unwrapped(stripped[:LONGEST])] = None
    # Texts are searched without their line ends, so no form may hold one.
    return tuple(form for form in dict.fromkeys(map(_unwrapped, found)) if len(form) >= MINIMUM)


def _encoded(raw: bytes) -> list[bytes]:
    """The encodings of bytes: reversed, hexadecimal, base64, percent."""
    from base64 import b64encode, urlsafe_b64encode

    digits = raw.hex()
    out = [raw[::-1], digits.encode(), digits.upper().encode()]
    for lead in range(3):  # what stands before the value in the encoded text shifts it by 0, 1 or 2 bytes
        for encode in (b64encode, urlsafe_b64encode):
            whole = encode(b"\0" * lead + raw)
            # The first and the last digits also hold bits of the neighbours, which are not known.
            first = (8 * lead + 5) // 6
            last = 8 * (lead + len(raw)) // 6
            out.append(whole[first:last])
    every = "".join(f"%{byte:02x}" for byte in raw)
    return [*out, every.encode(), every.upper().encode()]


def _escaped(value: str) -> list[bytes]:
    """The escaped forms of text: percent (the reserved characters only), JSON and Python."""
    from json import dumps
    from urllib.parse import quote, quote_plus

    out = [value[::-1]]
    for safe in ("", "/"):
        for text in (
            quote(value, safe, errors="surrogateescape"),
            quote_plus(value, safe, errors="surrogateescape"),
        ):
            out += [text, _lower_percent(text)]
    for ascii_only in (True, False):
        text = dumps(value, ensure_ascii=ascii_only)[1:-1]
        out += [text, text.replace("/", "\\/")]
    out.append(repr(value)[1:-1])
    return [text.encode("utf-8", "surrogateescape") for text in out]


def _lower_percent(text: str) -> str:
    """``%3A`` as ``%3a``, the rest as it is."""
    head, *rest = text.split("%")
    return "%".join([head, *(part[:2].lower() + part[2:] for part in rest)])


def _unwrapped(raw: bytes) -> bytes:
    return raw.replace(b"\n", b"").replace(b"\r", b"")


def _occurrences(raw: bytes, needles: tuple[_Needle, ...]) -> list[tuple[int, int, bytes]]:
    """The spans of ``raw`` to cut out: sorted, apart from each other."""
    # Encoders wrap long lines (base64 after 76 columns, xxd after 60), so the text is searched without its line
    # ends, and what is found is mapped back.
    flat = _unwrapped(raw)
    ends: list[int] = []
    if len(flat) != len(raw):
        ends = [found.start() - nth for nth, found in enumerate(re.finditer(rb"[\r\n]", raw))]
    spans: list[tuple[int, int, bytes]] = []
    for needle in needles:
        spans.extend((start, end, needle.mark) for start, end in _runs(flat, needle.text))
    if not spans:
        return []
    if ends:
        spans = [(s + bisect_right(ends, s), e + bisect_right(ends, e - 1), mark) for s, e, mark in spans]
    return _merged(sorted(spans, key=lambda span: (span[0], -span[1])))


def _runs(text: bytes, needle: bytes) -> list[tuple[int, int]]:
    """Where ``needle`` stands in ``text``, overlapping occurrences taken together.

    Occurrences that follow each other at the distance p are one text of period p, so its end is found by
    comparing the text with itself shifted by p, and not by seeking ``len(text) / p`` times.
    """
    size = len(needle)
    found: list[tuple[int, int]] = []
    at = text.find(needle)
    while at >= 0:
        end = at + size
        again = text.find(needle, at + 1, end + size - 1)
        if again >= 0:
            end = _period_end(text, end, again - at)
        found.append((at, end))
        at = text.find(needle, end - size + 1)
    return found


def _period_end(text: bytes, end: int, period: int) -> int:
    """Up to where ``text``, of that period before ``end``, goes on with it; by steps that double, then halve."""
    step = 1
    while text[end : end + step] == text[end - period : end - period + step] and end + step <= len(text):
        end += step
        step *= 2
    while step:
        if end + step <= len(text) and text[end : end + step] == text[end - period : end - period + step]:
            end += step
        step //= 2
    return end


def _merged(spans: list[tuple[int, int, bytes]]) -> list[tuple[int, int, bytes]]:
    """Sorted spans with those that touch made one, under the mark of the first."""
    out = [spans[0]]
    for start, end, mark in spans[1:]:
        first, last, kept = out[-1]
        if start < last:
            out[-1] = (first, max(last, end), kept)
        else:
            out.append((start, end, mark))
    return out


def _without(raw: bytes, spans: list[tuple[int, int, bytes]]) -> bytes:
    parts: list[bytes] = []
    at = 0
    for start, end, mark in spans:
        parts += [raw[at:start], mark]
        at = end
    return b"".join([*parts, raw[at:]])

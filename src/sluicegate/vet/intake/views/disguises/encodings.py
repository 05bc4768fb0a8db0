"""Texts in base64, base32, base85 and hex, wherever they stand, decoded where text comes out.

Candidates are runs of one alphabet; runs that only line breaks, quotes and operators part are joined. What
decodes to bytes that are not text (hashes, pictures, keys) is nothing.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache

from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.derived import Derived, Product, Span
from sluicegate.vet.intake.views.disguises.plain import may_begin_text, plain
from sluicegate.vet.intake.views.disguises.runs import alphabet, runs, shape
from sluicegate.vet.intake.views.programs.language import guess
from sluicegate.vet.intake.views.view import Step, View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Gap, GapReason

_ALNUM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_BASE64 = alphabet(_ALNUM + "+/-_")
_BASE85 = alphabet("".join(chr(c) for c in range(33, 127) if chr(c) not in "\"'\\"))
_APART_85 = bytes(10 if c in b"\"'\n\r" else mark for c, mark in enumerate(_BASE85))
"""The same, and a line break for what may end a run."""
_NEVER_FIRST = frozenset(b"ghijklmnopqrstuv+-")
"""In base64 the first byte would go on a character of UTF-8, or be in none, and begin nothing compressed either."""
_NO_TEXT = frozenset(range(0x80, 0xC2)) | frozenset(range(0xF5, 0x100)) - {0xFD}
"""Bytes that begin neither a text nor anything compressed."""


def _never_first(digits: bytes) -> frozenset[int]:
    """The digits of base85 with which no text begins: whatever follows, the first byte is one that begins none."""
    first = {c: range(d * 85**4 >> 24, min((d + 1) * 85**4 - 1 >> 24, 255) + 1) for d, c in enumerate(digits)}
    return frozenset(c for c, bytes_ in first.items() if _NO_TEXT.issuperset(bytes_))


_DIGITS_B85 = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"
_DIGITS_A85 = bytes(range(33, 118))
_DECODERS_85 = (
    (base64.b85decode, _DIGITS_B85, _never_first(_DIGITS_B85)),
    (base64.a85decode, _DIGITS_A85 + b"z", _never_first(_DIGITS_A85)),
)
"""Each with the characters beside which it decodes nothing, and those that no text begins with."""
_HEX = alphabet("0123456789abcdefABCDEF")
_NEVER_FIRST_HEX = frozenset(b"89abAB")
"""The first byte would go on a character of UTF-8, and begin nothing compressed either."""
_BETWEEN = b",:;- \t\r\n"
_ARRAY = alphabet("0123456789abcdefABCDEFxX" + _BETWEEN.decode())
_URL_SAFE = bytes.maketrans(b"-_", b"+/")
_GLUE = b" \t\r\n\"'+\\,()>#*"
_MARKS = _GLUE + b"-|.:0123456789"
"""The same, and what stands before a line of a list or around a cell of a table."""
_TAIL = lazy(r"[ \t\r\n\"'+\\,()>#*]{1,40}+([A-Za-z0-9+/_-]{1,15}+)(?=[=\s\"'`),;]|\Z)")
_PIECES = lazy(rb"[/_-]")
_WHOLE = 24  # characters; a longer run may also be a path or a name with a piece in base64
_SEPARATED = lazy(r"(?:[0-9A-Fa-f]{2}(?:[ :,-]|\r?\n[ \t]{0,8}+)){9,}+(?:[0-9A-Fa-f]{2}\b)?")
_LINES = lazy(
    r"(?:[0-9A-Fa-f]{2}){8,256}+(?:\r?\n[ \t]{0,8}+(?:[0-9A-Fa-f]{2}){1,256}+(?![0-9A-Fa-f])){1,4000}+"
)
"""What ``xxd -p`` writes: digits on lines of their own, which are one text."""
_PREFIXED = lazy(r"(?:0[xX][0-9A-Fa-f]{1,4}[,;\s]*+){5,}+")
_DECIMAL = lazy(r"(?:\d{1,6}\s{0,8}+,\s{0,8}+){4,}+(?:\d{1,6})?")
_BINARY = lazy(r"(?:[01]{8}[ ,]?\s{0,4}+){5,}+")
_DIGITS, _COMMAS = 15, 4
"""Of a list of codes in any of these forms one or the other stands in it at least so often."""
_NUMBER = lazy(r"0[xX][0-9A-Fa-f]++|\d++")
_BREAKS = (b'"', b"'", b"\n", b"\r")
_OPENERS = (b'"', b"'", b"\n", b"")
_LINE_ENDS, _OPENERS_HEX = (b"\n", b"\r"), (b"\n", b" ", b"\t", b'"', b"'", b"(", b"")
_LOWER = lazy(rb"[a-z]{3}")
_JOINED_MOST = 4_000  # runs joined to one candidate
_APART_MOST = 60  # characters between two of them

Found = tuple[int, int, str, bytes]
"""Start, end, step kind, decoded bytes."""
_Decoder = Callable[[re.Match[str]], bytes]


def _from_base64(run: bytes) -> bytes:
    run = run.translate(_URL_SAFE)
    if len(run) % 4 == 1:
        run = run[:-1]
    return binascii.a2b_base64(run + b"=" * (-len(run) % 4))


def _from_base32(run: bytes) -> bytes | None:
    run = run[: len(run) - (len(run) % 8 in (1, 3, 6))]
    try:
        return base64.b32decode(run + b"=" * (-len(run) % 8))
    except (binascii.Error, ValueError):
        return None


def _decode_run(run: bytes, most: int) -> tuple[str, bytes] | None:
    """The kind and the bytes of a run of the base64 alphabet that holds text; ``None`` if it does not.

    A run in lower case, or of few different characters, is a word or a rule and is not tried. The head tells most;
    one that is so may have been put before a text, as blanks are, and then the rest tells.
    """
    if run[0] in _NEVER_FIRST:
        return None
    head = run[:64]
    if head.lower() == head and run.lower() == run:
        return None
    few = len(set(head)) < 8 and len(set(run)) < 8
    if len(run) >= 24 and run.isupper() and run.isalnum() and not set(head) & set(b"0189"):
        data32 = _from_base32(run)
        if data32 and not few and plain(data32, most):
            return "base32", data32
    # Most runs are names, whose first characters say that they are not text.
    if few or not may_begin_text(_from_base64(run[:16])):
        return None
    data = _from_base64(run)
    return ("base64", data) if plain(data, most) else None


def _groups(data: bytes) -> Iterator[list[tuple[int, int]]]:
    """Runs in order, those together that only line breaks, quotes and operators part; none that is vain."""
    group: list[tuple[int, int]] = []
    last = 0
    for run in runs(data, _BASE64, 16):
        start = run[0]
        if group:
            if start - last <= _APART_MOST and _glued(data[last:start]) and len(group) < _JOINED_MOST:
                group.append(run)
                last = run[1]
                continue
            if len(group) > 1 or not _vain(data, *group[0]):
                yield group
        group = [run]
        last = run[1]
    if group and (len(group) > 1 or not _vain(data, *group[0])):
        yield group


def _glued(gap: bytes) -> bool:
    if b"\n" in gap:
        return not gap.strip(_MARKS)
    return not gap.strip(_GLUE) and (b'"' in gap or b"'" in gap)


def _tail(text: str, data: bytes, group: list[tuple[int, int]]) -> re.Match[str] | None:
    """The short run after a group, if it is its last piece rather than a word of the text around."""
    end = group[-1][1]
    if data[end : end + 1] not in _BREAKS:
        return None
    tail = _TAIL.match(text, end)
    if tail is None or data.count(b"\n", end, tail.end()) > 1:
        return None
    after = data[tail.end() : tail.end() + 1]
    goes_on = len(group) > 1 or after in (b"=", b'"', b"'") or (end - group[0][0]) % 4 != 0
    return tail if goes_on else None


def _group_texts(text: str, data: bytes, group: list[tuple[int, int]]) -> list[tuple[int, int, bytes]]:
    """What a group may be: all of it with its short tail, all of it, and each run alone."""
    joined = b"".join([data[s:e] for s, e in group])
    start, end = group[0][0], group[-1][1]
    found = [(start, end, joined)]
    tail = _tail(text, data, group)
    if tail:
        found.insert(0, (start, tail.end(), joined + tail[1].encode()))
    if len(group) > 1:
        found += [(s, e, data[s:e]) for s, e in group]
    return found


def _vain(data: bytes, start: int, end: int) -> bool:
    """Whether a run alone, with its tail or without, is not text: words, rules, numbers.

    It has no capital letter, nor has what may be taken for its tail; or it begins as no text does, and is too
    short to be looked at in pieces.
    """
    run = data[start:end]
    return (
        run.islower()
        or (run[0] in _NEVER_FIRST and end - start <= _WHOLE)
        or (run.lower() == run and data[end : end + 1] not in _BREAKS)
    )


def _base64(text: str, data: bytes, most: int) -> Iterator[Found]:
    for group in _groups(data):
        done = -1
        for start, end, run in _group_texts(text, data, group):
            if start < done:
                continue
            hit = _decode_run(run, most)
            if hit and end > group[-1][1] and len(group) == 1 and not hit[1].isascii():
                continue  # the tail was a word of the text around
            if hit:
                done = end
                yield start, end, hit[0], hit[1]
            elif len(group) == 1 and len(run) > _WHOLE and end == group[0][1]:
                at = start
                for piece in _PIECES.split(run):
                    part = _decode_run(piece, most) if 16 <= len(piece) < len(run) else None
                    if part:
                        yield at, at + len(piece), part[0], part[1]
                    at += len(piece) + 1


def _set_apart(data: bytes) -> Iterator[tuple[int, int]]:
    """Start and end of each run of base85, alone on its line or in quotes, that is long enough."""
    mask = data.translate(_APART_85) + b"\n"
    needle = b"a" * 20 + b"\n"
    at, last = mask.find(needle), 0
    while at != -1:
        end = at + 20
        # Behind a break, for one ends the run before; or all begins here.
        start = mask.rfind(b"\n", last, at) + 1
        if mask.find(b" ", start, at) == -1 and data[start - 1 : start] in _OPENERS:
            yield start, end
        last = end
        at = mask.find(needle, end)


def _base85(text: str, data: bytes, most: int) -> Iterator[Found]:
    for start, end in _set_apart(data):
        run = data[start:end]
        if (
            not text[start:end].isascii()
            or (run.isalnum() and run.islower())
            or b"://" in run[:12]
            or len(set(run[:64])) < 8
        ):
            continue
        for decode, alike, never in _DECODERS_85:
            if run[0] in never or run.translate(None, alike):
                continue
            try:
                # Five characters are four bytes, and the decoders are slow: most runs say at once that they
                # are not text. A ``z`` is four bytes by itself.
                if b"z" not in run[:20] and not may_begin_text(decode(run[:20])):
                    continue
                out = decode(run)
            except (ValueError, OverflowError):
                continue
            if plain(out, most):
                yield start, end, "base85", out
                break


def _framed(text: str, data: bytes, most: int) -> Iterator[Found]:
    """Adobe's base85, between ``<~`` and ``~>``."""
    del most
    at = data.find(b"<~") if b"~" in data else -1  # a search for one byte is far faster
    while at != -1:
        end = data.find(b"~>", at)
        if end == -1:
            return
        with suppress(ValueError, OverflowError):
            yield at, end + 2, "base85", base64.a85decode(text[at + 2 : end].encode("ascii", "replace"))
        at = data.find(b"<~", end)


def _hex_lines(text: str, data: bytes, most: int) -> Iterator[Found]:
    """Digits on several lines as one text; each line by itself is one more."""
    del most
    numbers = _numbers(text)
    if not any(data.find(b"\n", start, end) != -1 for start, end in numbers):
        return
    done = -1
    for start, end in runs(data, _HEX, 16):
        if start < done or data[end : end + 1] not in _LINE_ENDS or data[start] in _NEVER_FIRST_HEX:
            continue
        found = _LINES.match(text, start) if data[start - 1 : start] in _OPENERS_HEX else None
        if found:
            done = found.end()
            yield start, done, "hex", bytes.fromhex(found[0])


@lru_cache(maxsize=1)
def _numbers(text: str) -> list[tuple[int, int]]:
    """Where hexadecimal digits, and what may stand between codes, follow one another with digits enough."""
    found = []
    data = shape(text)
    for start, end in runs(data, _ARRAY, 16):
        run = data[start:end]
        if len(run.translate(None, _BETWEEN)) >= _DIGITS or run.count(b",") >= _COMMAS:
            found.append((start, end))
    return found


def _hex(text: str, data: bytes, most: int) -> Iterator[Found]:
    del most
    if not _numbers(text):  # so many hexadecimal digits are one of these, or part of one
        return
    for start, end in runs(data, _HEX, 16):
        if data[start] in _NEVER_FIRST_HEX or (end - start) % 2 or text[end : end + 1].isalnum():
            continue
        before = text[start - 1 : start]
        if before.isalnum() and before not in "xX":
            continue
        yield start, end, "hex", bytes.fromhex(text[start:end])


def _codes(found: re.Match[str]) -> bytes:
    """The bytes that a list of character codes spells (UTF-8 for codes beyond a byte).

    Nothing for lists that are rather numbers: too short, too monotonous, of letters that nobody writes.
    """
    codes = [int(n, 16) if n[1:2] in ("x", "X") else int(n) for n in _NUMBER.findall(found[0])]
    if max(codes) < 256:
        data = bytes(codes)
        known = len(set(data)) >= (4 if len(data) >= 8 else 3)
        return data if known and (len(data) >= 8 or _LOWER.search(data)) else b""
    if len(codes) < 12 or any(128 <= c < 0x3040 and not 0x400 <= c < 0x530 for c in codes):
        return b""
    return "".join([chr(c) if c < 0xD800 else "\0" for c in codes]).encode()


def _from_bits(found: re.Match[str]) -> bytes:
    return bytes(int(b, 2) for b in re.findall("[01]{8}", found[0]))


def _from_pairs(found: re.Match[str]) -> bytes:
    return bytes.fromhex(re.sub("[^0-9A-Fa-f]", "", found[0]))


def _lists(digits: int, commas: int, run: bytes) -> Iterator[tuple[re.Pattern[str], _Decoder]]:
    """The forms of lists of codes for which a run has digits and commas enough, each with its decoder."""
    if digits >= 40:
        yield _BINARY, _from_bits
    if digits >= _DIGITS and (b"x" in run or b"X" in run):
        yield _PREFIXED, _codes
    if digits >= 18:
        yield _SEPARATED, _from_pairs
    if commas >= _COMMAS:
        yield _DECIMAL, _codes


def _arrays(text: str, data: bytes, most: int) -> Iterator[Found]:
    del most
    for start, end in _numbers(text):
        if end - start < 18:
            continue
        run = data[start:end]
        digits, commas = len(run.translate(None, _BETWEEN)), run.count(b",")
        for pattern, decode in _lists(digits, commas, run):
            for found in pattern.finditer(text, start, end):
                yield found.start(), found.start() + len(found[0].rstrip()), "hex", decode(found)


_SEARCHES: tuple[Callable[[str, bytes, int], Iterator[Found]], ...] = (
    _base64,
    _hex_lines,
    _hex,
    _arrays,
    _base85,
    _framed,
)


def encoding_views(view: View, limits: Limits) -> Iterator[Product]:
    """One view for each encoded text in the view."""
    text = view.text
    if len(text) < 16:
        return
    data = shape(text)
    for search in _SEARCHES:
        for start, end, kind, decoded in search(text, data, limits.view_bytes):
            out = plain(decoded, limits.view_bytes)
            if out is None or out.text == text:
                continue
            if out.cut:
                detail = f"{kind} text inflates beyond {limits.view_bytes} bytes; the rest was not inspected"
                yield Gap(path=view.path, reason=GapReason.VIEW_LIMIT, detail=detail)
            where = Span(first=view.line_of(start), last=view.line_of(end - 1))
            yield Derived(
                text=out.text, language=guess(out.text), step=Step(kind=kind, detail=out.how), where=where
            )

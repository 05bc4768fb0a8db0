"""Texts in base64, base32, base85 and hex, wherever they stand, decoded where text comes out.

Candidates are runs of one alphabet; runs that only line breaks, quotes and operators part are joined. What
decodes to bytes that are no text (hashes, pictures, keys) is nothing.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from contextlib import suppress

from penstock.vet.intake.limits import Limits
from penstock.vet.intake.views.derived import Derived, Product, Span
from penstock.vet.intake.views.language import guess
from penstock.vet.intake.views.plain import may_begin_text, plain
from penstock.vet.intake.views.runs import alphabet, runs, shape
from penstock.vet.intake.views.view import Step, View
from penstock.vet.lazy import lazy
from penstock.vet.verdict.types import Gap, GapReason

_ALNUM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_BASE64 = alphabet(_ALNUM + "+/-_")
_BASE85 = alphabet("".join(chr(c) for c in range(33, 127) if chr(c) not in "\"'\\"))
_DECODERS_85 = (
    (base64.b85decode, (_ALNUM + "!#$%&()*+-;<=>?@^_`{|}~").encode()),
    (base64.a85decode, bytes(range(33, 118)) + b"z"),
)
"""Each with the characters beside which it decodes nothing."""
_HEX = alphabet("0123456789abcdefABCDEF")
_BETWEEN = b",:; \t\r\n"
_ARRAY = alphabet("0123456789abcdefABCDEFxX" + _BETWEEN.decode())
_URL_SAFE = bytes.maketrans(b"-_", b"+/")
_GLUE = b" \t\r\n\"'+\\,()>#*"
_TAIL = lazy(r"[ \t\r\n\"'+\\,()>#*]{1,40}+([A-Za-z0-9+/_-]{1,15}+)(?=[=\s\"'`),;]|\Z)")
_PIECES = lazy(rb"[/_-]")
_SEPARATED = lazy(r"(?:[0-9A-Fa-f]{2}[ :,]){9,}+(?:[0-9A-Fa-f]{2}\b)?")
_PREFIXED = lazy(r"(?:0[xX][0-9A-Fa-f]{1,4}[,;\s]*+){5,}+")
_DECIMAL = lazy(r"(?:\d{1,6}\s{0,8}+,\s{0,8}+){4,}+(?:\d{1,6})?")
_BINARY = lazy(r"(?:[01]{8}[ ,]?\s{0,4}+){5,}+")
_DIGITS, _COMMAS = 15, 4
"""Of a list of codes in any of these forms one or the other stands in it at least so often."""
_NUMBER = lazy(r"0[xX][0-9A-Fa-f]++|\d++")
_BREAKS = (b'"', b"'", b"\n", b"\r")
_OPENERS = (b'"', b"'", b"\n", b"")
_CLOSERS = (b'"', b"'", b"\n", b"\r", b"")
_LOWER = lazy(rb"[a-z]{3}")
_JOINED_MOST = 4_000  # runs joined to one candidate

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

    A run in lower case, or of few different characters, is a word or a rule and is not tried.
    """
    head = run[:64]
    if head.lower() == head or len(set(head)) < 8:
        return None
    if len(run) >= 24 and run.isupper() and run.isalnum() and not set(head) & set(b"0189"):
        data32 = _from_base32(run)
        if data32 and plain(data32, most):
            return "base32", data32
    data = _from_base64(run)
    return ("base64", data) if plain(data, most) else None


def _groups(data: bytes, found: Iterator[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Runs in order, those together that only line breaks, quotes and operators part."""
    group: list[tuple[int, int]] = []
    last = 0
    for start, end in found:
        if group and not (
            start - last <= 60
            and not (gap := data[last:start]).strip(_GLUE)
            and (b"\n" in gap or b'"' in gap or b"'" in gap)
            and len(group) < _JOINED_MOST
        ):
            yield group
            group = []
        group.append((start, end))
        last = end
    if group:
        yield group


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


def _group_texts(text: str, data: bytes, group: list[tuple[int, int]]) -> Iterator[tuple[int, int, bytes]]:
    """What a group may be: all of it with its short tail, all of it, and each run alone."""
    joined = b"".join([data[s:e] for s, e in group])
    start, end = group[0][0], group[-1][1]
    tail = _tail(text, data, group)
    if tail:
        yield start, tail.end(), joined + tail[1].encode()
    yield start, end, joined
    if len(group) > 1:
        for s, e in group:
            yield s, e, data[s:e]


def _small(data: bytes, start: int, end: int) -> bool:
    """Whether no capital letter stands in a run, nor in what may be taken for its tail: words, rules, numbers."""
    run = data[start:end]
    return run.islower() or (data[end : end + 1] not in _BREAKS and run.lower() == run)


def _base64(text: str, data: bytes, most: int) -> Iterator[Found]:
    for group in _groups(data, runs(data, _BASE64, 16)):
        if len(group) == 1 and _small(data, *group[0]):
            continue
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
            elif len(group) == 1 and len(run) > 24 and end == group[0][1]:
                at = start
                for piece in _PIECES.split(run):
                    part = _decode_run(piece, most) if 16 <= len(piece) < len(run) else None
                    if part:
                        yield at, at + len(piece), part[0], part[1]
                    at += len(piece) + 1


def _base85(text: str, data: bytes, most: int) -> Iterator[Found]:
    for start, end in runs(data, _BASE85, 20):
        if data[end : end + 1] not in _CLOSERS or data[start - 1 : start] not in _OPENERS:
            continue
        run = data[start:end]
        if (
            not text[start:end].isascii()
            or (run.isalnum() and run.islower())
            or b"://" in run[:12]
            or len(set(run[:64])) < 8
        ):
            continue
        for decode, alike in _DECODERS_85:
            if run.translate(None, alike):
                continue
            try:
                # Five characters are four bytes, and the decoders are slow: most runs say at once that they
                # are no text. A ``z`` is four bytes by itself.
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


def _hex(text: str, data: bytes, most: int) -> Iterator[Found]:
    del most
    for start, end in runs(data, _HEX, 16):
        if (end - start) % 2 or text[end : end + 1].isalnum():
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
    for start, end in runs(data, _ARRAY, 18):
        run = data[start:end]
        digits, commas = len(run.translate(None, _BETWEEN)), run.count(b",")
        if digits < _DIGITS and commas < _COMMAS:
            continue
        for pattern, decode in _lists(digits, commas, run):
            for found in pattern.finditer(text, start, end):
                yield found.start(), found.start() + len(found[0].rstrip()), "hex", decode(found)


_SEARCHES: tuple[Callable[[str, bytes, int], Iterator[Found]], ...] = (
    _base64,
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

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
from penstock.vet.intake.views.plain import plain
from penstock.vet.intake.views.runs import alphabet, runs, shape
from penstock.vet.intake.views.view import Step, View
from penstock.vet.lazy import lazy
from penstock.vet.verdict.types import Gap, GapReason

_ALNUM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_BASE64 = alphabet(_ALNUM + "+/-_")
_BASE85 = alphabet("".join(chr(c) for c in range(33, 127) if chr(c) not in "\"'\\"))
_HEX = alphabet("0123456789abcdefABCDEF")
_ARRAY = alphabet("0123456789abcdefABCDEFxX,:; \t\r\n")
_GLUE = " \t\r\n\"'+\\,()>#*"
_TAIL = lazy(r"[ \t\r\n\"'+\\,()>#*]{1,40}+([A-Za-z0-9+/_-]{1,15}+)(?=[=\s\"'`),;]|\Z)")
_PIECES = lazy(r"[/_-]")
_SEPARATED = lazy(r"(?:[0-9A-Fa-f]{2}[ :,]){9,}+(?:[0-9A-Fa-f]{2}\b)?")
_PREFIXED = lazy(r"(?:0[xX][0-9A-Fa-f]{1,4}[,;\s]*+){5,}+")
_DECIMAL = lazy(r"(?:\d{1,6}\s{0,8}+,\s{0,8}+){4,}+(?:\d{1,6})?")
_BINARY = lazy(r"(?:[01]{8}[ ,]?\s{0,4}+){5,}+")
_NUMBER = lazy(r"0[xX][0-9A-Fa-f]++|\d++")
_OPENERS = (b'"', b"'", b"\n", b"")
_CLOSERS = (b'"', b"'", b"\n", b"\r", b"")
_LOWER = lazy(rb"[a-z]{3}")
_JOINED_MOST = 4_000  # runs joined to one candidate

Found = tuple[int, int, str, bytes]
"""Start, end, step kind, decoded bytes."""


def _from_base64(run: str) -> bytes:
    run = run.replace("-", "+").replace("_", "/")
    if len(run) % 4 == 1:
        run = run[:-1]
    return binascii.a2b_base64(run + "=" * (-len(run) % 4))


def _from_base32(run: str) -> bytes | None:
    run = run[: len(run) - (len(run) % 8 in (1, 3, 6))]
    try:
        return base64.b32decode(run + "=" * (-len(run) % 8))
    except (binascii.Error, ValueError):
        return None


def _decode_run(run: str, most: int) -> tuple[str, bytes] | None:
    """The kind and the bytes of a run of the base64 alphabet that holds text; ``None`` if it does not.

    A run in lower case, or of few different characters, is a word or a rule and is not tried.
    """
    head = run[:64]
    if len(set(head)) < 8 or head.lower() == head:
        return None
    if len(run) >= 24 and run.isupper() and run.isalnum() and not set(head) & set("0189"):
        data32 = _from_base32(run)
        if data32 and plain(data32, most):
            return "base32", data32
    data = _from_base64(run)
    return ("base64", data) if plain(data, most) else None


def _groups(text: str, found: Iterator[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Runs in order, those together that only line breaks, quotes and operators part."""
    group: list[tuple[int, int]] = []
    for start, end in found:
        if group:
            gap = text[group[-1][1] : start] if start - group[-1][1] <= 60 else "."
            if (
                not gap.strip(_GLUE)
                and ("\n" in gap or '"' in gap or "'" in gap)
                and len(group) < _JOINED_MOST
            ):
                group.append((start, end))
                continue
            yield group
        group = [(start, end)]
    if group:
        yield group


def _continues(text: str, group: list[tuple[int, int]], tail: re.Match[str]) -> bool:
    """Whether the short run after a group is its last piece rather than a word of the text around."""
    end = group[-1][1]
    if text.count("\n", end, tail.end()) > 1 or text[end : end + 1] not in ('"', "'", "\n", "\r"):
        return False
    after = text[tail.end() : tail.end() + 1]
    return len(group) > 1 or after in ("=", '"', "'") or (end - group[0][0]) % 4 != 0


def _group_texts(text: str, group: list[tuple[int, int]]) -> Iterator[tuple[int, int, str]]:
    """What a group may be: all of it with its short tail, all of it, and each run alone."""
    joined = "".join([text[s:e] for s, e in group])
    start, end = group[0][0], group[-1][1]
    tail = _TAIL.match(text, end)
    if tail and _continues(text, group, tail):
        yield start, tail.end(), joined + tail[1]
    yield start, end, joined
    if len(group) > 1:
        for s, e in group:
            yield s, e, text[s:e]


def _base64(text: str, data: bytes, most: int) -> Iterator[Found]:
    for group in _groups(text, runs(data, _BASE64, 16)):
        if len(group) == 1 and text[group[0][0] : group[0][1]].islower():
            continue
        done = -1
        for start, end, run in _group_texts(text, group):
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
        if data[start - 1 : start] not in _OPENERS or data[end : end + 1] not in _CLOSERS:
            continue
        run = text[start:end]
        if (run.isalnum() and run.islower()) or "://" in run[:12] or len(set(run[:64])) < 8:
            continue
        for decode in (base64.b85decode, base64.a85decode):
            try:
                out = decode(run.encode())
            except (ValueError, OverflowError):
                continue
            if plain(out, most):
                yield start, end, "base85", out
                break


def _framed(text: str, data: bytes, most: int) -> Iterator[Found]:
    """Adobe's base85, between ``<~`` and ``~>``."""
    del data, most
    at = text.find("<~")
    while at != -1:
        end = text.find("~>", at)
        if end == -1:
            return
        with suppress(ValueError, OverflowError):
            yield at, end + 2, "base85", base64.a85decode(text[at + 2 : end].encode("ascii", "replace"))
        at = text.find("<~", end)


def _hex(text: str, data: bytes, most: int) -> Iterator[Found]:
    del most
    for start, end in runs(data, _HEX, 16):
        before, after = text[start - 1 : start], text[end : end + 1]
        if (before.isalnum() and before not in "xX") or after.isalnum() or (end - start) % 2:
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


def _arrays(text: str, data: bytes, most: int) -> Iterator[Found]:
    del most
    for start, end in runs(data, _ARRAY, 18):
        if text[start:end].isspace():
            continue
        for pattern, decode in (
            (_BINARY, lambda m: bytes(int(b, 2) for b in re.findall("[01]{8}", m[0]))),
            (_PREFIXED, _codes),
            (_SEPARATED, lambda m: bytes.fromhex(re.sub("[^0-9A-Fa-f]", "", m[0]))),
            (_DECIMAL, _codes),
        ):
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

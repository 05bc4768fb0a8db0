"""Where secrets stand in a text: by the rules that find them, and by the names of the variables that hold them.

A secret is none of a model's business, which sends it to whoever runs that model. What is masked are the keys of the rules of
category ``hardcoded-secret``, whole private keys, random values under a name that means a credential, in the place of a
password in an address, or behind ``Bearer``; and of what is encoded (base64, hexadecimal digits), the part that decodes to one.

What reads as words is never masked, wherever it stands: else an author could write behind a mask what an agent reads and no
reviewer does. A value that reads as words on the whole, so that a pass phrase is one, is shown; of any other, each word
(``readable``).
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from sluicegate.known import names
from sluicegate.vet.inspect.analyzers import checks
from sluicegate.vet.inspect.compile import compile_sources, sources
from sluicegate.vet.inspect.readable import hidden
from sluicegate.vet.lazy import lazy
from sluicegate.vet.review.mediator.offsets import in_characters

if TYPE_CHECKING:
    import yara_x

_CATEGORY = 'category = "hardcoded-secret"'
_BEGIN_OF_KEY = lazy(rb"-----BEGIN [A-Z ]{0,40}-----")
_LINE_OF_KEY = lazy(rb"(?:\s|\\[nr]){0,40}([A-Za-z0-9+/=]{16,20000})")
_WHOLE_LINE = 32
"""Characters of a line of a private key that another may follow: fewer are its last."""
_ASSIGNED = lazy(
    r"\b([A-Za-z_][\w-]{1,60})[\"']?\s{0,4}(?::=|[:=])\s{0,4}([\"'])([^\"'\s]{16,400})\2"
    r"|^\s{0,8}(?:export )?([A-Z_][A-Z0-9_]{2,60})=([^\"'\s$]{16,400})$",
    re.MULTILINE,
)
_BARE = lazy(
    r"^\s{0,8}(?:- )?([A-Za-z_][\w.-]{1,60})\s{0,4}[:=]\s{0,4}([^\s\"'`$<>{}()\[\]]{16,400})\s{0,4}$",
    re.MULTILINE,
)
_PASSED = lazy(
    r"(?i:\b(?:bearer|basic)\s{1,4})([\w.~+/=-]{20,4000})|://[^\s/:@\"'<>]{0,100}:([^\s/@\"'<>]{8,200})@"
)
_ENCODED = lazy(r"[A-Za-z0-9+/_-]{40,400000}")
_HEXADECIMAL = lazy(r"(?:[0-9a-fA-F]{2})+")


@cache
def _rules() -> yara_x.Rules:
    """The rules that find secrets, with the others of their files."""
    return compile_sources({name: text for name, text in sources().items() if _CATEGORY in text})


_HEX_DIGITS = lazy(r"[0-9a-fA-F:-]+")
_BITS, _HEX_BITS = 3.2, 2.5
"""Of each character, from which on a value looks drawn at random: 1 in 1,000 keys of 16 hexadecimal digits has fewer than 2.5."""
_LINE = lazy(r"\S+")
_LETTERS = lazy(r"[a-z]{2,}")
_PAIRS = frozenset(
    "th he in er an re nd on en at ou ed ha to or it is hi es ng st ar te se me sa ne wa ve le no al de ot so co ic ea"
    " ro io li ra ri as ll ti el ma ho ch la be om us ec ce rt di si ur ni ta et il ge ac ly ns"
    .split()
)  # fmt: skip
"""The commonest pairs of letters of English: half of those in a text, and a tenth of those drawn at random."""
_WINDOW, _STEP = 64, 16
_WORDS = ((24, 0.36), (9, 0.5))
"""Pairs of letters, and the share of common ones from which on they read as words. Measured: 19 in 20 windows of English without
blanks have the first share, and 1 in 20,000 of those drawn at random; a few words in a short value have the second,
and so have 1 to 2 in 1,000 keys of 16 to 24 characters, which are shown.
"""
_FOREIGN = 4
"""Letters outside of ASCII: no key that is drawn at random has them."""
_DIGITS_FOR_LETTERS = str.maketrans("013457@$", "oieastas")
_HEXADECIMAL_PARTS = lazy(r"[0-9a-f-]*")
_BETWEEN_WORDS = lazy(r"[-_.+,:]")
_ENCODED_VALUE = lazy(r"[A-Za-z0-9+/_-]{16,}={0,2}")


def _reads_as_words(value: str) -> bool:
    """Whether a part of it does: a window is judged for itself, so that nothing drawn at random makes up for words."""
    starts = range(0, max(1, len(value) - _WINDOW + _STEP), _STEP)
    return any(_is_of_words(value[start : start + _WINDOW]) for start in starts)


def _is_of_words(value: str) -> bool:
    if sum(each.isalpha() and not each.isascii() for each in value) >= _FOREIGN:
        return True
    low = value.lower()
    if _HEXADECIMAL_PARTS.fullmatch(low):
        return False
    parted = len(_BETWEEN_WORDS.findall(low)) > 1
    return _is_english(low) or (parted and _is_english(low.translate(_DIGITS_FOR_LETTERS)))


def _is_english(low: str) -> bool:
    runs = _LETTERS.findall(low)
    pairs = [run[at : at + 2] for run in runs for at in range(len(run) - 1)]
    common = sum(pair in _PAIRS for pair in pairs)
    return any(len(pairs) >= enough and common >= share * len(pairs) for enough, share in _WORDS)


def secrets(text: str) -> list[tuple[int, int]]:
    """The offsets of all secrets of a text, in order; none overlaps the next."""
    found = [*_plain(text), *_encoded(text)]
    joined: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _plain(text: str) -> list[tuple[int, int]]:
    named = (span for span in _by_name(text) if not _says_words(text[slice(*span)]))
    found = [*_by_rule(text), *named]
    return [piece for span in found for piece in _without_words(text, *span)]


def _without_words(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The parts of a secret that are to be masked; a private key has many lines."""
    for match in _LINE.finditer(text, start, end):
        for first, last in hidden(match[0]):
            yield match.start() + first, match.start() + last


def _says_words(value: str) -> bool:
    """Whether a value does, or what it encodes."""
    if _reads_as_words(value):
        return True
    if _ENCODED_VALUE.fullmatch(value) is None:
        return False
    try:
        return _reads_as_words(_base64(value.rstrip("=")).decode())
    except ValueError:
        return False


def _encoded(text: str) -> Iterator[tuple[int, int]]:
    """The parts of encoded texts that decode to a secret."""
    for match in _ENCODED.finditer(text):
        run = match[0]
        is_hex = _HEXADECIMAL.fullmatch(run) is not None
        try:
            data = bytes.fromhex(run) if is_hex else _base64(run)
            wide = 2 if data[1:2] == b"\0" else 1  # as PowerShell takes it
            said = data[: len(data) // wide * wide].decode("utf-16-le" if wide == 2 else "utf-8")
        except ValueError:
            continue  # bytes, not text
        for start, end in _plain(said):
            first, last = (
                len(said[:at].encode("utf-16-le" if wide == 2 else "utf-8")) for at in (start, end)
            )
            of, digits = (1, 2) if is_hex else (3, 4)
            yield (
                match.start() + first // of * digits,
                min(match.end(), match.start() - (-last // of) * digits),
            )


def _base64(run: str) -> bytes:
    whole = run.replace("-", "+").replace("_", "/")[: len(run) - (len(run) % 4 == 1)]
    return binascii.a2b_base64(whole + "=" * (-len(whole) % 4))


def _by_rule(text: str) -> list[tuple[int, int]]:
    import yara_x

    data = text.encode("utf-8", "replace")  # as many characters, but for lone surrogates, which are one byte
    found: list[tuple[int, int]] = []
    for rule in yara_x.Scanner(_rules()).scan(data).matching_rules:
        if ("category", "hardcoded-secret") not in rule.metadata:
            continue
        for pattern in rule.patterns:
            for match in pattern.matches:
                start, end = match.offset, match.offset + match.length
                said = data[start:end].decode("utf-8", "replace")
                if not checks.secret(said):
                    continue
                if said.startswith("-----"):
                    if (last := _end_of_key(data, start)) > start:
                        found.append((start, last))
                elif not _reads_as_words(said):
                    found.append((start, end))
    return in_characters(data, found)


def _end_of_key(data: bytes, start: int) -> int:
    """Where the lines of a private key end that begins there; where it begins, if it has none."""
    begin = _BEGIN_OF_KEY.match(data, start)
    if begin is None:
        return start
    at = end = begin.end()
    while (line := _LINE_OF_KEY.match(data, at)) is not None and not _reads_as_words(line[1].decode("ascii")):
        at = line.end()
        if len(line[1]) < _WHOLE_LINE:
            break
    return at if at > end else start


def _by_name(text: str) -> list[tuple[int, int]]:
    if "=" not in text and ":" not in text and "earer" not in text:
        return []
    found = []
    for match in _ASSIGNED.finditer(text):
        name, group = (match[1], 3) if match[1] else (match[4], 5)
        if names.secret(name.replace("-", "_")) and _is_random(match[group]):
            found.append(match.span(group))
    found += [
        match.span(2)
        for match in _BARE.finditer(text)
        if names.secret(match[1].replace("-", "_").replace(".", "_")) and _drawn(match[2])
    ]
    for match in _PASSED.finditer(text):
        if match[1] and _drawn(match[1]):
            found.append(match.span(1))
        elif match[2] and any(map(str.isdigit, match[2])) and any(map(str.isalpha, match[2])):
            found.append(match.span(2))
    return found


def _drawn(value: str) -> bool:
    """Whether a value without quotes is not a word or name: it has digits, too."""
    return sum(map(str.isdigit, value)) > 1 and _is_random(value)


def _is_random(value: str) -> bool:
    """Whether a value looks drawn at random; hexadecimal digits have fewer bits each, and short ones fewer than that."""
    return checks.random_key(value, _HEX_BITS if _HEX_DIGITS.fullmatch(value) else _BITS)

"""Which parts of a secret are hidden where it is shown: what is drawn at random, and nothing that reads as words.

Whoever wrote a skill chose its secrets, too. What is hidden of one whole, an agent reads and nobody else sees; so words in it
stay visible, one by one. A key that is drawn at random loses little by that: measured on keys of 40 characters, 4 in 100 of
those of letters and digits are shown, 12 of small letters and digits, 17 of capitals and digits.

1. Letters of English: runs in one case of which four of five pairs are among the 300 commonest, of four letters where the run
   has no other, else of five.
2. Letters outside of ASCII: no key that is drawn at random has them.
3. What decodes to such letters, from base64 or hexadecimal digits.
4. What stands between two of these, has no digit, and is too short to be a key.

What is left to hide are words of three letters, single words with digits for letters, and words of other languages in ASCII.
"""

from __future__ import annotations

import binascii
from collections.abc import Iterator
from itertools import pairwise

from sluicegate.vet.lazy import lazy

Spans = list[tuple[int, int]]

_FOLLOWS = {
    pair[0]: frozenset(pair[1:])
    for pair in (
        "abcdfgiklmnprstuvwxy baeijloprstuy cacehiklorstuy dadegilorsuy eabcdefghilmnopqrstvwxy faefilortuy gaeghilnorsu"
        " haeiortu iabcdefgklmnoprstvxz jeou keins ladefilostuvy mabeimnopsu nacdefghiklmnopstuvy oabcdefgiklmnoprstuvw"
        " padehiloprstuy qu rabcdefgiklmnoprstuvwy sacefhiklmopstuwy tacdehiloprstuwy uabcdegilmnoprst vaeio waehinors"
        " xaceipt yeinopstw ze"
    ).split()
}
"""The 300 commonest pairs of letters of English: of each first letter, those that follow it."""
_RUN = lazy(r"[A-Z]?[a-z]+|[A-Z]+")
_FOREIGN = lazy(r"[^\x00-\x7f]+")
_LONGEST = 32
"""Letters of a word: longer ones are found in parts."""
_WHOLE, _WITHIN = 4, 5
_BASE64 = lazy(r"[A-Za-z0-9+/_-]{8,}")
_HEX = lazy(r"[0-9A-Fa-f]{8,}")
_DECODED = lazy(rb"[A-Za-z]{4,}")
_KEYLIKE = lazy(r"[A-Za-z0-9+/=]{8,}")


def hidden(value: str) -> Spans:
    """The spans of a value that are not to be shown; none, where it is of words."""
    shown = words(value)
    if not shown:
        return [(0, len(value))]
    left, at = [], 0
    for start, end in (*shown, (len(value), len(value))):
        left.append((at, start))
        at = end
    return [span for gap in left for span in _of_key(value, *gap)]  # 4


def words(value: str) -> Spans:
    """The spans that read as words, in order; none touches the next."""
    found = sorted({*_letters(value), *_foreign(value), *_encoded(value)})
    joined: Spans = []
    for start, end in found:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _of_key(value: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    part = value[start:end]
    if any(map(str.isdigit, part)):
        yield start, end
        return
    for match in _KEYLIKE.finditer(part):
        yield start + match.start(), start + match.end()


def _letters(value: str) -> Iterator[tuple[int, int]]:  # 1
    for match in _RUN.finditer(value):
        low, first = match[0].lower(), match.start()
        if len(low) >= _WHOLE and _reads(low):
            yield match.span()
        elif len(low) > _WHOLE and match[0][1:].islower() and _reads(low[1:]):
            yield first + 1, match.end()  # the capital may be the last letter of what stands before
        else:
            for start, end in _best(low, _WITHIN):
                yield first + start, first + end


def _foreign(value: str) -> Iterator[tuple[int, int]]:  # 2
    for match in _FOREIGN.finditer(value):
        if any(map(str.isalpha, match[0])):
            yield match.span()


def _encoded(value: str) -> Iterator[tuple[int, int]]:  # 3
    for form, digits, of in ((_BASE64, 4, 3), (_HEX, 2, 1)):
        for match in form.finditer(value):
            for shift in range(digits):
                data = _read(match[0][shift:], digits)
                for said in _DECODED.finditer(data):
                    if _reads(said[0].decode("ascii").lower()):
                        start = match.start() + shift
                        yield start + said.start() // of * digits, start + -(-said.end() // of) * digits


def _read(run: str, digits: int) -> bytes:
    whole = run[: len(run) // digits * digits]
    if digits == 2:
        return bytes.fromhex(whole)
    return binascii.a2b_base64(whole.replace("-", "+").replace("_", "/"))


def _reads(low: str) -> bool:
    """Whether letters read as a word: four of five pairs are common."""
    common = sum(second in _FOLLOWS[first] for first, second in pairwise(low))
    return 5 * common >= 4 * (len(low) - 1)


def _best(low: str, least: int) -> Iterator[tuple[int, int]]:
    """From left to right the longest parts that read as words, of at least so many letters."""
    at = 0
    while at + least <= len(low):
        end = _end_of_best(low, at, least)
        if end:
            yield at, end
        at = end or at + 1


def _end_of_best(low: str, at: int, least: int) -> int:
    """Where the longest part from there ends that reads as a word; 0 where there is none. Stops when none can follow."""
    end = uncommon = 0
    for last in range(at + 1, min(len(low), at + _LONGEST)):
        uncommon += low[last] not in _FOLLOWS[low[last - 1]]
        if 5 * uncommon > _LONGEST - 1:
            break
        if 5 * uncommon <= last - at and last + 1 - at >= least:
            end = last + 1
    return end

"""The border at which a reply becomes data: strict JSON of bounded size and depth, every key kept.

An object keeps its pairs as they stand, so that a key that is said twice is seen twice. What is not JSON, is too long or
nests too deep can no longer pass; what it says against the skill is looked for all the same (``salvage``).
"""

from __future__ import annotations

import json
import re
import string
import unicodedata
from collections.abc import Callable, Collection
from typing import NoReturn

from sluicegate.tuples import NamedTuple

MOST_BYTES = 256 * 1024
MOST_DEPTH = 16
MOST_DIGITS = 4300
_LETTERS = (string.ascii_letters + string.digits).encode("ascii")
_SIGNS = bytes(sorted(set(range(256)) - set(_LETTERS)))
_ESCAPED = re.compile(rb"\\u00([0-7][0-9a-fA-F])")
_CUT = re.compile(rb"(?<![A-Za-z])mal(?:i(?:c(?:i(?:ou?)?)?)?)?\Z", re.IGNORECASE)
_SAID = re.compile(
    rb"injection[\w -]{0,40}[\"']?\s{0,9}[:=][\s\"'{\[]{0,9}(?:\w{1,20}[\"']?\s{0,9}:[\s\"']{0,9})?"
    rb"(?:true|yes|1|found|detected|present)(?!\w{0,20}[\"']?\s{0,9}:)"
    rb"|[:=]\s{0,9}[\"']?suspicious"
    rb"|added[\w -]{0,40}[\"']?\s{0,9}[:=]\s{0,9}[\[{]\s{0,40}(?:[^\]}\s]|\Z)",
    re.IGNORECASE,
)


class Record(NamedTuple):
    """A JSON object: its pairs in the order in which they were written, repeated keys among them."""

    pairs: tuple[tuple[str, object], ...]

    def get(self, name: str, default: object = None) -> object:
        """The first value of a key."""
        return next((value for key, value in self.pairs if key == name), default)

    def has(self, needed: Collection[str], allowed: Collection[str]) -> bool:
        """Whether the keys are those needed, perhaps some of those allowed, each once, and no other."""
        names = [name for name, _ in self.pairs]
        known = set(names)
        return len(names) == len(known) and known.issuperset(needed) and known <= {*needed, *allowed}


class Damaged(NamedTuple):
    """What is left of a reply that is not strict JSON: a value, where one can be read, and whether it speaks of malice."""

    value: object
    alarm: bool


def decode(body: bytes) -> object:
    """The value that a reply states: ``Record``, list, text, number, truth value or ``None``.

    Raises ValueError when it is not bare JSON in UTF-8 (a fence, a byte order mark or prose around it), longer than 256
    KiB, deeper than 16 levels, or holds a number of more than 4,300 digits.
    """
    if len(body) > MOST_BYTES:
        raise ValueError(f"a reply has at most {MOST_BYTES} bytes")
    return _value(body.decode("utf-8"), whole=int, word=_refuse)


def salvage(body: bytes) -> Damaged:
    """What can be heard of a reply that ``decode`` refuses. It can condemn, and never pass. Never raises.

    1. A byte order mark, a fence around it (one, perhaps never closed), bytes that are not UTF-8, words such as NaN and
       numbers that are too long are put aside, and JSON is read.
    2. Whatever can be read, the text alarms when it says MALICIOUS, gives SUSPICIOUS as a value, sets a flag of an
       injection, or begins to add a finding.
    """
    return Damaged(value=_lenient(body), alarm=_alarms(body))


def _lenient(body: bytes) -> object:
    """The value of a damaged reply; ``None`` where there is none."""
    if len(body) > MOST_BYTES:
        return None
    text = body.decode("utf-8", "replace").removeprefix("\ufeff")
    fenced = text.split("```")
    for part in (text, fenced[1].lstrip(string.ascii_letters) if len(fenced) in (2, 3) else ""):
        try:
            return _value(part, whole=_some_whole, word=_nothing)
        except ValueError:
            continue
    return None


def _alarms(body: bytes) -> bool:
    """Whether a text speaks of malice, or is cut within the word.

    Escapes of JSON, UTF-16 and other forms of a letter are seen through.
    """
    said = _ESCAPED.sub(_unescaped, body.replace(b"\0", b"")).replace(b"\\", b"")
    if not said.isascii():
        said = unicodedata.normalize("NFKC", said.decode("utf-8", "replace")).encode("ascii", "ignore")
    return (
        b"malicious" in said.translate(None, _SIGNS).lower()
        or _CUT.search(said.rstrip()) is not None
        or _SAID.search(said.rstrip()) is not None
    )


def _value(text: str, *, whole: Callable[[str], int], word: Callable[[str], object]) -> object:
    """The value of JSON text. Raises ValueError for any other, and beyond the bound on depth."""
    try:
        value: object = json.loads(text, object_pairs_hook=_record, parse_int=whole, parse_constant=word)
    except RecursionError:
        raise ValueError(f"a reply nests at most {MOST_DEPTH} levels deep") from None
    level: list[object] = [value]
    for _ in range(MOST_DEPTH):
        level = [inner for item in level for inner in _inside(item)]
    if level:
        raise ValueError(f"a reply nests at most {MOST_DEPTH} levels deep")
    return value


def _record(pairs: list[tuple[str, object]]) -> Record:
    return Record(tuple(pairs))


def _inside(value: object) -> list[object]:
    if isinstance(value, Record):
        return [inner for _, inner in value.pairs]
    return value if isinstance(value, list) else []


def _some_whole(digits: str) -> int:
    """A number of a damaged reply; one that is too long is some number that is not 0."""
    return int(digits) if len(digits) <= MOST_DIGITS else 1


def _unescaped(found: re.Match[bytes]) -> bytes:
    return bytes([int(found[1], 16)])


def _refuse(word: str) -> NoReturn:
    """A word such as NaN, which Python's decoder takes and JSON does not have."""
    raise ValueError(f"{word} is not JSON")


def _nothing(_: str) -> None:
    """What such a word says in a damaged reply."""

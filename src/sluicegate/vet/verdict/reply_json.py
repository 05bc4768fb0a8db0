"""The border at which a reply becomes data: strict JSON of bounded size and depth, every key kept.

An object keeps its pairs as they stand, so that a key that is said twice is seen twice. What is not JSON, is too long or
nests too deep is not a reply at all.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import NamedTuple, NoReturn

from sluicegate.vet.verdict.confidence import from_model

MOST_BYTES = 256 * 1024
MOST_DEPTH = 16
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
_DENIALS = frozenset({"", "0", "absent", "f", "false", "n", "na", "nil", "no", "none", "notfound", "null"})


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


def decode(body: bytes) -> object:
    """The value that a reply states: ``Record``, list, text, number, truth value or ``None``.

    Raises ValueError when it is not JSON in UTF-8, longer than 256 KiB, deeper than 16 levels, or holds a number of more
    than 4,300 digits.
    """
    if len(body) > MOST_BYTES:
        raise ValueError(f"a reply has at most {MOST_BYTES} bytes")
    try:
        value: object = json.loads(body.decode("utf-8"), object_pairs_hook=_record, parse_constant=_refuse)
    except RecursionError:
        raise ValueError(f"a reply nests at most {MOST_DEPTH} levels deep") from None
    level: list[object] = [value]
    for _ in range(MOST_DEPTH):
        level = [inner for item in level for inner in _inside(item)]
    if level:
        raise ValueError(f"a reply nests at most {MOST_DEPTH} levels deep")
    return value


def bare(text: str) -> str:
    """The ASCII letters and digits of a text, in lower case: what a key or word is told by when it condemns."""
    return "".join([character for character in text if character in _LETTERS]).lower()


def says_malicious(value: object) -> bool:
    """Whether a verdict, or one in a list of them, is MALICIOUS, however it is written."""
    if isinstance(value, list):
        return any(says_malicious(item) for item in value)
    return isinstance(value, str) and bare(value) == "malicious"


def truthy(value: object) -> bool:
    """Whether a flag is set: anything but false, null, a number that rounds to 0, nothing, or a word of denial."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return bare(value) not in _DENIALS
    if isinstance(value, int | float):
        return value < 0 or from_model(value) != 0
    if isinstance(value, Record):
        return bool(value.pairs)
    return isinstance(value, list) and bool(value)


def _record(pairs: list[tuple[str, object]]) -> Record:
    return Record(tuple(pairs))


def _inside(value: object) -> list[object]:
    if isinstance(value, Record):
        return [inner for _, inner in value.pairs]
    return value if isinstance(value, list) else []


def _refuse(word: str) -> NoReturn:
    """A word such as NaN, which Python's decoder takes and JSON does not have."""
    raise ValueError(f"{word} is not JSON")

"""What the words of a reply mean: MALICIOUS and a flag that is set are heard leniently, a denial is one of a closed list.

Keys and words are told by their ASCII letters and digits alone, in lower case (``bare``), so that case, spaces and signs
hide nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from enum import IntEnum

from sluicegate.vet.verdict.confidence import from_model
from sluicegate.vet.verdict.reply_json import Record

_SIGNS = re.compile("[^A-Za-z0-9]+")
_MALICIOUS = "malicious"
_ADDED = "added"
_YES = frozenset({"1", "detected", "found", "present", "t", "true", "y", "yes"})
_DENIALS = frozenset({"0", "absent", "f", "false", "n", "na", "nil", "no", "none", "notfound", "null"})
_OF_VERDICTS = ("overall", "verdict", "opinion", "decision", "assessment", "classification")
_SHOUTED = re.compile("[^A-Za-z0-9]*MALICIOUS")


class Flag(IntEnum):
    """What stands under a key that asks yes or no. The larger of several is the one that counts."""

    NO = 0
    UNCLEAR = 1
    YES = 2


def bare(text: str) -> str:
    """The ASCII letters and digits of a text, in lower case; forms of a letter (full-width, bold) are that letter."""
    return _SIGNS.sub("", text if text.isascii() else unicodedata.normalize("NFKC", text)).lower()


def denies(text: str) -> bool:
    """Whether a text says that there is nothing: it is blank, or a word of denial."""
    return text.isascii() and (not text.strip() or bare(text) in _DENIALS)


def flag(value: object) -> Flag:
    """What a flag says.

    1. A truth value says it; nothing, and a number that rounds to 0, are no; any other number is yes.
    2. A text is yes or no by two closed lists of words, and anything else is unclear.
    3. An empty list or object is no; of another the worst counts, and it is unclear at least.
    """
    # 1
    if value is None or isinstance(value, bool):
        return Flag.YES if value else Flag.NO
    if isinstance(value, int | float):
        return Flag.YES if value < 0 or from_model(value) != 0 else Flag.NO
    # 2
    if isinstance(value, str):
        return Flag.NO if denies(value) else Flag.YES if bare(value) in _YES else Flag.UNCLEAR
    # 3
    inner = _inside(value)
    return max([Flag.UNCLEAR, *map(flag, inner)]) if inner else Flag.NO


def saw_injection(value: object) -> bool:
    """Whether a flag is set under a key that speaks of an injection, at any depth."""
    return any(_of_injection(name) and flag(said) is Flag.YES for name, said in _pairs(value))


def says_malicious(value: object) -> bool:
    """Whether a reply says MALICIOUS, however it is written, at any depth.

    1. The word alone, or in a list, under any key or none: models call the key by many names.
    2. A text that begins with it, under a key that speaks of a verdict.
    3. A flag that is set under the word as a key.
    """
    if _is_malicious(value):  # 1
        return True
    for name, said in _pairs(value):
        if _is_malicious(said):  # 1
            return True
        if _begins_malicious(said) and any(word in name for word in _OF_VERDICTS):  # 2
            return True
        if name in (_MALICIOUS, "is" + _MALICIOUS) and flag(said) is Flag.YES:  # 3
            return True
    return False


def alarms(value: object) -> bool:
    """Whether a reply that is not whole is more than an abstention. In a whole one, prose says nothing against it.

    1. It says MALICIOUS somewhere, or SUSPICIOUS and nothing else in one text.
    2. It answers unclearly whether there was an injection.
    3. It adds something: what a reviewer reports is not lost because a path in it is misspelt.
    """
    for text in map(bare, _texts(value)):  # 1
        if _MALICIOUS in text or text == "suspicious":
            return True
    return any(
        (_of_injection(name) and flag(said) is Flag.UNCLEAR)  # 2
        or (_ADDED in name and flag(said) is not Flag.NO)  # 3
        for name, said in _pairs(value)
    )


def shouts(value: object) -> bool:
    """Whether some text begins with MALICIOUS in capitals, which is the word of a verdict and not of prose."""
    return any(_SHOUTED.match(text) for text in _texts(value))


def _is_malicious(value: object) -> bool:
    if isinstance(value, list):
        return any(map(_is_malicious, value))
    return isinstance(value, str) and bare(value) == _MALICIOUS


def _begins_malicious(value: object) -> bool:
    if isinstance(value, list):
        return any(map(_begins_malicious, value))
    return isinstance(value, str) and bare(value).startswith(_MALICIOUS)


def _of_injection(name: str) -> bool:
    return "injection" in name and name != "injectionevidence"


def _pairs(value: object) -> Iterator[tuple[str, object]]:
    """Every key of every object in a value, at any depth, bare, with what it names."""
    if isinstance(value, Record):
        for name, said in value.pairs:
            yield bare(name), said
    for inner in _inside(value):
        yield from _pairs(inner)


def _texts(value: object) -> Iterator[str]:
    """Every text in a value, at any depth, keys among them."""
    if isinstance(value, str):
        yield value
    if isinstance(value, Record):
        yield from (name for name, _ in value.pairs)
    for inner in _inside(value):
        yield from _texts(inner)


def _inside(value: object) -> list[object]:
    if isinstance(value, Record):
        return [said for _, said in value.pairs]
    return value if isinstance(value, list) else []

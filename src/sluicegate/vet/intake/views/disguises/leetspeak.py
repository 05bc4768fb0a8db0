"""Words spelled with digits and signs for letters: ``1gn0r3 4ll pr3v10us 1nstruct10ns``.

A text is read once with letters for digits, and only when words of orders then appear that were not there
before are its lines looked at. A line counts when at least two of its own words turn into such words, so
versions, hashes and code stay what they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.derived import Product, changed_lines
from sluicegate.vet.intake.views.disguises.runs import shape
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

_TABLES = (("01345789@$!|", "oieastbgasil"), ("01345789@$!|", "oleastbgasil"))
_LETTERS = tuple(str.maketrans(a, b) for a, b in _TABLES)
_BYTES = bytes.maketrans(*(side.replace("l", "i").encode() for side in _TABLES[0]))
_SHAPE = (
    bytes(97 if chr(c).isalpha() else 49 if chr(c) in _TABLES[0][0] else 32 for c in range(128)) + b" " * 128
)
_INSIDE = b"a1a"  # a sign inside a word, in the text's shape
_PROBES = (b"ignor", b"instruct", b"previou", b"forget", b"overrid", b"bypass", b"secret", b"password", b"teii",
           b"upioad", b"execut", b"reveai", b"disregard", b"credentiai", b"user")  # fmt: skip
"""Parts of words of orders, as they come out when every ``1`` is read as ``i`` (and so every ``l``)."""
_WORDS = frozenset(
    "ignore disregard forget override bypass all any every previous prior above earlier instruction instructions "
    "rule rules guideline guidelines restriction restrictions safety system prompt prompts message send upload "
    "post execute run download install delete reveal show print password passwords secret secrets token tokens key "
    "keys api credential credentials file files user users tell inform mention notify never not silently secretly "
    "without asking hidden hide developer mode jailbreak environment variables data approve safe skip scanner "
    "reviewer this skill mark follow these instead them do the you your to of and is are about it be".split()
)
_ALIKE = str.maketrans(*(side.replace("l", "i") for side in _TABLES[0])) | str.maketrans("l", "i")
_WORDS_ALIKE = frozenset(word.replace("l", "i") for word in _WORDS)
"""The words with every ``l`` read as ``i``, as both tables leave them."""
_BARE_ALIKE = frozenset(word.rstrip("i") for word in _WORDS_ALIKE)
"""The same without an ``i`` at the end, as which the signs ``!`` and ``|`` behind a word come out."""
_TOKEN = lazy(r"(?<![\w@$!|/.:=-])(?=[A-Za-z]*+[01345789@$!|])[A-Za-z01345789@$!|]{2,20}(?![\w@$/=:-])")
"""A word with a sign in it or behind it; a word without spells nothing else."""
_LEAST = 2  # words of one line that must come out


def _decode(token: str) -> str:
    """The word of orders that ``token`` spells, or the token."""
    if token.isalpha() or token.isdigit():
        return token
    bare = token.rstrip("!|")
    spellings = [each for each in {token: None, bare: None} if each.lower().translate(_ALIKE) in _WORDS_ALIKE]
    for table in _LETTERS:
        for spelled in spellings:
            word = spelled.lower().translate(table)
            if word in _WORDS:
                return word + token[len(spelled) :]
    return token


def decode_line(line: str) -> str:
    """``line`` with its leetspeak words spelled out, if there are at least two; else as it is."""
    found = 0

    def spelled(match: re.Match[str]) -> str:
        nonlocal found
        word = _decode(match[0])
        found += word != match[0]
        return word

    new = _TOKEN.sub(spelled, line)
    return new if found >= _LEAST else line


def leetspeak_views(view: View, limits: Limits) -> Iterator[Product]:
    """One ``normalised`` view of the lines that are written in leetspeak."""
    data = shape(view.text)
    mixed = data.translate(_SHAPE)
    first = mixed.find(_INSIDE)
    if first != -1 and mixed.find(_INSIDE, first + len(_INSIDE)) != -1 and _spells(data.lower()):
        lines = _promising(view.text)
        if lines:
            yield from changed_lines(
                view, lambda line: decode_line(line) if line in lines else line, "leetspeak"
            )


def _promising(text: str) -> set[str]:
    """The lines with enough words that ``_decode`` may turn into others; it turns no word that is not of these.

    A word is looked at as it does, with and without the signs behind it, but all of them at once. No word holds a
    line break, and none is told by one from its surroundings, so that the text has the words of its lines.
    """
    tokens = _TOKEN.findall(text)
    spelled = "\n".join(tokens).lower().translate(_ALIKE).split("\n")
    able = [
        token
        for token, word in zip(tokens, spelled, strict=False)  # without tokens there is one empty word
        if word in _WORDS_ALIKE or word.rstrip("i") in _BARE_ALIKE
    ]
    lines: set[str] = set()
    start = end = times = 0
    at = -1
    for token in able:  # in the order of the text, so that it is read once, and each line is cut out once
        at = text.find(token, at + 1)
        while not ((found := _TOKEN.match(text, at)) and found[0] == token):
            at = text.find(token, at + 1)
        if at >= end:
            start, times = text.rfind("\n", end, at) + 1 or end, 0
            end = text.find("\n", at) + 1 or len(text) + 1
        times += 1
        if times == _LEAST:
            lines.add(text[start : end - 1])
    return lines


def _spells(data: bytes) -> bool:
    """Whether parts of words of orders come out that did not stand in the text."""
    before = data.replace(b"l", b"i")
    after = before.translate(_BYTES)
    return any((times := after.count(probe)) and times > before.count(probe) for probe in _PROBES)

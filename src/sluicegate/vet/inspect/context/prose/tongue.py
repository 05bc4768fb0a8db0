"""How one language gives an order to carry out what a text shows: a grammar in miniature, over folded text.

``told`` is a verb in a form that only an order or a necessity has, wherever it stands; ``does`` one that orders
where a clause begins with it, after no more than ``fill``. ``back``, ``ahead`` and ``here`` say where the thing
meant stands, ``what`` names things that can be carried out, ``due`` says that it has to be done and ``when``
that it is done at some moment, ``each`` takes in all of them. ``denies`` turns a clause round and ``undoes``
turns that round again; ``reports`` says that it is somebody else who gives the order. ``common`` are words of
which nearly every sentence has one, for languages that their letters alone do not tell from others.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, fields

from sluicegate.vet.lazy import lazy

_MARKS = lazy("[\u0300-\u036f\u064b-\u0652\u0640\u200b-\u200f\u2060-\u2064\ufeff\u00ad]")
_FOLDED = lazy(
    "[^\x00-\x7f\ue000\u2010\u2012-\u2015\u2018-\u201e\u2020-\u2022\u2190-\u2193\u21d2\u2705\u274c]"
)
"""All but ASCII and some signs, most of them punctuation, of which lower case is all that folding makes."""
_LETTERS = str.maketrans("أإآٱىؤئıłđø", "اااايويildo")
_NEVER = r"(?!)"


def plain(text: str) -> bool:
    """Whether a text has no letters but those of ASCII, and nothing that looks like one of them."""
    return _FOLDED.search(text) is None


def fold(text: str) -> str:
    """Lower case and without accents, compatibility forms as plain letters; line by line what it was."""
    if plain(text):
        return text.lower()
    folded = unicodedata.normalize("NFKC", text).casefold()
    if folded.isascii():
        return folded
    bare = _MARKS.sub("", unicodedata.normalize("NFD", folded))
    return unicodedata.normalize("NFC", bare).translate(_LETTERS)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tongue:
    """The patterns of one language. ``letters`` is a class of characters of which every text in it has some."""

    name: str
    letters: re.Pattern[str]
    told: re.Pattern[str]
    does: re.Pattern[str]
    fill: re.Pattern[str]
    back: re.Pattern[str]
    ahead: re.Pattern[str]
    here: re.Pattern[str]
    what: re.Pattern[str]
    due: re.Pattern[str]
    when: re.Pattern[str]
    each: re.Pattern[str]
    denies: re.Pattern[str]
    undoes: re.Pattern[str]
    reports: re.Pattern[str]
    common: frozenset[str]
    pointing: str
    """The alternation of ``back``, ``ahead``, ``here``, ``when`` and ``due``: one of them stands in every order."""
    ends: bool
    """Whether a verb may be known by standing at the end of its clause, which the sentence does not show."""
    latin: bool
    """Whether its letters are those of English, so that words must tell it from English."""


_TABLES = tuple(
    field.name
    for field in fields(Tongue)
    if field.name not in ("name", "letters", "common", "pointing", "ends", "latin")
)
_POINTING = ("back", "ahead", "here", "when", "due")


def whole_words(alternation: str) -> re.Pattern[str]:
    """Found wherever one of the alternatives stands as whole words; made for alternations of hundreds.

    The alternatives are put together by their first letters, so that a word is compared with those alone that
    begin like it. Which of two that fit is found may differ; whether one is found does not.
    """
    by_letter: dict[str, list[str]] = {}
    others: list[str] = []
    for alternative in _alternatives(alternation):
        if alternative[:1].isalpha() and alternative[1:2] not in ("?", "*", "+", "{"):
            by_letter.setdefault(alternative[0], []).append(alternative[1:])
        elif alternative:
            others.append(alternative)
    grouped = (
        "|".join([f"{first}(?:{'|'.join(rest)})" for first, rest in by_letter.items()] + others) or _NEVER
    )
    return lazy(rf"(?<!\w)(?:{grouped})(?!\w)")


def _alternatives(pattern: str) -> list[str]:
    """The alternatives of a pattern, split where no group and no class of characters is open."""
    found, first, depth, in_class = [], 0, 0, False
    at = 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            at += 1
        elif in_class:
            in_class = char != "]"
        elif char == "[":
            in_class = True
        elif char in "()":
            depth += 1 if char == "(" else -1
        elif char == "|" and depth == 0:
            found.append(pattern[first:at])
            first = at + 1
        at += 1
    return [*found, pattern[first:]]


def tongue(name: str, letters: str, *, spaced: bool = True, **tables: str) -> Tongue:
    """A language from its tables; a table that is not given matches nothing.

    A table is an alternation. Where words are ``spaced`` each stands for a whole word. Tables are folded, so
    no escape in them is upper-case.
    """

    def made(table: str) -> re.Pattern[str]:
        folded = fold(tables[table]) if table in tables else _NEVER
        if table == "fill":
            return lazy(
                rf"(?:[\W\d_]|{folded})*+" if not spaced else rf"(?:[\W\d_]|(?<!\w)(?:{folded})(?!\w))*+"
            )
        return lazy(rf"(?<!\w)(?:{folded})(?!\w)" if spaced else rf"(?:{folded})")

    common = frozenset(fold(tables.pop("common", "")).split("|")) - {""}
    unknown = tables.keys() - set(_TABLES)
    if unknown:
        raise ValueError(f"{name} has tables that no grammar uses: {sorted(unknown)}")
    return Tongue(
        name=name,
        letters=lazy(letters),
        common=common,
        pointing="|".join(fold(tables[table]) for table in _POINTING if table in tables),
        ends="$" in tables.get("told", "") + tables.get("does", ""),
        latin="a-z" in letters,
        **{table: made(table) for table in _TABLES},
    )

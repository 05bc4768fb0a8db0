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

from penstock.vet.lazy import lazy

_MARKS = lazy("[\u0300-\u036f\u064b-\u0652\u0640\u200b-\u200f\u2060-\u2064\ufeff\u00ad]")
_LETTERS = str.maketrans("أإآٱىؤئıłđø", "اااايويildo")
_NEVER = r"(?!)"


def fold(text: str) -> str:
    """Lower case and without accents, compatibility forms as plain letters; line by line what it was."""
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
    latin: bool
    """Whether its letters are those of English, so that words must tell it from English."""

    def spoken(self, words: frozenset[str]) -> int:
        """How many of these words are common ones of it."""
        return len(self.common & words)


_TABLES = tuple(
    field.name for field in fields(Tongue) if field.name not in ("name", "letters", "common", "latin")
)


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
        latin="a-z" in letters,
        **{table: made(table) for table in _TABLES},
    )

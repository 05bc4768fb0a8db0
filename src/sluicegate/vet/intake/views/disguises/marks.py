"""Letters as they are read: without vowel signs, composed, in their usual width; English without accents.

Arabic may carry vowel signs and stretched letters, Latin letters and Korean syllables may be written in
pieces, Japanese in half width, and any of them with a character between that is not drawn. Readers see the
same words; the lines that hold such characters are given in their usual form.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache

from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.derived import Product, changed_lines
from sluicegate.vet.intake.views.disguises.runs import foreign
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

_HIDDEN = "\u00ad\u200b\u2060\ufeff"
_ANY = lazy(
    f"[\u0300-\u036f\u0640\u064b-\u0652\u0670\u1100-\u11ff\uff66-\uff9f]|(?<=[^\x00-\x7f])[{_HIDDEN}]"
)
_MAY = lazy(f"[\u0300-\u036f\u0640\u064b-\u0652\u0670\u1100-\u11ff\uff66-\uff9f{_HIDDEN}]")
_DROP = lazy(f"[\u0640\u064b-\u0652\u0670{_HIDDEN}]")


def plain_letters(line: str) -> str:
    """``line`` composed (NFKC), without Arabic vowel signs, stretching and characters that are not drawn."""
    return unicodedata.normalize("NFKC", _DROP.sub("", line))


def _usual(line: str) -> str:
    return plain_letters(line) if _ANY.search(line) else line


_STROKES = dict(zip("øłđħŧıƀɨŋþßæœðØŁĐĦŦ", "oldhtibinpsaodOLDHT", strict=True))
_PROBES = (
    "ignore ", "disregard", "instruction", "previous", "password", "credential", "reviewer", "silently", "upload",
    "fetch", "without", "guideline", "verified", "download", "the user",
)  # fmt: skip
"""Parts of words of orders, in a spelling that no language with accents shares with an accented one of its own."""


@lru_cache(maxsize=4096)
def _bare(character: str) -> str:
    """The ASCII letter under the accents of a letter, nothing for an accent alone, else the character."""
    if "\u0300" <= character <= "\u036f" and not "\u0334" <= character <= "\u0338":  # these strike through
        return ""
    base = _STROKES.get(character) or unicodedata.normalize("NFD", character)[0]
    return base if base.isascii() and base.isalpha() else character


def _accents(text: str) -> Mapping[int, str]:
    return {ord(c): base for c in foreign(text) if (base := _bare(c)) != c}


def accent_views(view: View, limits: Limits) -> Iterator[Product]:
    """One ``normalised`` view of the lines that are English once their accents are taken off: ``ígnörē áll``."""
    text = view.text
    table = {} if text.isascii() else _accents(text)
    if not table:
        return
    before, after = text.lower(), text.translate(table).lower()
    if any((times := after.count(probe)) and times > before.count(probe) for probe in _PROBES):
        yield from changed_lines(view, lambda line: line.translate(table), "accents", ascii_too=False)


def marks_views(view: View, limits: Limits) -> Iterator[Product]:
    """One ``normalised`` view of the lines whose letters are not in their usual form."""
    if not view.text.isascii() and _MAY.search("".join(foreign(view.text))):
        yield from changed_lines(view, _usual, "letters", ascii_too=False)

"""Text as a reader sees it: compatibility forms, look-alikes, invisible characters, spaced letters.

``normalise`` keeps lines. It changes what deceives (a look-alike inside a Latin word, a mathematical letter,
a character that is not drawn) and leaves alone what writers use in good faith: real Russian or Greek, curly
quotes, dashes, full-width punctuation, emoji.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import accumulate

from sluicegate.known.lookalikes import (
    FOLDS,
    FOREIGN,
    SMALL_CAPITALS,
    STRONG,
)
from sluicegate.vet.intake.bundle import CODE
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.derived import Aligned, Derived, Each, Product
from sluicegate.vet.intake.views.disguises.runs import foreign
from sluicegate.vet.intake.views.disguises.spaced import join_spaced, near_runs, spaced_lines
from sluicegate.vet.intake.views.view import Step, View
from sluicegate.vet.lazy import lazy

_ROUNDS_MOST = 12  # no text is known that needs more than three
WHOLE_TEXT = 32_768
"""Prose up to this many characters is normalised whole; of longer prose only the lines that differ."""

_INVISIBLE = (
    r"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_SPACES = r"\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
"""White space that is drawn as a space and is none to a pattern; writers set one here and there, not one after the other."""
_OVERLAY = r"\u0334-\u0338\u20d0-\u20f0\u0489"
_FORMS = (
    r"\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff\u24b6-\u24e9\u249c-\u24b5\u2100-\u2121"
    r"\u2123-\u214f\U0001f110-\U0001f149\U0001f150-\U0001f169\U0001f170-\U0001f189\u1d00-\u1dbf\u02b0-\u02b8"
    r"\u2090-\u209c\ufb00-\ufb06\u2071\u207f" + SMALL_CAPITALS
)
_HARMLESS_FORMS = "\u2122\u2116\u2103\u2109\u2126\u212b\u2113\u2139\u2102\u2115\u211d\u2124"
_SUSPECT = lazy(
    f"[A-Za-z0-9][{_INVISIBLE}]|[{_INVISIBLE}][A-Za-z0-9]|[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e0fff]|"
    f"[{_OVERLAY}]|[{_FORMS}]|[A-Za-z][{FOREIGN}]|[{FOREIGN}][A-Za-z]|[\u0300-\u036f]{{3}}|"
    f"[\U0001f1e6-\U0001f1ff]{{5}}|\u2800|[{_SPACES}][A-Za-z]{{1,20}}[,.;:]?[{_SPACES}](?=[A-Za-z])"
)
_STRONG_WORD = lazy("[" + re.escape("".join(sorted(STRONG))) + "]{2}")
_DECEIVER = lazy(
    f"[{_INVISIBLE}{_OVERLAY}{_FORMS}{_SPACES}{FOREIGN}\u0300-\u036f\U0001f1e6-\U0001f1ff\u2800{''.join(sorted(STRONG))}]"
)
_KEYCAP = lazy("[0-9#*]\ufe0f?\u20e3")
_STRIP = lazy(f"[{_INVISIBLE}{_OVERLAY}]|(?<=[\u0300-\u036f])[\u0300-\u036f]")
_DROPPED = lazy(f"[{_INVISIBLE}{_OVERLAY}\u0300-\u036f]")
_TOKEN = lazy(f"[A-Za-z{FOREIGN}]++")
_FOREIGN = lazy(f"[{FOREIGN}]")
_LATIN = lazy(r"[A-Za-z]")
_FOREIGN_WORD = lazy(f"[{FOREIGN}]++")
_REGIONAL = lazy("[\U0001f1e6-\U0001f1ff]{5}")
_LETTER = lazy("[\U0001f1e6-\U0001f1ff]")
_HEAPED = lazy("[\u0300-\u036f]{3}")
_ON_LATIN = lazy("(?<=[A-Za-z])[\u0300-\u036f]++")
_BRACKETED = {0x249C + at: chr(97 + at) for at in range(26)} | {
    0x1F110 + at: chr(65 + at) for at in range(26)
}
"""Letters in brackets, which NFKC would make three characters of each."""


@cache
def _always() -> dict[int, str]:
    """What is folded wherever it stands."""
    return {code: letter for code, letter in FOLDS.items() if not _FOREIGN.match(chr(code))} | dict.fromkeys(
        (0x85, 0x1680, 0x2028, 0x2029, 0x2800), " "
    )


def _fold_token(found: re.Match[str]) -> str:
    token = found[0]
    if token.isascii() or not _LATIN.search(token):
        return token
    return token.translate(FOLDS)


def _fold_word(found: re.Match[str]) -> str:
    word = found[0]
    return word.translate(FOLDS) if all(c in STRONG for c in word) else word


def _all_alike(line: str) -> bool:
    """Whether the foreign words of a mostly Latin line are all made of look-alikes of ASCII letters."""
    foreign = 0
    for word in _FOREIGN_WORD.findall(line):
        if not all(c in STRONG for c in word):
            return False
        foreign += len(word)
    return foreign > 0 and len(_LATIN.findall(line)) >= 2 * foreign


def _flag(found: re.Match[str]) -> str:
    return chr(ord(found[0]) - 0x1F1E6 + 97)


def _normalise_lines(lines: list[str]) -> list[str]:
    if not lines:
        return []
    text = "\n".join([_ON_LATIN.sub("", line) if _HEAPED.search(line) else line for line in lines])
    text = unicodedata.normalize("NFKC", _STRIP.sub("", text).translate(_BRACKETED))
    if _REGIONAL.search(text):
        text = "\n".join(
            [_LETTER.sub(_flag, line) if _REGIONAL.search(line) else line for line in text.split("\n")]
        )
    text = text.translate(_always())
    if _FOREIGN.search(text) is None:  # what follows changes no other letters
        return text.split("\n")
    out = _TOKEN.sub(_fold_token, text).split("\n")
    for number, before in enumerate(text.split("\n")):
        if not out[number].isascii() and _all_alike(before):
            out[number] = _FOREIGN_WORD.sub(_fold_word, out[number])
    return out


def normalise(text: str) -> str:
    """``text`` as it looks, line by line; the number of lines is that of ``text``.

    No line depends on another, and one in ASCII looks as it is.
    """
    if text.isascii():
        return text
    lines = text.split("\n")
    wide = [number for number, line in enumerate(lines) if not line.isascii()]
    for number, line in zip(wide, _normalise_lines([lines[number] for number in wide]), strict=True):
        lines[number] = line
    return "\n".join(lines)


def deceiving(lines: list[str]) -> list[int]:
    """Which of the lines hold characters that deceive; harmless typography alone does not count.

    They are looked at as one text: no pattern goes beyond the end of a line.
    """
    text = "\n".join(lines)
    if "\u20e3" in text:
        text = _KEYCAP.sub("", text)
        lines = text.split("\n")
    ends = list(accumulate(len(line) + 1 for line in lines))
    found = {bisect_right(ends, each.start()) for each in _SUSPECT.finditer(text) if _deceives(each[0])}
    drawn = {bisect_right(ends, each.start()) for each in _STRONG_WORD.finditer(text)} - found
    return sorted(found | {number for number in drawn if _all_alike(lines[number])})


@lru_cache(maxsize=4096)
def _deceives(mark: str) -> bool:
    if _FOREIGN.search(mark):
        return any(ord(c) in FOLDS for c in mark)
    return mark not in _HARMLESS_FORMS


@lru_cache(maxsize=4096)
def _may_deceive(character: str) -> bool:
    return _DECEIVER.match(character) is not None and character not in _HARMLESS_FORMS


def _deceivers(text: str) -> frozenset[str]:
    """The characters of the text that are of a kind that can deceive."""
    return frozenset(filter(_may_deceive, foreign(text)))


def _changes(text: str, *, whole: bool) -> dict[int, str]:
    """The normalised form of each line (0-based) that deceives or has spaced letters; where lines need not be whole, of very long ones
    the parts around those letters."""
    changed: dict[int, str] = {}
    deceivers = frozenset() if text.isascii() else _deceivers(text)
    if deceivers:
        wide = [
            (number, line)
            for number, line in enumerate(text.split("\n"))
            if not line.isascii() and not deceivers.isdisjoint(line)
        ]
        found = [wide[at] for at in deceiving([line for _, line in wide])]
        for (number, line), new in zip(found, _normalise_lines([line for _, line in found]), strict=True):
            if new != line:
                changed[number] = new
    for number, line in spaced_lines(text):
        normal = changed.get(number, line)
        joined = join_spaced(normal if whole else near_runs(normal))
        if joined != line:
            changed[number] = joined
    return changed


def unicode_views(view: View, limits: Limits) -> Iterator[Product]:
    """A ``normalised`` view where the text deceives.

    Programs are given whole, so that they still parse; so are short texts; of long prose only the lines
    that differ and their neighbours.
    """
    text = view.text
    whole = len(text) <= (max(limits.syntax_bytes, WHOLE_TEXT) if view.language in CODE else WHOLE_TEXT)
    changed = _changes(text, whole=whole)
    if not changed:
        return
    lines = text.split("\n")
    step = Step(kind="normalised")
    if whole:
        for number, new in changed.items():
            lines[number] = new
        yield Derived(text="\n".join(lines), language=view.language, step=step, where=Aligned())
        return
    wanted = sorted({n for c in changed for n in (c - 1, c, c + 1) if 0 <= n < len(lines)})
    body = "\n".join([changed.get(n, lines[n]) for n in wanted])
    yield Derived(text=body, language=view.language, step=step, where=Each(lines=[(n, n) for n in wanted]))


_LETTERS = _BRACKETED | {0x1F1E6 + at: chr(97 + at) for at in range(26)}
"""Letters in brackets and in flags, which NFKD would not make letters of."""


@cache
def _everywhere() -> dict[int, str]:
    """All that ``normalise`` folds in some surroundings."""
    return _always() | FOLDS


def canonical(text: str) -> str:
    """The form of a text that fingerprints are taken of.

    For all texts ``canonical(normalise(t)) == canonical(t)``, and ``canonical(canonical(t)) == canonical(t)``.

    1. Letters in brackets and in flags become letters; 2. NFKD; 3. invisible characters and combining marks are dropped,
    those of composed letters too; 4. look-alikes become their letters, wherever they stand; 5. case is folded; 1 to 5
    until nothing changes; 6. NFKC, and runs of white space become one space.

    What ``normalise`` does depends on what stands around, so nothing of that may be kept here: it drops the marks of a
    whole line when they are heaped up in one place of it, and reads flags as letters when there are many.
    """
    if text.isascii():
        return " ".join(text.lower().split())
    for _ in range(_ROUNDS_MOST):
        before = text
        text = unicodedata.normalize("NFKD", _DROPPED.sub("", text).translate(_LETTERS))
        text = _DROPPED.sub("", text).translate(_everywhere()).casefold()
        if text == before:
            break
    return " ".join(unicodedata.normalize("NFKC", text).split())

"""Characters that make text show as something else than it is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

from sluicegate.known.lookalikes import FOLDS, FOREIGN, STRONG
from sluicegate.vet.inspect.analyzers.structures.facts import BundleFacts
from sluicegate.vet.inspect.analyzers.structures.registry import HIGH, MEDIUM, rule, structure_rule, weighed
from sluicegate.vet.inspect.rule import Match
from sluicegate.vet.intake.bundle import CODE, CONFIG, Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Category, Severity

_UNICODE = Category.UNICODE_DECEPTION
BIDI = rule(
    "bidi-override", "Direction marks that reorder the text", _UNICODE, HIGH, 850,
    why="Override and isolate marks let a line read one way for a person and another for the machine (Trojan source).",
    fix="Remove the marks. Text in right-to-left languages needs none of them in code.",
    references=("CWE-1007", "CWE-451", "T1027"),
)  # fmt: skip
INVISIBLE = rule(
    "invisible-text", "Text made of invisible characters", _UNICODE, HIGH, 850,
    why="Runs of tag characters, variation selectors or zero-width characters carry words that a model reads and a "
    "person does not see.",
    fix="Remove the characters, and ask who put them there.",
    references=("LLM01", "ASI01", "AML.T0051", "CWE-451"),
)  # fmt: skip
HOMOGLYPH = rule(
    "homoglyph-word", "A word that mixes alphabets which look alike", _UNICODE, MEDIUM, 650,
    why="A Cyrillic or Greek letter in a Latin word makes another host, command, file or name of it that looks the same.",
    fix="Write the word in one alphabet, and ask how the letter came there.",
    references=("CWE-1007", "T1036"),
)  # fmt: skip

PER_VIEW = 20
"""Matches of one kind in one text; more of them say nothing new."""

_BIDI = lazy("[\u202a-\u202e\u2066-\u2069]")
_RIGHT_TO_LEFT = lazy("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_MARKS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_OVERRIDES = "\u202d\u202e"
_EMBEDS = "\u202a\u202b\u202d\u202e"
_ISOLATES = "\u2066\u2067\u2068"

_RUN = lazy(
    "[\U000e0001\U000e0020-\U000e007f]{3,}+|[\U000e0100-\U000e01ef]{2,}+|[\ufe00-\ufe0f]{3,}+"
    "|[\u200b-\u200d\u2060-\u2064\ufeff\u180e\u034f\u00ad]{8,}+"
)
_CARRIER = lazy(
    "[\U000e0001-\U000e01ef\ufe00-\ufe0f\u200b-\u200d\u2060-\u2064\ufeff\u180e\u034f\u00ad\u3164\uffa0\u115f\u1160]"
)
_EMOJI = frozenset("\ufe0e\ufe0f\u200d\u00ad")
_PAIRS = ("\ufe0f\ufe0f", "\ufe0e\ufe0f", "\ufe0f\ufe0e", "\ufe0e\ufe0e", "\u200d\u200d", "\u00ad\u00ad")
_SCATTERED = lazy("[0-9A-Za-z ][\u200b-\u200d\u2060-\u2064\ufeff]{1,7}+(?=[0-9A-Za-z ])")
_SCATTERED_LEAST = 16
_BLANK_NAME = lazy("(?<![\u1100-\u11ff\uac00-\ud7af])[\u3164\uffa0\u115f\u1160]")

_WORD = lazy(f"[0-9A-Za-z{FOREIGN}]++")
_FOREIGN = lazy(f"[{FOREIGN}]")
_SCIENCE = frozenset("αβγδεζηθικλμνξπρστυφχψωϲϳϜΒΕΖΗΙΚΜΝΡΤΥΧ")
"""Greek letters that stand beside Latin ones in formulas, units and names of substances."""
_INFLECTED = lazy(f"[A-Z]{{2,}}[{FOREIGN}]+$|[{FOREIGN}]+[A-Z0-9]{{2,}}$|[A-Z0-9]{{1,2}}[{FOREIGN}]+$")
_HOST = lazy(r"(?:https?://|wss?://|\bwww\.|@)([^\s<>\"'`)\]/?#:,;]{4,253}+)", re.IGNORECASE)


@structure_rule(BIDI)
def bidi(facts: BundleFacts) -> Iterator[Match]:
    """One match a line; in prose only overrides, and marks that are never closed."""
    for view, odd in facts.odd:
        if not odd & _MARKS:
            continue
        given: Counter[Severity] = Counter()
        reached = -1
        for found in _BIDI.finditer(view.text):
            if found.start() < reached:
                continue
            start, reached = _line(view.text, found.start())
            judged = _judge_bidi(view, view.text[start:reached])
            if judged is not None and given[judged[0]] < PER_VIEW:
                severity, confidence = judged
                given[severity] += 1
                yield Match(
                    rule=BIDI.id, view=view, start=start, end=max(reached, start + 1),
                    severity=severity, confidence=confidence,
                    adjustments=weighed(BIDI, severity, confidence, "it depends on where the marks stand"),
                )  # fmt: skip


def _line(text: str, at: int) -> tuple[int, int]:
    start = max(text.rfind("\n", 0, at) + 1, at - 500)
    end = text.find("\n", at)
    return start, min(len(text) if end == -1 else end, at + 2000)


def _judge_bidi(view: View, line: str) -> tuple[Severity, int] | None:
    overrides = any(mark in line for mark in _OVERRIDES)
    open_embeds = sum(map(line.count, _EMBEDS)) - line.count("\u202c")
    open_isolates = sum(map(line.count, _ISOLATES)) - line.count("\u2069")
    closed = open_embeds <= 0 and open_isolates <= 0
    natural = _RIGHT_TO_LEFT.search(line) is not None
    if view.language in CODE or view.language in CONFIG:
        if overrides or not closed:
            return (MEDIUM, 600) if natural and not overrides else (HIGH, 850)
        return None if natural else (MEDIUM, 500)
    if overrides:
        return (MEDIUM, 450) if natural else (HIGH, 750)
    return None if natural or closed else (MEDIUM, 450)


@structure_rule(INVISIBLE)
def invisible(facts: BundleFacts) -> Iterator[Match]:
    """Runs that can carry words. Emoji, flags, joiners and a byte order mark cannot."""
    for view, odd in facts.odd:
        text = view.text
        if not _may_carry(text, odd):
            continue
        given = 0
        for found in _RUN.finditer(text):
            if _is_flag(text, found):
                continue
            yield _hidden(
                view, found.start(), found.end(), f"{len(found[0])} {_sort(found[0])}: {_shown(found[0])}"
            )
            given += 1
            if given == PER_VIEW:
                break
        if not given:
            yield from _scattered(view)
        if view.language in CODE:
            blank = _BLANK_NAME.search(text)
            if blank is not None:
                yield _hidden(
                    view, blank.start(), blank.end(), f"a blank letter U+{ord(blank[0]):04X} in code", 750
                )


def _may_carry(text: str, odd: frozenset[str]) -> bool:
    """Whether a closer look is worth it. The selectors and joiners of emoji alone, never in a row, are not."""
    carriers = {char for char in odd if _CARRIER.match(char)}
    if not carriers:
        return False
    return not carriers <= _EMOJI or any(pair in text for pair in _PAIRS) or text.count("\u200d") > 64


def _hidden(view: View, start: int, end: int, what: str, confidence: int | None = None) -> Match:
    reason = ("few or scattered characters",) if confidence is not None else ()
    return Match(
        rule=INVISIBLE.id,
        view=view,
        start=start,
        end=end,
        evidence=what,
        confidence=confidence,
        adjustments=reason,
    )


def _scattered(view: View) -> Iterator[Match]:
    """Zero-width characters between letters, one or few at a time: a hidden number, letter by letter."""
    first, last, count = -1, -1, 0
    for found in _SCATTERED.finditer(view.text):
        if found.start() - last > 200:
            first, count = found.start(), 0
        last = found.end()
        count += len(found[0]) - 1
        if count >= _SCATTERED_LEAST:
            what = f"{count} zero-width characters among letters"
            yield _hidden(view, first, last, what, 600)
            return


def _is_flag(text: str, found: re.Match[str]) -> bool:
    """Whether the tags belong to the flag of a region: a black flag, its code, and the end mark."""
    start, end = found.span()
    black = start > 0 and text[start - 1] == "\U0001f3f4"
    return black and end - start <= 8 and text[end - 1] == "\U000e007f"


def _sort(run: str) -> str:
    first = run[0]
    if "\U000e0001" <= first <= "\U000e007f":
        return "tag characters"
    return "variation selectors" if first >= "\ufe00" and first != "\ufeff" else "zero-width characters"


def _shown(run: str) -> str:
    """The words of tag characters and of bytes in variation selectors; of others their code points."""
    if "\U000e0001" <= run[0] <= "\U000e007f":
        return "".join(chr(ord(c) - 0xE0000) for c in run[:200] if ord(c) > 0xE001F)
    if "\U000e0100" <= run[0] <= "\U000e01ef":
        letters = [chr(ord(c) - 0xE0100 + 16) for c in run[:200]]
        return "".join(c if c.isprintable() else "." for c in letters)
    return " ".join(f"U+{ord(c):04X}" for c in run[:12])


@structure_rule(HOMOGLYPH)
def homoglyphs(facts: BundleFacts) -> Iterator[Match]:
    """Mixed words in names of files, in hosts, in code and in prose."""
    for artifact in facts.bundle.artifacts:
        if not artifact.path.isascii():
            word = next((m[0] for m in _WORD.finditer(artifact.path) if deceives(m[0])), None)
            if word is not None:
                yield Match(
                    rule=HOMOGLYPH.id, path=artifact.path, evidence=word, severity=HIGH, confidence=800,
                    adjustments=("it is the name of a file",),
                )  # fmt: skip
    for view, odd in facts.odd:
        if odd & _deceivers():
            hosts = list(_hosts(view))
            yield from hosts
            yield from _words(view, {place for m in hosts for place in range(m.start, m.end)})


def _words(view: View, seen: set[int]) -> Iterator[Match]:
    code = view.language in CODE and view.language not in (Kind.CSS, Kind.SQL)
    given = 0
    for found in _WORD.finditer(view.text):
        if found[0].isascii() or found.start() in seen or not deceives(found[0]):
            continue
        severity, confidence = (HIGH, 700) if code else (MEDIUM, 650)
        yield Match(
            rule=HOMOGLYPH.id, view=view, start=found.start(), end=found.end(),
            evidence=f"{found[0][:80]} ({_letters(found[0])})", severity=severity, confidence=confidence,
            adjustments=weighed(HOMOGLYPH, severity, confidence, "it stands in code"),
        )  # fmt: skip
        given += 1
        if given == PER_VIEW:
            return


def _hosts(view: View) -> Iterator[Match]:
    for found in _HOST.finditer(view.text):
        host = found[1]
        if host.isascii() or "." not in host:
            continue
        if any(deceives(label) or _all_alike(label) for label in host.split(".")):
            yield Match(
                rule=HOMOGLYPH.id, view=view, start=found.start(1), end=found.end(1),
                evidence=f"{host[:80]} ({_letters(host)})", severity=HIGH, confidence=850,
                adjustments=("it is the name of a host",),
            )  # fmt: skip


@cache
def _deceivers() -> frozenset[str]:
    """The foreign letters that may deceive wherever they stand."""
    return frozenset(char for char in STRONG if _FOREIGN.match(char)) - _SCIENCE


def _letters(word: str) -> str:
    return " ".join(f"U+{ord(c):04X}" for c in _FOREIGN.findall(word[:80])[:8])


def _all_alike(label: str) -> bool:
    return len(label) > 2 and all(c in STRONG for c in label)


def deceives(word: str) -> bool:
    """Whether a word of two alphabets reads as a Latin one. A formula or an inflected acronym does not."""
    foreign = _FOREIGN.findall(word)
    if not foreign or len(word) < 3 or len(word) - len(foreign) < 2 or all(c in _SCIENCE for c in foreign):
        return False
    if not all(c in STRONG for c in foreign) or _INFLECTED.match(word):
        return False
    return any("A" <= c <= "Z" or "a" <= c <= "z" for c in word) and word.translate(FOLDS).isascii()

"""Orders whose words are set apart by markup: table cells, list items, emphasis, tags inside words.

Two ways of hiding, each found by what it cannot hide. Words that are broken inside (``ig**nore``,
``in<!-- -->struction``, ``previ-`` at the end of a line) are whole once the marks are taken out: the text is
counted with and without them. Words that are whole but kept apart (``| ignore | all | previous |``) keep their
verb: from each verb the text is read on as if the marks were spaces. Either way only what then reads as an
order is given, so ordinary tables and lists cost a few searches and make no view.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sluicegate.vet.intake.bundle import CONFIG, PROSE
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.derived import Derived, Each, Product, Span
from sluicegate.vet.intake.views.disguises.runs import lowered
from sluicegate.vet.intake.views.view import Step, View
from sluicegate.vet.intake.views.words import FORBIDDING, OVERRIDING, words_in
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Gap, GapReason

_READ = PROSE | CONFIG
_MARKS = b"*_~`^-\\|"
_PROBES = (b"ignore", b"instruction", b"previous", b"password")
_INSIDE = lazy(
    r"(?<=[A-Za-z])(?:(?:<!--[^<>]{0,200}-->|</?[A-Za-z]{1,10}[^<>\n]{0,80}>){1,4}|[*_~`^|\\]{1,3}|-\n?[ \t]{0,8})(?=[A-Za-z])"
)
_TAG = lazy(r"<!--[^<>]{0,200}-->|</?[A-Za-z]{1,10}[^<>\n]{0,80}>")
_INNER_TAG = lazy(
    rb"<(?:(?<=[a-z*_~`^\\|>-]<)|(?<=-\n<))(?:!--[^<>]{0,200}-->|/?[a-z]{1,10}[^<>\n]{0,80}>)(?=[a-z*_~`^\\|<\n-])"
)
"""A tag that may stand inside a word, among marks and other tags or by itself."""
_WORDS = lazy(
    r"\b(?:ignore|disregard|forget|override|bypass|all|previous|prior|instructions?|rules|guidelines|prompts?|system"
    r"|tell|inform|user|passwords?|credentials?|secrets?|send|upload|reveal)\b",
    re.IGNORECASE,
)
_EMPHASIS = {ord(mark): None for mark in "*_~`"}
_RULES = (
    "instruction",
    "prompt",
    "direct",
    "guideline",
    "rule",
    "restriction",
    "constraint",
    "polic",
    "message",
    "guard",
)
_EARLIER = (
    "previous", "prior", "preceding", "above", "earlier", "existing", "system", "safety", "original", "developer",
)  # fmt: skip
_PEOPLE = ("user", "human", "owner", "anyone")
_TELLING = ("tell", "inform", "notify", "alert", "mention", "warn")
_VERBS = (
    *((verb, verb.encode(), _RULES, _EARLIER) for verb in OVERRIDING),
    *((verb, verb.encode(), _PEOPLE, _TELLING) for verb in FORBIDDING),
)
"""Words that begin an order, those of which one must follow, and those of which one stands between."""
_WINDOW = 240  # characters from a verb on that are read
_APART = lazy(
    r"(?:[\s\u00a0\u2000-\u200a\u202f\u3000|*`~\"“”]|_(?!\w)|(?<!\w)_|&nbsp;|<!--[^<>]{0,80}-->|</?[A-Za-z]{1,8}[^<>\n]{0,60}>"
    r"|(?<=\n)[ \t]*(?:[-+>]|\d{1,3}[.)])(?=\s)|(?<=\|)[ \t]*\d{1,3}(?=[ \t]*\|)|(?<=\|)[ \t]*:?-{2,}:?(?=[ \t]*\|))+"
)
_SPACE = lazy(r"[ \t\r\n]+")
_ORDER = lazy(
    r"(?:ignore|disregard|forget|override|bypass)(?: (?:all|any|every|of|the|your|my|these|those|other)){0,4}"
    r" (?:previous|prior|preceding|above|earlier|existing|system|safety|original|developer)"
    r"(?: (?:and|or|system|safety|user|developer|all|given)){0,3}"
    r" (?:instruction|prompt|direction|directive|guideline|rule|restriction|constraint|polic|message|safeguard)"
    r"|(?:do not|don't|never)(?: ever)? (?:tell|inform|notify|alert|mention|warn)(?: [a-z]{1,10}){0,3} (?:user|human|owner|anyone)",
    re.IGNORECASE,
)
_MOST = 4_000  # verbs of one text that are looked at
_WIDE = 400  # characters of a row of a table that are looked at
_CELLS = 12  # rows of a table that are read down one column


def setapart_views(view: View, limits: Limits) -> Iterator[Product]:
    """``normalised`` views of what reads as an order once its words are put together."""
    if view.language not in _READ:
        return
    data = lowered(view.text)
    yield from _broken(view, data)
    yield from _apart(view, data)


def _broken(view: View, data: bytes) -> Iterator[Derived]:
    """The lines in which marks stand inside words of an order."""
    text = view.text
    tags = "<" in text
    # Where no tag stands inside a word, marks and line breaks must: without these, no probe is lost.
    if not (tags and _INNER_TAG.search(data)) and not _more(data.translate(None, _MARKS + b"\n"), data):
        return
    whole = _TAG.sub("", text).encode("latin-1", "replace").lower() if tags else data
    if not _more(whole.replace(b"-\n", b"").translate(None, _MARKS), data):
        return
    lines = text.split("\n")
    found: dict[int, str] = {}
    last = -1
    for number, line in enumerate(lines):
        if number <= last:
            continue
        last = number
        while line.endswith("-") and last + 1 < len(lines) and last - number < 8:
            last += 1
            line = f"{line}\n{lines[last]}"
        new = _INSIDE.sub("", line)
        if new != line and len(_WORDS.findall(new)) >= len(_WORDS.findall(line)) + 2:
            found[number] = _TAG.sub("", new).replace("\n", " ").translate(_EMPHASIS)
    if found:
        yield Derived(
            text="\n".join(found.values()), language=view.language, step=Step(kind="normalised", detail="marks in words"),
            where=Each(lines=[(n, n) for n in found]),
        )  # fmt: skip


def _more(bare: bytes, data: bytes) -> bool:
    """Whether a probe stands more often in ``bare`` than in ``data``."""
    return any((times := bare.count(probe)) and times > data.count(probe) for probe in _PROBES)


def _apart(view: View, data: bytes) -> Iterator[Product]:
    """What reads as an order from a verb on, across cells, items and marks."""
    text = view.text
    seen = 0
    held = words_in(text)
    for name, verb, objects, between in _VERBS:
        at = data.find(verb) if name in held else -1
        while at != -1:
            seen += 1
            if seen > _MOST:
                detail = (
                    f"more than {_MOST} words that may begin an order; the rest were not read across marks"
                )
                yield Gap(path=view.path, reason=GapReason.VIEW_LIMIT, detail=detail)
                return
            for start, end, words in _readings(text, at, objects, between):
                if _ORDER.match(words) and not _ORDER.match(_SPACE.sub(" ", text[at : at + _WINDOW])):
                    where = Span(first=view.line_of(start), last=view.line_of(min(end, len(text)) - 1))
                    step = Step(kind="normalised", detail="words set apart")
                    yield Derived(text=words, language=view.language, step=step, where=where)
                    break
            at = data.find(verb, at + len(verb))


def _readings(
    text: str, at: int, objects: tuple[str, ...], between: tuple[str, ...]
) -> Iterator[tuple[int, int, str]]:
    """The text from a verb on with spaces for marks: along the lines, then down the column of its table."""
    end = min(len(text), at + _WINDOW)
    window = text[at:end]
    if _holds(window, objects) and _may_hold(window, between):
        yield at, end, _APART.sub(" ", window)
    low = max(0, at - _WIDE)
    line = max(low, text.rfind("\n", low, at) + 1)
    if "|" not in text[line:at]:
        return
    column = text.count("|", line, at)
    cells: list[str] = []
    while line < len(text) and len(cells) < _CELLS:
        stop = text.find("\n", line, line + _WIDE)
        row = text[line : stop if stop != -1 else line + _WIDE].split("|")
        if len(row) <= column:
            break
        cells.append(row[column].strip(" *_`~"))
        if stop == -1:
            break
        line = stop + 1
    words = " ".join(cells)
    if _holds(words, objects) and _may_hold(words, between):
        yield at, line, words


def _holds(text: str, words: tuple[str, ...]) -> bool:
    lower = text.lower()
    return any(word in lower for word in words)


def _may_hold(text: str, words: tuple[str, ...]) -> bool:
    """Whether one of the words stands in the text, for ``_ORDER``, to which some letters beyond ASCII are alike."""
    return not text.isascii() or _holds(text, words)

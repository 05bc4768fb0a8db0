"""The parts of HTML (and of HTML inside Markdown) that are not prose: comments, scripts, listings, hidden elements."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from sluicegate.vet.hints import one_of
from sluicegate.vet.intake.bundle import CODE, Kind
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.derived import Aligned, Derived, Each, Product, Span
from sluicegate.vet.intake.views.disguises.escapes import entities
from sluicegate.vet.intake.views.disguises.runs import lowered
from sluicegate.vet.intake.views.programs.language import (
    command_of_span,
    guess,
    used_assignment,
    without_prompts,
)
from sluicegate.vet.intake.views.view import Step, View
from sluicegate.vet.lazy import lazy

_HIDING = lazy(
    r"display\s{0,4}:\s{0,4}none|visibility\s{0,4}:\s{0,4}hidden|font-size\s{0,4}:\s{0,4}[01](?:px|pt|em|rem|%)?\s{0,4}[;\"'!]|"
    r"opacity\s{0,4}:\s{0,4}0(?:\.0{1,4}|\.0?[1-4])?\s{0,4}[;\"'!]|color\s{0,4}:\s{0,4}(?:white|#fff(?:fff)?\b|transparent)|"
    r"(?:left|top|text-indent)\s{0,4}:\s{0,4}-\d{3,5}|(?:height|width)\s{0,4}:\s{0,4}0(?:px)?\s{0,4}[;\"'!]|"
    r"aria-hidden\s{0,4}=\s{0,4}[\"']?true|\bhidden(?:[\s=>/]|\Z)|color\s{0,4}=\s{0,4}[\"']?(?:white|#fff(?:fff)?)\b",
    re.IGNORECASE,
)
_TAG = lazy(r"<([a-zA-Z][a-zA-Z0-9-]{0,30}+)(\s[^<>]{0,2000}+)>")
_SCRIPT = lazy(r"<script\b([^<>]{0,2000}+)>", re.IGNORECASE)
_SCRIPT_END = lazy(r"</script", re.IGNORECASE)
_MARKUP = lazy(r"<[^<>]*+>")
_PRE = lazy(r"<pre\b[^<>]{0,500}>", re.IGNORECASE)
_PRE_END = lazy(r"</pre", re.IGNORECASE)
_CODE_ELEMENT = lazy(
    r"<(code|kbd|tt|samp|textarea)\b[^<>]{0,200}+>(.{4,2000}?)</\1>", re.IGNORECASE | re.DOTALL
)
_LINE_END = lazy(r"<br\b[^<>]{0,80}>|</(?:div|p|li|tr)>", re.IGNORECASE)
_BLOCK = lazy(
    r"</?(?!(?:code|b|i|em|strong|span|a|kbd|tt|samp|font|u|mark|var)\b)[A-Za-z][^<>]{0,500}>|\n",
    re.IGNORECASE,
)
_OF_LINES = ("<code", "<kbd", "<tt", "<samp", "<CODE", "<textarea")
_DOCBOOK = ("<programlisting", "<screen", "<userinput", "<literallayout")
"""Elements in which a guide in XML shows what is typed; one of them says that it is a guide."""
_BLOCKS_MOST = 10_000
"""Commands of one text."""
_VOID = frozenset("area base br col embed hr img input link meta source track wbr path rect circle".split())
_CLOSERS = frozenset(
    "div span p section article aside details a b i em strong font td tr table li ul ol pre code small sub sup h1 h2 "
    "h3 h4 h5 h6 body main header footer label template noscript textarea button form svg text g".split()
)

Ranges = Sequence[tuple[int, int]]


def end_around(ranges: Ranges, at: int) -> int:
    """The end of the one of the ranges (sorted, disjoint, end exclusive) that character ``at`` lies in; 0 for none."""
    index = bisect_right(ranges, (at, 1 << 62)) - 1
    return ranges[index][1] if index >= 0 and at < ranges[index][1] else 0


def within(ranges: Ranges, at: int) -> bool:
    """Whether character ``at`` lies in one of the ranges."""
    return end_around(ranges, at) > 0


def _part(view: View, start: int, end: int, language: Kind, step: Step, text: str | None = None) -> Derived:
    body = view.text[start:end] if text is None else text
    where = Span(first=view.line_of(start), last=view.line_of(max(start, end - 1)))
    return Derived(
        text=body,
        language=language,
        step=step,
        where=where,
        verbatim=text is None or text == view.text[start:end],
    )


def _comments(view: View, fenced: Ranges) -> Iterator[Derived]:
    text = view.text
    at = text.find("<!--")
    while at != -1:
        end = text.find("-->", at + 4)
        stop = len(text) if end == -1 else end
        if not within(fenced, at) and text[at + 4 : at + 400].strip():
            yield _part(view, at + 4, stop, Kind.TEXT, Step(kind="comment"))
        if end == -1:
            return
        at = text.find("<!--", end + 3)


def _scripts(view: View, fenced: Ranges) -> Iterator[Derived]:
    text = view.text
    at = 0
    while True:
        opened = _SCRIPT.search(text, at)
        if opened is None:
            return
        closed = _SCRIPT_END.search(text, opened.end())
        stop = closed.start() if closed else len(text)
        data = "json" in opened[1].lower()
        if text[opened.end() : stop].strip() and not within(fenced, opened.start()):
            language = Kind.JSON if data else Kind.JAVASCRIPT
            yield _part(view, opened.end(), stop, language, Step(kind="fence", detail="script"))
        if closed is None:
            return
        at = closed.end()


class _Closers:
    """The next ``</tag`` after a position; each tag's text is searched once."""

    def __init__(self, text: str) -> None:
        lower = text.lower()
        self._lower = lower if len(lower) == len(text) else text
        self._next: dict[str, int] = {}

    def after(self, tag: str, at: int) -> int:
        needle = "</" + tag if tag in _CLOSERS else "</"
        known = self._next.get(needle, 0)
        if known < at:
            found = self._lower.find(needle, at)
            known = self._next[needle] = found if found != -1 else len(self._lower)
        return known


def _hidden(view: View, fenced: Ranges) -> Iterator[Derived]:
    text = view.text
    closers: _Closers | None = None
    at = 0
    while True:
        opened = _TAG.search(text, at)
        if opened is None:
            return
        at = opened.end()
        tag = opened[1].lower()
        if tag in _VOID or opened[2].endswith("/") or not _HIDING.search(opened[2]) or within(fenced, at):
            continue
        closers = closers or _Closers(text)
        stop = closers.after(tag, at)
        body = entities(_MARKUP.sub(" ", text[at:stop]))
        if body.strip():
            yield _part(view, at, max(stop, at + 1), Kind.TEXT, Step(kind="comment", detail="hidden"), body)
        at = max(at, stop)


def _listings(view: View, fenced: Ranges) -> Iterator[Derived]:
    """Programs and commands that are shown as they are typed: ``<pre>``."""
    text = view.text
    at = 0
    while (opened := _PRE.search(text, at)) is not None:
        at = opened.end()
        if within(fenced, at):
            continue
        closed = _PRE_END.search(text, opened.end())
        at = stop = closed.start() if closed is not None else len(text)
        yield from _shown(view, opened.end(), stop, "pre")


def _shown(view: View, start: int, stop: int, detail: str) -> Iterator[Derived]:
    """What an element shows, with the ends of lines that it has by markup, where it is a program."""
    inner = view.text[start:stop]
    broken = _LINE_END.sub("\n", inner)
    body = entities(_MARKUP.sub("", broken))
    language = guess(body)
    if language in CODE:
        first = view.line_of(start)
        body = without_prompts(body) if language is Kind.SHELL else body
        where = Aligned(first) if broken == inner else Span(first, view.line_of(max(start, stop - 1)))
        yield Derived(body, language, Step(kind="fence", detail=detail), where)


def _elements(view: View, fenced: Ranges) -> Iterator[Derived]:
    """Commands that an element of a line shows: ``<code>``, ``<kbd>``."""
    for found in _CODE_ELEMENT.finditer(view.text):
        if "\n" in found[2] or _LINE_END.search(found[2]) is not None:
            if not within(fenced, found.start()):
                yield from _shown(view, found.start(2), found.end(2), "code")
            continue
        plain = entities(_MARKUP.sub("", found[2]))
        body = command_of_span(plain) or used_assignment(plain, view.text)
        if body and not within(fenced, found.start()):
            line = view.line_of(found.start())
            yield Derived(body, Kind.SHELL, Step("command", "inline"), Span(line, line))


def hypertext_parts(view: View, fenced: Ranges) -> Iterator[Derived]:
    """Comments, scripts, listings and hidden elements outside the given ranges of the text."""
    text = view.text
    if "<pre" in text or "<PRE" in text:
        yield from _listings(view, fenced)
    if any(mark in text for mark in _OF_LINES):
        yield from _elements(view, fenced)
    if "<!--" in text:
        yield from _comments(view, fenced)
    yield from _scripts(view, fenced)
    if _TAG.search(text):  # with attributes; most texts have none
        lower = lowered(text)
        if any(word in lower for word in (b"style", b"hidden", b"color", b"height", b"width")):
            yield from _hidden(view, fenced)


def hypertext_views(view: View, limits: Limits) -> Iterator[Product]:
    """All hidden parts of an HTML, XML or SVG text."""
    if "<" in view.text:
        yield from hypertext_parts(view, ())
        if not view.origin and (
            view.language is Kind.HTML or (view.language is Kind.XML and one_of(_DOCBOOK, view.text))
        ):
            yield from _blocks(view)


def _blocks(view: View) -> Iterator[Derived]:
    """One ``command`` view of all commands that are the whole text of an element, as of an item or a cell."""
    from sluicegate.vet.intake.views.formats.command_lines import whole_command

    text, at = view.text, 0
    found: list[tuple[int, str]] = []
    for tag in _BLOCK.finditer(text):
        piece, start, at = text[at : tag.start()], at, tag.end()
        if not 4 <= len(piece) <= 4000 or (" " not in piece and "=" not in piece):
            continue
        body = entities(_MARKUP.sub("", piece)).strip() if "<" in piece or "&" in piece else piece.strip()
        body = whole_command(body) or used_assignment(body, text)
        if body and len(found) < _BLOCKS_MOST:
            found.append((view.line_of(start), body))
    if found:
        yield Derived(
            text="\n".join(body for _, body in found), language=Kind.SHELL, step=Step("command", "line"),
            where=Each([(number, number) for number, _ in found]),
        )  # fmt: skip

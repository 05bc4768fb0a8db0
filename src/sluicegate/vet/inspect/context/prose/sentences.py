"""The sentences of a Markdown text outside its code, as a reader sees them, and where things are shown in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.context.prose.sentence import INTRO
from sluicegate.vet.inspect.tongues import names_example
from sluicegate.vet.intake.views.disguises.spaced import join_spaced, may_be_spaced
from sluicegate.vet.intake.views.disguises.unicode import normalise
from sluicegate.vet.lazy import lazy

LONGEST = 200_000
"""Characters of a text that are read; a longer one is not taken for read."""
CODE = "\ue000"
"""Stands for a code span."""

_FENCE = lazy(r"[ \t>]*(?:[-*+][ \t]+|\d{1,3}[.)][ \t]+)?(`{3,}|~{3,})")
_HEADING = lazy(r" {0,3}(#{1,6})[ \t]+(.*)")
_ITEM = lazy(r"[ \t>]*(?:[-*+•][ \t]+|\d{1,3}[.)][ \t]+|\||>)")
_SPAN = lazy(r"(`{1,64}+)(?!`)[^`]{1,2000}?\1")
_COMMENT = lazy(r"<!--|-->")
_STOP = lazy(r"[.!?。！？।؟…](?:(?<![.!?])|(?=[\s\"')\]*_»”]|$))")
_QUOTED = lazy('["“”«„][^"“”«»„\n]{2,300}["”»“]|「[^」\n]{2,300}」|『[^』\n]{2,300}』|《[^》\n]{2,300}》')
_QUOTES = lazy('["“”«„「『《]')
_SEPARATE = lazy(r"(?:\w[ .\-_*|]){5,}\w")


class Sentence(NamedTuple):
    """A sentence, its first and last line (1-based), and whether letters had to be put together to read it."""

    text: str
    first: int
    last: int
    disguised: bool = False


class Section(NamedTuple):
    """A heading, its level, and the lines from it up to the next heading of any level, or of one as high."""

    title: str
    level: int
    first: int
    last: int
    whole: int


class Prose:
    """The lines of one text: sections, sentences, and the lines on which something is shown."""

    def __init__(self, text: str, most: int = LONGEST) -> None:
        self.cut = len(text) > most
        self._lines = normalise(text[:most]).split("\n")
        self._shown: list[bool] = [False] * (len(self._lines) + 2)
        self._fence: list[bool] = [False] * (len(self._lines) + 2)
        self.sections: list[Section] = []
        self._units: list[tuple[int, list[str]]] = []
        self._read()
        self._starts = [section.first for section in self.sections]

    @property
    def last(self) -> int:
        return len(self._lines)

    def section(self, line: int) -> Section:
        """The section that holds a line; the text above the first heading is one without a title."""
        at = bisect_right(self._starts, line) - 1
        return self.sections[max(0, at)]

    def before(self, section: Section) -> Section | None:
        """The section before another."""
        at = bisect_right(self._starts, section.first) - 2
        return self.sections[at] if at >= 0 else None

    def shows(self, first: int, last: int) -> bool:
        """Whether something is shown on these lines: a fence, a code span, an item, a row, a quotation."""
        return any(self._shown[max(0, first) : last + 1])

    def block_after(self, line: int, stop: int) -> tuple[int, int] | None:
        """The next lines, from ``line`` on, that show something without a break, or None."""
        first = next((n for n in range(line, min(stop, self.last) + 1) if self._shown[n]), None)
        if first is None:
            return None
        last = first
        while last < self.last and (self._shown[last + 1] or self._continues(last + 1)):
            last += 1
        return first, last

    def block_before(self, line: int, stop: int) -> tuple[int, int] | None:
        """The nearest lines up to ``line`` that show something without a break, or None."""
        last = next((n for n in range(line, max(1, stop) - 1, -1) if self._shown[n]), None)
        if last is None:
            return None
        first = last
        while first > max(1, stop) and (self._shown[first - 1] or self._continues(first - 1)):
            first -= 1
        return first, last

    def _continues(self, line: int) -> bool:
        """Whether an empty line stands between two that show something."""
        return (
            not self._lines[line - 1].strip()
            and self._shown[line - 1]
            and line < self.last
            and self._shown[line + 1]
        )

    def sentences(self) -> Iterator[Sentence]:
        """All sentences outside fences, code spans as ``CODE``; those that are quoted as examples left out."""
        spaced = may_be_spaced("\n".join(["\n".join(lines) for _, lines in self._units]))
        for first, lines in self._units:
            text = "\n".join(lines)
            disguised = False
            if spaced and may_be_spaced(text):
                joined = "\n".join(join_spaced(line) for line in lines)
                disguised = joined != text and _SEPARATE.search(text) is not None
                text = joined
            yield from _split(_without_examples(text), first, disguised=disguised)

    def _read(self) -> None:
        fence = ""
        heads: list[tuple[int, str, int]] = []
        unit: list[str] = []
        began = 1

        def close() -> None:
            if any(line.strip() for line in unit):
                self._units.append((began, list(unit)))
            unit.clear()

        for number, line in enumerate(self._lines, start=1):
            mark = _FENCE.match(line) if "```" in line or "~~~" in line else None
            if mark is not None and (not fence or (mark[1][0] == fence[0] and len(mark[1]) >= len(fence))):
                fence = "" if fence else mark[1]
                self._shown[number] = self._fence[number] = True
                close()
                continue
            if fence:
                self._shown[number] = self._fence[number] = True
                continue
            head = _HEADING.match(line) if "#" in line else None
            item = _ITEM.match(line) is not None
            plain = _COMMENT.sub(" ", line) if "--" in line else line
            if "`" in plain:
                plain = _SPAN.sub(CODE, plain)
            self._shown[number] = item or CODE in plain or line.startswith(("    ", "\t"))
            if head is not None or item or not plain.strip():
                close()
            if head is not None:
                heads.append((number, head[2], len(head[1])))
                self._units.append((number, [_SPAN.sub(CODE, head[2])]))
                continue
            if not unit:
                began = number
            unit.append(plain)
        close()
        self._divide(heads)

    def _divide(self, heads: list[tuple[int, str, int]]) -> None:
        if not heads or heads[0][0] > 1:
            heads.insert(0, (1, "", 7))
        for at, (first, title, level) in enumerate(heads):
            last = heads[at + 1][0] - 1 if at + 1 < len(heads) else self.last
            whole = (
                next((h[0] - 1 for h in heads[at + 1 :] if h[2] <= level), self.last) if level < 7 else last
            )
            self.sections.append(Section(title=title, level=level, first=first, last=last, whole=whole))


def _without_examples(text: str) -> str:
    """The text without quotations that it calls examples or attacks itself."""

    def left_out(found: re.Match[str]) -> str:
        before = text[max(0, found.start() - 160) : found.start()]
        named = INTRO.search(before) is not None or names_example(before)
        return " " if named else found.group()

    return text if _QUOTES.search(text) is None else _QUOTED.sub(left_out, text)


def _split(text: str, first: int, *, disguised: bool) -> Iterator[Sentence]:
    at, line = 0, first
    for end in [*[stop.end() for stop in _STOP.finditer(text)], len(text)]:
        part = text[at:end]
        last = line + part.count("\n")
        if part and not part.isspace():
            yield Sentence(part, line, last, disguised)
        at, line = end, last

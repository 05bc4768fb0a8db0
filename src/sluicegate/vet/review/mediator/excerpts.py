"""Excerpts: the lines around findings, of a file or of a text that was derived from it, and the frames they stand in.

1. Around each finding stand some lines; excerpts that meet are one.
2. Of a place with many lines, the first and the last are shown.
3. A derived text is shown where it says something that the lines of its file do not.
4. Of a program, the code stands in one frame and the comments of the same lines in another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sluicegate.tuples import NamedTuple
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.review.mediator.comments import Separation
from sluicegate.vet.review.mediator.frame import Quote, QuotedRow
from sluicegate.vet.review.mediator.prepared import PreparedText
from sluicegate.vet.review.mediator.subject import SkillTexts
from sluicegate.vet.review.mediator.visible import cut, note
from sluicegate.vet.verdict.types import Finding, Location

_ENDS = 8
"""Lines of either end of a long place, beside those around it."""
_SHORT_GAP = 2
"""Lines."""
_VIEWS = 2
"""Derived texts that are shown for one finding; how many more there are is said."""


class Detail(NamedTuple):
    """How much of a finding is shown: lines around it, and characters of a line."""

    context: int
    length: int


class Excerpt:
    """Lines of one text (0-based), with those that findings are about."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.lines: set[int] = set()
        self.marked: set[int] = set()


class Excerpts:
    """The excerpts of some findings, in the order in which they are first needed."""

    def __init__(self, texts: SkillTexts, detail: Detail) -> None:
        self._texts = texts
        self._detail = detail
        self._found: dict[int, Excerpt] = {}
        self._order: list[int] = []

    def add(self, finding: Finding) -> str:
        """Take in the excerpts of a finding; says in words of ours where it is shown."""
        location = finding.location
        raw = self._texts.raw(location.path)
        shown: list[int] = []
        unseen = 0
        if raw is not None:
            count = raw.text.count("\n") + 1
            first = max(1, min(location.start_line, count)) - 1
            shown.append(self._take(raw, first, max(first, min(location.end_line, count) - 1)))
        if location.origin:
            derived = [
                v for v in self._texts.derived(location) if raw is None or not self._says(raw, v, location)
            ]
            for view in derived[:_VIEWS]:
                shown.append(self._take(view, *_lines_in(view, location, finding.evidence)))
            unseen = len(derived[_VIEWS:])
        if not shown:
            return "nothing of it is text that can be shown"
        words = " and ".join(f"excerpt {number}" for number in dict.fromkeys(shown))
        return f"shown in {words}" + (f"; {unseen} more texts that hold it are not shown" if unseen else "")

    def _says(self, raw: View, view: View, location: Location) -> bool:
        """3: whether the shown lines of a file hold what a derived text says of the same place."""
        first, last = _lines_in(view, location, "")
        wanted = view.text.split("\n")[first : last + 1]
        held = raw.text.split("\n")[max(0, location.start_line - 1) : location.end_line]
        there = "\n".join(held)
        return all(line.strip() in there for line in wanted)

    def _take(self, view: View, first: int, last: int) -> int:
        if id(view) not in self._found:
            self._found[id(view)] = Excerpt(view)
            self._order.append(id(view))
        excerpt, around = self._found[id(view)], self._detail.context
        most = view.text.count("\n")
        low, high = max(0, first - around), min(most, last + around)
        if last - first > 2 * (_ENDS + around):  # 2
            excerpt.lines.update(range(low, first + _ENDS + around))
            excerpt.lines.update(range(last - _ENDS - around + 1, high + 1))
        else:  # 1
            excerpt.lines.update(range(low, high + 1))
        excerpt.marked.update(range(first, last + 1))
        return self._order.index(id(view)) + 1

    def quotes(self) -> list[Quote]:
        """The frames of all excerpts."""
        quotes: list[Quote] = []
        for number, key in enumerate(self._order, 1):
            excerpt = self._found[key]
            label = f"excerpt {number}: {source_words(self._texts, excerpt.view)}"
            text = self._texts.prepared(excerpt.view)
            lines = _filled(excerpt.lines, len(text.raw))
            quotes += shown(text, label, lines, excerpt.marked, self._detail.length)
        return quotes


def _filled(lines: set[int], count: int) -> list[int]:
    """The lines in order, with those between them where to show them takes no more room than to say that they are not."""
    held = sorted(lines)
    filled: list[int] = []
    for line in held:
        before = filled[-1] if filled else -1
        filled += range(before + 1, line) if line - before <= _SHORT_GAP + 1 else ()
        filled.append(line)
    last = filled[-1] if filled else -1
    return [*filled, *(range(last + 1, count) if count - last <= _SHORT_GAP + 1 else ())]


def source_words(texts: SkillTexts, view: View) -> str:
    """Which text of the skill this is, in words of ours."""
    number = texts.number.get(view.path, 0)
    if not view.origin:
        return f"file {number}, {view.language.value}"
    first, last = view.map_lines(0, view.text.count("\n"))
    steps = " then ".join(step.kind for step in view.origin)
    return f"text made from lines {first} to {last} of file {number} by {steps}, {view.language.value}"


def shown(
    text: PreparedText, label: str, lines: Sequence[int], marked: Iterable[int] = (), length: int = 240
) -> list[Quote]:
    """The frames of some lines of a text: as they stand, or the code, and then its comments where there are any."""
    about = set(marked)
    if not text.is_program:
        return [Quote(label, tuple(_rows(text.raw, lines, about, length, gaps=True)))]
    quotes = [Quote(f"{label}, {text.how.value}", tuple(_rows(text.code, lines, about, length, gaps=True)))]
    said = [line for line in lines if text.comments[line].strip()]
    if said and text.how is not Separation.NONE:
        quotes.append(
            Quote(
                f"{label}, the comments of these lines",
                tuple(_rows(text.comments, said, about, length, gaps=False)),
            )
        )
    return quotes


def _rows(
    said: Sequence[str], lines: Sequence[int], marked: set[int], length: int, *, gaps: bool
) -> Iterable[QuotedRow]:
    before = -1
    for line in lines:
        if gaps and line > before + 1:
            yield QuotedRow(note(f"{line - before - 1} lines not shown here"))
        before = line
        yield QuotedRow(cut(said[line], length), line=line + 1, marked=line in marked)
    if gaps and before + 1 < len(said):
        yield QuotedRow(note(f"{len(said) - before - 1} lines not shown here"))


def _lines_in(view: View, location: Location, evidence: str) -> tuple[int, int]:
    """The lines of a derived text (0-based) that a finding is about, as far as that can be told."""
    count = view.text.count("\n") + 1
    wanted = next((line.strip() for line in evidence.split("\n") if line.strip()), "")[:60]
    if view.span is not None or not wanted:
        at = view.text.find(wanted) if wanted else -1
        if at >= 0:
            line = view.text.count("\n", 0, at)
            return line, line
        if view.span is not None:
            return 0, count - 1
    meeting = [
        line
        for line in range(count)
        if (mapped := view.map_lines(line, line))[0] <= location.end_line and mapped[1] >= location.start_line
    ]
    return (meeting[0], meeting[-1]) if meeting else (0, count - 1)

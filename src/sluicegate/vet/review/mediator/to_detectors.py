"""The packages for injection detectors: every line of every text, as it stands, in one package each.

1. The names of the files come first, then the texts: instructions before settings before programs, in order of path.
2. The lines of texts that were derived follow, where they say something that no line of the file does.
3. A long line goes on in the next row; nothing of it is cut.
4. Where there is no package left, the lines that remain are counted as left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sluicegate.tuples import NamedTuple
from sluicegate.vet.intake.bundle import CODE, PROSE
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.review.mediator.excerpts import source_words
from sluicegate.vet.review.mediator.frame import Part, Quote, QuotedRow, Said, tokens_of
from sluicegate.vet.review.mediator.packages import MediatedPackage, Omission, package
from sluicegate.vet.review.mediator.prepared import quotable_row
from sluicegate.vet.review.mediator.settings import MediatorSettings
from sluicegate.vet.review.mediator.subject import SkillTexts
from sluicegate.vet.review.mediator.tokens import BYTES_PER_TOKEN
from sluicegate.vet.review.mediator.visible import wrapped
from sluicegate.vet.verdict.consensus import Role

_SEARCHED = 500_000_000
"""Characters in which lines of derived texts are looked for."""


def _head(left: int) -> Said:
    """What a package begins with. ``left``: lines that found no room in any."""
    shown = (
        f"{left} lines of it found no room, and are shown in no package."
        if left
        else "Every line of it is shown in one of these packages."
    )
    return Said(f"Text of one skill, as it stands. {shown}")


_HEAD = _head(10**12)
"""The longest, for which room is kept."""


class DetectorPackages(NamedTuple):
    """The packages, what is in none, and how many lines of each file are in one."""

    packages: tuple[MediatedPackage, ...]
    omissions: tuple[Omission, ...]
    lines: dict[str, int]


class _Text(NamedTuple):
    label: str
    path: str
    origin: tuple[str, ...]
    lines: list[list[QuotedRow]]
    """The rows of each line."""
    of_file: bool


def to_detectors(texts: SkillTexts, settings: MediatorSettings) -> DetectorPackages:
    """All packages of the role ``DETECTOR``."""
    packer = _Packer(settings)
    lines: dict[str, int] = {}
    omissions: list[Omission] = []
    for text in _texts(texts, settings.line_length):
        count = packer.add(text)
        if text.of_file:
            lines[text.path] = count
        if count < len(text.lines):
            omissions.append(
                Omission(
                    role=Role.DETECTOR,
                    path=text.path,
                    why=f"there are {settings.most_packages} packages already",
                    amount=len(text.lines) - count,
                    origin=text.origin,
                )
            )
    packages = packer.done(_head(sum(each.amount for each in omissions)))
    return DetectorPackages(packages=packages, omissions=tuple(omissions), lines=lines)


class _Packer:
    """Fills one package after the other with lines."""

    def __init__(self, settings: MediatorSettings) -> None:
        self._settings = settings
        self._done: list[tuple[Part, ...]] = []
        self._parts: list[Part] = []
        self._used = tokens_of([_HEAD])

    def add(self, text: _Text) -> int:
        """Put the lines of a text into packages; how many of them found room."""
        rows: list[QuotedRow] = []
        frame = tokens_of([Quote(text.label, ())]) + 2  # and its number
        self._used += frame
        for number, line in enumerate(text.lines):
            cost = sum(_cost(row) for row in line)
            if self._used + cost > self._settings.detector_tokens and (rows or self._parts):
                self._frame(text, rows)
                rows = []
                if not self._next():
                    return number
                self._used += frame
            for row in line:  # a line that is longer than a package is spread over several
                if self._used + _cost(row) > self._settings.detector_tokens and rows:
                    self._frame(text, rows)
                    rows = []
                    if not self._next():
                        return number
                    self._used += frame
                rows.append(row)
                self._used += _cost(row)
        self._frame(text, rows)
        return len(text.lines)

    def _frame(self, text: _Text, rows: list[QuotedRow]) -> None:
        if rows:
            self._parts.append(Quote(text.label, tuple(rows)))

    def _next(self) -> bool:
        """Begin another package, if there may be one more."""
        if len(self._done) >= self._settings.most_packages:
            return False
        self._close()
        return len(self._done) < self._settings.most_packages

    def _close(self) -> None:
        if self._parts:
            self._done.append(tuple(self._parts))
        self._parts, self._used = [], tokens_of([_HEAD])

    def done(self, head: Said) -> tuple[MediatedPackage, ...]:
        """All packages, once all texts were added; each begins with ``head``."""
        if len(self._done) < self._settings.most_packages:
            self._close()
        return tuple(package(Role.DETECTOR, (), (head, *parts)) for parts in self._done)


def _cost(row: QuotedRow) -> int:
    """At least the estimated tokens of a row with its margin and line end."""
    return (len(row.text.encode("utf-8")) + 11) // BYTES_PER_TOKEN + 1


def _texts(texts: SkillTexts, length: int) -> Iterator[_Text]:
    names = [quotable_row(artifact.path) for artifact in texts.files]
    yield _Text(
        "the names of the files",
        "",
        (),
        [[*_wrapped(name, number, length)] for number, name in enumerate(names, 1)],
        of_file=False,
    )
    raw = [view for file in texts.files if (view := texts.raw(file.path)) is not None]
    for view in sorted(raw, key=lambda v: 0 if v.language in PROSE else 2 if v.language in CODE else 1):  # 1
        yield _text(texts, view, length)
    known = _Known()
    for file in texts.files:  # 2
        view = texts.raw(file.path)
        known.begin("" if view is None else view.text)
        for derived in texts.all_derived(file.path):
            fresh = known.fresh(derived.text.split("\n"))
            if fresh:
                yield _text(texts, derived, length, fresh)


class _Known:
    """What of a file was shown. A line that is shown twice does no harm, so that the search for lines has a bound."""

    def __init__(self) -> None:
        self._left = _SEARCHED
        self._text = ""
        self._lines: set[str] = set()

    def begin(self, text: str) -> None:
        """Another file begins."""
        self._text, self._lines = text, {line.strip() for line in text.split("\n")}

    def fresh(self, lines: list[str]) -> set[str]:
        """The lines that say something which no line before them does."""
        found = {
            line for line in lines if (said := line.strip()) not in self._lines and not self._stands(said)
        }
        self._lines |= {line.strip() for line in found}
        return found

    def _stands(self, said: str) -> bool:
        self._left -= len(self._text)
        return self._left > 0 and said in self._text


def _text(texts: SkillTexts, view: View, length: int, only: Collection[str] | None = None) -> _Text:
    """A text; of a derived one, only the lines that say what no text before it does."""
    said = view.text.split("\n")
    lines = texts.prepared(view).raw
    return _Text(
        source_words(texts, view),
        view.path,
        view.chain,
        [
            [*_wrapped(line, n, length)]
            for n, line in enumerate(lines, 1)
            if only is None or said[n - 1] in only
        ],
        of_file=not view.origin,
    )


def _wrapped(line: str, number: int, length: int) -> Iterator[QuotedRow]:
    """3."""
    for at, part in enumerate(wrapped(line, length)):
        yield QuotedRow(part, line=number, goes_on=at > 0)

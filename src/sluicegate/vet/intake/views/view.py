"""A view: text to inspect, with where it came from.

Decoding, extraction and normalisation happen once, here in intake, and every rule then runs over every
view of its language; no analyzer decodes for itself.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from operator import itemgetter

from sluicegate.tuples import NamedTuple
from sluicegate.vet.intake.bundle import Artifact, Kind

_LAST = itemgetter(1)
RUN_AS = "run-as"
"""The step from a file to the same text in the language in which it runs (``inspect/ordered/programs.py``)."""


class Step(NamedTuple):
    """One derivation: ``kind`` is a fixed word (``fence``, ``base64``, ``normalised``), ``detail`` untrusted."""

    kind: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.detail}" if self.detail else self.kind


def called(view: View) -> str:
    """The path of the file that a view is, or the name under which something reads it; empty for a part of one."""
    if not view.origin:
        return view.path
    return view.origin[0].detail if len(view.origin) == 1 and view.origin[0].kind == RUN_AS else ""


class View:
    """Text to inspect.

    ``lines[i]`` is the 1-based (first, last) line of the artifact for line ``i`` (0-based) of ``text``;
    an empty ``lines`` means that the view is the artifact's own text and the lines are the same.
    ``span`` short-cuts the common case in which the whole view comes from one run of lines.
    """

    __slots__ = ("_starts", "artifact", "language", "lines", "origin", "span", "text")

    def __init__(
        self,
        *,
        artifact: Artifact,
        text: str,
        language: Kind,
        origin: tuple[Step, ...] = (),
        lines: Sequence[tuple[int, int]] = (),
        span: tuple[int, int] | None = None,
    ) -> None:
        self.artifact = artifact
        self.text = text
        self.language = language
        self.origin = origin
        self.lines = lines
        self.span = span
        self._starts: list[int] = []  # of the lines; filled when first asked for

    def __eq__(self, other: object) -> bool:
        return self._fields() == other._fields() if isinstance(other, View) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._fields())

    def __repr__(self) -> str:
        return f"View({self.artifact.path!r}, {' '.join(self.chain) or 'raw'}, {self.language.value})"

    def _fields(self) -> tuple[object, ...]:
        return (self.artifact, self.text, self.language, self.origin, self.lines, self.span)

    @property
    def path(self) -> str:
        return self.artifact.path

    @property
    def chain(self) -> tuple[str, ...]:
        """The origin in words, outermost step first."""
        return tuple(str(step) for step in self.origin)

    @property
    def is_file(self) -> bool:
        """Whether the text is that of a whole file: as it stands, or in the language in which it runs."""
        return not self.origin or (len(self.origin) == 1 and self.origin[0].kind == RUN_AS)

    def line_starts(self) -> list[int]:
        """The character at which each line of this view's text starts. Not to be changed."""
        starts = self._starts
        if not starts:
            starts.append(0)
            starts.extend(accumulate(map((1).__add__, map(len, self.text.split("\n")))))
            starts.pop()
        return starts

    def line_of(self, offset: int) -> int:
        """The 0-based line of this view's text in which the character ``offset`` stands."""
        return bisect_right(self._starts or self.line_starts(), offset) - 1

    def artifact_lines(self, start: int, end: int) -> tuple[int, int]:
        """The 1-based inclusive lines of the artifact that characters ``start`` to ``end`` (exclusive) come from."""
        if self.span is not None:
            return self.span
        first, last = self.line_of(start), self.line_of(max(start, end - 1))
        return self.map_lines(first, last)

    def map_lines(self, first: int, last: int) -> tuple[int, int]:
        """Lines ``first`` to ``last`` of the view (0-based, inclusive) as lines of the artifact (1-based)."""
        if self.span is not None:
            return self.span
        if not self.lines:
            return first + 1, last + 1
        top = len(self.lines) - 1
        return around(self.lines[min(first, top) : min(last, top) + 1])


def around(ranges: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The least range around all of the ranges, of which there is one at least."""
    if len(ranges) == 1:
        return ranges[0]
    return min(ranges)[0], max(map(_LAST, ranges))

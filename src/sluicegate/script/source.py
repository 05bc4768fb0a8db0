"""The text of a script with its name: which line and column an offset is."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from sluicegate.tuples import NamedTuple


class LineColumn(NamedTuple):
    """A place for people: both count from 1, the column in characters."""

    line: int
    column: int


class SourceText:
    """What a script says, under the name that messages call it."""

    def __init__(self, text: str, name: str = "script") -> None:
        self.text, self.name = text, name

    @cached_property
    def _starts(self) -> list[int]:
        starts, at = [0], self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        return starts

    def place(self, offset: int) -> LineColumn:
        """The line and column of an offset."""
        line = bisect_right(self._starts, offset)
        return LineColumn(line, offset - self._starts[line - 1] + 1)

    def line(self, number: int) -> str:
        """A line without its end."""
        start = self._starts[number - 1]
        end = self._starts[number] - 1 if number < len(self._starts) else len(self.text)
        return self.text[start:end].rstrip("\r")

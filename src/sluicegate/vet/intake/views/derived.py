"""What a family of derivations gives back, and how its lines become lines of the artifact.

A family is a function from a view to derived texts and gaps. It speaks only of the lines of the view it was
given; ``place`` composes them with that view's own map, so that a text found after many steps still names
lines of the artifact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from sluicegate.tuples import NamedTuple
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.views.view import Step, View
from sluicegate.vet.verdict.types import Gap


class Span(NamedTuple):
    """The whole derived text comes from lines ``first`` to ``last`` of the parent (0-based, inclusive)."""

    first: int
    last: int


class Aligned(NamedTuple):
    """Line ``i`` of the derived text is line ``first + i`` of the parent (0-based)."""

    first: int = 0


class Each(NamedTuple):
    """Line ``i`` of the derived text comes from the parent's lines ``lines[i]`` (0-based, inclusive)."""

    lines: Sequence[tuple[int, int]]


Where = Span | Aligned | Each


class Derived(NamedTuple):
    """One derived text.

    ``verbatim`` says that the text stands in the parent as it is (but for indentation), so that what
    depends on characters alone (encodings, Unicode) need not be looked for twice.
    """

    text: str
    language: Kind
    step: Step
    where: Where
    verbatim: bool = False


Product = Derived | Gap
Family = Callable[[View, Limits], Iterable[Product]]


def changed_lines(
    view: View, change: Callable[[str], str], detail: str, *, ascii_too: bool = True
) -> Iterator[Derived]:
    """One ``normalised`` view of the lines that ``change`` changes; none where it changes nothing."""
    lines: dict[int, str] = {}
    for number, line in enumerate(view.text.split("\n")):
        if ascii_too or not line.isascii():
            new = change(line)
            if new != line:
                lines[number] = new
    if lines:
        yield Derived(
            text="\n".join(lines.values()),
            language=view.language,
            step=Step(kind="normalised", detail=detail),
            where=Each(lines=[(n, n) for n in lines]),
        )


def place(parent: View, where: Where, text: str) -> tuple[Sequence[tuple[int, int]], tuple[int, int] | None]:
    """The ``lines`` and ``span`` of a view of ``text`` that was derived from ``parent`` at ``where``."""
    if parent.span is not None:
        return (), parent.span
    if isinstance(where, Span):
        return (), parent.map_lines(where.first, where.last)
    if isinstance(where, Each):
        if not where.lines:
            return (), parent.map_lines(0, 0)
        if not parent.lines:
            return [(first + 1, last + 1) for first, last in where.lines], None
        return [parent.map_lines(first, last) for first, last in where.lines], None
    if not parent.lines:
        if where.first == 0:
            return (), None
        start = where.first + 1
        numbers = range(start, start + text.count("\n") + 1)
        return list(zip(numbers, numbers, strict=True)), None
    wanted = text.count("\n") + 1
    lines = list(parent.lines[where.first : where.first + wanted])
    if len(lines) < wanted:
        lines += [parent.lines[-1]] * (wanted - len(lines))
    return lines, None

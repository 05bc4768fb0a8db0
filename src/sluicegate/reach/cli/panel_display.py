"""Who is asked what, as it happens: a row for each seat on standard error, when it is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sluicegate.reach.report.escape import printable
from sluicegate.vet.review.panel.events import (
    PackageSettled,
    PanelEvent,
    PanelWatch,
    QuestionSent,
    QuestionWaits,
    unwatched,
)
from sluicegate.vet.verdict.consensus import Vote

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

    from sluicegate.vet.review.panel.plan import ReviewPlan

_LONGEST_NAME = 14
_LONGEST_COUNT = 9
_BAR, _WIDE = 12, 80


@contextmanager
def panel_display(plan: ReviewPlan, *, quiet: bool) -> Iterator[PanelWatch]:
    """A watch that draws; one that does nothing where nobody looks, or nothing is asked."""
    if quiet or not sys.stderr.isatty() or not plan.questions:
        yield unwatched
        return
    from rich.console import Console

    progress = seat_rows(console := Console(stderr=True))
    tasks = {
        each.seat.name: progress.add_task(
            printable(each.seat.name)[:_LONGEST_NAME], total=each.packages, state=""
        )
        for each in plan.seats
    }
    with progress:
        rows = {name: SeatRow() for name in tasks}

        def watch(event: PanelEvent) -> None:
            seat = getattr(event, "seat", None)
            if seat is None:
                return
            rows[seat].take(event)
            _draw(tasks[seat], rows[seat])

        def _draw(task: TaskID, row: SeatRow) -> None:
            progress.update(task, completed=row.settled, state=row.words()[: room_for_words(console.width)])

        yield watch


def seat_rows(console: Console) -> Progress:
    """The rows as they are drawn: where there is little room, without a bar."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn

    bars: list[ProgressColumn] = [BarColumn(bar_width=_BAR)] if console.width >= _WIDE else []
    return Progress(
        TextColumn("{task.description}", markup=False),
        *bars,
        MofNCompleteColumn(),
        TextColumn("{task.fields[state]}", markup=False),
        console=console,
        transient=True,
    )


def room_for_words(width: int) -> int:
    """How many characters are left of a row: what stands at its end is cut, and not its numbers."""
    return max(8, width - _LONGEST_NAME - _LONGEST_COUNT - 3 - (_BAR + 1 if width >= _WIDE else 0))


class SeatRow:
    """What one row says. It holds words of ours and numbers alone."""

    def __init__(self) -> None:
        self.settled = 0
        self._under_way: set[tuple[str, int]] = set()
        self._waiting: dict[tuple[str, int], str] = {}
        self._alarms = self._failed = 0

    def take(self, event: PanelEvent) -> None:
        """Something happened at this seat."""
        match event:
            case QuestionSent():
                self._under_way.add((event.skill, event.package))
                self._waiting.pop((event.skill, event.package), None)
            case QuestionWaits():
                self._under_way.discard((event.skill, event.package))
                self._waiting[event.skill, event.package] = f"waits {event.seconds:.0f} s ({event.code})"
            case PackageSettled():
                self._under_way.discard((event.skill, event.package))
                self._waiting.pop((event.skill, event.package), None)
                self.settled += 1
                self._alarms += event.vote >= Vote.SUSPICIOUS
                self._failed += event.vote is Vote.ABSTAINED
            case _:
                pass

    def words(self) -> str:
        """The state, what matters most first: what came of it so far, what is under way, what is waited for."""
        said = [f"{self._alarms} not safe"] if self._alarms else []
        said += [f"{self._failed} failed"] if self._failed else []
        said += [f"{len(self._under_way)} asked"] if self._under_way else []
        said += list(self._waiting.values())[-1:]
        return ", ".join(said)

"""A progress bar on standard error, when it is a terminal and there is more than a moment to wait."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sluicegate.reach.report.escape import printable

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

    from sluicegate.vet.scanner import Progress

_FEW = 8
"""So few skills are scanned before a bar would have been read."""


@contextmanager
def progress_bar(*, quiet: bool) -> Iterator[Progress | None]:
    """A callback that draws progress, or None where nobody watches."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    bar = _Bar()
    try:
        yield bar
    finally:
        bar.close()


class _Bar:
    """Draws with rich, which is imported only once there is something to draw."""

    def __init__(self) -> None:
        self._drawn: tuple[RichProgress, TaskID] | None = None

    def __call__(self, done: int, total: int, name: str) -> None:
        if total < _FEW:
            return
        if self._drawn is None:
            self._drawn = _start(total)
        progress, task = self._drawn
        progress.update(task, completed=done, total=total, name=printable(name)[:40])

    def close(self) -> None:
        """Take the bar away; what it showed is in the report."""
        if self._drawn is not None:
            self._drawn[0].stop()


def _start(total: int) -> tuple[RichProgress, TaskID]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as RichProgress

    progress = RichProgress(
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        TextColumn("{task.fields[name]}", markup=False),
        console=Console(stderr=True),
        transient=True,
    )
    progress.start()
    return progress, progress.add_task("scanning", total=total, name="")

"""The ledgers besides that of a project which may know of a file: of the projects that the file lies in.

What was written into a file is told where the agent stood. If it stands elsewhere when the file is read, in a repository
inside the project, say, or outside of it, the ledger of the project still counts.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from sluicegate.record.directories import USUAL_LEDGER
from sluicegate.record.files.files import FileLabels
from sluicegate.record.home import Home
from sluicegate.record.ledger import memory
from sluicegate.record.ledger.ledger import Ledger

if TYPE_CHECKING:
    from sluicegate.flow.project import Project
    from sluicegate.record.clock import Clock
    from sluicegate.record.keys.keys import Keys


class OtherLedgers:
    """The others, opened as they are asked for. Only those count that this user has written."""

    def __init__(self, home: Home, keys: Keys, clock: Clock, project: Project) -> None:
        self._home, self._keys, self._clock = home, keys, clock
        self._own = os.path.realpath(project.ledger)
        self._around = tuple(map(os.path.realpath, project.around))
        self._open: dict[str, FileLabels] = {}
        self._near: dict[str, tuple[FileLabels, ...]] = {}
        self._stack = ExitStack()

    def __call__(self, path: str) -> Sequence[FileLabels]:
        """Those that may know of what lies at a real path: of the projects around us, and of those that it lies in."""
        directory = path if os.path.isdir(path) else os.path.dirname(path)  # noqa: PTH112, PTH120
        found = self._near.get(directory)
        if found is None:
            places = (directory, *map(str, Path(directory).parents))
            above = (os.path.join(place, USUAL_LEDGER) for place in places)  # noqa: PTH118
            several = dict.fromkeys((*self._around, *above))
            opened = (self._opened(each) for each in several if each != self._own)
            found = self._near[directory] = tuple(one for one in opened if one is not None)
        return found

    def _opened(self, path: str) -> FileLabels | None:
        known = self._open.get(path)
        if known is None and memory.place_of(self._home, Path(path)).is_dir() and Path(path).is_file():
            ledger = Ledger.open(Path(path), keys=self._keys, clock=self._clock, fail_closed=False)
            known = self._open[path] = FileLabels(self._stack.enter_context(ledger))
            self._stack.callback(known.close)
        return known

    def close(self) -> None:
        """Close those that were opened."""
        self._stack.close()

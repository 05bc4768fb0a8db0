"""Labels chosen by a question, as one mask: it is asked once of each label, and then of whole sets at once."""

from __future__ import annotations

import threading
from collections.abc import Callable

from sluicegate.flow.labels.sets import Labels, names_of


class Chosen:
    """The labels for which ``question`` says yes.

    Reading takes no lock: a label counts as seen only after it stands in the mask, if it is to stand there.
    """

    __slots__ = ("_lock", "_mask", "_question", "_seen")

    def __init__(self, question: Callable[[str], bool]) -> None:
        self._lock = threading.Lock()
        self._question = question
        self._mask = 0
        self._seen = 0

    def of(self, labels: Labels) -> int:
        """The mask of those among these labels that are chosen."""
        mask = labels.mask
        if mask & ~self._seen:
            self._see(mask)
        return mask & self._mask

    def _see(self, mask: int) -> None:
        with self._lock:
            new = mask & ~self._seen
            for name in names_of(new):
                if self._question(name):
                    self._mask |= Labels.of(name).mask
            self._seen |= new

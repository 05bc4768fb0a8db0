"""Labels sorted into kinds, each kind a mask: what is asked of a set is then asked of all its labels at once."""

from __future__ import annotations

import threading
from collections.abc import Callable

from penstock.flow.labels.sets import Labels, names_of


class Kinds:
    """``count`` kinds, and ``kind_of``, which says of a label which of them it is; it is asked once for each label.

    Reading takes no lock: a label counts as seen only after it stands in the mask of its kind.
    """

    __slots__ = ("_kind_of", "_lock", "_masks", "_seen")

    def __init__(self, count: int, kind_of: Callable[[str], int]) -> None:
        self._lock = threading.Lock()
        self._kind_of = kind_of
        self._masks = [0] * count
        self._seen = 0

    def masks(self, labels: Labels) -> list[int]:
        """The mask of each kind, in which every label of this set stands by now. Not to be changed."""
        new = labels.mask & ~self._seen
        if new:
            with self._lock:
                for name in names_of(new):
                    self._masks[self._kind_of(name)] |= Labels.of(name).mask
                self._seen |= new
        return self._masks

"""Code that the command of an agent runs: whose it is.

The reader of commands says where a command takes its code from (``Request.code``), and labels code that stands in the command
itself (``code:inline``).

1. Code that the same operation writes is its own as well.
2. Code of a place in which a file stands that something untrusted wrote is labelled ``code:written``, and what flows in has
   the labels of that file. Files that hold no code, by their name, count for nothing. What code wrote that ran there named
   nothing and counts for nothing here: else whatever ran once could not run again.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from sluicegate.flow.labels import EMPTY, Labels
from sluicegate.flow.monitor.plan import Asked
from sluicegate.flow.operations import leaves
from sluicegate.flow.policy.request import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sluicegate.flow.monitor.parts import Parts

_NO_CODE: Final = frozenset(
    ".md .rst .txt .csv .tsv .log .svg .png .jpg .jpeg .gif .webp .pdf .ico .lock .sum".split()
)


def running(parts: Parts, asked: tuple[Asked, ...]) -> tuple[Asked, ...]:
    """What policy is asked, with the labels of the code that runs. Raises RecordError."""
    places = list(dict.fromkeys(place for each in asked for place in each.request.code))
    if not places:
        return asked
    own = [
        path for each in asked for mode, path in each.request.paths if mode == "w" and _may_hold_code(path)
    ]
    written = _written(parts, [place or "/" for place in places])
    return tuple(_with_code(each, own, written) for each in asked)


def _with_code(asked: Asked, own: Sequence[str], written: Sequence[tuple[str, Labels]]) -> Asked:
    request, labels = asked
    found = [more for path, more in written if any(_touches(path, place) for place in request.code)]
    if any(_touches(path, place) for path in own for place in request.code):  # 1
        request = request.labelled(leaves.INLINE)
    if found:  # 2
        request = request.labelled(leaves.WRITTEN)
        labels = labels | Labels.join_all(found)
    return Asked(request, labels)


def _written(parts: Parts, places: Sequence[str]) -> list[tuple[str, Labels]]:
    """The files in these places that something untrusted wrote, with what makes them so."""
    if parts.files is None:
        return []
    from sluicegate.record.files.below import named_within

    found = []
    for path, names in named_within(parts.files, places):
        labels = Labels.of(*parts.layers.distrusted(Labels.of(*names))) if names else EMPTY
        if labels and _may_hold_code(path):
            found.append((path, labels))
    return found


def _may_hold_code(path: str) -> bool:
    return PurePath(path).suffix.lower() not in _NO_CODE


def _touches(path: str, place: str) -> bool:
    """Whether one lies in the other, or is it; yes where one is not known."""
    if UNKNOWN in (path, place):
        return True
    return (
        path == place or path.startswith(f"{place.rstrip('/')}/") or place.startswith(f"{path.rstrip('/')}/")
    )

"""Gaps and surprises as they are met, told in few words: forty thousand alike become one."""

from __future__ import annotations

from sluicegate.vet.intake.budget import Note
from sluicegate.vet.intake.bundle import Anomaly, AnomalyKind
from sluicegate.vet.verdict.types import Gap, GapReason

NAMED = 5
"""Paths that a gap names where several things of one folder share it."""
SHOWN = 50
"""Surprises of one kind in one folder or archive that are told one by one."""


def container_of(path: str) -> str:
    """The folder or archive in which the path stands; empty for the root."""
    folder = path.rfind("/")
    if folder <= 0:
        return ""
    return path[: folder - 1] if path[folder - 1] == "!" else path[:folder]


class _Alike:
    """Things of one folder that share a gap: how many there are, and the first of them."""

    __slots__ = ("count", "paths")

    def __init__(self) -> None:
        self.count = 0
        self.paths: list[str] = []

    def named(self, container: str) -> str:
        """Their paths below the folder or archive."""
        below = (path.removeprefix(container).lstrip("!/") or path for path in self.paths)
        more = self.count - len(self.paths)
        return ", ".join(below) + (f" and {more} more" if more else "")


class Tally:
    """Collects; ``gaps`` and ``anomalies`` then give them in order, those that are alike counted."""

    __slots__ = ("_anomalies", "_gaps")

    def __init__(self) -> None:
        self._gaps: dict[tuple[str, GapReason, str], _Alike] = {}
        self._anomalies: dict[tuple[str, AnomalyKind], list[Anomaly | int]] = {}

    def note(self, path: str, note: Note) -> None:
        """Record a note on the thing at ``path``."""
        if note.gap is not None:
            self.gap(path, note.gap, note.detail)
        if note.anomaly is not None:
            self.anomaly(path, note.anomaly, note.detail)

    def gap(self, path: str, reason: GapReason, detail: str) -> None:
        """Something that was not inspected."""
        alike = self._gaps.setdefault((container_of(path), reason, detail), _Alike())
        alike.count += 1
        if len(alike.paths) < NAMED:
            alike.paths.append(path)

    def anomaly(self, path: str, kind: AnomalyKind, detail: str) -> None:
        """A surprise."""
        seen = self._anomalies.setdefault((container_of(path), kind), [0])
        if len(seen) <= SHOWN:
            seen.append(Anomaly(path=path, kind=kind, detail=detail))
        else:
            seen[0] = int(seen[0] if isinstance(seen[0], int) else 0) + 1

    def gaps(self) -> tuple[Gap, ...]:
        """One gap for each thing, or one for a folder where several of its things share reason and words."""
        found = []
        for (container, reason, detail), alike in self._gaps.items():
            if alike.count == 1:
                found.append(Gap(path=alike.paths[0], reason=reason, detail=detail))
            else:
                said = f"{alike.count} of its files: {detail}: {alike.named(container)}"
                found.append(Gap(path=container, reason=reason, detail=said))
        return tuple(sorted(found))

    def anomalies(self) -> tuple[Anomaly, ...]:
        """The surprises in order; the last of many of a kind says how many more there were."""
        found: list[Anomaly] = []
        for (container, kind), (more, *shown) in self._anomalies.items():
            found.extend(item for item in shown if isinstance(item, Anomaly))
            if more:
                found.append(Anomaly(path=container, kind=kind, detail=f"and {more} more of the kind"))
        return tuple(sorted(found))

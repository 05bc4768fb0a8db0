"""A unit: one skill to be read, in a form that another process can be given."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from sluicegate.tuples import NamedTuple
from sluicegate.vet.errors import NothingToInspect
from sluicegate.vet.intake.budget import Note
from sluicegate.vet.intake.bundle import Bundle
from sluicegate.vet.intake.collect import Collector
from sluicegate.vet.intake.directory import read_folder, read_in_order, shown, unreadable
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.precedence import by_rank, loaded_first
from sluicegate.vet.verdict.types import GapReason

LINKED_SKILL = Note(
    gap=GapReason.LINK, detail="a link in the place of a skill; name its target to have it scanned"
)
"""What is said of a link that stands where skills do."""


class FolderOrigin(NamedTuple):
    """A folder on disk: ``relative`` below ``folder``, without ``skip`` (below ``relative``)."""

    folder: str
    relative: str
    skip: tuple[str, ...] = ()


class Spooled(NamedTuple):
    """One file of a spool. ``size`` bytes from ``offset``; None when it was not kept (``notes`` say why)."""

    path: str
    offset: int = 0
    size: int | None = None
    mode: int = 0
    link: str | None = None
    notes: tuple[Note, ...] = ()


class SpoolOrigin(NamedTuple):
    """Files that lie one after the other in the file ``spool``, in order of path; ``beside``: see ``Bundle``."""

    spool: str
    files: tuple[Spooled, ...]
    beside: frozenset[str] = frozenset()


class NoteOrigin(NamedTuple):
    """Nothing that can be read, and why."""

    notes: tuple[Note, ...]


class Unit(NamedTuple):
    """One skill of a source, not read yet. Picklable. ``root`` is its path inside the source."""

    name: str
    root: str
    origin: FolderOrigin | SpoolOrigin | NoteOrigin


class Units(NamedTuple):
    """The skills of a source in order of path, and how many files belong to none of them."""

    units: tuple[Unit, ...]
    unassigned: int


def holding(units: Units, paths: Iterable[str]) -> list[int]:
    """The numbers of the units that hold one of ``paths``, which are below the source's folder.

    A path need not exist any more. One that is a folder (a submodule, say) may itself hold units: they are meant, too.
    """
    told = sorted(set(paths))
    return [number for number, unit in enumerate(units.units) if any(_holds(unit, path) for path in told)]


def _holds(unit: Unit, path: str) -> bool:
    origin = unit.origin
    if isinstance(origin, FolderOrigin):
        relative = origin.relative
    else:
        relative, path = unit.root, shown(path)
    if path == relative or relative.startswith(f"{path}/"):
        return True
    if relative and not path.startswith(f"{relative}/"):
        return False
    inner = path[len(relative) + 1 :] if relative else path
    skip = origin.skip if isinstance(origin, FolderOrigin) else ()
    return not any(inner == other or inner.startswith(f"{other}/") for other in skip)


def read_unit(unit: Unit, limits: Limits, exclude: tuple[str, ...]) -> Bundle:
    """Read one skill. ``exclude``: globs over its paths; what they leave out is a gap.

    Never raises for anything the skill holds; a source that has gone away meanwhile is a gap.
    """
    origin = unit.origin
    collector = _read(origin, Collector(limits, exclude), everything=True)
    if (
        collector.budget.full
    ):  # again, what matters first; a bundle within its bounds is the same in any order
        collector = _read(origin, Collector(limits, exclude), everything=False)
    bundle = collector.bundle(unit.name, unit.root)
    return bundle._replace(beside=origin.beside) if isinstance(origin, SpoolOrigin) else bundle


def _read(
    origin: FolderOrigin | SpoolOrigin | NoteOrigin, collector: Collector, *, everything: bool
) -> Collector:
    """Read all that an origin holds, in order of path; or, where that is not ``everything``, what matters first."""
    if isinstance(origin, FolderOrigin):
        read = read_folder if everything else read_in_order
        read(collector, origin.folder, origin.relative, frozenset(origin.skip))
    elif isinstance(origin, SpoolOrigin):
        _read_spool(collector, origin, everything=everything)
    else:
        for note in origin.notes:
            collector.tally.note("", note)
    return collector


def _read_spool(collector: Collector, origin: SpoolOrigin, *, everything: bool) -> None:
    try:
        with open(origin.spool, "rb") as spool:  # noqa: PTH123
            if everything:
                for file in origin.files:
                    _read_spooled(collector, spool, file)
                return
            first, rest = loaded_first((file.path, file) for file in origin.files)
            for _, file in first:
                _read_spooled(collector, spool, file)
            for _, file in by_rank(rest, collector.told()):
                _read_spooled(collector, spool, file)
    except OSError as error:
        collector.tally.note("", unreadable(error))


def _read_spooled(collector: Collector, spool: BinaryIO, file: Spooled) -> None:
    for note in file.notes:
        collector.tally.note(file.path, note)
    if file.link is not None:
        collector.link(file.path, file.link)
    elif file.size is not None:
        refusal = collector.budget.refusal()
        if refusal is not None:
            collector.tally.note(file.path, refusal)
            return
        spool.seek(file.offset)
        collector.file(file.path, spool.read(file.size), file.mode)


def nothing(name: str, count: int) -> NothingToInspect:
    """The error for a source in which an agent would load nothing."""
    what = "is empty" if count == 0 else "holds no SKILL.md and nothing else that an agent would load"
    hint = "Name a folder with a SKILL.md, or one file to have it inspected by itself."
    return NothingToInspect(f"{name!r} {what}", hint=hint)

"""A spool: the files of an archive or a repository, one after the other in one temporary file.

Nothing is extracted under a name of its own; a unit knows which stretches of the spool are its files.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import BinaryIO

from sluicegate.vet.errors import SourceError
from sluicegate.vet.intake.budget import Budget, Member
from sluicegate.vet.intake.bundle import AnomalyKind
from sluicegate.vet.intake.discovery import Found, discover
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.names import heads
from sluicegate.vet.intake.units import LINKED_SKILL, Spooled, SpoolOrigin, Unit, Units, nothing

SOURCE_FACTOR = 4
"""A source of many skills may hold this many times what one bundle may, in bytes and in files."""

_ASTRAY = frozenset(
    {
        AnomalyKind.PATH_TRAVERSAL, AnomalyKind.TRAILING_DATA, AnomalyKind.POLYGLOT,
        AnomalyKind.DAMAGED_ARCHIVE, AnomalyKind.ARCHIVE_BOMB,
    }
)  # fmt: skip
"""Surprises of an archive after which a file's place is no longer what its name says."""
_PACKAGES = (
    "meta-inf/manifest.mf",
    "pkg-info",
    "extension.vsixmanifest",
    "androidmanifest.xml",
    "package.json",
)


def source_budget(limits: Limits) -> Budget:
    """What one archive or repository may hold in all."""
    budget = Budget(limits)
    budget.entries *= SOURCE_FACTOR
    budget.bytes *= SOURCE_FACTOR
    budget.work *= SOURCE_FACTOR
    return budget


def _no_room(error: OSError) -> SourceError:
    hint = "Make room, or set TMPDIR to a folder that has some."
    return SourceError(f"cannot keep what was unpacked: {error.strerror}", hint=hint)


class Spool:
    """Writes members into ``path`` and remembers where they are. Use as a context manager."""

    def __init__(self, path: Path, budget: Budget) -> None:
        self.path = path
        self.files: list[Spooled] = []
        self._budget = budget
        self._offset = 0
        try:
            self._file: BinaryIO = path.open("xb")
        except OSError as error:
            raise _no_room(error) from error

    def __enter__(self) -> Spool:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._file.close()
        except OSError as error:  # what was left in the buffer
            raise _no_room(error) from error

    def add(self, member: Member) -> None:
        """Keep one member. Raises SourceError when the disk does."""
        size = None
        if member.data is not None:
            size = len(member.data)
            self._budget.bytes -= size
            try:
                self._file.write(member.data)
            except OSError as error:
                raise _no_room(error) from error
        self._budget.entries -= 1
        self.files.append(
            Spooled(
                path=member.name,
                offset=self._offset,
                size=size,
                mode=member.mode,
                link=member.link,
                notes=member.notes,
            )
        )
        self._offset += size or 0


def fill(path: Path, budget: Budget, members: Iterable[Member]) -> tuple[Spooled, ...]:
    """Spool all members into a new file at ``path``."""
    with Spool(path, budget) as spool:
        for member in members:
            spool.add(member)
    return tuple(spool.files)


def spooled_units(name: str, spool: Path, files: Sequence[Spooled], *, package: bool) -> Units:
    """The units among spooled files. Raises NothingToInspect.

    What concerns the archive as a whole (it is damaged, say) stands in every unit. ``package``: files
    without a skill are one unit when they are those of a program package.
    """
    general = tuple(file for file in files if not file.path)
    named = sorted((file for file in files if file.path), key=lambda file: file.path)
    links = {file.path for file in named if file.link is not None}
    found = [Found(path=file.path, link=file.link is not None, astray=_astray(file, links)) for file in named]
    plan = discover(found, name)
    if not plan.parts:
        lower = [file.path.lower() for file in named]
        unread = [file for file in named if file.size is None and file.link is None]
        packaged = package and any(path.endswith(_PACKAGES) or ".dist-info/" in path for path in lower)
        if not (packaged or general or unread):
            raise nothing(name, len(named))
        whole = Unit(name=name, root="", origin=SpoolOrigin(spool=str(spool), files=(*general, *named)))
        return Units(units=(whole,), unassigned=0)
    paths = [file.path for file in named]
    units = tuple(
        Unit(
            name=part.root.rpartition("/")[2] or name,
            root=part.root,
            origin=SpoolOrigin(
                spool=str(spool), files=(*general, *_below(named, paths, part.root, part.skip))
            ),
        )
        for part in plan.parts
    )
    return Units(units=units, unassigned=plan.unassigned)


def _astray(file: Spooled, links: set[str]) -> bool:
    """Whether the file may be unpacked elsewhere, or stands where unpackers differ on what follows."""
    if any(note.anomaly in _ASTRAY for note in file.notes):
        return True
    return bool(links) and any(head in links for head in heads(file.path) if head != file.path)


def _below(named: Sequence[Spooled], paths: Sequence[str], root: str, skip: tuple[str, ...]) -> list[Spooled]:
    """The files below ``root``, under their paths from there, but for those in ``skip``.

    ``paths`` are those of ``named``, both in order, so that a unit costs its own files and not all of them.
    """
    start = root + "/" if root else ""
    left_out = set(skip)
    found: list[Spooled] = []
    at = bisect_left(paths, root) if root else len(paths)
    while at < len(paths) and paths[at] == root:
        # A member of the very name of the folder: only a crafted archive has it beside the folder's files.
        if named[at].link is not None:
            found.append(Spooled(path="", notes=(LINKED_SKILL,)))
        else:
            found.append(named[at]._replace(path=root.rpartition("/")[2]))
        at += 1
    for at in range(bisect_left(paths, start), len(paths)):
        file = named[at]
        if not file.path.startswith(start):
            break
        inner = file.path[len(start) :]
        if left_out and any(head in left_out for head in heads(inner)):
            continue
        found.append(file._replace(path=inner))
    return found

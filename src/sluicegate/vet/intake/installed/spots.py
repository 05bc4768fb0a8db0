"""Places on this disk where agents keep what is installed: those of the table, and those that registries and links name.

1. Every place of ``known.agents``. A relative path of a registry counts from the registry's folder.
2. A registry of a project names nothing outside of the project: what is written there is a stranger's.
3. What stands in a place that is read anyway is no place of its own.
4. A registry that cannot be understood is a unit that holds a gap: nobody knows what it names.
5. A folder of a plugin that holds far more than one (the root of the file system, a folder of the system, the home
   directory or one above it, one above the project) is not read, and that is a gap.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

from sluicegate.known.agents import MOVED, AgentPlace, Holds, Level, places
from sluicegate.tuples import NamedTuple
from sluicegate.vet.intake.budget import Member, Note, beginning
from sluicegate.vet.intake.directory import shown, unreadable
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.units import NoteOrigin, Unit
from sluicegate.vet.verdict.types import GapReason

SHOWN = 160
"""Characters of a path that are shown."""
FILES = frozenset({Holds.SETTINGS, Holds.REGISTRY})
"""What stands in one file."""


TOO_WIDE = "a folder that holds far more than a plugin is not read as one; its own is to be named"
_OF_SYSTEM = frozenset(
    "bin boot dev etc home lib lib32 lib64 media mnt nix opt proc root run sbin snap srv sys tmp usr var "
    "Applications Library System Users Volumes cores private".split()
)
"""Folders of a system, directly below its root."""


class Spot(NamedTuple):
    """A place on this disk. ``real`` has no link in it."""

    place: AgentPlace
    path: str
    real: str
    label: str


def spots_of(home: Path | None, project: Path, environ: Mapping[str, str]) -> Iterable[Spot]:
    """The places of the table. Those of a user without a home directory are left out."""  # 1
    for place in places():
        if place.level is Level.PROJECT:
            path, label = str(project / place.path), f"./{place.path}"
        else:
            first, _, rest = place.path.partition("/")
            moved = environ.get(MOVED.get(first, ""), "") if rest else ""
            if moved and os.path.isabs(moved):  # noqa: PTH117
                path = label = os.path.join(moved, rest)  # noqa: PTH118
            elif home is None:
                continue
            else:
                path, label = str(home / place.path), f"~/{place.path}"
        yield Spot(place=place, path=path, real=os.path.realpath(path), label=shown(label))


def register(groups: dict[str, list[Spot]], home: Path | None, project: Path, limits: Limits) -> list[Unit]:
    """Add to the places what registries and links name. Gives a gap for each that cannot be understood."""
    from sluicegate.vet.intake.installed.registries import LIST, read_registry

    firsts = (group[0] for group in groups.values())
    known = [spot for spot in firsts if spot.place.holds in (Holds.REGISTRY, Holds.PLUGINS)]
    unknown: list[Unit] = []
    used: set[str] = set()
    lists: list[tuple[str, Spot]] = []
    for spot in (registry for place in known for registry in _registries(place)):
        member = read_file(spot, limits)
        if member is None or member.data is None:
            continue
        found = read_registry(spot.path, member.data)
        # 4
        errors = [found.error] if found.error else ["it is too large"] if member.notes else []
        for name, path in found.plugins:
            used.add(name.rpartition("@")[2])
            named = _named(spot, Holds.PLUGINS, path, home, project)
            # 2
            if spot.place.level is Level.PROJECT and not _inside(named.real, os.path.realpath(project)):
                errors.append(f"a plugin stands outside of the project: {shown(path)[:SHOWN]}")
            elif holds_more(named.real, home, project):
                errors.append(f"{TOO_WIDE}: {shown(path)[:SHOWN]}")
            else:
                _add(groups, named)
        unknown += [gap_at(spot, Note(gap=GapReason.UNREADABLE, detail=error)) for error in errors]
        lists += [
            (name, _named(spot, Holds.REGISTRY, f"{path}/{LIST}", home, project))
            for name, path in found.marketplaces
        ]
    for spot in known:
        for link in links_in(spot):
            named = _named(spot, Holds.PLUGINS, f"{spot.path}/{link}", home, project)
            if holds_more(named.real, home, project):
                unknown.append(gap_at(named, Note(gap=GapReason.UNREADABLE, detail=TOO_WIDE)))
            else:
                _add(groups, named)
    for name, spot in lists:
        if name in used:
            groups.setdefault(spot.real, []).append(spot)
    return unknown


def holds_more(real: str, home: Path | None, project: Path) -> bool:
    """Whether a folder, without links in its path, is one that no plugin or skill has for itself."""  # 5
    if not Path(real).name or any(_inside(real, kernel) for kernel in ("/proc", "/sys", "/dev")):
        return True
    if real.startswith("/") and real.count("/") == 1 and real[1:] in _OF_SYSTEM:
        return True
    if home is not None and _inside(os.path.realpath(home), real):
        return True
    above = os.path.realpath(project)
    return above != real and _inside(above, real)


def _registries(spot: Spot) -> list[Spot]:
    """The file itself, or the files in a folder of extensions that say that one of them stands elsewhere."""
    from sluicegate.vet.intake.installed.registries import LINKED

    if spot.place.holds is Holds.REGISTRY:
        return [spot]
    try:
        names = sorted(entry.name for entry in Path(spot.real).iterdir())
    except OSError:  # told where the folder is read
        return []
    files = (
        (
            f"{spot.path}/{name}/{LINKED}",
            f"{spot.place.path}/{name}/{LINKED}",
            f"{spot.label}/{name}/{LINKED}",
        )
        for name in names
    )
    return [
        spot._replace(
            place=spot.place._replace(path=below), path=path, real=os.path.realpath(path), label=shown(label)
        )
        for path, below, label in files
        if os.path.lexists(path)
    ]


def _add(groups: dict[str, list[Spot]], named: Spot) -> None:
    """A folder of a plugin becomes a place of its own, unless it stands in one that is read anyway; of two agents one."""
    # 3
    folders = (real for real, group in groups.items() if group[0].place.holds is Holds.PLUGINS)
    if named.real in groups or not any(_inside(named.real, folder) for folder in folders):
        groups.setdefault(named.real, []).append(named)


def _inside(real: str, folder: str) -> bool:
    return real == folder or real.startswith(f"{folder.rstrip('/')}/")


def links_in(spot: Spot) -> tuple[str, ...]:
    """The links in a folder of plugins that lead to a folder."""
    if spot.place.holds is not Holds.PLUGINS:
        return ()
    try:
        with os.scandir(spot.real) as entries:
            return tuple(sorted(entry.name for entry in entries if entry.is_symlink() and entry.is_dir()))
    except OSError:
        return ()


def _named(spot: Spot, holds: Holds, path: str, home: Path | None, project: Path) -> Spot:
    """A place that a registry names; a relative path counts from the registry's folder."""
    full = os.path.normpath(os.path.join(os.path.dirname(spot.path), path))  # noqa: PTH118, PTH120
    label = full
    for folder, sign in ((project, "."), (home, "~")):
        if folder is not None and full.startswith(f"{folder}/"):
            label = f"{sign}{full[len(str(folder)) :]}"
            break
    below = label[2:] if label[:2] in ("~/", "./") else label
    place = AgentPlace(agent=spot.place.agent, level=spot.place.level, holds=holds, path=below)
    return Spot(place=place, path=full, real=os.path.realpath(full), label=shown(label))


def gap_at(spot: Spot, note: Note) -> Unit:
    """A place as a unit that holds nothing but a gap."""
    return Unit(name=spot.label.rpartition("/")[2], root=spot.label, origin=NoteOrigin(notes=(note,)))


def read_file(spot: Spot, limits: Limits) -> Member | None:
    """A settings file; None where there is none. A link is followed: the agent follows it."""
    name = spot.place.path if spot.label[:1] in "~." else spot.label.lstrip("/")
    try:
        descriptor = os.open(spot.real, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return Member(name=name, data=None, mode=0, notes=(unreadable(error),))
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            note = Note(gap=GapReason.UNREADABLE, detail="is not a file")
            return Member(name=name, data=None, mode=0, notes=(note,))
        with open(descriptor, "rb", closefd=False) as file:
            data = file.read(limits.file_bytes + 1)
    except OSError as error:
        return Member(name=name, data=None, mode=0, notes=(unreadable(error),))
    finally:
        os.close(descriptor)
    data, notes = beginning(data, limits.file_bytes)
    return Member(name=name, data=data, mode=0, notes=notes)

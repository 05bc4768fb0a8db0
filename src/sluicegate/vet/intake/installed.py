"""What is installed for the agents of this machine: where they look, and the units that stand there.

1. Every place of ``known.agents`` is looked at: the user's below the home directory (or where an environment
   variable puts it), the project's below the project. A place that two agents read is one place, and so are two
   names of one folder.
2. A folder of skills gives its skills. A link in the place of a skill is followed here, one step, because agents
   follow it and installers make it: to a folder with a SKILL.md. What a link leads to is read once.
3. A folder of plugins gives what any source gives; where nothing in it says that it is a plugin, the folder is
   one unit. A folder of commands is one unit.
4. The settings files of one agent at one level are one unit.
5. What is there and cannot be read is a unit that holds a gap.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from enum import Enum
from pathlib import Path

from sluicegate.known.agents import MOVED, AgentPlace, Holds, Level, places
from sluicegate.record.work_tree import work_tree
from sluicegate.tuples import NamedTuple
from sluicegate.vet.errors import NothingToInspect, SourceError
from sluicegate.vet.intake.budget import Member, Note, beginning
from sluicegate.vet.intake.directory import shown, unreadable
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.sources import Source, folder_units, workplace
from sluicegate.vet.intake.units import LINKED_SKILL, FolderOrigin, NoteOrigin, SpoolOrigin, Unit, Units
from sluicegate.vet.verdict.types import GapReason

NAME = "installed"
"""What a report calls this source."""


class PlaceState(Enum):
    """What was found at a place."""

    READ = "read"
    ABSENT = "absent"
    UNREADABLE = "unreadable"


class Looked(NamedTuple):
    """One place that was looked at. ``agents``: all who read it; ``units``: what it gave to scan; ``linked``:
    links there to skills that stand at another place, and are read there.

    ``path`` begins with ``~/`` below the home directory and with ``./`` below the project, and is absolute where
    an environment variable puts it elsewhere.
    """

    agents: tuple[str, ...]
    level: Level
    holds: Holds
    path: str
    state: PlaceState
    units: int = 0
    linked: int = 0


class Installed(NamedTuple):
    """The units of this machine as a source, and every place that was looked at, in order of the agents."""

    source: Source
    looked: tuple[Looked, ...]


class _Stock(NamedTuple):
    """What stands in one folder. ``linked``: links to skills that are read at another place."""

    units: tuple[Unit, ...]
    unassigned: int = 0
    linked: int = 0


class _Spot(NamedTuple):
    """A place on this disk. ``real`` has no link in it."""

    place: AgentPlace
    path: str
    real: str
    label: str


def project_of(start: Path) -> Path:
    """The project that ``start`` stands in: the nearest folder above with a ``.git``, else ``start`` itself."""
    start = start.resolve()
    return work_tree(start) or start


def home_of(environ: Mapping[str, str]) -> Path | None:
    """The user's home directory: ``HOME``, else that of the account; None where there is neither."""
    named = environ.get("HOME", "")
    if named.startswith("/"):
        return Path(named)
    try:
        return Path("~").expanduser() if not named else None
    except RuntimeError:  # no HOME, and a user without an account
        return None


def open_installed(home: Path | None, project: Path, environ: Mapping[str, str], limits: Limits) -> Installed:
    """What is installed for the user with this ``home`` (None: there is no home directory) and in ``project``.

    Raises NothingToInspect when no agent has anything installed.
    """
    with ExitStack() as owned:
        groups: dict[str, list[_Spot]] = {}
        for spot in _spots(home, project, environ):  # 1
            groups.setdefault(spot.real, []).append(spot)
        stocks = _follow({real: (group[0], _stock(group[0], limits)) for real, group in groups.items()})
        settings = _settings(groups, limits, owned)
        looked = tuple(_looked(groups[real], stocks[real], settings) for real in groups)
        held = [stock for stock in stocks.values() if stock is not None]
        units = [*settings.units, *(unit for stock in held for unit in stock.units)]
        if not units:
            raise NothingToInspect(
                f"nothing is installed for any agent: {len(looked)} places were looked at",
                hint="Name a skill to scan: a folder, a file, an archive or a URL.",
            )
        units.sort(key=lambda unit: (unit.root, unit.name))
        found = Units(units=tuple(units), unassigned=sum(stock.unassigned for stock in held))
        return Installed(source=Source(NAME, found, owned.pop_all()), looked=looked)
    raise AssertionError("unreachable")


def _spots(home: Path | None, project: Path, environ: Mapping[str, str]) -> Iterable[_Spot]:
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
        yield _Spot(place=place, path=path, real=os.path.realpath(path), label=shown(label))


def _stock(spot: _Spot, limits: Limits) -> _Stock | None:
    """What stands in a folder; None where there is no folder. Settings are read together, elsewhere."""
    if spot.place.holds is Holds.SETTINGS:
        return None
    try:
        with os.scandir(spot.real) as entries:
            if next(iter(entries), None) is None:
                return _Stock(units=())
        if spot.place.holds is Holds.COMMANDS:  # 3
            return _Stock(units=(_whole(spot),))
        held = folder_units(spot.real, spot.real.rpartition("/")[2], limits)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except NothingToInspect:
        return _Stock(units=() if spot.place.holds is Holds.SKILLS else (_whole(spot),))
    except OSError as error:  # 5
        return _Stock(units=(_gap(spot, unreadable(error)),))
    except SourceError as error:
        return _Stock(units=(_gap(spot, Note(gap=GapReason.UNREADABLE, detail=str(error))),))
    units = tuple(unit._replace(root=f"{spot.label}/{unit.root}".rstrip("/")) for unit in held.units)
    return _Stock(units=units, unassigned=held.unassigned)


def _whole(spot: _Spot) -> Unit:
    """The folder as one unit, under the name of its agent."""
    name = f"{spot.place.agent} {spot.label.rpartition('/')[2]}"
    return Unit(name=name, root=spot.label, origin=FolderOrigin(folder=spot.real, relative=""))


def _gap(spot: _Spot, note: Note) -> Unit:
    return Unit(name=spot.label.rpartition("/")[2], root=spot.label, origin=NoteOrigin(notes=(note,)))


def _follow(stocks: Mapping[str, tuple[_Spot, _Stock | None]]) -> dict[str, _Stock | None]:
    """The units with each link in the place of a skill replaced by what it leads to, once."""  # 2
    taken = {_folder_of(unit) for _, stock in stocks.values() if stock for unit in stock.units} - {""}
    followed: dict[str, _Stock | None] = {}
    for real, (spot, stock) in stocks.items():
        if stock is None:
            followed[real] = None
            continue
        kept, linked = [], 0
        for unit in stock.units:
            target = _target(spot, unit)
            if not target:
                kept.append(unit)
            elif target in taken:
                linked += 1
            else:
                taken.add(target)
                kept.append(unit._replace(origin=FolderOrigin(folder=target, relative="")))
        followed[real] = stock._replace(units=tuple(kept), linked=linked)
    return followed


def _folder_of(unit: Unit) -> str:
    origin = unit.origin
    if not isinstance(origin, FolderOrigin):
        return ""
    return f"{origin.folder}/{origin.relative}".rstrip("/")


def _target(spot: _Spot, unit: Unit) -> str:
    """The folder of a skill that a link stands for; empty when the unit is none, or leads to no skill."""
    if not isinstance(unit.origin, NoteOrigin) or unit.origin.notes != (LINKED_SKILL,):
        return ""
    inner = unit.root.removeprefix(spot.label + "/")
    target = os.path.realpath(os.path.join(spot.real, inner))  # noqa: PTH118
    try:
        names = {inner.name.lower() for inner in Path(target).iterdir()}
    except OSError:
        return ""
    return target if "skill.md" in names else ""


class _Settings(NamedTuple):
    """The settings that were read. ``states`` by the real path of the file."""

    units: tuple[Unit, ...]
    states: Mapping[str, PlaceState]


def _settings(groups: Mapping[str, list[_Spot]], limits: Limits, owned: ExitStack) -> _Settings:
    """One unit for each agent and level that has settings."""  # 4
    members: dict[tuple[str, str], list[Member]] = {}
    states = {}
    for real, (spot, *_) in groups.items():
        if spot.place.holds is not Holds.SETTINGS:
            continue
        member = _read(spot, limits)
        states[real] = PlaceState.ABSENT
        if member is not None:
            states[real] = PlaceState.READ if member.data is not None else PlaceState.UNREADABLE
            members.setdefault((spot.place.agent, _root(spot)), []).append(member)
    units = tuple(
        Unit(name=f"{agent} settings", root=root, origin=_spooled(files, limits, owned))
        for (agent, root), files in members.items()
    )
    return _Settings(units=units, states=states)


def _root(spot: _Spot) -> str:
    return spot.label.removesuffix("/" + spot.place.path) if spot.label[:1] in "~." else "/"


def _read(spot: _Spot, limits: Limits) -> Member | None:
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
            note = Note(gap=GapReason.UNREADABLE, detail="is no file")
            return Member(name=name, data=None, mode=0, notes=(note,))
        with open(descriptor, "rb", closefd=False) as file:
            data = file.read(limits.file_bytes + 1)
    except OSError as error:
        return Member(name=name, data=None, mode=0, notes=(unreadable(error),))
    finally:
        os.close(descriptor)
    data, notes = beginning(data, limits.file_bytes)
    return Member(name=name, data=data, mode=0, notes=notes)


def _spooled(files: list[Member], limits: Limits, owned: ExitStack) -> SpoolOrigin:
    from sluicegate.vet.intake.unpack.spool import fill, source_budget

    spool = workplace(owned) / "spool"
    return SpoolOrigin(spool=str(spool), files=fill(spool, source_budget(limits), files))


def _looked(group: list[_Spot], stock: _Stock | None, settings: _Settings) -> Looked:
    first = group[0]
    if first.place.holds is Holds.SETTINGS:
        state = settings.states[first.real]
        units, linked = int(state is not PlaceState.ABSENT), 0
    elif stock is None:
        state, units, linked = PlaceState.ABSENT, 0, 0
    else:
        unreadable_ = any(isinstance(u.origin, NoteOrigin) and u.root == first.label for u in stock.units)
        state = PlaceState.UNREADABLE if unreadable_ else PlaceState.READ
        units, linked = len(stock.units), stock.linked
    return Looked(
        agents=tuple(dict.fromkeys(spot.place.agent for spot in group)),
        level=first.place.level,
        holds=first.place.holds,
        path=first.label,
        state=state,
        units=units,
        linked=linked,
    )

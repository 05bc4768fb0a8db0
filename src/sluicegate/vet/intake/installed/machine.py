"""What is installed for the agents of this machine: where they look, and the units that stand there.

1. Every place of ``known.agents`` is looked at: the user's below the home directory (or where an environment
   variable puts it), the project's below the project. A place that two agents read is one place, and so are two
   names of one folder.
2. A folder of skills gives its skills. A link in the place of a skill is followed here, one step, because agents
   follow it and installers make it: to a folder with a SKILL.md. What a link leads to is read once.
3. A folder of plugins gives what any source gives; where nothing in it says that it is a plugin, the folder is
   one unit. A folder of commands is one unit. A link in the place of a plugin is followed, one step.
4. A registry (``installed_plugins.json``) names plugins that may stand anywhere: those that stand at no place of
   the table are places of their own. What a marketplace only offers is not installed, and is not scanned.
5. The settings files and registries of one agent at one level are one unit, and so is, beside them, the list of each
   marketplace from which something is installed: an entry there can bring hooks and servers.
6. What is there and cannot be read is a unit that holds a gap; so is what leads to a folder that is not to be read (``within``).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from enum import Enum
from pathlib import Path

from sluicegate.known.agents import Holds, Level
from sluicegate.record.work_tree import work_tree
from sluicegate.tuples import NamedTuple
from sluicegate.vet.errors import NothingToInspect, SourceError
from sluicegate.vet.intake.budget import Member, Note
from sluicegate.vet.intake.directory import unreadable
from sluicegate.vet.intake.installed.spots import (
    FILES,
    Spot,
    gap_at,
    holds_more,
    links_in,
    read_file,
    register,
    spots_of,
)
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.sources import Source, folder_units, workplace
from sluicegate.vet.intake.units import LINKED_SKILL, FolderOrigin, NoteOrigin, SpoolOrigin, Unit, Units
from sluicegate.vet.verdict.types import GapReason

NAME = "installed"
"""What a report calls this source."""
NO_HOME = "This user has no home directory: what is installed for the user was not looked for."
"""What is said where there is none."""
_NOT_TO_BE_READ = Note(gap=GapReason.EXCLUDED, detail="leads to a place that is not to be read")
_NAME_ONE = "Name a skill to scan: a folder, a file, an archive or a URL."


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


def open_installed(
    home: Path | None,
    project: Path,
    environ: Mapping[str, str],
    limits: Limits,
    within: Callable[[str], bool] | None = None,
) -> Installed:
    """What is installed for the user with this ``home`` (None: there is no home directory) and in ``project``.

    ``within`` says of a place whether it is to be read; without it all are. Raises NothingToInspect when no agent has anything installed.
    """
    with ExitStack() as owned:
        groups: dict[str, list[Spot]] = {}
        for spot in spots_of(home, project, environ):  # 1
            groups.setdefault(spot.real, []).append(spot)
        outside = _taken_out(groups, within)
        unknown = [*register(groups, home, project, limits), *outside, *_taken_out(groups, within)]
        stocks = _follow(
            {real: (group[0], _stock(group[0], limits)) for real, group in groups.items()},
            within,
            (home, project),
        )
        settings = _settings(groups, limits, owned)
        looked = tuple(_looked(groups[real], stocks[real], settings) for real in groups)
        held = [stock for stock in stocks.values() if stock is not None]
        units = [*settings.units, *unknown, *(unit for stock in held for unit in stock.units)]
        if not units:
            raise NothingToInspect(
                f"nothing is installed for any agent: {len(looked)} places were looked at",
                hint=f"{NO_HOME} Set HOME, or name a skill to scan." if home is None else _NAME_ONE,
            )
        units.sort(key=lambda unit: (unit.root, unit.name))
        found = Units(units=tuple(units), unassigned=sum(stock.unassigned for stock in held))
        return Installed(source=Source(NAME, found, owned.pop_all()), looked=looked)
    raise AssertionError("unreachable")


def _taken_out(groups: dict[str, list[Spot]], within: Callable[[str], bool] | None) -> list[Unit]:
    """Take the places out that are not to be read; a gap for each that is there."""  # 6
    outside = [] if within is None else [real for real in groups if not within(real)]
    spots = [groups.pop(real)[0] for real in outside]
    return [gap_at(spot, _NOT_TO_BE_READ) for spot in spots if os.path.lexists(spot.real)]


def _stock(spot: Spot, limits: Limits) -> _Stock | None:
    """What stands in a folder; None where there is no folder. Settings are read together, elsewhere."""
    if spot.place.holds in FILES:
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
        if spot.place.holds is Holds.SKILLS:
            return _Stock(units=())
        links = links_in(spot)  # places of their own
        return _Stock(units=() if len(links) == len(os.listdir(spot.real)) else (_whole(spot, links),))  # noqa: PTH208
    except OSError as error:  # 6
        return _Stock(units=(gap_at(spot, unreadable(error)),))
    except SourceError as error:
        return _Stock(units=(gap_at(spot, Note(gap=GapReason.UNREADABLE, detail=str(error))),))
    units = tuple(unit._replace(root=f"{spot.label}/{unit.root}".rstrip("/")) for unit in held.units)
    return _Stock(units=units, unassigned=held.unassigned)


def _whole(spot: Spot, skip: tuple[str, ...] = ()) -> Unit:
    """The folder as one unit, under the name of its agent."""
    name = f"{spot.place.agent} {spot.label.rpartition('/')[2]}"
    return Unit(name=name, root=spot.label, origin=FolderOrigin(folder=spot.real, relative="", skip=skip))


def _follow(
    stocks: Mapping[str, tuple[Spot, _Stock | None]],
    within: Callable[[str], bool] | None,
    around: tuple[Path | None, Path],
) -> dict[str, _Stock | None]:
    """The units with each link in the place of a skill replaced by what it leads to, once."""  # 2
    taken = {_folder_of(unit) for _, stock in stocks.values() if stock for unit in stock.units} - {""}
    followed: dict[str, _Stock | None] = {}
    for real, (spot, stock) in stocks.items():
        if stock is None:
            followed[real] = None
            continue
        kept, linked = [], 0
        for unit in stock.units:
            target = _target(spot, unit, within, around)
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


def _target(
    spot: Spot, unit: Unit, within: Callable[[str], bool] | None, around: tuple[Path | None, Path]
) -> str:
    """The folder of a skill that a link stands for; empty when the unit is none, or leads to no skill that is to be read.

    ``around``: the home directory and the project.
    """
    if not isinstance(unit.origin, NoteOrigin) or unit.origin.notes != (LINKED_SKILL,):
        return ""
    inner = unit.root.removeprefix(spot.label + "/")
    target = os.path.realpath(os.path.join(spot.real, inner))  # noqa: PTH118
    if (within is not None and not within(target)) or holds_more(target, *around):
        return ""
    try:
        names = {inner.name.lower() for inner in Path(target).iterdir()}
    except OSError:
        return ""
    return target if "skill.md" in names else ""


class _Settings(NamedTuple):
    """The settings that were read. ``states`` by the real path of the file."""

    units: tuple[Unit, ...]
    states: Mapping[str, PlaceState]


def _settings(groups: Mapping[str, list[Spot]], limits: Limits, owned: ExitStack) -> _Settings:
    """One unit for each agent and level that has settings."""  # 5
    members: dict[tuple[str, str], list[Member]] = {}
    states = {}
    for real, (spot, *_) in groups.items():
        if spot.place.holds not in FILES:
            continue
        member = read_file(spot, limits)
        states[real] = PlaceState.ABSENT
        if member is not None:
            states[real] = PlaceState.READ if member.data is not None else PlaceState.UNREADABLE
            members.setdefault((spot.place.agent, _root(spot)), []).append(member)
    units = tuple(
        Unit(name=f"{agent} settings", root=root, origin=_spooled(files, limits, owned))
        for (agent, root), files in members.items()
    )
    return _Settings(units=units, states=states)


def _root(spot: Spot) -> str:
    return spot.label.removesuffix("/" + spot.place.path) if spot.label[:1] in "~." else "/"


def _spooled(files: list[Member], limits: Limits, owned: ExitStack) -> SpoolOrigin:
    from sluicegate.vet.intake.unpack.spool import fill, source_budget

    spool = workplace(owned) / "spool"
    return SpoolOrigin(spool=str(spool), files=fill(spool, source_budget(limits), files))


def _looked(group: list[Spot], stock: _Stock | None, settings: _Settings) -> Looked:
    first = group[0]
    if first.place.holds in FILES:
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

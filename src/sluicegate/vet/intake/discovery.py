"""Which skills a source holds, decided by names alone.

1. Every topmost folder with a SKILL.md is a unit, and all beneath belongs to it. So is a folder whose name is
   that of such a one but for the case.
2. What is left belongs to the nearest plugin above it, or else to the source itself.
3. A plugin, or the source, is a unit of its own when an agent would load something of what is left to it;
   otherwise what is left is counted as unassigned. What may be unpacked to another place than its name says
   makes a unit of what is left, too.
4. A folder that could not be looked into, and a link where skills stand, is a unit too: it holds nothing
   but a gap, for there may be a skill behind it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from sluicegate.tuples import NamedTuple
from sluicegate.vet.intake.agent_files import FOLDERS, is_loaded, is_skill, plugin_root
from sluicegate.vet.intake.names import folded, heads


class Found(NamedTuple):
    """A path of a source. ``blocked``: a folder that could not be looked into. ``link``: a symbolic link.

    ``astray``: an archive that holds it may put it, or what it holds, somewhere else.
    """

    path: str
    link: bool = False
    blocked: bool = False
    astray: bool = False


class FoundUnit(NamedTuple):
    """A unit to be: the folder ``root``, without the folders and files in ``skip`` (paths below ``root``)."""

    root: str
    skip: tuple[str, ...]


class UnitPlan(NamedTuple):
    """The units in order of path, and how many files belong to none."""

    parts: tuple[FoundUnit, ...]
    unassigned: int


def discover(found: Sequence[Found], name: str) -> UnitPlan:
    """The units among the paths of a source called ``name``. The order of ``found`` does not matter."""
    skills = _topmost({_folder(f.path) for f in found if _marks_skill(f)})  # 1
    if skills == [""]:
        return UnitPlan(parts=(FoundUnit(root="", skip=()),), unassigned=0)
    outside = [f for f in found if not _within(f.path, skills)]
    twins = _twins(skills, outside)
    if twins:
        skills = _topmost({*skills, *twins})
        outside = [f for f in outside if not _within(f.path, skills)]
    beside = {_folder(root) for root in skills}
    blocked = sorted(f.path for f in outside if _hides_skill(f, beside, name))  # 4
    plugins = {root for f in found if not f.link and (root := plugin_root(f.path)) is not None}
    roots = sorted(root for root in plugins | {""} if not _within(root, skills))
    owned: dict[str, list[Found]] = {root: [] for root in roots}
    for f in outside:  # 2
        if not _within(f.path, blocked):
            owned[_owner(f.path, owned)].append(f)
    parts = [FoundUnit(root=root, skip=()) for root in [*skills, *blocked]]
    unassigned = 0
    for root, files in owned.items():  # 3
        if any(f.astray or _loads(f.path, root, name) for f in files):
            parts.append(FoundUnit(root=root, skip=_skipped(root, [*skills, *blocked, *roots])))
        else:
            unassigned += len(files)
    return UnitPlan(parts=tuple(sorted(parts, key=lambda part: part.root)), unassigned=unassigned)


def _marks_skill(f: Found) -> bool:
    return not f.blocked and is_skill(f.path.rpartition("/")[2]) and ".git" not in f.path.split("/")


def _twins(skills: Sequence[str], outside: Sequence[Found]) -> set[str]:
    """Folders that are one with a skill's where case does not count: their files come to stand in the skill."""
    known = {folded(root) for root in skills}
    folders = {_folder(f.path) for f in outside} - {""}
    twins = (next((head for head in heads(folder) if folded(head) in known), None) for folder in folders)
    return {twin for twin in twins if twin is not None}


def _hides_skill(f: Found, beside: set[str], name: str) -> bool:
    """Whether a skill may stand behind a path that cannot be looked into."""
    if f.blocked:
        return True
    folder = _folder(f.path)
    among_skills = (folder.rpartition("/")[2] or name) == "skills" or folder in beside
    return f.link and among_skills and "." not in f.path.rpartition("/")[2]


def _loads(path: str, root: str, name: str) -> bool:
    inner = path[len(root) + 1 :] if root else path
    return is_loaded(path, at_root=inner) or (not root and name.lower() in FOLDERS)


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _topmost(roots: set[str]) -> list[str]:
    """The folders that have no other of them above."""
    if "" in roots:
        return [""]
    return sorted(root for root in roots if not any(head in roots for head in heads(root) if head != root))


def _within(path: str, roots: Sequence[str]) -> bool:
    """Whether the path is one of the (sorted) folders or stands in one."""
    if not roots:
        return False
    return any(_holds(roots, head) for head in heads(path))


def _holds(roots: Sequence[str], path: str) -> bool:
    at = bisect_left(roots, path)
    return at < len(roots) and roots[at] == path


def _owner(path: str, owned: dict[str, list[Found]]) -> str:
    """The nearest root above the path, or the path itself: an archive can hold a file and a folder of one name."""
    while path not in owned:
        path = _folder(path)
    return path


def _skipped(root: str, others: Sequence[str]) -> tuple[str, ...]:
    """Of the other units, those below ``root``, as paths from there."""
    start = root + "/" if root else ""
    return tuple(sorted(other[len(start) :] for other in others if other != root and other.startswith(start)))

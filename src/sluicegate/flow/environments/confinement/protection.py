"""What no environment may touch, whatever roots it is granted: our own state, keys and configuration.

``hidden`` is never seen: the project's state folder, the folders of keys and trust. ``fixed`` may be seen and not
changed: configuration and policies in force. A path is recognised in a granted root by where it is and by what it
is, so another name for the same folder (a second mount) does not help.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from msgspec import Struct

from sluicegate.flow.environments.configuration.config import Roots
from sluicegate.flow.environments.confinement.roots import Mount, contains, mounts
from sluicegate.flow.environments.errors import EnvironmentConfigError, printable


class Protection(Struct, frozen=True, kw_only=True):
    """Paths of the host that stay ours. They need not exist."""

    hidden: tuple[Path, ...] = ()
    fixed: tuple[Path, ...] = ()


class Kept(Struct, frozen=True, kw_only=True):
    """A protected path as a root shows it: the root's path inside, and the names from there."""

    root: str
    write: bool
    names: tuple[str, ...]
    hidden: bool

    @property
    def inside(self) -> str:
        """The whole path inside."""
        return str(PurePosixPath(self.root).joinpath(*self.names))


def kept_in(roots: Roots, protection: Protection) -> tuple[Kept, ...]:
    """Every hidden path that one of the roots would show, and every fixed one that could be written.

    Raises ``EnvironmentConfigError`` for a root that is a hidden path or lies in one, and for one that may be
    written and is a fixed path or lies in one.
    """
    found: list[Kept] = []
    links_seen: dict[str, bool] = {}
    every = [(path, hidden, *_way(path, links_seen)) for path, hidden in _all(protection)]
    for inside, mount in mounts(roots).items():
        for path, hidden, real, links in every:
            if mount.write and any(contains(mount.host, link) for link in links):
                raise EnvironmentConfigError(
                    f"the way to '{printable(str(path))}', which is Sluicegate's own, leads over a link in a written root",
                    hint="a command could put another in its place; make it a folder, or grant another root",
                )
            if contains(real, mount.host) and (hidden or mount.write):
                raise EnvironmentConfigError(
                    f"the root '{printable(mount.host)}' is Sluicegate's own",
                    hint="no environment is granted its state, keys or configuration; grant another folder",
                )
            names = _names(mount, real)
            if names and (hidden or mount.write):
                found.append(Kept(root=inside, write=mount.write, names=names, hidden=hidden))
    return tuple(found)


def own_code() -> tuple[Path, ...]:
    """Where the code that guards is installed: for ``fixed``, so that what is guarded cannot change its guard."""
    return (Path(sys.prefix), Path(__file__).parents[3])


def _way(path: Path, seen: dict[str, bool]) -> tuple[str, list[str]]:
    """The real path of ``path``, and the links on the way to it, by where they are. ``seen`` is of others that were asked for."""
    found: list[str] = []
    for part in map(str, (path, *path.parents)):
        if part not in seen:
            seen[part] = os.path.islink(part)  # noqa: PTH114 - many of them for each command
        if seen[part]:
            found.append(part)
    if not found and path.is_absolute() and ".." not in path.parts:
        return str(path), []
    folders = [(os.path.realpath(os.path.dirname(link)), os.path.basename(link)) for link in found]  # noqa: PTH119, PTH120
    return os.path.realpath(path), [str(Path(*each)) for each in folders]


def _all(protection: Protection) -> Iterable[tuple[Path, bool]]:
    yield from ((path, True) for path in protection.hidden)
    yield from ((path, False) for path in protection.fixed)


def _names(mount: Mount, real: str) -> tuple[str, ...]:
    """The names that lead from the root to ``real``, or none when it is not in there."""
    parts = PurePosixPath(real).parts[1:]
    if contains(mount.host, real):
        return parts[len(PurePosixPath(mount.host).parts) - 1 :]
    own = _number(real)
    if own is not None:
        for start in range(len(parts)):
            if _number("/".join((mount.host, *parts[start:]))) == own:
                return parts[start:]
    return ()


def _number(path: str) -> tuple[int, int] | None:
    """Which file or folder stands under a path; None for nothing."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino

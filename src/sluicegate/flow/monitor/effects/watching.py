"""The folders that are watched for what commands change in them, from one command to the next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sluicegate.flow.environments.configuration.config import BUBBLEWRAP, EnvironmentConfig
from sluicegate.flow.monitor.parts import Parts

if TYPE_CHECKING:
    from sluicegate.flow.environments.changes.inventory import WatchedFolder
    from sluicegate.flow.environments.changes.watched import Watched
    from sluicegate.record.files.names import DirectoryNames, Listed


def watched_for(parts: Parts, config: EnvironmentConfig) -> Watched | None:
    """The places in which a command may change files: its roots; where it is not confined, those in which every file should
    be known. None where there are none, or nobody asks."""
    from sluicegate.flow.environments.changes.effects import roots_of
    from sluicegate.flow.environments.changes.watched import Watched, tells_all

    if parts.files is None:
        return None
    roots = roots_of(config, parts.files.tracked)
    if not roots:
        return None
    place = (roots, tells_all(config))
    if place not in parts.watched:
        parts.watched.clear()  # one at a time: watches are not without number
        parts.watched[place] = Watched(
            roots, (str(path.resolve()) for path in parts.protected.places), tells_all=tells_all(config)
        )
    return parts.watched[place]


@contextmanager
def names_known(parts: Parts) -> Iterator[Listed]:
    """The names below directories, as far as they are watched: nobody has to look again.

    Where commands run in the sandbox, they are read to be watched when they are first asked for, since the next command would do so.
    Elsewhere many a monitor is asked once, and runs nothing.
    """
    config = parts.environment
    if not parts.watched and config.provider != BUBBLEWRAP:
        yield lambda path: None
        return
    from sluicegate.flow.environments.changes.watched import tells_all

    watched = watched_for(parts, config) if tells_all(config) else next(iter([*parts.watched.values()]), None)
    if watched is None:
        yield lambda path: None
        return
    with watched.names(begin=tells_all(config)) as inventory:

        def listed(path: str) -> list[DirectoryNames] | None:
            if inventory is None or path not in inventory.folders:
                return None
            return [_names_in(at, folder) for at, folder in inventory.below(path)]

        yield listed


def _names_in(path: str, folder: WatchedFolder) -> DirectoryNames:
    """The names in a folder, as they were made of it before if they are the same."""
    from sluicegate.record.files.names import DirectoryNames

    told = folder.told
    if not isinstance(told, DirectoryNames) or told.path != path:
        regular = folder.regular
        told = DirectoryNames(
            path, folder.device, regular, frozenset(folder.special), frozenset(regular.values())
        )
        folder.told = told
    return told

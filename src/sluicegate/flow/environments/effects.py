"""What a command changed in the folders it may write: so that the files can be given the labels of the command.

The folders are listed before and after, and the two lists compared. A file is taken for changed when its inode, size,
mode or times differ. The time of its inode (ctime) cannot be set by a program, so a forged modification time does not
help; but its clock ticks coarsely, so a file whose inode was changed shortly before the first listing is always taken
for changed. That is too much rather than too little.

Listing is bounded. Where the bound is reached, or a folder cannot be read, the root is named in ``incomplete``, and
whoever labels must treat the whole root as changed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from time import time_ns
from typing import Final, NamedTuple

from msgspec import Struct

from sluicegate.flow.environments.config import EnvironmentConfig

MOST: Final = 200_000
"""Entries listed in all roots together."""

_UNSURE: Final = 20_000_000  # nanoseconds: twice the coarsest tick of a kernel's clock


class Facts(NamedTuple):
    """What is compared of an entry that is no folder: nanoseconds, bytes."""

    device: int
    inode: int
    mode: int
    size: int
    modified: int
    changed: int


class Listing(Struct, frozen=True, kw_only=True):
    """The files, links and other entries below ``roots``, by host path; when (ns), and the roots of which something
    is missing."""

    roots: frozenset[str]
    entries: dict[str, Facts]
    folders: frozenset[str]
    taken: int
    incomplete: frozenset[str]


class Changes(Struct, frozen=True, kw_only=True):
    """Host paths, sorted. ``incomplete`` roots must be treated as changed throughout."""

    created: tuple[str, ...]
    modified: tuple[str, ...]
    deleted: tuple[str, ...]
    incomplete: tuple[str, ...]


def snapshot_roots(
    config: EnvironmentConfig,
    *,
    places: Iterable[Path] = (),
    without: Iterable[Path] = (),
    most: int = MOST,
    clock: Callable[[], int] = time_ns,
) -> Listing:
    """The entries below the roots that ``config`` lets a command write; links are listed and not followed.

    ``without`` are paths that no command can write, our own state: they change meanwhile, and are left out. An
    environment that is not confined (``roots`` None) has no roots: ``places`` are listed then, and without any
    everything is incomplete, as "/".
    """
    taken = clock()
    if config.roots is not None:
        roots = {root.host for root in config.roots.write}
    else:
        roots = {str(place.resolve()) for place in places}
    if config.roots is None and not roots:
        every = frozenset("/")
        return Listing(roots=every, entries={}, folders=frozenset(), taken=taken, incomplete=every)
    entries: dict[str, Facts] = {}
    folders: set[str] = set()
    incomplete: set[str] = set()
    left_out = frozenset(str(path.resolve()) for path in without)
    for root in sorted(roots):
        for path, facts in _walk(root, left_out):
            if len(entries) + len(folders) >= most or facts is None:
                incomplete.add(root)
                if facts is None:
                    continue
                break
            if stat.S_ISDIR(facts.mode):
                folders.add(path)
            else:
                entries[path] = facts
    return Listing(
        roots=frozenset(roots),
        entries=entries,
        folders=frozenset(folders),
        taken=taken,
        incomplete=frozenset(incomplete),
    )


def changed_files(before: Listing, after: Listing) -> Changes:
    """What differs between two listings of the same roots."""
    created = [path for path in after.entries if path not in before.entries]
    created += [path for path in after.folders if path not in before.folders]
    modified = [
        path
        for path, facts in after.entries.items()
        if path in before.entries
        and (before.entries[path] != facts or facts.changed > before.taken - _UNSURE)
    ]
    deleted = [path for path in before.entries if path not in after.entries]
    deleted += [path for path in before.folders if path not in after.folders]
    return Changes(
        created=tuple(sorted(created)),
        modified=tuple(sorted(modified)),
        deleted=tuple(sorted(deleted)),
        incomplete=tuple(sorted(before.incomplete | after.incomplete)),
    )


def _walk(root: str, left_out: frozenset[str]) -> Iterator[tuple[str, Facts | None]]:
    """Every entry below ``root``, folders before what is in them; None for one that cannot be read."""
    try:
        first = Path(root).lstat()
    except OSError:
        yield root, None
        return
    if not stat.S_ISDIR(first.st_mode):
        yield root, _facts(first)
        return
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(folder) as found:
                for entry in found:
                    if entry.path in left_out:
                        continue
                    status = entry.stat(follow_symlinks=False)
                    yield entry.path, _facts(status)
                    if stat.S_ISDIR(status.st_mode):
                        waiting.append(entry.path)
        except OSError:
            yield folder, None


def _facts(status: os.stat_result) -> Facts:
    return Facts(
        status.st_dev, status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns
    )

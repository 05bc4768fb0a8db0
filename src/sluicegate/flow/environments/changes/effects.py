"""What a command changed in the folders it may write: so that the files can be given the labels of the command.

The folders are listed after the command, and compared with what was there before. A file is taken for changed when its
inode, size, mode or times differ. The time of its inode (ctime) cannot be set by a program, so a forged modification
time does not help; but its clock ticks coarsely, so a file whose inode was changed shortly before the command is always
taken for changed. That is too much rather than too little. The beginning of a command is told by the clock of the files
(``file_clock``): another one is ahead of it, on a busy machine by more than any bound that could be named.

What was there before is a listing made for this command, or the one made after the command before it (``again``). With
an older one, what differs may have been changed by somebody else in between:

1. What has a ctime of before the command was not changed by it, for there is no way to set that time; renaming sets it.
2. But a folder that is renamed brings what is in it, and that keeps its times. So what stands under a path is of the
   command, too, if its folder came there since: it is not the folder that was listed there, and has itself a later ctime,
   or stands in such a folder. The folders that were listed are looked at again before the command: where one is not
   there any more, or is another, the old listing is of no use.
3. That needs a file system that tells ctime by this machine's clock and sets it when a file is renamed (``usable_again``),
   and a clock that was not set while the command ran. Where it was, everything that differs is taken for changed.

Listing is bounded. Where the bound is reached, or a folder cannot be read, the root is named in ``incomplete``, and
whoever labels must treat the whole root as changed.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from sluicegate.flow.environments.configuration.config import EnvironmentConfig
from sluicegate.record.files.mounts import mounts

MOST: Final = 200_000
"""Entries listed in all roots together."""

UNSURE: Final = 20_000_000  # nanoseconds: twice the coarsest tick of a kernel's clock
_REALTIME_COARSE: Final = 5
"""Linux's number for the clock of which files have their times: that of the last tick (clock_gettime(2))."""
STEP: Final = 1_000_000  # nanoseconds by which a clock may seem to be set, for it is read twice
_LOCAL: Final = frozenset({"ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "tmpfs", "overlay"})
"""File systems whose ctime is of this machine's clock, and of which a rename sets the ctime of what is renamed."""

Facts = tuple[int, int, int, int, int, int]
"""What is compared of an entry that is not a folder: device, inode, mode, size, and the times of its content and its
inode in nanoseconds. A plain tuple: there are as many as there are files."""
_CHANGED: Final = 5


class Listing(Struct, frozen=True, kw_only=True):
    """The files, links and other entries below ``roots``, by host path, and the roots of which something is missing.

    ``folders`` have their device, inode and ctime, the roots that are folders among them. ``taken`` is when it was listed, ``since`` the
    moment from which changes are asked for, ``offset`` how far the clock was then ahead of the time since the start of
    the machine (all ns).
    """

    roots: frozenset[str]
    entries: dict[str, Facts]
    folders: dict[str, tuple[int, int, int]]
    devices: frozenset[int]
    taken: int
    since: int
    offset: int
    incomplete: frozenset[str]

    def again(self, *, clock: Callable[[], int] | None = None) -> Listing | None:
        """The same listing, for changes from now on; None where a folder has since become another one (2)."""
        since, offset = (clock or file_clock)(), clock_offset()
        try:
            for path, (device, inode, _) in self.folders.items():
                status = os.lstat(path)
                if status.st_ino != inode or status.st_dev != device:
                    return None
        except OSError:
            return None
        return replace(self, since=since, offset=offset)


class Changes(Struct, frozen=True, kw_only=True):
    """Host paths, sorted. ``incomplete`` roots must be treated as changed throughout. ``deleted`` may have been so before
    the command, where the first listing is older."""

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
    clock: Callable[[], int] | None = None,
) -> Listing:
    """The entries below the roots that ``config`` lets a command write; links are listed and not followed.

    ``without`` are paths that no command can write, our own state: they change meanwhile, and are left out. An
    environment that is not confined (``roots`` None) has no roots: ``places`` are listed then, and without any
    everything is incomplete, as "/".
    """
    taken, offset = (clock or file_clock)(), clock_offset()
    roots = set(roots_of(config, places))
    walk = _Walk(frozenset(str(path.resolve()) for path in without), most)
    if config.roots is None and not roots:
        roots = {"/"}
        walk.incomplete.add("/")
    else:
        for root in sorted(roots):
            walk.root(root)
    return Listing(
        roots=frozenset(roots),
        entries=walk.entries,
        folders=walk.folders,
        devices=frozenset(walk.devices),
        taken=taken,
        since=taken,
        offset=offset,
        incomplete=frozenset(walk.incomplete),
    )


def listing_of(roots: Iterable[str], *, without: Iterable[Path] = (), most: int = MOST) -> Listing:
    """The entries below some directories as they are now, links not followed, ``without`` left out."""
    taken, offset = file_clock(), clock_offset()
    walk = _Walk(frozenset(str(path.resolve()) for path in without), most)
    for root in sorted(set(roots)):
        walk.root(root)
    return Listing(
        roots=frozenset(roots),
        entries=walk.entries,
        folders=walk.folders,
        devices=frozenset(walk.devices),
        taken=taken,
        since=taken,
        offset=offset,
        incomplete=frozenset(walk.incomplete),
    )


def roots_of(config: EnvironmentConfig, places: Iterable[Path] = ()) -> frozenset[str]:
    """What is listed: the roots that may be written, or ``places`` where a command is not confined."""
    if config.roots is not None:
        return frozenset(root.host for root in config.roots.write)
    return frozenset(str(place.resolve()) for place in places)


def changed_files(before: Listing, after: Listing) -> Changes:
    """What differs between two listings of the same roots."""
    by_then = before.since - UNSURE
    if before.since != before.taken and abs(after.offset - before.offset) < STEP:  # 3
        created, modified = _changed_since(by_then, before, after)
    else:
        known = before.entries
        created = [path for path in after.entries if path not in known]
        created += [path for path in after.folders if path not in before.folders]
        modified = [
            path
            for path, facts in after.entries.items()
            if path in known and (known[path] != facts or facts[_CHANGED] > by_then)
        ]
    deleted = [path for path in before.entries if path not in after.entries]
    deleted += [path for path in before.folders if path not in after.folders]
    return Changes(
        created=tuple(sorted(created)),
        modified=tuple(sorted(modified)),
        deleted=tuple(sorted(deleted)),
        incomplete=tuple(sorted(before.incomplete | after.incomplete)),
    )


def changed_since(before: Listing, after: Listing) -> Changes | None:
    """What was changed since a listing of which the folders alone are known: every file counts as created. None where times do not tell
    (3), or something could not be listed."""
    if abs(after.offset - before.offset) >= STEP or not usable_again(after):
        return None
    created, modified = _changed_since(before.since - UNSURE, before, after)
    return Changes(
        created=tuple(sorted(created)), modified=tuple(sorted(modified)), deleted=(), incomplete=()
    )


def _changed_since(by_then: int, before: Listing, after: Listing) -> tuple[list[str], list[str]]:
    """What was created and what modified later than ``by_then``, though the first listing is older."""
    came: dict[str, bool] = {}

    def came_since(folder: str) -> bool:
        """Whether a folder came to its path since (2)."""
        found = came.get(folder)
        if found is None:
            is_now, was = after.folders.get(folder), before.folders.get(folder)
            if is_now is None:  # above the roots
                found = False
            elif was is not None and was[:2] == is_now[:2]:
                found = False
            else:
                found = folder in after.roots or is_now[2] > by_then or came_since(_folder_of(folder))
            came[folder] = found
        return found

    created: list[str] = []
    modified: list[str] = []
    for path, facts in after.entries.items():
        was = before.entries.get(path)
        if facts[_CHANGED] > by_then or (
            (was is None or was[:2] != facts[:2]) and came_since(_folder_of(path))
        ):
            (created if was is None else modified).append(path)
    for path, (_, _, changed) in after.folders.items():
        if path not in before.folders and (changed > by_then or came_since(_folder_of(path))):
            created.append(path)
    return created, modified


def _folder_of(path: str) -> str:
    return path.rpartition("/")[0] or "/"


def usable_again(listing: Listing) -> bool:
    """Whether a listing serves for a later command, too (3): it is whole, and on file systems that are known to do."""
    return not listing.incomplete and listing.devices <= local_devices()


def file_clock() -> int:
    """The time that a file would get now, in nanoseconds; nothing that is done later gets an earlier one."""
    return time.clock_gettime_ns(_REALTIME_COARSE) if sys.platform == "linux" else time.time_ns()


def clock_offset() -> int:
    """How far the clock is ahead of the time since the start of the machine; it changes when the clock is set."""
    since_start = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.time_ns() - time.clock_gettime_ns(since_start)


def local_devices(kinds: frozenset[str] = _LOCAL) -> frozenset[int]:
    """The devices of the mounted file systems that are of these kinds; none where nobody tells."""
    return frozenset(each.device for each in mounts() if each.kind in kinds)


class _Walk:
    """The listing of roots, as far as the bound goes."""

    def __init__(self, left_out: frozenset[str], most: int) -> None:
        self._left_out, self._room = left_out, most
        self.entries: dict[str, Facts] = {}
        self.folders: dict[str, tuple[int, int, int]] = {}
        self.devices: set[int] = set()
        self.incomplete: set[str] = set()

    def root(self, root: str) -> None:
        """List what is below a root, or the root itself if it is not a folder."""
        try:
            first = Path(root).lstat()
        except OSError:
            self.incomplete.add(root)
            return
        self.devices.add(first.st_dev)
        if not stat.S_ISDIR(first.st_mode):
            if self._room <= 0:
                self.incomplete.add(root)
                return
            self._room -= 1
            self.entries[root] = facts_of(first)
            return
        self.folders[root] = (first.st_dev, first.st_ino, first.st_ctime_ns)
        waiting = [root]
        while waiting:
            folder = waiting.pop()
            try:
                waiting += self._folder(folder)
            except OSError:
                self.incomplete.add(root)
            if self._room < 0:
                self.incomplete.add(root)
                return

    def _folder(self, folder: str) -> list[str]:
        """List one folder; the folders in it. Raises OSError for one that cannot be read."""
        below: list[str] = []
        start = folder if folder.endswith("/") else f"{folder}/"
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            for name in os.listdir(opened):  # noqa: PTH208 - of an open folder: quicker by a third than by path
                path = start + name
                if path in self._left_out:
                    continue
                self._room -= 1
                if self._room < 0:
                    return []
                status = os.stat(name, dir_fd=opened, follow_symlinks=False)
                if status.st_mode & 0o170000 == stat.S_IFDIR:
                    self.folders[path] = (status.st_dev, status.st_ino, status.st_ctime_ns)
                    self.devices.add(status.st_dev)
                    below.append(path)
                else:
                    self.entries[path] = facts_of(status)
        finally:
            os.close(opened)
        return below


def facts_of(status: os.stat_result) -> Facts:
    """What is compared of an entry that is not a folder."""
    return (
        status.st_dev,
        status.st_ino,
        status.st_mode,
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
    )

"""The names of the files below a directory, links followed: each directory once."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from sluicegate.record.files.mounts import mounts

_NUMBERED = frozenset({"ext2", "ext3", "ext4", "xfs", "f2fs", "tmpfs"})
"""Kinds of file systems whose directories have the numbers that ``stat`` tells."""


class DirectoryNames(NamedTuple):
    """A directory by its real path, or a part of it: its device, its regular files with the numbers of their inodes, and
    the names of what is neither that nor a directory (links, pipes). ``numbers`` are those of the files once more, where somebody
    keeps them."""

    path: str
    device: int
    files: Mapping[str, int]
    others: Collection[str] = ()
    numbers: frozenset[int] | None = None

    def has_any(self, inodes: frozenset[int] | set[int]) -> bool:
        """Whether one of the files has one of these numbers."""
        return not inodes.isdisjoint(self.files.values() if self.numbers is None else self.numbers)

    def join(self, name: str) -> str:
        """The path of a name."""
        return f"{self.path}{name}" if self.path.endswith("/") else f"{self.path}/{name}"


Listed = Callable[[str], Iterable[DirectoryNames] | None]
"""Somebody who may know of a directory what is in it and in all below it, without looking; None of one that is not known."""


class TooManyNames(Exception):
    """There are more entries than were to be looked at, or some cannot be."""


def directories_below(
    folder: str, *, without: Collection[str], listed: Listed, most: int
) -> list[DirectoryNames]:
    """The directory at a real path and all below it, and where links in them lead, ``without`` left out. Raises ``TooManyNames``."""
    return list(_within(folder, without, listed, most))


def _within(folder: str, without: Collection[str], listed: Listed, most: int) -> Iterator[DirectoryNames]:
    waiting, seen = [folder], set[str]()
    reader = _Reader(without, waiting)
    while waiting:
        top = waiting.pop()
        if top in seen:
            continue
        known = listed(top)
        for one in known if known is not None else reader.read(top):
            if one.path in seen:
                continue
            most -= 1 + len(one.files) + len(one.others)
            if most < 0:
                raise TooManyNames
            yield one
            for name in one.others:
                yield from _followed(one.join(name), without, waiting)
        seen.add(top)
        if known is not None:
            seen.update(one.path for one in known)


class _Reader:
    """Reads directories one by one; those in them are put to ``waiting``.

    A directory has the number of each inode beside its name. On file systems of some kinds that is the number of the file, if nothing
    is mounted there; elsewhere each file is asked for it.
    """

    def __init__(self, without: Collection[str], waiting: list[str]) -> None:
        self._without, self._waiting = without, waiting
        self._mounted: frozenset[str] | None = None
        self._plain = frozenset[int]()

    def read(self, folder: str) -> list[DirectoryNames]:
        """One directory. Raises ``TooManyNames``."""
        if self._mounted is None:
            told = mounts()
            self._mounted = frozenset(each.path for each in told)
            self._plain = frozenset(each.device for each in told if each.kind in _NUMBERED)
        start = folder if folder.endswith("/") else f"{folder}/"
        others: list[str] = []
        try:
            device = os.lstat(folder).st_dev
            files: dict[int, dict[str, int]] = {device: {}}
            own = files[device]
            plain = device in self._plain
            with os.scandir(folder) as entries:
                for entry in entries:
                    path = start + entry.name
                    if path in self._without:
                        continue
                    if entry.is_file(follow_symlinks=False):
                        if plain and path not in self._mounted:
                            own[entry.name] = entry.inode()
                            continue
                        try:
                            status = entry.stat(follow_symlinks=False)
                        except FileNotFoundError:  # gone meanwhile
                            continue
                        files.setdefault(status.st_dev, {})[entry.name] = status.st_ino
                    elif entry.is_dir(follow_symlinks=False):
                        self._waiting.append(path)
                    else:
                        others.append(entry.name)
        except OSError:
            raise TooManyNames from None
        found = [DirectoryNames(folder, device, own, others)]
        found += [DirectoryNames(folder, other, them) for other, them in files.items() if other != device]
        return found


def _followed(path: str, without: Collection[str], waiting: list[str]) -> Iterator[DirectoryNames]:
    """Where a link leads: a file is given, a directory put to ``waiting``."""
    real = os.path.realpath(path)
    try:
        status = os.lstat(real)
    except OSError:  # gone meanwhile, or a link to nothing
        return
    if real in without:
        return
    if stat.S_ISDIR(status.st_mode):
        waiting.append(real)
    elif stat.S_ISREG(status.st_mode):
        folder, name = os.path.split(real)
        yield DirectoryNames(folder, status.st_dev, {name: status.st_ino})


def outermost(folder: str, directories: Iterable[DirectoryNames]) -> list[str]:
    """``folder`` and those of the directories that do not lie in it."""
    start = f"{folder.rstrip('/')}/"
    others = (one.path for one in directories if one.path != folder and not one.path.startswith(start))
    return list(dict.fromkeys((folder, *others)))

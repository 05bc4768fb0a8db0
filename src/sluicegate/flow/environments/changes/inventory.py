"""The names below some folders, and the watch on each of these folders by which they stay known.

Each folder is opened without following links, watched, and read, in this order: so what comes to it meanwhile is told of.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Mapping
from typing import Final

from sluicegate.flow.environments.changes.fanotify import Untold, WatchGroup
from sluicegate.tuples import NamedTuple

_GONE: Final = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class KnownPath(NamedTuple):
    """What stands under a path: a folder or something else, and which."""

    folder: bool
    device: int
    inode: int


class WatchedFolder:
    """A watched folder: which it is, how events name it, and what is in it."""

    __slots__ = ("device", "files", "folders", "handle", "inode", "special", "told")

    def __init__(self, device: int, inode: int, handle: bytes) -> None:
        self.device, self.inode, self.handle = device, inode, handle
        self.files: dict[str, int] = {}
        """The entries that are not folders, with the numbers of their inodes."""
        self.special: set[str] = set()
        """Those of them that are not regular files: links and pipes, say."""
        self.folders: dict[str, int] = {}
        """The folders in it, likewise. Where a file system is mounted on one, the number is another's."""
        self.told: object = None
        """What somebody else made of the files in it; nothing once they are others."""

    @property
    def regular(self) -> dict[str, int]:
        """Those of the files that are regular ones."""
        if not self.special:
            return self.files
        return {name: inode for name, inode in self.files.items() if name not in self.special}

    @property
    def known(self) -> KnownPath:
        return KnownPath(True, self.device, self.inode)


class Inventory:
    """Folders by their paths. On ``mounted`` ones something else is mounted; ``devices`` are those where numbers and times
    of files mean what they should; of more than ``most`` entries none is kept."""

    def __init__(
        self,
        group: WatchGroup,
        *,
        left_out: frozenset[str],
        mounted: frozenset[str],
        devices: frozenset[int],
        most: int,
    ) -> None:
        self._group, self._left_out, self._mounted, self._devices = group, left_out, mounted, devices
        self._room = most
        self._paths: dict[bytes, str] = {}
        self.folders: dict[str, WatchedFolder] = {}

    def known(self, path: str) -> KnownPath | None:
        """What stands under a path, as far as events were taken in."""
        return known_in(self.folders, path)

    def still_there(self, path: str) -> bool:
        """Whether the folder that is known stands at its path. Raises ``Untold`` and ``OSError``."""
        opened = os.open(path, _FOLDER)
        try:
            return self._group.handle(opened, os.fstat(opened)) == self.folders[path].handle
        finally:
            os.close(opened)

    def path_of(self, handle: bytes) -> str | None:
        """Where the folder stands that events name so; None for one that is here no more."""
        return self._paths.get(handle)

    def holds(self, inodes: set[int]) -> Iterator[str]:
        """The paths of these files."""
        for path, folder in self.folders.items():
            if not inodes.isdisjoint(folder.files.values()):
                yield from (join(path, name) for name, inode in folder.files.items() if inode in inodes)

    def put(self, path: str, status: os.stat_result | None) -> None:
        """Note that this file, or nothing, stands now under a path, whose folder is known."""
        where, name = split(path)
        folder = self.folders[where]
        folder.told = None
        folder.special.discard(name)
        if status is None:
            folder.files.pop(name, None)
            return
        folder.files[name] = status.st_ino
        if not stat.S_ISREG(status.st_mode):
            folder.special.add(name)

    def below(self, top: str) -> Iterator[tuple[str, WatchedFolder]]:
        """A folder and all below it, with their paths; none where it is not known."""
        waiting = [top] if top in self.folders else []
        while waiting:
            path = waiting.pop()
            folder = self.folders[path]
            yield path, folder
            waiting += [each for name in folder.folders if (each := join(path, name)) in self.folders]

    def add(self, top: str) -> list[str]:
        """Read and watch a folder and all below it; all paths there. Raises ``Untold`` and ``OSError``."""
        found = [top]
        waiting = [top]
        if around := self.folders.get(split(top)[0]):
            around.folders[split(top)[1]] = 0
        while waiting:
            path = waiting.pop()
            around = self.folders.get(split(path)[0])
            try:
                folder = self._read(path)
            except OSError as error:
                if around is None or error.errno not in _GONE:
                    raise
                around.folders.pop(split(path)[1], None)  # its event waits already
                continue
            found += [join(path, name) for name in folder.files]
            below = [join(path, name) for name in folder.folders]
            found += below
            waiting += below
        return found

    def remove(self, top: str) -> Iterator[tuple[str, KnownPath]]:
        """Forget a folder and all below it; what was known of it."""
        if where := self.folders.get(split(top)[0]):
            where.folders.pop(split(top)[1], None)
        waiting = [top]
        while waiting:
            path = waiting.pop()
            folder = self.folders.pop(path)
            del self._paths[folder.handle]
            self._room += 1 + len(folder.files)
            yield path, folder.known
            for name, inode in folder.files.items():
                yield join(path, name), KnownPath(False, folder.device, inode)
            waiting += [join(path, name) for name in folder.folders]

    def _read(self, path: str) -> WatchedFolder:
        opened = os.open(path, _FOLDER)
        try:
            status = os.fstat(opened)
            handle = self._group.watch(opened, status)
            if status.st_dev not in self._devices or handle in self._paths:  # of two paths one would be told
                raise Untold
            folder = WatchedFolder(status.st_dev, status.st_ino, handle)
            with os.scandir(opened) as entries:
                for each in entries:
                    if join(path, each.name) in self._left_out:
                        continue
                    if each.is_dir(follow_symlinks=False):
                        folder.folders[each.name] = each.inode()
                        continue
                    folder.files[each.name] = each.inode()
                    if not each.is_file(follow_symlinks=False):
                        folder.special.add(each.name)
        finally:
            os.close(opened)
        self._as_listed(path, folder)
        self._room -= 1 + len(folder.files)
        if self._room < 0:
            raise Untold
        self.folders[path] = folder
        self._paths[handle] = path
        return folder

    def _as_listed(self, path: str, folder: WatchedFolder) -> None:
        """Whether the number that its folder's list has for a folder is its own: so that those of files are. Raises ``Untold``."""
        where, name = split(path)
        around = self.folders.get(where)
        listed = around.folders.get(name) if around is not None else None
        if listed and listed != folder.inode and path not in self._mounted:
            raise Untold


def known_in(folders: Mapping[str, WatchedFolder], path: str) -> KnownPath | None:
    """What stands under a path, by folders and what is in them; None for nothing."""
    folder = folders.get(path)
    if folder is not None:
        return folder.known
    where, name = split(path)
    around = folders.get(where)
    inode = None if around is None else around.files.get(name)
    return None if around is None or inode is None else KnownPath(False, around.device, inode)


def join(folder: str, name: str) -> str:
    """The path of a name in a folder."""
    return f"{folder}{name}" if folder.endswith("/") else f"{folder}/{name}"


def split(path: str) -> tuple[str, str]:
    """The folder and the name of a path."""
    folder, _, name = path.rpartition("/")
    return folder or "/", name


def below(path: str, root: str) -> bool:
    """Whether a path is a root or below it."""
    return path == root or path.startswith(root if root.endswith("/") else f"{root}/")

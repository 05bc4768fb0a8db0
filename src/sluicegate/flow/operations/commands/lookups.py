"""Looking at a file system, as an argument: what deciding about programs and paths needs to know of it."""

from __future__ import annotations

import os
import stat
from typing import Final, Protocol

from msgspec import Struct


class PathEntry(Struct, frozen=True):
    """What stands at one path, links not followed.

    ``kind`` is ``file``, ``directory``, ``link`` or ``other``; ``mode`` the permission bits; ``identity``
    changes whenever the file is another one or was changed (device, inode, size, modified, changed, in
    nanoseconds).
    """

    kind: str
    mode: int
    device: int
    inode: int
    names: int
    identity: tuple[int, ...] = ()


class Lookups(Protocol):
    """A file system, read only. Paths are absolute. Nothing here raises: what cannot be seen is None or
    empty.
    """

    def entry(self, path: str) -> PathEntry | None:
        """What stands at the path, without following a link at its end."""

    def target(self, path: str) -> str | None:
        """What the link at the path says."""

    def names(self, path: str) -> tuple[str, ...]:
        """The names in the directory at the path."""

    def head(self, path: str, count: int) -> bytes:
        """The first ``count`` bytes of the regular file at the path."""


_KINDS: Final = ((stat.S_ISREG, "file"), (stat.S_ISDIR, "directory"), (stat.S_ISLNK, "link"))


class Disk:
    """The file system of this machine, as this process sees it."""

    __slots__ = ()

    def entry(self, path: str) -> PathEntry | None:
        try:
            found = os.lstat(path)
        except (OSError, ValueError):
            return None
        kind = next((name for test, name in _KINDS if test(found.st_mode)), "other")
        identity = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
        return PathEntry(
            kind, stat.S_IMODE(found.st_mode), found.st_dev, found.st_ino, found.st_nlink, identity
        )

    def target(self, path: str) -> str | None:
        try:
            return os.readlink(path)  # noqa: PTH115 - paths here are plain text
        except (OSError, ValueError):
            return None

    def names(self, path: str) -> tuple[str, ...]:
        try:
            return tuple(os.listdir(path))  # noqa: PTH208 - names only, and paths here are plain text
        except (OSError, ValueError):
            return ()

    def head(self, path: str, count: int) -> bytes:
        try:
            file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
        except (OSError, ValueError):
            return b""
        try:
            return os.read(file, count) if stat.S_ISREG(os.fstat(file).st_mode) else b""
        except OSError:
            return b""
        finally:
            os.close(file)


DISK: Final = Disk()

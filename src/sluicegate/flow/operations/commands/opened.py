"""Opening the very file that was checked.

A path is checked, and later opened; in between, someone may put a link where a directory was. So a path is
opened from a directory that is held open, one component after the other, and no component may be a link: what
was checked has none left (``paths.real``), so a link on the way means that the path is another one now, and
nothing is opened.

1. Each component but the last is opened as a directory, relative to the one before, links refused.
2. The last one is opened links refused, and without waiting (a named pipe would block).
3. What was opened is looked at, not what the path says: it is a regular file; for writing it has one name,
   because a file with several is also another file; only then is it cut to nothing, if it is to be replaced.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Final, Literal, final

from sluicegate.flow.errors import CommandError

Mode = Literal["read", "write", "append", "create"]

MOST_BYTES: Final = 64 * 1024 * 1024
"""What ``read`` takes at most, unless told otherwise."""

_DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FLAGS: Final[dict[Mode, int]] = {
    "read": os.O_RDONLY,
    "write": os.O_WRONLY | os.O_CREAT,
    "append": os.O_WRONLY | os.O_CREAT | os.O_APPEND,
    "create": os.O_WRONLY | os.O_CREAT | os.O_EXCL,
}
_CHANGED: Final = frozenset({errno.ELOOP, errno.ENOTDIR})


@final
class OpenedPath:
    """A file, open. ``identity`` is its device and number; ``path`` the path it was opened by.

    Use it as a context manager, or ``close`` it.
    """

    __slots__ = ("_fd", "identity", "names", "path")

    def __init__(self, fd: int, path: str) -> None:
        found = os.fstat(fd)
        self._fd, self.path = fd, path
        self.identity = (found.st_dev, found.st_ino)
        self.names = found.st_nlink

    @property
    def fd(self) -> int:
        """The descriptor; it stays this object's to close."""
        return self._fd

    def read(self, most: int = MOST_BYTES) -> bytes:
        """The content. Raises CommandError if it is more than ``most`` bytes, OSError where reading fails."""
        parts: list[bytes] = []
        left = most + 1
        while left and (part := os.read(self._fd, min(left, 1 << 20))):
            parts.append(part)
            left -= len(part)
        if not left:
            raise CommandError(
                f"a file is larger than {most} bytes", hint="read a part of it, or raise the limit"
            )
        return b"".join(parts)

    def write(self, content: bytes) -> None:
        """Write all of it. Raises OSError where writing fails."""
        view = memoryview(content)
        while view:
            view = view[os.write(self._fd, view) :]

    def close(self) -> None:
        """Close it; once is enough, and more does no harm."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> OpenedPath:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_path(
    path: str, mode: Mode, *, root: str = "/", permissions: int = 0o666, several_names: bool = False
) -> OpenedPath:
    """Open a settled path (``paths.real``) that lies in ``root`` (real as well).

    ``write`` replaces the content, ``append`` adds to it, ``create`` needs that there is none.
    ``several_names`` lets a file with more than one name be written. Raises CommandError if the path leads
    elsewhere than it was checked to, is not a regular file, or has several names; OSError as ``os.open`` does
    (no such file, no permission, no space).
    """
    with _parent(path, root) as (directory, name):  # 1
        try:
            fd = os.open(
                name,
                _FLAGS[mode] | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC,
                permissions,
                dir_fd=directory,
            )  # 2
        except OSError as error:
            raise _changed(error) from None
    try:
        _look(fd, mode, several_names=several_names)  # 3
        return OpenedPath(fd, path)
    except BaseException:
        os.close(fd)
        raise


def replace(
    path: str,
    content: bytes,
    *,
    root: str = "/",
    permissions: int = 0o666,
    known: Callable[[int], None] | None = None,
) -> None:
    """Put ``content`` at a settled path in one step: whoever reads it sees the old file or the new one.

    The file gets a new number, so other names of an old one keep the old content. ``known`` is called with
    the new file's descriptor before it gets its name; if it raises, nothing has changed. Raises as
    ``open_path``.
    """
    with _parent(path, root) as (directory, name):
        old = _replaceable(directory, name)
        temporary = f".{name[:64]}.{os.getpid()}.{os.urandom(6).hex()}"
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        fd = os.open(temporary, flags, permissions, dir_fd=directory)
        try:
            with OpenedPath(fd, path) as file:
                if old is not None:
                    os.fchmod(fd, stat.S_IMODE(old.st_mode))
                file.write(content)
                if known is not None:
                    known(fd)
            os.replace(temporary, name, src_dir_fd=directory, dst_dir_fd=directory)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary, dir_fd=directory)
            raise


def check_replaceable(path: str, *, root: str = "/") -> None:
    """Raise what ``replace`` would raise for the place alone, before there is any content."""
    with _parent(path, root) as (directory, name):
        _replaceable(directory, name)


def _replaceable(directory: int, name: str) -> os.stat_result | None:
    """The regular file that stands there, or nothing. Raises CommandError for anything else."""
    try:
        old = os.stat(name, dir_fd=directory, follow_symlinks=False)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(old.st_mode):
        raise CommandError("a path to be written is not a regular file", hint="name a file")
    return old


def make_directories(path: str, *, root: str = "/", permissions: int = 0o777) -> None:
    """Make the directory at a settled path and those above it that are missing. Raises as ``open_path``."""
    with _parent(f"{path.rstrip('/')}/.", root, make=permissions):
        pass


@contextmanager
def _parent(path: str, root: str, *, make: int | None = None) -> Iterator[tuple[int, str]]:
    """The directory of a path, held open, and the name in it (1)."""
    names = _components(path, root)
    try:
        directory = os.open(root, _DIRECTORY)
    except OSError as error:
        raise _changed(error) from None
    try:
        for name in names[:-1]:
            directory = _down(directory, name, make)
        yield directory, names[-1]
    finally:
        os.close(directory)


def _components(path: str, root: str) -> list[str]:
    base = root.rstrip("/")
    if "\0" in path or not path.startswith(f"{base}/"):
        raise CommandError(
            "a path lies outside of the directory that it is opened in", hint="settle it first"
        )
    names = [name for name in path[len(base) :].split("/") if name]
    if not names or ".." in names or "." in names[:-1]:
        raise CommandError("a path is not settled: it names a directory, '.' or '..'", hint="settle it first")
    return names


def _down(directory: int, name: str, make: int | None) -> int:
    """Go down one directory, and let go of the one above."""
    try:
        if make is not None:
            with suppress(FileExistsError):
                os.mkdir(name, make, dir_fd=directory)
        below = os.open(name, _DIRECTORY, dir_fd=directory)
    except OSError as error:
        raise _changed(error) from None
    os.close(directory)
    return below


def _look(fd: int, mode: Mode, *, several_names: bool) -> None:
    """Judge what was opened (3)."""
    found = os.fstat(fd)
    if not stat.S_ISREG(found.st_mode):
        raise CommandError(
            "a path is not a regular file", hint="name a file; a directory, pipe or device is none"
        )
    if mode != "read" and found.st_nlink > 1 and not several_names:
        raise CommandError(
            "a file to be written has several names (hard links), so writing changes another path as well",
            hint="remove the file first, or write to a new one",
        )
    if mode == "write":
        os.ftruncate(fd, 0)
    os.set_blocking(fd, True)


def _changed(error: OSError) -> Exception:
    """The error for a link or a file where a directory was: the path is not what was checked."""
    if error.errno in _CHANGED:
        return CommandError(
            "a path has changed since it was checked: there is a link, or no directory, on it",
            hint="try it again",
        )
    return error

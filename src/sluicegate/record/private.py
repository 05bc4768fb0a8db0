"""Files that nobody else may read or write: made whole or not at all, and checked before they are believed.

A private file is a regular file of this user, with no right for anybody else, and not reached through a
symbolic link; its directory is this user's alone. The checks are made on the open file, so that what was
checked is what is read.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from sluicegate.record.errors import HomeError, KeyFileError

_OTHERS = 0o077


def make_directory(path: Path) -> None:
    """Make ``path``, with its parents, for this user alone, and check it. Raises HomeError."""
    missing = [one for one in (path, *path.parents) if not os.path.lexists(one)]
    try:
        for one in reversed(missing):  # mkdir(parents=True) would give the parents other rights
            one.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise HomeError(
            f"cannot make the directory {path}: {error.strerror}",
            hint="Set SLUICEGATE_KEYS_HOME to a directory of yours outside the workspace.",
        ) from None
    check_directory(path)


def check_directory(path: Path) -> None:
    """Raise HomeError unless ``path`` is a directory of this user alone, under no directory open to everybody."""
    try:
        found = path.lstat()
    except OSError as error:
        raise HomeError(f"cannot look at {path}: {error.strerror}") from None
    if stat.S_ISLNK(found.st_mode):
        raise HomeError(
            f"{path} is a symbolic link",
            hint="Keys are kept in a directory of their own; SLUICEGATE_KEYS_HOME names another.",
        )
    if not stat.S_ISDIR(found.st_mode):
        raise HomeError(f"{path} is not a directory")
    if found.st_uid != os.geteuid():
        raise HomeError(
            f"{path} belongs to another user", hint="SLUICEGATE_KEYS_HOME names another directory."
        )
    if found.st_mode & _OTHERS:
        raise HomeError(f"{path} may be read or written by others", hint=f"Run: chmod 700 {path}")
    for parent in path.resolve().parents:
        mode = parent.stat().st_mode
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            raise HomeError(
                f"{path} lies in {parent}, which everybody may write",
                hint=f"Run: chmod o-w {parent}",
            )


def read(path: Path, *, limit: int) -> bytes:
    """The content of a private file of at most ``limit`` bytes.

    Raises FileNotFoundError when it does not exist, and KeyFileError when it is not private or cannot be read.
    """
    fd = open_private(path, os.O_RDONLY)
    try:
        data = read_regular(fd, limit=limit) or b""
    except OSError as error:
        raise KeyFileError(f"cannot read {path}: {error.strerror}") from None
    if len(data) > limit:
        raise KeyFileError(f"{path} is larger than {limit} bytes", hint="Sluicegate did not write this file.")
    return data


def read_regular(fd: int, *, limit: int) -> bytes | None:
    """At most ``limit`` + 1 bytes of an open file, which is closed; None when it is not a regular file. OSError."""
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return None
        pieces, room = [], limit + 1
        while room and (piece := os.read(fd, room)):
            pieces.append(piece)
            room -= len(piece)
        return b"".join(pieces)
    finally:
        os.close(fd)


def open_private(path: Path, flags: int) -> int:
    """An open file of this user alone. Raises FileNotFoundError and KeyFileError; see ``read``."""
    try:
        fd = os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        raise
    except OSError as error:
        if path.is_symlink():
            raise KeyFileError(
                f"{path} is a symbolic link", hint="Put the file itself in its place."
            ) from None
        raise KeyFileError(f"cannot open {path}: {error.strerror}") from None
    try:
        _check_file(path, os.fstat(fd))
    except KeyFileError:
        os.close(fd)
        raise
    return fd


def check_file(path: Path) -> None:
    """Raise KeyFileError unless ``path`` is a file of this user alone, and FileNotFoundError where there is none.

    For files that are not to be opened for it: closing one ends the locks that SQLite holds on it in this process. Its
    directory must have been checked.
    """
    _check_file(path, path.lstat())


def _check_file(path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise KeyFileError(f"{path} is not a regular file")
    if found.st_uid != os.geteuid():
        raise KeyFileError(
            f"{path} belongs to another user",
            hint="Nothing in it counts here. Move it aside, or make it yours.",
        )
    if found.st_mode & _OTHERS:
        raise KeyFileError(
            f"{path} may be read or written by others",
            hint=f"If it has not been copied, run: chmod 600 {path}",
        )


def create(path: Path, data: bytes) -> bool:
    """Write a new private file, whole and on the disk; False when there is one already. Raises HomeError."""
    try:
        temporary = _written_beside(path, data)
        try:
            os.link(temporary, path)  # fails where the name is taken: two makers cannot both win
        except FileExistsError:
            return False
        finally:
            temporary.unlink()
        sync_directory(path.parent)
    except OSError as error:
        raise HomeError(f"cannot write {path}: {error.strerror}") from None
    return True


def replace(path: Path, data: bytes) -> None:
    """Write a private file in place of the one there may be, whole and on the disk. Raises HomeError."""
    try:
        _written_beside(path, data).replace(path)
        sync_directory(path.parent)
    except OSError as error:
        raise HomeError(f"cannot write {path}: {error.strerror}") from None


def _written_beside(path: Path, data: bytes) -> Path:
    temporary = path.with_name(f".{path.name}.{os.urandom(8).hex()}")
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        write_all(fd, data)
        os.fsync(fd)
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        raise
    finally:
        os.close(fd)
    return temporary


def write_all(fd: int, data: bytes) -> None:
    """Write all of ``data``, in as many calls as it takes. Raises OSError."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


def sync_directory(path: Path) -> None:
    """Bring the names in a directory to the disk. Raises OSError."""
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)

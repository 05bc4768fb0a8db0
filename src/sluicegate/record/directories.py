"""Directories in the workspace that hold our state, opened so that a symbolic link cannot lead elsewhere.

A skill may put ``.sluicegate -> /somewhere`` into a workspace. So the directories are opened one by one, none of
them through a link, and files are then named relative to the open directory.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from sluicegate.record.errors import RecordError

STATE = ".sluicegate"
USUAL_LEDGER = f"{STATE}/sec/audit.jsonl"
"""The ledger of a workspace, from its root, unless its settings or the environment name another."""
IGNORE = "*\n!/sec/\n!/sec/sigs/\n!/sec/sigs/*\n"
"""What Git leaves out of our state: all but the signatures, which a project may want to pass on."""
_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def _first(parts: tuple[str, ...]) -> int:
    """The index of the first directory that must not be a link (see ``open_directory``)."""
    return parts.index(STATE) if STATE in parts else len(parts) - 1


def real_path(path: Path) -> Path:
    """``path`` of a state directory with links resolved above it, and none in the part that may hold none."""
    parts = path.absolute().parts
    first = _first(parts)
    return Path(*parts[:first]).resolve().joinpath(*parts[first:])


def open_directory(path: Path, *, create: bool, error: type[RecordError] = RecordError) -> int:
    """A descriptor of the directory ``path``; made with mode 0700 where it is missing and ``create`` holds.

    1. Where ``path`` goes through ``.sluicegate``, that and everything below it is opened without following
       links; else only the last directory is. What lies above is the user's to arrange.
    2. FileNotFoundError when it is missing and not made; ``error`` for everything else that fails.
    """
    parts = path.absolute().parts
    first = _first(parts)  # 1
    if first < 1:
        raise error(f"{path} cannot hold the state of sluicegate")
    shown = Path(*parts[:first])
    try:
        fd = os.open(shown, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        for name in parts[first:]:
            shown /= name
            fd = _step(fd, name, create=create)
    except FileNotFoundError:
        if create:
            raise error(f"there is no directory {shown}", hint="Name a place that exists.") from None
        raise
    except OSError as problem:
        raise _explained(shown, problem, error) from None
    return fd


def _step(parent: int, name: str, *, create: bool) -> int:
    """Open ``name`` in ``parent``, which is closed in every case."""
    try:
        try:
            return os.open(name, _FLAGS, dir_fd=parent)
        except FileNotFoundError:
            if not create:
                raise
        with suppress(FileExistsError):  # another process was faster
            os.mkdir(name, 0o700, dir_fd=parent)
            os.fsync(parent)
            if name == STATE:
                _ignored_by_git(parent)
        return os.open(name, _FLAGS, dir_fd=parent)
    finally:
        os.close(parent)


def _ignored_by_git(parent: int) -> None:
    """Let the state directory that was just made ignore itself, so that ``git add -A`` leaves the ledger out.

    What cannot be written is not worth failing for: the ledger says so itself when it is next used.
    """
    with suppress(OSError):
        fd = os.open(
            f"{STATE}/.gitignore",
            os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC,
            0o600,
            dir_fd=parent,
        )
        try:
            os.write(fd, IGNORE.encode())
        finally:
            os.close(fd)


def _explained(path: Path, problem: OSError, error: type[RecordError]) -> RecordError:
    if path.is_symlink():
        return error(
            f"{path} is a symbolic link", hint="State is kept in a directory of its own: remove the link."
        )
    return error(f"cannot use {path}: {problem.strerror}")

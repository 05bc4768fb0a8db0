"""What is in a folder, as a canonical list: every file, link and directory, and nothing left out.

1. Entries are in the order of the bytes of their paths; directories are entries too, so that nothing can be
   added unseen. Times, owners and rights other than "may be executed" are not part of it.
2. Symbolic links are recorded by their target and not followed; one that leads out of the folder is refused.
3. Sockets, devices, pipes, names that are not UTF-8, what cannot be read and the state of sluicegate itself are
   refused: a folder is signed whole or not at all.
4. The walk holds directories open and opens names relative to them without following links, so that nothing
   swapped in meanwhile is read in place of what was listed.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from sluicegate.record.directories import STATE
from sluicegate.record.errors import SigningError

_ENTRIES = 200_000
_DEPTH = 100
_CHUNK = 1 << 20


class FolderEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """One name: ``path`` from the folder with ``/``; ``digest`` of a file, ``target`` of a link."""

    path: str
    type: Literal["file", "link", "dir"]
    executable: bool = False
    digest: str = ""
    target: str = ""


Manifest = tuple[FolderEntry, ...]


def manifest(folder: Path) -> Manifest:
    """The entries of ``folder``. Raises SigningError for 2, 3, and for more than 200,000 entries or 100 levels."""
    try:
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise SigningError(f"cannot read the folder {folder}: {error.strerror}") from None
    try:
        entries: list[FolderEntry] = []
        for entry in _walk(fd, "", 0):
            entries.append(entry)
            if len(entries) > _ENTRIES:
                raise SigningError(f"{folder} has more than {_ENTRIES} entries", hint="Sign its parts.")
    finally:
        os.close(fd)
    return tuple(sorted(entries, key=lambda entry: entry.path.encode()))  # 1


def encode(entries: Manifest) -> bytes:
    """The bytes whose digest stands for the folder."""
    return msgspec.json.encode(entries)


def differences(signed: Manifest, found: Manifest) -> tuple[str, ...]:
    """What changed, one line each: ``added x``, ``removed y``, ``changed z``. Names are untrusted text."""
    before, after = {e.path: e for e in signed}, {e.path: e for e in found}
    lines = []
    for path in sorted(before.keys() | after.keys()):
        if path not in before:
            lines.append(f"added {path}")
        elif path not in after:
            lines.append(f"removed {path}")
        elif before[path] != after[path]:
            lines.append(f"changed {path}")
    return tuple(lines)


def _walk(directory: int, prefix: str, depth: int) -> Iterator[FolderEntry]:
    if depth > _DEPTH:
        raise SigningError(f"{prefix} lies more than {_DEPTH} directories deep")
    try:
        names = os.listdir(directory)
    except OSError as error:
        raise SigningError(f"cannot list {prefix or 'the folder'}: {error.strerror}") from None
    for name in names:
        path = prefix + _checked(name, prefix)
        try:
            yield from _entry(directory, name, path, depth)
        except OSError as error:
            raise SigningError(
                f"cannot read {path}: {error.strerror}", hint="A folder is signed whole or not at all."
            ) from None


def _checked(name: str, prefix: str) -> str:
    if name == STATE:  # 3
        raise SigningError(
            f"{prefix}{name} is the state of sluicegate and changes with every event",
            hint="Sign the folders beside it.",
        )
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        shown = os.fsencode(name).decode("utf-8", "backslashreplace")
        raise SigningError(f"the name of {prefix}{shown} is not UTF-8", hint="Rename it.") from None
    return name


def _entry(directory: int, name: str, path: str, depth: int) -> Iterator[FolderEntry]:
    mode = os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode
    if stat.S_ISLNK(mode):
        yield FolderEntry(path=path, type="link", target=_target(os.readlink(name, dir_fd=directory), path))
    elif stat.S_ISDIR(mode):
        fd = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=directory)  # 4
        try:
            yield FolderEntry(path=path, type="dir")
            yield from _walk(fd, f"{path}/", depth + 1)
        finally:
            os.close(fd)
    elif stat.S_ISREG(mode):
        yield _file(directory, name, path)
    else:
        raise SigningError(f"{path} is neither a file nor a directory nor a link")


def _target(target: str, path: str) -> str:
    """2: a relative target that stays inside.

    It climbs first (at most to the folder) and descends then. A ``..`` further on would climb from wherever
    another link leads, which the text does not tell; so it is refused, although it may stay inside.
    """
    parts = [part for part in target.split("/") if part not in ("", ".")]
    climbs = next((at for at, part in enumerate(parts) if part != ".."), len(parts))
    if target.startswith("/") or climbs > path.count("/") or ".." in parts[climbs:]:
        raise SigningError(
            f"the link {path} leads out of the folder", hint="What it leads to could change unseen."
        )
    return _checked(target, f"{path} -> ")


def _file(directory: int, name: str, path: str) -> FolderEntry:
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK  # 4
    fd = os.open(name, flags, dir_fd=directory)
    try:
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode):
            raise SigningError(f"{path} is not a regular file")
        digest = hashlib.sha256()
        while chunk := os.read(fd, _CHUNK):
            digest.update(chunk)
    finally:
        os.close(fd)
    return FolderEntry(
        path=path, type="file", executable=bool(found.st_mode & 0o111), digest=f"sha256:{digest.hexdigest()}"
    )

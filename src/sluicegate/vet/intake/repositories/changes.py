"""Which files of a folder differ from a commit: told from the files themselves.

Git would ask its index, which can be told to assume that a file is unchanged, and its lists of what to ignore. Who
packed a repository chose both. So every file is read and named as Git names contents, and compared with the name
that the commit has for it. A file that the commit keeps in another form than the work tree (by a filter such as LFS,
or with other line ends) differs, as does every file of a submodule, whose contents the commit does not name.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from itertools import groupby
from pathlib import Path

from sluicegate.record.work_tree import work_tree
from sluicegate.vet.errors import SourceError
from sluicegate.vet.intake.directory import VISITS, Listed, TooMany, listing, opened_folder
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.repositories import git
from sluicegate.vet.intake.repositories.revision import commit_named, git_directory

_LISTED_BYTES = 256 << 20
_PART = 1 << 20
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


def changed_since(folder: Path, revision: str, limits: Limits) -> tuple[str, ...]:
    """What differs below ``folder`` from where the work at hand left ``revision``: changed, added, removed, untracked.

    1. The commit to compare with is the last that ``revision`` and what is checked out have in common.
    2. A path differs when the commit has nothing there, another kind, other permission to run, or other contents.
    3. What cannot be read differs. The repository itself (``.git``) is not part of the work tree.

    Paths are as the system gives them, in order. Raises SourceError when there is no repository, or Git cannot say.
    """
    place = Path(os.path.realpath(folder))
    tree = work_tree(place)
    if tree is None:
        raise SourceError(
            f"{folder} lies in no Git repository", hint="Name a folder of a repository, or scan all of it."
        )
    store = git_directory(tree)
    inside = place.relative_to(tree).as_posix()
    before = _named_by(store, _left(store, revision), "" if inside == "." else inside)  # 1
    try:
        now = [item for item in listing(str(place), limits) if place != tree or not _own(item.path)]  # 3
    except TooMany:
        hint = "Name one of its folders."
        raise SourceError(f"{folder} holds more than {VISITS} files", hint=hint) from None
    except OSError as error:
        raise SourceError(f"cannot read {folder}: {error.strerror}", hint="Check its permissions.") from None
    form = git.ask(store, "rev-parse", "--show-object-format").strip().decode("ascii", "replace")
    if form not in ("sha1", "sha256"):
        raise SourceError(f"the repository names contents in a way that is not known here: {form}")
    differs = {
        path for path, name in _names(place, now, form) if name is None or before.get(path) != name
    }  # 2
    there = {item.path for item in now}
    return tuple(sorted(differs | (before.keys() - there)))


def _own(path: str) -> bool:
    return path == ".git" or path.startswith(".git/")


def _left(store: Path, revision: str) -> str:
    """The commit at which what is checked out left ``revision``."""
    try:
        said = git.ask(store, "merge-base", commit_named(store, revision), "HEAD")
    except git.GitRefused as error:
        why = f": {error.said}" if error.said else ""
        raise SourceError(
            f"{revision!r} and what is checked out have no commit in common{why}",
            hint="Fetch the history between them (in CI, fetch-depth: 0 fetches all).",
        ) from None
    return said.strip().decode("ascii", "replace")


def _named_by(store: Path, commit: str, inside: str) -> dict[str, tuple[str, str]]:
    """What a commit has below a folder: mode and name of the contents by path, submodules left out."""
    try:
        git.ask(store, "cat-file", "-e", f"{commit}:{inside}")
    except git.GitRefused:
        return {}  # all of it is new
    listed = git.ask(store, "ls-tree", "-r", "-z", "--full-tree", f"{commit}:{inside}", most=_LISTED_BYTES)
    found = {}
    for line in listed.split(b"\0"):
        header, _, path = line.partition(b"\t")
        mode, kind, name = header.split() if path else (b"", b"", b"")
        if kind == b"blob":
            found[os.fsdecode(path)] = (mode.decode(), name.decode())
    return found


def _names(place: Path, items: list[Listed], form: str) -> Iterator[tuple[str, tuple[str, str] | None]]:
    """Mode and name of what stands at each path, as Git would have them; None for what it would not keep or read."""
    for folder, inner in groupby(items, key=lambda item: item.path.rpartition("/")[0]):
        names: dict[str, tuple[str, str] | None] = {item.path: None for item in inner}
        with suppress(OSError), opened_folder(str(place), folder) as descriptor:
            for path in names:
                with suppress(OSError):
                    names[path] = _name(descriptor, path.rpartition("/")[2], form)
        yield from names.items()


def _name(folder: int, name: str, form: str) -> tuple[str, str] | None:
    status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    if stat.S_ISLNK(status.st_mode):
        target = os.fsencode(os.readlink(name, dir_fd=folder))
        return "120000", _digest(form, len(target), iter((target,)))
    if not stat.S_ISREG(status.st_mode):
        return None
    descriptor = os.open(name, _FILE, dir_fd=folder)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return None
        mode = "100755" if status.st_mode & stat.S_IXUSR else "100644"
        return mode, _digest(form, status.st_size, _parts(descriptor, status.st_size))
    finally:
        os.close(descriptor)


def _parts(descriptor: int, size: int) -> Iterator[bytes]:
    """The first ``size`` bytes of a file, which may grow while it is read."""
    while size > 0 and (part := os.read(descriptor, min(size, _PART))):
        size -= len(part)
        yield part


def _digest(form: str, size: int, parts: Iterator[bytes]) -> str:
    """The name that Git gives to contents of this size."""
    digest = hashlib.new(form, b"blob %d\0" % size, usedforsecurity=False)
    for part in parts:
        digest.update(part)
    return digest.hexdigest()

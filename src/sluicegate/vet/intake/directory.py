"""Reading a folder without trusting it.

Every step goes through a descriptor of the folder it starts from, never through a path, and opens with
``O_NOFOLLOW`` and ``O_NONBLOCK``; what was opened is asked again what it is. So no link is followed, no
device, FIFO or socket is opened, and a folder that changes while it is read can mislead nobody.

The object store of a ``.git`` folder is passed over: objects, packs and the index are packed data that no
agent reads or runs as it stands, and Git checks them itself. Only names and first bytes of exactly the form
that Git writes are passed over; a script that hides between them is read like any file, and so are the
configuration and the hooks, which run.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from itertools import chain, islice

from sluicegate.tuples import NamedTuple
from sluicegate.vet.intake.budget import Note, beginning
from sluicegate.vet.intake.bundle import ANYTHING, AnomalyKind
from sluicegate.vet.intake.collect import Collector
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.names import decodable, heads, readable
from sluicegate.vet.intake.precedence import by_rank, loaded_first
from sluicegate.vet.verdict.types import GapReason

VISITS = 1_000_000
"""Names looked at in one source; a larger one is refused rather than read in part."""
MOST_BESIDE = 5_000
"""Names beside a single file that are listed."""
DEEPEST = 250
"""Folders in folders that are looked into whatever the limits say: each step costs a descriptor and a frame."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_TOO_DEEP = Note(gap=GapReason.TOO_DEEP, detail="a folder inside too many others")


class What(Enum):
    """What a name in a folder stands for."""

    FOLDER = "folder"
    FILE = "file"
    LINK = "link"
    SPECIAL = "special"


class DirectoryName(NamedTuple):
    """A name in a folder. ``name`` is as the system gives it (bytes that are not UTF-8 as surrogates)."""

    name: str
    what: What


class Listed(NamedTuple):
    """A path found below a folder. ``blocked`` says why a folder could not be looked into."""

    path: str
    what: What
    blocked: Note | None = None


class TooMany(Exception):
    """The source holds more names than VISITS."""


def shown(path: str) -> str:
    r"""A path as the system gives it, as valid text (``\xNN`` for a byte that is not UTF-8)."""
    return path if path.isascii() else readable(os.fsencode(path))


@contextmanager
def opened_folder(root: str, relative: str) -> Iterator[int]:
    """A descriptor of ``root/relative``; no step of ``relative`` may be a link. Raises OSError."""
    descriptor = os.open(root, _FOLDER)
    try:
        for part in relative.split("/") if relative else ():
            inner = os.open(part, _FOLDER, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        yield descriptor
    finally:
        os.close(descriptor)


def names_in(descriptor: int, most: int) -> tuple[list[DirectoryName], int]:
    """The names in a folder in order, the first ``most`` of them, and how many there are. Raises OSError."""
    with os.scandir(descriptor) as entries:
        kept, total = _first(entries, most)
    return [DirectoryName(name=entry.name, what=_what(entry)) for entry in kept], total


def _what(entry: os.DirEntry[str]) -> What:
    """What stands behind a name by its folder, which costs nothing. What is opened is asked again."""
    if entry.is_symlink():
        return What.LINK
    if entry.is_dir(follow_symlinks=False):
        return What.FOLDER
    return What.FILE if entry.is_file(follow_symlinks=False) else What.SPECIAL


def _first(entries: Iterator[os.DirEntry[str]], most: int) -> tuple[list[os.DirEntry[str]], int]:
    """The first ``most`` entries by the bytes of their names, whatever order they come in, and how many there are."""
    total = 0

    def counted() -> Iterator[os.DirEntry[str]]:
        nonlocal total
        for entry in entries:
            total += 1
            if total > VISITS:
                raise TooMany
            yield entry

    source = counted()
    kept = list(islice(source, most))
    if total == most:
        import heapq  # hardly a folder holds so many

        return heapq.nsmallest(most, chain(kept, source), key=_bytes_of), total
    kept.sort(key=_bytes_of)
    return kept, total


def _bytes_of(entry: os.DirEntry[str]) -> bytes:
    return os.fsencode(entry.name)


def paths_beside(path: str) -> frozenset[str]:
    """The paths of what stands in the folder of a file, two folders deep; ``ANYTHING`` when that cannot be told.

    Nothing is opened but folders, and no link is followed. Hidden folders are passed over.
    """
    folder, own = os.path.split(path)
    found: set[str] = set()
    try:
        with opened_folder(folder or ".", "") as descriptor:
            _beside(descriptor, "", found)
    except (OSError, TooMany):
        return frozenset({ANYTHING})
    return frozenset(shown(each) for each in found if each != own)


def _beside(descriptor: int, prefix: str, found: set[str]) -> None:
    inner, _ = names_in(descriptor, MOST_BESIDE + 1)
    for named in inner:
        found.add(prefix + named.name)
        if len(found) > MOST_BESIDE:
            raise TooMany
        if named.what is What.FOLDER and prefix.count("/") < 2 and not named.name.startswith("."):
            below = os.open(named.name, _FOLDER, dir_fd=descriptor)
            try:
                _beside(below, f"{prefix}{named.name}/", found)
            finally:
                os.close(below)


def listing(root: str, limits: Limits) -> list[Listed]:
    """Every file, link and special file below ``root``, in order, nothing opened but folders.

    Raises OSError when ``root`` itself cannot be listed, and TooMany.
    """
    found: list[Listed] = []
    with opened_folder(root, "") as descriptor:
        _list(descriptor, "", 0, limits, found)
    return found


def _list(descriptor: int, prefix: str, depth: int, limits: Limits, found: list[Listed]) -> None:
    inner, _ = names_in(descriptor, VISITS)
    for named in inner:
        path = prefix + named.name
        if len(found) > VISITS:
            raise TooMany
        if named.what != What.FOLDER:
            found.append(Listed(path=path, what=named.what))
            continue
        if depth >= min(limits.directory_depth, DEEPEST):
            found.append(Listed(path=path, what=What.FOLDER, blocked=_TOO_DEEP))
            continue
        try:
            below = os.open(named.name, _FOLDER, dir_fd=descriptor)
        except OSError as error:
            found.append(Listed(path=path, what=What.FOLDER, blocked=unreadable(error)))
            continue
        try:
            _list(below, path + "/", depth + 1, limits, found)
        except OSError as error:
            found.append(Listed(path=path, what=What.FOLDER, blocked=unreadable(error)))
        finally:
            os.close(below)


def unreadable(error: OSError) -> Note:
    """The gap that a failed read leaves."""
    if error.errno == errno.ELOOP:
        return Note(gap=GapReason.LINK, detail="became a link while it was read")
    return Note(gap=GapReason.UNREADABLE, detail=os.strerror(error.errno or errno.EIO).lower())


def read_folder(collector: Collector, root: str, relative: str, skip: frozenset[str]) -> None:
    """Hand every file below ``root/relative`` to the collector, but for the folders and files in ``skip``.

    ``skip`` holds paths below ``relative``, as the system gives them.
    """
    try:
        with opened_folder(root, relative) as descriptor:
            _Walk(collector, skip).folder(descriptor, "", 0)
    except OSError as error:
        collector.tally.note("", unreadable(error))


def read_in_order(collector: Collector, root: str, relative: str, skip: frozenset[str]) -> None:
    """``read_folder`` for a folder that holds more than one bundle may: what matters first, and all names are seen."""
    try:
        with opened_folder(root, relative) as descriptor:
            found: list[Listed] = []
            _list(descriptor, "", 0, collector.limits, found)
            wanted = [
                (item.path, item) for item in found if not any(head in skip for head in heads(item.path))
            ]
            walk = _Walk(collector, skip)
            first, rest = loaded_first(wanted)
            for _, item in first:
                walk.listed(descriptor, item)
            for _, item in by_rank(rest, collector.told()):
                walk.listed(descriptor, item)
    except TooMany:
        detail = f"more than {VISITS} names, of which none was read"
        collector.tally.gap("", GapReason.TOO_MANY, detail)
    except OSError as error:
        collector.tally.note("", unreadable(error))


class _Walk:
    def __init__(self, collector: Collector, skip: frozenset[str]) -> None:
        self._collector = collector
        self._skip = skip

    def folder(self, descriptor: int, prefix: str, depth: int) -> None:
        most = self._collector.limits.entries + len(self._skip) + 1
        inner, total = names_in(descriptor, most)
        if total > len(inner):
            self._collector.budget.full = True
            detail = f"{total - len(inner)} files more than one bundle may hold"
            self._collector.tally.gap(shown(prefix).rstrip("/"), GapReason.TOO_MANY, detail)
        for named in inner:
            path = prefix + named.name
            if path in self._skip:
                continue
            label = shown(path)
            if not decodable(os.fsencode(named.name)):
                self._collector.tally.anomaly(label, AnomalyKind.UNDECODABLE_NAME, "the name is not UTF-8")
            if named.what == What.FOLDER:
                self._below(descriptor, named.name, path, depth)
            elif named.what == What.FILE:
                self._file(descriptor, named, path, label)
            elif named.what == What.LINK:
                self._link(descriptor, named.name, label)
            else:
                self._collector.special(label, "device, FIFO or socket")

    def listed(self, descriptor: int, item: Listed) -> None:
        """Read what was listed below an open folder, step by step from there: no part of its path may be a link."""
        label = shown(item.path)
        if any(
            self._collector.excluded(shown(head), folder=True)
            for head in heads(item.path)
            if head != item.path
        ):
            return
        if item.blocked is not None:
            self._collector.tally.note(label, item.blocked)
            return
        *folders, name = item.path.split("/")
        if not decodable(os.fsencode(name)):
            self._collector.tally.anomaly(label, AnomalyKind.UNDECODABLE_NAME, "the name is not UTF-8")
        opened = os.dup(descriptor)
        try:
            for folder in folders:
                below = os.open(folder, _FOLDER, dir_fd=opened)
                os.close(opened)
                opened = below
            if item.what == What.FILE:
                self._file(opened, DirectoryName(name=name, what=item.what), item.path, label)
            elif item.what == What.LINK:
                self._link(opened, name, label)
            else:
                self._collector.special(label, "device, FIFO or socket")
        except OSError as error:
            self._collector.tally.note(label, unreadable(error))
        finally:
            os.close(opened)

    def _below(self, descriptor: int, name: str, path: str, depth: int) -> None:
        label = shown(path)
        if self._collector.excluded(label, folder=True):
            return
        if depth >= min(self._collector.limits.directory_depth, DEEPEST):
            self._collector.tally.note(label, _TOO_DEEP)
            return
        try:
            below = os.open(name, _FOLDER, dir_fd=descriptor)
        except OSError as error:
            self._collector.tally.note(label, unreadable(error))
            return
        try:
            self.folder(below, path + "/", depth + 1)
        except OSError as error:
            self._collector.tally.note(label, unreadable(error))
        finally:
            os.close(below)

    def _link(self, descriptor: int, name: str, label: str) -> None:
        try:
            target = os.readlink(name, dir_fd=descriptor)
        except OSError as error:
            self._collector.tally.note(label, unreadable(error))
            return
        self._collector.link(label, shown(target))

    def _file(self, descriptor: int, named: DirectoryName, path: str, label: str) -> None:
        if self._collector.excluded(label):
            return
        refusal = self._collector.budget.refusal()
        if refusal is not None and not self._store(path):
            self._collector.tally.note(label, refusal)
            return
        try:
            opened = os.open(named.name, _FILE, dir_fd=descriptor)
        except OSError as error:
            self._collector.tally.note(label, unreadable(error))
            return
        try:
            status = os.fstat(opened)
            if not stat.S_ISREG(status.st_mode):
                self._collector.special(label, "device, FIFO or socket")
                return
            if self._store(path) and _is_packed(opened):
                return
            self._keep(opened, status, label)
        except OSError as error:
            self._collector.tally.note(label, unreadable(error))
        finally:
            os.close(opened)

    def _keep(self, opened: int, status: os.stat_result, label: str) -> None:
        most = self._collector.limits.file_bytes
        room = self._collector.budget.bytes
        if min(status.st_size, most) > room:
            detail = "more bytes than one bundle may hold"
            self._collector.budget.full = True
            self._collector.tally.gap(label, GapReason.TOO_LARGE, detail)
            return
        data = _read(opened, min(most, room) + 1)
        data, notes = beginning(data, most)
        for note in notes:
            self._collector.tally.note(label, note)
        self._collector.file(label, data, stat.S_IMODE(status.st_mode))

    @staticmethod
    def _store(path: str) -> bool:
        """Whether the path is one where Git keeps packed data."""
        if not path.startswith(".git/") and "/.git/" not in path:
            return False
        from sluicegate.vet.intake.repositories.gitstore import may_be_packed

        return may_be_packed(path.rpartition(".git/")[2])


def _is_packed(descriptor: int) -> bool:
    """Whether a file is Git's own packed data; it is read from its beginning afterwards. Raises OSError."""
    from sluicegate.vet.intake.repositories.gitstore import HEAD, is_packed

    found = is_packed(_read(descriptor, HEAD))
    os.lseek(descriptor, 0, os.SEEK_SET)
    return found


def _read(descriptor: int, most: int) -> bytes:
    """Up to ``most`` bytes. Raises OSError."""
    data = os.read(descriptor, min(most, 1 << 20))
    if len(data) < 1 << 20 and len(data) < most:
        more = os.read(descriptor, 1) if data else b""
        if not more:
            return data
        data += more
    parts = [data]
    have = len(data)
    while have < most:
        part = os.read(descriptor, min(most - have, 1 << 20))
        if not part:
            break
        parts.append(part)
        have += len(part)
    return b"".join(parts)

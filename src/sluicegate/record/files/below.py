"""Joined labels of all files below a directory, or reachable by a process."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from sluicegate.record.files import contents
from sluicegate.record.files.files import FileLabels, Knowledge, Known, Unknown, Untracked, doubted
from sluicegate.record.files.index import Index
from sluicegate.record.files.joining import join_labels
from sluicegate.record.ledger.events import EventId, Strings

MOST = 20_000
"""Entries of a directory, with all below it, that are looked at one by one."""


def recall_below(
    files: FileLabels,
    folder: Path,
    *,
    each: Callable[[str], object],
    written: Callable[[EventId], object] = lambda event: None,
    without: Iterable[Path] = (),
    most: int = MOST,
) -> Knowledge:
    """What is known of all regular files below a directory together, links followed, ``without`` left out.

    ``each`` is called with the real path of each, ``written`` with the event of each that is known. Where there are
    more than ``most`` entries, or a directory cannot be read,
    everything is said that is known of any file, and ``why`` is ``gap``. Raises LedgerError.
    """
    real = os.path.realpath(folder)
    left_out = frozenset(os.path.realpath(path) for path in without)
    first, *others = (
        _recall_below(one, real, each, written, left_out, most) for one in (files, *files.others(real))
    )
    said = [one for one in (first, *others) if not isinstance(one, Untracked)]
    doubtful = [one for one in said if isinstance(one, Unknown)]
    if not doubtful:
        return (
            Known(labels=join_labels(*(one.labels for one in said)), event=said[0].event) if said else first
        )
    why: Literal["gap", "new"] = "gap" if any(one.why == "gap" for one in doubtful) else "new"
    return Unknown(labels=doubted(*(one.labels for one in said)), event=doubtful[0].event, why=why)


def _recall_below(
    files: FileLabels,
    folder: str,
    each: Callable[[str], object],
    written: Callable[[EventId], object],
    left_out: Collection[str],
    most: int,
) -> Knowledge:
    """The same by one ledger."""
    known: list[Strings] = []
    unknown, event = False, EventId("")
    with files.caught_up() as index:
        sizes = index.sizes()
        try:
            for found in _walk(folder, left_out, most):
                each(found.path)
                knowledge = _recall(files, index, sizes, found)
                unknown = unknown or isinstance(knowledge, Unknown)
                if not isinstance(knowledge, Untracked):
                    known.append(knowledge.labels)
                    event = knowledge.event or event
                    if knowledge.event:
                        written(knowledge.event)
        except _TooMany:
            return Unknown(labels=doubted(index.everything()), event=event, why="gap")
    if unknown:
        return Unknown(labels=doubted(*known), event=event, why="new")
    return Known(labels=join_labels(*known), event=event) if known else Untracked()


def known_within(files: FileLabels, places: Sequence[Path] | None) -> Strings:
    """All labels of the files at or below ``places`` that are known by a path at which something still stands; None:
    anywhere. Those of files whose paths are not told, or lead nowhere, count everywhere. Raises LedgerError."""
    roots = None if places is None else [os.path.realpath(place) for place in places]
    rows = _labelled(files, roots or ())
    return join_labels(*(labels for path, labels in rows if _reached(path, roots)))


def known_at(files: FileLabels, paths: Sequence[str]) -> Strings:
    """All labels of what is known by exactly these paths, links not followed. Raises LedgerError."""
    rows = _labelled(files, paths)
    wanted = frozenset(contents.path_text(path) for path in paths)
    return join_labels(*(labels for path, labels in rows if path in wanted))


def _labelled(files: FileLabels, places: Sequence[str]) -> list[tuple[str, Strings]]:
    """Each path of which there are labels, by every ledger that may know of these places."""
    several = dict.fromkeys(one for place in places for one in files.others(place))
    rows: list[tuple[str, Strings]] = []
    for one in (files, *several):
        with one.caught_up() as index:
            rows += index.labelled()
    return rows


_NEW = Unknown(labels=(), event=EventId(""), why="new")


class _Found(NamedTuple):
    """A regular file: its real path, which file it is, its size."""

    path: str
    device: int
    inode: int
    size: int


class _TooMany(Exception):
    """There are more entries than were to be looked at, or some cannot be."""


def _walk(folder: str, without: Collection[str], most: int) -> Iterator[_Found]:
    """Each regular file below ``folder``, each directory once. Raises ``_TooMany``."""
    waiting, seen, count = [folder], {folder}, 0
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    count += 1
                    if count > most:
                        raise _TooMany
                    path = os.path.realpath(entry.path) if entry.is_symlink() else entry.path
                    status = _status(path)
                    if status is None or path in without:
                        continue
                    if stat.S_ISREG(status.st_mode):
                        yield _Found(path, status.st_dev, status.st_ino, status.st_size)
                    elif stat.S_ISDIR(status.st_mode) and path not in seen:
                        seen.add(path)
                        waiting.append(path)
        except OSError:
            raise _TooMany from None


def _status(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except OSError:  # gone meanwhile, or a link to nothing
        return None


def _recall(files: FileLabels, index: Index, sizes: frozenset[int], found: _Found) -> Knowledge:
    """What is known of one file below a directory; its content is read only where something may be known of it."""
    path = contents.path_text(found.path)
    if found.size in sizes or index.names(path, found.device, found.inode) or index.around(path):
        try:
            return files.recall(Path(found.path))
        except OSError:
            return _NEW
    return _NEW if any(_lies_in(found.path, str(place)) for place in files.tracked) else Untracked()


def _lies_in(path: str, folder: str) -> bool:
    """Whether a real path is ``folder``, or lies below it."""
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")


def _reached(path: str, roots: Sequence[str] | None) -> bool:
    """Whether a path of the ledger is within the roots, or one of them within it, and stands there; yes in doubt."""
    if not os.path.lexists(path):
        # The file is gone where its folder is there; where that is not, it may have been moved with what is in it.
        return path.startswith(("/<", contents.HEX)) or not os.path.lexists(os.path.dirname(path))  # noqa: PTH120
    return roots is None or any(_lies_in(path, root) or _lies_in(root, path) for root in roots)

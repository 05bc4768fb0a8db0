"""Joined labels of all files below a directory, or reachable by a process.

What is known of a directory is the join of what ``FileLabels.recall`` knows of each file in it, and in all below it. It is
found without opening each, and mostly without looking at each:

1. Their names and the numbers of their inodes tell which of them the ledger speaks of: by path, by which file it is, or as a
   place over which something was spread. Whoever watches the directories knows both already (``listed``).
2. Any other may still hold a content that was written elsewhere: a copy. All that can be said of contents is a short list of
   sets of labels (``Outline``). What adds nothing to what is joined already need not be looked for. Of the rest the sizes are
   known: only a file of such a size is read.
3. A file of which nothing is known counts as unknown in a tracked place. One of a size that no known content has is one for sure,
   and one is enough.

So it costs what the ledger speaks of, and not what the directory holds; a look at each file where it knows labels of a content that
nothing below the directory is known to have. The labels, and whether all is known, are the same as of opening each. Of several files
that give the same, one event is told at least.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from sluicegate.record.directories import STATE
from sluicegate.record.files import contents
from sluicegate.record.files.contents import lies_in
from sluicegate.record.files.files import FileLabels, Knowledge, Known, Unknown, Untracked, doubted, known_by
from sluicegate.record.files.index import FileRow, Index, PlaceLabels
from sluicegate.record.files.joining import join_labels
from sluicegate.record.files.names import DirectoryNames, Listed, TooManyNames, directories_below, outermost
from sluicegate.record.ledger.events import EventId, Strings
from sluicegate.tuples import NamedTuple

MOST = 100_000
"""Entries of a directory, with all below it, that are looked at."""
_MOST_READ = 20_000
"""Files that are read."""
_MOST_TRIED = 200
_LEDGER = f"{STATE}/sec/audit.jsonl"
_NEW = Unknown(labels=(), event=EventId(""), why="new")
_UNTRACKED = Untracked()


def recall_below(
    files: FileLabels,
    folder: Path,
    *,
    each: Callable[[DirectoryNames], object],
    written: Callable[[EventId], object] = lambda event: None,
    without: Iterable[Path] = (),
    listed: Listed = lambda path: None,
    most: int = MOST,
) -> Knowledge:
    """What is known of all regular files below a directory together, links followed, ``without`` left out.

    ``each`` is called with the directories and the names in them, ``written`` with events of what is known. Where there are
    more than ``most`` entries, or a directory cannot be read,
    everything is said that is known of any file, and ``why`` is ``gap``. Raises LedgerError.
    """
    real = os.path.realpath(folder)
    left_out = frozenset(os.path.realpath(path) for path in without)
    several = (files, *files.others(real))
    try:
        tree = directories_below(real, without=left_out, listed=listed, most=most)
    except TooManyNames:
        return _together([_everything(one) for one in several])
    for directory in tree:
        each(directory)
    said = [_recall_below(one, real, tree, written) for one in several]
    for place, inner in _inner_ledgers(files, several, tree):
        said.append(_recall_below(inner, place, [one for one in tree if lies_in(one.path, place)], written))
    return _together(said)


def _together(several: Sequence[Knowledge]) -> Knowledge:
    said = [one for one in several if not isinstance(one, Untracked)]
    doubtful = [one for one in said if isinstance(one, Unknown)]
    if not doubtful:
        return (
            Known(labels=join_labels(*(one.labels for one in said)), event=said[0].event)
            if said
            else _UNTRACKED
        )
    why: Literal["gap", "new"] = "gap" if any(one.why == "gap" for one in doubtful) else "new"
    return Unknown(labels=doubted(*(one.labels for one in said)), event=doubtful[0].event, why=why)


def _inner_ledgers(
    files: FileLabels, several: Sequence[FileLabels], tree: Sequence[DirectoryNames]
) -> Iterator[tuple[str, FileLabels]]:
    """The ledgers of projects below the directory, with the directories of these."""
    folder, name = os.path.split(_LEDGER)
    for one in tree:
        if name in one.files and one.path.endswith(f"/{folder}"):
            place = one.path.removesuffix(f"/{folder}") or "/"
            yield from ((place, inner) for inner in files.others(place) if inner not in several)


def _everything(files: FileLabels) -> Knowledge:
    with files.caught_up() as index:
        return Unknown(labels=doubted(index.everything()), event=EventId(""), why="gap")


def _recall_below(
    files: FileLabels, folder: str, tree: Sequence[DirectoryNames], written: Callable[[EventId], object]
) -> Knowledge:
    """The same by one ledger."""
    with files.caught_up() as index:
        look = _Look(files, index, written)
        try:
            look.named = _named(index, folder, tree, look.spread)
            look.for_unknown(tree)
            look.at_named()
            for directory in tree:
                if look.is_over():
                    break
                look.at_rest(directory)
        except _TooManyFiles:
            return Unknown(labels=doubted(index.everything()), event=look.joined.event, why="gap")
    return look.joined.knowledge()


def _named(
    index: Index, folder: str, tree: Sequence[DirectoryNames], spread: Iterable[str]
) -> dict[str, tuple[FileRow | None, list[FileRow]]]:
    """The files of which the ledger speaks (1): by their paths what was written there, and all that may have been written to them."""
    found: dict[str, tuple[FileRow | None, list[FileRow]]] = {}
    there: dict[str, list[DirectoryNames]] = {}
    for directory in tree:
        there.setdefault(directory.path, []).append(directory)

    def stands(path: str) -> bool:
        where, _, name = path.rpartition("/")
        return any(name in one.files for one in there.get(where or "/", ()))

    inodes = index.outline().inodes
    for directory in tree:
        numbers = inodes.get(directory.device)
        if numbers and directory.has_any(numbers):
            for name, inode in directory.files.items():
                if inode in numbers:
                    found[directory.join(name)] = None, index.by_inode(directory.device, inode)
    for top in outermost(folder, tree):
        for path, row in index.rows_below(top):
            if stands(path):
                _, rows = found.get(path, (None, []))
                found[path] = row, [*rows, row]
    for path in map(contents.path_of, spread):
        if stands(path):
            found.setdefault(path, (None, []))
    return found


class _TooManyFiles(Exception):
    """More would have to be read than is."""


class _Joined:
    """What is known of the files that were looked at."""

    def __init__(self) -> None:
        self._labels: set[str] = set()
        self._vouched, self._unknown, self._seen = True, False, False
        self.event = EventId("")

    def add(self, more: Knowledge) -> None:
        """One more file."""
        if isinstance(more, Untracked):
            return
        self._seen = True
        self._unknown = self._unknown or isinstance(more, Unknown)
        self._vouched = self._vouched and (not more.labels or "trusted" in more.labels)
        self._labels.update(more.labels)
        self.event = more.event or self.event

    def covers(self, more: Knowledge) -> bool:
        """Whether one more file of which this is known would change neither the labels nor whether all is known."""
        if isinstance(more, Untracked):
            return True
        if isinstance(more, Unknown) and not self._unknown:
            return False
        if any(label != "trusted" and label not in self._labels for label in more.labels):
            return False
        if self._unknown or not self._vouched or not more.labels:
            return True
        return "trusted" in more.labels and "trusted" in self._labels

    def knowledge(self) -> Knowledge:
        """What is known of all."""
        labels = tuple(sorted(self._labels if self._vouched else self._labels - {"trusted"}))
        if self._unknown:
            return Unknown(labels=doubted(labels), event=self.event, why="new")
        return Known(labels=labels, event=self.event) if self._seen else _UNTRACKED


class _Look:
    """Looking at files by one ledger, as far as it can change what is known of all."""

    def __init__(self, files: FileLabels, index: Index, written: Callable[[EventId], object]) -> None:
        self._files, self._index, self._written = files, index, written
        self.joined, self.spread = _Joined(), index.spread_places()
        self.named: dict[str, tuple[FileRow | None, list[FileRow]]] = {}
        self._spread_at = {contents.path_of(path): place for path, place in self.spread.items()}
        self._places: dict[str, _Place] = {}
        self._room = _MOST_READ
        self._tracked = frozenset(str(place) for place in files.tracked)
        self._nowhere = _place((), files.gap)
        self._contents = {
            _said(labels, partly): sizes for (labels, partly), sizes in index.outline().contents.items()
        }
        self._sizes = frozenset[int]().union(*self._contents.values())
        self._open = self._sizes
        """The sizes of contents that would change what is known of all."""
        self._covered: Knowledge = _UNTRACKED
        """What was found to be covered last: it stays so."""
        self._add(_UNTRACKED)

    def is_over(self) -> bool:
        """Whether no file of which the ledger does not speak can change what is known of all, wherever it lies."""
        return not (self._open or self.spread) and self.joined.covers(_NEW)

    def for_unknown(self, tree: Iterable[DirectoryNames]) -> None:
        """Find one file of which nothing is known, among the first (3): it saves reading those of which much is."""
        room = _MOST_TRIED
        covered: Knowledge = _UNTRACKED
        for directory in tree:
            if self.is_over():
                return
            other = self._other(directory.path)
            if other is covered:
                continue
            if self.joined.covers(other):
                covered = other
                continue
            for name in directory.files:
                path = directory.join(name)
                room -= 1
                if path not in self.named and _size(path) not in self._sizes:
                    self._add(other)
                    break
                if not room:
                    return

    def at_named(self) -> None:
        """Look at the files of which the ledger speaks."""
        for path, (at_path, rows) in self.named.items():
            said: tuple[FileRow | PlaceLabels, ...] = (*rows, *self._around(path))
            changed = Unknown(
                labels=doubted(*(each.labels for each in said)), event=EventId(""), why="changed"
            )
            covered = at_path is not None and all(
                self.joined.covers(each) for each in (changed, *map(known_by, rows))
            )
            if at_path is not None and covered and _size(path) not in self._open:
                self._written(EventId(at_path.event))
            else:
                self._read(path)

    def at_rest(self, directory: DirectoryNames) -> None:
        """Look at the other files of a directory: for those whose content is known (2), and one of which nothing is (3)."""
        other = self._other(directory.path)
        wanted = other is not self._covered and not self.joined.covers(other)
        if not wanted:
            self._covered = other
        doubtful: list[str] = []
        for name in directory.files:
            if not wanted and not self._open:
                return
            path = directory.join(name)
            if path in self.named:
                continue
            size = _size(path)
            if size is None or size in self._open:
                self._read(path)
                wanted = not self.joined.covers(other)
            elif wanted and size not in self._sizes:
                self._add(other)
                wanted = False
            elif wanted:
                doubtful.append(path)
        for path in doubtful:
            if self.joined.covers(other):
                return
            self._read(path)

    def _read(self, path: str) -> None:
        """What is known of one file, by its content."""
        self._room -= 1
        if self._room < 0:
            raise _TooManyFiles
        try:
            self._add(self._files.recall(Path(path)))
        except FileNotFoundError:  # gone meanwhile
            return
        except OSError:
            self._add(_NEW)

    def _add(self, found: Knowledge) -> None:
        self.joined.add(found)
        if not isinstance(found, Untracked) and found.event:
            self._written(found.event)
        if self._open:
            rest = (sizes for said, sizes in self._contents.items() if not self.joined.covers(said))
            self._open = frozenset[int]().union(*rest)

    def _other(self, folder: str) -> Knowledge:
        """What is known of a file in a directory that the ledger does not speak of, and whose content is not known."""
        return self._there(folder).other

    def _around(self, path: str) -> tuple[PlaceLabels, ...]:
        """What was spread over a path, or over a directory above it."""
        where, _, name = path.rpartition("/")
        above = self._there(where or "/").spread if name else ()
        own = self._spread_at.get(path)
        return above if own is None else (own, *above)

    def _there(self, folder: str) -> _Place:
        """A directory: of most the same as of the one above it."""
        found = self._places.get(folder)
        if found is None:
            where, _, name = folder.rpartition("/")
            above = self._there(where or "/") if name else self._nowhere
            own = self._spread_at.get(folder)
            tracked = above.tracked or folder in self._tracked
            found = above
            if own is not None or tracked != above.tracked:
                found = _place(above.spread if own is None else (own, *above.spread), tracked)
            self._places[folder] = found
        return found


class _Place(NamedTuple):
    """What was spread over a directory or above it, whether its files are tracked, and what that says of a file in it."""

    spread: tuple[PlaceLabels, ...]
    tracked: bool
    other: Knowledge


def _place(around: tuple[PlaceLabels, ...], tracked: bool) -> _Place:
    if not around:
        return _Place(around, tracked, _NEW if tracked else _UNTRACKED)
    event = EventId(around[0].event)
    labels = doubted(*(each.labels for each in around))
    return _Place(around, tracked, Unknown(labels=labels, event=event, why="new"))


def _said(labels: Strings, partly: bool) -> Known | Unknown:
    """What is known of a file with a content that was written with these labels."""
    return known_by(FileRow("", 0, labels, partly, ""))


def _size(path: str) -> int | None:
    try:
        return os.lstat(path).st_size
    except OSError:
        return None


def known_within(files: FileLabels, places: Sequence[Path] | None) -> Strings:
    """All labels of the files at or below ``places`` that are known by a path at which something still stands; None:
    anywhere. Those of files whose paths are not told, or lead nowhere, count everywhere. Raises LedgerError."""
    roots = None if places is None else [os.path.realpath(place) for place in places]
    rows = _labelled(files, roots or ())
    return join_labels(*(labels for path, labels in rows if _reached(path, roots)))


def named_within(files: FileLabels, places: Sequence[str]) -> list[tuple[str, Strings]]:
    """The files and places at, below or around ``places`` (real paths) that a writer named, with the labels of what it wrote;
    those where nothing stands any more left out. Raises LedgerError."""
    several = dict.fromkeys(one for place in places for one in files.others(place))
    rows: list[tuple[str, Strings]] = []
    for one in (files, *several):
        with one.caught_up() as index:
            rows += index.named()
    return [(path, labels) for path, labels in rows if _reached(path, places)]


def labelled_around(
    files: FileLabels, place: str
) -> tuple[list[tuple[str, Strings]], list[tuple[str, Strings]]]:
    """The files and places at or below a real path of which there are labels, and the places around it over which something was spread.
    Those where nothing stands any more are left out. Raises LedgerError."""
    rows = {path: labels for path, labels in _labelled(files, ()) if labels and os.path.lexists(path)}
    below = sorted((path, labels) for path, labels in rows.items() if lies_in(path, place))
    above = sorted((path, labels) for path, labels in rows.items() if path != place and lies_in(place, path))
    return below, above


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


def _reached(path: str, roots: Sequence[str] | None) -> bool:
    """Whether a path of the ledger is within the roots, or one of them within it, and stands there; yes in doubt."""
    if not os.path.lexists(path):
        # The file is gone where its folder is there; where that is not, it may have been moved with what is in it.
        return path.startswith(("/<", contents.HEX)) or not os.path.lexists(os.path.dirname(path))  # noqa: PTH120
    return roots is None or any(lies_in(path, root) or lies_in(root, path) for root in roots)

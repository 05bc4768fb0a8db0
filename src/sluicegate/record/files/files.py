"""File labels: what was written into a file with which labels is known when it is read back.

``remember`` records a write as an event of the ledger; ``recall`` finds what is known of a file under whatever
name it has by then. A file is known by its content (a salted digest), by which file it is (device, inode,
generation) and by its real path. ``recall`` decides, in this order:

1. This very file was last written with this content: its labels. Renamed, linked or not.
2. This path was last written with this content: its labels.
3. This content was written somewhere: the join of the labels of all writes of it. A copy.
4. This file or path was written, with another content: others changed it. The labels are those that are known,
   and something unknown beside them.
5. Nothing is known. In a tracked place the file is unknown, elsewhere it is not tracked. Where the ledger has lost
   lines, it is unknown everywhere.
6. ``spread`` says that something may have written any file of a place. Of what 4 and 5 say of a file there, its
   labels are part; what 1 to 3 know by content is known.

Whatever was only partly known when it was written (something was appended to a file that others had changed)
stays so in 1 to 3. Every error is on the side of more labels, but for ``trusted``: it stays only where all of the
file is known, and every part of it had it.

Several ledgers may know of one file: that of a project, and that of one around it. Each is asked (``others``), and what they
say is joined.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from sluicegate.record.errors import LedgerError, RecordError
from sluicegate.record.files import contents
from sluicegate.record.files.contents import Content, Which
from sluicegate.record.files.joining import join_labels
from sluicegate.record.ledger.events import EventId, Narrow, Spread, Strings, Vouch, Write
from sluicegate.record.ledger.ledger import Ledger

if TYPE_CHECKING:
    from sluicegate.record.files.index import FileRow, Index, PlaceLabels

_INDEX = "files.db"
_LIMIT = 256 * 1024 * 1024


class Known(Struct, frozen=True, kw_only=True):
    """All of the file was written by us, with these labels; ``event`` is the write that says so."""

    labels: Strings
    event: EventId


class Unknown(Struct, frozen=True, kw_only=True):
    """Some or all of the file comes from who knows where.

    ``labels`` are those that are known all the same; the caller joins them with what its policy says of
    unlabelled data. ``event`` is the last write that is known of, or empty.
    """

    labels: Strings
    event: EventId
    why: Literal["new", "changed", "partly", "gap"]


class Untracked(Struct, frozen=True, kw_only=True):
    """Never written by us, and not in a tracked place."""


Knowledge = Known | Unknown | Untracked


class FileReading(Struct, frozen=True, kw_only=True):
    """The bytes of a file and what is known of exactly these bytes; ``digest`` is for a ``Read`` event."""

    data: bytes
    knowledge: Knowledge
    path: str
    digest: str


class FileLabels:
    """What the ledger knows of files. ``tracked`` are the directories in which every file should be known; ``others`` gives the
    other ledgers that may know of the file at a real path.

    Safe for threads and forks, as the ledger is. Raises LedgerError where the ledger does, and OSError for files
    that cannot be opened or read, as ``open`` would.
    """

    def __init__(
        self,
        ledger: Ledger,
        *,
        tracked: Sequence[Path] = (),
        others: Callable[[str], Sequence[FileLabels]] = lambda path: (),
    ) -> None:
        self._ledger, self.others = ledger, others
        self._tracked = tuple(path.resolve() for path in tracked)
        self._unwritten = False
        self._gap: bool | None = None  # what ``_catch_up`` gives within ``caught_up``
        self._mutex = threading.RLock()
        self._index: Index | None = None
        self._on_disk = False
        _open.add(self)

    def remember(
        self,
        path: Path,
        labels: Iterable[str],
        writer: str,
        *,
        appended: int | None = None,
        wrote: bytes | None = None,
        keeping: bool = False,
        was: Literal["new", "there", "unknown"] = "new",
        fd: int | None = None,
        inputs: Strings = (),
        code: bool = False,
    ) -> EventId:
        """Record that ``writer`` has written ``path`` with ``labels``; call it when the file is complete.

        ``appended`` is the number of bytes added to the end of what was there: the labels are then joined with
        those of what was there. ``wrote`` is what the caller wrote or appended, where it knows: a file that holds
        something else by now is only partly known. ``keeping`` is for a writer that may have left some of what was
        there, or all of it: what is known of the file, its path and its content is joined. ``was`` says whether the file was
        there before, and whether something in it was unknown; so is a file in a tracked place of which nothing is known.
        ``fd``, open for reading, is the file itself, where the caller has it open. ``code``: nobody named the file.
        """
        with _opened(path, fd) as file:
            found = contents.which(file)
            if not found.regular:
                raise RecordError(f"{path} is not a regular file: its labels cannot be remembered")
            content = contents.read(file, self._ledger.salt, appended=appended)
            real = contents.real_path_of(path, found) or os.path.realpath(path)
            joined = join_labels(labels)
            partly = wrote is not None and not contents.ends_with(file, content, wrote)
        name = contents.path_text(real)
        if wrote is not None and appended is None:
            partly = partly or content.size != len(wrote)
        with self._mutex:
            if keeping:
                joined, doubted = self._kept(found, content, name, joined, was)
                partly = partly or doubted
            return self._remember(found, content, name, joined, writer, partly, appended, inputs, code)

    def _kept(
        self, found: Which, content: Content, name: str, labels: Strings, was: str
    ) -> tuple[Strings, bool]:
        """``labels`` with what is known of this file, path and content; whether the content is partly known."""
        self._catch_up()
        index = self._opened_index()
        rows = [index.by_file(found.key), index.by_path(name), index.by_content(content.digest)]
        known = [row for row in rows if row is not None]
        partly = was == "unknown" or any(row.partly for row in known)
        if was == "there" and rows[:2] == [None, None]:
            partly = partly or any(Path(name).is_relative_to(place) for place in self._tracked)
        return join_labels(labels, *(row.labels for row in known)), partly

    @property
    def tracked(self) -> tuple[Path, ...]:
        """The directories in which every file should be known."""
        return self._tracked

    def spread(
        self,
        path: Path,
        labels: Iterable[str],
        writer: str,
        *,
        inputs: Strings = (),
        follow: bool = True,
        code: bool = False,
        pending: bool = False,
    ) -> EventId:
        """Record that ``writer`` may have written any file at or below ``path``, where nobody can say which.

        ``follow`` False: ``path`` may be a link, and is meant itself. ``code``: nothing there was named. ``pending``: ``narrow`` may
        say later what was written.
        """
        real = os.path.realpath(path) if follow else os.path.join(os.path.realpath(path.parent), path.name)  # noqa: PTH118
        name = contents.path_text(real)
        taint = tuple(sorted(set(labels)))
        event = Spread(path=name, taint=taint, writer=writer, inputs=inputs, code=code, pending=pending)
        with self._mutex:
            return self._noted(event)

    def narrow(self, spread: str, count: int) -> EventId:
        """Record that of a pending spread ``count`` files and names were changed, which were remembered before this, and no others."""
        with self._mutex:
            return self._noted(Narrow(spread=spread, count=count))

    def vouch(self, path: Path, remove: Iterable[str], by: str) -> EventId:
        """Record that a person answers for what lies at or below ``path`` now: these labels are taken from it."""
        name = contents.path_text(os.path.realpath(path))
        with self._mutex:
            return self._noted(Vouch(path=name, remove=tuple(sorted(set(remove))), by=by))

    def _noted(self, event: Write | Spread | Narrow | Vouch) -> EventId:
        id = self._ledger.append(event)
        self._unwritten = True
        self._opened_index().learn([(id, event)])
        return id

    def _remember(
        self,
        found: Which,
        content: Content,
        name: str,
        joined: Strings,
        writer: str,
        partly: bool,
        appended: int | None,
        inputs: Strings,
        code: bool,
    ) -> EventId:
        if appended is not None and content.size > appended:
            before = self._before(found, name, content, content.size - appended)
            joined = join_labels(joined, before.labels)
            partly = partly or not isinstance(before, Known)
        return self._noted(
            Write(
                path=name,
                taint=joined,
                writer=writer,
                hash=content.digest,
                size=content.size,
                device=found.device,
                inode=found.inode,
                generation=found.generation,
                appended=appended is not None,
                code=code,
                partly=partly,
                inputs=inputs,
            )
        )

    def recall(self, path: Path, fd: int | None = None) -> Knowledge:
        """What is known of the file at ``path``, or of the open file ``fd``, which ``path`` led to."""
        with _opened(path, fd) as file:
            found = contents.which(file)
            content = contents.read(file, self._ledger.salt) if found.regular else None
            real = contents.real_path_of(path, found)
            said = [each.recall(path, file) for each in self.others(real or os.path.realpath(path))]
        return together([self._decide(found, content, real), *said])

    @contextmanager
    def caught_up(self) -> Iterator[Index]:
        """The index at the end of the ledger, for one question at a time; what is recalled meanwhile is of that end."""
        with self._mutex:
            self._gap = self._catch_up()
            try:
                yield self._opened_index()
            finally:
                self._gap = None

    def read(self, path: Path, *, limit: int = _LIMIT) -> FileReading:
        """Read a file of at most ``limit`` bytes, with what is known of exactly the bytes that are returned.

        Raises RecordError when it is larger, or not a regular file.
        """
        with _opened(path, None) as file:
            found = contents.which(file)
            if not found.regular:
                raise RecordError(f"{path} is not a regular file")
            content = contents.read(file, self._ledger.salt, keep=limit)
            if content.size > limit:
                raise RecordError(
                    f"{path} is larger than {limit} bytes", hint="Read it in parts, or raise the limit."
                )
            real = contents.real_path_of(path, found)
            said = [each.recall(path, file) for each in self.others(real or os.path.realpath(path))]
        return FileReading(
            data=content.data,
            knowledge=together([self._decide(found, content, real), *said]),
            path=contents.path_text(real or os.path.realpath(path)),
            digest=content.digest,
        )

    @property
    def gap(self) -> bool:
        """Whether the ledger has lost lines, so that any file may have been written; within ``caught_up``."""
        return self._catch_up()

    def close(self) -> None:
        """Close the index. The ledger stays open."""
        if self._index is not None:
            self._index.close()
            self._index = None

    def _decide(self, found: Which, content: Content | None, real: str | None) -> Knowledge:
        """The procedure of the module."""
        with self._mutex:
            return self._decided(found, content, real)

    def _decided(self, found: Which, content: Content | None, real: str | None) -> Knowledge:
        gap = self._catch_up()
        index = self._opened_index()
        rows = [index.by_file(found.key), index.by_path(contents.path_text(real)) if real else None]
        if content is not None:
            for row in rows:  # 1, 2
                if row is not None and (row.digest, row.size) == (content.digest, content.size):
                    return known_by(row)
            copy = index.by_content(content.digest)
            if copy is not None:  # 3
                return known_by(copy)
        written = [row for row in rows if row is not None]
        around = index.around(contents.path_text(real) if real else None)
        if written or around:  # 4, 6
            said: tuple[FileRow | PlaceLabels, ...] = (*written, *around)
            labels = doubted(*(each.labels for each in said))
            return Unknown(labels=labels, event=EventId(said[0].event), why="changed" if written else "new")
        if gap:  # 5
            return Unknown(labels=(), event=EventId(""), why="gap")
        if real is None or any(Path(real).is_relative_to(place) for place in self._tracked):
            return Unknown(labels=(), event=EventId(""), why="new")
        return Untracked()

    def _before(self, found: Which, name: str, content: Content, size: int) -> Known | Unknown:
        """What is known of the first ``size`` bytes of a file that was appended to."""
        self._catch_up()
        index = self._opened_index()
        rows = [row for row in (index.by_file(found.key), index.by_path(name)) if row is not None]
        for row in rows:
            if (row.digest, row.size) == (content.before, size):
                return known_by(row)
        copy = index.by_content(content.before) if content.before is not None else None
        if copy is not None:
            return known_by(copy)
        labels = doubted(*(row.labels for row in rows))
        return Unknown(labels=labels, event=EventId(rows[0].event if rows else ""), why="changed")

    def _catch_up(self) -> bool:
        """Bring the index to the end of the ledger; whether something is missing there (``gap``)."""
        if self._gap is not None:
            return self._gap
        if self._unwritten or self._ledger.writer is None:  # None: never opened, or in the child of a fork
            self._ledger.flush()
            self._unwritten = False
        writer = self._ledger.writer
        if writer is None:
            return True  # nothing of earlier runs can be known
        try:
            return self._opened_index().catch_up(self._ledger.path, writer.memory).gap
        except LedgerError:
            if self._ledger.fail_closed:
                raise
            return True

    def _opened_index(self) -> Index:
        """The index; in memory alone until the ledger, which could not be opened before, is open."""
        from sluicegate.record.files.index import Index

        writer = self._ledger.writer
        if self._index is not None and writer is not None and not self._on_disk:
            self.close()
        if self._index is None:
            self._on_disk = writer is not None
            if writer is None:
                self._index = Index(None, "")
            else:
                self._index = Index(writer.memory.directory / _INDEX, writer.memory.ledger)
        return self._index

    def forked(self) -> None:
        """In the child of a fork: begin anew. SQLite allows it neither to use nor to close its parent's index."""
        self._mutex = threading.RLock()
        if self._index is not None:
            _inherited.append(self._index)
            self._index = None


_open: weakref.WeakSet[FileLabels] = weakref.WeakSet()
_inherited: list[Index] = []


def _in_child() -> None:
    for files in list(_open):
        files.forked()


os.register_at_fork(after_in_child=_in_child)


def together(several: Sequence[Knowledge]) -> Knowledge:
    """What several ledgers say of one file: those that know all of it, else those that know something of it."""
    known = [each for each in several if isinstance(each, Known)]
    if known:
        return Known(labels=join_labels(*(each.labels for each in known)), event=known[0].event)
    partly = [each for each in several if isinstance(each, Unknown)]
    if not partly:
        return Untracked()
    event = next((each.event for each in partly if each.event), EventId(""))
    return Unknown(labels=doubted(*(each.labels for each in partly)), event=event, why=partly[0].why)


def doubted(*parts: Strings) -> Strings:
    """The labels of what is not known to be all of it: nobody vouches for the rest."""
    return tuple(label for label in join_labels(*parts) if label != "trusted")


def known_by(row: FileRow) -> Known | Unknown:
    """What is known of a file that holds what was written last."""
    if row.partly:
        return Unknown(labels=doubted(row.labels), event=EventId(row.event), why="partly")
    return Known(labels=row.labels, event=EventId(row.event))


@contextmanager
def _opened(path: Path, fd: int | None) -> Iterator[int]:
    if fd is not None:
        yield fd
        return
    own = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        yield own
    finally:
        os.close(own)

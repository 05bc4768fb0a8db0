"""One command, and what it may have changed: collected while it runs, and looked at when it has ended."""

from __future__ import annotations

import os
import stat
from typing import Final

from sluicegate.flow.environments.changes.effects import (
    UNSURE,
    Changes,
    Facts,
    Listing,
    changed_files,
    clock_offset,
    facts_of,
    file_clock,
)
from sluicegate.flow.environments.changes.inventory import (
    Inventory,
    KnownPath,
    WatchedFolder,
    join,
    known_in,
    split,
)

_BY_PATH: Final = getattr(os, "O_PATH", 0) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
"""How a folder is opened without an event, which opening it to read would be."""


class Turn:
    """One command, from ``begin`` to ``changes``."""

    __slots__ = ("__weakref__", "before", "broken", "came", "every", "inodes", "offset", "since", "written")

    def __init__(self, *, every: bool) -> None:
        self.since, self.offset = file_clock(), clock_offset()
        self.before: dict[str, KnownPath | None] = {}
        """The paths to look at, with what stood there before the command."""
        self.inodes: set[int] = set()
        """The files to look at, whatever their names."""
        self.written: set[int] = set()
        """The files that were open for writing."""
        self.every, self.came, self.broken = every, False, False
        """Whether every file is to be looked at; whether a folder came that was not watched before; whether nothing is known."""

    def put_differing(self, known: dict[str, WatchedFolder], now: dict[str, WatchedFolder]) -> None:
        """Put here every path under which something else stands than was known, and have every file looked at."""
        self.every = True
        for path in known.keys() | now.keys():
            was, there = known.get(path), now.get(path)
            same = was is not None and there is not None and was.handle == there.handle
            names_before = was.files if was is not None else {}
            names_now = there.files if there is not None else {}
            differing = [] if same else [path]
            if not same or names_before != names_now:
                differing += [
                    join(path, name)
                    for name in names_before.keys() | names_now.keys()
                    if not same or names_before.get(name) != names_now.get(name)
                ]
            for each in differing:
                self.before.setdefault(each, known_in(known, each))


class ChangeLook:
    """What is to be looked at after a command, looked at."""

    def __init__(
        self, turn: Turn, inventory: Inventory, roots: frozenset[str], in_memory: frozenset[int]
    ) -> None:
        self._turn, self._inventory, self._roots, self._in_memory = turn, inventory, roots, in_memory
        self._offset = clock_offset()
        set_back = min(0, self._offset - turn.offset)
        self._by_then = turn.since - UNSURE + set_back
        self._entries: dict[str, Facts] = {}
        self._folders: dict[str, tuple[int, int, int]] = {}
        self._missing = False

    def changes(self) -> Changes:
        """Created, modified and deleted paths."""
        if self._turn.every:
            self._find_changed()
        touched: set[int] = set()
        for path in list(self._turn.before):
            touched |= self._look_at(path)
        there = {facts[1] for facts in self._entries.values()}
        touched |= self._turn.inodes - there
        touched |= {
            known.inode for known in self._turn.before.values() if known is not None and not known.folder
        } - there  # a file that was replaced
        for path in self._inventory.holds(touched) if touched else ():  # 4
            if path not in self._turn.before:
                self._turn.before[path] = self._inventory.known(path)
                self._look_at(path)
        return changed_files(self._before(), self._after())

    def _look_at(self, path: str) -> set[int]:
        """Look at a path; the file there if it was changed and has other names."""
        is_root = path in self._roots
        if not is_root and split(path)[0] not in self._inventory.folders:
            return set()  # its folder is gone: what is found by the path may be elsewhere, over a link
        try:
            status = status_of(path)
        except OSError:
            self._missing = True
            return set()
        if status is None:
            self._missing = self._missing or is_root
            return set()
        if stat.S_ISDIR(status.st_mode):
            self._folders[path] = (status.st_dev, status.st_ino, status.st_ctime_ns)
            return set()
        facts = facts_of(status)
        changed = status.st_ctime_ns > self._by_then
        if status.st_dev in self._in_memory and status.st_ino in self._turn.written:
            changed, facts = True, (*facts[:-1], self._turn.since)
        self._entries[path] = facts
        return {status.st_ino} if changed and status.st_nlink > 1 else set()

    def _find_changed(self) -> None:
        """Find every file that was changed since, by its time alone."""
        by_then, look, before = self._by_then, os.stat, self._turn.before
        for path, folder in self._inventory.folders.items():
            try:
                opened = os.open(path, _BY_PATH)
            except OSError:
                self._missing = True
                continue
            try:
                for name in folder.files:
                    try:
                        if look(name, dir_fd=opened, follow_symlinks=False).st_ctime_ns > by_then:
                            before.setdefault(
                                join(path, name), KnownPath(False, folder.device, folder.files[name])
                            )
                    except OSError:  # looked at once more, by its path
                        before.setdefault(
                            join(path, name), KnownPath(False, folder.device, folder.files[name])
                        )
            finally:
                os.close(opened)

    def _before(self) -> Listing:
        entries: dict[str, Facts] = {}
        folders: dict[str, tuple[int, int, int]] = {}
        for path, known in self._turn.before.items():
            if known is not None and known.folder:
                folders[path] = (known.device, known.inode, 0)
            elif known is not None:
                entries[path] = (known.device, known.inode, 0, 0, 0, 0)
        return self._listing(entries, folders, self._turn.offset)

    def _after(self) -> Listing:
        return self._listing(self._entries, self._folders, self._offset)

    def _listing(
        self, entries: dict[str, Facts], folders: dict[str, tuple[int, int, int]], offset: int
    ) -> Listing:
        return Listing(
            roots=self._roots,
            entries=entries,
            folders=folders,
            devices=frozenset(),
            taken=0,
            since=self._turn.since,
            offset=offset,
            incomplete=self._roots if self._missing else frozenset(),
        )


def status_of(path: str) -> os.stat_result | None:
    """What stands under a path; None for nothing. Raises ``OSError`` where that cannot be seen."""
    try:
        return os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None

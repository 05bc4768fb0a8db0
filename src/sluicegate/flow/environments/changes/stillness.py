"""Whether anything below the written roots was touched while a sandboxed command ran: mostly it was not.

Most commands only read. Listing a project after each of them costs as much as the project is large; asking the kernel
whether there is anything to list costs nothing. ``inotify`` tells of every change below a watched folder, but not of
each kind of change, and not of a file that has another name elsewhere. So it is asked for no list of changes: only
whether nothing at all happened. Anything that may be a change, and any doubt, means that the roots are listed.

Why nothing is missed, in a sandbox of bubblewrap on Linux (``serves``):

1. Every folder in which the command can write is watched: they are watched from the roots down, each before its own
   folders are looked for, so that one which is made meanwhile is told of. A new folder, or one that was moved, is an
   event; the folders are then found anew before the next command.
2. A file has no name outside, that the command could write through: the other folders it sees are read-only, each root is
   a mount of its own, and ``link`` does not go from one mount to another. A new name in a root is an event.
3. Creating, writing, cutting, linking, renaming, removing, and setting modes, times and attributes are events before the
   system call returns. What is written through a mapping of memory is none, nor is what the kernel writes later (AIO): but
   the file was opened before, which is an event too, and its ctime is then looked at. ``io_uring`` is not there.
4. Nothing of the command runs any more when the events are read: its processes are ended with their namespace.
5. Events that were lost, a watch that went away, or too few watches: the roots are listed.

Elsewhere this does not hold. A program that is not confined can write through a name of the file outside of the roots.
"""

from __future__ import annotations

import ctypes
import os
import struct
import threading
import time
import weakref
from collections.abc import Callable, Iterable
from typing import Final

from sluicegate.flow.environments.changes.effects import STEP, UNSURE, clock_offset
from sluicegate.flow.environments.configuration.config import BUBBLEWRAP, EnvironmentConfig
from sluicegate.tuples import NamedTuple

_MODIFY, _ATTRIB, _CLOSE_WRITE = 0x2, 0x4, 0x8
_OPEN, _MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x20, 0x40, 0x80, 0x100, 0x200
_DELETE_SELF, _MOVE_SELF = 0x400, 0x800
_UNMOUNT, _OVERFLOW, _IGNORED, _ISDIR = 0x2000, 0x4000, 0x8000, 0x40000000
_ONLYDIR, _DONT_FOLLOW = 0x01000000, 0x02000000

_CHANGES: Final = (
    _MODIFY | _ATTRIB | _CLOSE_WRITE | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE | _DELETE_SELF | _MOVE_SELF
)
_DOUBTS: Final = _UNMOUNT | _OVERFLOW | _IGNORED
_FOLDERS: Final = _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE_SELF | _MOVE_SELF
_EVENT: Final = struct.Struct("=iIII")
_MOST_OPENED: Final = 4_096
"""Opened files that are looked at one by one; of more, the roots are listed."""


class Told(NamedTuple):
    """What the kernel told: whether anything changed or may have, whether folders did, and which files were opened."""

    changed: bool
    folders: bool
    opened: frozenset[str]


def serves(config: EnvironmentConfig) -> bool:
    """Whether what is told here of such an environment is all that there is."""
    return config.provider == BUBBLEWRAP and config.roots is not None and bool(config.roots.write)


class Turn:
    """One command, from ``begin`` to ``nothing_happened``."""

    __slots__ = ("__weakref__", "offset", "since")

    def __init__(self) -> None:
        self.since, self.offset = time.time_ns() - UNSURE, clock_offset()


class Stillness:
    """The watched folders of some roots, kept from one command to the next.

    Of commands that run at the same time, the first alone is told anything: events are read once.
    """

    def __init__(self, roots: Iterable[str], left_out: Iterable[str]) -> None:
        self.roots = tuple(sorted(roots))
        self._left_out = frozenset(left_out)
        self._lock = threading.Lock()
        self._turn: weakref.ref[Turn] | None = None
        self._fd, self._process = -1, os.getpid()
        self._paths: dict[int, str] = {}
        self._whole = False

    def begin(self) -> Turn | None:
        """To be called before the command; None where nothing can be told after it."""
        with self._lock:
            if self._turn is not None and self._turn() is not None:
                return None
            if self._process != os.getpid():  # a fork shares the events with its parent
                self._close()
                self._process = os.getpid()
            if self._whole and self._read().folders:
                self._whole = False
            if not self._whole:
                self._whole = self._watch_all()
            if not self._whole:
                return None
            turn = Turn()
            self._turn = weakref.ref(turn)
            return turn

    def nothing_happened(self, turn: Turn | None) -> bool:
        """Whether surely nothing below the roots changed since ``begin`` gave that turn."""
        with self._lock:
            if turn is None or self._turn is None or self._turn() is not turn:
                return False
            self._turn = None
            told = self._read()
            self._whole = not told.folders
            set_meanwhile = abs(clock_offset() - turn.offset) >= STEP
            return not (told.changed or set_meanwhile) and all(
                self._untouched(path, turn.since) for path in told.opened
            )

    def __del__(self) -> None:
        self._close()

    def _close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
        self._fd, self._paths, self._whole = -1, {}, False

    @staticmethod
    def _untouched(path: str, since: int) -> bool:
        try:
            return os.lstat(path).st_ctime_ns <= since
        except OSError:
            return False

    def _watch_all(self) -> bool:
        """Watch every folder from the roots down; False where that does not go."""
        self._close()
        try:
            kernel = ctypes.CDLL(None, use_errno=True)
            self._fd = kernel.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK)
            watched = self._fd >= 0 and all(
                self._watch(kernel.inotify_add_watch, root) for root in self.roots
            )
        except (OSError, AttributeError):  # a folder that cannot be read; a system without inotify
            watched = False
        if not watched:
            self._close()
        # A folder that was made while others were looked for: its own folders may have been missed.
        return watched and not self._read().folders

    def _watch(self, add: Callable[[int, bytes, int], int], root: str) -> bool:
        waiting = [root]
        mask = _CHANGES | _OPEN | _ONLYDIR | _DONT_FOLLOW
        while waiting:
            folder = waiting.pop()
            number = add(self._fd, os.fsencode(folder), mask)
            if number < 0:
                return False
            self._paths[number] = folder
            with os.scandir(folder) as found:
                waiting += [
                    each.path
                    for each in found
                    if each.is_dir(follow_symlinks=False) and each.path not in self._left_out
                ]
        return True

    def _read(self) -> Told:
        """All events that wait."""
        changed = folders = False
        opened: set[str] = set()
        while True:
            try:
                events = os.read(self._fd, 1 << 16)
            except BlockingIOError:
                return Told(changed or folders, folders, frozenset(opened))
            at = 0
            while at < len(events):
                number, mask, _cookie, length = _EVENT.unpack_from(events, at)
                name = events[at + _EVENT.size : at + _EVENT.size + length].rstrip(b"\0")
                at += _EVENT.size + length
                path = self._named(number, name)
                if path in self._left_out:
                    continue
                folders = folders or bool(mask & _DOUBTS) or bool(mask & _ISDIR and mask & _FOLDERS)
                changed = changed or bool(mask & _CHANGES) or len(opened) > _MOST_OPENED
                if mask & _OPEN and not mask & _ISDIR:
                    opened.add(path)

    def _named(self, number: int, name: bytes) -> str:
        folder = self._paths.get(number, "")
        return f"{folder.rstrip('/')}/{os.fsdecode(name)}" if name else folder

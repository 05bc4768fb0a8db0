"""What a command changed below the written roots, by what the kernel tells: so that it costs what was changed.

The names in every folder of the roots are read once, and each folder is watched (``inventory``, ``fanotify``). From then on
events say which names were touched. Those alone are looked at, and judged by the rule by which two listings are (``effects``):
what was changed has a ctime of later than the beginning of the command, or came with its folder.

Why nothing is missed; the names everywhere, the contents in a sandbox of bubblewrap (``tells_all``):

1. Every folder is watched before its names are read. A name that comes, goes or is moved is an event of its folder, whoever
   did it. Where another folder than before stands under a name, what was known below it is forgotten, and what is there is
   read: all of it is looked at.
2. A file has no name outside, through which the command could write: the other folders it sees are read-only, each root is
   a mount of its own, and ``link`` does not go from one mount to another.
3. Creating, writing, cutting, linking, renaming, removing, and setting modes, times and attributes are events before the
   system call returns. What is written through a mapping of memory is none, nor is what the kernel writes later (AIO): but
   the file was opened before, which is an event too, and its ctime is then looked at. ``io_uring`` is not there.
4. An event names the file, not its name alone. So the other names of a file are looked at, too, also where the name through
   which it was changed is gone. A folder that came while the command ran was not watched from its beginning: a file may have
   got a name there, and lost it again. Then the ctime of every file is looked at, unless it is known that the command made
   no hard link (``run.links``).
5. Nothing of the command runs any more when the events are read: its processes are ended with their namespace.
6. Where events were lost, something was mounted in a root, or a root is another folder than before, everything is read anew
   and compared with what was known, and the ctime of every file is looked at. Where that does not go, the whole of the roots
   counts as changed.

Elsewhere 2 and 5 do not hold: a program that is not confined can write through a name of the file outside of the roots, of
which nothing tells but the file itself. There events serve for the names alone, and the ctime of every file is looked at.

On tmpfs writing through a mapping that was read before changes no time; there a file that was open for writing counts as changed.
"""

from __future__ import annotations

import os
import stat
import threading
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from sluicegate.flow.environments.changes import fanotify
from sluicegate.flow.environments.changes.effects import (
    MOST,
    Changes,
    local_devices,
)
from sluicegate.flow.environments.changes.fanotify import Event, Untold, WatchGroup
from sluicegate.flow.environments.changes.inventory import Inventory, KnownPath, below, join, split
from sluicegate.flow.environments.changes.turn import ChangeLook, Turn, status_of
from sluicegate.flow.environments.configuration.config import BUBBLEWRAP, EnvironmentConfig

_CONTENTS: Final = fanotify.MODIFY | fanotify.ATTRIB | fanotify.OPEN
_CAME: Final = fanotify.CREATE | fanotify.MOVED_TO
_ROOT_MOVED: Final = fanotify.DELETE_SELF | fanotify.MOVE_SELF
_TRIES: Final = 2
_BY_PATH: Final = (
    os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
)  # no event, as opening it to read would be


def tells_all(config: EnvironmentConfig) -> bool:
    """Whether events tell all that a command in such an environment changes."""
    return config.provider == BUBBLEWRAP and config.roots is not None


class Watched:
    """Some roots, from one command to the next. Safe under threads; commands may run at the same time."""

    def __init__(
        self, roots: Iterable[str], left_out: Iterable[str], *, tells_all: bool, most: int = MOST
    ) -> None:
        """``left_out`` are paths that no command can write, our own state."""
        self.roots = frozenset(roots)
        self._left_out, self._tells_all, self._most = frozenset(left_out), tells_all, most
        self._lock = threading.Lock()
        self._process, self._failed = os.getpid(), 0
        self._rests = False  # whether what is opened is not told
        self._turns: list[weakref.ref[Turn]] = []
        self._group: WatchGroup | None = None
        self._inventory: Inventory | None = None
        self._single: dict[str, KnownPath] = {}  # roots that are files
        self._mounts: tuple[bytes, dict[str, bytes]] = (b"", {})
        self._in_memory: frozenset[int] = frozenset()

    def __del__(self) -> None:
        self._forget()

    def begin(self) -> Turn | None:
        """To be called before the command; None where it cannot be told after it what changed."""
        with self._lock:
            self._not_in_a_fork()
            if self._failed >= _TRIES or not self._up_to_date() or not self._roused():
                return None
            turn = Turn(every=not self._tells_all)
            turn.before.update(self._single)
            self._turns.append(weakref.ref(turn))
            return turn

    def changes(self, turn: Turn, *, links: bool = True) -> Changes:
        """What changed below the roots since ``begin`` gave that turn, which is used up. ``links`` is whether the command may
        have made a hard link."""
        with self._lock:
            self._up_to_date()
            self._turns = [each for each in self._turns if each() not in (None, turn)]
            if turn.broken or self._inventory is None:
                return Changes(created=(), modified=(), deleted=(), incomplete=tuple(sorted(self.roots)))
            turn.every = turn.every or (turn.came and links)
            return ChangeLook(turn, self._inventory, self.roots, self._in_memory).changes()

    def rest(self) -> None:
        """Until the next command that may write, be told of names alone, and not of what is opened: a command that reads every file
        opens more than the kernel keeps events of (16,384), and changes nothing. Not while other commands run."""
        with self._lock:
            self._not_in_a_fork()
            group, inventory = self._group, self._inventory
            if group is None or inventory is None or not self._tells_all or self._rests or self._open_turns():
                return
            self._rests = True
            for path in inventory.folders:
                group.stop(path, fanotify.OPEN)  # where that fails, more is told than is asked for

    def _roused(self) -> bool:
        """Be told again of what is opened. What came to the place of a folder meanwhile is watched as it is taken in."""
        group, inventory = self._group, self._inventory
        if not self._rests or group is None or inventory is None:
            return True
        self._rests = False
        try:
            for path in inventory.folders:
                group.begin(path, fanotify.OPEN)
            self._take_in(inventory, group.read())
        except (OSError, Untold):
            return self._read_anew()
        return True

    @contextmanager
    def names(self, *, begin: bool) -> Iterator[Inventory | None]:
        """The names below the roots as they are now, for one question: nothing is taken in meanwhile. None where the kernel does not
        tell; without ``begin`` also where nothing is watched yet."""
        with self._lock:
            self._not_in_a_fork()
            known = self._failed < _TRIES and (begin or self._inventory is not None)
            yield self._inventory if known and self._up_to_date() else None

    def _not_in_a_fork(self) -> None:
        """Begin anew in a fork, which shares the events with its parent."""
        if self._process != os.getpid():
            self._forget()
            self._turns.clear()
            self._process = os.getpid()

    def _open_turns(self) -> list[Turn]:
        return [turn for each in self._turns if (turn := each()) is not None]

    # Keeping up with the kernel

    def _up_to_date(self) -> bool:
        """Take in what was told, or read everything anew (6); False where that does not go."""
        try:
            group, inventory = self._group, self._inventory
            if (
                group is not None
                and inventory is not None
                and self._same_roots(inventory)
                and self._same_mounts()
            ):
                self._take_in(inventory, group.read())
                return True
        except (OSError, Untold):
            pass
        return self._read_anew()

    def _read_anew(self) -> bool:
        known = self._inventory.folders if self._inventory is not None else {}
        self._forget()
        try:
            asked = fanotify.NAMES | fanotify.CLOSE_WRITE | _ROOT_MOVED
            self._group = WatchGroup(asked | (_CONTENTS if self._tells_all else 0))
            self._same_mounts()
            self._in_memory = local_devices(frozenset({"tmpfs"}))
            inventory = Inventory(
                self._group,
                left_out=self._left_out,
                mounted=frozenset(self._mounts[1]),
                devices=local_devices(),
                most=self._most,
            )
            for root in self._outer_roots():
                status = os.lstat(root)
                if stat.S_ISDIR(status.st_mode):
                    inventory.add(root)
                else:
                    self._single[root] = KnownPath(False, status.st_dev, status.st_ino)
            for turn in self._open_turns():
                turn.put_differing(known, inventory.folders)
            self._take_in(inventory, self._group.read())
        except (OSError, Untold):
            self._forget()
            self._failed += 1
            for turn in self._open_turns():
                turn.broken = True
            return False
        self._inventory, self._failed = inventory, 0
        return True

    def _forget(self) -> None:
        if self._group is not None:
            self._group.close()
        self._group = self._inventory = None
        self._single, self._rests = {}, False

    def _outer_roots(self) -> Iterator[str]:
        return (
            root for root in sorted(self.roots) if not any(o != root and below(root, o) for o in self.roots)
        )

    def _same_roots(self, inventory: Inventory) -> bool:
        """Whether each root is what it was: events tell of what is in it, and not what now stands at its path."""
        for root in self._outer_roots():
            status = os.lstat(root)
            known = self._single.get(root) or inventory.known(root)
            if known is None or (known.device, known.inode) != (status.st_dev, status.st_ino):
                return False
        return True

    def _same_mounts(self) -> bool:
        """Whether the same is mounted in the roots. Raises ``Untold`` where that is a file, for it has a name outside."""
        told = Path("/proc/self/mountinfo").read_bytes()
        if told == self._mounts[0]:
            return True
        found = {}
        for line in told.splitlines():
            path = os.fsdecode(line.split(b" ")[4].decode("unicode_escape").encode("latin-1"))
            inside = any(path != root and below(path, root) for root in self.roots)
            if inside and not any(below(path, out) for out in self._left_out):
                if not Path(path).is_dir():
                    raise Untold
                found[path] = line
        was, self._mounts = self._mounts[1], (told, found)
        return was == self._mounts[1]

    def _take_in(self, inventory: Inventory, events: list[Event]) -> None:
        """Put what was told into the inventory, and to every turn. Raises ``Untold`` and ``OSError``."""
        turns = self._open_turns()
        named: set[str] = set()
        for mask, handle, name, target, inode in events:
            folder = inventory.path_of(handle)
            if folder is None or (path := join(folder, name)) in self._left_out:
                continue
            if name == ".":
                if mask & _ROOT_MOVED and folder in self.roots:
                    raise Untold
                continue
            if mask & fanotify.NAMES:
                named.add(path)
            elif mask & fanotify.ONDIR:
                continue
            unwatched = bool(mask & fanotify.ONDIR and mask & _CAME) and inventory.path_of(target) is None
            for turn in turns:
                turn.came = turn.came or unwatched
                turn.before.setdefault(path, inventory.known(path))
                turn.inodes.add(inode)
                if mask & fanotify.CLOSE_WRITE:
                    turn.written.add(inode)
        came: list[str] = []
        for path in sorted(named, key=lambda path: path.count("/")):
            if split(path)[0] in inventory.folders and self._put(inventory, path, turns):
                came.append(path)
        for path in came:
            for each in inventory.add(path):
                for turn in turns:
                    turn.before.setdefault(each, None)

    def _put(self, inventory: Inventory, path: str, turns: list[Turn]) -> bool:
        """Put what stands now under a path into the inventory (1); whether it is a folder that has to be read."""
        status = status_of(path)
        is_folder = status is not None and stat.S_ISDIR(status.st_mode)
        if path in inventory.folders:
            if is_folder and inventory.still_there(path):
                return False
            for each, known in inventory.remove(path):
                for turn in turns:
                    turn.before.setdefault(each, known)
        inventory.put(path, None if is_folder else status)
        return is_folder

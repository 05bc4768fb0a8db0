"""What the kernel tells of watched folders (``fanotify(7)``): which name in which folder was touched, and which file that was.

A group tells of each event the folder, the name in it, and the file that the name then stood for, by handles
(``FAN_REPORT_DFID_NAME_TARGET``, Linux 5.17). That needs no privilege for folders that can be read. The file matters: a
name may be made for a file that has others, written through, and be gone again before anybody looks. A handle holds the
number of the inode, in a form of each file system's own; for every watched folder it is compared with what ``fstat`` says,
and a file system whose form is not known here is refused.
"""

from __future__ import annotations

import ctypes
import os
import struct
from typing import Final

from sluicegate.tuples import NamedTuple

MODIFY, ATTRIB, CLOSE_WRITE, OPEN = 0x2, 0x4, 0x8, 0x20
MOVED_FROM, MOVED_TO, CREATE, DELETE = 0x40, 0x80, 0x100, 0x200
DELETE_SELF, MOVE_SELF, ONDIR = 0x400, 0x800, 0x40000000
NAMES: Final = MOVED_FROM | MOVED_TO | CREATE | DELETE
"""Events by which the names in a folder change."""

_OVERFLOW, _ON_CHILD = 0x4000, 0x08000000
_CLOEXEC, _NONBLOCK, _TARGETS = 0x1, 0x2, 0x200 | 0x400 | 0x800 | 0x1000
_ADD, _REMOVE, _DONT_FOLLOW, _ONLYDIR = 0x1, 0x2, 0x4, 0x8
_AT_CWD = -100
_EMPTY_PATH = 0x1000
_THE_TARGET, _THE_NAME = 1, 2

_EVENT: Final = struct.Struct(
    "=IBBHQii"
)  # length, version, reserved, length of this, mask, descriptor, process
_RECORD: Final = struct.Struct(
    "=BBH8xIi"
)  # kind, padding, length, file system, bytes of the handle, its form
_VERSION: Final = 3
_BYTES: Final = 1 << 16
_LONGEST: Final = 128  # MAX_HANDLE_SZ


class Untold(Exception):
    """The kernel does not tell, or not all."""


class Event(NamedTuple):
    """``folder`` is as ``watch`` named it; ``target`` is the handle, and ``inode`` the number, of what ``name`` stood for."""

    mask: int
    folder: bytes
    name: str
    target: bytes
    inode: int


class WatchGroup:
    """Watched folders, and what was told of them. ``close`` it in the end."""

    def __init__(self, mask: int) -> None:
        """``mask`` are the events to be told of. Raises ``Untold``."""
        self._mask = mask | ONDIR | _ON_CHILD
        try:
            self._kernel = ctypes.CDLL(None, use_errno=True)
            self._mark, self._name = self._kernel.fanotify_mark, self._kernel.name_to_handle_at
            self._fd: int = self._kernel.fanotify_init(_CLOEXEC | _NONBLOCK | _TARGETS, os.O_RDONLY)
        except (OSError, AttributeError):  # a system without these calls
            self._fd = -1
        if self._fd < 0:
            raise Untold

    def close(self) -> None:
        """Stop watching."""
        if self._fd >= 0:
            os.close(self._fd)
        self._fd = -1

    def watch(self, folder: int, status: os.stat_result) -> bytes:
        """Watch an open folder; how events name it, which is its handle. Raises ``Untold``."""
        made = self._mark(self._fd, ctypes.c_uint(_ADD | _ONLYDIR), ctypes.c_uint64(self._mask), folder, None)
        if made < 0:  # too many, or no such file system
            raise Untold
        return self.handle(folder, status)

    def begin(self, path: str, mask: int) -> None:
        """Be told of more of a folder that is watched, by its path, and of each that will be. Raises ``Untold``."""
        self._mask |= mask
        if self._change(_ADD, path, mask | _ON_CHILD) < 0:
            raise Untold

    def stop(self, path: str, mask: int) -> None:
        """Be told of less of a folder, if it stands there, and of each that will be watched."""
        self._mask &= ~mask
        self._change(_REMOVE, path, mask)

    def _change(self, what: int, path: str, mask: int) -> int:
        flags = ctypes.c_uint(what | _ONLYDIR | _DONT_FOLLOW)
        made: int = self._mark(self._fd, flags, ctypes.c_uint64(mask), _AT_CWD, os.fsencode(path))
        return made

    def handle(self, folder: int, status: os.stat_result) -> bytes:
        """The handle of an open folder. Two folders have never the same one, though one may get the number of another that is
        gone. Raises ``Untold``."""
        room = ctypes.create_string_buffer(8 + _LONGEST)
        struct.pack_into("=I", room, 0, _LONGEST)
        mount = ctypes.c_int()
        if self._name(folder, b"", room, ctypes.byref(mount), _EMPTY_PATH) < 0:
            raise Untold
        size, form = struct.unpack_from("=Ii", room)
        handle = room.raw[8 : 8 + size]
        if _inode(form, handle) != status.st_ino:
            raise Untold
        return handle

    def read(self) -> list[Event]:
        """All events that wait. Raises ``Untold`` where some were lost."""
        found: list[Event] = []
        while True:
            try:
                told = os.read(self._fd, _BYTES)
            except BlockingIOError:
                return found
            except OSError as error:
                raise Untold from error
            at = 0
            while at < len(told):
                length, version, _, start, mask, _, _ = _EVENT.unpack_from(told, at)
                if version != _VERSION or mask & _OVERFLOW:
                    raise Untold
                if mask & ~(OPEN | ONDIR) or not mask & ONDIR:  # that a folder was opened says nothing
                    found.append(_read_records(mask, told, at + start, at + length))
                at += length


def _read_records(mask: int, told: bytes, at: int, end: int) -> Event:
    """An event from its records. Raises ``Untold``."""
    folder, name, target, inode = b"", "", b"", -1
    while at < end:
        kind, _, length, size, form = _RECORD.unpack_from(told, at)
        start = at + _RECORD.size
        handle = told[start : start + size]
        if kind == _THE_NAME:
            folder = handle
            name = os.fsdecode(told[start + size : at + length].rstrip(b"\0"))
        elif kind == _THE_TARGET:
            target, inode = handle, _inode(form, handle)
        at += length
    if not folder or not name or (inode < 0 and name != "."):
        raise Untold
    return Event(mask, folder, name, target, inode)


def _inode(form: int, handle: bytes) -> int:
    """The number of the inode in a handle; -1 in one of a form that is not known here."""
    if form == 1 and len(handle) == 8:  # ext, f2fs, xfs with short numbers
        return int.from_bytes(handle[:4], _ORDER)
    if form == 1 and len(handle) == 12:  # tmpfs: its generation first, then both halves of the number
        return int.from_bytes(handle[4:8], _ORDER) | int.from_bytes(handle[8:12], _ORDER) << 32
    if form in (0x81, 0x4D) and len(handle) >= 12:  # xfs, btrfs
        return int.from_bytes(handle[:8], _ORDER)
    return -1


_ORDER: Final = "little" if struct.pack("=H", 1)[0] else "big"

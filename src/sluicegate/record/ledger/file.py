"""The ledger's file in the workspace: opened without following links, appended to in one write, cut and moved.

Nothing here knows what a line is.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from sluicegate.record.directories import open_directory
from sluicegate.record.errors import LedgerError
from sluicegate.record.private import write_all

_CHUNK = 1 << 20


class LedgerFile:
    """One open ledger file. ``path`` is its real path (see ``directories.real_path``).

    All calls but ``current`` are made under the lock.
    """

    __slots__ = ("_directory", "fd", "made", "path")

    def __init__(self, path: Path) -> None:
        """Open the file, and make it and its directory where they are missing (``made``). Raises LedgerError."""
        self.path = path
        self._directory = open_directory(path.parent, create=True, error=LedgerError)
        self.fd = -1
        self.made = False
        try:
            self._open()
        except LedgerError:
            self.close()
            raise

    def _open(self) -> None:
        flags = os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        name = self.path.name
        try:
            try:
                self.fd = os.open(name, flags, dir_fd=self._directory)
            except FileNotFoundError:
                self.fd = os.open(name, flags | os.O_CREAT, 0o600, dir_fd=self._directory)
                self.made = True
                os.fsync(self._directory)
        except OSError as error:
            if self._is_link():
                raise LedgerError(
                    f"{self.path} is a symbolic link",
                    hint="The ledger is a file of its own: remove the link.",
                ) from None
            raise LedgerError(
                f"cannot open the ledger {self.path}: {error.strerror}",
                hint="SLUICEGATE_AUDIT_LOG names another place for it.",
            ) from None
        if not stat.S_ISREG(os.fstat(self.fd).st_mode):
            raise LedgerError(f"{self.path} is not a regular file")

    def _is_link(self) -> bool:
        try:
            found = os.stat(self.path.name, dir_fd=self._directory, follow_symlinks=False)
        except OSError:
            return False
        return stat.S_ISLNK(found.st_mode)

    def current(self) -> bool:
        """Whether the path still leads to this open file: not moved, not put in place of, no link between."""
        if self.fd < 0:
            return False
        try:
            above = self.path.parent.lstat()
            found = os.stat(self.path.name, dir_fd=self._directory, follow_symlinks=False)
        except OSError:
            return False
        ours = os.fstat(self._directory)
        if (above.st_dev, above.st_ino) != (ours.st_dev, ours.st_ino):
            return False
        own = os.fstat(self.fd)
        return (found.st_dev, found.st_ino) == (own.st_dev, own.st_ino)

    def size(self) -> int:
        """Bytes in the file."""
        return os.fstat(self.fd).st_size

    def read(self, start: int, end: int) -> bytes:
        """The bytes from ``start`` to ``end``, or fewer where the file ends before. Raises LedgerError."""
        pieces, at = [], start
        try:
            while at < end and (piece := os.pread(self.fd, min(_CHUNK, end - at), at)):
                pieces.append(piece)
                at += len(piece)
        except OSError as error:
            raise LedgerError(f"cannot read the ledger {self.path}: {error.strerror}") from None
        return b"".join(pieces)

    def append(self, data: bytes, *, size: int) -> None:
        """Write ``data`` at the end, ``size``, whole or not at all. Raises LedgerError."""
        try:
            written = os.write(self.fd, data)
            if written < len(data):
                write_all(self.fd, data[written:])  # says why, which a short write does not
        except OSError as error:
            with suppress(OSError):  # what stays of it is a torn tail, and found as such
                os.ftruncate(self.fd, size)
            raise LedgerError(
                f"cannot write the ledger {self.path}: {error.strerror}",
                hint="Make room or give the right to write; events are kept in memory until then.",
            ) from None

    def sync(self) -> None:
        """Bring what was written to the disk. Raises LedgerError."""
        try:
            os.fsync(self.fd)
        except OSError as error:
            raise LedgerError(f"cannot write {self.path} to disk (fsync): {error.strerror}") from None

    def last_line_end(self, size: int) -> int:
        """The offset after the last line feed before ``size``; 0 when there is none."""
        end = size
        while end > 0:
            start = max(0, end - _CHUNK)
            found = self.read(start, end).rfind(b"\n")
            if found >= 0:
                return start + found + 1
            end = start
        return 0

    def copy_aside(self, start: int, label: str) -> str:
        """Copy the bytes from ``start`` into a new file beside this one, on the disk; its name. LedgerError."""
        name = f"{self.path.name}.{label}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            fd = os.open(name, flags, 0o600, dir_fd=self._directory)
            try:
                at = start
                while piece := os.pread(self.fd, _CHUNK, at):
                    write_all(fd, piece)
                    at += len(piece)
                os.fsync(fd)
            except OSError:
                with suppress(OSError):
                    os.unlink(name, dir_fd=self._directory)
                raise
            finally:
                os.close(fd)
            os.fsync(self._directory)
        except OSError as error:
            raise LedgerError(
                f"cannot set aside the damaged end of {self.path}: {error.strerror}",
                hint="Make room or give the right to write beside it.",
            ) from None
        return name

    def cut(self, end: int) -> None:
        """Cut everything off after ``end``. Raises LedgerError."""
        try:
            os.ftruncate(self.fd, end)
        except OSError as error:
            raise LedgerError(f"cannot shorten {self.path}: {error.strerror}") from None

    def close(self) -> None:
        """Close the file and its directory."""
        for fd in (self.fd, self._directory):
            if fd >= 0:
                os.close(fd)
        self.fd = self._directory = -1

"""What a file holds and which file it is: salted digests of an open file, and marks that survive a new name."""

from __future__ import annotations

import fcntl
import hashlib
import os
import stat
import struct
from pathlib import Path

from msgspec import Struct

HEX = "hex:"
_CHUNK = 1 << 20
_GETVERSION = 0x80087601
"""FS_IOC_GETVERSION of Linux: the generation of an inode, new each time its number is used again."""


class Content(Struct, frozen=True, kw_only=True):
    """One reading of an open file.

    ``digest`` is of all of it; ``before`` of the part before the last ``appended`` bytes (None: not asked, or the
    file is shorter). ``data`` is what was read, when it was asked for.
    """

    digest: str
    size: int
    before: str | None = None
    data: bytes = b""


class Which(Struct, frozen=True, kw_only=True):
    """Which file an open file is, under any name. ``generation`` is 0 where the file system has none."""

    device: int
    inode: int
    generation: int
    regular: bool

    @property
    def key(self) -> str:
        """One text for it."""
        return f"{self.device}:{self.inode}:{self.generation}"


def which(fd: int) -> Which:
    """Which file ``fd`` is. Raises OSError."""
    found = os.fstat(fd)
    return Which(
        device=found.st_dev,
        inode=found.st_ino,
        generation=_generation(fd),
        regular=stat.S_ISREG(found.st_mode),
    )


def _generation(fd: int) -> int:
    """Without it, a new file that took the number of a deleted one would be taken for it."""
    try:
        answer = fcntl.ioctl(fd, _GETVERSION, bytes(8))
    except OSError:  # not Linux, or a file system that keeps none
        return 0
    return int(struct.unpack_from("=I", answer)[0])


def digest_of(data: bytes, salt: bytes) -> str:
    """The salted digest of a whole content."""
    return f"blake2b:{hashlib.blake2b(data, key=salt, digest_size=24).hexdigest()}"


def read(fd: int, salt: bytes, *, appended: int | None = None, keep: int = 0) -> Content:
    """Read ``fd`` from its start to its end, in pieces, without moving its offset.

    ``appended`` asks for the digest of what stands before the last so many bytes; ``keep`` for the data, as long
    as there are no more bytes than that (else ``data`` is empty and the size tells). Raises OSError.
    """
    whole = hashlib.blake2b(key=salt, digest_size=24)
    boundary = os.fstat(fd).st_size - appended if appended is not None else -1
    before = None
    kept: list[bytes] = []
    at = 0
    while True:
        if at == boundary:
            before = f"blake2b:{whole.copy().hexdigest()}"
        upto = min(_CHUNK, boundary - at) if at < boundary else _CHUNK
        piece = os.pread(fd, upto, at)
        if not piece:
            break
        whole.update(piece)
        at += len(piece)
        if at <= keep:
            kept.append(piece)
    data = b"".join(kept) if at <= keep else b""
    return Content(digest=f"blake2b:{whole.hexdigest()}", size=at, before=before, data=data)


def ends_with(fd: int, content: Content, data: bytes) -> bool:
    """Whether the file still ends with ``data``. Raises OSError."""
    start = content.size - len(data)
    if start < 0:
        return False
    for at in range(0, len(data), _CHUNK):
        piece = data[at : at + _CHUNK]
        if os.pread(fd, len(piece), start + at) != piece:
            return False
    return True


def path_text(path: str) -> str:
    """A real path as text for an event: itself, or ``hex:`` and its bytes when they are not UTF-8."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return f"{HEX}{os.fsencode(path).hex()}"
    return path


def path_of(text: str) -> str:
    """The path that ``path_text`` made a text of."""
    return os.fsdecode(bytes.fromhex(text.removeprefix(HEX))) if text.startswith(HEX) else text


def lies_in(path: str, folder: str) -> bool:
    """Whether a real path is ``folder``, or lies below it."""
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")


def real_path_of(path: Path, found: Which) -> str | None:
    """The real path of an open file; None when the path no longer leads to it."""
    real = os.path.realpath(path)
    try:
        now = os.lstat(real)
    except OSError:
        return None
    return real if (now.st_dev, now.st_ino) == (found.device, found.inode) else None

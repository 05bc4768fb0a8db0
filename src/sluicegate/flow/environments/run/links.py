"""Whether a command made a hard link: the kernel tells of each, and waits for the answer (``seccomp_unotify(2)``).

The launcher installs a filter (``confinement.seccomp.telling``), and passes on the descriptor by which it is listened to. Every
link is allowed: what is asked is only whether there was one. The arguments of the call are not looked at, since the
command could change them meanwhile.
"""

from __future__ import annotations

import _socket
import fcntl
import select
import struct
import sys
from contextlib import suppress
from typing import Final

_RECEIVE, _SEND = (
    0xC0502100,
    0xC0182101,
)  # SECCOMP_IOCTL_NOTIF_RECV and _SEND, with the sizes of what they take
_ASKED: Final = 80  # bytes of struct seccomp_notif
_ANSWER: Final = struct.Struct("=QqiI")  # whose, value, error, flags
_CONTINUE: Final = 1
_MOST: Final = 4  # descriptors in one message


def line() -> tuple[int, int]:
    """Two ends of a line on which bytes and descriptors are sent."""
    one, other = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_STREAM)
    return one.detach(), other.detach()


def heard(descriptor: int) -> tuple[bytes, list[int]]:
    """What was sent, no bytes where the other side is closed; and the descriptors that came with it."""
    end = _socket.socket(fileno=descriptor)
    try:
        words, others, _, _ = end.recvmsg(4096, _socket.CMSG_SPACE(4 * _MOST), _socket.MSG_CMSG_CLOEXEC)
    finally:
        end.detach()
    found: list[int] = []
    for level, kind, data in others:
        if (level, kind) == (_socket.SOL_SOCKET, _socket.SCM_RIGHTS):
            found += [number for (number,) in struct.iter_unpack("=i", data[: len(data) // 4 * 4])]
    return words, found


def waits(listener: int) -> bool:
    """Whether there is a link that waits; else nobody is left to make one."""
    asked = select.poll()
    asked.register(listener, select.POLLIN)
    return any(events & select.POLLIN for _, events in asked.poll(0))


def allow(listener: int) -> None:
    """Let the link be made that waits."""
    asked = bytearray(_ASKED)
    with suppress(FileNotFoundError):  # whoever asked was killed meanwhile
        fcntl.ioctl(listener, _RECEIVE, asked)
        whose = int.from_bytes(asked[:8], sys.byteorder)
        fcntl.ioctl(listener, _SEND, _ANSWER.pack(whose, 0, 0, _CONTINUE))

"""Ask the daemon: the one part of it that a hook imports, and it imports almost nothing itself.

A request is JSON (``answers``), and so is a reply, behind one byte that says what it is: a caller need read no JSON to
know whether something may happen.

1. The socket lies in a directory of this user alone, outside the workspace, that no operation under policy reaches
   (``Home.sessions``). The directory is opened first, without following a link, and checked as it was opened.
2. Who listens has to be this user (``SO_PEERCRED``), and of the same code: its first words are ``identity``.
3. Whatever goes wrong, there is no answer, and the caller answers by itself: ``answered``. A request that was lost on
   the way may count twice then: what was heard twice, and a permit that nobody settles. Neither permits anything.
"""

from __future__ import annotations

import os
import sys

import sluicegate

TYPE_CHECKING = False  # as in typing, which costs a tenth of the time to start
if TYPE_CHECKING:
    from _socket import socket
    from collections.abc import Mapping, Sequence

PROTOCOL = "sluicegate daemon 1"
MOST_BYTES = 64 * 1024 * 1024
"""Of a request and of a reply, as of the token of a permit."""

PATIENCE = 15.0  # seconds to wait for an answer; SQLite waits ten for other writers
_ELSEWHERE = (
    "XDG_STATE_HOME",
    "ANDROID_DATA",
    "ANDROID_ROOT",
)  # then the state directory is another than below ~
_HEAD = 8
_OTHERS = 0o077
_PERMIT = b"P"
_PRIME = 0xFFFFFFFB


def is_permit(reply: bytes) -> bool:
    """Whether a reply permits what was asked. Nothing else that comes back does."""
    return reply[:1] == _PERMIT


def answered(request: bytes, *, start: bool = True) -> bytes:
    """The answer to a request about the project of the current directory: by the daemon, or else by this process.

    ``start``: where there is no daemon, one is started for the next request.
    """
    reply = ask(request)
    if reply is not None:
        return reply
    with_packages()
    import atexit
    import gc

    collects = gc.isenabled()
    gc.disable()  # what is imported stays: walking it again and again costs a tenth of the answer
    try:
        with WithoutTypingExtensions():
            from sluicegate.flow.daemon.answers import answer
        reply = answer(request)
    finally:
        if collects:
            gc.enable()
        atexit.unregister(gc.freeze)
        atexit.register(gc.freeze)  # as a hook ends, nothing has to be looked through once more
    if start and directory(os.environ) is not None:
        from sluicegate.flow.daemon.server import begin

        begin()
    return reply


def with_packages() -> None:
    """Let packages be imported, where Python was started without looking for them (``-S``), as hooks are: that takes a quarter of a
    start, and who asks the daemon needs none."""
    if sys.flags.no_site and "site" not in sys.modules:
        import site

        site.main()


class WithoutTypingExtensions:
    """While something is imported, ``typing_extensions`` is not there: ``msgspec`` takes it if it is, and needs it nowhere here. It
    takes ``inspect``, ``ast`` and ``tokenize`` along, a tenth of a first answer. Where other threads run, it stays: they may import it.
    """

    __slots__ = ("_hides",)

    def __enter__(self) -> None:
        import _thread

        taken = "typing_extensions" in sys.modules or "msgspec" in sys.modules
        self._hides = not taken and not _thread._count()
        if self._hides:
            sys.modules["typing_extensions"] = None  # type: ignore[assignment]

    def __exit__(self, *raised: object) -> None:
        if self._hides:
            sys.modules.pop("typing_extensions", None)


def ask(request: bytes) -> bytes | None:
    """What the daemon answers; None if there is none, or none that can be trusted."""
    where = directory(os.environ)
    if where is None or len(request) > MOST_BYTES:
        return None
    import _socket  # ``socket`` takes ten times as long to import

    descriptor, connection = -1, None
    try:
        descriptor = opened(where)  # 1
        connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM | _socket.SOCK_CLOEXEC)
        connection.settimeout(PATIENCE)
        connection.connect(path(descriptor))
        if peer(connection) != os.geteuid():  # 2
            return None
        known = [part for name, value in os.environb.items() for part in (name, value)]
        connection.sendall(packed((identity(), os.getcwdb(), request, *known)))  # noqa: PTH109
        return received(connection)
    except (OSError, ValueError):  # 3
        return None
    finally:
        if connection is not None:
            connection.close()
        if descriptor >= 0:
            os.close(descriptor)


def directory(environ: Mapping[str, str]) -> str | None:
    """The directory of the socket, below ``Home.sessions``; None where there is no daemon. ``Home`` is too much to import
    here; who listens has checked that it is the same (``server``)."""
    if sys.platform != "linux":
        return None
    named = environ.get("SLUICEGATE_KEYS_HOME", "")
    if named:
        return f"{named.rstrip('/')}/sessions/daemon" if named.startswith("/") else None
    home = environ.get("HOME", "")
    if not home.startswith("/") or any(each in environ for each in _ELSEWHERE):
        return None
    return f"{home.rstrip('/')}/.local/state/sluicegate/sessions/daemon"


def opened(where: str) -> int:
    """The directory, open, if it is one of this user alone. Raises OSError."""
    descriptor = os.open(where, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    found = os.fstat(descriptor)
    if found.st_uid != os.geteuid() or found.st_mode & _OTHERS:
        os.close(descriptor)
        raise PermissionError
    return descriptor


def path(descriptor: int) -> str:
    """The socket in an open directory: a path of any length, which nobody can exchange any more. Those of other code, of
    another environment of Python say, have other names."""
    name = int.from_bytes(identity(), "big") % _PRIME
    return f"/proc/self/fd/{descriptor}/{name:08x}.sock"


def identity() -> bytes:
    """Which code answers: the protocol, the release, the package, and the Python that runs it (which tells of its environment, too)."""
    here = os.path.dirname(sluicegate.__file__)  # noqa: PTH120 - pathlib takes longer to import than all of this
    about = (PROTOCOL, sluicegate.__version__, here, sys.executable, f"{sys.hexversion:x}")
    return os.fsencode("\0".join((*about, f"{sys.flags.optimize} {sys.flags.utf8_mode}")))


def peer(connection: socket) -> int:
    """The user whose process is at the other end. Raises OSError."""
    import _socket

    found: bytes = connection.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
    return int.from_bytes(found[4:8], sys.byteorder)  # struct ucred: pid, uid, gid


# On the wire: a count of bytes, then that many. Of a request these are parts, each behind its own count.


def packed(parts: Sequence[bytes]) -> bytes:
    """A request as it is sent."""
    return framed(b"".join(map(framed, parts)))


def framed(body: bytes) -> bytes:
    """Bytes behind their count."""
    return len(body).to_bytes(_HEAD, "big") + body


def unpacked(body: bytes) -> list[bytes]:
    """The parts of a request. Raises ValueError for what is none."""
    found, at = [], 0
    while at < len(body):
        size = int.from_bytes(body[at : at + _HEAD], "big")
        part = body[at + _HEAD : at + _HEAD + size]
        at += _HEAD + size
        if len(part) != size:
            raise ValueError("a part of the request is cut off")
        found.append(part)
    return found


def received(connection: socket, most: int = MOST_BYTES) -> bytes:
    """One body, whole. Raises ValueError and OSError."""
    head = _exactly(connection, _HEAD)
    size = int.from_bytes(head, "big")
    if not 0 < size <= most:
        raise ValueError("what came is empty or too large")
    return _exactly(connection, size)


def _exactly(connection: socket, size: int) -> bytes:
    pieces, room = [], size
    while room:
        piece = connection.recv(min(room, 1 << 20))
        if not piece:
            raise ValueError("what came is cut off")
        pieces.append(piece)
        room -= len(piece)
    return b"".join(pieces)

"""The daemon: ``python -m sluicegate.flow.daemon.server``; ``client.answered`` starts it.

It keeps what is imported and what is shipped with it (tables, the standard policies), and nothing else that was read: no
policy of a project, session, key or environment. So nothing in it can be old, but its code, and no request sees anything of
another.

1. Its socket lies in ``client.directory``, which has to be the user's own (``private``) and below ``Home.sessions``. One
   process listens, the one that has the lock; others of the same code end.
2. Who asks has to be this user (``SO_PEERCRED``), and of the same code (``client.identity``).
3. A file of its code, or of what is shipped, that is not as it was when it was read ends the daemon, before anything is answered.
4. Each request is answered by a copy of the process (``fork``), in the directory and with the environment that it names,
   which ends with it.
5. After ten minutes without a request it ends.

What it does not defend against is a process of the same user that nothing confines: that can read the keys as well.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import os
import signal
import socket
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from sluicegate.flow.daemon import client
from sluicegate.flow.policy.shipped import shipped_files
from sluicegate.record import private
from sluicegate.record.errors import RecordError
from sluicegate.record.home import Home

IDLE: Final = 600.0
_BACKLOG: Final = 64
_OF_PROJECTS: Final = (
    "cryptography.hazmat.primitives.asymmetric.ed25519",
    "sluicegate.flow.environments.configuration.default",
    "sluicegate.flow.monitor.steps.keeping",
    "sluicegate.known.commands.answering",
    "sluicegate.known.commands.own_files",
    "sluicegate.known.commands.readers",
    "sluicegate.known.hosts",
    "sluicegate.record.files.below",
    "sluicegate.record.copies.copies",
    "sluicegate.record.copies.room",
    "sluicegate.record.files.index",
    "sluicegate.record.ledger.segments",
)
"""What decisions about projects on the disk import besides; a test finds what is missing."""

_REHEARSED: Final[tuple[tuple[str, dict[str, object]], ...]] = (
    ("local:rehearsal", {"number": 17}),
    ("read", {"path": "rehearsal.txt"}),
    ("write", {"path": "rehearsal.txt", "value": "x"}),
    ("fetch", {"url": "https://host.example/", "method": "GET"}),
    ("sh", {"code": "cd src && git status && cat x | grep -n y > out.txt; python3 -m pip install z"}),
    ("sh", {"code": "true"}),
)

_State = tuple[int, int, int, int]
_started: list[int] = []


def begin() -> None:
    """Start a daemon in the background, if this machine can have one. Whether it comes up, the next request shows."""
    if client.directory(os.environ) is None:
        return
    for process in list(_started):  # those of a caller that lives on
        try:
            if os.waitpid(process, os.WNOHANG)[0]:
                _started.remove(process)
        except ChildProcessError:
            _started.remove(process)
    # -P: a module of the workspace is none of ours, wherever this was started.
    words = [sys.executable, "-P", *["-O"] * sys.flags.optimize, "-m", __name__]
    nothing = (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDWR, 0)
    same = ((os.POSIX_SPAWN_DUP2, 0, 1), (os.POSIX_SPAWN_DUP2, 0, 2))
    try:
        _started.append(
            os.posix_spawn(
                sys.executable, words, dict(os.environ), file_actions=[nothing, *same], setsid=True
            )
        )
    except OSError:
        return


class LoadedCode:
    """The files of the code that is loaded, as they were."""

    def __init__(self, files: Sequence[str]) -> None:
        self._begun = time.time_ns()
        self._known: dict[str, _State | None] = {file: _state(file) for file in files}

    def is_current(self, files: Sequence[str] = ()) -> bool:
        """Whether all of it is still as it was; ``files`` that are not known yet have to be older than this."""
        for file in files:
            if file not in self._known:
                found = _state(file)
                if found is None or found[3] >= self._begun:
                    return False
                self._known[file] = found
        return all(state is not None and _state(file) == state for file, state in self._known.items())


def _state(file: str) -> _State | None:
    try:
        found = Path(file).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino, found.st_ctime_ns


def loaded() -> list[str]:
    """The files of the modules of this package, and of those that decode for it."""
    names = ("sluicegate", "msgspec")
    found = (module for name, module in sys.modules.items() if name.partition(".")[0] in names)
    return [file for module in found if (file := getattr(module, "__file__", None))]


def _rehearsed() -> None:
    """Import what a first decision imports, and read what is shipped beside the code, by making decisions that touch nothing."""
    from sluicegate.flow.daemon import answers
    from sluicegate.flow.monitor.monitor import Monitor
    from sluicegate.flow.policy.layers import Layers
    from sluicegate.flow.policy.rules.places import Place
    from sluicegate.flow.policy.text.load import from_tree, standard
    from sluicegate.flow.session.permit import Permit

    for name in _OF_PROJECTS:
        importlib.import_module(name)
    own = from_tree(
        {"sources": {"src:mcp": "untrusted"}, "capabilities": {"allow": ["cmd:*"]}}, name="rehearsal"
    )
    for policies in ([own], [standard("agent")]):
        layers = Layers(policies, place=Place(base="/", home="/"))
        monitor = Monitor(layers=layers, cwd=Path("/"), log=answers._Log)
        session = monitor.session("rehearsal")
        session.heard("close issue 17 of https://host.example/")
        for operation, values in _REHEARSED:
            found = monitor.decide(operation, values, session)
            if isinstance(found, Permit):
                monitor.settle(found.token(), "a result")
        monitor.parts.close()


def serve(*, idle: float = IDLE) -> int:
    """Listen until nobody asks any more, or the code has changed; the exit code."""
    where = client.directory(os.environ)
    if where is None:
        return 2
    try:
        if Home.find(os.environ, workspace=None).sessions / "daemon" != Path(where):  # 1
            return 2
        private.make_directory(Path(where))
        descriptor = client.opened(where)
    except (RecordError, OSError):
        return 2
    place = client.path(descriptor)
    lock = os.open(f"{place}.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return 0  # another one listens
    _rehearsed()
    code = LoadedCode([*loaded(), *shipped_files()])
    gc.collect()
    gc.freeze()  # what copies share is not written to
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for copies
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        Path(place).unlink(missing_ok=True)
        listening.bind(place)
        Path(place).chmod(0o600)
        listening.listen(_BACKLOG)
        listening.settimeout(idle)
        sys.stdout.write("listening\n")
        sys.stdout.flush()
        try:
            _listen(listening, lock, code)
        finally:
            Path(place).unlink()
    return 0


def _listen(listening: socket.socket, lock: int, code: LoadedCode) -> None:
    while True:
        try:
            connection, _ = listening.accept()
        except TimeoutError:  # 5
            return
        with connection:
            if client.peer(connection) != os.geteuid():  # 2
                continue
            if not code.is_current(loaded()):  # 3
                return
            if os.fork() == 0:  # 4
                status = 1
                try:
                    listening.close()
                    os.close(lock)
                    gc.disable()  # it ends before there is anything to collect
                    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                    _answer(connection)
                    status = 0
                finally:
                    os._exit(status)


def _answer(connection: socket.socket) -> None:
    """Read one request, take on its directory and environment, and answer. Whatever is wrong with it, there is no answer."""
    connection.settimeout(client.PATIENCE)
    found = client.unpacked(client.received(connection, 2 * client.MOST_BYTES))
    if len(found) < 3 or len(found) % 2 == 0 or found[0] != client.identity():
        return
    os.chdir(found[1])
    os.environb.clear()
    os.environb.update(zip(found[3::2], found[4::2], strict=True))
    from sluicegate.flow.daemon.answers import answer

    connection.sendall(client.framed(answer(found[2])))


def main() -> int:
    """Cut off from whoever started it, and listen."""
    os.closerange(3, os.sysconf("SC_OPEN_MAX") if os.sysconf("SC_OPEN_MAX") > 0 else 1024)
    os.chdir("/")
    return serve()


if __name__ == "__main__":
    sys.exit(main())

"""The last steps before a command: runs in the child, and becomes the command.

Inside the sandbox nothing else of Sluicegate can be seen, and every import here is paid for by every command: ``typing``
alone would cost as much as starting Python. So this module imports almost nothing, and says with plain classes what
elsewhere would be structs.

Procedure. Nothing of the command has run before step 8.

1. Read the request.
2. Set the limits of resources, and that this process dies first when memory runs out.
3. Go to the working folder.
4. Find the program.
5. Let the one who asked be told of hard links. Confine: no new privileges, no capabilities, Landlock.
6. Mark every descriptor to be closed but the standard ones and those to keep.
7. Say "ready", pass on by what hard links are told, and wait for the word to go; leave without it, or when nobody hears.
8. Put every signal back to its default. Become the program, with the environment of the request and no other.

A step that fails is told to whoever asked, by its name and errno, and ends this process with code 126.
"""

# pathlib and contextlib would be imports more in every command:
# ruff: noqa: SIM105
from __future__ import annotations

import errno
import marshal
import posix
import sys

from sluicegate.flow.environments.launch import landlock, libc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

READY, GO, FAILED = b"R", b"g", b"F"
NOT_STARTED = 126

LAST_SIGNAL, _SIG_SETMASK = 64, 2
_REGULAR = 0o100000
_SET_FILTER, _NEW_LISTENER = 1, 8
_DROP_FROM_BOUNDING_SET, LAST_CAPABILITY = 24, 63


class Confinement:
    """What ``landlock.restrict`` is given."""

    __slots__ = ("devices", "listed", "read", "tcp", "write")

    def __init__(
        self, read: list[str], write: list[str], devices: list[str], listed: list[str], tcp: bool
    ) -> None:
        self.read, self.write, self.devices, self.listed, self.tcp = read, write, devices, listed, tcp


class StageRequest:
    """One stage, ready to run. Texts of the user are bytes: they are passed as they are.

    ``limits`` are pairs of a resource's number and its bound; ``keep`` are descriptors that the program inherits; ``tell``
    is a filter that tells of hard links, and the number of the call that installs it, or 0 for none.
    """

    __slots__ = (
        "argv",
        "confinement",
        "cwd",
        "environment",
        "executable",
        "keep",
        "limits",
        "search",
        "tell",
    )

    def __init__(
        self,
        argv: list[bytes],
        executable: bytes,
        search: list[bytes],
        environment: dict[bytes, bytes],
        cwd: bytes,
        limits: list[tuple[int, int]],
        keep: list[int],
        confinement: Confinement | None,
        tell: tuple[int, bytes],
    ) -> None:
        self.argv, self.executable, self.search, self.environment = argv, executable, search, environment
        self.cwd, self.limits, self.keep, self.confinement = cwd, limits, keep, confinement
        self.tell = tell


def packed(request: StageRequest) -> bytes:
    """The request as bytes for ``read_request``."""
    inner = request.confinement
    confined = None if inner is None else {name: getattr(inner, name) for name in Confinement.__slots__}
    fields = {name: getattr(request, name) for name in StageRequest.__slots__}
    return marshal.dumps({**fields, "confinement": confined})


def read_request(descriptor: int) -> StageRequest:
    """The request from a file that holds it; closes ``descriptor``."""
    with open(descriptor, "rb") as file:
        fields = marshal.load(file)  # noqa: S302 - written by the process that started this one
    if fields["confinement"] is not None:
        fields["confinement"] = Confinement(**fields["confinement"])
    return StageRequest(**fields)


def main(request: int, control: int, status: int) -> NoReturn:
    """Where the sandbox starts: step 1, then the others."""
    launch(read_request(request), control, status)


def launch(request: StageRequest, control: int, status: int) -> NoReturn:
    """Steps 2 to 8; ``control`` brings the word to go, ``status`` takes what is said."""
    step = "start"
    try:
        step = "limits"
        _limit(request)  # 2
        step = "cwd"
        posix.chdir(request.cwd)  # 3
        step = "program"
        program = _find(request)  # 4
        step = "confinement"
        listener = _tell(*request.tell)  # 5
        _confine(request.confinement)
        step = "descriptors"
        _close_on_exec((0, 1, 2, *request.keep))  # 6
        _ready(status, listener)  # 7
        if posix.read(control, 1) != GO:
            posix._exit(NOT_STARTED)
        step = "program"
        _put_back_signals()  # 8
        posix.execve(program, request.argv, request.environment)
    except OSError as error:
        _say(status, step, error.errno or 0)
    except BaseException:  # noqa: BLE001 - the border of this process: whatever it is, nothing runs
        _say(status, step, 0)
    posix._exit(NOT_STARTED)


def _say(status: int, step: str, number: int) -> None:
    try:
        posix.write(status, FAILED + f"{step} {number}\n".encode())
    except OSError:
        pass  # nobody is left to be told


def _limit(request: StageRequest) -> None:
    """A bound that is tighter already stays."""
    import resource

    for which, value in request.limits:
        _, hard = resource.getrlimit(which)
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(which, (bound, bound))
    try:
        at = posix.open("/proc/self/oom_score_adj", posix.O_WRONLY)
        posix.write(at, b"1000")
        posix.close(at)
    except OSError:
        pass  # a courtesy to the rest of the machine, not a limit


def _find(request: StageRequest) -> bytes:
    """The program's path. Raises ``OSError``: EACCES when one is there that may not be run, else ENOENT."""
    wanted = request.executable or request.argv[0]
    places = [wanted] if b"/" in wanted else [folder + b"/" + wanted for folder in request.search]
    for path in places:
        if posix.access(path, posix.X_OK) and _kind(path) == _REGULAR:
            return path
    there = any(_kind(path) for path in places)
    raise OSError(errno.EACCES if there else errno.ENOENT, "")


def _kind(path: bytes) -> int:
    """What stands at a path; 0 for nothing."""
    try:
        return posix.stat(path).st_mode & 0o170000
    except OSError:
        return 0


def _confine(confinement: Confinement | None) -> None:
    landlock.no_new_privileges()
    if confinement is None:
        return
    for capability in range(
        LAST_CAPABILITY + 1
    ):  # root's capabilities reach around Landlock: into /proc, for one
        libc.prctl(_DROP_FROM_BOUNDING_SET, capability, 0, 0, 0)
    offered = landlock.version()
    if offered:
        landlock.restrict(
            confinement.read,
            confinement.write,
            confinement.devices,
            confinement.listed,
            tcp=confinement.tcp,
            offered=offered,
        )


def _tell(call: int, code: bytes) -> int:
    """Install the filter that tells; by what it does, or -1 where this kernel cannot."""
    if not call:
        return -1
    import _socket  # noqa: F401 - for ``_ready``: afterwards it could not be read

    landlock.no_new_privileges()
    asked = libc.number(len(code) // 8) + libc.address(
        code
    )  # struct sock_fprog: little-endian, as the filter itself
    listener: int = libc.syscall(libc.Long(call), _SET_FILTER, _NEW_LISTENER, asked)
    return listener


def _ready(status: int, listener: int) -> None:
    if listener < 0:
        posix.write(status, READY)
        return
    import _socket  # a tenth of what ``socket`` costs

    line = _socket.socket(fileno=status)
    passed = (_socket.SOL_SOCKET, _socket.SCM_RIGHTS, listener.to_bytes(4, sys.byteorder))
    line.sendmsg([READY], [passed])
    line.detach()
    posix.close(listener)


def _close_on_exec(keep: tuple[int, ...]) -> None:
    for name in posix.listdir("/proc/self/fd"):
        if int(name) not in keep:
            try:
                posix.set_inheritable(int(name), False)
            except OSError:
                pass  # the one by which the folder was listed
    for descriptor in keep:
        posix.set_inheritable(descriptor, True)


def _put_back_signals() -> None:
    """What is ignored stays ignored in the program: Python ignores two, and the one who asked perhaps others."""
    signal = libc.function("signal")
    for number in range(1, LAST_SIGNAL + 1):
        signal(number, None)
    libc.checked(libc.function("sigprocmask")(_SIG_SETMASK, bytes(128), None))

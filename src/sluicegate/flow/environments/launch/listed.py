"""The steps of ``launcher`` as a list of system calls, for the program of ``machine``: what comes of them is the same.

It is written for each stage of a command, so it is short: what is done for each of several paths, signals or capabilities
stands in it once, as a loop. The numbers of the steps are those of ``launcher``; a test takes each step both ways.
"""

from __future__ import annotations

import errno
import functools
import os
import resource
import struct
from collections.abc import Iterable, Sequence
from typing import Final

from sluicegate.flow.environments.launch import landlock, launcher
from sluicegate.flow.environments.launch.launcher import StageRequest
from sluicegate.flow.environments.launch.machine import ENTRY, LIST, MACHINE, ROOM

_CALLS: Final = {
    "read": 0, "write": 1, "close": 3, "fstat": 5, "sigaction": 13, "sigprocmask": 14, "sendmsg": 46, "execve": 59, "fcntl": 72,
    "chdir": 80, "prctl": 157, "exit_group": 231, "openat": 257, "stat": 262, "access": 269, "prlimit": 302, "seccomp": 317,
    "close_range": 436, "create_ruleset": 444, "add_rule": 445, "restrict_self": 446, "compare": -1, "copy": -2,
}  # fmt: skip
"""Numbers on x86-64, and the two that are no calls."""

_STEPS: Final = ("limits", "cwd", "program", "confinement", "descriptors")
_LAST: Final = LIST + ROOM  # where what comes of a call goes, unless it is told
_ZERO: Final = _LAST + 8
_ERRNOS: Final = _ZERO + 8  # a table: the numbers of errors as text, four letters each
_NEXT: Final = _ERRNOS + 1024  # a table: the number that comes after
_MOST: Final = 255  # turns of a loop, which a table has to hold
_MOST_ENTRIES: Final = ROOM // ENTRY.size

_HERE: Final = -100  # AT_FDCWD
_MODE: Final = 24  # where struct stat has it
_STAT: Final = 144  # bytes of struct stat
_KIND, _FOLDER, _REGULAR = 0o170000, 0o040000, 0o100000
_WORD: Final = 0xFFFFFFFF
_ENOENT: Final = -errno.ENOENT & _WORD
_DROP_FROM_BOUNDING_SET, _NO_NEW_PRIVS = 24, 38
_PATH_BENEATH, _SET_FILTER, _NEW_LISTENER = 1, 1, 8
_CLOSE_LATER, _SET_FLAGS, _SET_MASK = 4, 2, 2  # CLOSE_RANGE_CLOEXEC, F_SETFD, SIG_SETMASK
_SOCKET, _RIGHTS = 1, 1  # SOL_SOCKET, SCM_RIGHTS


def listed(request: StageRequest, control: int, status: int, descriptor: int) -> bytes | None:
    """The list for this request; ``descriptor`` is where the program finds it.

    None where only the launcher can do it: on another machine, without Landlock (then the kernel may be older than what the list
    needs), and for words and numbers of paths that the list cannot hold.
    """
    offered = landlock.version() if os.uname().machine == MACHINE else 0
    if not offered or not _holds(request):
        return None
    calls = CallList(status)
    words = [name + b"=" + value for name, value in request.environment.items()]
    execute = Entry("execve", 0, calls.texts(request.argv), calls.texts(words), bad=calls.failure("program"))
    calls.add(Entry("close", descriptor))
    _limit(calls, request)  # 2
    calls.add(Entry("chdir", calls.text(request.cwd), bad=calls.failure("cwd")))  # 3
    _find(calls, request, execute.argument(0))  # 4
    listener = _tell(calls, *request.tell)  # 5
    _confine(calls, request, offered)
    _close_on_exec(calls)  # 6
    _ready(calls, status, listener)  # 7
    said = calls.room(8)
    calls.add(
        Entry("read", control, said, 1, bad=calls.failure("descriptors")),
        Entry("compare", said, 0xFF, launcher.GO[0], bad=calls.leave),
    )
    _put_back_signals(calls)  # 8
    calls.add(execute)
    return calls.finished()


def _holds(request: StageRequest) -> bool:
    """Whether a list can hold the request: no word that would end at a zero byte (Python refuses those), no loop that is too long."""
    inner = request.confinement
    paths = [] if inner is None else [*inner.read, *inner.write, *inner.devices, *inner.listed]
    names = list(request.environment)
    words = [
        *request.argv,
        *names,
        *request.environment.values(),
        request.cwd,
        request.executable,
        *request.search,
    ]
    return (
        bool(request.argv and request.argv[0])
        and not request.keep
        and not any(b"\0" in word for word in words)
        and not any("\0" in path for path in paths)
        and not any(not name or b"=" in name for name in names)
        and 0 < len(request.search) <= _MOST
        and len(paths) <= _MOST
    )


class Entry:
    """One entry. ``store`` is where what comes of it goes, ``ok`` and ``bad`` are what comes next: the one that is added next, where
    nothing is said."""

    __slots__ = ("arguments", "at", "bad", "name", "ok", "store")

    def __init__(
        self,
        name: str,
        *arguments: int | Argument,
        store: int | Argument = _LAST,
        ok: Entry | None = None,
        bad: Entry | None = None,
    ) -> None:
        self.name, self.arguments, self.store, self.ok, self.bad = name, arguments, store, ok, bad
        self.at = -1  # its place in the list, once it has one

    def argument(self, number: int) -> Argument:
        """The address of an argument, for others to write there."""
        return self, number


Argument = tuple[Entry, int]


def _nothing(then: Entry | None = None) -> Entry:
    """Does nothing, and goes on."""
    return Entry("compare", _ZERO, 0, 0, ok=then)


class CallList:
    """Entries in their order, and what they speak of, which has its address at once."""

    def __init__(self, status: int) -> None:
        self._status = status
        self._entries: list[Entry] = []
        self._apart: list[Entry] = []
        self._data = bytearray(_tables())
        self._failures: dict[tuple[str, int], Entry] = {}
        self.leave = Entry("exit_group", launcher.NOT_STARTED)
        self._apart.append(self.leave)

    def add(self, *entries: Entry) -> None:
        """What is done next."""
        self._entries += entries

    def failure(self, step: str, result: int = _LAST) -> Entry:
        """Where it goes on when a step has failed: by the number that stands at ``result`` it is told, and it ends."""
        found = self._failures.get((step, result))
        if found is None:
            text = launcher.FAILED + f"{step} ".encode()
            said = self.data(text + bytes(4))
            found = Entry("copy", result, _ERRNOS, said + len(text))
            self._failures[step, result] = found
            told = Entry("write", self._status, said, len(text) + 4)
            self._apart += (found, told, Entry("exit_group", launcher.NOT_STARTED))
        return found

    def data(self, content: bytes) -> int:
        """The address of ``content``."""
        at = _LAST + len(self._data)
        self._data += content + bytes(-len(content) % 8)
        return at

    def room(self, size: int) -> int:
        """The address of ``size`` zero bytes."""
        return self.data(bytes(size))

    def text(self, word: bytes) -> int:
        """The address of a word, as the C language has it."""
        return self.data(word + b"\0")

    def texts(self, words: Sequence[bytes]) -> int:
        """The address of the addresses of words, and a zero after them."""
        return self.data(struct.pack(f"<{len(words) + 1}Q", *map(self.text, words), 0))

    def table(self, numbers: Iterable[int]) -> int:
        """The address of a table, out of which a ``copy`` takes its number 0, 1 and so on."""
        turned = [0] * 256
        for at, number in enumerate(numbers):
            turned[-at & 0xFF] = number
        return self.data(struct.pack("<256I", *turned))

    def loop(
        self, counter: int | Argument, count: int, entries: Sequence[Entry], *, after: Entry | None = None
    ) -> None:
        """Do ``entries`` for each number up to ``count`` that ``counter`` comes to; then ``after``, or what is added next."""
        step = self.step(counter)
        self.add(*entries, step, Entry("compare", counter, _WORD, count, ok=after, bad=entries[0]))

    def step(self, counter: int | Argument) -> Entry:
        """To the next number."""
        return Entry("copy", counter, _NEXT, counter)

    def finished(self) -> bytes | None:
        """The whole; None where there are too many entries."""
        entries = [*self._entries, *self._apart]
        if len(entries) > _MOST_ENTRIES:
            return None
        for at, entry in enumerate(entries):
            entry.at = at
        packed = b"".join(_packed(entry) for entry in entries)
        return packed.ljust(ROOM, b"\0") + bytes(self._data)


def _packed(entry: Entry) -> bytes:
    given = [each if type(each) is int else _address(each) for each in entry.arguments]
    given += [0] * (6 - len(given))
    then = LIST + ENTRY.size * (entry.at + 1 if entry.ok is None else entry.ok.at)
    otherwise = LIST + ENTRY.size * (entry.at + 1 if entry.bad is None else entry.bad.at)
    return ENTRY.pack(_CALLS[entry.name], *given, _address(entry.store), then, otherwise)


def _address(of: int | Argument) -> int:
    if isinstance(of, int):
        return of
    entry, number = of
    return LIST + entry.at * ENTRY.size + 8 * (1 + number)


@functools.cache
def _tables() -> bytes:
    errnos = b"".join(f"{number:3}\n".encode() for number in range(256))
    following = struct.pack("<256I", *((-number & 0xFF) + 1 for number in range(256)))
    return bytes(16) + errnos + following


def _limit(calls: CallList, request: StageRequest) -> None:
    """A bound that is tighter already stays: nothing between this process and the list changes it."""
    for which, value in request.limits:
        _, hard = resource.getrlimit(which)
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        calls.add(
            Entry(
                "prlimit",
                0,
                which,
                calls.data(struct.pack("<2q", bound, bound)),
                0,
                bad=calls.failure("limits"),
            )
        )
    at, after = calls.room(8), _nothing()
    write = Entry("write", 0, calls.text(b"1000"), 4)
    close = Entry("close", 0)
    calls.add(
        Entry("openat", _HERE, calls.text(b"/proc/self/oom_score_adj"), os.O_WRONLY, store=at, bad=after),
        *(Entry("copy", _ZERO, at, entry.argument(0)) for entry in (write, close)),
        write,
        close,
        after,
    )


def _find(calls: CallList, request: StageRequest, found: Argument) -> None:
    """Put the address of the program's path at ``found``."""
    wanted = request.executable or request.argv[0]
    places = [wanted] if b"/" in wanted else [folder + b"/" + wanted for folder in request.search]
    paths, looked = calls.table([calls.text(path) for path in places]), calls.room(_STAT)
    number, at = calls.room(8), calls.room(8)
    done, following = _nothing(), calls.step(number)
    access, state = (
        Entry("access", _HERE, 0, os.X_OK, bad=following),
        Entry("stat", _HERE, 0, looked, 0, bad=following),
    )
    first = Entry("copy", number, paths, at)
    calls.add(
        first,
        *(Entry("copy", _ZERO, at, to) for to in (found, access.argument(1), state.argument(1))),
        access,
        state,
        Entry("compare", looked + _MODE, _KIND, _REGULAR, ok=done),
        following,
        Entry("compare", number, _WORD, len(places), bad=first),
    )
    absent, forbidden = (calls.data(struct.pack("<q", -error)) for error in (errno.ENOENT, errno.EACCES))
    number = calls.room(8)
    state = Entry("stat", _HERE, 0, looked, 0, ok=calls.failure("program", forbidden))
    there = [Entry("copy", number, paths, state.argument(1)), state]
    calls.loop(number, len(places), there, after=calls.failure("program", absent))
    calls.add(done)


def _tell(calls: CallList, call: int, code: bytes) -> int:
    """Install the filter that tells; where the descriptor by which it is listened to comes to stand, or 0."""
    if not call:
        return 0
    asked = calls.data(struct.pack("<QQ", len(code) // 8, calls.data(code)))  # struct sock_fprog
    listener = calls.room(8)
    calls.add(
        Entry("prctl", _NO_NEW_PRIVS, 1, bad=calls.failure("confinement")),
        Entry("seccomp", _SET_FILTER, _NEW_LISTENER, asked, store=listener),
    )
    return listener


def _confine(calls: CallList, request: StageRequest, offered: int) -> None:
    wrong, inner = calls.failure("confinement"), request.confinement
    calls.add(Entry("prctl", _NO_NEW_PRIVS, 1, bad=wrong))
    if inner is None:
        return
    drop = Entry("prctl", _DROP_FROM_BOUNDING_SET, 0)
    calls.loop(drop.argument(1), launcher.LAST_CAPABILITY + 1, [drop])
    rights, asked = landlock.handled(offered, tcp=inner.tcp)
    ruleset = calls.room(8)
    calls.add(Entry("create_ruleset", calls.data(asked), len(asked), 0, store=ruleset, bad=wrong))
    grants = landlock.grants(inner.read, inner.write, inner.devices, inner.listed, rights)
    if grants:
        _grant(calls, grants, ruleset)
    restrict, close = Entry("restrict_self", 0, 0, bad=wrong), Entry("close", 0)
    calls.add(
        *(Entry("copy", _ZERO, ruleset, entry.argument(0)) for entry in (restrict, close)), restrict, close
    )


def _grant(calls: CallList, grants: Sequence[tuple[str, int, int]], ruleset: int) -> None:
    """Add a rule for each path that is there."""
    rule = calls.room(16)  # struct landlock_path_beneath_attr: the rights, and the descriptor
    opened, looked, counter = rule + 8, calls.room(_STAT), calls.room(8)
    paths = calls.table([calls.text(os.fsencode(path)) for path, _, _ in grants])
    in_folders = calls.table([rights for _, rights, _ in grants])
    of_files = calls.table([rights for _, _, rights in grants])
    wrong, after = calls.failure("confinement"), calls.step(counter)
    missing = Entry("compare", opened, _WORD, _ENOENT, ok=after, bad=calls.failure("confinement", opened))
    path = Entry("openat", _HERE, 0, os.O_PATH | os.O_CLOEXEC, store=opened, bad=missing)
    state = Entry("fstat", 0, looked, bad=wrong)
    add = Entry("add_rule", 0, _PATH_BENEATH, rule, 0, bad=wrong)
    close = Entry("close", 0)
    first = Entry("copy", counter, paths, path.argument(1))
    calls.add(
        first,
        path,
        *(Entry("copy", _ZERO, opened, entry.argument(0)) for entry in (state, close)),
        Entry("copy", _ZERO, ruleset, add.argument(0)),
        Entry("copy", counter, of_files, rule),
        state,
        Entry("compare", looked + _MODE, _KIND, _FOLDER, bad=add),
        Entry("copy", counter, in_folders, rule),
        add,
        close,
        _nothing(after),
        missing,
        after,
        Entry("compare", counter, _WORD, len(grants), bad=first),
    )


def _close_on_exec(calls: CallList) -> None:
    wrong = calls.failure("descriptors")
    calls.add(*(Entry("fcntl", standard, _SET_FLAGS, 0, bad=wrong) for standard in (0, 1, 2)))
    calls.add(Entry("close_range", 3, _WORD, _CLOSE_LATER, bad=wrong))


def _ready(calls: CallList, status: int, listener: int) -> None:
    """Say so, and pass on the descriptor by which the filter is listened to, if there is one."""
    wrong, said, size = calls.failure("descriptors"), calls.data(launcher.READY), len(launcher.READY)
    plain, after = Entry("write", status, said, size, bad=wrong), _nothing()
    if listener:
        passed = calls.data(
            struct.pack("<Qiiq", 20, _SOCKET, _RIGHTS, 0)
        )  # struct cmsghdr, and the descriptor
        pieces = calls.data(struct.pack("<QQ", said, size))
        message = calls.data(struct.pack("<7Q", 0, 0, pieces, 1, passed, 24, 0))  # struct msghdr
        close = Entry("close", 0, ok=after, bad=after)
        calls.add(
            Entry(
                "compare", listener + 4, _WORD, 0, bad=plain
            ),  # above a descriptor there is nothing, in an error all bits
            Entry("copy", _ZERO, listener, passed + 16),
            Entry("copy", _ZERO, listener, close.argument(0)),
            Entry("sendmsg", status, message, 0, bad=wrong),
            close,
        )
    calls.add(plain, after)


def _put_back_signals(calls: CallList) -> None:
    default = calls.room(128)  # SIG_DFL in struct sigaction, and an empty set
    put = Entry("sigaction", 0, default, 0, 8)
    number = Entry("copy", _ZERO, calls.data(struct.pack("<q", 1)), put.argument(0))
    calls.add(number)
    calls.loop(put.argument(0), launcher.LAST_SIGNAL + 1, [put])
    calls.add(Entry("sigprocmask", _SET_MASK, default, 0, 8, bad=calls.failure("program")))

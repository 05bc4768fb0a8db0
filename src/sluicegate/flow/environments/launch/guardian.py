"""The guardian of one local command: when the command ends or its owner does, all that it started ends too.

It runs as a process of its own, ``python -I -S``, and carries these modules with it; so it imports little.

Procedure:

1. Become the one to whom orphans are given (child subreaper): no descendant can leave by losing its parent.
2. Start the command in a child, in a process group of its own, that dies when the guardian dies.
3. Let go of the command's pipes and of the line on which the child reports.
4. Wait until the child ends or the owner hangs up; collect orphans from time to time.
5. End everything below: the group at once; then stop what is found until nothing new is found, kill it, collect.
6. Leave with the child's code, 128 + n for signal n.
"""

# contextlib would be an import more in every command:
# ruff: noqa: SIM105
from __future__ import annotations

import posix
import select
import time

from sluicegate.flow.environments.launch import launcher, libc, tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

_SET_CHILD_SUBREAPER, _SET_PARENT_DEATH_SIGNAL = 36, 1
_SIGKILL, _SIGSTOP = 9, 19
_ORPHANS = 500  # milliseconds between two collections of orphans that have ended


def main(request: int, control: int, status: int) -> NoReturn:
    """Steps 1 to 6. ``control`` is the line to the owner, who hangs up to have everything ended."""
    asked = launcher.read_request(request)
    libc.prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # 1
    guardian = posix.getpid()
    child = posix.fork()  # 2
    if child == 0:
        libc.prctl(_SET_PARENT_DEATH_SIGNAL, _SIGKILL, 0, 0, 0)
        if posix.getppid() != guardian:
            posix._exit(launcher.NOT_STARTED)
        posix.setpgid(0, 0)
        launcher.launch(asked, control, status)
    _urgent()
    posix.close(status)  # 3
    nothing = posix.open("/dev/null", posix.O_RDWR)
    for standard in (0, 1, 2):
        posix.dup2(nothing, standard)
    ended = _wait(child, control)  # 4
    ended = _end_all(child, ended)  # 5
    code = posix.waitstatus_to_exitcode(ended)
    posix._exit(code if code >= 0 else 128 - code)  # 6


def _urgent() -> None:
    """Go before others, where that is allowed: a guardian that waits its turn under a fork bomb comes too late."""
    try:
        posix.setpriority(posix.PRIO_PROCESS, 0, -20)
    except OSError:
        pass  # only root may; for others a resource limit bounds the bomb


def _wait(child: int, control: int) -> int | None:
    """The child's wait status, or None when the owner hung up first."""
    waiting = select.poll()
    waiting.register(control, 0)  # only that the other side is closed; the word to go is the child's to read
    waiting.register(posix.pidfd_open(child), select.POLLIN)
    while True:
        events = waiting.poll(_ORPHANS)
        ended, _ = _collect(child)
        if ended is not None:
            return ended
        if any(descriptor == control for descriptor, _ in events):
            return None


def _collect(child: int) -> tuple[int | None, bool]:
    """Take in every process that has ended: the child's status if it was among them, and whether any is left."""
    found: int | None = None
    while True:
        try:
            pid, status = posix.waitpid(-1, posix.WNOHANG)
        except ChildProcessError:
            return found, False
        if pid == 0:
            return found, True
        if pid == child:
            found = status


def _end_all(child: int, ended: int | None) -> int:
    """Step 5. A process that is stopped starts no other, so the round ends even under a fork bomb."""
    own = posix.getpid()
    _send(posix.killpg, child, _SIGKILL)
    while True:
        held: set[int] = set()
        while fresh := set(tree.descendants(own)) - held:
            for pid in fresh:
                _send(posix.kill, pid, _SIGSTOP)
            held |= fresh
        for pid in held:
            _send(posix.kill, pid, _SIGKILL)
        found, left = _collect(child)
        ended = ended if found is None else found
        if not left:
            return _SIGKILL if ended is None else ended
        time.sleep(0.001)


def _send(how: Callable[[int, int], None], whom: int, number: int) -> None:
    try:
        how(whom, number)
    except (ProcessLookupError, PermissionError):
        pass  # it has ended; or no signal of ours reaches it, and none could

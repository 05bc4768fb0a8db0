"""Landlock: a process gives up rights that it and all it starts never get back (Linux ``landlock(7)``).

The launcher carries this module into the sandbox, so it imports little.

What it adds to the sandbox's mounts: files can be written only in the granted roots whatever else is mounted;
TCP is closed; no signal and no abstract unix socket reaches a process outside. What it does not cover, in any
version: UDP, changing the mode, times or owner of a file that can be named, and seeing that a file exists.
"""

from __future__ import annotations

import errno
import posix

from sluicegate.flow.environments.launch import libc
from sluicegate.flow.environments.launch.libc import Long, checked, number

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on all machines
_ASK_VERSION = 1
_PATH_BENEATH = 1
_NO_NEW_PRIVS = 38

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
TRUNCATE, IOCTL_DEVICE = 1 << 14, 1 << 15
_FILE_RIGHTS = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEVICE
_READ = EXECUTE | READ_FILE | READ_DIR
# All rights of each version.
_HANDLED = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
_ALL_TCP = 0b11  # bind, connect: version 4
_SCOPES = 0b11  # abstract unix sockets, signals: version 6

ENOUGH = 3
"""The first version that holds truncation, without which a file that cannot be written can be emptied."""


def _call(call: int, *arguments: object) -> int:
    return checked(libc.syscall(Long(call), *arguments))


def version() -> int:
    """The version of Landlock that this kernel offers; 0 when it offers none."""
    try:
        return _call(_CREATE_RULESET, None, Long(0), _ASK_VERSION)
    except OSError as error:
        if error.errno in (errno.ENOSYS, errno.EOPNOTSUPP):
            return 0
        raise


def no_new_privileges() -> None:
    """From now on no program that is started gains anything by its set-user-ID bit or file capabilities."""
    checked(libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0))


def restrict(
    read: list[str], write: list[str], devices: list[str], listed: list[str], *, tcp: bool, offered: int
) -> None:
    """Confine this process for good. Paths that do not exist are left out; the rest are granted with all below.

    ``read`` may be read and executed, ``write`` everything, ``devices`` read and written and asked (ioctl); the
    names in ``listed`` may be listed. ``tcp`` leaves TCP open. ``offered`` is what ``version`` said; what it lacks
    is left to the other walls. Raises ``OSError``.
    """
    rights, asked = handled(offered, tcp=tcp)
    ruleset = _call(_CREATE_RULESET, asked, Long(len(asked)), 0)
    try:
        for path, in_folder, of_file in grants(read, write, devices, listed, rights):
            _grant(ruleset, path, in_folder, of_file)
        no_new_privileges()
        _call(_RESTRICT_SELF, ruleset, 0)
    finally:
        posix.close(ruleset)


def handled(offered: int, *, tcp: bool) -> tuple[int, bytes]:
    """The rights to files that are given up where nothing grants them, and all that is given up as struct landlock_ruleset_attr."""
    rights = _HANDLED[min(offered, 5)]
    network, scopes = _ALL_TCP if offered >= 4 and not tcp else 0, _SCOPES if offered >= 6 else 0
    return rights, number(rights) + number(network) + number(scopes)


def grants(
    read: list[str], write: list[str], devices: list[str], listed: list[str], rights: int
) -> list[tuple[str, int, int]]:
    """What is granted: a path, the rights if it is a folder, and those if it is not."""
    several = ((read, _READ), (write, rights), (devices, _FILE_RIGHTS | READ_DIR), (listed, READ_DIR))
    return [
        (path, granted & rights, granted & rights & _FILE_RIGHTS)
        for paths, granted in several
        for path in paths
    ]


def _grant(ruleset: int, path: str, in_folder: int, of_file: int) -> None:
    try:
        at = posix.open(path, posix.O_PATH | posix.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        rights = in_folder if posix.fstat(at).st_mode & 0o170000 == 0o040000 else of_file
        rule = number(rights) + number(at, 4)  # struct landlock_path_beneath_attr, which is packed
        _call(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0)
    finally:
        posix.close(at)

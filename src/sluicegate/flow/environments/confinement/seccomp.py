"""The filter of system calls: a small assembler of classic BPF, and the one program that is written with it.

The sandbox has walls already (namespaces, no privilege, Landlock). The filter takes away what is used to climb
them: calls that reach into other processes, the kernel's own machinery, new namespaces, and sockets where no
network was granted. It is a list of refusals: a list of permissions for "any command" would be the whole table.
Calls newer than the table answer "not implemented", so a new kernel brings nothing in unseen.

The program, in order (``seccomp(2)``; ``linux/filter.h``):

1. A call in another machine's convention ends the process (32-bit calls on a 64-bit kernel, x32).
2. A call above the last one considered answers ENOSYS.
3. No file is given a set-user-ID or set-group-ID bit: in a written root it would outlive the sandbox, and lend this
   user to whoever runs it. (``openat2`` hides its mode in memory and so answers ENOSYS.)
4. ``ioctl``: nothing that types into a terminal or changes its line discipline.
5. ``clone``: no flag that makes a namespace. (``clone3`` hides its flags in memory and so answers ENOSYS.)
6. Refused calls answer EPERM, or ENOSYS where programs have a fallback for a kernel that lacks the call.
7. ``personality``: only the plain ones; not the one that turns address randomisation off.
8. ``socket``, ``socketpair``: unix only; with the network granted also inet, inet6 and the routing netlink.
9. Everything else is allowed.

What hangs on arguments is run through at each call; the kernel keeps its answer for all other calls. So of those that hang on them
the frequent ones come first: to open a file 91 instructions were run through behind the refusals, and 10 are before them.
"""

from __future__ import annotations

import errno
import functools
import os
import struct
from collections.abc import Sequence

from sluicegate.flow.environments.confinement.syscalls import LAST_KNOWN, MACHINES, CallingConvention
from sluicegate.flow.environments.errors import ProviderUnavailable, printable

# Instruction codes: class | size | mode, and class | operation | source.
_LOAD = 0x20  # BPF_LD | BPF_W | BPF_ABS
_IF_EQUAL = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_IF_GREATER = 0x25  # BPF_JMP | BPF_JGT | BPF_K
_IF_ANY_BIT = 0x45  # BPF_JMP | BPF_JSET | BPF_K
_RETURN = 0x06  # BPF_RET | BPF_K

ALLOW = 0x7FFF0000
KILL = 0x80000000  # the whole process, not the thread
_ERROR = 0x00050000
TELL = 0x7FC00000  # and wait for an answer

# Offsets in struct seccomp_data. Arguments are 64 bits; the low word comes first on both machines.
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16

REFUSED = (
    "ptrace process_vm_readv process_vm_writev process_madvise kcmp pidfd_getfd "
    "keyctl add_key request_key bpf perf_event_open lookup_dcookie fanotify_init "
    "mount umount2 pivot_root chroot open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr "
    "unshare setns kexec_load kexec_file_load "
    "create_module init_module finit_module delete_module get_kernel_syms query_module "
    "swapon swapoff reboot acct quotactl quotactl_fd nfsservctl name_to_handle_at open_by_handle_at "
    "settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname "
    "iopl ioperm modify_ldt syslog vhangup uselib ustat sysfs _sysctl vserver "
    "move_pages migrate_pages lsm_set_self_attr"
).split()
"""Answered with EPERM."""

ABSENT = "clone3 openat2 userfaultfd io_uring_setup io_uring_enter io_uring_register memfd_secret".split()
"""Answered with ENOSYS: programs fall back to the older call."""

NEW_NAMES = ("link", "linkat")
"""By which a file gets another name. Whoever asks is told of these calls; they are refused to nobody."""

UNCOUNTED_MEMORY = ("memfd_create", "shmget")
"""Memory that no process's own size shows. Absent where a limit of memory stands and no cgroup counts it."""

NEW_NAMESPACES = 0x7E020000 | 0x00000080
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET, and NEWTIME."""

TERMINAL_REQUESTS = (0x5412, 0x541C, 0x5423)
"""TIOCSTI, TIOCLINUX, TIOCSETD. The kernel reads 32 bits of the request, so the filter does too."""

PERSONALITIES = (0x0, 0x8, 0x20000, 0x20008, 0xFFFFFFFF)
"""PER_LINUX, PER_LINUX32, UNAME26, both, and the question which one is in force."""

UNIX, INET, INET6, NETLINK = 1, 2, 10, 16

SET_ID_BITS = 0o6000

MODES = {"chmod": 1, "fchmod": 1, "fchmodat": 2, "fchmodat2": 2, "creat": 1, "mknod": 1, "mknodat": 2}
"""Calls that give a file a mode, and which argument that is."""

OPENS = {"open": 1, "openat": 2}
"""Calls that do so only with flags that make a file; the argument of the flags, which the mode follows."""

_MAKES_A_FILE = 0o100 | 0o20000000  # O_CREAT, O_TMPFILE

_Instruction = tuple[int, int, int, int]


def _load(offset: int) -> _Instruction:
    return (_LOAD, 0, 0, offset)


def _argument(index: int) -> _Instruction:
    return _load(_ARGUMENTS + 8 * index)


def _answer(value: int) -> _Instruction:
    return (_RETURN, 0, 0, value)


def _error(number: int) -> int:
    return _ERROR | number


def _only_if_equal(value: int, then: Sequence[_Instruction]) -> list[_Instruction]:
    """``then``, which must end in answers on every path, when the accumulator is ``value``; else skipped."""
    return [(_IF_EQUAL, 0, len(then), value), *then]


def _refuse(machine: CallingConvention, names: Sequence[str], number: int) -> list[_Instruction]:
    return [
        instruction
        for name in names
        if name in machine.numbers
        for instruction in _only_if_equal(machine.numbers[name], [_answer(_error(number))])
    ]


def _clone() -> list[_Instruction]:
    return [
        _argument(0),
        (_IF_ANY_BIT, 0, 1, NEW_NAMESPACES),
        _answer(_error(errno.EPERM)),
        _answer(ALLOW),
    ]


def _one_of(index: int, values: Sequence[int], *, inside: int, outside: int) -> list[_Instruction]:
    """Answer ``inside`` when the low word of the argument is one of ``values``, else ``outside``."""
    tests = [(_IF_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
    return [_argument(index), *tests, _answer(outside), _answer(inside)]


def _mode(index: int) -> list[_Instruction]:
    return [
        _argument(index),
        (_IF_ANY_BIT, 0, 1, SET_ID_BITS),
        _answer(_error(errno.EPERM)),
        _answer(ALLOW),
    ]


def _open(index: int) -> list[_Instruction]:
    return [_argument(index), (_IF_ANY_BIT, 1, 0, _MAKES_A_FILE), _answer(ALLOW), *_mode(index + 1)]


def _socket(network: bool, *, pair: bool) -> list[_Instruction]:
    """Families by the first argument; netlink only with protocol 0 (routing), which resolvers ask."""
    refused = _error(errno.EPERM)
    if not network:
        return _one_of(0, (UNIX,), inside=ALLOW, outside=refused)
    if pair:
        return _one_of(0, (UNIX, INET, INET6), inside=ALLOW, outside=refused)
    routing = [_argument(2), *_only_if_equal(0, [_answer(ALLOW)]), _answer(refused)]
    return [
        _argument(0),
        *_only_if_equal(NETLINK, routing),
        *_one_of(0, (UNIX, INET, INET6), inside=ALLOW, outside=refused),
    ]


@functools.cache
def program(
    machine_name: str, *, network: bool, count_memory: bool = False, hold_cpus: bool = False
) -> bytes:
    """The compiled filter, as ``bwrap --seccomp`` and ``seccomp(2)`` take it.

    ``network`` grants inet sockets. ``count_memory`` takes away memory that cannot be counted process by
    process; ``hold_cpus`` keeps a process on the processors it was given. Raises ``ProviderUnavailable`` for a
    machine whose calls are not known here.
    """
    machine = MACHINES.get(machine_name)
    if machine is None:
        raise ProviderUnavailable(
            f"there is no filter of system calls for the machine '{printable(machine_name)}'",
            hint=f"the sandbox runs on {' and '.join(sorted(MACHINES))}; elsewhere use the provider 'container'",
        )
    numbers = machine.numbers
    code: list[_Instruction] = [_load(_ARCHITECTURE)]  # 1
    code += [(_IF_EQUAL, 1, 0, machine.architecture), _answer(KILL), _load(_NUMBER)]
    if machine.foreign_bit:
        code += [(_IF_ANY_BIT, 0, 1, machine.foreign_bit), _answer(KILL)]
    code += [(_IF_GREATER, 0, 1, LAST_KNOWN), _answer(_error(errno.ENOSYS))]  # 2
    for table, rule in ((OPENS, _open), (MODES, _mode)):  # 3
        for name, index in table.items():
            if name in numbers:
                code += _only_if_equal(numbers[name], rule(index))
    refused = _error(errno.EPERM)
    terminal = _one_of(1, TERMINAL_REQUESTS, inside=refused, outside=ALLOW)
    code += _only_if_equal(numbers["ioctl"], terminal)  # 4
    code += _only_if_equal(numbers["clone"], _clone())  # 5
    code += _refuse(machine, REFUSED, errno.EPERM)  # 6
    code += _refuse(machine, ABSENT, errno.ENOSYS)
    if count_memory:
        code += _refuse(machine, UNCOUNTED_MEMORY, errno.ENOSYS)
    if hold_cpus:
        code += _refuse(machine, ("sched_setaffinity",), errno.EPERM)
    plain = _one_of(0, PERSONALITIES, inside=ALLOW, outside=refused)
    code += _only_if_equal(numbers["personality"], plain)  # 7
    code += _only_if_equal(numbers["socket"], _socket(network, pair=False))  # 8
    code += _only_if_equal(numbers["socketpair"], _socket(network, pair=True))
    code.append(_answer(ALLOW))  # 9
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in code)


@functools.cache
def telling(machine_name: str) -> tuple[int, bytes]:
    """A second filter, by which whoever listens is told that a file gets another name; and the call that installs it.

    The launcher installs it, for it gets what is listened by, and passes that on (``launcher``, ``run.links``). Where
    the first filter refuses or ends, that holds. No such call, and no filter, for a machine whose calls are not known here.
    """
    machine = MACHINES.get(machine_name)
    if machine is None:
        return 0, b""
    code: list[_Instruction] = [_load(_NUMBER)]
    for name in NEW_NAMES:
        if name in machine.numbers:
            code += _only_if_equal(machine.numbers[name], [_answer(TELL)])
    code.append(_answer(ALLOW))
    return machine.numbers["seccomp"], b"".join(struct.pack("<HBBI", *instruction) for instruction in code)


def this_machine() -> str:
    """The machine whose filter this process's children need."""
    return os.uname().machine

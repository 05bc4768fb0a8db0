"""What a command uses, process by process, where no cgroup counts it: the second line behind resource limits.

The numbers are those of ``/proc``, read every few hundredths of a second. Between two looks a command can use more
than its limit; it cannot keep it.
"""

# Read many times a second:
# ruff: noqa: PTH116, PTH123, PTH208
from __future__ import annotations

import os

from msgspec import Struct

from sluicegate.flow.environments.launch import tree

_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICK = 1000 // os.sysconf("SC_CLK_TCK")


class Usage(Struct, frozen=True, kw_only=True):
    """``processes`` with their threads, resident ``memory`` in bytes, and ``cpu`` in milliseconds."""

    processes: int = 0
    memory: int = 0
    cpu: int = 0


def usage(above: list[int], *, exact_over: int | None = None, most: int | None = None) -> Usage:
    """What all processes below those of ``above`` use together.

    When there are more than ``most`` of them, only that is said: under a fork bomb, looking further would be late.

    Resident pages that processes share count once for each of them, unless the sum is over ``exact_over`` bytes:
    then shared pages are shared out (``smaps_rollup``), which costs more to read.
    """
    processes = memory = cpu = 0
    pids: list[int] = []
    for top in above:
        pids += tree.descendants(top) if most is None else tree.descendants(top, most)
        if most is not None and len(pids) > most:
            return Usage(processes=len(pids))
    for pid in pids:
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
        except OSError:
            continue
        processes += int(fields[17])
        memory += int(fields[21]) * _PAGE
        cpu += sum(int(field) for field in fields[11:15]) * _TICK
    if exact_over is not None and memory > exact_over:
        memory = sum(_own_memory(pid) for pid in pids)
    return Usage(processes=processes, memory=memory, cpu=cpu)


def tasks_of_user(user: int) -> int:
    """Processes and threads of ``user`` on this machine."""
    found = 0
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            if os.stat(f"/proc/{name}").st_uid == user:
                with open(f"/proc/{name}/stat", "rb") as file:
                    found += int(file.read().rpartition(b")")[2].split()[17])
        except OSError:
            continue
    return found


def _own_memory(pid: int) -> int:
    """Bytes that are this process's own or its share of what it shares; files that are mapped do not count."""
    found = 0
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
            for line in file:
                if line.startswith((b"Pss_Anon:", b"Pss_Shmem:")):
                    found += int(line.split()[1]) * 1024
    except OSError:
        return 0  # it has ended
    return found

"""Control groups, where this process may make them: limits that hold for a command with all it starts, exactly.

Version 1 has a tree for each controller; a group is made below our own. Version 2 has one tree, in which only leaves
hold processes; a group is made beside ours, or below ours where the tree's root allows it, and only where the
controllers are handed down there (``cgroup.subtree_control``). What cannot be made is left to the other limits:
``Group.held`` says which ones the group holds.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from pathlib import Path

from msgspec import Struct

from sluicegate.flow.environments.configuration.config import DEFAULT_PROCESSES, CommandLimits
from sluicegate.flow.environments.run.command import Limit

_PERIOD = 100_000  # microseconds over which a share of the processors is given
_numbers = itertools.count()


class Hierarchies(Struct, frozen=True, kw_only=True):
    """Where groups can be made: a folder for each controller (version 1), or one for several (version 2)."""

    version_1: dict[str, Path]
    version_2: Path | None
    controllers_2: frozenset[str]


class ControlGroup(Struct, frozen=True, kw_only=True):
    """One group, perhaps in several trees; ``memory`` is the folder that counts kills for memory."""

    folders: tuple[Path, ...]
    held: frozenset[Limit]
    memory: Path | None

    def add(self, pid: int) -> None:
        """Put a process in. What it starts from now on is in too. Raises ``OSError``."""
        for folder in self.folders:
            (folder / "cgroup.procs").write_text(str(pid))

    def ran_out_of_memory(self) -> bool:
        """Whether the kernel ended a process of the group for want of memory."""
        if self.memory is None:
            return False
        return any(
            line.startswith("oom_kill ") and line.split()[1] != "0"
            for name in ("memory.events", "memory.oom_control")
            for line in _lines(self.memory / name)
        )

    def close(self) -> None:
        """Remove the group. Its processes have ended; the kernel may need a moment to notice."""
        for folder in self.folders:
            for _ in range(100):
                try:
                    folder.rmdir()
                except FileNotFoundError:
                    break
                except OSError:
                    time.sleep(0.002)
                else:
                    break


def find(proc: Path = Path("/proc/self")) -> Hierarchies:
    """The trees that are mounted, and our own place in each; lines that are not understood are passed over."""
    own: dict[str, str] = {}
    for line in _lines(proc / "cgroup"):
        controllers, _, path = line.partition(":")[2].partition(":")
        own.update(dict.fromkeys(controllers.split(","), path))
    version_1: dict[str, Path] = {}
    candidates: list[Path] = []
    for line in _lines(proc / "mountinfo"):
        before, _, after = line.partition(" - ")
        left, right = before.split(), after.split()
        if len(left) < 5 or len(right) < 3:
            continue
        root, mounted, kind, options = left[3], left[4], right[0], right[2]
        if kind == "cgroup":
            for controller in {"memory", "pids", "cpu"} & set(options.split(",")) & own.keys():
                version_1[controller] = _below(mounted, root, own[controller])
        elif kind == "cgroup2" and "" in own:
            unified = _below(mounted, root, own[""])
            candidates = [unified] if unified == Path(mounted) else [unified, unified.parent]
    for folder in candidates:
        given = frozenset(" ".join(_lines(folder / "cgroup.subtree_control")).split())
        # To move a process, the group above both its places must be ours to write.
        if given and os.access(folder, os.W_OK) and os.access(folder / "cgroup.procs", os.W_OK):
            return Hierarchies(version_1=version_1, version_2=folder, controllers_2=given)
    return Hierarchies(version_1=version_1, version_2=None, controllers_2=frozenset())


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def _below(mounted: str, root: str, own: str) -> Path:
    """The folder of the group ``own`` in a tree of which only what is below ``root`` is mounted."""
    return Path(mounted) / os.path.relpath(own, root) if own.startswith(root) else Path(mounted)


def make(limits: CommandLimits, where: Hierarchies) -> ControlGroup:
    """A group with these limits, as far as groups can be made here; empty where none can."""
    wanted: dict[str, tuple[Limit, dict[str, str], dict[str, str]]] = {}
    if limits.mem is not None:
        size = str(limits.mem)
        wanted["memory"] = (
            Limit.MEMORY,
            {"memory.limit_in_bytes": size, "?memory.memsw.limit_in_bytes": size},
            {"memory.max": size, "?memory.swap.max": "0", "?memory.oom.group": "1"},
        )
    if limits.processes is not None and (wanted or limits.cpu is not None or _worth_it(limits.processes)):
        count = {"pids.max": str(limits.processes)}
        wanted["pids"] = (Limit.PROCESSES, count, count)
    if limits.cpu is not None:
        quota = str(max(1000, limits.cpu * _PERIOD // 1000))
        wanted["cpu"] = (
            Limit.CPU,
            {"cpu.cfs_period_us": str(_PERIOD), "cpu.cfs_quota_us": quota},
            {"cpu.max": f"{quota} {_PERIOD}"},
        )
    name = f"sluicegate-{os.getpid()}-{next(_numbers)}"
    folders: list[Path] = []
    held: set[Limit] = set()
    memory: Path | None = None
    for controller, (limit, settings_1, settings_2) in wanted.items():
        second = where.version_2 is not None and controller in where.controllers_2
        parent = where.version_2 if second else where.version_1.get(controller)
        folder = None if parent is None else _made(parent / name, settings_2 if second else settings_1)
        if folder is None:
            continue
        held.add(limit)
        memory = folder if limit is Limit.MEMORY else memory
        if folder not in folders:
            folders.append(folder)
    return ControlGroup(folders=tuple(folders), held=frozenset(held), memory=memory)


def _worth_it(processes: int) -> bool:
    """Whether a group is made for the number of processes alone: moving a process into one takes 10 ms and more.

    A resource limit holds the number for everyone but root; for root, a low number is held exactly, and a high
    one, which is there against fork bombs, by looking.
    """
    return os.geteuid() == 0 and processes < DEFAULT_PROCESSES


def _made(folder: Path, settings: dict[str, str]) -> Path | None:
    """The folder with its settings, or None when it may not be made or a setting is not there.

    A setting that begins with ``?`` is left out where the kernel does not offer it.
    """
    new = not folder.exists()
    try:
        folder.mkdir(exist_ok=True)
        for name, value in settings.items():
            setting = folder / name.removeprefix("?")
            if name.startswith("?") and not setting.exists():
                continue
            setting.write_text(value)
    except OSError:
        if new:
            with contextlib.suppress(OSError):
                folder.rmdir()
        return None
    return folder

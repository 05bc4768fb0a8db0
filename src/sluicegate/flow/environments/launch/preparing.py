"""What every provider's launcher is given: the environment of the program, its limits, its processors."""

from __future__ import annotations

import os
import resource
from collections.abc import Mapping
from typing import Final

from sluicegate.flow.environments.configuration.config import NEVER_SET, CommandLimits, EnvironmentConfig
from sluicegate.flow.environments.launch.launcher import Confinement, StageRequest
from sluicegate.flow.environments.run import watch
from sluicegate.flow.environments.run.command import SEARCH_PATH, Limit, Stage
from sluicegate.flow.environments.run.pipeline import cpu_budget

_ROOM: Final = 128  # processes and threads that the user may start beside a command before its brake holds

PROGRAMS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""Folders of the system's programs and libraries, which every environment shows for reading."""

_SETTINGS = (
    "ld.so.cache ld.so.conf ld.so.conf.d alternatives localtime timezone mime.types terminfo inputrc locale.alias "
    "locale.conf nsswitch.conf os-release fonts ssl/certs ssl/openssl.cnf ssl/cert.pem pki/tls/certs "
    "pki/tls/cert.pem pki/ca-trust/extracted ca-certificates crypto-policies"
)


def settings(etc: str = "/etc") -> list[str]:
    """The parts of /etc that programs need and that hold nothing of anyone's. Not all of it: it holds secrets."""
    found = [*_SETTINGS.split(), *sorted(name for name in os.listdir(etc) if name.startswith("java-"))]  # noqa: PTH208
    return [path for name in found if os.path.exists(path := f"{etc}/{name}")]  # noqa: PTH110 - for each command


NETWORK_SETTINGS = tuple(
    f"/etc/{name}" for name in ("resolv.conf", "hosts", "host.conf", "gai.conf", "services", "protocols")
)

DEVICES = tuple(
    f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts")
)


def program_environment(
    stage: Stage, config: EnvironmentConfig, host: Mapping[str, str], own: Mapping[str, str]
) -> dict[bytes, bytes]:
    """The variables of the program, and nothing else.

    In this order, a later one winning: the fixed ones, those of the provider (``own``), those of ``host`` that the
    environment grants, those of the stage, its secrets. None of ``NEVER_SET``: commands were judged without them.
    """
    granted = {name: host[name] for name in sorted(config.vars) if name in host}
    texts = {"PATH": SEARCH_PATH, "LANG": "C.UTF-8", **own, **granted, **stage.vars}
    found = {os.fsencode(name): os.fsencode(value) for name, value in texts.items()}
    found.update((os.fsencode(name), value) for name, value in stage.secrets.items())
    for name in NEVER_SET:
        found.pop(name.encode(), None)
    return found


def resource_limits(
    limits: CommandLimits, held: frozenset[Limit], *, own_users: bool
) -> list[tuple[int, int]]:
    """Limits for ``setrlimit``, for each process by itself; no core files, whose content would be a copy.

    Memory is held by the size of private data where no control group holds it: the size of the address space
    would end programs that reserve much and use little. ``own_users`` says that the command has users of its own,
    so that counting the user's processes counts only its own; else the count is a brake, and looking holds the limit.
    Root's processes are not counted by any resource limit.
    """
    found = [(resource.RLIMIT_CORE, 0)]
    if limits.mem is not None and Limit.MEMORY not in held:
        found.append((resource.RLIMIT_DATA, limits.mem))
    if limits.file is not None:
        found.append((resource.RLIMIT_FSIZE, limits.file))
    user = os.getuid()
    if limits.processes is not None and (own_users or user != 0):
        # Beside the command stand the sandbox's init, or all else that this user runs and may start meanwhile.
        beside = 1 if own_users else watch.tasks_of_user(user) + _ROOM
        found.append((resource.RLIMIT_NPROC, limits.processes + beside))
    budget = cpu_budget(limits)
    if budget is not None and Limit.CPU not in held:
        found.append((resource.RLIMIT_CPU, budget // 1000 + 2))
    return found


def processors(limits: CommandLimits, held: frozenset[Limit], spread: int) -> tuple[int, ...]:
    """The processors a command may use: as many as its share rounded up; empty when that is not a restriction.

    ``spread`` is any number that differs between commands, so that they do not all share the first processor.
    """
    here = sorted(os.sched_getaffinity(0))
    wanted = len(here) if limits.cpu is None or Limit.CPU in held else -(-limits.cpu // 1000)
    if wanted >= len(here):
        return ()
    return tuple(sorted(here[(spread + place) % len(here)] for place in range(wanted)))


def request(
    stage: Stage,
    *,
    environment: dict[bytes, bytes],
    cwd: str,
    limits: list[tuple[int, int]],
    confinement: Confinement | None,
    keep: list[int],
    tell: tuple[int, bytes] = (0, b""),
) -> StageRequest:
    """The stage as the launcher takes it."""
    return StageRequest(
        argv=[os.fsencode(word) for word in stage.argv],
        executable=os.fsencode(stage.executable),
        search=[os.fsencode(folder) for folder in SEARCH_PATH.split(":")],
        environment=environment,
        cwd=os.fsencode(stage.cwd or cwd),
        limits=limits,
        keep=keep,
        confinement=confinement,
        tell=tell,
    )

"""A container engine as arguments: what ``podman`` and ``docker`` are asked, in words that both understand."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Final

from msgspec import Struct

from sluicegate.flow.environments.configuration.config import (
    DOCKER,
    NEVER_SET,
    PODMAN,
    CommandLimits,
    EnvironmentConfig,
    HostNetwork,
    Roots,
)
from sluicegate.flow.environments.confinement.protection import Protection, kept_in
from sluicegate.flow.environments.confinement.roots import at, contains, mounts
from sluicegate.flow.environments.run.command import SEARCH_PATH, Stage
from sluicegate.flow.errors import EnvironmentFailure

LABEL: Final = "sluicegate.config"
_MEMORY: Final = 256 * 2**20  # bytes of the temporary folder where no smaller limit of memory stands

CLIENT_VARIABLES: Final = (
    "HOME USER XDG_RUNTIME_DIR XDG_CONFIG_HOME DBUS_SESSION_BUS_ADDRESS TMPDIR DOCKER_HOST DOCKER_CONTEXT "
    "DOCKER_CONFIG DOCKER_CERT_PATH DOCKER_TLS_VERIFY CONTAINER_HOST CONTAINERS_CONF CONTAINERS_STORAGE_CONF"
).split()
"""What the engine's client needs of our environment; none of it reaches the container."""


def fingerprint(config: EnvironmentConfig) -> str:
    """A name for exactly this configuration, the same in every process."""

    def plain(value: object) -> object:
        if isinstance(value, frozenset):
            return sorted(value)
        if isinstance(value, tuple):
            return [plain(item) for item in value]
        if not isinstance(value, Struct):
            return value
        return [type(value).__name__, {name: plain(getattr(value, name)) for name in value.__struct_fields__}]

    return hashlib.sha256(json.dumps(plain(config), sort_keys=True).encode()).hexdigest()


def creation(
    config: EnvironmentConfig, protection: Protection, *, name: str, kind: str, user: str, label: str
) -> list[str]:
    """``run``: a container that waits, with what is granted and nothing else. ``user`` is ours, as ``uid:gid``."""
    words = ["run", "--detach", "--name", name, "--label", f"{LABEL}={label}", "--pull", "never"]
    words += ["--network", "host" if isinstance(config.net, HostNetwork) else "none"]
    words += [
        "--stop-signal",
        "SIGKILL",
        "--cap-drop",
        "ALL",
        "--security-opt",
        "no-new-privileges",
        "--hostname",
        "sandbox",
    ]
    words += [] if config.snapshots else ["--read-only"]
    words += ["--user", user] if kind == DOCKER else []  # podman without root maps the container's root to us
    words += _limits(config.limits)
    size = min(_MEMORY, config.limits.mem or _MEMORY)
    words += ["--tmpfs", f"/tmp:rw,nosuid,nodev,size={size}"]
    words += _mounts(config.roots or Roots(), protection, kind)
    return [*words, "--entrypoint", "sleep", config.snapshot or config.image, "infinity"]


def _limits(limits: CommandLimits) -> list[str]:
    words = ["--ulimit", "core=0"]
    if limits.mem is not None:
        words += ["--memory", f"{limits.mem}b", "--memory-swap", f"{limits.mem}b"]
    if limits.cpu is not None:
        words += ["--cpus", f"{limits.cpu // 1000}.{limits.cpu % 1000:03}"]
    if limits.processes is not None:
        words += ["--pids-limit", str(limits.processes)]
    if limits.file is not None:
        words += ["--ulimit", f"fsize={limits.file}"]
    return words


def _mounts(roots: Roots, protection: Protection, kind: str) -> list[str]:
    """The roots, what is ours in them, and the folders on the way to a mount."""
    words: list[str] = []
    view = {inside: mount for inside, mount in mounts(roots).items() if not inside == mount.host == "/tmp"}
    volumes: dict[str, str] = {}
    for inside, mount in view.items():
        volumes[inside] = f"{mount.host}:{inside}:{'rw' if mount.write else 'ro'}"
    hidden: list[str] = []
    for kept in kept_in(roots, protection):
        shown = at(view, kept.inside)
        if shown is None:
            continue
        if kept.hidden and not Path(shown.host).is_file():
            hidden.append(kept.inside)
        elif kept.hidden:
            volumes[kept.inside] = f"/dev/null:{kept.inside}:ro"
        else:
            volumes[kept.inside] = f"{shown.host}:{kept.inside}:ro"
    for place in [*volumes, *hidden]:
        above = PurePosixPath(place).parent
        while (shown := at(view, str(above))) and shown.write and str(above) not in volumes:
            volumes[str(above)] = f"{shown.host}:{above}:rw"
            above = above.parent
    for inside in sorted(volumes):
        words += ["--volume", volumes[inside]]
    # podman copies what it covers into a folder in memory, unless told not to; docker never does, nor knows the word.
    empty = ",notmpcopyup" if kind == PODMAN else ""
    for inside in hidden:
        words += ["--tmpfs", f"{inside}:ro,nosuid,nodev,noexec,size=4096,mode=0000{empty}"]
    return words


def execution(
    stage: Stage, config: EnvironmentConfig, *, name: str, variables: int, reads: bool
) -> list[str]:
    """``exec``: one stage. ``variables`` is the descriptor from which the client reads the environment."""
    words = ["exec", *(["--interactive"] if reads else [])]
    words += ["--workdir", stage.cwd or config.cwd, "--env-file", f"/proc/self/fd/{variables}", name]
    return [*words, stage.executable or stage.argv[0], *stage.argv[1:]]


def variables(stage: Stage, config: EnvironmentConfig, host: Mapping[str, str]) -> bytes:
    """The stage's environment as the engine's clients read it from a file: a name, ``=``, the value, a line each.

    Raises ``EnvironmentFailure`` for a value that this form cannot carry; the message shows no value.
    """
    granted = {name: host[name] for name in sorted(config.vars) if name in host}
    texts = {"PATH": SEARCH_PATH, "LANG": "C.UTF-8", **granted, **stage.vars}
    values = {name: text.encode("utf-8", "surrogateescape") for name, text in texts.items()}
    values |= stage.secrets
    values |= dict.fromkeys(NEVER_SET, b"")  # as if they were not set: an image could set them
    for name, value in values.items():
        try:
            value.decode("utf-8")
        except UnicodeDecodeError:
            fits = False
        else:
            fits = b"\n" not in value and b"\r" not in value and len(name) + len(value) < 60_000
        if not fits:
            raise EnvironmentFailure(
                f"the value of the variable {name} cannot be handed to a container",
                hint="it has more than one line, is not UTF-8, or is over 60 kB; pass it on standard input",
            )
    return b"".join(name.encode() + b"=" + value + b"\n" for name, value in values.items())


def shares(parent: EnvironmentConfig, child: EnvironmentConfig) -> bool:
    """Whether a child can use its parent's container: what the engine holds is the same for both."""
    return (
        parent.roots == child.roots
        and parent.net == child.net
        and parent.snapshots == child.snapshots
        and all(
            getattr(parent.limits, name) == getattr(child.limits, name)
            for name in ("mem", "cpu", "processes", "file")
        )
    )


def check_places(roots: Roots) -> bool:
    """Whether the roots leave alone what the engine itself mounts."""
    taken = ("/proc", "/sys", "/dev")
    return not any(
        inside == "/" or any(contains(place, inside) for place in taken) for inside in mounts(roots)
    )

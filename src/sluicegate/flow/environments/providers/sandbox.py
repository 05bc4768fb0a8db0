"""The sandbox as arguments of bubblewrap: what it shows, in which order it is laid out, and why.

Order of the mounts, each over those before it:

1. The system's programs and the parts of /etc that hold no secrets, for reading (files of /etc as copies: bubblewrap reads the list
   of mounts for each); names of users of its own.
2. A /proc of its own processes, a small /dev, and bounded temporary folders in memory.
3. The granted roots, outer ones first. A root comes as an open folder, opened without following links, so what
   another command changes meanwhile cannot lead elsewhere.
4. What is ours in them: hidden paths under an empty folder that nobody may open, fixed ones read-only. The folders on
   the way to a mount inside a written root are mounts themselves, which cannot be moved away.
5. The interpreter of this process, for reading, if it is not among the system's programs: the launcher may need it, and commands find
   it. The program that starts the command (``machine``), where there is one.
6. The top folder and /dev are closed for writing.

Sockets that lie in a granted root can be connected to; no mount prevents it. /run, where services keep theirs, is
never shown.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Final

from sluicegate.flow.environments.configuration.config import (
    BUBBLEWRAP,
    EnvironmentConfig,
    HostNetwork,
    Roots,
)
from sluicegate.flow.environments.confinement.protection import Kept, Protection, kept_in
from sluicegate.flow.environments.confinement.roots import Mount, at, contains, mounts, open_root
from sluicegate.flow.environments.errors import EnvironmentConfigError, printable
from sluicegate.flow.environments.launch import carry, preparing
from sluicegate.flow.environments.launch.launcher import Confinement

HOME: Final = "/tmp"
"""The home folder inside: in memory, new for every stage of a command."""

STARTS: Final = "/.sluicegate-start"
"""Where the program that starts the command stands inside. The command cannot open it."""

_MEMORY: Final = 256 * 2**20  # bytes of each temporary folder where no smaller limit of memory stands
_COPIED: Final = 2**20  # bytes of a file of /etc above which it is mounted instead
_NEVER: Final = ("/proc", "/sys", "/dev", "/run", "/var/run")
_SYSTEM: Final = (*preparing.PROGRAMS, "/etc")
_COVERED: Final = (
    "kcore",
    "keys",
    "key-users",
    "timer_list",
    "latency_stats",
    "kmsg",
    "kpagecount",
    "kpageflags",
)
_PEOPLE: Final = (
    ("/etc/passwd", b"sandbox:x:1000:1000::/tmp:/bin/sh\nnobody:x:65534:65534::/:/usr/sbin/nologin\n"),
    ("/etc/group", b"sandbox:x:1000:\nnogroup:x:65534:\n"),
)


def check_roots(roots: Roots) -> None:
    """Raises ``EnvironmentConfigError`` for a root that a sandbox would not be one with."""
    for inside, mount in mounts(roots).items():
        host = mount.host
        if host == "/" or any(contains(never, host) for never in _NEVER):
            raise EnvironmentConfigError(
                f"the root '{printable(host)}' cannot be granted: it shows this machine's processes, devices or services",
                hint="grant the folders that the command needs",
            )
        reserved = inside == "/" or any(contains(never, inside) for never in (*_NEVER, STARTS))
        system = any(contains(folder, inside) or contains(inside, folder) for folder in _SYSTEM)
        if reserved or (system and (inside != host or mount.write)):
            raise EnvironmentConfigError(
                f"no root can stand at '{printable(inside)}' inside: the system's own folders are there",
                hint="give it another place: HOST:INSIDE",
            )


class Layout:
    """The arguments of one sandbox, and the descriptors that bubblewrap takes over with them."""

    def __init__(self) -> None:
        self.arguments: list[bytes] = []
        self.descriptors: list[int] = []

    def add(self, *words: str | int) -> None:
        """Words of bubblewrap, as they stand."""
        self.arguments += [os.fsencode(str(word)) for word in words]

    def folder(self, host: str, inside: str, *, write: bool) -> None:
        """Show ``host``, opened without following links, at ``inside``."""
        descriptor = open_root(host)
        self.descriptors.append(descriptor)
        self.add("--bind-fd" if write else "--ro-bind-fd", descriptor, inside)

    def content(self, content: bytes, inside: str) -> None:
        """Show a file of this content, for reading."""
        descriptor = carry.in_memory("content", content)
        self.descriptors.append(descriptor)
        self.add("--ro-bind-data", descriptor, inside)

    def copy(self, descriptor: int, inside: str, mode: str = "0444") -> None:
        """Put a copy of an open file where everything is closed for writing in the end: cheaper than a mount."""
        self.descriptors.append(descriptor)
        self.add("--perms", mode, "--file", descriptor, inside)

    def in_memory(self, inside: str, size: int) -> None:
        """An empty folder in memory, of at most ``size`` bytes."""
        self.add("--size", size, "--tmpfs", inside)


def lay_out(config: EnvironmentConfig, protection: Protection, program: bytes = b"") -> Layout:
    """The sandbox of ``config``, with a program of ours at ``STARTS``, if there is one. Raises ``EnvironmentConfigError``; then every
    descriptor is closed."""
    layout = Layout()
    try:
        _fill(layout, config, protection, program)
    except BaseException:
        for descriptor in layout.descriptors:
            os.close(descriptor)
        raise
    return layout


def _fill(layout: Layout, config: EnvironmentConfig, protection: Protection, program: bytes) -> None:
    network = isinstance(config.net, HostNetwork)
    layout.add("--unshare-all", "--unshare-user", "--disable-userns", *(["--share-net"] if network else []))
    layout.add("--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL")
    layout.add("--uid", 1000, "--gid", 1000, "--hostname", "sandbox")
    _system(layout, network)  # 1
    _own(layout, min(_MEMORY, config.limits.mem or _MEMORY))  # 2
    view = shown(config.roots or Roots())
    for inside, mount in view.items():  # 3
        _hold_way(layout, view, inside)
        layout.folder(mount.host, inside, write=mount.write)
    for kept in kept_in(config.roots or Roots(), protection):  # 4
        _keep(layout, view, kept)
    for path in interpreter():  # 5
        shown_there = at(view, path)
        if shown_there is not None and shown_there.host != path:
            raise EnvironmentConfigError(
                f"a root stands at '{printable(path)}' inside, where the launcher's interpreter must be",
                hint="give it another place: HOST:INSIDE",
            )
        _hold_way(layout, view, path)
        layout.folder(path, path, write=False)
    if program:
        layout.copy(carry.in_memory("program", program), STARTS, mode="0555")
    layout.add("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/")  # 6


def shown(roots: Roots) -> dict[str, Mount]:
    """The roots that are mounts of their own: not /tmp, which every sandbox has, nor what the system shows."""
    return {
        inside: mount
        for inside, mount in mounts(roots).items()
        if not (inside == mount.host == "/tmp")
        and not (inside == mount.host and any(contains(folder, inside) for folder in preparing.PROGRAMS))
    }


def shows(config: EnvironmentConfig, path: str) -> bool:
    """Whether a command finds ``path`` of this machine where it is; True where only the provider can say."""
    if config.provider != BUBBLEWRAP or config.roots is None:
        return True
    mount = at(shown(config.roots), path)
    if mount is not None:
        return mount.host == path
    return any(contains(folder, path) for folder in preparing.PROGRAMS)


def interpreter() -> list[str]:
    """The folders that the launcher's interpreter needs besides the system's."""
    program, library = carry.interpreter()
    found = [library] if contains(library, program) else [library, program]
    return [path for path in found if not any(contains(folder, path) for folder in preparing.PROGRAMS)]


def _system(layout: Layout, network: bool) -> None:
    for path in map(Path, preparing.PROGRAMS):
        if path.is_symlink():
            layout.add("--symlink", str(path.readlink()), str(path))
        elif path.is_dir():
            layout.add("--ro-bind", str(path), str(path))
    for name in [*preparing.settings(), *(preparing.NETWORK_SETTINGS if network else ())]:
        _setting(layout, name)
    for name, content in _PEOPLE:
        layout.copy(carry.in_memory("content", content), name)


def _setting(layout: Layout, name: str) -> None:
    """A part of /etc: a link to what is shown as that link, a file as a copy, a folder as a mount."""
    try:
        leads = os.readlink(name)  # noqa: PTH115 - for each command
    except OSError:
        leads = ""
    to = os.path.normpath(os.path.join(os.path.dirname(name), leads))  # noqa: PTH118, PTH120
    if leads and any(contains(folder, to) for folder in preparing.PROGRAMS):
        layout.add("--symlink", leads, name)
        return
    try:
        opened = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:  # gone meanwhile, or not for this user, and so for no command
        return
    status = os.fstat(opened)
    if stat.S_ISREG(status.st_mode) and status.st_size <= _COPIED:
        layout.copy(opened, name)
    else:
        os.close(opened)
        layout.add("--ro-bind-try", name, name)


def _own(layout: Layout, size: int) -> None:
    layout.add("--proc", "/proc")
    for name in _COVERED:
        if Path("/proc", name).exists():
            layout.add("--ro-bind", "/dev/null", f"/proc/{name}")
    layout.add("--dev", "/dev")
    layout.in_memory("/dev/shm", size)
    layout.in_memory("/tmp", size)
    layout.add("--dir", "/run", "--dir", "/var", "--symlink", "../tmp", "/var/tmp")


def _keep(layout: Layout, view: dict[str, Mount], kept: Kept) -> None:
    """Step 4 for one path. Raises ``EnvironmentConfigError`` if the way to it is not made of folders."""
    real = at(view, kept.inside)
    if real is None:
        return
    exists = os.path.lexists(real.host)
    if not exists and not kept.write:
        return
    if not exists and kept.hidden:
        _make(Path(real.host))
    elif not exists:
        raise EnvironmentConfigError(
            f"'{printable(real.host)}' does not exist, and a granted root would let a command make it",
            hint="make it (it may be empty), or grant a folder that cannot hold it",
        )
    _hold_way(layout, view, kept.inside)
    if not kept.hidden:
        layout.folder(real.host, kept.inside, write=False)
    elif stat.S_ISDIR(os.lstat(real.host).st_mode):
        os.close(open_root(real.host))  # not by way of a link
        layout.add("--perms", "0000", "--tmpfs", kept.inside, "--remount-ro", kept.inside)
    else:
        os.close(open_root(real.host))
        layout.add("--perms", "0000")
        layout.content(b"", kept.inside)


def _make(path: Path) -> None:
    try:
        path.mkdir(mode=0o700, parents=True)
    except OSError as error:
        raise EnvironmentConfigError(
            f"'{printable(str(path))}' cannot be made, and a granted root would let a command make it: {error.strerror}",
            hint="make it, or grant a folder that cannot hold it",
        ) from None


def _hold_way(layout: Layout, view: dict[str, Mount], inside: str) -> None:
    """Make mounts of the folders between ``inside`` and the written root around it, so that none can be moved.

    A folder that is not a mount could be renamed with the mount in it, and another put in its place for later.
    """
    above = str(PurePosixPath(inside).parent)
    around = at(view, above)
    if around is None or not around.write:
        return
    root = max((place for place in view if contains(place, above)), key=len)
    way: list[str] = []
    while above != root:
        way.append(above)
        above = str(PurePosixPath(above).parent)
    for folder in reversed(way):
        mount = at(view, folder)
        if mount is not None:
            layout.folder(mount.host, folder, write=True)


def confinement(config: EnvironmentConfig) -> Confinement:
    """The same grants for Landlock, by the paths inside."""
    view = shown(config.roots or Roots())
    written = [inside for inside, mount in view.items() if mount.write]
    return Confinement(
        read=[*_SYSTEM, "/proc", "/dev", "/run", "/var", *view],
        write=["/tmp", "/dev/shm", *written],
        devices=list(preparing.DEVICES),
        listed=["/"],
        tcp=isinstance(config.net, HostNetwork),
    )


def joined(arguments: Iterable[bytes]) -> bytes:
    """Arguments as ``bwrap --args`` reads them."""
    return b"".join(word + b"\0" for word in arguments)

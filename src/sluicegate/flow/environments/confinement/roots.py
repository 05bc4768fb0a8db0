"""Folders that are granted: how they are written, compared, and opened without following a link."""

from __future__ import annotations

import functools
import os
import stat
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from msgspec import Struct

from sluicegate.flow.environments.configuration.config import Root, Roots, is_plain
from sluicegate.flow.environments.errors import EnvironmentConfigError, printable


def read_root(text: str, base: Path, *, parents: Iterable[Root] = ()) -> Root:
    """The root that ``HOST`` or ``HOST:INSIDE`` means; ``HOST`` may begin with ``~`` or be below ``base``.

    Without ``INSIDE`` the command finds it where one of ``parents`` already shows it, else at its own absolute
    path. Raises ``EnvironmentConfigError`` if there is no such folder or file, or ``INSIDE`` is not a plain
    absolute path.
    """
    host, colon, inside = text.partition(":")
    if not host or (colon and not inside):
        raise _wrong(text, "write it as HOST or HOST:INSIDE")
    try:
        named = base / Path(host).expanduser()
        resolved = named.resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        raise _wrong(text, "there is no such folder or file; make it first, or correct the path") from None
    if not stat.S_ISDIR(resolved.stat().st_mode) and not resolved.is_file():
        raise _wrong(text, "only folders and plain files can be granted, not sockets, pipes or devices")
    if not colon:
        inside = inherited(str(resolved), parents) or _plain(named, resolved)
    elif not is_plain(inside):
        raise _wrong(text, "the path inside is absolute and holds no '..', '.' or doubled '/'")
    if ":" in inside or ":" in str(resolved):
        raise _wrong(text, "a granted path may not hold a colon; it stands between HOST and INSIDE")
    if not (text + str(resolved)).isprintable():
        raise _wrong(text, "a granted path may not hold control characters")
    return Root(host=str(resolved), inside=inside)


def _plain(named: Path, resolved: Path) -> str:
    """The path as it was named if it is absolute and plain; else as it resolves."""
    return str(named) if named.is_absolute() and ".." not in named.parts else str(resolved)


def _wrong(text: str, hint: str) -> EnvironmentConfigError:
    return EnvironmentConfigError(f"the root '{printable(text)}' cannot be granted", hint=hint)


def contains(outer: str, inner: str) -> bool:
    """Whether ``inner`` is ``outer`` or below it; both are absolute and resolved."""
    return outer in ("/", inner) or inner.startswith(outer + "/")


def inherited(host: str, parents: Iterable[Root]) -> str:
    """Where the innermost of ``parents`` that contains ``host`` shows it, or empty."""
    around = [root for root in parents if contains(root.host, host)]
    if not around:
        return ""
    nearest = max(around, key=lambda root: len(root.host))
    return place(nearest, host)


def place(root: Root, host: str) -> str:
    """Where ``host``, which is in ``root``, stands inside."""
    if is_plain(host):  # as nearly all are, and this is asked for some twenty times a command
        below = host.removeprefix(root.host).lstrip("/")
        return f"{root.inside.rstrip('/')}/{below}" if below else root.inside
    return str(PurePosixPath(root.inside) / PurePosixPath(host).relative_to(root.host))


class Mount(Struct, frozen=True, kw_only=True):
    """What one path inside shows: which host path, and whether it may be written."""

    host: str
    write: bool


def mounts(roots: Roots) -> dict[str, Mount]:
    """The roots by their path inside, outer ones first. Who may write may read, so writing wins."""
    return dict(_mounts(roots))


@functools.lru_cache(maxsize=64)
def _mounts(roots: Roots) -> dict[str, Mount]:
    read = {root.inside: Mount(host=root.host, write=False) for root in roots.read}
    write = {root.inside: Mount(host=root.host, write=True) for root in roots.write}
    both = read | write
    return {inside: both[inside] for inside in sorted(both, key=lambda path: PurePosixPath(path).parts)}


def at(view: dict[str, Mount], path: str) -> Mount | None:
    """What ``path`` shows: the innermost root that contains it says. None when nothing is granted there."""
    around = [inside for inside in view if contains(inside, path)]
    if not around:
        return None
    nearest = max(around, key=len)
    mount = view[nearest]
    host = place(Root(host=nearest, inside=mount.host), path)
    return Mount(host=host, write=mount.write)


def open_root(path: str) -> int:
    """A descriptor (O_PATH) of the folder or file at ``path``; no component may be a symbolic link.

    The path was resolved when the environment was configured. A link in it now was put there since, perhaps by
    the command that ran before, and is refused. Raises ``EnvironmentConfigError``.
    """
    names = path.strip("/").split("/") if path != "/" else []
    at = os.open("/", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for place_of, name in enumerate(names):
            last = place_of == len(names) - 1
            flags = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC | (0 if last else os.O_DIRECTORY)
            below = os.open(name, flags, dir_fd=at)
            os.close(at)
            at = below
        mode = os.fstat(at).st_mode
        if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
            raise NotADirectoryError
    except OSError:
        os.close(at)
        raise EnvironmentConfigError(
            f"the granted root '{printable(path)}' is gone, or a part of its path was replaced by a link",
            hint="something changed it since the environment was made; look at it, then make the environment again",
        ) from None
    return at

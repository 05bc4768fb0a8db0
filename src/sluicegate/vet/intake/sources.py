"""Where skills come from: a folder, a file, an archive, a repository, the web, standard input.

A target that is a symbolic link is resolved, because the user named it; a link met inside never is.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from sluicegate.vet.errors import SourceError
from sluicegate.vet.intake.budget import Member, Note, beginning
from sluicegate.vet.intake.bundle import ARCHIVES, Kind
from sluicegate.vet.intake.content.kinds import classify
from sluicegate.vet.intake.directory import VISITS, TooMany, What, listing, paths_beside, shown
from sluicegate.vet.intake.discovery import Found, discover
from sluicegate.vet.intake.limits import Limits, too_large
from sluicegate.vet.intake.names import member
from sluicegate.vet.intake.targets import LocalPath, Repository, StandardInput, WebFile, parse_target
from sluicegate.vet.intake.units import (
    LINKED_SKILL,
    FolderOrigin,
    NoteOrigin,
    SpoolOrigin,
    Unit,
    Units,
    nothing,
    read_unit,
)
from sluicegate.vet.lazy import lazy

__all__ = ["Source", "Unit", "Units", "open_bytes", "open_source", "read_unit"]

_OPENED = ARCHIVES - {Kind.OFFICE}


class Source:
    """A source that was found and can be read. A context manager: it owns what was fetched for it."""

    def __init__(self, name: str, units: Units, owned: ExitStack) -> None:
        self.name = name
        self._units = units
        self._owned = owned

    def __enter__(self) -> Source:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Remove what was fetched. Units cannot be read afterwards, except those of a folder."""
        self._owned.close()

    def units(self) -> Units:
        """The skills of the source, in order of path."""
        return self._units


def open_source(
    target: str, limits: Limits, *, stdin: BinaryIO | None = None, _local_git: bool = False
) -> Source:
    """Find what the user named, fetch it when it is elsewhere, and list its skills.

    Raises SourceError when it does not exist or cannot be read or fetched, and NothingToInspect when an
    agent would load nothing of it. ``_local_git`` is for tests: ``target`` is then a repository on this
    machine.
    """
    with ExitStack() as owned:
        meant = parse_target(target)
        if isinstance(meant, StandardInput):
            name, units = "stdin", _from_stdin(stdin, limits, owned)
        elif isinstance(meant, Repository) or (_local_git and isinstance(meant, LocalPath)):
            if isinstance(meant, LocalPath):
                path, _, folder = meant.path.partition("#")
                path, _, ref = path.partition("@")
                base = Path(path).name
                meant = Repository(url=f"file://{path}", ref=ref, folder=folder, name=base)
            name, units = meant.name, _from_repository(meant, limits, owned, local=_local_git)
        elif isinstance(meant, WebFile):
            from sluicegate.vet.intake.download import download  # costs 40 ms to import

            data = download(meant.url, limits.download_bytes)
            name, units = meant.name, _from_bytes(data, meant.name, limits, owned)
        else:
            name, units = _from_path(meant.path, limits, owned)
        return Source(name, units, owned.pop_all())
    raise AssertionError("unreachable")


def open_bytes(content: bytes | Mapping[str, bytes], name: str, limits: Limits) -> Source:
    """A source that is at hand: the bytes of one file or archive, or the files of a folder by their paths.

    ``name`` is what it is called. Files are taken as a folder on disk would be; paths that lead out of it are kept
    under what is left of them, and reported. Raises SourceError and NothingToInspect.
    """
    with ExitStack() as owned:
        if isinstance(content, bytes):
            units = _from_bytes(content, name, limits, owned)
        else:
            units = _from_mapping(content, name, limits, owned)
        return Source(name, units, owned.pop_all())
    raise AssertionError("unreachable")


def workplace(owned: ExitStack) -> Path:
    import tempfile  # a folder on disk needs none

    try:
        folder = tempfile.TemporaryDirectory(prefix="sluicegate-", ignore_cleanup_errors=True)
    except OSError as error:
        hint = "Set TMPDIR to a folder that can be written."
        raise SourceError(f"no place for temporary files: {error.strerror}", hint=hint) from None
    return Path(owned.enter_context(folder))


_SHORTHAND = lazy(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9_.-]{1,100}")


def _instead_of(path: str) -> str:
    """What to do about a path that is not there; ``owner/repo`` may have been meant for a repository."""
    if _SHORTHAND.fullmatch(path) is None:
        return "Check the spelling of the path."
    return f"Check the spelling of the path; a repository is named by its address: https://github.com/{path}"


def _from_path(path: str, limits: Limits, owned: ExitStack) -> tuple[str, Units]:
    real = os.path.realpath(path)
    name = shown(os.path.basename(real)) or "root"  # noqa: PTH119
    try:
        descriptor = os.open(real, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        hint = _instead_of(path) if missing else "Check its permissions and what it is."
        raise SourceError(f"cannot read {shown(path)}: {error.strerror}", hint=hint) from None
    try:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            return name, folder_units(real, name, limits)
        if not stat.S_ISREG(status.st_mode):
            raise SourceError(
                f"{shown(path)} is neither a folder nor a file", hint="Name a folder or a file."
            )
        return name, _from_file(descriptor, status, name, limits, owned, real)
    finally:
        os.close(descriptor)


def folder_units(real: str, name: str, limits: Limits) -> Units:
    try:
        listed = listing(real, limits)
    except TooMany:
        hint = "Scan its parts one by one."
        raise SourceError(f"{name} holds more than {VISITS} files", hint=hint) from None
    except OSError as error:
        raise SourceError(f"cannot read {name}: {error.strerror}", hint="Check its permissions.") from None
    found = [
        Found(path=item.path, link=item.what == What.LINK, blocked=item.blocked is not None)
        for item in listed
    ]
    plan = discover(found, name)
    if not plan.parts:
        raise nothing(name, len(found))
    links = {item.path for item in listed if item.what == What.LINK}
    blocked = {item.path: item.blocked for item in listed if item.blocked is not None}
    units = []
    for part in plan.parts:
        origin: FolderOrigin | NoteOrigin = FolderOrigin(folder=real, relative=part.root, skip=part.skip)
        if part.root in links:
            origin = NoteOrigin(notes=(LINKED_SKILL,))
        elif (note := blocked.get(part.root)) is not None:
            origin = NoteOrigin(notes=(note,))
        label = shown(part.root)
        units.append(Unit(name=label.rpartition("/")[2] or name, root=label, origin=origin))
    return Units(units=tuple(units), unassigned=plan.unassigned)


def _from_file(
    descriptor: int, status: os.stat_result, name: str, limits: Limits, owned: ExitStack, real: str
) -> Units:
    """One file: an archive is opened, anything else is a bundle of one."""
    try:
        with open(descriptor, "rb", closefd=False) as stream:
            data = stream.read(limits.download_bytes + 1)
    except OSError as error:
        raise SourceError(f"cannot read {name}: {error.strerror}", hint="Check its permissions.") from None
    if len(data) > limits.download_bytes:
        raise too_large(name, limits)
    return _from_bytes(data, name, limits, owned, stat.S_IMODE(status.st_mode), real)


def _from_bytes(
    data: bytes, name: str, limits: Limits, owned: ExitStack, mode: int = 0, real: str = ""
) -> Units:
    """What these bytes are; ``real``: where they stand on this machine, if they do."""
    kind = classify(name, data, 0).kind
    if kind in _OPENED:
        return _from_archive(data, kind, name, limits, owned)
    if not data:
        raise nothing(name, 0)
    return _single(data, name, mode, limits, owned, paths_beside(real) if real else frozenset())


def _single(
    data: bytes, name: str, mode: int, limits: Limits, owned: ExitStack, beside: frozenset[str]
) -> Units:
    from sluicegate.vet.intake.unpack.spool import fill, source_budget

    data, notes = beginning(data, limits.file_bytes)
    member = Member(name=name, data=data, mode=mode, notes=notes)
    spool = workplace(owned) / "spool"
    files = fill(spool, source_budget(limits), (member,))
    origin = SpoolOrigin(spool=str(spool), files=files, beside=beside)
    return Units(units=(Unit(name=name, root="", origin=origin),), unassigned=0)


def _from_archive(data: bytes, kind: Kind, name: str, limits: Limits, owned: ExitStack) -> Units:
    from sluicegate.vet.intake.unpack import archives
    from sluicegate.vet.intake.unpack.spool import fill, source_budget, spooled_units

    budget = source_budget(limits)
    spool = workplace(owned) / "spool"
    files = fill(spool, budget, archives.members(kind, data, name, budget, limits))
    stem = _stem(name)
    if len(files) == 1 and kind not in (Kind.ZIP, Kind.TAR) and files[0].path == archives.inner_name(name):
        return Units(
            units=(Unit(name=stem, root="", origin=SpoolOrigin(spool=str(spool), files=files)),), unassigned=0
        )
    return spooled_units(stem, spool, files, package=True)


def _from_mapping(files: Mapping[str, bytes], name: str, limits: Limits, owned: ExitStack) -> Units:
    from sluicegate.vet.intake.unpack.spool import fill, source_budget, spooled_units

    spool = workplace(owned) / "spool"
    members = (_given(path, files[path], limits) for path in sorted(files))
    return spooled_units(name, spool, fill(spool, source_budget(limits), members), package=False)


def _given(path: str, data: bytes, limits: Limits) -> Member:
    named = member(path.encode("utf-8", "surrogatepass"))
    oddities = tuple(Note(anomaly=kind, detail=detail) for kind, detail in named.oddities)
    data, notes = beginning(data, limits.file_bytes)
    return Member(name=named.path, data=data, notes=(*oddities, *notes))


def _stem(name: str) -> str:
    """The name of an archive without its suffixes."""
    stem = name
    for suffix in (".gz", ".bz2", ".xz", ".lzma", ".tar", ".tgz", ".tbz2", ".txz", ".zip", ".skill"):
        if stem.lower().endswith(suffix):
            stem = stem[: -len(suffix)] or stem
    return stem


def _from_stdin(stdin: BinaryIO | None, limits: Limits, owned: ExitStack) -> Units:
    if stdin is None:
        raise SourceError(
            "there is no standard input to read", hint="Pipe a tar: tar c . | sluicegate scan -"
        )
    parts: list[bytes] = []
    have = 0
    while have <= limits.download_bytes and (part := stdin.read(1 << 20)):
        parts.append(part)
        have += len(part)
    data = b"".join(parts)
    if have > limits.download_bytes:
        raise too_large("standard input", limits)
    kind = classify("stdin", data, 0).kind
    if kind not in _OPENED:
        hint = "Pipe a tar: tar c . | sluicegate scan -"
        raise SourceError("standard input is neither a tar nor another archive", hint=hint)
    return _from_archive(data, kind, "stdin", limits, owned)


def _from_repository(meant: Repository, limits: Limits, owned: ExitStack, *, local: bool) -> Units:
    from sluicegate.vet.intake.repositories import clone

    place = workplace(owned)
    clone.fetch(meant, place / "repository", limits, local=local)
    return of_commit(meant, place, limits, owned)


def of_commit(
    meant: Repository,
    place: Path,
    limits: Limits,
    owned: ExitStack,
    *,
    commit: str = "FETCH_HEAD",
    as_file: bool = False,
) -> Units:
    """The skills of a commit of the repository in ``place``, below the folder that is meant.

    ``as_file``: where that is one file, it is read as one on disk would be, an archive by what it holds.
    """
    from sluicegate.vet.intake.repositories import clone
    from sluicegate.vet.intake.unpack.spool import fill, source_budget, spooled_units

    budget = source_budget(limits)

    def members() -> Iterator[Member]:
        yield from clone.tree(meant, place / "repository", budget, limits, commit=commit)

    files = fill(place / "spool", budget, members())
    one = len(files) == 1 and bool(meant.folder) and files[0].path == meant.folder.rpartition("/")[2]
    if one and as_file and files[0].size is not None:
        with (place / "spool").open("rb") as spool:
            spool.seek(files[0].offset)
            data = spool.read(files[0].size)
        return _from_bytes(data, files[0].path, limits, owned, files[0].mode)
    if one:
        origin = SpoolOrigin(spool=str(place / "spool"), files=files)
        return Units(units=(Unit(name=meant.name, root="", origin=origin),), unassigned=0)
    return spooled_units(meant.name, place / "spool", files, package=False)

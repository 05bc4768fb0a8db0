"""A folder as it stood at a revision of the Git repository around it, without letting that repository act.

The objects are read by way of an empty repository of our own that borrows them, so that of the configuration of the
user's repository (which may have come with an archive) nothing is read but where a revision is. Nothing is checked
out; no hook, filter, monitor, helper or protocol runs: see ``clone``.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

from sluicegate.vet.errors import NothingToInspect, SourceError
from sluicegate.vet.intake import clone
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.sources import Source, of_commit, workplace
from sluicegate.vet.intake.targets import Repository

_ID = frozenset(b"0123456789abcdef")


def open_revision(target: str, revision: str, limits: Limits) -> Source:
    """The source that ``target``, a path in a Git work tree, was at ``revision``.

    Raises SourceError when there is no repository, or it knows no such revision, and NothingToInspect when nothing
    stood there, or what did held nothing that an agent would load.
    """
    place = Path(os.path.realpath(target))
    root = next((folder for folder in (place, *place.parents) if (folder / ".git").exists()), None)
    if root is None:
        raise SourceError(
            f"{target} lies in no Git repository",
            hint="Compare with a report of before: --compare OLD.json.",
        )
    store = _git_directory(root)
    if not revision or revision.startswith("-"):
        raise SourceError(f"{revision!r} is no revision", hint="Name a branch, a tag or a commit.")
    commit = _id(store, revision)
    with ExitStack() as owned:
        work = workplace(owned)
        _borrow(store, work / "repository")
        inside = place.relative_to(root).as_posix()
        wanted = Repository(
            url="", ref=revision, folder="" if inside == "." else inside, name=place.name or "root"
        )
        if not clone.holds(work / "repository", commit, wanted.folder):
            raise NothingToInspect(f"{target} was not there at {revision}")
        units = of_commit(wanted, work, limits, owned, commit=commit, as_file=True)
        return Source(wanted.name, units, owned.pop_all())
    raise AssertionError("unreachable")


def _git_directory(root: Path) -> Path:
    """The repository of a work tree: the folder ``.git``, or what a file of that name says."""
    dot = root / ".git"
    if dot.is_dir():
        return dot
    try:
        text = dot.read_bytes()[:4096]
    except OSError as error:
        raise SourceError(f"cannot read {dot}: {error.strerror}") from None
    if not text.startswith(b"gitdir: "):
        raise SourceError(f"{dot} does not say where its repository is")
    return root / os.fsdecode(text.removeprefix(b"gitdir: ").rstrip(b"\n"))


def _id(store: Path, revision: str) -> str:
    try:
        said = clone.ask(
            store, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"
        )
    except SourceError:
        raise SourceError(
            f"the repository knows no commit {revision!r}",
            hint="Fetch it first; in CI a shallow clone holds one commit alone (fetch-depth: 0 fetches all).",
        ) from None
    commit = said.strip()
    if len(commit) not in (40, 64) or not _ID.issuperset(commit):
        raise SourceError(f"git did not say which commit {revision!r} is")
    return commit.decode()


def _borrow(store: Path, folder: Path) -> None:
    """Make the empty repository ``folder``, which finds the objects of ``store``."""
    objects = clone.ask(store, "rev-parse", "--path-format=absolute", "--git-path", "objects").rstrip(b"\n")
    form = clone.ask(store, "rev-parse", "--show-object-format").strip().decode("ascii", "replace")
    if b"\n" in objects or form not in ("sha1", "sha256"):
        raise SourceError("the repository keeps its objects where they cannot be borrowed from")
    clone.make(folder, form)
    (folder / "objects" / "info").mkdir(parents=True, exist_ok=True)
    (folder / "objects" / "info" / "alternates").write_bytes(objects + b"\n")

"""A folder as it stood at a revision of the Git repository around it, without letting that repository act.

The objects are read by way of an empty repository of our own that borrows them, so that of the configuration of the
user's repository (which may have come with an archive) nothing is read but where a revision is. Nothing is checked
out; no hook, filter, monitor, helper or protocol runs: see ``git``.
"""

from __future__ import annotations

import os
import re
from contextlib import ExitStack
from pathlib import Path

from sluicegate.record.work_tree import work_tree
from sluicegate.vet.errors import NothingToInspect, SourceError
from sluicegate.vet.intake.limits import Limits
from sluicegate.vet.intake.repositories import clone, git
from sluicegate.vet.intake.sources import Source, of_commit, workplace
from sluicegate.vet.intake.targets import Repository

_ID = frozenset(b"0123456789abcdef")


def open_revision(target: str, revision: str, limits: Limits) -> Source:
    """The source that ``target``, a path in a Git work tree, was at ``revision``.

    Raises SourceError when there is no repository, or it knows no such revision, and NothingToInspect when nothing
    stood there, or what did held nothing that an agent would load.
    """
    place = Path(os.path.realpath(target))
    tree = work_tree(place)
    if tree is None:
        raise SourceError(
            f"{target} lies in no Git repository",
            hint="Compare with a report of before: --compare OLD.json.",
        )
    store = git_directory(tree)
    commit = commit_named(store, revision)
    with ExitStack() as owned:
        work = workplace(owned)
        _borrow(store, work / "repository")
        inside = place.relative_to(tree).as_posix()
        wanted = Repository(
            url="", ref=revision, folder="" if inside == "." else inside, name=place.name or "root"
        )
        if not clone.holds(work / "repository", commit, wanted.folder):
            raise NothingToInspect(f"{target} was not there at {revision}")
        units = of_commit(wanted, work, limits, owned, commit=commit, as_file=True)
        return Source(wanted.name, units, owned.pop_all())
    raise AssertionError("unreachable")


def git_directory(tree: Path) -> Path:
    """The repository of a work tree: the folder ``.git``, or what a file of that name says. Raises SourceError."""
    dot = tree / ".git"
    if dot.is_dir():
        return dot
    try:
        text = dot.read_bytes()[:4096]
    except OSError as error:
        raise SourceError(f"cannot read {dot}: {error.strerror}") from None
    if not text.startswith(b"gitdir: "):
        raise SourceError(f"{dot} does not say where its repository is")
    return tree / os.fsdecode(text.removeprefix(b"gitdir: ").rstrip(b"\n"))


def commit_named(store: Path, revision: str) -> str:
    """The id of the commit that a revision names. Raises SourceError when it names none."""
    if not revision or revision.startswith("-"):
        raise SourceError(f"{revision!r} names no commit", hint="Name a branch, a tag or a commit.")
    try:
        said = git.ask(
            store, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"
        )
    except git.GitRefused as error:
        why = f": {error.said}" if error.said else ""
        raise SourceError(
            f"the repository knows no commit {revision!r}{why}",
            hint="Fetch it first; in CI a shallow clone holds one commit alone (fetch-depth: 0 fetches all).",
        ) from None
    commit = said.strip()
    if len(commit) not in (40, 64) or not _ID.issuperset(commit):
        raise SourceError(f"git did not say which commit {revision!r} is")
    _refuse_ambiguous(store, revision)
    return commit.decode()


_PLACES = ("refs/", "refs/tags/", "refs/heads/", "refs/remotes/")
_SHORT_ID = re.compile(r"(?:.*-g)?([0-9a-f]{4,63})", re.DOTALL)


def _refuse_ambiguous(store: Path, revision: str) -> None:
    """Raise SourceError where a revision begins with a name that stands for several commits.

    Git takes the first that it finds (a file in its directory, a tag, a branch, one of a remote), and a short id of a
    commit last. Who made the repository chose its tags, and must not choose between them in silence.
    """
    name = re.split(r"[~^:]|@\{", revision, maxsplit=1)[0]
    if name in ("", "@") or (len(name) in (40, 64) and _ID.issuperset(name.encode("utf-8", "replace"))):
        return  # no name, or a whole id, which always goes first
    if name.startswith("refs/") and _printed(store, "show-ref", "--verify", "--hash", name):
        return  # a full name, which goes before all that are made of it
    places = (*(f"{place}{name}" for place in _PLACES), f"refs/remotes/{name}/HEAD")
    ids = {place: _printed(store, "show-ref", "--verify", "--hash", place) for place in places}
    meant = {place: commit for place, id_ in ids.items() if id_ and (commit := _commit(store, id_))}
    short = _SHORT_ID.fullmatch(name)
    if short is not None and meant:
        known = git.ask(store, "rev-parse", f"--disambiguate={short[1]}").decode("ascii", "replace").split()
        meant |= {commit: commit for id_ in known if (commit := _commit(store, id_))}
    taken = _commit(store, name)
    if taken and taken not in meant.values():
        meant[taken] = taken
    if len(set(meant.values())) > 1:
        raise SourceError(
            f"{name!r} stands for several commits in the repository: {', '.join(meant)}",
            hint=f"Write which of them is meant: {' or '.join(meant)}.",
        )


def _commit(store: Path, name: str) -> str:
    """The id of the commit that a name or an id stands for; empty where it is none."""
    return _printed(store, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")


def _printed(store: Path, *words: str) -> str:
    """What git prints, a line; empty where it refuses."""
    try:
        return git.ask(store, *words).strip().decode("ascii", "replace")
    except git.GitRefused:
        return ""


def _borrow(store: Path, folder: Path) -> None:
    """Make the empty repository ``folder``, which finds the objects of ``store``."""
    objects = git.ask(store, "rev-parse", "--path-format=absolute", "--git-path", "objects").rstrip(b"\n")
    form = git.ask(store, "rev-parse", "--show-object-format").strip().decode("ascii", "replace")
    if b"\n" in objects or form not in ("sha1", "sha256"):
        raise SourceError("the repository keeps its objects where they cannot be borrowed from")
    git.make(folder, form)
    (folder / "objects" / "info").mkdir(parents=True, exist_ok=True)
    (folder / "objects" / "info" / "alternates").write_bytes(objects + b"\n")

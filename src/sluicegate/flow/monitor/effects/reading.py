"""What a command reads, as far as it can be told before it runs: the labels of that flow into it (``procedure``, 0).

1. The files and directories that its arguments name to be read; of a directory, what the command looks into (``looked_into``).
2. Files whose names are arguments, and of which nothing says what the command does with them.
3. Each of these also as the environment shows it, where that is at another place than here; policy is asked about both
   (``as_shown``).
4. Code for an interpreter can open whatever its environment shows. So it reads every file that is known: the labels
   that were declared (``secret``, ``pii``) flow in, and what makes a file untrusted (the label, and origins that a layer
   classes as untrusted), unless every layer that distrusts it says itself that ``src:exec`` is trusted. A command that
   reads files whose names are unknown is taken for code (``opens_unnamed``). Shell text that was read is not code by itself:
   what its commands read counts, and what the shell opens for them.
5. git reads the repository around where it stands, and what is named: what was put into it comes out by ``git show``, with
   the same labels as of 4, and leaves by ``git push``. The work tree is read by what names none of its files (``git add -A``).
6. The name of a directory, and where a link leads, may tell of what made them: who reads a directory reads the names in
   it, and who is given a link may read where it leads.
7. What was given to a server that keeps it comes out of it again, by any program that speaks to servers of that kind.

What else a program reads by itself, a Makefile say, is not known: an environment that does not show the file is the wall.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Final

from sluicegate.flow.environments.configuration.config import EnvironmentConfig, NoNetwork
from sluicegate.flow.environments.confinement.roots import at, contains, mounts
from sluicegate.flow.labels import EMPTY, Labels, covers
from sluicegate.flow.monitor.drive import Do, Procedure
from sluicegate.flow.monitor.effects.looked_into import LookedInto, looked_into, together
from sluicegate.flow.monitor.parts import Parts
from sluicegate.flow.monitor.plan import CODE, Asked, Plan
from sluicegate.flow.monitor.state import paths_in
from sluicegate.flow.operations import Filled, Operation
from sluicegate.flow.policy.request import UNKNOWN, Request
from sluicegate.known.ignored_files import ignored_names
from sluicegate.record.work_tree import work_tree
from sluicegate.tuples import NamedTuple

_MOST_LINKS = 8
_WILD: Final = frozenset("*?[")
_FORCED: Final = frozenset({"-f", "--force", "--no-exclude-standard"})
_TREE_READERS = frozenset({"add", "stage", "commit", "diff", "stash", "grep"})
_CODE_LEAVES = ("op:sh", "op:py", "op:node", "op:js", "op:interpreter")


class FilesRead(NamedTuple):
    """What a command reads: the labels of it, and the events by which files that it names are known."""

    labels: Labels = EMPTY
    events: tuple[str, ...] = ()


_NOTHING: Final = FilesRead()
_NETWORK: Final = Labels.of("src:network")


def runs_code(operation: Operation) -> bool:
    """Whether the operation gives code to an interpreter."""
    return operation.kind in CODE or runs_code_by(operation.leaves)


def opens_unnamed(request: Request) -> bool:
    """Whether a command may read files that its arguments do not name.

    So do a program of which nothing is known, one that is none of the system's, one that runs or keeps what lies where it stands
    (``npm``, ``hg``), one that is told the names as it runs (``sort --files0-from=LIST``), and shell text that could not be read.
    """
    if request.unread or ("r", UNKNOWN) in request.paths or request.start is None:
        return True
    command = request.command
    if command is None:
        return False
    return not command.trusted_name or _is_opaque(command.basename, command.program.rpartition("/")[2])


@lru_cache(maxsize=4096)
def _is_opaque(name: str, own: str) -> bool:
    """The same by its name, and that of its file."""
    from sluicegate.known.commands.own_files import KEEPERS, OWN_FILES
    from sluicegate.known.commands.readers import READERS
    from sluicegate.known.commands.spec import spec

    if name in KEEPERS or (name in OWN_FILES and OWN_FILES[name].runs is not None):
        return True
    return name not in READERS and spec(name) is None and (not own or spec(own) is None)


@lru_cache(maxsize=4096)
def runs_code_by(leaves: tuple[str, ...]) -> bool:
    """The same by labels alone."""
    return any(covers(word, leaf) for leaf in leaves for word in _CODE_LEAVES)


def kept_elsewhere(request: Request) -> tuple[str, ...]:
    """What stands for all that a command may give to a server, and get from it (7)."""
    from sluicegate.known.commands.answering import SERVERS

    command = request.command
    if command is None or SERVERS.isdisjoint((command.basename, command.program.rpartition("/")[2])):
        return ()
    return ("/dev/<servers>",)  # no file stands there, so nothing but this speaks of it


def labels_fetched(parts: Parts, asked: Sequence[Asked]) -> Labels:
    """Where the result of a command comes from besides, if a part of it is there to tell what another machine says (``curl URL``), or is
    code that is given an address in its arguments (``python3 -c``)."""
    if not any(_fetches(each.request) for each in asked):
        return EMPTY
    return _NETWORK | parts.layers.entry_labels("src:network")


def _fetches(request: Request) -> bool:
    command = request.command
    if command is None:
        return False
    from sluicegate.known.commands.answering import answers
    from sluicegate.known.hosts import is_local, urls

    words = [word for word in command.words if isinstance(word, str)]
    if answers(command.basename, words) or answers(command.program.rpartition("/")[2], words):
        return not request.hosts or not all(map(is_local, request.hosts))
    if not runs_code_by(request.leaves):
        return False
    hosts = [host for word in command.arguments if isinstance(word, str) for _, host in urls(word)]
    return not all(map(is_local, hosts))


def only_reads(config: EnvironmentConfig, requests: Sequence[Request], *, shell_text: bool) -> bool:
    """Whether a command is known to write nothing in its roots: all of it are programs that only read, by themselves and as they
    are asked. Of ``shell_text`` the first request is the text itself; the others are what stands in it.
    """
    rest = requests[1:] if shell_text else requests
    if not rest or (shell_text and not _puts_nothing(config, requests[0])):
        return False
    return all(_reads(config, each) for each in rest)


def _reads(config: EnvironmentConfig, request: Request) -> bool:
    from sluicegate.known.commands.readers import GIT_READERS, READERS, SHELLS, TESTS

    command = request.command
    if command is None or not command.trusted_name or not _puts_nothing(config, request):
        return False
    if command.basename in SHELLS:  # code that is not read is a request of its own
        return command.words_known and "-c" in command.flags
    if runs_code_by(request.leaves):
        return False
    if command.basename == "git":
        known = {f"op:cmd:git:{word}" for word in GIT_READERS}
        return isinstance(config.net, NoNetwork) and not known.isdisjoint(request.leaves)
    return command.basename in TESTS or (command.basename in READERS and command.words_known)


def _puts_nothing(config: EnvironmentConfig, request: Request) -> bool:
    """Whether it is read, and what it names to be written lies outside of the roots, where all is gone with the sandbox or a device."""
    view = {} if config.roots is None else mounts(config.roots)
    hosts = [mount.host for mount in view.values()]
    return not request.unread and all(
        mode == "r"
        or (path != UNKNOWN and at(view, path) is None and not any(contains(host, path) for host in hosts))
        for mode, path in (*request.paths, *request.whole)
    )


def as_shown(config: EnvironmentConfig, asked: tuple[Asked, ...]) -> tuple[Asked, ...]:
    """The questions with the paths that these are here, for a command whose environment shows files at other places (3)."""
    if config.roots is None:
        return asked
    found: list[Asked] = []
    for each in asked:
        given = each.request
        more = _here(config, given.paths)
        whole = _here(config, given.whole)
        if more or whole:
            given = given.reaching((*given.paths, *more), (*given.whole, *whole))
        found.append(Asked(given, each.labels))
    return tuple(found)


def _here(config: EnvironmentConfig, pairs: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
    """The paths that these of an environment are here, where they are others."""
    return [(mode, host) for mode, path in pairs if path for host in _shown(config, path)]


def labels_read(
    parts: Parts, plan: Plan, asked: tuple[Asked, ...], filled: tuple[Filled, ...]
) -> Procedure[FilesRead]:
    """The labels of what a command reads, with the events by which the files that it names are known."""
    if plan.operation.stage is None and not any(runs_code(each) for each in plan.operations):
        return _NOTHING
    text = plan.operation.programs is not None
    if text:  # 4
        code = any(_is_code_in_text(each.request) for each in asked)
        argvs = [(each.request.start or parts.start, _words(each.request)) for each in asked]
    else:
        code = any(map(runs_code, plan.operations)) or any(opens_unnamed(each.request) for each in asked)
        argvs = [(parts.start, stage.argv) for stage in filled]
    paths = _looked_into(asked)  # 1
    known = {path for each in asked for _, path in each.request.paths if path != UNKNOWN}
    more = [path for stage in filled for path in _named(parts, stage.argv) if path not in known]  # 2
    paths.update(dict.fromkeys(more))
    kept = [place for each in asked for place in kept_elsewhere(each.request)]  # 7
    git = [each.request for each in asked if any(covers("op:cmd:git", leaf) for leaf in each.request.leaves)]
    links = [*kept, *(path for start, argv in argvs for path in _links(start, argv))]  # 6
    if not paths and not links and not code and not git:
        return _NOTHING
    read: FilesRead = yield Do(lambda: _read(parts, paths, links, git, code=code), blocking=True)
    return read


def _looked_into(asked: Sequence[Asked]) -> dict[str, LookedInto | None]:
    """The paths that arguments name to be read, with what is looked into there (1)."""
    several: dict[str, list[LookedInto | None]] = {}
    for each in asked:
        into = looked_into(each.request)
        for mode, path in each.request.paths:
            if mode == "r" and path != UNKNOWN:
                several.setdefault(path, []).append(into)
    return {path: together(found) for path, found in several.items()}


def _read(
    parts: Parts,
    paths: Mapping[str, LookedInto | None],
    links: Sequence[str],
    git: Sequence[Request],
    *,
    code: bool,
) -> FilesRead:
    from sluicegate.flow.monitor.effects.files import labels_of_path

    written: list[str] = []
    found = Labels.join_all(labels_of_path(parts, path, written, into) for path, into in paths.items())
    folders = [Path(path) for path in paths if os.path.isdir(path)]  # noqa: PTH112 - text
    found |= _carried_within(parts, folders) | _carried_by_links(parts, links)
    if code:
        roots = parts.environment.roots
        places = None if roots is None else [Path(root.host) for root in (*roots.read, *roots.write)]
        found |= _carried_within(parts, places)  # 4
    elif git:
        named = {path for each in git for _, path in each.paths if os.path.isdir(path)}  # noqa: PTH112 - text
        named.update(each.start for each in git if each.start)
        trees = [each for each in git if _reads_tree(each, parts.start)]
        found |= _carried_within(
            parts, list(_repositories((parts.start, *sorted(named)), whole=bool(trees)))
        )  # 5
        for each in trees:
            top = work_tree(Path(each.start or parts.start))
            if top is not None:
                forced = each.command is not None and not _FORCED.isdisjoint(each.command.flags)
                found |= labels_of_path(parts, str(top), written, _tree_files(str(top), ignored_too=forced))
    return FilesRead(found, tuple(dict.fromkeys(written)))


def _is_code_in_text(request: Request) -> bool:
    """Whether a part of shell text is opaque: it runs code, or what it reads is not known. A pattern may stand for names that nobody
    else tells (``echo *``)."""
    command = request.command
    if command is None:  # the shell itself, with the files that it opens
        return opens_unnamed(request)
    if runs_code_by(request.leaves) or opens_unnamed(request):
        return True
    patterns = not all(isinstance(word, str) for word in command.arguments)
    return patterns and all(mode != "r" for mode, _ in request.paths)


def _words(request: Request) -> Sequence[str]:
    """The words of a part of shell text, as far as they are known."""
    command = request.command
    if command is None:
        return ()
    return (command.basename, *(word for word in command.arguments if isinstance(word, str)))


def _reads_tree(request: Request, start: str) -> bool:
    """Whether a command of git reads files of the work tree that it does not name, or names by a pattern or as what is to be committed."""
    command = request.command
    word = command.words[0] if command is not None and command.words else ""
    if command is None or word not in _TREE_READERS:
        return False
    if not command.words_known:
        return True
    others = [each for each in command.arguments if isinstance(each, str) and each not in (word, "-m")]
    patterns = any(each[:1] == ":" or not _WILD.isdisjoint(each) for each in others)
    if word != "commit":
        return patterns or not request.paths
    start = request.start or start
    named = any(os.path.lexists(os.path.join(start, each)) for each in others)  # noqa: PTH118 - text
    return patterns or named or bool(command.flags & {"-a", "--all", "-i", "--include", "-o", "--only"})


def _tree_files(top: str, *, ignored_too: bool) -> LookedInto:
    """Of the folders of a work tree, the files that git takes where it takes all: none of its own, and none that is ignored by its name or
    that of a folder above it."""
    patterns = () if ignored_too else tuple(each.rstrip("/") for each in ignored_names(top))

    def is_out(name: str) -> bool:
        return any(fnmatchcase(name, each) for each in patterns)

    def taken(folder: str, names: Collection[str]) -> Collection[str]:
        above = folder[len(top) :].split("/")
        if ".git" in above or any(map(is_out, filter(None, above))):
            return ()
        return [name for name in names if not is_out(name)]

    return taken


def _carried_within(parts: Parts, places: Sequence[Path] | None) -> Labels:
    """What opaque code that may read all known files in these places carries on of them; None: of all that there are."""
    if parts.files is None or (places is not None and not places):
        return EMPTY
    from sluicegate.flow.monitor.effects.files import carried
    from sluicegate.record.files.below import known_within

    return carried(parts, Labels.of(*known_within(parts.files, places)))


def _carried_by_links(parts: Parts, links: Sequence[str]) -> Labels:
    """What was known of those who made these links."""
    if parts.files is None or not links:
        return EMPTY
    from sluicegate.flow.monitor.effects.files import carried
    from sluicegate.record.files.below import known_at

    return carried(parts, Labels.of(*known_at(parts.files, links)))


def repositories_changed(parts: Parts, requests: Sequence[Request]) -> Iterator[str]:
    """Where the repositories keep what is in them that commands of git may put something into."""
    from sluicegate.known.commands.readers import GIT_TAKES_NOTHING

    reads = {f"op:cmd:git:{word}" for word in GIT_TAKES_NOTHING}
    for each in requests:
        if any(covers("op:cmd:git", leaf) for leaf in each.leaves) and reads.isdisjoint(each.leaves):
            named = [path for _, path in each.paths if os.path.isdir(path)]  # noqa: PTH112 - text
            yield from map(str, _repositories((each.start or parts.start, *named), whole=False))


def _repositories(folders: Sequence[str], *, whole: bool) -> Iterator[Path]:
    """Step 5: where the repositories around these folders keep what is in them; with ``whole`` the work trees too."""
    for folder in folders:
        for place in (Path(folder), *Path(folder).parents):
            inside = place / ".git"
            if whole and inside.exists():
                yield place
            if inside.is_dir():
                yield inside
            elif inside.is_file():  # of a second work tree, or a submodule: it lies where this file says
                with suppress(OSError, ValueError):
                    yield from _linked(place, inside.read_text("utf-8"))
            elif (place / "objects").is_dir() and (place / "HEAD").exists():
                yield place
            else:
                continue
            break
        else:
            if whole:  # ``git grep --no-index`` needs no repository
                yield Path(folder)


def _linked(place: Path, text: str) -> Iterator[Path]:
    own = place / text.removeprefix("gitdir:").strip()
    yield own
    if (own / "commondir").is_file():
        yield own / (own / "commondir").read_text("utf-8").strip()


def _candidates(start: str, argv: Sequence[str]) -> Iterator[str]:
    """The paths that arguments may name, from where the command starts; links in them are not followed."""
    for argument in argv[1:]:
        for candidate in paths_in(argument):
            whole = os.path.normpath(os.path.join(start, candidate))  # noqa: PTH118 - text, not a place
            if "\0" not in whole:
                yield whole


def _named(parts: Parts, argv: Sequence[str]) -> Iterator[str]:
    """Step 2: the real paths of regular files that arguments may name."""
    for whole in _candidates(parts.start, argv):
        places = (whole, *_shown(parts.environment, whole))
        yield from (os.path.realpath(path) for path in places if os.path.isfile(path))  # noqa: PTH113


def _links(start: str, argv: Sequence[str]) -> Iterator[str]:
    """Step 6: the links that arguments may name, by their own paths."""
    for whole in _candidates(start, argv):
        if os.path.islink(whole):  # noqa: PTH114
            folder, name = os.path.split(whole)
            yield os.path.join(os.path.realpath(folder), name)  # noqa: PTH118


def _shown(config: EnvironmentConfig, path: str) -> Iterator[str]:
    """Step 3: what stands at this path inside of the environment, if that is another place here."""
    if config.roots is None:
        return
    view = mounts(config.roots)
    for _ in range(_MOST_LINKS):
        mount = at(view, path)
        if mount is None or mount.host == path:
            return
        path = os.path.realpath(mount.host)  # a link may lead on by a path that is one inside
        yield path

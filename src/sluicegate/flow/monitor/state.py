"""What no operation may touch: the monitor's own state.

Whoever can write the policy in force, the keys or the ledger decides everything that this room decides, so no
policy can allow it (``docs/model.md``). Protected are ``.sluicegate/`` and
``sluicegate.toml`` of the project, the policy files in force, the directory of the keys, the ledger wherever
it lies, and the installed package. No operation writes a file by those names anywhere: a program that is started
beside it would be under its policy. Reading the state is refused as well where it would tell what labels keep apart: the ledger notes
denials inside branches, and the keys' directory holds the keys.

A place is known by its real path, and by the number of its file on its device, so that a symbolic link, ``..``,
a bind mount, a file system that ignores case and a hard link all lead to the same answer. A command runs code
that we do not see: in a sandbox the places are masked, and without one the paths that its arguments name are
judged here, what sweeps up a folder with all that is in it (``find . -delete``, ``git clean -x``), and what brings
something in their place (``brought``). That second
judgement is a hurdle and not a wall: code can still come to the state, and ``sluicegate audit verify`` finds that
afterwards. That is why a sandbox is the default.
"""

from __future__ import annotations

import fnmatch
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from sluicegate.flow.operations.paths import STREAMS
from sluicegate.patterns import late
from sluicegate.record.directories import STATE

if TYPE_CHECKING:
    from sluicegate.flow.environments.confinement.protection import Protection
    from sluicegate.flow.policy.request import CommandView, Token

Number = tuple[int, int]  # device and inode

CONFIGURATION = "sluicegate.toml"
_MOST_FILES = 20_000  # files of the state that are compared with a hard link
_PROCESS = late(
    r"/proc/(?:\d+|self|thread-self)/(?:task/\d+/)?(?:environ|mem|auxv|maps|numa_maps|smaps\w*|pagemap|cmdline|stack|syscall|fd(?:/.*)?|map_files(?:/.*)?|root(?:/.*)?|cwd(?:/.*)?)"
)
_NAMES = late(r"(?<![\w.-])(?:\.sluicegate|sluicegate\.toml)(?![\w.-])")
# These change what they are pointed at, with all that is in it.
_SWEEPING = frozenset(
    "rm rmdir unlink mv ln shred truncate chmod chown chgrp chattr setfacl rsync install tar unzip cpio".split()
)
# These take all that is below what they are pointed at, where they are told to (``operations.commands.whole``).
_TAKING = frozenset("rm mv shred chmod chown chgrp chcon setfacl chattr".split())
_CHANGING = _SWEEPING | frozenset("sed perl dd tee cp python python3 node ruby awk xargs env".split())
_SHELLS = frozenset("sh dash bash zsh ksh mksh busybox".split())
# Patterns of the shell that may come to the state: .slu*, .[a-z]*; not the .* of regular expressions.
_PATTERN = late(r"(?<![\w.*\]])\.[s?\[][\w.*?\[\]-]*[*?\]][\w.*?\[\]-]*")
_FOUND_AND_CHANGED = frozenset(
    "-delete -exec -execdir -ok -okdir -x -X --exec --exec-batch -fprint -fprintf -fls".split()
)
_EITHER = frozenset({"-o", "-or", "!", "-not", ",", "(", ")", "\\(", "\\)"})
# How a path hides in an argument: --file=PATH, of=PATH, @PATH, file://PATH, host:PATH, -oPATH
_INSIDE = late(r"^(?:[^=/]*=)?@?(?:file://(?:localhost)?)?")


class Protected(Struct, frozen=True):
    """The places: directories with all that is in them, and single files.

    ``sealed`` are those of them that may not be read either. ``code`` are directories of programs that may be named by
    commands, and not written.
    """

    places: tuple[Path, ...] = ()
    sealed: tuple[Path, ...] = ()
    code: tuple[Path, ...] = ()

    @staticmethod
    def of(*, written: Iterable[Path], read: Iterable[Path] = (), code: Iterable[Path] = ()) -> Protected:
        """Protect these from writing, and ``read`` from reading and writing. Paths need not exist."""
        sealed = tuple(dict.fromkeys(Path(os.path.realpath(path)) for path in read))
        places = tuple(dict.fromkeys((*(Path(os.path.realpath(path)) for path in written), *sealed)))
        programs = tuple(dict.fromkeys(Path(os.path.realpath(path)) for path in code))
        return Protected(places=places, sealed=sealed, code=programs)

    def protection(self) -> Protection:
        """The same places as environments hold them; one that has something sealed in it is hidden whole."""
        from sluicegate.flow.environments.confinement import protection

        hidden = {
            place: None
            for place in (*self.sealed, *self.places)
            if any(place == sealed or place in sealed.parents for sealed in self.sealed)
        }
        outermost = tuple(place for place in hidden if not any(other in place.parents for other in hidden))
        fixed = tuple(
            place for place in self.places if not any(h == place or h in place.parents for h in outermost)
        )
        return protection.Protection(hidden=outermost, fixed=(*fixed, *self.code))

    def against_writing(self, path: str | os.PathLike[str]) -> Path | None:
        """The protected place that writing, removing or renaming ``path`` would change; None if none."""
        found = _reached(path, self.places) or _reached(path, self.code, links=False)
        return found or self._named_so(os.path.realpath(path))

    def holds(self, path: str | os.PathLike[str]) -> bool:
        """Whether ``path`` is or lies in this project's own state."""
        return _reached(path, self.places) is not None

    def _named_so(self, real: str) -> Path | None:
        """The path, if it is or lies in what would be Sluicegate's own by its name, in a project around or inside this one."""
        around = [
            f"{place.parent}{os.sep}" for place in self.places if real.startswith(f"{place.parent}{os.sep}")
        ]
        names = [name.casefold() for name in Path(real.removeprefix(max(around, key=len, default=""))).parts]
        own = names[-1:] == [CONFIGURATION] or STATE in names
        return Path(real) if own and self.places else None

    def against_reading(self, path: str | os.PathLike[str]) -> Path | None:
        """The sealed place that reading ``path`` would show; None if none.

        The memory and the environment of processes, ours among them, are sealed always.
        """
        real = os.path.realpath(path)
        return Path(real) if _PROCESS.fullmatch(real) else _reached(real, self.sealed)

    def within(self, folder: str) -> Path | None:
        """The sealed place of the user that lies in a directory. That of a project is reached with the project all day, and what is read
        there has its labels."""
        real = Path(os.path.realpath(folder))
        return next(
            (place for place in self.sealed if real in place.parents and STATE not in place.parts), None
        )

    def named(self, argv: Sequence[str], cwd: str | os.PathLike[str]) -> Path | None:
        """The protected place that an argument of a command names, or that a sweeping command would sweep up."""
        sweeping = bool(argv) and Path(argv[0]).name in _SWEEPING
        for argument in argv[1:]:
            for candidate in paths_in(argument):
                whole = os.path.join(cwd, os.path.expanduser(candidate))  # noqa: PTH111, PTH118 - text, not a place
                if "\0" in whole or whole in STREAMS:
                    continue
                found = self.against_reading(whole) or _reached(whole, self.places)
                if found is None and sweeping:
                    real = Path(os.path.realpath(whole))
                    found = next((place for place in self.places if real in place.parents), None)
                if found is not None:
                    return found
        return None

    def swept(self, argv: Sequence[str], cwd: str | os.PathLike[str]) -> Path | None:
        """The protected place that a command would remove with all that lies around it, as ``find . -delete`` and
        ``git clean -x`` do, without naming it."""
        if argv and Path(argv[0]).name in _SHELLS and self.places:
            for word in argv[1:]:
                if any(fnmatch.fnmatchcase(STATE, found) for found in _PATTERN.findall(word)):
                    return self.places[0]
        for folder in _swept(argv):
            real = Path(os.path.realpath(os.path.join(cwd, os.path.expanduser(folder))))  # noqa: PTH111, PTH118
            for place in self.places:
                if real in place.parents and _may_find(argv, place):
                    return place
        return None

    def taken(
        self, program: str, words: Sequence[Token], paths: Sequence[str], whole: Sequence[str]
    ) -> Path | None:
        """The protected place that a command in shell text would remove or change with all that lies around it.

        ``paths`` are the real paths that it uses, ``whole`` those that it changes with everything below.
        """
        argv = (program, *(word if isinstance(word, str) else "" for word in words))
        pointing = program in _TAKING
        if pointing or (program == "git" and _swept(argv)):
            folders = whole
        elif program in ("find", "gfind", "fd", "fdfind") and _changes_what_it_finds(argv):
            folders = (*paths, *whole)
        else:
            return None
        around = [Path(folder) for folder in dict.fromkeys(folders)]
        for place in self.places:
            for folder in around:
                meant = folder in place.parents and (not pointing or _is_meant(words, folder, place))
                if meant and _may_find(argv, place):
                    return place
        return None

    def brought(
        self,
        view: CommandView,
        paths: Sequence[tuple[str, str]],
        whole: Sequence[tuple[str, str]],
        cwd: str | os.PathLike[str],
    ) -> Path | None:
        """The protected place that a command may write over by what it unpacks, copies or checks out (``monitor.brought``)."""
        from sluicegate.flow.monitor.brought import brought

        reads = [path for mode, path in (*paths, *whole) if mode == "r"]
        writes = [path for mode, path in (*paths, *whole) if mode == "w"]
        return brought(self.places, view, reads, writes, cwd=os.fspath(cwd))

    def mentioned(self, code: str) -> Path | None:
        """The protected place whose name stands in code for an interpreter."""
        if not self.places:
            return None
        if _NAMES.search(code):
            return next(
                (place for place in self.places if place.name in (STATE, CONFIGURATION)),
                self.places[0],
            )
        return next((place for place in self.places if str(place) in code), None)


def _swept(argv: Sequence[str]) -> Sequence[str]:
    """The directories in which a command removes, or hands on, whatever it finds."""
    program, words = (Path(argv[0]).name, argv[1:]) if argv else ("", ())
    if program in ("find", "gfind", "fd", "fdfind"):
        if not any(word in _FOUND_AND_CHANGED for word in words):
            return ()
        options = ("-H", "-L", "-P")
        first = next(
            (at for at, word in enumerate(words) if word.startswith(("-", "(", "!")) and word not in options),
            0,
        )
        starts = [word for word in words[:first] if word not in options]
        return starts if program.endswith("find") and starts else (".",)
    if program == "git":
        at = next((at for at, word in enumerate(words) if word in ("clean", "stash")), None)
        if at is None or not any(_takes_ignored(words[at], word) for word in words[at + 1 :]):
            return ()
        inside = next((words[n + 1] for n, word in enumerate(words[:at]) if word == "-C" and n + 1 < at), "")
        named = [word for word in words[at + 1 :] if not word.startswith("-") and words[at] == "clean"]
        return [f"{inside}/{each}" if inside else each for each in named] or (inside or ".",)
    return ()


def _is_meant(words: Sequence[Token], folder: Path, place: Path) -> bool:
    """Whether one of these arguments is the folder, or a pattern in it that the way to the place may match."""
    inside = place.relative_to(folder).parts[0]
    named = [word for word in words if isinstance(word, str) and not word.startswith("-")]
    if any(Path(word).name in ("", "..", folder.name) for word in named):
        return True
    patterns = (word for word in words if not isinstance(word, str))
    heads = [(hole.prefix.rpartition("/")[2], hole.suffix) for hole in patterns]
    return any(
        inside.startswith(head or inside[:1].replace(".", "/")) and inside.endswith(tail)
        for head, tail in heads
    )


def _changes_what_it_finds(argv: Sequence[str]) -> bool:
    """Whether ``find`` removes what it finds, or gives it to a program that may change it."""
    given = {
        Path(argv[at + 1]).name
        for at, word in enumerate(argv[:-1])
        if word in _FOUND_AND_CHANGED - {"-delete"}
    }
    return "-delete" in argv or bool(given & (_CHANGING | _SHELLS))


def _takes_ignored(subcommand: str, option: str) -> bool:
    """Whether an option lets git take files that it ignores, as the state is."""
    if subcommand == "stash":
        return option in ("-a", "--all")
    return option.startswith("-") and not option.startswith("--") and ("x" in option or "X" in option)


def _may_find(argv: Sequence[str], place: Path) -> bool:
    """Whether ``find`` may come to anything in a place; all that it asks for has to hold, unless it says otherwise."""
    if Path(argv[0]).name not in ("find", "gfind") or _EITHER.intersection(argv):
        return True
    wanted = [
        (argv[at + 1], word == "-iname") for at, word in enumerate(argv[:-1]) if word in ("-name", "-iname")
    ]
    names = [place.name]
    for nth, inner in enumerate(_entries(place)):
        if nth >= _MOST_FILES:
            return True
        names.append(inner)
    return any(
        all(
            fnmatch.fnmatchcase(name.lower() if any_case else name, glob.lower() if any_case else glob)
            for glob, any_case in wanted
        )
        for name in names
    )


def _entries(place: Path) -> Iterator[str]:
    """The names of everything in a place."""
    for _, folders, files in os.walk(place):
        yield from folders
        yield from files


def _reached(path: str | os.PathLike[str], places: tuple[Path, ...], *, links: bool = True) -> Path | None:
    """The place that ``path`` is, or lies in, or is another name of; ``links``: a hard link is one."""
    if not places:
        return None
    real = os.path.realpath(path)
    for place in places:
        text = str(place)
        if real == text or real.startswith(text + os.sep):
            return place
    numbers = {number: place for place in places if (number := _number(place)) is not None}
    for ancestor in _ancestors(real):
        number = _number(ancestor)
        if number is not None and number in numbers:
            return numbers[number]
    return _linked(real, places) if links else None


def _linked(real: str, places: tuple[Path, ...]) -> Path | None:
    """The place in which a file lies that ``real`` is a hard link to."""
    try:
        status = os.lstat(real)
    except OSError:
        return None
    if status.st_nlink < 2 or stat.S_ISDIR(status.st_mode):  # no directory has a hard link
        return None
    wanted = (status.st_dev, status.st_ino)
    for place in places:
        for nth, inner in enumerate(_files(place)):
            if nth >= _MOST_FILES:
                return place  # too many to compare, so it is not ruled out
            if _number(inner) == wanted:
                return place
    return None


def _files(place: Path) -> Iterator[str]:
    if not place.is_dir():
        yield str(place)
        return
    for folder, _, names in os.walk(place):
        for name in names:
            yield os.path.join(folder, name)  # noqa: PTH118 - many of them


def _number(path: str | Path) -> Number | None:
    try:
        status = os.stat(path)  # noqa: PTH116 - some 200 for each command
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def _ancestors(real: str) -> Iterator[str]:
    yield real
    while (above := os.path.dirname(real)) != real:  # noqa: PTH120 - text
        yield above
        real = above


def paths_in(argument: str) -> Iterator[str]:
    """The texts in one argument that may be paths."""
    yield argument
    inside = _INSIDE.sub("", argument, count=1)
    if inside != argument:
        yield inside
    if argument[:1] == "-" and argument[:2] != "--" and len(argument) > 2:
        yield argument[2:]
    head, colon, rest = argument.partition(":")
    if colon and rest and "/" not in head:
        yield head
        yield rest

"""Which program a name stands for: the file that will run, and whether its name can be taken at its word.

``Programs.find(name, cwd)``:

1. A name without ``/`` is looked up in the directories of ``path``, in order; one with ``/`` is a path from
   ``cwd``. An empty or relative directory in ``path`` is never searched: what it means depends on where one
   stands.
2. Links are followed to the real file, which must be a regular file that can be executed.
3. The file is *trusted* if it lies under one of ``roots`` and under none of ``untrusted``, and neither it nor
   a directory above it can be written by everyone.
4. A trusted program is called by the name under which one of ``bins`` holds it: by the name it was asked for
   if that, looked up in ``bins``, is this very file; else by the name of the real file (``./git``, a link to
   ``/usr/bin/rm``, is ``rm``). A program that does what its first argument says (busybox) keeps the name that
   it was asked for by.
5. Anything else is called by its path, so no rule for ``echo`` speaks of ``./echo``.
6. Where a runner says what its shell's variables hold (``variables``), its programs are found as its shell finds them, and a
   name that leads nowhere here is taken as it is: the shell may know more. What is not trusted by 3 still has no name for an
   allow; a deny or a risk of its name holds for it (``alias``), and so does one of a trusted program that it is a copy of.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from sluicegate.flow.errors import CommandError
from sluicegate.flow.operations.commands.lookups import DISK, Lookups
from sluicegate.flow.operations.commands.words import quoted
from sluicegate.flow.operations.paths import real
from sluicegate.known.commands.spec import family
from sluicegate.patterns import late
from sluicegate.tuples import NamedTuple

SYSTEM_PATH: Final = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin")
SYSTEM_ROOTS: Final = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/opt",
    "/nix/store",
    "/gnu/store",
    "/snap",
)
SYSTEM_WRITABLE: Final = ("/tmp", "/var/tmp", "/dev/shm", "/run/user", "/home", "/root")
MULTICALL: Final = frozenset({"busybox", "toybox", "coreutils", "uutils"})

_TOLD: Final = (
    "HOME", "CDPATH", "TMPDIR", "USER", "LOGNAME", "VIRTUAL_ENV", "CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "GEMINI_CWD",
    "CURSOR_PROJECT_DIR", "CODEX_PROJECT_DIR",
)  # fmt: skip
_COPIED: Final = (
    "git", "curl", "wget", "ssh", "scp", "sftp", "rsync", "nc", "ncat", "socat", "telnet", "ftp", "gh", "openssl", "dig", "nslookup",
    "host", "rm", "shred", "dd", "python3", "node", "perl", "ruby", "php", "bash", "sh", "sluicegate", "sudo", "busybox", "aws", "docker",
)  # fmt: skip
_SMALLEST_COPIED: Final = 10_000
_MOST_COMPARED: Final = 1 << 18
_HEAD: Final = 256
_SHEBANG = late(rb"#!\s*(\S+)(?:[ \t]+([^\n]*))?")


class ProgramFile(NamedTuple):
    """The file behind a name.

    ``asked`` is the name as written, ``found`` the path it led to, ``real`` the file itself. ``name`` is what
    rules may call it: the basename if ``trusted``, else the real path. ``alias`` is the basename of the real
    file where a trusted name hides another one (``editor`` is ``nano``), or the name that a program of a runner goes by without
    being trusted; else empty. ``elsewhere``: it runs
    on another machine or root, where nothing can be looked up, and ``real`` is empty. ``shebang`` is the
    interpreter line of a program that is called by its path. ``identity`` changes when the file does.
    """

    asked: str
    name: str
    found: str
    real: str
    trusted: bool
    alias: str = ""
    elsewhere: bool = False
    shebang: tuple[str, ...] = ()
    identity: tuple[int, ...] = ()

    @property
    def basename(self) -> str:
        """The name that it was asked for by, without directories; of a trusted program its name, of a copy of one that one's."""
        return self.name if self.trusted else self.alias or self.asked.rstrip("/").rpartition("/")[2]

    def unchanged(self, lookups: Lookups = DISK) -> bool:
        """Whether the file is still the one that was found; ask right before it runs."""
        entry = lookups.entry(self.real) if self.real else None
        return entry is not None and entry.kind == "file" and entry.identity == self.identity


class Programs:
    """Where programs are looked for, and which of them are taken at their name.

    ``path`` is the search path given to what runs; ``bins`` the directories whose names are trusted;
    ``roots`` where the real files of trusted programs lie; ``untrusted`` directories that are never trusted
    (the workspace, and whatever an operation may write). ``variables`` are those of the shell of a runner, None where nobody
    says what they hold; ``unset`` are variables that what runs is known not to have. ``unsaid`` is the same without that.
    """

    __slots__ = ("bins", "lookups", "path", "roots", "unsaid", "unset", "untrusted", "variables")

    def __init__(
        self,
        *,
        path: tuple[str, ...] = SYSTEM_PATH,
        bins: tuple[str, ...] = SYSTEM_PATH,
        roots: tuple[str, ...] = SYSTEM_ROOTS,
        untrusted: tuple[str, ...] = SYSTEM_WRITABLE,
        lookups: Lookups = DISK,
        variables: Mapping[str, str] | None = None,
        unset: frozenset[str] = frozenset(),
    ) -> None:
        self.path, self.bins, self.roots, self.untrusted = path, bins, roots, untrusted
        self.lookups, self.variables, self.unset = lookups, variables, unset
        self.unsaid: Programs = self
        if unset:
            self.unsaid = Programs(
                path=path, bins=bins, roots=roots, untrusted=untrusted, lookups=lookups, variables=variables
            )

    @staticmethod
    def of_runner(environ: Mapping[str, str], *, untrusted: tuple[str, ...]) -> Programs:
        """Those that the shell of a runner finds, which has this environment (6)."""
        path = tuple(each for each in environ.get("PATH", "").split(":") if each.startswith("/"))
        variables = {name: environ[name] for name in _TOLD if environ.get(name)}
        return Programs(path=path or SYSTEM_PATH, untrusted=untrusted, variables=variables)

    def find(self, name: str, *, cwd: str) -> ProgramFile:
        """The program that ``name`` stands for, from ``cwd`` (absolute). Raises CommandError if there is
        none.
        """
        if not name or "\0" in name:
            raise CommandError(
                "the name of the program is empty, or holds a NUL", hint="write the name of a program"
            )
        if "/" in name:  # 1
            found = name if name.startswith("/") else f"{cwd}/{name}"
        else:
            found = self._search(name, self.path)
        place = real(found, cwd=cwd, lookups=self.lookups).path if found else ""
        entry = self.lookups.entry(place) if place else None
        if entry is None or entry.kind != "file" or not entry.mode & 0o111:  # 2
            if self.variables is not None and name.rstrip("/"):  # 6
                return ProgramFile(name, name, found, place, False, alias=name.rpartition("/")[2])
            raise CommandError(
                f"there is no program {quoted(name)}",
                hint="install it, or name it by its path"
                if "/" not in name
                else "name a file that can be executed",
            )
        trusted, label, alias = self._name(name, place)
        if not trusted and self.variables is not None:  # 6
            alias = self._copied(place) or name.rpartition("/")[2]
        shebang = () if trusted else self._shebang(place)
        return ProgramFile(
            name, label, found, place, trusted, alias=alias, shebang=shebang, identity=entry.identity
        )

    def applet(self, name: str, of: ProgramFile) -> ProgramFile:
        """What a program of many names (busybox) runs under ``name``."""
        return of._replace(asked=name, name=name if of.trusted else of.name, alias="", shebang=())

    def _search(self, name: str, directories: tuple[str, ...]) -> str:
        for directory in directories:
            if directory.startswith("/"):
                here = f"{directory.rstrip('/')}/{name}"
                if self._executable(here):
                    return here
        return ""

    def _executable(self, path: str) -> bool:
        entry = self.lookups.entry(path)
        if entry is not None and entry.kind == "link":
            try:
                entry = self.lookups.entry(real(path, cwd="/", lookups=self.lookups).path)
            except CommandError:  # a link in a circle: the search goes on, as the system's does
                return False
        return entry is not None and entry.kind == "file" and bool(entry.mode & 0o111)

    def _name(self, asked: str, place: str) -> tuple[bool, str, str]:
        """Whether the program is trusted, what it is called, and what it is besides (3, 4, 5)."""
        if not self._lies_well(place):
            return False, place, ""
        base, own = asked.rpartition("/")[2], place.rpartition("/")[2]
        if own in MULTICALL:
            return True, base, ""
        if self._is(base, place):
            same = variation(base, own) or (family(base) and family(base) == family(own))
            return True, base, "" if same or not self._is(own, place) else own
        if self._is(own, place):
            return True, own, ""
        return False, place, ""

    def _copied(self, place: str) -> str:
        """The name of the program of the system that a file is a copy of, among those that do harm by their name (6)."""
        own = self.lookups.entry(place)
        if own is None or own.identity[2] < _SMALLEST_COPIED:
            return ""
        for name in _COPIED:
            found = self._search(name, self.bins)
            path = real(found, cwd="/", lookups=self.lookups).path if found else ""
            known = self.lookups.entry(path) if path else None
            size = own.identity[2]
            if known is None or known.identity[2] != size:
                continue
            count = min(size, _MOST_COMPARED)
            if self.lookups.head(path, count) == self.lookups.head(place, count):
                return name
        return ""

    def _is(self, name: str, place: str) -> bool:
        """Whether a trusted directory holds ``name`` and it is that file."""
        found = self._search(name, self.bins)
        return bool(found) and real(found, cwd="/", lookups=self.lookups).path == place

    def _lies_well(self, place: str) -> bool:
        if not any(_under(place, root) for root in self.roots) or any(
            _under(place, bad) for bad in self.untrusted
        ):
            return False
        at = place
        while at:
            entry = self.lookups.entry(at)
            if entry is None or (
                entry.mode & 0o002 and not (entry.kind == "directory" and entry.mode & 0o1000)
            ):
                return False
            at = at.rpartition("/")[0]
        return True

    def _shebang(self, place: str) -> tuple[str, ...]:
        found = _SHEBANG.match(self.lookups.head(place, _HEAD))
        if found is None:
            return ()
        words = [part.decode("utf-8", "surrogateescape") for part in found.groups() if part]
        return (words[0], *words[1].split()) if len(words) > 1 else tuple(words)


def elsewhere(name: str) -> ProgramFile:
    """A program that runs where nothing can be looked up: on another machine, in an image, under another
    root.
    """
    return ProgramFile(name, name, "", "", False, elsewhere=True)


def variation(name: str, own: str) -> bool:
    """Whether a file's own name only adds a version or make to the name: ``python3.11``, ``vim.basic``,
    ``gcc-12``.
    """
    return (
        name in re.split(r"[-_.]", own)
        or re.fullmatch(re.escape(name) + r"[-_.]?[0-9][0-9.]*m?", own) is not None
    )


def _under(place: str, root: str) -> bool:
    root = root.rstrip("/")
    return place == root or place.startswith(f"{root}/")

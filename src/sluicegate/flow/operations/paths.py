"""Where a path really leads: links, ``..``, spelling and missing ends settled before any rule is asked.

``real(path)`` walks the path component by component, as the kernel does:

1. a relative path starts at the working directory;
2. ``.`` and empty components (doubled and trailing slashes) are nothing; ``..`` leaves the directory that was
   reached, after links were followed, not the one that was written;
3. a link is replaced by what it says, at most 40 times;
4. a name is spelled as its directory spells it, where the file system takes several spellings for one;
5. from the first component that does not exist on, names stand as written, and ``..`` is refused: what it
   leaves would be decided later, by whoever makes the missing directory;
6. files that name other files by a process (``/proc/self/root``, ``/dev/fd/7``) are refused: they lead
   elsewhere in another process. The three standard streams are streams, not files.

Limits, which file systems set: a second name of the same file (a hard link) is a different path with the same
content, and nothing in the path shows it (``OpenedPath`` refuses to write to a file with several names).
Between the walk and the use the disk may change: ``opened.py`` opens what was checked, or nothing.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from sluicegate.flow.errors import CommandError
from sluicegate.flow.operations.commands.lookups import DISK, Lookups
from sluicegate.patterns import late

MOST_LINKS: Final = 40
LONGEST: Final = 4096

STREAMS: Final = frozenset(
    ["/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd/0", "/dev/fd/1", "/dev/fd/2"]
    + [f"/proc/{who}/fd/{number}" for who in ("self", "thread-self") for number in (0, 1, 2)]
)
_BY_PROCESS = late(
    r"/proc/(?:self|thread-self|\d+)(?:/task/\d+)?/(?:root|cwd|exe|fd|map_files|ns)(?:/|\Z)|/dev/fd(?:/|\Z)"
)


class SettledPath(Struct, frozen=True):
    """A path, settled.

    ``path`` is where it leads; ``link`` the place of the link at its end, if there is one (removing or
    replacing it acts there), else empty. ``exists`` says whether something stands at ``path``; ``stream``
    that it is a standard stream and not a file.
    """

    path: str
    link: str = ""
    exists: bool = True
    stream: bool = False


def real(path: str, *, cwd: str, lookups: Lookups = DISK, perhaps: bool = False) -> SettledPath:
    """Where ``path`` leads, seen from ``cwd`` (absolute). Raises CommandError; no message quotes the path.

    ``perhaps``: it is an argument that may be no path at all (``s/../x/``), so 5 does not refuse it.
    """
    if "\0" in path:
        raise CommandError("a path holds a NUL character", hint="no file name can hold one")
    if not path:
        raise CommandError("a path is empty", hint="write '.' for the working directory")
    if len(path) > LONGEST:
        raise CommandError(f"a path is longer than {LONGEST} characters", hint="name a file that exists")
    full = path if path.startswith("/") else f"{cwd}/{path}"
    if re.sub("/+", "/", full) in STREAMS:
        return SettledPath(full, stream=True)
    return _Walk(lookups, perhaps=perhaps).walk(full)


class _Walk:
    """The state of a walk: the directory reached, and how many links were followed."""

    def __init__(self, lookups: Lookups, *, perhaps: bool) -> None:
        self.lookups = lookups
        self.perhaps = perhaps
        self.links = 0

    def walk(self, path: str) -> SettledPath:
        pending = path.split("/")[::-1]
        at, link, exists = "", "", True
        while pending:
            name = pending.pop()
            if name in ("", "."):  # 2
                continue
            if name == "..":
                if not exists and not self.perhaps:  # 5
                    raise CommandError(
                        "a path goes through a directory that does not exist and back out of it",
                        hint="write the path without '..'",
                    )
                at = at.rpartition("/")[0]
                continue
            last = not any(rest not in ("", ".") for rest in pending)
            at, target, exists = self.step(at, name, exists)
            if target is not None:  # 3
                if last and not link:
                    link = at
                at = "" if target.startswith("/") else at.rpartition("/")[0]
                pending += target.split("/")[::-1]
        return SettledPath(at or "/", link, exists)

    def step(self, at: str, name: str, exists: bool) -> tuple[str, str | None, bool]:
        """Go down one name: where that is, what the link there says, whether something is there."""
        here = f"{at}/{name}"
        if not exists:  # 5
            return here, None, False
        entry = self.lookups.entry(here)
        if entry is None:
            return here, None, False
        here = f"{at}/{self.spelled(at, name, entry.device, entry.inode)}"  # 4
        if _BY_PROCESS.match(here):  # 6
            raise CommandError(
                "a path leads through the files of a process (such as /proc/self/root or /dev/fd)",
                hint="name the file itself",
            )
        if entry.kind != "link":
            return here, None, True
        self.links += 1
        target = self.lookups.target(here)
        if self.links > MOST_LINKS or not target:
            raise CommandError(
                "a path has a link that cannot be followed, or too many", hint="name the file itself"
            )
        return here, target, True

    def spelled(self, at: str, name: str, device: int, inode: int) -> str:
        """The name as the directory has it, where it answers to more than one spelling."""
        other = name.swapcase()
        if name.isascii():
            twin = self.lookups.entry(f"{at}/{other}") if other != name else None
            if twin is None or (twin.device, twin.inode) != (device, inode):
                return name
        names = self.lookups.names(at or "/")
        if name in names or not names:
            return name
        for each in names:
            found = self.lookups.entry(f"{at}/{each}")
            if found is not None and (found.device, found.inode) == (device, inode):
                return each
        return name

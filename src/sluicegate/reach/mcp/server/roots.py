"""Where the tools of the server may read: the folders that whoever started it named, else those of the client.

A path is where it leads once every link in it is followed, and that has to lie in a root. Whether something lies outside is not said:
the answer is the same for a file that is there and for one that is not.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sluicegate.reach.errors import UsageError
from sluicegate.record.user import home_directory
from sluicegate.tuples import NamedTuple


class ReadRoots(NamedTuple):
    """Folders without links in their paths; the first is where relative paths begin."""

    folders: tuple[Path, ...]

    def holds(self, path: str | Path) -> bool:
        """Whether a path leads into one of them."""
        real = Path(os.path.realpath(path))
        return any(real.is_relative_to(folder) for folder in self.folders)

    def place(self, said: str, what: str) -> Path:
        """Where a path that was said leads. ``what`` names the argument. Raises UsageError for one outside, and for none."""
        if not said or "\0" in said or "://" in said:
            raise UsageError(f"{what} is the path of a file or folder, not {said[:100]!r}")
        real = Path(os.path.realpath(self.folders[0] / said))
        if not self.holds(real):
            raise UsageError(
                f"{what} {said[:200]!r} lies outside the roots",
                hint="Whoever started 'sluicegate mcp' can let it read more: --root DIR.",
            )
        if not real.exists():
            raise UsageError(f"{what} {said[:200]!r} is not there")
        return real


def roots_of(folders: Iterable[Path]) -> ReadRoots:
    """The roots that were named. Raises UsageError for one that is not a folder."""
    found = []
    for each in folders:
        real = Path(os.path.realpath(each))
        if not real.is_dir():
            raise UsageError(f"the root {str(each)!r} is not a folder")
        found.append(real)
    return ReadRoots(tuple(dict.fromkeys(found)))


def roots_of_client(uris: Iterable[str]) -> ReadRoots:
    """The roots that a client names, as ``file://`` addresses; what is not a folder here is none. Raises UsageError if none is left."""
    paths = [unquote(part.path) for part in map(urlsplit, uris) if part.scheme == "file" and not part.netloc]
    found = ReadRoots(
        tuple(dict.fromkeys(Path(os.path.realpath(p)) for p in paths if p and Path(p).is_dir()))
    )
    if not found.folders:
        raise UsageError(
            "the client names no folder of this machine as a root", hint="Start the server with --root DIR."
        )
    return found


def roots_here(started_in: Path) -> ReadRoots:
    """The folder that the server was started in, where nobody names another. Raises UsageError if that is everything."""
    here, home = Path(os.path.realpath(started_in)), Path(os.path.realpath(home_directory(os.environ)))
    if home.is_relative_to(here):
        raise UsageError(
            f"{str(here)!r} holds everything of yours, and nobody has named it as a root",
            hint="Start the server in a project, or with --root DIR.",
        )
    return ReadRoots((here,))

"""The names of files that a repository ignores, as far as the list in its own folder names them by name or by a pattern for one.

A list that takes something back (``!name``) is not read: which of its lines counts is git's to say. Nor is a line with a slash in it.
"""

from __future__ import annotations

import os

MOST_CHARACTERS = 65_536


def ignored_names(folder: str) -> tuple[str, ...]:
    """The patterns of the list in a folder; none where the folder is not that of a repository."""
    if not os.path.exists(f"{folder}/.git"):  # noqa: PTH110 - a hook imports no more than it has to
        return ()
    try:
        with open(f"{folder}/.gitignore", encoding="utf-8") as file:  # noqa: PTH123
            lines = [line.rstrip() for line in file.read(MOST_CHARACTERS).split("\n")]
    except (OSError, ValueError):
        return ()
    if any(line.startswith("!") for line in lines):
        return ()
    return tuple(line for line in lines if line and line[0] != "#" and not {"/", "\\"} & set(line))

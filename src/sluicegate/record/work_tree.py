"""The Git work tree that a place lies in, told by the ``.git`` in its root; nothing is run to find it."""

from __future__ import annotations

from pathlib import Path


def work_tree(place: Path) -> Path | None:
    """The nearest directory from ``place`` upwards that holds a ``.git``; None where there is none."""
    return next((folder for folder in (place, *place.parents) if (folder / ".git").exists()), None)


def checkout(place: Path) -> Path | None:
    """The work tree that ``place`` lies in; of a submodule, that of the repository around it, which says what the submodule is."""
    found = work_tree(place)
    while found is not None and _is_submodule(found) and (around := work_tree(found.parent)) is not None:
        found = around
    return found


def _is_submodule(folder: Path) -> bool:
    """Whether its ``.git`` is a file that leads into the ``modules`` of a repository (gitrepository-layout(5))."""
    try:
        with (folder / ".git").open("rb") as file:
            said = file.read(4096)
    except OSError:  # a directory, for one
        return False
    return said.startswith(b"gitdir:") and b"/modules/" in said

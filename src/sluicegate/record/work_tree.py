"""The Git work tree that a place lies in, told by the ``.git`` in its root; nothing is run to find it."""

from __future__ import annotations

from pathlib import Path


def work_tree(place: Path) -> Path | None:
    """The nearest directory from ``place`` upwards that holds a ``.git``; None where there is none."""
    return next((folder for folder in (place, *place.parents) if (folder / ".git").exists()), None)

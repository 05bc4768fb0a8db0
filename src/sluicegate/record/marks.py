"""Which directory is the workspace: told by a variable, or by what marks it. Light, because every scan may ask."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sluicegate.record.directories import STATE
from sluicegate.record.errors import RecordError

VARIABLE = "SLUICEGATE_WORKSPACE"
_MARKS = ("sluicegate.toml", STATE, ".git")


def find_workspace(environ: Mapping[str, str], start: Path) -> Path | None:
    """The root of the workspace, as a real path; None when nothing marks one.

    1. ``SLUICEGATE_WORKSPACE`` when it is set; it must be a directory (RecordError).
    2. Else the nearest directory from ``start`` upwards with a ``sluicegate.toml``, ``.sluicegate`` or ``.git``.
    """
    named = environ.get(VARIABLE)
    if named:  # 1
        if not Path(named).is_dir():
            raise RecordError(f"{VARIABLE} is not a directory: {named}")
        return Path(named).resolve()
    root = start.resolve()
    for directory in (root, *root.parents):  # 2
        if any((directory / mark).exists() for mark in _MARKS):
            return directory
    return None

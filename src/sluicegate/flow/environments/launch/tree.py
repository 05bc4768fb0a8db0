"""The processes below a process, from ``/proc``. Standard library only: the guardian uses this module too."""

# Read many times a second, and carried into the guardian:
# ruff: noqa: PTH123
from __future__ import annotations

import posix


def children(pid: int) -> list[int]:
    """Direct children of ``pid``; empty when it is gone. A child that is being born may be missed."""
    found: list[int] = []
    try:
        threads = posix.listdir(f"/proc/{pid}/task")
    except OSError:
        return found
    for thread in threads:
        try:
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                found += [int(word) for word in file.read().split()]
        except OSError:
            continue
    return found


def descendants(pid: int, most: int = 1 << 30) -> list[int]:
    """All processes below ``pid``, parents before their children; not many more than ``most``."""
    found = children(pid)
    for below in found:  # grows while it is walked
        if len(found) > most:
            break
        found += children(below)
    return found

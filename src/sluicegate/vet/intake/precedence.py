"""What is read first where a bundle holds more than may be read: what an agent loads, what that names, then programs.

In order of path alone, files of no use in front of a program would keep it from being read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from sluicegate.vet.intake.agent_files import is_loaded, is_skill
from sluicegate.vet.intake.bundle import ARCHIVES, CODE, COMPILED, MEDIA
from sluicegate.vet.intake.content.suffixes import claimed_kind

LOADED, NAMED, PROGRAM, OTHER, LAST = range(5)
T = TypeVar("T")

_LAST = ARCHIVES | MEDIA | COMPILED


def rank(path: str, told: str) -> int:
    """How early a file is read. ``told``: the texts that an agent loads, which may name it."""
    base = path.rpartition("/")[2]
    if is_skill(base) or is_loaded(path, at_root=path):
        return LOADED
    if base in told:
        return NAMED
    kind = claimed_kind(path)
    if kind in CODE or kind is None:  # a program often has no suffix
        return PROGRAM
    return LAST if kind in _LAST else OTHER


def loaded_first(items: Iterable[tuple[str, T]]) -> tuple[list[tuple[str, T]], list[tuple[str, T]]]:
    """The items (each behind its path) that an agent loads by themselves, and the others; both in order of path."""
    first, rest = list[tuple[str, T]](), list[tuple[str, T]]()
    for path, item in sorted(items, key=lambda pair: (pair[0].count("/"), pair[0])):
        (first if rank(path, "") == LOADED else rest).append((path, item))
    return first, rest


def by_rank(items: Iterable[tuple[str, T]], told: str) -> list[tuple[str, T]]:
    """The items in the order in which they are to be read, ``told`` being known."""
    return sorted(items, key=lambda pair: (rank(pair[0], told), pair[0]))

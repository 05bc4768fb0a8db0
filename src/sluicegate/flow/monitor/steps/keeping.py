"""What an operation elsewhere writes over is copied first, and what cannot be copied counts as lost.

1. Copied are the regular files that an operation names to write, and those in a directory that it names with all that is below
   (``cp -r``, ``tar``, ``sed -i s/a/b/ *.py``); where a pattern says what comes into a directory (``cp src/* .``), those that have such a
   name. Up to ``MOST_FILES`` and ``MOST_TREE`` bytes. What others made and can make again is not looked at there
   (``_OF_OTHERS``).
2. An append takes nothing away, and neither does moving a file: what is moved is not copied, unless another part of the operation writes
   where it goes; what lies there is. What git does to a tree it refuses by itself where something would be lost
   (``known.commands.losing`` has what it does not refuse), but for a patch.
3. Of what is labelled ``data:lost`` already, files that are named are copied as well, and trees are not: what is asked to be deleted
   is no work that is written over.
4. Where a file cannot be copied, or it is not known which files there are, the operation is ``data:lost``, and policy is asked again.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from sluicegate.flow.operations import OperationKind
from sluicegate.flow.operations.leaves import LOST
from sluicegate.flow.policy.request import UNKNOWN, Request
from sluicegate.record.copies.copies import NotCopied

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sluicegate.flow.monitor.plan import Plan
    from sluicegate.record.copies.copies import Copies

MOST_FILES: Final = 5_000
MOST_TREE: Final = 128 * 2**20
"""Bytes of the files in one directory that are copied."""

_MOVING: Final = frozenset({"mv", "gmv"})
_INTO: Final = frozenset({*_MOVING, "cp", "gcp", "install", "ginstall", "ln", "gln"})
_TAKING_NOTHING: Final = frozenset("mkdir touch chmod chown chgrp".split())
_OF_OTHERS: Final = frozenset(
    ".git .hg .svn .jj node_modules .venv venv __pycache__ .tox .nox .mypy_cache".split()
)


class Unkept(Exception):
    """Something would be lost; the text says what."""


def keep_before(
    copies: Copies, plan: Plan, requests: Sequence[Request], session: str
) -> Iterator[tuple[int, str]]:
    """Copy what the parts of an operation write over; of which of them something is lost all the same, and why (4)."""
    if plan.operation.kind is OperationKind.APPEND:  # 2
        return
    for at, request in enumerate(requests):
        if _program(request) in _TAKING_NOTHING or not any(True for _ in _writes(request)):
            continue
        others = [each for place, each in enumerate(requests) if place != at]
        try:
            for path in dict.fromkeys(_written_over(request, others)):
                kept = copies.keep(path, session)
                if isinstance(kept, NotCopied):
                    raise Unkept(f"a file {kept.why}")
        except Unkept as error:
            yield at, str(error)


def _written_over(request: Request, others: Sequence[Request]) -> Iterator[str]:
    """The files whose content goes (1). Raises Unkept."""
    program, word = _program(request), _word(request)
    written = [path for mode, path in request.paths if mode == "w"]
    read = [path for mode, path in request.paths if mode == "r"]
    if UNKNOWN in written:
        raise Unkept("nobody knows which file that is")
    goals = [path for path in written if path not in read]
    moved: set[str] = set()
    if program in _MOVING or (program == "git" and word == "mv"):
        if not any(_meets(path, goals) for each in others for path in _writes(each)):  # 2
            moved = set(read)
    yield from (path for path in written if path not in moved)
    if LOST in request.leaves or (program == "git" and word != "apply"):  # 2, 3
        return
    for mode, path in request.whole:
        if mode == "w" and path and path not in moved:
            yield from _below(path)
    if program in _INTO:
        for folder in goals:
            named = any(path.startswith(f"{folder}/") for path in goals)
            if not named and os.path.isdir(folder):  # noqa: PTH112 - text
                for source in read:
                    yield from (f"{folder}{path[len(source) :]}" for path in _below(source))


def _program(request: Request) -> str:
    return request.command.basename if request.command is not None else ""


def _word(request: Request) -> object:
    return next(iter(request.command.words), "") if request.command is not None else ""


def _writes(request: Request) -> Iterator[str]:
    """The places in which a part of the operation may take something away."""
    if _program(request) not in _TAKING_NOTHING:
        yield from (path for mode, path in (*request.paths, *request.whole) if mode == "w")


def _meets(path: str, goals: Sequence[str]) -> bool:
    """Whether something that is written may lie where something was moved to."""
    return path == UNKNOWN or any(
        path == goal or path.startswith(f"{goal}/") or goal.startswith(f"{path.rstrip('/')}/")
        for goal in goals
    )


def _below(top: str) -> Iterator[str]:
    count = size = 0
    waiting = [top]
    while waiting:
        place = waiting.pop()
        try:
            entries = list(os.scandir(place))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError:
            raise Unkept("a directory cannot be looked at") from None
        for entry in entries:
            try:
                found = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            if stat.S_ISDIR(found.st_mode):
                if entry.name not in _OF_OTHERS:
                    waiting.append(entry.path)
            elif stat.S_ISREG(found.st_mode):
                count, size = count + 1, size + found.st_size
                if count > MOST_FILES or size > MOST_TREE:
                    raise Unkept("a directory holds more than is copied")
                yield entry.path

"""The labels of operations: ``op:cmd:git:push``, ``op:show``, ``op:mcp:github:create_issue``.

Only the most specific label is written; whatever is a prefix of it is implied. The more leaves an operation
has, the less is permitted: every deny that covers one of them holds, and an allow list must cover them all.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from sluicegate.flow.labels.names import check
from sluicegate.flow.labels.segments import segment
from sluicegate.flow.operations.commands.programs import ProgramFile

LANGUAGES: Final = {"sh": "op:sh", "python": "op:py", "node": "op:node"}
"""Languages whose code is a kind of operation of its own; all others are ``op:interpreter:<language>``."""

INLINE: Final = "code:inline"
WRITTEN: Final = "code:written"
"""Labels of code that an agent's command runs: it stands in the command; or it was written by something untrusted."""

LOST: Final = "data:lost"
"""The label of a command of an agent that takes away what nobody has another copy of."""


@lru_cache(maxsize=4096)
def leaf(*segments: str) -> str:
    """``op:`` and the segments, each made fit to be one."""
    return ":".join(("op", *map(segment, segments)))


def language(name: str) -> str:
    """The label of running code of a language: ``op:sh``, ``op:py``, ``op:node``, ``op:interpreter:perl``."""
    return LANGUAGES.get(name) or leaf("interpreter", name)


def declared(labels: tuple[str, ...]) -> tuple[str, ...]:
    """Labels that the author gave to an operation, checked. Raises LabelError."""
    return tuple(dict.fromkeys(check(label) for label in labels))


def command(program: ProgramFile, subcommands: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    """The labels of running a program; ``subcommands`` are the ways in which its arguments may be read.

    A program that is not trusted is called by its path. One that runs elsewhere has both labels, so that a
    rule for its name holds and an allow for it does not suffice.
    """
    names: tuple[tuple[str, ...], ...]
    if program.elsewhere:
        names = (("cmd", _own(program.basename)), ("cmd", "elsewhere", program.basename))
    elif not program.trusted:
        names = (("cmd", "path", program.real or program.asked),)
        if program.alias:  # of a runner
            names = (("cmd", _own(program.alias)), *names)
    else:
        names = tuple(("cmd", _own(name)) for name in (program.name, program.alias) if name)
    readings = subcommands or ((),)
    return tuple(dict.fromkeys(leaf(*name, *reading) for name in names for reading in readings))


def _own(name: str) -> str:
    """A program's name as a segment that no other kind of label begins with."""
    return f"%{name}" if name in ("path", "elsewhere") else name

"""The functions that the tables name: what an argument is (roles), and how a whole command is read
(readers).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sluicegate.flow.operations.commands.reading import CommandReading
from sluicegate.flow.operations.commands.words import ArgumentWord
from sluicegate.known.commands.spec import Spec

Role = Callable[[CommandReading, ArgumentWord], None]
Reader = Callable[[CommandReading, tuple[ArgumentWord, ...], Spec], None]

ROLES: Final[dict[str, Role]] = {}
READERS: Final[dict[str, Reader]] = {}


def role(*names: str) -> Callable[[Role], Role]:
    """The function is what the tables mean by these roles."""

    def register(function: Role) -> Role:
        ROLES.update(dict.fromkeys(names, function))
        return function

    return register


def reader(*names: str) -> Callable[[Reader], Reader]:
    """The function reads the programs whose table says ``reader:NAME``."""

    def register(function: Reader) -> Reader:
        READERS.update(dict.fromkeys(names, function))
        return function

    return register

"""What the interpreter reports: an operation that matters, with the values that reach it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from .values import Value


class Sink(Enum):
    """The kinds of operation that rules look at."""

    SEND = "send"
    LOOKUP = "lookup"
    CODE = "code"  # Python source or code objects that are run
    SHELL = "shell"  # a command line for a shell
    PROGRAM = "program"  # an argument vector
    LOAD = "load"  # deserialisation that can run code
    LOAD_YAML = "load-yaml"
    IMPORT = "import"
    WRITE = "write"
    DELETE = "delete"
    DELETE_TREE = "delete-tree"
    TLS = "tls"
    EXIT = "exit"
    DUP = "dup"
    CONNECT = "connect"
    HIDE = "hide"
    COLLECT = "collect"  # several values written as one text
    REACH = "reach"  # a dangerous function found by a disguised name


@dataclass(slots=True)
class Hit:
    """One operation at one place; values join over all runs and callers.

    ``slots`` are named values (``url``, ``body json``, ``headers``, ``path``, ``content``, ``command``).
    ``flags`` are fixed words about how it is done. ``guard`` is the taint of the conditions around it.
    """

    sink: Sink
    name: str
    view: int
    line: int
    column: int
    end_line: int
    end_column: int
    slots: dict[str, Value] = field(default_factory=dict)
    flags: dict[str, None] = field(default_factory=dict)
    guard: int = 0
    unit: str = ""

    def slot(self, name: str) -> Value:
        """The value of a slot, or nothing."""
        return self.slots.get(name, _NOTHING)


_NOTHING = Value()

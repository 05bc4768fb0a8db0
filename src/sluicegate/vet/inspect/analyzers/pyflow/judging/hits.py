"""Sinks that are reached, as the interpreter reports them: an operation that matters, with the values that reach it."""

from __future__ import annotations

from enum import Enum

from sluicegate.vet.inspect.analyzers.pyflow.values import PyValue

Position = tuple[int, int]
"""A line, from 1, and a column of it, from 0."""


class SinkKind(Enum):
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


class Hit:
    """One operation at one place; values join over all runs and callers.

    ``slots`` are named values (``url``, ``body json``, ``headers``, ``path``, ``content``, ``command``).
    ``flags`` are fixed words about how it is done. ``guard`` is the taint of the conditions around it.
    """

    __slots__ = (
        "column", "end_column", "end_line", "flags", "guard", "line", "name", "sink", "slots", "unit", "view",
    )  # fmt: skip

    def __init__(
        self, sink: SinkKind, name: str, *, view: int, start: Position, end: Position, unit: str
    ) -> None:
        self.sink, self.name, self.view, self.unit = sink, name, view, unit
        (self.line, self.column), (self.end_line, self.end_column) = start, end
        self.slots: dict[str, PyValue] = {}
        self.flags: dict[str, None] = {}
        self.guard = 0

    def slot(self, name: str) -> PyValue:
        """The value of a slot, or nothing."""
        return self.slots.get(name, _NOTHING)


_NOTHING = PyValue()

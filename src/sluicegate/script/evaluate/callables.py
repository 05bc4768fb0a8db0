"""Values that can be called: functions of a script, and those with some arguments given already."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sluicegate.script.tree import expressions as x
from sluicegate.script.tree.node import nodes_in

if TYPE_CHECKING:
    from sluicegate.flow.guards import Action
    from sluicegate.flow.monitor.effects.functions import Declaration
    from sluicegate.script.evaluate.run import Run
    from sluicegate.script.evaluate.scope import RunScope, Value
    from sluicegate.script.evaluate.tools import ServedTool, ToolServer
    from sluicegate.script.tree.statements import ExeStatement


class SpecialValue:
    """A content that is not data. It has no fields that labels are looked for in: who makes a value of it joins them."""

    __slots__ = ()


class Function(SpecialValue):
    """An ``exe``. ``run`` and ``scope`` are those of the script that defines it. ``names`` are all that its body names."""

    __slots__ = ("body", "declared", "labels", "name", "names", "parameters", "run", "scope")

    def __init__(self, run: Run, node: ExeStatement, scope: RunScope, declared: Declaration) -> None:
        self.run, self.scope, self.declared = run, scope, declared
        self.name, self.labels, self.body = node.name, node.labels, node.body
        self.parameters = tuple(each.name for each in node.parameters)
        self.names = names_in(node.body) - set(self.parameters)

    def __str__(self) -> str:
        return f"<function @{self.name}>"


class Partial(SpecialValue):
    """A callable with its first arguments."""

    __slots__ = ("arguments", "callee")

    def __init__(self, callee: SpecialValue, arguments: tuple[Value, ...]) -> None:
        self.callee, self.arguments = callee, arguments

    def __str__(self) -> str:
        return f"{self.callee} with {len(self.arguments)} arguments"


class DecidedAction(SpecialValue):
    """What an action of a guard decides."""

    __slots__ = ("action",)

    def __init__(self, action: Action) -> None:
        self.action = action

    def __str__(self) -> str:
        return "<decision of a guard>"


class ToolValue(SpecialValue):
    """A tool of a server, to be called (``tools``)."""

    __slots__ = ("server", "tool")

    def __init__(self, server: ToolServer, tool: ServedTool) -> None:
        self.server, self.tool = server, tool

    def __str__(self) -> str:
        return f"<tool {self.server.name}:{self.tool.name}>"


class Transformer(SpecialValue):
    """A function of the language: ``json``, ``upper``."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __str__(self) -> str:
        return f"<{self.name}>"


def names_in(node: Any) -> frozenset[str]:
    """All names that a piece of a script names: those with ``@``, and bare words, which may be called."""
    found: set[str] = set()
    for each in nodes_in(node):
        if isinstance(each, x.NameExpr):
            found.add(each.name)
        elif isinstance(each, x.WordExpr):
            found.add(each.word)
    return frozenset(found)

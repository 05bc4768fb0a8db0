"""Names, and where they hold."""

from __future__ import annotations

from sluicegate.script.tree.node import Syntax

GIVEN = frozenset({"mx", "mlld", "sluicegate", "input", "base", "root", "now", "keychain"})
"""Names that every script has."""
TRANSFORMERS = frozenset(
    {
        "json",
        "parse",
        "upper",
        "lower",
        "trim",
        "lines",
        "unique",
        "sort",
        "base64encode",
        "base64decode",
        "urlencode",
        "urldecode",
    }
)
"""What may stand after ``|`` without being defined, with and without ``@``."""
RESERVED = GIVEN - {"input"}


class Binding:
    """A name in a scope: what defined it, and whether anything used it. ``kind`` is the word that defined it."""

    __slots__ = ("kind", "name", "node", "used")

    def __init__(self, name: str, kind: str, node: Syntax) -> None:
        self.name, self.kind, self.node = name, kind, node
        self.used = False


class NameUse:
    """A place where a name stands, and what it means there."""

    __slots__ = ("binding", "node")

    def __init__(self, node: Syntax, binding: Binding) -> None:
        self.node, self.binding = node, binding


class NameScope:
    """The names of a script, a function or a block, inside of others. ``function``: a ``var`` inside of it stays there."""

    __slots__ = ("bindings", "function", "node", "outer")

    def __init__(self, outer: NameScope | None, node: Syntax, *, function: bool) -> None:
        self.outer, self.node, self.function = outer, node, function
        self.bindings: dict[str, Binding] = {}

    def find(self, name: str) -> Binding | None:
        """What a name means here."""
        scope: NameScope | None = self
        while scope is not None:
            if name in scope.bindings:
                return scope.bindings[name]
            scope = scope.outer
        return None

    def of_function(self) -> NameScope:
        """The scope of the function, or the script, that this one is in."""
        scope = self
        while not scope.function and scope.outer is not None:
            scope = scope.outer
        return scope

    def names(self) -> list[str]:
        """All names that hold here."""
        scope: NameScope | None = self
        found: list[str] = []
        while scope is not None:
            found += scope.bindings
            scope = scope.outer
        return found

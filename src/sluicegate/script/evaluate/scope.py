"""Names of a running script and their values."""

from __future__ import annotations

from typing import Any

from sluicegate.flow.values import Labeled

Value = Labeled[Any]


class RunScope:
    """The names of a script, a function or a block, inside of others. ``function``: a ``var`` inside of it stays there.
    ``guard``: it is that of a guard, whose arms decide."""

    __slots__ = ("function", "guard", "outer", "parameters", "values")

    def __init__(
        self,
        outer: RunScope | None,
        *,
        function: bool = False,
        parameters: tuple[str, ...] = (),
        guard: bool = False,
    ) -> None:
        self.guard = guard
        self.outer, self.function, self.parameters = outer, function, parameters
        self.values: dict[str, Value] = {}

    def find(self, name: str) -> Value | None:
        """The value of a name here."""
        scope: RunScope | None = self
        while scope is not None:
            found = scope.values.get(name)
            if found is not None:
                return found
            scope = scope.outer
        return None

    def of_function(self) -> RunScope:
        """The scope of the function, or of the script, that this one is in."""
        scope = self
        while not scope.function and scope.outer is not None:
            scope = scope.outer
        return scope

    def names(self) -> list[str]:
        """All names that have a value here."""
        scope: RunScope | None = self
        found: list[str] = []
        while scope is not None:
            found += scope.values
            scope = scope.outer
        return found

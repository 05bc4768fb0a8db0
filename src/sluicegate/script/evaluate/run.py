"""A run of a script: what its parts share, and the step from a node to its handler."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from sluicegate.flow.errors import FlowError
from sluicegate.script.evaluate.budget import DEPTH, RunBudget
from sluicegate.script.evaluate.control import Conditions
from sluicegate.script.evaluate.faults import ScriptError, placed
from sluicegate.script.evaluate.outcome import Outcome
from sluicegate.script.evaluate.scope import RunScope, Value
from sluicegate.script.source import SourceText
from sluicegate.script.tree.node import Syntax, nodes_in
from sluicegate.script.tree.statements import ReturnStatement, VarStatement

if TYPE_CHECKING:
    from sluicegate.flow.environments.providers.provider import Provider
    from sluicegate.flow.instructions import Template
    from sluicegate.flow.labels import Labels
    from sluicegate.flow.monitor import Monitor
    from sluicegate.flow.operations import CommandDefinition
    from sluicegate.script.evaluate.callables import Function
    from sluicegate.script.evaluate.environments.providers import ProviderModule
    from sluicegate.script.evaluate.tools import ToolServers
    from sluicegate.script.tree.expressions import Expression
    from sluicegate.script.tree.statements import ImportStatement, RelabelNode, ScriptTree, StatementNode

_MOST_FAILURES = 100
Evaluate = Callable[["Run", Any, RunScope], Value]
Execute = Callable[["Run", Any, RunScope], Outcome]


class Run:
    """One run of one script. ``monitor`` does all that has an effect.

    ``path`` is the file of the script, empty where it has none; ``number`` counts the scripts of a program, of which the first
    is 0. ``given`` are values that names of the language have in this run (``@input``). ``context`` is what ``@mx`` says of the
    operation that a guard is asked about. ``functions`` are those that a name leads to. ``labels`` are those of all that a module
    defines, once it was carried out. ``program`` are all runs of the program; ``failures`` are values that took the place of what
    branches would have given, and, as ``conditions``, those of the whole program.
    """

    def __init__(
        self,
        *,
        monitor: Monitor,
        source: SourceText,
        path: str,
        number: int,
        budget: RunBudget,
        evaluate: Mapping[type[Syntax], Evaluate],
        execute: Mapping[type[Syntax], Execute],
        given: Mapping[str, Callable[[], Value]],
    ) -> None:
        self.monitor, self.source, self.path, self.budget = monitor, source, path, budget
        self._evaluate, self._execute = evaluate, execute
        self.given = dict(given)
        self.scope = RunScope(None, function=True)
        self.number, self.profile = number, ""
        self.functions: dict[str, tuple[Function, ...]] = {}
        self.tree: ScriptTree | None = None
        self.exported: frozenset[str] = frozenset()
        self.imports: list[tuple[ImportStatement, Run]] = []
        self.labels: Labels | None = None
        self.servers: ToolServers | None = None
        self.commands: dict[tuple[int, str], CommandDefinition] = {}
        self.providers: dict[str, ProviderModule] = {}
        self.templates: dict[str, Template] = {}
        self.context: dict[str, Value] = {}
        self.denied = False
        self.failures: list[Value] = []
        self.conditions = Conditions()
        self.program: dict[str, Run] = {}
        self.defined: frozenset[str] = frozenset()
        self._assigned: dict[int, tuple[str, ...]] = {}
        self._returns: dict[int, bool] = {}

    def hold(self, before: Run) -> None:
        """Let all that holds in another run hold in this one, and the other way round."""
        self.scope, self.functions, self.profile = before.scope, before.functions, before.profile
        self.templates, self.providers = before.templates, before.providers

    @property
    def guarding(self) -> bool:
        """Whether a guard is asked."""
        return "op" in self.context

    def evaluate(self, node: Expression, scope: RunScope) -> Value:
        """The value of an expression."""
        budget = self.budget
        budget.step()
        if budget.depth >= DEPTH:
            raise ScriptError("too-deep", "calls and expressions stand too deep inside each other")
        budget.depth += 1
        try:
            return self._evaluate[type(node)](self, node, scope)
        except FlowError as error:
            placed(error, self.source, node)
            raise
        finally:
            budget.depth -= 1

    def execute(self, node: StatementNode, scope: RunScope) -> Outcome:
        """Carry a statement out."""
        self.budget.step()
        try:
            return self._execute[type(node)](self, node, scope)
        except FlowError as error:
            placed(error, self.source, node)
            raise

    def act(self, node: Expression | RelabelNode | StatementNode, scope: RunScope) -> Value:
        """What stands behind ``=>`` in an arm or a loop: its value, or null for a statement."""
        found = self._evaluate.get(type(node))
        if found is not None:
            return self.evaluate(node, scope)  # type: ignore[arg-type]
        from sluicegate.script.evaluate.outcome import value_of

        return value_of(self.execute(node, scope))  # type: ignore[arg-type]

    def provider(self, name: str, said: Mapping[str, Any]) -> Provider | None:
        """The provider that a module is; None where it is one of ours."""
        found = self.providers.get(name)
        return None if found is None else found.provider(self, said)

    def provider_name(self, name: str) -> str:
        """What labels and policy call the provider that a module is. Raises ScriptError where the script does not name it."""
        found = self.providers.get(name)
        if found is None:
            raise ScriptError("no-module", "a module that is a provider is named where the environment is written",
                              hint='Write `provider: "./NAME.mld"` in the script: no value decides which module it is.')  # fmt: skip
        return found.name

    def abandon(self, value: Value) -> None:
        """Remember a value that failed and did not end the script; of many, the first."""
        if len(self.failures) < _MOST_FAILURES:
            self.failures.append(value)

    def defines(self, name: str) -> bool:
        """Whether the script gives a name a value somewhere, now or later."""
        return name in self.defined

    def assigned_in(self, node: Syntax) -> tuple[str, ...]:
        """The names that a ``var`` inside of a node gives a value."""
        found = self._assigned.get(id(node))
        if found is None:
            inner = nodes_in(node)
            names = (each.name for each in inner if isinstance(each, VarStatement) and each.keyword == "var")
            found = self._assigned[id(node)] = tuple(dict.fromkeys(names))
        return found

    def returns_in(self, node: Syntax) -> bool:
        """Whether anything inside of a node may return."""
        found = self._returns.get(id(node))
        if found is None:
            found = self._returns[id(node)] = any(
                isinstance(each, ReturnStatement) for each in nodes_in(node)
            )
        return found

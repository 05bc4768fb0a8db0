"""A whole script, run.

1. It is read, and its names are resolved; one with errors does not run.
2. What it and its modules declare holds from the beginning, wherever it stands: functions, guards, the profile, and policies, of
   which the monitor is made.
3. Modules are carried out, each once, then the statements of the script, one after another. What the script returns is shown.
4. What failed in a branch, and did not end the script, is told at its end, where policy lets it be told.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from sluicegate.flow.denial import Denial, Denied
from sluicegate.flow.errors import FlowError
from sluicegate.flow.guards import Guard, GuardBundle, Origin
from sluicegate.flow.labels import Labels, head
from sluicegate.flow.policy.modules.needs import InstalledPackages, read_needs, unmet
from sluicegate.flow.policy.modules.profiles import read_profiles, select
from sluicegate.flow.values import Labeled, LabeledFailure, asked, branch
from sluicegate.script.diagnostics import ERROR, Diagnostic
from sluicegate.script.evaluate.budget import RunBudget
from sluicegate.script.evaluate.contents.texts import text_of
from sluicegate.script.evaluate.control import Conditions, apply, settled, value_after, within
from sluicegate.script.evaluate.dispatch import STATEMENTS, VALUES
from sluicegate.script.evaluate.faults import ScriptError, placed
from sluicegate.script.evaluate.guards import guard
from sluicegate.script.evaluate.modules import ScriptModule
from sluicegate.script.evaluate.nodes import calls
from sluicegate.script.evaluate.nodes.blocks import statements
from sluicegate.script.evaluate.outcome import Outcome, Returned
from sluicegate.script.evaluate.policies import plain
from sluicegate.script.evaluate.run import Run
from sluicegate.script.evaluate.scope import Value
from sluicegate.script.parse.program import ParsedScript, parse
from sluicegate.script.resolve.resolve import resolve
from sluicegate.script.source import SourceText
from sluicegate.script.tree import expressions as x
from sluicegate.script.tree import statements as s
from sluicegate.script.tree.node import nodes_in

if TYPE_CHECKING:
    from sluicegate.flow.monitor import Monitor
    from sluicegate.script.evaluate.tools import ToolServers

_FRAMES: Final = 60_000
"""Frames of Python that the deepest script within its bounds needs, with room to spare."""


class Unreadable(ScriptError):
    """A script has errors: it is not run."""

    def __init__(self, script: ParsedScript, found: tuple[Diagnostic, ...]) -> None:
        super().__init__(
            "unreadable", "the script has errors", hint="See them with: sluicegate validate FILE"
        )
        self.script, self.found = script, found


def read(source: SourceText, *, known: Iterable[str] = ()) -> ParsedScript:
    """The script, checked (1). ``known`` are names that hold already. Raises Unreadable."""
    script = parse(source)
    found = [each for each in (*script.errors, *resolve(script, known=known)) if each.severity == ERROR]
    if found:
        raise Unreadable(script, tuple(sorted(found, key=lambda each: each.start)))
    return script


def new_run(
    module: ScriptModule,
    monitor: Monitor,
    *,
    given: Mapping[str, Callable[[], Value]],
    budget: RunBudget | None = None,
    installed: InstalledPackages | None = None,
    servers: ToolServers | None = None,
    after: Run | None = None,
) -> Run:
    """A run in which what a script and its modules declare holds already (2); and, with ``after``, all that holds there.

    ``given`` are values for names of the language, made when they are needed; ``installed`` is what there is of what a script
    ``needs``, None where nobody looks; ``servers`` starts those whose tools it imports. Raises FlowError with its place.
    """
    runs: dict[str, Run] = {} if after is None else after.program

    def made(each: ScriptModule) -> Run:
        run = Run(
            monitor=monitor,
            source=each.script.source,
            path=each.path,
            number=len(runs),
            budget=spent,
            evaluate=VALUES,
            execute=STATEMENTS,
            given=given,
        )
        runs[each.path if after is None or each is not module else f"<{run.number}>"] = run
        run.program, run.failures, run.conditions = runs, failures, conditions
        if each is module and after is not None:
            run.hold(after)
        run.exported = each.exported
        run.imports = [(node, runs.get(child.path) or made(child)) for node, child in each.importing()]
        for written, name, child in each.providing():
            from sluicegate.script.evaluate.environments.providers import ProviderModule

            run.providers[written] = ProviderModule(name, runs.get(child.path) or made(child))
        declare(run, each.script, installed)
        run.tree = each.script.tree
        run.servers = servers
        return run

    spent, failures = budget or RunBudget(), list[Value]()
    conditions = Conditions() if after is None else after.conditions
    return made(module)


def carry_out(run: Run, *, echo: bool = False) -> None:
    """Carry the statements of a script out, and those of its modules before (3). With ``echo`` one that is a value alone is
    shown. Raises FlowError, with its place (``faults.place_of``)."""
    with deep():
        alone = _value_alone(run) if echo else None
        if alone is not None:
            _shown(run, run.evaluate(alone, run.scope))
            return
        outcome = _carried_out(run)
        if isinstance(outcome, Returned):
            value = outcome.value
            within(run, outcome.labels, lambda: settled(run, run.monitor.show(apply(run, text_of, value))))


@contextmanager
def deep() -> Iterator[None]:
    """What runs inside may stand as deep as the deepest script within its bounds. Raises ScriptError where it is deeper."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _FRAMES))
    try:
        yield
    except RecursionError:
        raise ScriptError("too-deep", "calls and expressions stand too deep inside each other") from None
    finally:
        sys.setrecursionlimit(before)


def _value_alone(run: Run) -> x.Expression | None:
    """The value that the only statement of a script is, if it is one to look at, and no block that acts."""
    nodes = run.tree.statements if run.tree is not None else ()
    if len(nodes) != 1 or not isinstance(nodes[0], s.ExpressionStatement):
        return None
    value = nodes[0].value
    return None if isinstance(value, (x.ForExpr, x.WhenExpr, x.IfExpr, x.BlockExpr, x.EnvExpr)) else value


def _shown(run: Run, value: Value) -> None:
    """Show a value, unless it is null, which can be told of one without labels."""
    if not value.labels and asked(value) is None:
        return
    settled(run, run.monitor.show(apply(run, text_of, value)))


def _carried_out(run: Run) -> Outcome:
    for node, module in run.imports:
        try:
            bring_in(run, node, module)
        except FlowError as error:
            placed(error, run.source, node)
            raise
    assert run.tree is not None  # noqa: S101 - new_run has put it there
    for tools in run.tree.statements:
        if isinstance(tools, s.ImportStatement) and tools.server:
            try:
                from sluicegate.script.evaluate.tools import bring_in_tools

                bring_in_tools(run, tools, run.servers)
            except FlowError as error:
                placed(error, run.source, tools)
                raise
    return statements(run, run.tree.statements, run.scope)


def bring_in(run: Run, node: s.ImportStatement, module: Run) -> None:
    """Give a script the names that it imports from a module, which is carried out first, once."""
    labels = ready(module)
    if node.alias:
        names = sorted(module.exported & set(module.scope.values))
        run.scope.values[node.alias] = Labeled({name: module.scope.values[name] for name in names}, labels)
        run.functions[node.alias] = tuple(each for name in names for each in module.functions.get(name, ()))
    for name in node.names:
        called, alias = name.path[0], name.alias or name.path[-1]
        value = module.scope.find(called)
        if value is not None and len(name.path) == 1:
            run.scope.values[alias] = Labeled(value, labels)
            run.functions[alias] = module.functions.get(called, ())


def _ended(module: Run) -> Value:
    """Carry a module out, to its end or to where it returns."""
    outcome = _carried_out(module)
    assert module.tree is not None  # noqa: S101 - it was carried out
    return value_after(module, module.tree, module.scope, outcome)


def ready(module: Run) -> Labels:
    """A module, carried out: the labels of all that it defines."""
    if module.labels is None:
        module.labels = labels = permitted(module)
        within(module, labels, lambda: _ended(module))
    return module.labels


def permitted(module: Run) -> Labels:
    """The labels of all that a module defines: those of its file, other than where it lies. Policy is asked whether the file may
    be read; and it has to be what was read before."""
    text = settled(module, module.monitor.read(module.path))
    with branch(text.labels):
        if asked(text).removeprefix("\ufeff") != module.source.text:
            raise ScriptError("no-module", "the file of a module was changed while the script began")
    return Labels.of(*(name for name in text.labels.names() if head(name) not in ("src", "dir")))


def declare(run: Run, script: ParsedScript, installed: InstalledPackages | None = None) -> None:
    """What holds from the beginning (2)."""
    named = (each for each in nodes_in(script.tree) if isinstance(each, s.VarStatement))
    run.defined = frozenset(each.name for each in named)
    for node in script.tree.statements:
        try:
            _declared(run, script, node, installed)
        except FlowError as error:
            placed(error, run.source, node)
            raise


def _declared(
    run: Run, script: ParsedScript, node: s.StatementNode, installed: InstalledPackages | None
) -> None:
    if isinstance(node, s.ExeStatement):
        function = calls.function(run, node, run.scope)
        run.functions[node.name] = (function,)
        run.scope.values[node.name] = Labeled(function)
    elif isinstance(node, s.PolicyStatement):
        run.scope.values[node.name] = Labeled({"name": node.name})
    elif isinstance(node, s.GuardStatement):
        _register(run, guard(run, node))
        if node.name:
            run.scope.values[node.name] = Labeled({"name": node.name})
    elif isinstance(node, s.ProfilesStatement):
        tiers = plain(script, node.tiers)
        parts = run.monitor.parts
        found = select(
            read_profiles(tiers if isinstance(tiers, dict) else {}), parts.layers, forced=parts.profile
        )
        if isinstance(found, Denial):
            raise Denied(found)
        run.profile = found.profile.name
    elif isinstance(node, s.NeedsStatement) and installed is not None:
        wanted = {need.kind: list(need.packages) or True for need in node.needs}
        denial = unmet(read_needs(wanted), installed)
        if denial is not None:
            raise Denied(denial)


def _register(run: Run, made: Guard) -> None:
    """Put a guard in force: of the script, or of a module."""
    guards = run.monitor.parts.guards
    if run.number == 0:
        guards.add(made, path=run.path)
    else:
        guards.add_bundle(GuardBundle(run.source.name, (made,)), Origin(path=run.path))


def told(monitor: Monitor, words: Value) -> str:
    """The words of a failure, where policy lets them be told to whoever runs the script; empty elsewhere (4)."""
    try:
        return str(monitor.return_(words, shown=True))
    except (Denied, LabeledFailure):
        return ""


def words_of(monitor: Monitor, error: FlowError) -> str:
    """What an error of a script says besides its message, as far as it may be told."""
    return told(monitor, error.words) if isinstance(error, ScriptError) and error.words is not None else ""


def failures_told(monitor: Monitor, failures: list[Value]) -> list[str]:
    """What failed on the way, as far as it may be told (4)."""
    found = (told(monitor, value.failure) for value in failures)
    return list(dict.fromkeys(text for text in found if text))

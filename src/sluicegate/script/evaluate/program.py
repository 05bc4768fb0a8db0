"""A whole script, run.

1. It is read, and its names are resolved; one with errors does not run.
2. What it declares holds from its beginning, wherever it stands: functions, guards, and policies, of which the monitor is made.
3. Its statements are carried out one after another. What the script returns is shown.
4. What failed in a branch, and did not end the script, is told at its end, where policy lets it be told.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from sluicegate.flow.denial import Denied
from sluicegate.flow.errors import FlowError
from sluicegate.flow.values import Labeled, LabeledFailure
from sluicegate.script.diagnostics import ERROR, Diagnostic
from sluicegate.script.evaluate.budget import RunBudget
from sluicegate.script.evaluate.dispatch import STATEMENTS, VALUES
from sluicegate.script.evaluate.faults import ScriptError, placed
from sluicegate.script.evaluate.guards import guard
from sluicegate.script.evaluate.nodes import calls
from sluicegate.script.evaluate.nodes.blocks import statements
from sluicegate.script.evaluate.outcome import Returned
from sluicegate.script.evaluate.run import Run
from sluicegate.script.evaluate.scope import Value
from sluicegate.script.parse.program import ParsedScript, parse
from sluicegate.script.resolve.resolve import resolve
from sluicegate.script.source import SourceText
from sluicegate.script.tree import statements as s
from sluicegate.script.tree.node import nodes_in

if TYPE_CHECKING:
    from sluicegate.flow.monitor import Monitor

_FRAMES: Final = 60_000
"""Frames of Python that the deepest script within its bounds needs, with room to spare."""


class Unreadable(ScriptError):
    """A script has errors: it is not run."""

    def __init__(self, script: ParsedScript, found: tuple[Diagnostic, ...]) -> None:
        super().__init__(
            "unreadable", "the script has errors", hint="See them with: sluicegate validate FILE"
        )
        self.script, self.found = script, found


def read(source: SourceText) -> ParsedScript:
    """The script, checked (1). Raises Unreadable."""
    script = parse(source)
    found = [each for each in (*script.errors, *resolve(script)) if each.severity == ERROR]
    if found:
        raise Unreadable(script, tuple(sorted(found, key=lambda each: each.start)))
    return script


def new_run(
    script: ParsedScript,
    monitor: Monitor,
    *,
    path: str,
    given: Mapping[str, Callable[[], Value]],
    budget: RunBudget | None = None,
) -> Run:
    """A run in which what a script declares holds already (2).

    ``path`` is the file of the script, if there is one; ``given`` are values for names of the language, made when they are needed.
    """
    run = Run(
        monitor=monitor,
        source=script.source,
        path=path,
        budget=budget or RunBudget(),
        evaluate=VALUES,
        execute=STATEMENTS,
        given=given,
    )
    declare(run, script)
    return run


def carry_out(run: Run, script: ParsedScript) -> None:
    """Carry the statements of a script out (3). Raises FlowError, with its place (``faults.place_of``)."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _FRAMES))
    try:
        outcome = statements(run, script.tree.statements, run.scope)
        if isinstance(outcome, Returned):
            run.monitor.show(outcome.value)
    except RecursionError:
        raise ScriptError("too-deep", "calls and expressions stand too deep inside each other") from None
    finally:
        sys.setrecursionlimit(before)


def declare(run: Run, script: ParsedScript) -> None:
    """What holds from the beginning (2)."""
    named = (each for each in nodes_in(script.tree) if isinstance(each, s.VarStatement))
    run.defined = frozenset(each.name for each in named)
    for node in script.tree.statements:
        if isinstance(node, s.ExeStatement):
            function = calls.function(run, node, run.scope)
            run.functions[node.name] = function
            run.scope.values[node.name] = Labeled(function)
        elif isinstance(node, s.GuardStatement):
            _register(run, node)
        elif isinstance(node, s.PolicyStatement):
            run.scope.values[node.name] = Labeled({"name": node.name})


def _register(run: Run, node: s.GuardStatement) -> None:
    """Put a guard in force."""
    try:
        run.monitor.parts.guards.add(guard(run, node), path=run.path)
    except FlowError as error:
        placed(error, run.source, node)
        raise


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

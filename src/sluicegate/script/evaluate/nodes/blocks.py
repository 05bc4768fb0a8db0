"""Statements one after another, and blocks.

Once something may have returned in a branch on labelled values, all that follows depends on that: it runs inside of a branch on
these labels, up to the end of the block's function, and what leaves it is caught there (``control``, 1).
"""

from __future__ import annotations

from sluicegate.script.evaluate.control import Depends, following, value_after
from sluicegate.script.evaluate.outcome import MayReturn, Outcome, Returned
from sluicegate.script.evaluate.run import Run
from sluicegate.script.evaluate.scope import RunScope, Value
from sluicegate.script.tree import expressions as x
from sluicegate.script.tree import statements as s


def statements(run: Run, nodes: tuple[s.StatementNode, ...], scope: RunScope) -> Outcome:
    """Carry statements out, up to one that returns."""

    def one_after_another(depends: Depends) -> Outcome:
        for node in nodes:
            outcome = run.execute(node, scope)
            if isinstance(outcome, MayReturn):
                depends.on(outcome.labels)
            elif outcome is not None:
                return Returned(outcome.value, outcome.labels | depends.labels)
        return MayReturn(depends.labels) if depends.labels else None

    return following(run, one_after_another, lambda failed: Returned(failed, failed.labels))


def block(run: Run, node: s.BlockNode, scope: RunScope) -> Outcome:
    """``[ statement … ]``, with a scope for its ``let``."""
    return statements(run, node.statements, RunScope(scope))


def block_value(run: Run, node: x.BlockExpr, scope: RunScope) -> Value:
    """A block whose value is what it returns."""
    return value_after(run, node.block, scope, block(run, node.block, scope))

"""Statements that name, return, or are carried out before the script begins."""

from __future__ import annotations

from sluicegate.script.evaluate.nodes.conditions import if_outcome
from sluicegate.script.evaluate.nodes.environments import is_derived
from sluicegate.script.evaluate.nodes.relabelling import labelled
from sluicegate.script.evaluate.nodes.signatures import of_variable
from sluicegate.script.evaluate.outcome import Outcome, Returned
from sluicegate.script.evaluate.run import Run
from sluicegate.script.evaluate.scope import RunScope
from sluicegate.script.tree import expressions as x
from sluicegate.script.tree import statements as s


def variable(run: Run, node: s.VarStatement, scope: RunScope) -> Outcome:
    """``var LABELS @x = value``; ``let`` for its block."""
    value = run.evaluate(node.value, scope)
    if is_derived(node.value):
        from sluicegate.script.evaluate.environments.values import named

        value = named(run, value, node.name)
    value = labelled(run, value, node.labels)
    where = scope.of_function() if node.keyword == "var" else scope
    where.values[node.name] = of_variable(run, node, where, value)
    return None


def alone(run: Run, node: s.ExpressionStatement, scope: RunScope) -> Outcome:
    """A value that stands alone."""
    if isinstance(node.value, x.IfExpr):
        return if_outcome(run, node.value, scope)
    run.evaluate(node.value, scope)
    return None


def returned(run: Run, node: s.ReturnStatement, scope: RunScope) -> Outcome:
    """``=> value``"""
    return Returned(run.act(node.value, scope))


def declared(run: Run, node: s.StatementNode, scope: RunScope) -> Outcome:
    """What was declared before the script began (``program``)."""
    return None

"""``when``, ``if``: what runs, and all that comes of it, depends on the conditions that were asked.

``denied`` is true for what a ``when`` does once one of its arms, or the call whose body it is, was refused: then its arms that
speak of it are asked again.
"""

from __future__ import annotations

from collections.abc import Callable

from sluicegate.flow.denial import Denied
from sluicegate.flow.errors import FlowError
from sluicegate.flow.labels import EMPTY, Labels
from sluicegate.flow.values import Labeled, LabeledFailure, asked, branch, labels_of, pc
from sluicegate.script.evaluate.callables import names_in
from sluicegate.script.evaluate.contents.comparing import same
from sluicegate.script.evaluate.control import (
    Depends,
    apply,
    bound_on,
    following,
    settled,
    truth,
    value_after,
    within,
)
from sluicegate.script.evaluate.faults import ScriptError, is_denial, tells_of_denial
from sluicegate.script.evaluate.nodes.blocks import block
from sluicegate.script.evaluate.outcome import MayReturn, Outcome, Returned
from sluicegate.script.evaluate.run import Run
from sluicegate.script.evaluate.scope import RunScope, Value
from sluicegate.script.tree import expressions as x
from sluicegate.script.tree import statements as s

WORD = "denied"


def when(run: Run, node: x.WhenExpr, scope: RunScope) -> Value:
    """``when [ arms ]``: the first arm whose condition holds."""
    if not handles_denials(node):
        return _first(run, node, node.arms, scope)
    error: FlowError
    try:
        value = _first(run, node, node.arms, scope)
    except FlowError as found:
        if not is_denial(found):
            raise
        error = found
    else:
        return on_denial(run, node, value, scope)
    return handled(run, node, error, scope)


def handles_denials(node: x.Expression) -> bool:
    """Whether an expression is a ``when`` that says what to do once something is denied."""
    return isinstance(node, x.WhenExpr) and any(WORD in names_in(arm.condition) for arm in node.arms)


def handled(run: Run, node: x.WhenExpr, error: FlowError, scope: RunScope) -> Value:
    """What the arms for denials make of one. Raises it again where none of them holds."""
    words = error.detail if isinstance(error, LabeledFailure) else None
    if isinstance(error, ScriptError):
        words = error.words
    denial = error.denial if isinstance(error, Denied) else None
    guard = {
        "reason": words if words is not None else denial.reason if denial else str(error),
        "code": str(denial.code) if denial else "",
        "rule": denial.rule if denial else "",
        "name": denial.blocked_by if denial else "",
        "suggestions": list(denial.suggestions) if denial else [],
    }
    labels = labels_of(error) | (words.labels if words is not None else EMPTY)

    def still_denied() -> Value:
        raise error

    made = within(run, labels, lambda: _while_denied(run, node, Labeled(guard), scope, still_denied))
    _bound_by_handlers(run, node, scope, labels)
    return settled(run, made)


def on_denial(run: Run, node: x.WhenExpr, value: Value, scope: RunScope) -> Value:
    """The value, unless it is one that failed because something was denied: then what the arms for denials make of it."""
    if not _was_denied(value):
        made = value
    else:
        guard = Labeled({"reason": value.failure})
        made = within(run, value.labels, lambda: _while_denied(run, node, guard, scope, lambda: value))
    _bound_by_handlers(run, node, scope, value.labels)
    return settled(run, made) if made is not value else value


def _bound_by_handlers(run: Run, node: x.WhenExpr, scope: RunScope, labels: Labels) -> None:
    """What arms for denials give names to tells of whether there was one."""
    for arm in _for_denials(node):
        bound_on(run, arm, scope, labels)


def _for_denials(node: x.WhenExpr) -> tuple[x.ArmNode, ...]:
    return tuple(arm for arm in node.arms if WORD in names_in(arm.condition))


def _was_denied(value: Value) -> bool:
    """Whether a value failed because something was denied. Whoever asks goes on in a branch on the value, or gives it back."""
    with branch(value.labels):
        return tells_of_denial(asked(value.failure))


def _while_denied(
    run: Run, node: x.WhenExpr, guard: Value, scope: RunScope, none: Callable[[], Value]
) -> Value:
    """The first arm that speaks of denials and holds."""
    arms = _for_denials(node)
    before, context = run.denied, run.context
    run.denied, run.context = True, {**context, "guard": guard}
    try:
        return _first(run, node, arms, scope, none)
    finally:
        run.denied, run.context = before, context


def _null() -> Value:
    return Labeled(None)


def _first(
    run: Run,
    node: x.WhenExpr,
    arms: tuple[x.ArmNode, ...],
    scope: RunScope,
    none: Callable[[], Value] = _null,
) -> Value:
    """The value of the first arm that holds. Each arm stands in a branch on all conditions so far, also where none holds."""
    subject = None if node.subject is None else run.evaluate(node.subject, scope)
    conditions = EMPTY

    def chosen(depends: Depends) -> Value:
        nonlocal conditions
        for arm in arms:
            condition = run.evaluate(arm.condition, scope)
            if subject is not None and not isinstance(arm.condition, x.AnyExpr):
                condition = apply(run, same, subject, condition)
            conditions |= condition.labels
            depends.on(condition.labels)
            if truth(condition):
                return Labeled(run.act(arm.action, RunScope(scope)))
        return Labeled(none())

    value = following(run, chosen, lambda failed: failed)
    bound_on(run, node, scope, conditions)
    return settled(run, value)


def if_outcome(run: Run, node: x.IfExpr, scope: RunScope) -> Outcome:
    """``if condition [ … ] else …`` as a statement: a block in it returns from the function around it."""
    conditions = EMPTY

    def chosen(depends: Depends) -> Outcome:
        nonlocal conditions
        branch_of: x.IfExpr | s.BlockNode | None = node
        while isinstance(branch_of, x.IfExpr):
            condition = run.evaluate(branch_of.condition, scope)
            conditions |= condition.labels
            depends.on(condition.labels)
            branch_of = branch_of.yes if truth(condition) else branch_of.no
        return None if branch_of is None else block(run, branch_of, scope)

    outcome = following(run, chosen, lambda failed: None)
    bound_on(run, node, scope, conditions)
    if conditions <= pc() or not _may_return(run, node):
        return outcome
    labels = conditions if outcome is None else outcome.labels | conditions
    return Returned(outcome.value, labels) if isinstance(outcome, Returned) else MayReturn(labels)


def _may_return(run: Run, node: x.IfExpr) -> bool:
    """Whether one of the blocks may return; what stands in a condition returns from nothing else."""
    if isinstance(node.no, x.IfExpr):
        return run.returns_in(node.yes) or _may_return(run, node.no)
    return run.returns_in(node.yes) or (node.no is not None and run.returns_in(node.no))


def if_value(run: Run, node: x.IfExpr, scope: RunScope) -> Value:
    """``if`` as a value: what the block returns."""
    return value_after(run, node, scope, if_outcome(run, node, scope))

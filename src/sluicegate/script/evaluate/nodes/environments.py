"""``env @config [ … ]``, what a guard chooses by ``env @config``, children of environments, and snapshots.

1. A block runs in a branch on all that its environment says: what is done in it, and what comes of it, tells of that.
2. The environment is made before the first statement, and let go of however the block ends. ``=>`` gives the value of the block.
3. A snapshot is an operation, ``op:call:snapshot``. Its reference has the labels of all that went into what it holds.
"""

from __future__ import annotations

from typing import Final

from sluicegate.flow import operations as ops
from sluicegate.flow.guards import UseEnvironment
from sluicegate.flow.monitor.drive import Do, Procedure
from sluicegate.flow.monitor.plan import Came, Plan, Ready
from sluicegate.flow.values import Labeled, asked
from sluicegate.script.evaluate.callables import DecidedAction
from sluicegate.script.evaluate.contents.texts import text_of
from sluicegate.script.evaluate.control import apply, bound_on, settled, value_after, within
from sluicegate.script.evaluate.faults import ScriptError
from sluicegate.script.evaluate.nodes.blocks import block
from sluicegate.script.evaluate.nodes.literals import record
from sluicegate.script.evaluate.run import Run
from sluicegate.script.evaluate.scope import RunScope, Value
from sluicegate.script.tree import expressions as x

_SNAPSHOT: Final = "snapshot"


def environment(run: Run, node: x.EnvExpr, scope: RunScope) -> Value:
    """``env @config [ … ]``; without a block, in an arm of a guard, where the operation is to run."""
    from sluicegate.script.evaluate.environments.values import chosen_of

    value = _configuration(run, node.config, scope)
    inner = node.block
    if inner is None:
        return _chosen(run, value, scope)

    def inside() -> Value:
        with run.monitor.inside(chosen_of(run, asked(value))):  # 2
            return value_after(run, inner, scope, block(run, inner, scope))

    made = within(run, value.labels, inside)  # 1
    bound_on(run, node, scope, value.labels)
    return settled(run, made)


def _configuration(run: Run, node: x.Expression, scope: RunScope) -> Value:
    """``@config``, or a child of it: ``@config with { … }``"""
    if isinstance(node, x.WithExpr):
        from sluicegate.script.evaluate.environments.values import derived

        return derived(run, _configuration(run, node.value, scope), record(run, node.options, scope))
    return run.evaluate(node, scope)


def _chosen(run: Run, value: Value, scope: RunScope) -> Value:
    if not scope.of_function().guard:
        raise ScriptError("misplaced", "`env` without a block is what a guard decides",
                          hint="Write what is to run there: `env @config [ … ]`.")  # fmt: skip

    from sluicegate.script.evaluate.environments.values import chosen_of

    def made() -> Value:
        return Labeled(DecidedAction(UseEnvironment(chosen_of(run, asked(value)))))

    return within(run, value.labels, made)


def is_derived(node: x.Expression) -> bool:
    """Whether a value is written as a child of another: ``new @parent with { … }``, ``new @parent(@said)``."""
    while isinstance(node, x.WithExpr):
        node = node.value
    return isinstance(node, x.NewExpr)


def child(run: Run, node: x.WithExpr, scope: RunScope) -> Value:
    """``new @parent with { … }``"""
    from sluicegate.script.evaluate.environments.values import derived

    return derived(run, run.evaluate(node.value, scope), record(run, node.options, scope))


def snapshot(run: Run, node: x.SnapshotExpr, scope: RunScope) -> Value:
    """``snapshot "name"`` (3)"""
    from sluicegate.flow.environments.providers.provider import LabellingProvider
    from sluicegate.flow.environments.use import snapshot as take

    here = run.monitor.parts.entered.current()
    if here is None:
        raise ScriptError("misplaced", "a snapshot is taken of an environment, and there is none here",
                          hint='Write it in a block: `env @config [ … => snapshot "name" ]`.')  # fmt: skip
    name = apply(run, text_of, run.evaluate(node.name, scope))

    def taken() -> str:
        reference = take(here.session, asked(name))
        labels = here.held | name.labels
        run.monitor.parts.entered.took_snapshot(reference, labels)
        if isinstance(here.session.provider, LabellingProvider):
            here.session.provider.label_snapshot(reference, frozenset(labels.names()))
        return reference

    def effect(ready: Ready) -> Procedure[Came]:
        reference = yield Do(taken, blocking=True)
        return Came(reference)

    operation = ops.call(_SNAPSHOT, labels=(f"op:call:{_SNAPSHOT}",))
    plan = Plan(
        operations=(operation,), effect=effect, beside=here.held | name.labels, word=f"call:{_SNAPSHOT}"
    )
    return settled(run, run.monitor.perform(plan))

"""Asking guards: which values they see, and what their answers mean for an operation."""

from __future__ import annotations

from typing import Any

from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.guards import (
    BypassRefused,
    GuardContext,
    GuardOutcome,
    GuardsAllowed,
    GuardsChanged,
    GuardsDenied,
    GuardsRetry,
    OperationView,
    SelectedGuards,
    Timing,
    ToolsView,
    evaluate,
)
from sluicegate.flow.labels import ConflictMode, Labels
from sluicegate.flow.monitor.boundary import MOST_DEEP, asking, depth
from sluicegate.flow.monitor.effects.tools import CallPlace, Tools
from sluicegate.flow.monitor.parts import Parts
from sluicegate.flow.monitor.plan import Asked, Plan
from sluicegate.flow.monitor.steps import events
from sluicegate.flow.monitor.steps.settle import OperationRefused
from sluicegate.flow.policy.layer import STARTED
from sluicegate.flow.values import Labeled, pc

Row = tuple[Tools, CallPlace | None]
Passed = GuardsAllowed | GuardsChanged | None


def before(
    parts: Parts, plan: Plan, asked: tuple[Asked, ...], attempt: int, row: Row, noted: list[str]
) -> GuardsAllowed | GuardsChanged | GuardsRetry | None:
    """What the guards say of the inputs; None if none matches. Raises ``OperationRefused`` for a denial.

    ``noted`` gets the ids of the events about what they changed.
    """
    if plan.bypass is None and _silent(parts, Timing.BEFORE):
        return None
    values = _with_the_rest(plan)
    outcome = _ask(parts, plan, asked, Timing.BEFORE, values, attempt, row)
    return _passed(parts, plan, outcome, values, noted)


def after(
    parts: Parts,
    plan: Plan,
    asked: tuple[Asked, ...],
    value: Labeled[Any],
    attempt: int,
    row: Row,
    noted: list[str],
) -> GuardsAllowed | GuardsChanged | GuardsRetry | None:
    """What the guards say of the result; as ``before``."""
    if plan.bypass is None and _silent(parts, Timing.AFTER):
        return None
    outcome = _ask(parts, plan, asked, Timing.AFTER, (value,), attempt, row)
    return _passed(parts, plan, outcome, (value,), noted, var=plan.var or "@output")


def always(
    parts: Parts, plan: Plan, asked: tuple[Asked, ...], denial: Denial, attempt: int, row: Row
) -> None:
    """Tell the guards that keep account of a denial. What they say changes nothing."""
    if _silent(parts, Timing.ALWAYS) or depth() >= MOST_DEEP:
        return
    values = _with_the_rest(plan)
    view, taints = _view(parts, plan, asked), _taints(parts, values)
    selected = parts.guards.select(view, taints, Timing.ALWAYS)
    if selected.guards:
        with asking():
            evaluate(selected, _context(parts, view, Timing.BEFORE, values, taints, attempt, row, denial))


def changed(plan: Plan, outcome: GuardsChanged) -> Plan:
    """The plan as guards have changed it."""
    inputs = dict(zip(plan.inputs, outcome.values, strict=False))
    return plan.with_inputs(inputs)._replace(
        added=tuple(dict.fromkeys((*plan.added, *outcome.operation_labels))),
        environments=(*plan.environments, *outcome.environments),
    )


def nobody(plan: Plan, outcome: GuardsRetry) -> Denial:
    """The denial for a guard that asks for another input where there is nobody to ask."""
    return Denial(
        code=Code.GUARD_DENIED,
        operation=plan.shown,
        blocked_by=f"Guard {outcome.guard}",
        rule="retry",
        reason=f"The guard asks for another input: {outcome.hint}",
        operation_labels=plan.leaves,
        suggestions=("Give the operation a way to ask again, or give it another input",),
    )


def _ask(
    parts: Parts,
    plan: Plan,
    asked: tuple[Asked, ...],
    timing: Timing,
    values: tuple[Labeled[Any], ...],
    attempt: int,
    row: Row,
) -> GuardOutcome | None:
    view, taints = _view(parts, plan, asked), _taints(parts, values)
    selected = _selected(parts, plan, view, taints, timing)
    if not selected.guards:
        return None
    if depth() >= MOST_DEEP:
        raise OperationRefused(_too_deep(plan, selected), pc())
    with asking():
        return evaluate(selected, _context(parts, view, timing, values, taints, attempt, row))


def _selected(
    parts: Parts, plan: Plan, view: OperationView, taints: tuple[Labels, ...], timing: Timing
) -> SelectedGuards:
    selected = parts.guards.select(view, taints, timing)
    if plan.bypass is None:
        return selected
    found = parts.guards.bypass(selected, plan.bypass, view)
    if isinstance(found, BypassRefused):
        raise OperationRefused(found.denial, pc())
    return found


def _passed(
    parts: Parts,
    plan: Plan,
    outcome: GuardOutcome | None,
    values: tuple[Labeled[Any], ...],
    noted: list[str],
    *,
    var: str = "",
) -> GuardsAllowed | GuardsChanged | GuardsRetry | None:
    if outcome is None:
        return None
    for event in events.changes(plan, outcome.notes, values, var):
        done = parts.note(event)
        if isinstance(done, Denial):
            raise OperationRefused(done, pc() | outcome.labels)
        if done is not None:
            noted.append(done)
    if isinstance(outcome, GuardsDenied):
        raise OperationRefused(outcome.denial, pc() | outcome.labels, outcome.detail)
    return outcome


def _with_the_rest(plan: Plan) -> tuple[Labeled[Any], ...]:
    """The inputs; and, if the effect can see more than these, an empty value with the labels of that.

    So a guard on ``secret`` is asked about a function that has captured a secret, and about what happens in a
    branch on one without any input.
    """
    values = plan.values()
    rest = plan.beside | pc()
    if rest <= Labels.join_all(value.labels for value in values):
        return values
    return (*values, Labeled(None, rest))


def _silent(parts: Parts, timing: Timing) -> bool:
    """Whether there is no guard at all for that time: then not even the question is made."""
    return not parts.guards._index[timing]


def _taints(parts: Parts, values: tuple[Labeled[Any], ...]) -> tuple[Labels, ...]:
    return tuple(parts.taint(value.labels | pc()) for value in values)


def _view(parts: Parts, plan: Plan, asked: tuple[Asked, ...]) -> OperationView:
    labels = parts.labels_of(tuple(each.request for each in asked)) or plan.leaves
    if any(each.request.unread for each in asked):  # it could be any command that a guard watches
        labels = (*labels, *parts.guards.watched(STARTED))
    # A guard on ``exfil`` is asked about all that is done inside; one on ``op:call:send`` only about that call.
    around = {label for label in plan.within if label.startswith("op:")}.difference(plan.leaves)
    return plan.view(tuple(dict.fromkeys(name for name in (*labels, *plan.added) if name not in around)))


def _context(
    parts: Parts,
    view: OperationView,
    timing: Timing,
    values: tuple[Labeled[Any], ...],
    taints: tuple[Labels, ...],
    attempt: int,
    row: Row,
    denial: Denial | None = None,
) -> GuardContext:
    scope, place = row
    allowed = scope.allowed
    return GuardContext(
        operation=view,
        timing=timing,
        values=values,
        taints=taints,
        profile=parts.profile,
        policy=tuple(layer.name for layer in parts.layers.layers),
        tools=ToolsView(
            calls=scope.calls(place),
            allowed=None if allowed is None else tuple(sorted(allowed)),
            denied=tuple(sorted(scope.denied)),
            labels=scope.labels,
        ),
        attempt=attempt,
        denial=denial,
        conflict=ConflictMode(parts.layers.trustconflict),
    )


def _too_deep(plan: Plan, selected: SelectedGuards) -> Denial:
    names = ", ".join(each.guard.name for each in selected.guards[:3])
    return Denial(
        code=Code.GUARD_DENIED,
        operation=plan.shown,
        blocked_by=f"Guard {names}",
        rule=f"guards stand at most {MOST_DEEP} deep in guards",
        reason="An effect in a guard's body asks guards whose bodies have effects that ask guards again",
        operation_labels=plan.leaves,
        suggestions=("Let the guard's filter leave out what its own body does, such as op:log",),
    )

"""Arguments of an operation under the rules that policies have for them (``policy.arguments``; step 2 of ``procedure``)."""

from __future__ import annotations

from sluicegate.flow.denial import Denial
from sluicegate.flow.labels import EMPTY, Labels
from sluicegate.flow.monitor.opening import unseal
from sluicegate.flow.monitor.parts import Parts
from sluicegate.flow.monitor.plan import Plan
from sluicegate.flow.monitor.steps.settle import Failed
from sluicegate.flow.operations import Channel, OperationKind
from sluicegate.flow.policy.rules.arguments import Question, Ruled, alike, broken, denial_of
from sluicegate.flow.policy.rules.tool_names import plain
from sluicegate.flow.values import Labeled, LabeledFailure, labels_of


def shaping(plan: Plan, rules: tuple[Ruled, ...]) -> Labels:
    """The labels of the arguments that rules look into; a refusal tells of these."""
    if not rules:
        return EMPTY
    return Labels.join_all(labels_of(value) for value in _looked_into(_given(plan), rules).values())


def judged(parts: Parts, plan: Plan, rules: tuple[Ruled, ...], told: Labels) -> Denial | None:
    """The first rule that an argument does not meet. Raises ``Failed`` for an argument that is a value that failed."""
    if not rules:
        return None
    given = _looked_into(_given(plan), rules)
    try:
        values = {name: unseal(Labeled(value)) for name, value in given.items()}
    except LabeledFailure as error:
        raise Failed(error, told | error.labels) from None
    known = plan.known
    if known is None:
        known = frozenset(name for name in values if _is_own(parts, labels_of(given[name])))
    asked = Question(plan.ruled, values, known)
    for ruled in rules:
        found = broken(ruled, asked)
        if found is not None:
            labels = Labels.join_all(labels_of(given[name]) for name in alike(given, ruled.outer))
            return denial_of(ruled, found, plan.shown, labels, plan.leaves)
    return None


def _given(plan: Plan) -> dict[str, object]:
    """The arguments by the names that rules have for them. What stands under one name on two ways holds by both."""
    if plan.operation.kind is OperationKind.FETCH:
        headers = {name: value for (way, name), value in plan.inputs.items() if way is Channel.ARGUMENT}
        fetched = {name: value for (way, name), value in plan.inputs.items() if way is not Channel.ARGUMENT}
        fetched["method"] = plan.operation.name  # it is part of the name of the operation
        return {**fetched, "headers": headers} if headers else fetched
    found: dict[str, object] = {}
    for (way, name), value in plan.inputs.items():
        if way is not Channel.ENVIRONMENT:
            found[name] = [found[name], value] if name in found else value
    return found


def _looked_into(given: dict[str, object], rules: tuple[Ruled, ...]) -> dict[str, object]:
    """The arguments that rules speak of."""
    names = {plain(name) for ruled in rules for name in (ruled.outer, ruled.argument)}
    return {name: value for name, value in given.items() if plain(name) in names}


def _is_own(parts: Parts, labels: Labels) -> bool:
    """Whether a value is a program's own word, or comes from a source that policy trusts."""
    from_itself = labels == labels.declared and not parts.layers.untrusted(labels)
    return from_itself or parts.layers.vouches(labels)

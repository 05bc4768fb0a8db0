"""Guards in differential tests: generated guards over one value, through production and through the model."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from drt.flow.cases import Tree
from model import flow as model
from model.grants import evaluate as modelled_evaluate
from sluicegate.flow.guards import evaluate
from sluicegate.flow.guards.actions import (
    Action,
    AddLabels,
    Allow,
    AllowWith,
    Bless,
    ClearLabels,
    Deny,
    RemoveLabels,
    Retry,
)
from sluicegate.flow.guards.context import GuardContext, OperationView, Timing
from sluicegate.flow.guards.filters import Filter
from sluicegate.flow.guards.model import Guard, Rule
from sluicegate.flow.guards.outcomes import GuardsChanged, GuardsDenied, GuardsRetry
from sluicegate.flow.guards.privileges import Grant, Privileges
from sluicegate.flow.guards.registry import GuardRegistry
from sluicegate.flow.labels import Labels
from sluicegate.flow.values import Labeled

LABELS = ("secret", "secret:aws", "pii", "untrusted", "trusted", "src:mcp", "dir:/srv", "influenced")
FILTERS = ("*", "op:cmd", "op:show", "secret", "untrusted", "trusted", "src:mcp", "pii", "src")
ACTIONS = ("deny", "allow", "put", "retry", "add", "bless", "remove", "clear")


class GuardCase(NamedTuple):
    """``guards``: (filter, privileged, rules), a rule being (condition, action, labels)."""

    labels: list[str]
    value: int
    guards: list[Tree]


def generate(number: int) -> GuardCase:
    """Case ``number``."""
    rng = random.Random(f"guards {number}")
    guards = []
    for _ in range(rng.choice((1, 2, 2, 3, 4))):
        rules = []
        for _ in range(rng.choice((1, 1, 2))):
            condition = rng.choice(("always", "even", "large", *(f"has {label}" for label in LABELS)))
            action = rng.choice(ACTIONS[1:] if rng.random() < 0.6 else ACTIONS)
            rules.append([condition, action, sorted(rng.sample(LABELS, rng.choice((1, 1, 2))))])
        guards.append([rng.choice(FILTERS), rng.random() < 0.3, rules])
    return GuardCase(sorted(rng.sample(LABELS, rng.randrange(4))), rng.randrange(4), guards)


def production(case: GuardCase) -> Tree:
    """What production's guards make of a case: the kind of outcome, and the value that flows with its labels."""
    names = tuple(f"g{number}" for number, (_, privileged, _) in enumerate(case.guards) if privileged)
    registry = GuardRegistry(privileges=Privileges(Grant(source="configuration", names=names)))
    for number, (word, _, rules) in enumerate(case.guards):
        made = tuple(
            Rule(when=_when(condition), then=_then(action, labels)) for condition, action, labels in rules
        )
        registry.add(Guard(name=f"g{number}", timing=Timing.BEFORE, filter=Filter.of(word), rules=made))
    labels = Labels.of(*case.labels)
    value: Labeled[object] = Labeled(case.value, labels)
    operation = OperationView(
        kind="cmd",
        name="git",
        labels=("op:cmd:git",),
        shown="git",
        arguments=(value,),
        spell=lambda values: values[0].map(str),
    )
    context = GuardContext(operation=operation, timing=Timing.BEFORE, values=(value,), taints=(labels,))
    found = evaluate(registry.select(operation, (labels,), Timing.BEFORE), context)
    if isinstance(found, GuardsDenied):
        return ["deny"]
    if isinstance(found, GuardsRetry):
        return ["retry"]
    if isinstance(found, GuardsChanged):
        (flowing,) = found.values
        content: list[object] = []
        flowing.map(content.append)
        return ["flows", content[0], list(flowing.labels.names())]
    return ["flows", case.value, list(labels.names())]


def _when(condition: str) -> Any:
    kind, _, label = condition.partition(" ")
    if kind == "always":
        return None
    if kind == "has":
        return lambda context: context.has(label)
    return lambda context: context.input.map(lambda value: _holds(kind, value))


def _holds(kind: str, value: int) -> bool:
    return value % 2 == 0 if kind == "even" else value > 2


def _then(action: str, labels: list[str]) -> Any:
    if action == "put":
        return lambda context: AllowWith(value=context.input.map(lambda value: value + 1))
    actions: dict[str, Action] = {
        "deny": Deny(reason="no"),
        "allow": Allow(),
        "retry": Retry(hint="again"),
        "add": AddLabels(names=tuple(labels)),
        "bless": Bless(),
        "remove": RemoveLabels(names=tuple(labels)),
        "clear": ClearLabels(),
    }
    return actions[action]


def modelled(case: GuardCase) -> Tree:
    """What the reference model makes of a case."""
    guards = [_guard(*given) for given in case.guards]
    kind, value = modelled_evaluate(guards, (frozenset(case.labels), case.value))
    return [kind] if value is None else [kind, value[1], sorted(value[0])]


def _guard(word: str, privileged: bool, rules: list[Tree]) -> Any:
    def about(value: Any) -> bool:
        if word == "*" or word.startswith("op:"):
            return word == "*" or model.covers(word, "op:cmd:git")
        return model.holds(value[0], word)

    def answer(value: Any) -> Any:
        labels, number = value
        for condition, action, named in rules:
            kind, _, label = condition.partition(" ")
            holds = model.holds(labels, label) if kind == "has" else kind == "always" or _holds(kind, number)
            if holds and action in ("deny", "retry"):
                return action, None
            if holds and action == "put":
                return "put", (labels, number + 1)
            if holds and action != "allow":
                changed = model.change(action, frozenset(named), labels, privileged)
                return ("refused", None) if changed is None else ("put", (changed, number))
            if holds:
                break
        return "pass", None

    return about, answer

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
    UseEnvironment,
)
from sluicegate.flow.guards.context import GuardContext, OperationView, Timing
from sluicegate.flow.guards.filters import Filter
from sluicegate.flow.guards.model import Guard, GuardRule
from sluicegate.flow.guards.outcomes import GuardsChanged, GuardsDenied, GuardsRetry
from sluicegate.flow.guards.privileges import Grant, Privileges
from sluicegate.flow.guards.registry import GuardRegistry
from sluicegate.flow.guards.round import MOST_RETRIES
from sluicegate.flow.labels import ConflictMode, Labels
from sluicegate.flow.policy.text.vocabulary import RISKS
from sluicegate.flow.values import Labeled

LABELS = (
    "secret", "secret:aws", "pii", "untrusted", "trusted", "src:mcp", "dir:/srv", "influenced", "llm", *RISKS, "exfil:mail",
)  # fmt: skip
NAMED = "mail.send"
FILTERS = (
    "*", "op:cmd", "op:show", "op:cmd:git:push", "secret", "untrusted", "trusted", "src:mcp", "pii", "src", "dir:/srv", "dir",
    "exfil", "net", "net:w", "destructive", "fn:send", "fn:mail.send", "fn:mail", "fn:other", "influenced",
)  # fmt: skip
ACTIONS = (
    "deny",
    "allow",
    "put",
    "retry",
    "add",
    "add to all",
    "bless",
    "remove",
    "clear",
    "environment",
    "fail",
)
OPERATION = ("op:cmd:git", "net:w")


class GuardCase(NamedTuple):
    """``guards``: (filter, privileged, rules, timing), a rule being (condition, action, labels)."""

    labels: list[str]
    value: int
    guards: list[Tree]
    conflict: str = "warn"
    attempt: int = 0


def generate(number: int) -> GuardCase:
    """Case ``number``."""
    rng = random.Random(f"guards {number}")
    guards = []
    for _ in range(rng.choice((1, 2, 2, 3, 4)) if rng.random() < 0.95 else rng.randrange(12)):
        rules = []
        for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3))):
            condition = rng.choice(("always", "even", "large", *(f"has {label}" for label in LABELS)))
            action = rng.choice(ACTIONS[1:-1] if rng.random() < 0.75 else ACTIONS)
            rules.append([condition, action, sorted(rng.sample(LABELS, rng.choice((0, 1, 1, 2, 3))))])
        timing = rng.choice(("before", "before", "before", "always", "after"))
        guards.append([rng.choice(FILTERS), rng.random() < 0.3, rules, timing])
    labels = sorted(rng.sample(LABELS, rng.choice((0, 1, 2, 3, 3, 6))))
    return GuardCase(
        labels,
        rng.randrange(4),
        guards,
        rng.choice([mode.value for mode in ConflictMode]),
        rng.choice((0, 0, 1, 2, 3, 4)),
    )


def production(case: GuardCase) -> Tree:
    """What production's guards make of a case: the kind of outcome, and the value that flows with its labels."""
    names = tuple(f"g{number}" for number, guard in enumerate(case.guards) if guard[1])
    registry = GuardRegistry(privileges=Privileges(Grant(source="configuration", names=names)))
    for number, (word, privileged, rules, timing) in enumerate(case.guards):
        made = tuple(
            GuardRule(when=_when(condition), then=_then(action, labels))
            for condition, action, labels in rules
        )
        registry.add(
            Guard(
                name=f"g{number}",
                timing=Timing(timing),
                filter=Filter.of(word),
                rules=made,
                privileged=not privileged,  # what it says of itself gives nothing
            )
        )
    labels = Labels.of(*case.labels)
    value: Labeled[object] = Labeled(case.value, labels)
    operation = OperationView(
        kind="cmd",
        name="git",
        labels=OPERATION,
        shown="git",
        function=NAMED,
        arguments=(value,),
        spell=lambda values: values[0].map(str),
    )
    context = GuardContext(
        operation=operation,
        timing=Timing.BEFORE,
        values=(value,),
        taints=(labels,),
        attempt=case.attempt,
        conflict=ConflictMode(case.conflict),
    )
    found = evaluate(registry.select(operation, (labels,), Timing.BEFORE), context)
    if isinstance(found, GuardsDenied):
        return ["deny"]
    if isinstance(found, GuardsRetry):
        return ["retry"]
    if isinstance(found, GuardsChanged):
        (flowing,) = found.values
        content: list[object] = []
        flowing.map(content.append)
        return [
            "flows",
            content[0],
            list(flowing.labels.names()),
            list(found.operation_labels),
            list(found.environments),
        ]
    return ["flows", case.value, list(labels.names()), [], []]


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
    return action_of(action, labels)


def action_of(action: str, labels: list[str]) -> Action | None:
    """Production's action of a word, but of ``put``, which needs a value."""
    actions: dict[str, Action | None] = {
        "deny": Deny(reason="no"),
        "allow": Allow(),
        "retry": Retry(hint="again"),
        "add": AddLabels(names=tuple(labels)),
        "add to all": AddLabels(names=tuple(labels), operation=True),
        "environment": UseEnvironment(config=labels),
        "fail": None,  # no action, so the guard has not decided
        "bless": Bless(),
        "remove": RemoveLabels(names=tuple(labels)),
        "clear": ClearLabels(),
    }
    return actions[action]


def modelled(case: GuardCase) -> Tree:
    """What the reference model makes of a case."""
    asked = [given for given in case.guards if given[3] != "after"]
    guards = [(*_guard(case, *given[:3]), given[3] == "always") for given in asked]
    kind, value = modelled_evaluate(guards, (frozenset(case.labels), case.value, (), ()))
    if value is None:
        return [kind]
    return [kind, value[1], sorted(value[0]), list(value[2]), [list(each) for each in value[3]]]


def _guard(case: GuardCase, word: str, privileged: bool, rules: list[Tree]) -> Any:
    def about(value: Any) -> bool:
        if word == "*" or word.startswith("fn:"):
            return word == "*" or word[3:] in (NAMED, NAMED.rpartition(".")[2])
        operation = not word.startswith(("src", "dir")) and model.holds((*OPERATION, *value[2]), word)
        return operation or (not word.startswith("op:") and model.holds(value[0], word))

    def answer(value: Any) -> Any:
        labels, number, operation, environments = value
        for condition, action, named in rules:
            kind, _, label = condition.partition(" ")
            holds = model.holds(labels, label) if kind == "has" else kind == "always" or _holds(kind, number)
            if not holds or action == "allow":
                if holds:
                    break
                continue
            if action in ("deny", "retry", "fail"):
                late = action == "retry" and case.attempt >= MOST_RETRIES
                return "deny" if late or action == "fail" else action, None
            if action == "put":
                return "put", (labels, number + 1, operation, environments)
            if action == "environment":
                return "put", (labels, number, operation, (*environments, named))
            strict = case.conflict == "error"
            changed = model.change(action.split()[0], frozenset(named), labels, privileged, strict)
            if changed is None:
                return "refused", None
            given = [each for each in named if action == "add to all" or each.split(":")[0] in RISKS]
            new = [each for each in given if action[:3] == "add" and not {each} & {*OPERATION, *operation}]
            return "put", (changed, number, (*operation, *new), environments)
        return "pass", None

    return about, answer

"""Non-interference, tried: the same program twice under the same policies, with different secrets.

The program runs over production's monitor, labelled values and branches, and as the reference model says; both
must do the same. What does not carry the secret's label has to be the same in both runs, and so does whatever
arrives where the policies close that label.
"""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from drt.flow.cases import Tree
from drt.flow.cases import generate as generate_policies
from drt.flow.operations import CALLS, OPERATIONS
from drt.flow.sides import layers
from model import flow as model
from model.programs import MOST_STEPS, Endless, run, writes
from sluicegate.flow.denial import Denied
from sluicegate.flow.labels import Labels
from sluicegate.flow.monitor.monitor import Monitor
from sluicegate.flow.policy.layers import Layers
from sluicegate.flow.values import Labeled, branch, pc

LABEL = "secret:aws"
REGISTERS = "abcd"
DENIED = -1


class ProgramCase(NamedTuple):
    """Policies, a program, and the registers: labels and the value in each of two runs."""

    policies: list[Tree]
    program: Tree
    store: dict[str, list[Tree]]


def generate(number: int) -> ProgramCase:
    """Case ``number``."""
    rng = random.Random(f"programs {number}")
    policies = generate_policies(rng.choice(("ordinary", "hostile")), number).policies
    for policy in policies:
        policy.pop("capabilities", None)
        policy.pop("project", None)
    store = {}
    for register in REGISTERS:
        labels = set(rng.sample(("pii", "src:mcp", "trusted", "untrusted", "src:user"), rng.randrange(3)))
        value = rng.randrange(8)
        secret = rng.random() < 0.4
        store[register] = [
            sorted(labels | {LABEL} if secret else labels),
            value,
            rng.randrange(8) if secret else value,
        ]
    return ProgramCase(policies, _program(rng, 0), store)


def _program(rng: random.Random, depth: int) -> Tree:
    dice = rng.random()
    if dice < 0.35 and depth < 4:
        return ["seq", *(_program(rng, depth + 1) for _ in range(rng.choice((2, 3, 4))))]
    register, bit = rng.choice(REGISTERS), rng.randrange(3)
    if dice < 0.55 and depth < 4:
        return ["if", register, bit, _program(rng, depth + 1), _program(rng, depth + 1)]
    if dice < 0.62 and depth < 3:
        return ["while", register, bit, _program(rng, depth + 1)]
    if dice < 0.68:
        return ["label", register, [rng.choice(("pii", "internal"))]]
    takes = rng.sample(REGISTERS, rng.choice((0, 1, 1, 2)))
    return ["do", rng.choice(sorted(CALLS)), takes, register, rng.randrange(8)]


Trace = tuple[dict[str, tuple[frozenset[str], int]], list[Any]]


def monitored(found: Layers, case: ProgramCase, which: int) -> Trace:
    """What production's monitor makes of a run: the registers, and what was done and refused.

    After a branch, the program labels whatever either arm may have written, as the model says that it must.
    """
    monitor = Monitor(layers=found, cwd=Path("/"), screen=io.StringIO, log=io.StringIO)
    events: list[Any] = []
    operations = {name: _operation(monitor, name, events) for name in CALLS}
    store: dict[str, Labeled[int]] = {
        register: Labeled(row[which], Labels.of(*row[0])) for register, row in case.store.items()
    }
    steps = [0]

    def do(name: str, takes: list[str], into: str, more: int) -> None:
        labels, happened = (
            Labels.join_all((pc(), *(store[register].labels for register in takes))),
            len(events),
        )
        try:
            store[into] = operations[name](more, *(store[register] for register in takes))
        except Denied:
            store[into] = Labeled(DENIED, labels)
        if len(events) == happened:
            assert labels <= store[into].labels, "a denial carries the labels of what was denied"
            events.append(("refused", name, frozenset(labels.names()), ()))
            store[into] = Labeled(DENIED, labels)

    def step(program: Tree) -> None:
        steps[0] += 1
        if steps[0] > MOST_STEPS:
            raise Endless
        kind, *rest = program
        if kind == "seq":
            for part in rest:
                step(part)
        elif kind == "do":
            do(*rest)
        elif kind == "label":
            store[rest[0]] = Labeled(store[rest[0]], Labels.of(*rest[1]))
        else:
            register, bit, yes, *no = rest
            condition = store[register]
            if kind == "while":
                no, yes = [["seq"]], ["seq", yes, program]
            with branch(condition) as inside:
                step(yes if condition.map(lambda value: bool(value >> bit & 1)) else no[0])
            for each in writes(program):
                store[each] = Labeled(store[each], inside)

    step(case.program)
    return {register: (frozenset(v.labels.names()), _content(v)) for register, v in store.items()}, events


def _operation(monitor: Monitor, name: str, events: list[Any]) -> Callable[..., Any]:
    labels, source = CALLS[name]

    def body(more: int, *values: int) -> int:
        events.append(("done", name, frozenset(pc().names()), values))
        return (sum(values) + more) % 8

    made: Callable[..., Any] = monitor.operation(body, labels=set(labels), name=name, source=source)
    return made


def _content(value: Labeled[int]) -> int:
    found: list[int] = []
    value.map(found.append)
    return found[0]


class _Model:
    """What the reference model says."""

    def __init__(self, policies: list[Tree]) -> None:
        self.policies = policies

    def allowed(self, operation: str, labels: frozenset[str]) -> bool:
        return model.authorize(self.policies, OPERATIONS[operation], labels) is None

    def join(self, *sets: frozenset[str]) -> frozenset[str]:
        return model.join(*sets)

    def result(self, operation: str, inputs: list[frozenset[str]], pc: frozenset[str]) -> frozenset[str]:
        source = frozenset(filter(None, [CALLS[operation][1]]))
        return model.result_labels(self.policies, inputs, pc, source, operation == "ask")


def modelled(case: ProgramCase, which: int) -> Trace:
    """What the reference model makes of a run."""
    store = {register: (frozenset(row[0]), row[which]) for register, row in case.store.items()}
    after: Trace = run(_Model(case.policies), case.program, store)
    return after


def broken(case: ProgramCase) -> list[str]:
    """What does not hold of a case; empty when all does, or when a run does not come to its end."""
    found = layers(case.policies)
    try:
        traces = [monitored(found, case, which) for which in (1, 2)]
        same = traces == [modelled(case, which) for which in (1, 2)]
    except Endless:
        return []
    one, other = (events for _, events in traces)

    def seen(events: list[Any]) -> list[Any]:
        return [event for event in events if LABEL not in event[2]]

    def arrives(events: list[Any]) -> list[Any]:
        return [event for event in events if event[0] == "done" and _closed(case.policies, event[1])]

    claims = {
        "the monitor runs it as the model does": same,
        "what does not carry a label does not depend on it": seen(one) == seen(other),
        "what is closed to a label does not depend on it": arrives(one) == arrives(other),
    }
    return [name for name, holds in claims.items() if not holds]


def _closed(policies: list[Tree], operation: str) -> bool:
    """Whether the label alone cannot flow there, and so nothing that carries it can."""
    leaves = OPERATIONS[operation].leaves
    for policy in policies:
        risky = model.with_risks(policy, leaves)
        if not all(model.may_flow(policy, LABEL, leaf) for leaf in risky):
            return True
        if not model.keeps_builtin(policy, risky, {LABEL}):
            return True
    return False

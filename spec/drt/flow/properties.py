"""What must hold of production's layers for every case, said directly."""

from __future__ import annotations

import random
from collections.abc import Sequence

from drt.flow.cases import FlowCase, Tree
from drt.flow.operations import OPERATIONS
from drt.flow.sides import layers, request
from drt.flow.words import LABELS
from model import flow as model
from model.spelling import plain
from sluicegate.flow.labels import Labels
from sluicegate.flow.policy.layer import STARTED
from sluicegate.flow.policy.layers import Authorized, Layers
from sluicegate.flow.policy.request import Request

UNREAD = Request(kind="sh", leaves=("op:sh",), unread="some of it is not read")
"""Shell text that is not read."""
IN_TEXT = tuple(
    name
    for name, op in OPERATIONS.items()
    if all(any(model.covers(kind, leaf) for kind in STARTED) for leaf in op.leaves)
)
"""The operations that shell text can start: commands and code, without labels that their author declared."""


def broken(case: FlowCase) -> list[str]:
    """The names of the properties that a case breaks; none when all is well."""
    rng = random.Random(repr(case))
    asked = rng.sample(case.questions, min(4, len(case.questions)))
    everything, policies = layers(case.policies), case.policies
    said = list(map(plain, policies))
    alone = [layers([policy]) for policy in policies]
    backwards, shuffled = layers(policies[::-1]), layers([_shuffled(policy, rng) for policy in policies])
    fewer = layers(policies[1:])
    twice = layers([*policies, policies[0]])
    pairs = [
        (name, labels, rng.choice([label for label in LABELS if label != "trusted"]))
        for name, labels in asked
    ]
    others = [(name, labels, rng.choice(case.questions)[1]) for name, labels in asked]
    silent = not any(
        model.covers(label, "trusted") for policy in policies for label in policy.get("labels", {})
    )
    checks = {
        "layers are exact": all(
            _permits(everything, *one) == all(_permits(each, *one) for each in alone) for one in asked
        ),
        "adding a layer never permits more": all(
            _permits(fewer, *one) for one in asked if _permits(everything, *one)
        ),
        "order of layers does not matter": all(
            _permits(everything, *one) == _permits(backwards, *one) for one in asked
        ),
        "repetition of layers does not matter": all(
            _permits(everything, *one) == _permits(twice, *one) for one in asked
        ),
        "order of rules does not matter": all(
            _permits(everything, *one) == _permits(shuffled, *one) for one in asked
        ),
        "adding a label never permits more": all(
            _permits(everything, name, labels)
            for name, labels, more in pairs
            if marked(said, labels) and _permits(everything, name, [*labels, more])
        ),
        "joining never permits more": all(
            _permits(everything, name, labels)
            for name, labels, more in others
            if silent and marked(said, labels) and _permits(everything, name, model.join({*labels}, {*more}))
        ),
        "text that is not read is permitted nothing that a command is refused": all(
            _permits(everything, name, labels)
            for _, labels in asked
            if isinstance(everything.authorize(UNREAD, Labels.of(*labels)), Authorized)
            for name in rng.sample(IN_TEXT, 8)
        ),
    }
    return [name for name, holds in checks.items() if not holds]


def marked(policies: Sequence[Tree], labels: Sequence[str]) -> bool:
    """Whether a file that a policy distrusts by default carries the mark that it takes when it is read."""
    folders = [model.folder(label) for label in labels if label.startswith("dir:")]
    if "untrusted" in labels or not (folders or "src:file" in labels):
        return True
    return all(
        any(model.place(policy, folder, True) for folder in folders)
        or model.class_of(policy, "src:file") != model.UNTRUSTED
        for policy in policies
    )


def _permits(found: Layers, name: str, labels: Sequence[str]) -> bool:
    return isinstance(found.authorize(request(name), Labels.of(*labels)), Authorized)


def _shuffled(tree: Tree, rng: random.Random) -> Tree:
    """The same policy with its keys and lists in another order, and something twice in each list."""
    if isinstance(tree, dict):
        return {key: _shuffled(tree[key], rng) for key in rng.sample(sorted(tree), len(tree))}
    if isinstance(tree, list):
        return [*rng.sample(tree, len(tree)), *tree[:1]]
    return tree

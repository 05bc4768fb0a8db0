"""The two sides of a differential test of flow: the same case through production and through the model."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from drt.flow.cases import OPERATIONS, PATHS, FlowCase, Tree
from model import flow as model
from sluicegate.flow.labels import Labels
from sluicegate.flow.policy import kernels
from sluicegate.flow.policy import layers as production_layers
from sluicegate.flow.policy.document import Document
from sluicegate.flow.policy.layers import Layers
from sluicegate.flow.policy.places import Place
from sluicegate.flow.policy.request import CommandView, Request
from sluicegate.flow.policy.schema import Policy

PLACE = Place(base=model.BASE, home=model.HOME, resolve=lambda path: path)


production_layers.Dangers = cache(production_layers.Dangers)  # the same table for every case: compile it once


def layers(policies: list[Tree]) -> Layers:
    """Production's layers of these policies, as the loader makes them of a tree that has nothing wrong with it."""
    documents = [
        Document(policy=msgspec.convert(tree, Policy), name=f"layer {number}")
        for number, tree in enumerate(policies)
    ]
    return Layers(documents, place=PLACE)


@cache
def request(name: str) -> Request:
    """Production's request of an operation."""
    op = OPERATIONS[name]
    view = None
    if op.command is not None:
        view = CommandView(
            program=f"/usr/bin/{op.command.program}",
            basename=op.command.program,
            arguments=op.command.arguments,
            words=op.command.words,
            flags=op.command.flags,
        )
    return Request(kind=op.kind, leaves=op.leaves, command=view, paths=op.paths, hosts=op.hosts, shown=name)


def production(case: FlowCase) -> Tree:
    """What production makes of a case."""
    found = layers(case.policies)
    asked = [(name, Labels.of(*labels)) for name, labels in case.questions]
    sets = list(dict.fromkeys(labels for _, labels in asked))
    return {
        "decisions": [_decision(found, request(name), labels) for name, labels in asked],
        "allowed": [
            type(found.authorize(request(name), labels)).__name__ == "Allow" for name, labels in asked
        ],
        "untrusted": [found.untrusted(labels) for labels in sets],
        "joins": [list((one | other).names()) for one in sets for other in sets],
        "joined": list(Labels.join_all(sets).names()),
        "influenced": [found.influences(labels, model=made) for labels in sets for made in (False, True)],
        "entry": [list(found.entry_labels("src:file", path).names()) for path in PATHS],
    }


def _decision(found: Layers, asked: Request, labels: Labels) -> Any:
    prepared = found.prepare(asked)
    for number, layer in enumerate(found.layers):
        code = layer.decide(prepared, labels).code
        if code != kernels.PERMITTED:
            return [number, code]
    return None


def modelled(case: FlowCase) -> Tree:
    """What the reference model makes of a case."""
    policies = case.policies
    asked = [(OPERATIONS[name], frozenset(labels)) for name, labels in case.questions]
    sets = list(dict.fromkeys(labels for _, labels in asked))
    said = [model.authorize(policies, op, labels) for op, labels in asked]
    return {
        "decisions": [None if one is None else list(one) for one in said],
        "allowed": [one is None for one in said],
        "untrusted": [any(model.is_untrusted(each, labels) for each in policies) for labels in sets],
        "joins": [sorted(model.join(one, other)) for one in sets for other in sets],
        "joined": sorted(model.join(*sets)),
        "influenced": [model.influences(policies, labels, made) for labels in sets for made in (False, True)],
        "entry": [sorted(model.entry_labels(policies, "src:file", path)) for path in PATHS],
    }

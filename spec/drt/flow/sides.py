"""The two sides of a differential test of flow: the same case through production and through the model."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from drt.flow.cases import FlowCase, Tree
from drt.flow.operations import ALL
from drt.flow.words import PATHS
from model import flow as model
from model.capabilities import BASE, HOME
from model.spelling import plain
from sluicegate.flow.labels import Labels
from sluicegate.flow.policy import kernels
from sluicegate.flow.policy import layers as production_layers
from sluicegate.flow.policy.layers import Layers
from sluicegate.flow.policy.request import CommandView, Request, RequestHole
from sluicegate.flow.policy.rules.danger import Dangers
from sluicegate.flow.policy.rules.places import Place
from sluicegate.flow.policy.text.document import Document
from sluicegate.flow.policy.text.schema import Policy

ENTRIES = ("src:file", "src:mcp")
"""Where values of files enter from: the file system, and elsewhere."""
PLACE = Place(base=BASE, home=HOME, resolve=lambda path: path)


setattr(production_layers, "Dangers", cache(Dangers))  # noqa: B010  # the same table for every case: compile it once


def layers(policies: list[Tree]) -> Layers:
    """Production's layers of these policies, as the loader makes them of a tree that has nothing wrong with it."""
    return Layers([document(tree, number) for number, tree in enumerate(policies)], place=PLACE)


def document(tree: Tree, number: int) -> Document:
    """A policy as the loader gives it, and the project that it belongs to."""
    project = tree.get("project", {})
    policy = msgspec.convert({key: value for key, value in tree.items() if key != "project"}, Policy)
    return Document(
        policy=policy,
        name=f"layer {number}",
        base=project.get("base"),
        projectname=project.get("name"),
    )


@cache
def request(name: str) -> Request:
    """Production's request of an operation."""
    op = ALL[name]
    view = None
    if op.command is not None:
        view = CommandView(
            program=f"/usr/bin/{op.command.program}",
            basename=op.command.program,
            arguments=tuple(RequestHole() if each is None else each for each in op.command.arguments),
            words=tuple(RequestHole() if each is None else each for each in op.command.words),
            flags=op.command.flags,
            trusted_name=op.command.trusted,
            words_known=op.command.known,
        )
    return Request(
        kind=op.kind,
        leaves=op.leaves,
        command=view,
        paths=tuple((mode, path or "") for mode, path in op.paths),
        hosts=tuple(host or "" for host in op.hosts),
        whole=op.whole,
        shown=name,
    )


def production(case: FlowCase) -> Tree:
    """What production makes of a case."""
    found = layers(case.policies)
    asked = [(name, Labels.of(*labels)) for name, labels in case.questions]
    sets = list(dict.fromkeys(labels for _, labels in asked))
    return {
        "decisions": [_decision(found, request(name), labels) for name, labels in asked],
        "allowed": [
            type(found.authorize(request(name), labels)).__name__ == "Authorized" for name, labels in asked
        ],
        "untrusted": [found.untrusted(labels) for labels in sets],
        "joins": [list((one | other).names()) for one in sets for other in sets],
        "joined": list(Labels.join_all(sets).names()),
        "influenced": [found.influences(labels, model=made) for labels in sets for made in (False, True)],
        "entry": [list(found.entry_labels(source, path).names()) for source in ENTRIES for path in PATHS],
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
    policies = list(map(plain, case.policies))
    asked = [(ALL[name], frozenset(labels)) for name, labels in case.questions]
    sets = list(dict.fromkeys(labels for _, labels in asked))
    said = [model.authorize(policies, op, labels) for op, labels in asked]
    return {
        "decisions": [None if one is None else list(one) for one in said],
        "allowed": [one is None for one in said],
        "untrusted": [any(model.is_untrusted(each, labels) for each in policies) for labels in sets],
        "joins": [sorted(model.join(one, other)) for one in sets for other in sets],
        "joined": sorted(model.join(*sets)),
        "influenced": [model.influences(policies, labels, made) for labels in sets for made in (False, True)],
        "entry": [sorted(model.entry_labels(policies, source, path)) for source in ENTRIES for path in PATHS],
    }

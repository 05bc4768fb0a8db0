"""Short ways to make layers and requests for tests; nothing of the machine is looked at."""

from __future__ import annotations

from sluicegate.flow.denial import Denial
from sluicegate.flow.labels import Labels
from sluicegate.flow.policy.layers import Layers
from sluicegate.flow.policy.questions.sketch import sketch
from sluicegate.flow.policy.questions.table import authorize_all
from sluicegate.flow.policy.request import CommandView, Request
from sluicegate.flow.policy.rules.danger import Dangers
from sluicegate.flow.policy.rules.places import Place
from sluicegate.flow.policy.text.load import from_tree

PLACE = Place(base="/project", home="/home/user", resolve=lambda path: path)

DANGERS = Dangers(PLACE)


def layers(*trees: dict, place: Place = PLACE, projectname: str = "") -> Layers:
    """Layers from trees; the names are one, two, three ..."""
    names = ("one", "two", "three", "four", "five")
    documents = [from_tree(tree, name=name) for tree, name in zip(trees, names, strict=False)]
    dangers = DANGERS if place is PLACE else None
    return Layers(documents, place=place, projectname=projectname, dangers=dangers)


def ask(found: Layers, operation: str, *labels: str, declared: tuple[str, ...] = ()):
    """The decision about an operation written as a line."""
    requests = sketch(operation, place=found.place, declared=declared)
    return authorize_all(found, requests, Labels.of(*labels))


def denied(found: Layers, operation: str, *labels: str, declared: tuple[str, ...] = ()) -> bool:
    """Whether it is denied."""
    return isinstance(ask(found, operation, *labels, declared=declared), Denial)


def bare(*leaves: str, kind: str = "call") -> Request:
    """A request with these labels and nothing else."""
    return Request(kind=kind, leaves=leaves)


def run(*argv, flags: tuple[str, ...] = (), leaf: str = "", **fields) -> Request:
    """A command with these arguments, all of them words unless they begin with a dash."""
    program, *rest = argv
    words = tuple(each for each in rest if not (isinstance(each, str) and each.startswith("-")))
    given = {each for each in rest if isinstance(each, str) and each.startswith("-")}
    own = {"program": f"/usr/bin/{program}", "basename": program, "arguments": tuple(rest), "words": words}
    view = CommandView(**{**own, "flags": frozenset({*given, *flags}), **fields})
    return Request(kind="cmd", leaves=(leaf or f"op:cmd:{program}",), command=view, shown=f"cmd {program}")

"""Short questions to production, for checks that ask very many."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain, combinations

from drt.flow.cases import Tree
from drt.flow.sides import layers
from sluicegate.flow.labels import Labels
from sluicegate.flow.policy.layer import Prepared
from sluicegate.flow.policy.request import Request


def subsets(items: tuple[str, ...], most: int | None = None) -> Iterator[tuple[str, ...]]:
    """All subsets of some texts, of up to ``most``."""
    sizes = range(len(items) + 1 if most is None else most + 1)
    return chain.from_iterable(combinations(items, size) for size in sizes)


def layers_of(*policies: Tree) -> list[Callable[[str, tuple[str, ...]], int]]:
    """What each production layer says of an operation with one leaf and a value with these labels."""
    found = layers(list(policies))

    def asking(number: int) -> Callable[[str, tuple[str, ...]], int]:
        layer = found.layers[number]
        return lambda leaf, names: layer.decide(_prepared(leaf), labels_of(names)).code

    return [asking(number) for number in range(len(policies))]


@cache
def labels_of(names: tuple[str, ...]) -> Labels:
    """The set of these labels."""
    return Labels.of(*names)


@cache
def _prepared(leaf: str) -> Prepared:
    return layers([{"labels": {"pii": {}}}]).prepare(Request(kind="call", leaves=(leaf,)))

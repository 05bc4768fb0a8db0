"""How a statement ends: it goes on, it has returned, or it may have returned in a branch on labelled values."""

from __future__ import annotations

from sluicegate.flow.labels import EMPTY, Labels
from sluicegate.flow.values import Labeled
from sluicegate.script.evaluate.scope import Value
from sluicegate.tuples import NamedTuple


class Returned(NamedTuple):
    """A block has returned a value; that it did tells of these labels."""

    value: Value
    labels: Labels = EMPTY


class MayReturn(NamedTuple):
    """What follows depends on whether something with these labels has returned, which it has not."""

    labels: Labels


Outcome = Returned | MayReturn | None


def value_of(outcome: Outcome) -> Value:
    """The value of a block that ended so: null where it returned none. Which of these it is, and which value, tells of the labels
    of the branches in which something returned, or may have."""
    if outcome is None:
        return Labeled(None)
    return Labeled(outcome.value if isinstance(outcome, Returned) else None, outcome.labels)

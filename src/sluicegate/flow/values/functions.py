"""Functions over several labelled values; the change of labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from sluicegate.flow.labels import Labels
from sluicegate.flow.values.carrier import captured
from sluicegate.flow.values.contents import Failure
from sluicegate.flow.values.failures import attempt
from sluicegate.flow.values.labeled import (
    Labeled,
    apply,
    ask,
    lift,
    relabelled,
    wrap,
)

T = TypeVar("T")
R = TypeVar("R")


def relabel(value: Labeled[T], change: Callable[[Labels], Labels]) -> Labeled[T]:
    """The value with its labels changed, those of its shape and of each part.

    For the flow room: labels are only taken away as ``sluicegate.flow.labels.trust`` permits. Inside a branch the
    labels of the program counter stay on.
    """
    return relabelled(value, change)


def combine(function: Callable[..., R | Labeled[R]], *values: object) -> Labeled[R]:
    """The function's result over the contents of several values; as ``Labeled.map`` for one."""
    return apply(function, tuple(lift(value) for value in values), captured(function))


def select(condition: object, then: object, otherwise: object) -> Labeled[Any]:
    """One of two values, by a labelled condition; labelled by all three, whichever it is."""
    asked, yes, no = lift(condition), lift(then), lift(otherwise)
    labels, trail = asked.labels | yes.labels | no.labels, asked.trail | yes.trail | no.trail
    answer = attempt(ask, bool, asked)
    if isinstance(answer, Failure):
        return wrap(answer, labels, trail)
    return wrap(yes if answer else no, labels, trail)

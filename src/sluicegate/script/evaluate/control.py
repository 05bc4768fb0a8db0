"""Branches and failures: the one place where the evaluator asks values for their contents.

1. What depends on a value runs inside of a branch on it (``within``), so that all that is made there, and every effect that is
   tried, carries its labels. An error that leaves the branch is caught there: the result is a value that failed, and what
   comes after the branch runs as it would have.
2. A function of contents is applied by ``apply``. Where the program counter holds all labels already, it may ask for the
   contents, and an error is raised. Elsewhere the result is a value that failed.
3. What fails ends the script, all the same, where that tells of nothing but where values came from: ``src:``, ``dir:``, trust and
   influence. Whoever supplied such a value could have ended the script anyway; what they learn of it is nothing.
4. The labels of all conditions that were asked are kept, whichever way they went (``Conditions``): which effects there were
   tells of them, and whoever asks what happened is told no more than that (``nodes.ledger``).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from sluicegate.flow.errors import FlowError
from sluicegate.flow.labels import EMPTY, NO_TRAIL, Labels, head
from sluicegate.flow.monitor.boundary import catching
from sluicegate.flow.values import Labeled, LabeledFailure, asked, branch, labels_of, pc
from sluicegate.flow.values.contents import Failure
from sluicegate.flow.values.labeled import apply as apply_labelled
from sluicegate.script.evaluate.faults import BudgetExhausted, DeniedBefore, ScriptError, tells_of_denial
from sluicegate.script.evaluate.outcome import Outcome, value_of

if TYPE_CHECKING:
    from sluicegate.script.evaluate.run import Run
    from sluicegate.script.evaluate.scope import RunScope, Value
    from sluicegate.script.tree.node import Syntax

T = TypeVar("T")


class Conditions:
    """The labels of all conditions that a program has asked so far (4)."""

    __slots__ = ("labels",)

    def __init__(self) -> None:
        self.labels = EMPTY

    def asked(self, labels: Labels) -> None:
        """One more condition. Labels that the program counter has were those of a condition before."""
        if not labels <= self.labels:
            self.labels |= labels


_ORIGINS = frozenset({"src", "dir", "trusted", "untrusted", "influenced", "llm"})


@lru_cache(maxsize=4096)
def _of_origins(labels: Labels) -> bool:
    return all(head(name) in _ORIGINS for name in labels.names())


def may_end(labels: Labels) -> bool:
    """Whether an error with these labels may end the script (3)."""
    return labels <= pc() or _of_origins(labels)


def apply(run: Run, function: Callable[..., Any], *values: Value) -> Value:
    """The function's result over contents (2). It captures nothing that has labels, and raises ``ScriptError``."""
    labels, trail = EMPTY, NO_TRAIL
    for value in values:
        labels |= value.labels
        trail |= value.trail
    if labels <= pc():
        made = function(*[asked(value) for value in values])
        run.budget.made(made)
        return Labeled(made, labels, trail)

    def held(*contents: Any) -> Any:
        found = function(*contents)
        run.budget.made(found)
        return found

    return settled(run, apply_labelled(held, values))


def settled(run: Run, value: Value) -> Value:
    """The value; raises where it has failed and that may end the script (3)."""
    with branch(value.labels):
        if not asked(value.failed):
            return value
        words = value.failure
        denied = tells_of_denial(asked(words))
    if not may_end(value.labels):
        run.abandon(value)
        return value
    if denied:
        raise DeniedBefore(words)
    raise ScriptError("failed", "an operation on labelled values failed", words=words)


def failed(error: FlowError, labels: Labels) -> Value:
    """A value that failed with this error."""
    if isinstance(error, LabeledFailure):
        return apply_labelled(_again, (error.detail,), labels)
    return Labeled(Failure(type(error).__name__, str(error)), labels | labels_of(error))


def _again(words: str) -> Failure:
    kind, _, text = words.partition(": ")
    return Failure(kind, text)


def within(run: Run, labels: Labels, action: Callable[[], Value]) -> Value:
    """What the action gives inside of a branch on these labels (1)."""
    run.conditions.asked(labels)
    if labels <= pc():
        return action()
    try:
        with branch(labels), catching(labels):
            return action()
    except FlowError as error:
        return abandoned(run, error, labels)


class Depends:
    """The branches that what follows stands in; see ``following``."""

    __slots__ = ("_conditions", "_stack", "labels")

    def __init__(self, stack: ExitStack, conditions: Conditions) -> None:
        self._stack, self._conditions, self.labels = stack, conditions, EMPTY

    def on(self, labels: Labels) -> None:
        """All that follows depends on these labels."""
        self._conditions.asked(labels)
        if not labels <= pc():
            self.labels |= labels
            self._stack.enter_context(branch(labels))
            self._stack.enter_context(catching(labels))


def following(run: Run, action: Callable[[Depends], T], instead: Callable[[Value], T]) -> T:
    """What an action gives that goes into branches on its way and stays in them (1); ``instead``, if it fails in one."""
    depends: Depends | None = None
    try:
        with ExitStack() as stack:
            depends = Depends(stack, run.conditions)
            return action(depends)
    except FlowError as error:
        if depends is None or not depends.labels:
            raise
        return instead(abandoned(run, error, depends.labels))


def abandoned(run: Run, error: FlowError, labels: Labels) -> Value:
    """The value in place of what a branch would have given; the error again, where it may end the script (3)."""
    found = failed(error, labels)
    if isinstance(error, BudgetExhausted) or may_end(found.labels):
        raise error
    run.abandon(found)
    return found


def bound_on(run: Run, node: Syntax, scope: RunScope, labels: Labels) -> None:
    """Whether a ``var`` in a branch was reached, and so whether its name has a value after it, tells of these labels."""
    if labels <= pc():
        return
    values = scope.of_function().values
    for name in run.assigned_in(node):
        before = values.get(name)
        unset = Failure("ScriptError", f"`@{name}` has no value: what gives it one was not reached")
        values[name] = Labeled(unset if before is None else before, labels)


def value_after(run: Run, node: Syntax, scope: RunScope, outcome: Outcome) -> Value:
    """The value of a block that ended so, and ends here: what stands behind it does not depend on whether it has returned. What it
    has given names to does."""
    value = value_of(outcome)
    if outcome is not None:
        bound_on(run, node, scope, outcome.labels)
    return value


def container(run: Run, parts: object) -> Value:
    """A list or an object of values, if it is within the bounds."""
    value: Value = Labeled(parts)
    run.budget.made(value)
    return value


def truth(value: Value) -> bool:
    """Whether a value counts as true, inside of a branch on it: all but ``false``, ``null``, 0, and what is empty."""
    return bool(asked(value))

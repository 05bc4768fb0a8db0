"""How a refused or failed operation ends: as an exception, or as a labelled value that failed.

An exception is control flow. Whoever catches one learns something, and what he does next is not in any branch. So
the monitor raises only where nothing is learnt that has labels:

1. What a policy refuses, it refuses by labels alone; the refusal tells of the branches it stands in, and of the
   inputs that say what is asked (the path, the host, the argument vector).
2. What guards refuse tells, besides, of the conditions they asked.
3. An effect that fails tells of everything that went into it and came out of it; if it fails before any of that was
   touched (there is no such file, no such program), only of what 1 tells of.
4. If whoever catches errors around here gives them at least these labels (``boundary.caught``; outside of every
   operation: none), the error is raised. Otherwise the program goes on as it would have, and the result is a
   labelled value that failed: what is made of it fails too, and it says why where its labels may go.

5. A monitor that is set to raise failures, for development, raises in the place of 4 as well. The exception names the
   operation and the kind of error, and quotes no value; but that it was raised tells of one.

So what a program does after an operation on a labelled value does not depend on how that operation ended, and a
refusal inside a branch on a secret is not an oracle. A line in the log says that something failed, if policy lets those
labels go there; the ledger has the event in any case.
"""

from __future__ import annotations

from typing import Any

from sluicegate.flow.denial import Denial, Denied
from sluicegate.flow.errors import FlowError
from sluicegate.flow.labels import EMPTY, Labels, Trail
from sluicegate.flow.monitor.boundary import caught
from sluicegate.flow.monitor.opening import unseal
from sluicegate.flow.values import Labeled, LabeledFailure, attach, labels_of
from sluicegate.flow.values.contents import Failure
from sluicegate.flow.values.failures import failure_of
from sluicegate.flow.values.labeled import failure_for, wrap


class OperationRefused(Exception):
    """An operation is refused. ``labels`` are what the refusal tells of; ``detail`` a guard's labelled words."""

    def __init__(self, denial: Denial, labels: Labels = EMPTY, detail: Labeled[str] | None = None) -> None:
        super().__init__()
        self.denial, self.labels, self.detail = denial, labels, detail


class Failed(Exception):
    """An operation has failed. ``labels`` are what the error tells of."""

    def __init__(self, error: BaseException, labels: Labels) -> None:
        super().__init__()
        self.error, self.labels = error, labels


class OperationFailed(FlowError):
    """An operation could not be carried out. The message quotes no value."""

    code = "operation-failed"


def raises(end: OperationRefused | Failed) -> bool:
    """Whether an end may be told by an exception here (4)."""
    return end.labels <= caught()


def exception(end: OperationRefused | Failed) -> BaseException:
    """The exception that tells of an end."""
    error = Denied(end.denial) if isinstance(end, OperationRefused) else end.error
    attach(error, end.labels)
    return error


def told_in_development(shown: str, end: OperationRefused | Failed, result: Labeled[Any]) -> FlowError:
    """The exception in place of a result that failed (5)."""
    if isinstance(end, OperationRefused):
        return Denied(end.denial)
    return failure_for(result, what=f"{shown} failed with {type(end.error).__name__}")


def failed_value(end: OperationRefused | Failed, labels: Labels, trail: Trail) -> Labeled[Any]:
    """The labelled value that tells of an end; ``labels`` are those of all that went in."""
    if isinstance(end, OperationRefused):
        words = end.denial.reason
        if end.detail is not None:
            labels |= end.detail.labels
            words = unseal(end.detail)
        found = Failure("Denied", f"{end.denial.operation}: {words} ({end.denial.code})")
    elif isinstance(end.error, LabeledFailure):
        labels |= end.error.labels
        found = Failure("OperationFailed", unseal(end.error.detail))
    else:
        labels |= labels_of(end.error)  # of branches that it has left
        found = failure_of(end.error)
    return wrap(found, labels | end.labels, trail)

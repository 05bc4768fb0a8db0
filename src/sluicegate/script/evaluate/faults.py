"""What goes wrong while a script runs: a code, words that quote no value, and the place in the script."""

from __future__ import annotations

from typing import Final

from sluicegate.flow.denial import Denied
from sluicegate.flow.errors import FlowError
from sluicegate.flow.monitor.steps.settle import OperationFailed
from sluicegate.flow.values import Labeled, LabeledFailure, asked, branch
from sluicegate.script.source import SourceText
from sluicegate.script.tree.node import Syntax
from sluicegate.tuples import NamedTuple

_PLACE = "script_place"


class ScriptPlace(NamedTuple):
    """Where in which script."""

    source: SourceText
    start: int
    end: int


class ScriptError(FlowError):
    """A script does what cannot be done. ``words`` are those of what failed, with their labels, where it has any."""

    def __init__(self, code: str, message: str, *, hint: str = "", words: Labeled[str] | None = None) -> None:
        super().__init__(message, hint=hint)
        self.code, self.words = code, words


class DeniedBefore(ScriptError):
    """What a script does takes a value in the place of which stands that an operation was refused."""

    def __init__(self, words: Labeled[str]) -> None:
        super().__init__("denied", "an operation was denied", words=words)


_THROUGH_A_CALL: Final = f"{OperationFailed.__name__}: "
_DENIED: Final = (f"{Denied.__name__}: ", f"{DeniedBefore.__name__}: ")


class BudgetExhausted(ScriptError):
    """A script took more steps, or made more values, than it may. Nothing catches this."""


def placed(error: FlowError, source: SourceText, node: Syntax) -> None:
    """Note where an error came up, if nobody has: the innermost place is the one to show."""
    error.__dict__.setdefault(_PLACE, ScriptPlace(source, node.start, node.end))


def place_of(error: FlowError) -> ScriptPlace | None:
    """Where in a script an error came up."""
    found = error.__dict__.get(_PLACE)
    return found if isinstance(found, ScriptPlace) else None


def is_denial(error: FlowError) -> bool:
    """Whether an operation was refused. Whoever asks goes on in a branch on the error, or raises it again."""
    if isinstance(error, LabeledFailure):
        with branch(error.detail.labels):
            return tells_of_denial(asked(error.detail))
    return isinstance(error, (Denied, DeniedBefore))


def tells_of_denial(words: str) -> bool:
    """Whether the words of a failure are those of a refusal, through however many calls they have come."""
    while words.startswith(_THROUGH_A_CALL):
        words = words.removeprefix(_THROUGH_A_CALL)
    return words.startswith(_DENIED)

"""Functions that fail on a value that must not show.

That a function fails, and with what words, tells of the value it was given. So an error inside of ``map`` does
not come out of it: the result is a labelled value that *failed*. What is made of it fails as well, and the
program goes on as it would have. The failure comes out as ``LabeledFailure`` where the value itself may come
out: where the monitor opens it for an operation that may have it, or inside a branch that carries its labels.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from types import AsyncGeneratorType, CoroutineType, GeneratorType
from typing import TYPE_CHECKING, Any, Final

from sluicegate.flow.errors import FlowError
from sluicegate.flow.values.contents import Failure

if TYPE_CHECKING:
    from sluicegate.flow.labels import Labels, Trail
    from sluicegate.flow.values.labeled import Labeled

_LAZY: Final = (CoroutineType, GeneratorType, AsyncGeneratorType, map, filter, zip)
RUNS_LATER: Final = Failure(
    "TypeError", "the function gives something that runs later: give a list, or use amap() for a coroutine"
)


class LabeledFailure(FlowError):
    """A function that was applied to a labelled value has failed.

    ``labels`` and ``trail`` are those of the value; ``detail``, the error's own words, has the same labels.
    """

    code = "labeled-failure"

    def __init__(
        self, labels: Labels, trail: Trail, detail: Labeled[str], *, what: str = "a function failed"
    ) -> None:
        names = ", ".join(labels.names()) or "nothing"
        super().__init__(
            f"{what} on a value labelled {names}",
            hint="its words carry the same labels: see .failure, or go on with .recover(function)",
        )
        self.labels = labels
        self.trail = trail
        self.detail = detail


def attempt(function: Callable[..., Any], *arguments: Any) -> Any:
    """The result of a call, or a ``Failure``; an interruption (Ctrl-C, cancellation) passes.

    What passes is a new exception of its kind: one that comes out of the call leads back, through its
    traceback, to frames that hold what the function was working on.
    """
    passing: BaseException
    try:
        result = function(*arguments)
    except BaseException as error:  # noqa: BLE001 - the border of functions applied to labelled values
        again = interruption(error)
        if again is None:
            return failure_of(error)
        passing = again
    else:
        return result
    raise passing


async def attempt_async(function: Callable[..., Awaitable[Any]], *arguments: Any) -> Any:
    """As ``attempt``, for a coroutine function."""
    passing: BaseException
    try:
        result = await function(*arguments)
    except BaseException as error:  # noqa: BLE001 - the border of functions applied to labelled values
        again = interruption(error)
        if again is None:
            return failure_of(error)
        passing = again
    else:
        return result
    raise passing


def interruption(error: BaseException) -> BaseException | None:
    """A new exception in place of one that interrupts; None for an error, and for what holds others that may be errors."""
    if isinstance(error, (Exception, SystemExit, BaseExceptionGroup)):
        return None
    try:
        return type(error)()
    except Exception:  # noqa: BLE001 - one that is not made of nothing says something
        return None


def failure_of(error: BaseException) -> Failure:
    """What is kept of an error: its kind and its words."""
    kind = type(error).__name__
    try:
        return Failure(kind, str(error))
    except Exception:  # noqa: BLE001 - the border: the words of an error are a function of its own
        return Failure(kind, "")


def settled(result: Any) -> Any:
    """The result, unless it is code that would run after the call, outside of its branch."""
    if not isinstance(result, _LAZY):
        return result
    if isinstance(result, (CoroutineType, GeneratorType)):
        result.close()
    return RUNS_LATER

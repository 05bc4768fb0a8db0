"""Functions that fail on a value that must not show.

That a function fails, and with what words, tells of the value it was given. So an error inside of ``map`` does
not come out of it: the result is a labelled value that *failed*. What is made of it fails as well, and the
program goes on as it would have. The failure comes out as ``LabeledFailure`` where the value itself may come
out: where the monitor opens it for an operation that may have it, or inside a branch that carries its labels.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from types import AsyncGeneratorType, CoroutineType, GeneratorType
from typing import TYPE_CHECKING, Any, Final

from sluicegate.flow.errors import FlowError
from sluicegate.flow.values.contents import Failure

if TYPE_CHECKING:
    from sluicegate.flow.labels import Labels, Trail
    from sluicegate.flow.values.labeled import Labeled

_LAZY: Final = (CoroutineType, GeneratorType, AsyncGeneratorType, map, filter, zip)
_RAISES: Final = frozenset({"RAISE_VARARGS"})
_RAISING: Final = _RAISES | {"YIELD_VALUE", "RETURN_GENERATOR", "SEND", "YIELD_FROM"}
"""What code stands at that has raised an exception, or into which one was thrown (``generator.throw``)."""
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
        again = interruption(error, awaited=False)
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


def interruption(error: BaseException, *, awaited: bool = True) -> BaseException | None:
    """A new exception in place of one that comes from outside (Ctrl-C, a cancelled task, a coroutine that is closed);
    None for every other, whatever its class: the function has raised it, and that tells of what it was given.

    A ``KeyboardInterrupt`` that the function raises by a ``raise`` of its own is such another, and so is a cancellation
    that nobody asked the running task for. What was not ``awaited`` is closed by nobody. What it cannot tell apart: code that
    sends itself a signal, or cancels the task it runs in.
    """
    kind = type(error)
    if kind is KeyboardInterrupt:
        return None if _raised_by_code(error, _RAISING) else KeyboardInterrupt()
    if kind is GeneratorExit:
        return GeneratorExit() if awaited and not _raised_by_code(error, _RAISES) else None
    asyncio = sys.modules.get("asyncio")
    if asyncio is not None and kind is asyncio.CancelledError:
        return kind() if _cancelled() else None
    return None


def _cancelled() -> bool:
    """Whether somebody has asked for the running task to be cancelled."""
    import asyncio

    try:
        task = asyncio.current_task()
    except RuntimeError:  # no loop runs here
        return False
    return task is not None and task.cancelling() > 0


def _raised_by_code(error: BaseException, at_work: frozenset[str]) -> bool:
    """Whether Python code has raised this that was at one of these, other than one in a handler of signals."""
    import dis
    import signal

    trace = error.__traceback__
    if trace is None:
        return False
    handlers = {getattr(signal.getsignal(each), "__code__", None) for each in (signal.SIGINT, signal.SIGTERM)}
    while trace.tb_next is not None:
        if trace.tb_frame.f_code in handlers:
            return False
        trace = trace.tb_next
    code, at = trace.tb_frame.f_code, trace.tb_lasti
    return code not in handlers and dis.opname[code.co_code[at]] in at_work


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

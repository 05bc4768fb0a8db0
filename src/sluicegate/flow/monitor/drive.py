"""Two drivers for one decision path.

The monitor's procedure is a generator: it decides, and *yields* whatever touches the world as a ``Do``. ``run``
carries these out one after another in the calling thread; ``run_async`` awaits what can be awaited and moves what
blocks into a thread. Neither decides anything, so a program under asyncio gets exactly the decisions that it
would get without.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from types import GeneratorType
from typing import Any, Final, TypeVar, cast

from sluicegate.flow.errors import FlowError
from sluicegate.flow.values.failures import interruption
from sluicegate.tuples import NamedTuple

T = TypeVar("T")

_ITERABLE_COROUTINE: Final = 0x100  # inspect.CO_ITERABLE_COROUTINE: what types.coroutine made of a generator
_PLAIN: Final = frozenset({type(None), str, int, float, bool, bytes, tuple, list, dict})


class Do(NamedTuple):
    """Something to carry out. What it returns, or raises, comes back into the procedure.

    ``blocking``: it may take long (a command, a file, a keychain), so under asyncio it runs in a thread. A
    function of the program's own is not: it runs where it was called. ``awaited`` does the same under asyncio, where
    there is a better way than a thread (one that can be cancelled).
    """

    action: Callable[[], object]
    blocking: bool = False
    awaited: Callable[[], Awaitable[object]] | None = None


Procedure = Generator[Do, Any, T]


class NeedsAsync(FlowError):
    """A coroutine function was called through the synchronous door."""

    code = "needs-async"


def run(procedure: Procedure[T]) -> T:
    """Carry the procedure out in this thread."""
    result: T
    try:
        step = next(procedure)
        while True:
            reply: object = None
            failed: BaseException | None = None
            try:
                reply = step.action()
                if _awaitable(reply):
                    _discard(reply)
                    raise NeedsAsync("this operation is asynchronous", hint="await it: await call(...)")
            except BaseException as error:  # noqa: BLE001 - handed to the procedure, which decides
                failed = error
            step = _on(procedure, reply, failed)
    except StopIteration as end:
        result = end.value
    return result


async def run_async(procedure: Procedure[T]) -> T:
    """Carry the procedure out under asyncio."""
    import asyncio

    try:
        step = next(procedure)
        while True:
            reply: object = None
            failed: BaseException | None = None
            try:
                if step.awaited is not None:
                    reply = step.awaited()
                else:
                    reply = await asyncio.to_thread(step.action) if step.blocking else step.action()
                if _awaitable(reply):
                    reply = await cast("Awaitable[object]", reply)
            except BaseException as error:  # noqa: BLE001 - handed to the procedure, which decides
                failed = error
            step = _on(procedure, reply, failed)
    except StopIteration as end:
        return cast("T", end.value)


def _on(procedure: Procedure[T], reply: object, failed: BaseException | None) -> Do:
    """The next step, given how the last one ended.

    Outside of the handler that caught ``failed``, so that an error which the procedure raises has nothing of that one
    about it. ``GeneratorExit`` is not an error to a generator but the order to end; one that a function raised by itself is
    an error.
    """
    if failed is None:
        return procedure.send(reply)
    if isinstance(failed, GeneratorExit):
        if interruption(failed) is None:
            return procedure.throw(
                FlowError("the function raised GeneratorExit", hint="let it raise an error")
            )
        procedure.close()
        raise GeneratorExit
    return procedure.throw(failed)


def _awaitable(reply: object) -> bool:
    """What ``inspect.isawaitable`` says. To import that takes longer than most decisions."""
    if type(reply) in _PLAIN:
        return False
    if isinstance(reply, GeneratorType):
        return bool(reply.gi_code.co_flags & _ITERABLE_COROUTINE)
    return isinstance(reply, Awaitable)


def _discard(reply: object) -> None:
    """Close a coroutine that will not be awaited, so that it does not warn of that."""
    close = getattr(reply, "close", None)
    if close is not None:
        close()

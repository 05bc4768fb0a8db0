"""Branches follow the code into the threads that it starts.

A new thread starts with an empty context, and so outside of all branches; a pool runs what it is given in
threads that were started before. The first branch therefore wraps two methods of the standard library,
``threading.Thread.start`` and ``ThreadPoolExecutor.submit``, so that what is started inside a branch runs
inside it; likewise in what else restricts the code around (``counter.followed``). Where there is nothing, they do
what they always did. Pools of other makes: ``counter.carry``.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any

_LOCK = threading.Lock()
_following = False


def follow() -> None:
    """Put the wrapping in place, once in a process."""
    global _following
    if _following:
        return
    with _LOCK:
        if not _following:
            _wrap_threads()
            _wrap_pools()
            _following = True


def _wrap_threads() -> None:
    from sluicegate.flow.values.counter import bound, carry

    start = threading.Thread.start

    @functools.wraps(start)
    def start_inside(self: threading.Thread) -> None:
        if bound():
            # Set on the object, so that it holds for subclasses with a run() of their own.
            self.run = carry(self.run)  # type: ignore[method-assign]
        start(self)

    threading.Thread.start = start_inside  # type: ignore[method-assign]


def _wrap_pools() -> None:
    from concurrent.futures import Future, ThreadPoolExecutor

    from sluicegate.flow.values.counter import bound, carry, outside

    submit: Callable[..., Future[Any]] = ThreadPoolExecutor.submit

    @functools.wraps(submit)
    def submit_inside(
        self: ThreadPoolExecutor, fn: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Future[Any]:
        if not bound():
            return submit(self, fn, *args, **kwargs)
        # A worker that the pool starts for this task serves others after it, so it starts outside.
        return outside(submit, self, carry(fn), *args, **kwargs)

    ThreadPoolExecutor.submit = submit_inside  # type: ignore[method-assign,assignment]

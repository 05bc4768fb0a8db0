"""Much work over many processes or machines, in order, without losing a piece when a worker dies."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import chain, islice
from multiprocessing import resource_tracker
from typing import Any, Generic, NamedTuple, TypeVar

from sluicegate.vet.errors import VetError

CHUNK = 16
"""Pieces for each task at most: a task costs about a millisecond to hand over, a skill about ten to scan."""
_AHEAD = 2
"""Tasks for each of our own workers that are handed over ahead of the results."""
_HELD = 4
"""Times as many tasks as are handed over may wait for the first of them."""
_WINDOW = 64
"""Tasks that are handed over ahead to an executor of which we do not know how many workers it has."""

Piece = TypeVar("Piece")
Result = TypeVar("Result")


class Done(NamedTuple, Generic[Result]):
    """A piece whose result is known already; it keeps its place among the others."""

    result: Result


class Work(NamedTuple, Generic[Piece, Result]):
    """What is to be done with each piece.

    ``job`` runs in a worker: a function of a module, or a ``partial`` of one, picklable and small. It gives one result
    for each piece of a task. ``lost`` gives the result of a piece whose worker failed twice; the words say how.
    """

    job: Callable[[Sequence[Piece]], Sequence[Result]]
    lost: Callable[[Piece, str], Result]


class WorkerError(VetError):
    """No worker process could be started."""

    code = "worker"


class Stopped(Exception):
    """Somebody asked to stop; results that were not taken are thrown away."""


class _Task(NamedTuple, Generic[Piece, Result]):
    """Pieces that are handed over together, and those beside them that are done."""

    pieces: tuple[Piece | Done[Result], ...]
    future: Future[Sequence[Result]] | None

    @property
    def open(self) -> list[Piece]:
        return [piece for piece in self.pieces if not isinstance(piece, Done)]

    @property
    def ready(self) -> bool:
        return self.future is None or self.future.done()


def in_processes(
    pieces: Iterable[Piece | Done[Result]], work: Work[Piece, Result], *, workers: int
) -> Iterator[Result]:
    """The results in the order of ``pieces``, each as soon as it and all before it are there.

    1. Tasks go to a pool of processes, a few ahead of the results.
    2. When a process dies, the pool is made anew, and what it was handed is done again, each piece in a task alone.
    3. A piece whose own process dies too is ``lost``.

    When the caller stops taking results, the processes end at once.
    """
    pool = _Pool(work, workers)
    try:
        yield from _results(pieces, pool.submit, window=workers * _AHEAD, retry=pool.alone, stop=None)
    except BaseException:
        pool.kill()
        raise
    pool.close()


def in_executor(
    pieces: Iterable[Piece | Done[Result]],
    work: Work[Piece, Result],
    executor: Executor,
    *,
    stop: Future[Any] | None = None,
) -> Iterator[Result]:
    """The same in somebody's executor, which is neither made anew nor shut down.

    A task that fails, whatever the executor calls it, is done again, each piece in a task alone; where the executor
    takes no more, in a process of our own. A result for ``stop`` makes this raise ``Stopped``.
    """
    pool = _Pool(work, 1)

    def alone(piece: Piece) -> Result:
        try:
            future = executor.submit(work.job, [piece])
        except RuntimeError:  # shut down, or broken for good
            return pool.alone(piece)
        try:
            return future.result()[0]
        except (VetError, CancelledError):
            raise
        except Exception as error:  # noqa: BLE001  # a border: a worker may fail in any way
            return work.lost(piece, f"its worker failed twice ({type(error).__name__})")

    def submit(open_: Sequence[Piece]) -> Future[Sequence[Result]]:
        try:
            return executor.submit(work.job, open_)
        except RuntimeError as error:
            failed: Future[Sequence[Result]] = Future()
            failed.set_exception(error)
            return failed

    try:
        yield from _results(pieces, submit, window=_WINDOW, retry=alone, stop=stop)
    finally:
        pool.kill()


def _results(
    pieces: Iterable[Piece | Done[Result]],
    submit: Callable[[Sequence[Piece]], Future[Sequence[Result]]],
    *,
    window: int,
    retry: Callable[[Piece], Result],
    stop: Future[Any] | None,
) -> Iterator[Result]:
    tasks: deque[_Task[Piece, Result]] = deque()
    rest, size = _measured(iter(pieces), window)
    try:
        while True:
            while (
                len(tasks) < window * _HELD
                and sum(not task.ready for task in tasks) < window
                and (some := tuple(islice(rest, size)))
            ):
                open_ = [piece for piece in some if not isinstance(piece, Done)]
                tasks.append(_Task(some, submit(open_) if open_ else None))
            if not tasks:
                return
            if stop is not None and stop.done():
                raise Stopped
            if tasks[0].ready:
                yield from _of_task(tasks.popleft(), retry)
                continue
            waiting = [task.future for task in tasks if task.future is not None and not task.future.done()]
            wait([*waiting, *([] if stop is None else [stop])], return_when=FIRST_COMPLETED)
    finally:
        for task in tasks:
            if task.future is not None:
                task.future.cancel()


def _measured(pieces: Iterator[Piece], window: int) -> tuple[Iterator[Piece], int]:
    """The pieces, and how many make a task: fewer when there are few, so that every worker has some."""
    first = list(islice(pieces, CHUNK * min(window, 8)))
    return chain(first, pieces), max(1, min(CHUNK, len(first) // min(window, 8)))


def _of_task(task: _Task[Piece, Result], retry: Callable[[Piece], Result]) -> Iterator[Result]:
    found: Iterator[Result] | None = None
    if task.future is not None:
        try:
            found = iter(task.future.result())
        except (VetError, CancelledError):
            raise
        except Exception:  # noqa: BLE001  # a border: a worker may fail in any way
            found = None
    for piece in task.pieces:
        if isinstance(piece, Done):
            yield piece.result
        else:
            yield retry(piece) if found is None else next(found)


class _Pool(Generic[Piece, Result]):
    """Our own processes: many, which are made anew when one dies, and one for what may have been the reason."""

    def __init__(self, work: Work[Piece, Result], workers: int) -> None:
        self._work = work
        self._workers = workers
        self._many: ProcessPoolExecutor | None = None
        self._one: ProcessPoolExecutor | None = None

    def submit(self, pieces: Sequence[Piece]) -> Future[Sequence[Result]]:
        """Hand a task to the many."""
        for _ in range(2):
            if self._many is None:
                self._many = _processes(self._workers)
            try:
                with _deaf_children():
                    return self._many.submit(self._work.job, pieces)
            except RuntimeError:  # broken by a task before
                _kill(self._many)
                self._many = None
        raise WorkerError("worker processes cannot be started", hint=_GUARD)

    def alone(self, piece: Piece) -> Result:
        """The result of a piece in a process that does nothing else meanwhile."""
        from concurrent.futures.process import BrokenProcessPool

        if self._one is None:
            self._one = _started()
        try:
            with _deaf_children():
                future = self._one.submit(self._work.job, [piece])
            return future.result()[0]
        except BrokenProcessPool:
            _kill(self._one)
            self._one = None
            return self._work.lost(piece, "its examination ended the process that ran it, twice")
        except VetError:
            raise
        except Exception as error:  # noqa: BLE001  # a border: a worker may fail in any way
            return self._work.lost(piece, f"its worker failed twice ({type(error).__name__})")

    def close(self) -> None:
        """Let them go, now that all is done."""
        for pool in (self._many, self._one):
            if pool is not None:
                pool.shutdown(wait=True)

    def kill(self) -> None:
        """End all of them at once: what they still do is wanted by nobody."""
        for pool in (self._many, self._one):
            if pool is not None:
                _kill(pool)


_GUARD = 'In a script, begin the work under: if __name__ == "__main__":'


def _started() -> ProcessPoolExecutor:
    """One process that is known to run. Raises WorkerError when none does, which is no fault of any piece."""
    pool = _processes(1)
    try:
        with _deaf_children():
            future = pool.submit(bool)
        future.result()
    except RuntimeError:
        _kill(pool)
        raise WorkerError("worker processes cannot be started", hint=_GUARD) from None
    return pool


def _processes(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))


def _kill(pool: ProcessPoolExecutor) -> None:
    """End the processes of a pool, whatever they do. They hold nothing that has to be put away."""
    for process in list((getattr(pool, "_processes", None) or {}).values()):
        process.terminate()
    pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _deaf_children() -> Iterator[None]:
    """Processes started here never hear Ctrl-C: they leave it to the one that started them.

    The mask of blocked signals is inherited, so it holds from a child's first instruction on.
    """
    resource_tracker.ensure_running()  # starting it later would lift the mask
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

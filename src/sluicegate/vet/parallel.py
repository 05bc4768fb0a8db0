"""Much work over many processes or machines, in order, without losing a piece when a worker dies."""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager
from itertools import chain, islice
from multiprocessing import get_context, parent_process, resource_tracker
from threading import Lock, Thread
from types import ModuleType
from typing import Any, Generic, NamedTuple, ParamSpec, TypeVar

from sluicegate.vet.errors import VetError

CHUNK = 4
"""Pieces for each task at most: handing a task over costs about a millisecond, scanning a skill about ten, and whoever watches
sees a step for each task."""
_AHEAD = 2
"""Tasks for each of our own workers that are handed over ahead of the results."""
_HELD = 4
"""Times as many tasks as are handed over may wait for the first of them."""
_WINDOW = 64
"""Tasks that are handed over ahead to an executor of which we do not know how many workers it has."""

Piece = TypeVar("Piece")
Result = TypeVar("Result")
_P = ParamSpec("_P")
_T = TypeVar("_T")


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


_ONE = "Use no other process: --jobs 1, or jobs=1 of ScanConfig."


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
    pool, alone = Processes(workers), _Alone(work)
    try:
        yield from _results(
            pieces, lambda some: pool.submit(work.job, some), window=workers * _AHEAD, retry=alone, stop=None
        )
    except BaseException:
        pool.kill()
        raise
    finally:
        alone.kill()
    pool.shutdown()


def in_executor(
    pieces: Iterable[Piece | Done[Result]],
    work: Work[Piece, Result],
    executor: Executor,
    *,
    stop: Future[Any] | None = None,
) -> Iterator[Result]:
    """The same in somebody's executor, which is neither made anew nor shut down.

    A task that fails or is cancelled, whatever the executor calls it, is done again, each piece in a task alone; where the
    executor takes no more, in a process of our own. A result for ``stop`` makes this raise ``Stopped``.
    """
    ours = _Alone(work)
    # Our own processes cancel tasks when they are ended; another executor does when it loses what a task needs.
    ended = (VetError, CancelledError) if isinstance(executor, Processes) else (VetError,)

    def retry(piece: Piece) -> Result:
        if isinstance(executor, Processes):
            return ours(piece)
        try:
            future = executor.submit(work.job, [piece])
        except RuntimeError:  # shut down, or broken for good
            return ours(piece)
        try:
            return _whole(future.result(), 1)[0]
        except VetError:
            raise
        except Exception as error:  # noqa: BLE001  # a border: a worker may fail in any way
            return _failed_twice(work, piece, error)

    def submit(some: Sequence[Piece]) -> Future[Sequence[Result]]:
        try:
            return executor.submit(work.job, some)
        except RuntimeError as error:
            failed: Future[Sequence[Result]] = Future()
            failed.set_exception(error)
            return failed

    try:
        yield from _results(pieces, submit, window=_WINDOW, retry=retry, stop=stop, ended=ended)
    finally:
        ours.kill()


def _results(
    pieces: Iterable[Piece | Done[Result]],
    submit: Callable[[Sequence[Piece]], Future[Sequence[Result]]],
    *,
    window: int,
    retry: Callable[[Piece], Result],
    stop: Future[Any] | None,
    ended: tuple[type[Exception], ...] = (VetError, CancelledError),
) -> Iterator[Result]:
    """``ended`` are the errors of a task that end everything."""
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
                yield from _of_task(tasks.popleft(), retry, ended)
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


def _of_task(
    task: _Task[Piece, Result], retry: Callable[[Piece], Result], ended: tuple[type[Exception], ...]
) -> Iterator[Result]:
    found: Iterator[Result] | None = None
    if task.future is not None:
        try:
            found = iter(_whole(task.future.result(), len(task.open)))
        except ended:
            raise
        except Exception:  # noqa: BLE001  # a border: a worker may fail in any way
            found = None
    for piece in task.pieces:
        if isinstance(piece, Done):
            yield piece.result
        else:
            yield retry(piece) if found is None else next(found)


def _whole(results: Sequence[Result], number: int) -> Sequence[Result]:
    """The results of a task, if there is one for each piece: an executor that loses some has failed."""
    if len(results) != number or any(result is None for result in results):
        raise ValueError("the executor gave back something else than the results of its task")
    return results


class Processes(Executor):
    """Processes of our own as an executor that is made anew when one of them dies. May be used by several threads."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._lock = Lock()
        self._pool: ProcessPoolExecutor | None = None
        self._closed = False

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Hand over a call. Raises RuntimeError after ``shutdown``, and WorkerError where no process may be started."""
        with self._lock:
            if self._closed:
                raise RuntimeError("these processes are shut down")
            if sys.flags.ignore_environment and not sys.flags.safe_path:
                raise WorkerError(
                    "python -E starts processes that import from the current directory",
                    hint=f"Start it with -P or -I, too. {_ONE}",
                )
            for _ in range(2):
                try:
                    with _STARTING, _starting():
                        if self._pool is None:
                            self._pool = ProcessPoolExecutor(
                                self._workers, mp_context=get_context("spawn"), initializer=_end_with_parent
                            )
                        return self._pool.submit(fn, *args, **kwargs)
                except (BrokenExecutor, OSError):  # broken before, or just now
                    if self._pool is not None:
                        _kill(self._pool)
                    self._pool = None
        raise WorkerError("worker processes cannot be started", hint=_ONE)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the processes go when they are done."""
        with self._lock:
            self._closed = True
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=wait, cancel_futures=cancel_futures)

    def kill(self) -> None:
        """End all of them at once: what they still do is wanted by nobody."""
        with self._lock:
            self._closed = True
            pool, self._pool = self._pool, None
        if pool is not None:
            _kill(pool)


class _Alone(Generic[Piece, Result]):
    """One process for what may have ended another: each piece in a task by itself."""

    def __init__(self, work: Work[Piece, Result]) -> None:
        self._work = work
        self._one: Processes | None = None

    def __call__(self, piece: Piece) -> Result:
        """The result of a piece, or what it is when its process dies again."""
        if self._one is None:
            self._one = _started()
        try:
            return self._one.submit(self._work.job, [piece]).result()[0]
        except BrokenExecutor:
            self.kill()
            return self._work.lost(piece, "its examination ended the process that ran it, twice")
        except (VetError, CancelledError):
            raise
        except Exception as error:  # noqa: BLE001  # a border: a worker may fail in any way
            return _failed_twice(self._work, piece, error)

    def kill(self) -> None:
        """End the process, if there is one."""
        if self._one is not None:
            self._one.kill()
            self._one = None


def _failed_twice(work: Work[Piece, Result], piece: Piece, error: Exception) -> Result:
    return work.lost(piece, f"its worker failed twice ({type(error).__name__})")


def _started() -> Processes:
    """One process that is known to run. Raises WorkerError when none does, which is not fault of any piece."""
    process = Processes(1)
    try:
        process.submit(bool).result()
    except BrokenExecutor:
        process.kill()
        raise WorkerError("worker processes cannot be started", hint=_ONE) from None
    return process


def _end_with_parent() -> None:
    """Have this worker end when the scan that started it does, even by SIGKILL: it would wait for work for ever."""
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_behind, args=(parent.sentinel,), daemon=True).start()


def _end_behind(sentinel: int) -> None:
    from multiprocessing.connection import wait as wait_for

    wait_for([sentinel])
    os._exit(1)


def _kill(pool: ProcessPoolExecutor) -> None:
    """End the processes of a pool, whatever they do. They hold nothing that has to be put away."""
    for process in list((getattr(pool, "_processes", None) or {}).values()):
        process.terminate()
    pool.shutdown(wait=True, cancel_futures=True)


_STARTING = Lock()
"""Held while processes are started: what they inherit is the same for all threads."""
_SAFE_PATH = "PYTHONSAFEPATH"


@contextmanager
def _starting() -> Iterator[None]:
    """What processes inherit that are started here.

    1. They import nothing from the current directory. A process is started by ``python -c``, which looks there first,
       and it may be a folder of a stranger, whose ``multiprocessing.py`` would run.
    2. They never hear Ctrl-C: they leave it to the one that started them. The mask of blocked signals holds from their
       first instruction on.
    3. They do not import the script that began all this, as ``multiprocessing`` would have them do: what they run is in
       modules of ours, and a script without a guard around its work would begin anew in each of them.
    """
    named = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"  # 1
    try:
        resource_tracker.ensure_running()  # starting it later would lift the mask
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # 2
        script = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")  # 3
        try:
            yield
        finally:
            sys.modules["__main__"] = script
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    finally:
        if named is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = named

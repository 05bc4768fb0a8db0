"""Scans for event loops: what ``sluicegate.Scanner`` does, awaited.

    from sluicegate import aio

    async with aio.Scanner() as scanner:
        report = await scanner.scan("path/to/skill")
        async for result in scanner.scan_many(paths):
            ...

Skills are examined in processes of their own (``config.jobs`` of them, or those of an executor that you give), and
sources are opened in threads, so that the loop is never kept waiting. What is cancelled is given up at once: nothing of
it that has not begun begins, and what a worker already holds is thrown away when it is done.

Processes start anew from the program's main module: in a script, begin under ``if __name__ == "__main__":``.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection, Generator, Iterable, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from os import PathLike
from threading import Thread
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from sluicegate.vet.config import ScanConfig
from sluicegate.vet.errors import ConfigError
from sluicegate.vet.parallel import Processes, Stopped
from sluicegate.vet.scanner import Scanner as _Scanner
from sluicegate.vet.scanner import ScanRun, Unscanned

if TYPE_CHECKING:
    from sluicegate.vet.report import Report

__all__ = ["Scanner", "scan", "scan_many"]

_T = TypeVar("_T")
_Results = Generator["Report | Unscanned", None, None]
_THREADS = 32
"""Scans that are under way at the same time; more wait for their turn."""


async def scan(source: str | PathLike[str], config: ScanConfig | None = None) -> Report:
    """Scan one source (see ``sluicegate.scan``). Each call starts a process: for more, hold a ``Scanner``."""
    async with Scanner(config) as scanner:
        return await scanner.scan(source)


async def scan_many(
    sources: Iterable[str | PathLike[str]], config: ScanConfig | None = None
) -> AsyncGenerator[Report | Unscanned, None]:
    """Scan many sources; gives one result for each, in their order (see ``Scanner.scan_many``)."""
    async with Scanner(config) as scanner:
        results = scanner.scan_many(sources)
        try:
            async for result in results:
                yield result
        finally:
            await results.aclose()


class Scanner:
    """A ``sluicegate.Scanner`` that is awaited. Use it in an ``async with`` block, or ``aclose`` it.

    ``executor`` is one of yours (see ``sluicegate.executors``), which stays yours to shut down.
    """

    def __init__(self, config: ScanConfig | None = None, *, executor: Executor | None = None) -> None:
        self._config = ScanConfig() if config is None else config
        self._executor = executor
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="sluicegate")
        self._made: tuple[_Scanner, Executor] | None = None
        self._own: Processes | None = None
        self._making = asyncio.Lock()
        self._stops: set[Future[None]] = set()
        self._closed = False

    async def __aenter__(self) -> Scanner:
        """Make the rules ready. Raises ConfigError as ``sluicegate.Scanner`` does."""
        try:
            await self._ready()
        except BaseException:
            await self.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Let processes and threads go. What is still under way ends with a ConfigError."""
        self._closed = True
        for stop in self._stops:
            if not stop.done():
                stop.set_result(None)
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._threads.shutdown(wait=True)
        if self._own is not None:
            self._own.kill()

    async def scan(self, source: str | PathLike[str], *, changed: Collection[str] | None = None) -> Report:
        """Scan one source: see ``sluicegate.Scanner.scan``."""
        return await self._only(
            lambda scanner, run: scanner.results_of([source], run._replace(changed=changed))
        )

    async def scan_bytes(self, content: bytes | Mapping[str, bytes], *, name: str = "skill") -> Report:
        """Scan what is at hand: see ``sluicegate.Scanner.scan_bytes``."""
        return await self._only(lambda scanner, run: scanner.results_of_bytes(content, name, run))

    async def scan_many(
        self,
        sources: Iterable[str | PathLike[str]],
        *,
        resume: str | PathLike[str] | None = None,
        shard: tuple[int, int] | None = None,
        changed: Collection[str] | None = None,
    ) -> AsyncGenerator[Report | Unscanned, None]:
        """Scan many sources; gives one result for each, in their order: see ``sluicegate.Scanner.scan_many``."""
        how = ScanRun(resume=resume, shard=shard, changed=changed)

        def begin(scanner: _Scanner, run: ScanRun) -> _Results:
            return scanner.results_of(sources, how._replace(executor=run.executor, stop=run.stop))

        results = self._results(begin)
        try:
            async for result in results:
                yield result
        finally:
            await results.aclose()

    async def _only(self, begin: Callable[[_Scanner, ScanRun], _Results]) -> Report:
        results = self._results(begin)
        try:
            async for result in results:
                if isinstance(result, Unscanned):
                    raise result.error
                return result
        finally:
            await results.aclose()
        raise AssertionError("one source has one result")

    async def _results(
        self, begin: Callable[[_Scanner, ScanRun], _Results]
    ) -> AsyncGenerator[Report | Unscanned, None]:
        scanner, executor = await self._ready()
        stop: Future[None] = Future()
        results = begin(scanner, ScanRun(executor=executor, stop=stop))  # opens nothing yet
        self._stops.add(stop)
        step: Future[Report | Unscanned | None] | None = None
        try:
            while True:
                if self._closed:
                    raise _closed()
                step = self._threads.submit(next, results, None)
                result = await asyncio.wrap_future(step)
                if result is None:
                    return
                yield result
        except Stopped:
            raise _closed() from None
        finally:
            self._stops.discard(stop)
            if not stop.done():
                stop.set_result(None)
            self._put_away(results, step)

    def _put_away(self, results: _Results, step: Future[Report | Unscanned | None] | None) -> None:
        """Close what a scan had open, once its last step is over, and let nobody wait for it."""

        def close() -> None:
            if step is not None:
                wait([step])
            results.close()

        if self._closed:
            Thread(target=close).start()
        else:
            self._threads.submit(close)

    async def _ready(self) -> tuple[_Scanner, Executor]:
        if self._closed:
            raise _closed()
        async with self._making:
            if self._made is None:
                self._made = await asyncio.wrap_future(self._threads.submit(self._make))
            return self._made

    def _make(self) -> tuple[_Scanner, Executor]:
        scanner = _Scanner(self._config)
        if self._executor is not None:
            return scanner, self._executor
        self._own = Processes(self._config.jobs)
        return scanner, self._own


def _closed() -> ConfigError:
    return ConfigError("this scanner is closed", hint="Make a new one, or scan inside its async with block.")

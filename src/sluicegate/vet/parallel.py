"""Many skills over many processes, without losing one when a worker dies."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import lru_cache
from multiprocessing import resource_tracker

from sluicegate.vet.config import ScanConfig
from sluicegate.vet.inspect.catalogue import build_analyzers
from sluicegate.vet.inspect.rule import Analyzer, Sibling
from sluicegate.vet.intake.units import Unit
from sluicegate.vet.report import SkillReport
from sluicegate.vet.skill import scan_unit, unexamined

Near = Sequence[tuple[Unit, tuple[Sibling, ...]]]
"""Skills, each with those that stand near it in the source."""

CHUNK = 16
"""Skills for each task: a task costs about a millisecond to hand over, a skill about ten to scan."""


@lru_cache(maxsize=1)
def _analyzers(config: ScanConfig) -> tuple[Analyzer, ...]:
    return build_analyzers(config)


def scan_chunk(units: Near, config: ScanConfig) -> list[SkillReport]:
    """The unit of work in a worker: pure, deterministic, and picklable both ways."""
    analyzers = _analyzers(config)
    return [scan_unit(unit, config, analyzers, siblings) for unit, siblings in units]


def scan_in_parallel(
    units: Sequence[Unit],
    siblings: Sequence[tuple[Sibling, ...]],
    config: ScanConfig,
    *,
    workers: int,
    executor: Executor | None = None,
) -> Iterator[SkillReport]:
    """The reports of ``units`` in their order; ``siblings`` holds for each the skills near it.

    1. Chunks of units go to the workers.
    2. When a worker dies, every chunk that was not finished is scanned again, one skill in one process.
    3. A skill whose own process dies too is reported as not examined: a gap, so never SAFE.
    """
    paired = list(zip(units, siblings, strict=True))
    chunks = [paired[i : i + CHUNK] for i in range(0, len(paired), CHUNK)]
    if executor is not None:
        yield from _drain(executor, chunks, config)
        return
    with _pool(workers) as pool:
        try:
            yield from _drain(pool, chunks, config)
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))


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


def _drain(pool: Executor, chunks: Sequence[Near], config: ScanConfig) -> Iterator[SkillReport]:
    futures: list[Future[list[SkillReport]]]
    with _deaf_children():
        futures = [pool.submit(scan_chunk, chunk, config) for chunk in chunks]  # 1
    for chunk, future in zip(chunks, futures, strict=True):
        try:
            reports = future.result()
        except BrokenProcessPool:  # 2
            reports = [_alone(unit, siblings, config) for unit, siblings in chunk]
        yield from reports


def _alone(unit: Unit, siblings: tuple[Sibling, ...], config: ScanConfig) -> SkillReport:
    with _pool(1) as pool:
        try:
            with _deaf_children():
                future = pool.submit(scan_chunk, [(unit, siblings)], config)
            return future.result()[0]
        except BrokenProcessPool:  # 3
            return unexamined(unit, "its examination ended the process that ran it, twice", config.day)

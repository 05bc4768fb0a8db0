"""One skill, end to end: unit -> bundle -> views -> findings -> verdict -> report."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from itertools import count

from sluicegate.vet.config import ScanConfig
from sluicegate.vet.inspect.engine import inspect
from sluicegate.vet.inspect.rule import Analyzer, Sibling
from sluicegate.vet.intake.bundle import Bundle
from sluicegate.vet.intake.units import Unit, read_unit
from sluicegate.vet.intake.views.derive import derive_views
from sluicegate.vet.manifest import description_of
from sluicegate.vet.report import FileSummary, SkillReport
from sluicegate.vet.verdict.decision import judge
from sluicegate.vet.verdict.suppression import Baseline
from sluicegate.vet.verdict.types import Gap, GapReason


def scan_unit(
    unit: Unit, config: ScanConfig, analyzers: Sequence[Analyzer], siblings: tuple[Sibling, ...] = ()
) -> SkillReport:
    """Scan one skill of a source, beside ``siblings``, the other skills of it."""
    return scan_bundle(read_unit(unit, config.limits, config.exclude), config, analyzers, siblings)


def scan_bundle(
    bundle: Bundle, config: ScanConfig, analyzers: Sequence[Analyzer], siblings: tuple[Sibling, ...] = ()
) -> SkillReport:
    """Scan one bundle: its views, what is found in them, and the verdict."""
    with _collector_paused():
        return _scan_bundle(bundle, config, analyzers, siblings)


_COLLECTED_EVERY = 1024
"""Bundles after which the collector of cycles is let at everything."""
_scanned = count(1)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Without the collector of cycles: trees and views have none, and it would walk them again and again.

    What one bundle can hold is bounded by the limits. What is left of it is handed to the oldest generation
    as it is, so that the collector does not walk it now, once a bundle; now and then it walks everything.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            if next(_scanned) % _COLLECTED_EVERY == 0:
                gc.collect()
            elif gc.get_freeze_count() == 0:  # else somebody froze objects, and they are to stay frozen
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def _scan_bundle(
    bundle: Bundle, config: ScanConfig, analyzers: Sequence[Analyzer], siblings: tuple[Sibling, ...]
) -> SkillReport:
    views = derive_views(bundle, config.limits)
    inspection = inspect(bundle, views, analyzers, config, siblings)
    digests = [artifact.digest for artifact in bundle.artifacts]
    digest = bundle.digest_of(digests)
    verdict = judge(
        inspection.findings,
        inspection.gaps,
        baseline=config.baseline.of(bundle.name),
        today=config.day,
        bundle=digest,
    )
    return SkillReport(
        name=bundle.name,
        root=bundle.root,
        digest=digest,
        description=description_of(bundle, views.views),
        verdict=verdict,
        files=tuple(
            FileSummary(path=a.path, kind=a.kind, size=len(a.data), sha256=sha256, executable=a.executable)
            for a, sha256 in zip(bundle.artifacts, digests, strict=True)
        ),
        capabilities=inspection.capabilities,
        views=len(views.views),
    )


def unexamined(unit: Unit, why: str, today: date) -> SkillReport:
    """The report of a skill whose examination killed its process: a gap over the whole of it."""
    gap = Gap(path=unit.root or unit.name, reason=GapReason.ANALYSIS_FAILED, detail=why)
    return SkillReport(
        name=unit.name,
        root=unit.root,
        digest="",
        description="",
        verdict=judge((), (gap,), baseline=Baseline(), today=today),
        files=(),
        capabilities=(),
        views=0,
    )

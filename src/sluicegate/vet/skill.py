"""One skill, end to end: unit -> bundle -> views -> findings, and from there verdict -> report.

The first half is costly, and the same wherever and whenever it is done: it is what workers do and what is kept to
go on from. The second half is cheap, and depends on what a reviewer has accepted, on what
persons ruled, on which publishers are flagged and on the day.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count

from sluicegate.tuples import NamedTuple
from sluicegate.vet.config import ScanConfig
from sluicegate.vet.inspect.engine import inspect
from sluicegate.vet.inspect.ordered.programs import with_programs
from sluicegate.vet.inspect.rule import Analyzer, Capability, Sibling
from sluicegate.vet.inspect.siblings import HEAD, said
from sluicegate.vet.intake.bundle import Bundle
from sluicegate.vet.intake.publishers import PublisherFlag
from sluicegate.vet.intake.units import Unit, read_unit
from sluicegate.vet.intake.views.derive import derive_views
from sluicegate.vet.manifest import description_of, manifest_of
from sluicegate.vet.report import FileSummary, SkillReport
from sluicegate.vet.verdict.decision import judge, says_aimed_at_reviewers
from sluicegate.vet.verdict.types import Finding, Gap, GapReason, Verdict


class Examined(NamedTuple):
    """All that was seen of one skill, before any decision. ``digest`` is empty when nothing could be read."""

    name: str
    root: str
    digest: str
    description: str
    findings: tuple[Finding, ...]
    gaps: tuple[Gap, ...]
    files: tuple[FileSummary, ...]
    capabilities: tuple[Capability, ...]
    views: int
    declared: str = ""


def scan_unit(
    unit: Unit, config: ScanConfig, analyzers: Sequence[Analyzer], siblings: tuple[Sibling, ...] = ()
) -> SkillReport:
    """Scan one skill of a source, beside ``siblings``, the other skills of it."""
    return scan_bundle(read_unit(unit, config.limits, config.exclude), config, analyzers, siblings)


def scan_bundle(
    bundle: Bundle, config: ScanConfig, analyzers: Sequence[Analyzer], siblings: tuple[Sibling, ...] = ()
) -> SkillReport:
    """Scan one bundle: its views, what is found in them, and the verdict."""
    return judged(examine(bundle, config, analyzers, siblings), config)


def examine(
    bundle: Bundle, config: ScanConfig, analyzers: Sequence[Analyzer], siblings: tuple[Sibling, ...] = ()
) -> Examined:
    """Look at one bundle. Neither the baseline nor the day of the configuration is asked."""
    with _collector_paused():
        return _examine(bundle, config, analyzers, siblings)


def judged(seen: Examined, config: ScanConfig, publisher: str = "") -> SkillReport:
    """The report of a skill that was examined, and that came from ``publisher``."""
    flag = config.flags.against(publisher, seen.digest)
    findings = seen.findings if flag is None else (*seen.findings, _flagged(seen, flag))
    verdict = _judged(seen, findings, config)
    before = flagged_before(seen.digest, verdict, (file.path for file in seen.files), config)
    if before is not None:
        verdict = _judged(seen, (*findings, before), config)
    return SkillReport(
        name=seen.name,
        root=seen.root,
        digest=seen.digest,
        description=seen.description,
        verdict=verdict,
        files=seen.files,
        capabilities=seen.capabilities,
        views=seen.views,
        declared=seen.declared,
        publisher=publisher,
    )


def flagged_before(bundle: str, verdict: Verdict, paths: Iterable[str], config: ScanConfig) -> Finding | None:
    """What a verdict without it has to say of a skill that a flag rests on; None where the verdict says so by itself."""
    if not config.flags.flags or says_aimed_at_reviewers(verdict):
        return None
    flag = config.flags.found_in(bundle)
    if flag is None:
        return None
    from sluicegate.vet.inspect.recorded_rules import found_before  # most scans know of no flag

    return found_before(flag.publisher, bundle, paths)


def _judged(seen: Examined, findings: Sequence[Finding], config: ScanConfig) -> Verdict:
    return judge(
        findings,
        seen.gaps,
        baseline=config.baseline.of(seen.name),
        today=config.day,
        rulings=config.rulings.of(seen.digest),
        bundle=seen.digest,
    )


def _flagged(seen: Examined, flag: PublisherFlag) -> Finding:
    from sluicegate.vet.inspect.recorded_rules import flag_finding  # most scans know of no flag

    return flag_finding(flag, (file.path for file in seen.files))


def unexamined(unit: Unit, why: str) -> Examined:
    """What is known of a skill whose examination failed: a gap over the whole of it."""
    gap = Gap(path=unit.root or unit.name, reason=GapReason.ANALYSIS_FAILED, detail=why)
    return Examined(
        name=unit.name,
        root=unit.root,
        digest="",
        description="",
        findings=(),
        gaps=(gap,),
        files=(),
        capabilities=(),
        views=0,
    )


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


def _examine(
    bundle: Bundle, config: ScanConfig, analyzers: Sequence[Analyzer], siblings: tuple[Sibling, ...]
) -> Examined:
    views = with_programs(bundle, derive_views(bundle, config.limits), config.limits)
    inspection = inspect(bundle, views, analyzers, config, siblings)
    digests = [artifact.digest for artifact in bundle.artifacts]
    return Examined(
        name=bundle.name,
        root=bundle.root,
        digest=bundle.digest_of(digests),
        description=_unsaid(description_of(bundle, views.views), inspection.secrets),
        findings=inspection.findings,
        gaps=inspection.gaps,
        files=tuple(
            FileSummary(path=a.path, kind=a.kind, size=len(a.data), sha256=sha256, executable=a.executable)
            for a, sha256 in zip(bundle.artifacts, digests, strict=True)
        ),
        capabilities=inspection.capabilities,
        views=len(views.views),
        declared=_unsaid(said(manifest_of(bundle, views.views)[:HEAD])[0], inspection.secrets),
    )


def _unsaid(text: str, secrets: frozenset[str]) -> str:
    if not secrets:
        return text
    from sluicegate.vet.inspect.unsaid import Secrets  # most skills hold none

    return Secrets(secrets).masked(text)

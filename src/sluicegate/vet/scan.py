"""The main job: a source and its skills, each scanned, into one report."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from os import PathLike, fspath
from typing import TYPE_CHECKING, BinaryIO

from sluicegate.vet.config import ScanConfig
from sluicegate.vet.errors import ConfigError, NothingChanged
from sluicegate.vet.inspect.catalogue import assemble, disabled
from sluicegate.vet.inspect.rule import Analyzer
from sluicegate.vet.inspect.siblings import siblings_of
from sluicegate.vet.intake.sources import Unit, Units, open_source
from sluicegate.vet.intake.targets import without_query
from sluicegate.vet.intake.units import holding
from sluicegate.vet.report import Report, SkillReport, limits_of
from sluicegate.vet.skill import scan_unit
from sluicegate.vet.verdict.types import Finding

if TYPE_CHECKING:
    from concurrent.futures import Executor  # brings logging along, for a name in a signature

Progress = Callable[[int, int, str], None]
"""Called with (skills done, skills in all, name of the last one)."""

_UNITS_PER_WORKER = 8
"""Below this many skills for each process, starting another process costs more than it saves."""


def scan(
    source: str | PathLike[str],
    config: ScanConfig | None = None,
    *,
    stdin: BinaryIO | None = None,
    progress: Progress | None = None,
    executor: Executor | None = None,
    changed: Collection[str] | None = None,
) -> Report:
    """Scan ``source`` and say what was found.

    ``source`` is a directory, a file, an archive, a git or https URL, or ``-`` for a tar on ``stdin``. A
    directory or archive that holds many skills gives one ``SkillReport`` for each. The same bytes on the same day
    give the same report on every run, whatever the number of jobs and the order of files; the day is
    ``config.today``, or else that of the clock, in UTC. ``executor`` spreads the
    skills over anything that has the interface of ``concurrent.futures.Executor``; without one,
    ``config.jobs`` says how many processes may be used. ``changed`` are paths below a ``source`` that is a
    folder: of its skills, only those that hold one of them are scanned, beside all the others.

    Raises ``SourceError`` (the source cannot be read), ``NothingToInspect`` (it holds nothing that an agent
    would load), ``NothingChanged`` (no skill holds a changed file) and ``ConfigError`` (a rule file, baseline
    or setting is wrong); all are ``VetError``.
    """
    config, source = config or ScanConfig(), fspath(source)
    if config.today is None:  # the one place where a scan looks at a clock
        config = config._replace(today=datetime.now(UTC).date())
    analyzers, known = assemble(config)
    if not analyzers:
        raise ConfigError(
            "every rule is switched off", hint="Leave at least one rule on: see --rules and [rules]."
        )
    with open_source(source, config.limits, stdin=stdin) as opened:
        units = opened.units()
        wanted = _wanted(units, changed)
        skills = []
        for done, skill in enumerate(_scan_units(units.units, wanted, config, analyzers, executor), start=1):
            skills.append(skill)
            if progress is not None:
                progress(done, len(wanted), skill.name)
        fired = {finding.rule for skill in skills for finding in _every_finding(skill)}
        return Report(
            source=without_query(source),
            skills=tuple(skills),
            rules=tuple(known[name] for name in sorted(fired)),
            disabled=disabled(config, known),
            limits=limits_of(skills, online=config.online),
            unassigned=units.unassigned,
        )


def combine(reports: Sequence[Report]) -> Report:
    """One report of several sources: skills in the order given, each root under the name of its source."""
    if len(reports) == 1:
        return reports[0]
    return Report(
        source=", ".join(report.source for report in reports),
        skills=tuple(
            skill._replace(root=f"{report.source}/{skill.root}".rstrip("/"))
            for report in reports
            for skill in report.skills
        ),
        rules=tuple(
            sorted(
                {rule.id: rule for report in reports for rule in report.rules}.values(), key=lambda r: r.id
            )
        ),
        disabled=reports[0].disabled,
        limits=tuple(dict.fromkeys(limit for report in reports for limit in report.limits)),
        notes=tuple(dict.fromkeys(note for report in reports for note in report.notes)),
        unassigned=sum(report.unassigned for report in reports),
    )


def _every_finding(skill: SkillReport) -> Iterator[Finding]:
    verdict = skill.verdict
    yield from verdict.findings
    yield from verdict.listed
    yield from (s.finding for s in verdict.suppressed)


def _wanted(units: Units, changed: Collection[str] | None) -> list[int]:
    """Which of the units are to be scanned, by number."""
    if changed is None:
        return list(range(len(units.units)))
    wanted = holding(units, changed)
    if not wanted:
        raise NothingChanged("no skill holds a changed file: nothing was scanned")
    return wanted


def _scan_units(
    every: Sequence[Unit],
    wanted: Sequence[int],
    config: ScanConfig,
    analyzers: Sequence[Analyzer],
    executor: Executor | None,
) -> Iterable[SkillReport]:
    """The reports in order of units: here, or in processes when there is enough to share."""
    near = siblings_of(every)
    units, siblings = [every[number] for number in wanted], [near[number] for number in wanted]
    workers = min(config.jobs, len(units) // _UNITS_PER_WORKER)
    if executor is None and workers < 2:
        return (scan_unit(unit, config, analyzers, near) for unit, near in zip(units, siblings, strict=True))
    from sluicegate.vet.parallel import scan_in_parallel

    return scan_in_parallel(units, siblings, config, workers=workers, executor=executor)

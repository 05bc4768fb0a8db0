"""The main job in one call: a source and its skills, each scanned, into one report."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from os import PathLike
from typing import TYPE_CHECKING, BinaryIO

from sluicegate.vet.config import ScanConfig
from sluicegate.vet.report import Report
from sluicegate.vet.scanner import Progress, Scanner

if TYPE_CHECKING:
    from concurrent.futures import Executor  # brings logging along, for a name in a signature


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

    The scanner is kept for the next call with the same configuration, unless that names rule files of yours, which
    may change in between; a ``Scanner`` of your own keeps those, too.

    Raises ``SourceError`` (the source cannot be read), ``NothingToInspect`` (it holds nothing that an agent
    would load), ``NothingChanged`` (no skill holds a changed file) and ``ConfigError`` (a rule file, baseline
    or setting is wrong); all are ``VetError``.
    """
    config = config or ScanConfig()
    scanner = Scanner(config) if config.yara or config.online else _kept(config)
    return scanner.scan(source, stdin=stdin, progress=progress, executor=executor, changed=changed)


@lru_cache(maxsize=1)
def _kept(config: ScanConfig) -> Scanner:
    return Scanner(config)


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

"""The skills of a source as reviewers would be shown them: read, scanned unless a report is at hand, and mediated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from sluicegate.tuples import NamedTuple
from sluicegate.vet.errors import ConfigError
from sluicegate.vet.inspect.ordered.programs import with_programs
from sluicegate.vet.inspect.siblings import siblings_of
from sluicegate.vet.intake.bundle import Bundle
from sluicegate.vet.intake.sources import open_source
from sluicegate.vet.intake.views.derive import derive_views
from sluicegate.vet.report import Report, SkillReport
from sluicegate.vet.review.mediator.mediate import mediate
from sluicegate.vet.review.mediator.packages import Packages
from sluicegate.vet.review.mediator.settings import MediatorSettings
from sluicegate.vet.review.mediator.subject import ReviewSubject
from sluicegate.vet.scanner import Piece, Scanner
from sluicegate.vet.skill import judged


class MediatedSkill(NamedTuple):
    """One skill, and what its reviewers would be shown. ``name`` and ``root`` are untrusted."""

    name: str
    root: str
    digest: str
    packages: Packages


def mediated(
    target: str,
    scanner: Scanner,
    settings: MediatorSettings,
    *,
    report: Report | None = None,
    stdin: BinaryIO | None = None,
) -> Iterator[MediatedSkill]:
    """The skills of a source, in order of path.

    1. Each skill is read.
    2. What was found in it is in the report, which must be of the very same bytes; without a report it is scanned.
    3. It is mediated.

    Raises ConfigError for a report of something else, and as a scan does.
    """
    config = scanner.config
    with open_source(target, config.limits, stdin=stdin) as source:
        units = source.units().units
        for unit, siblings in zip(units, siblings_of(units), strict=True):
            bundle = scanner.read(Piece(unit, siblings))  # 1
            views = with_programs(bundle, derive_views(bundle, config.limits), config.limits)
            skill = (  # 2
                judged(scanner.see(Piece(unit, siblings)).examined, config)
                if report is None
                else _of_report(report, bundle)
            )
            verdict = skill.verdict
            subject = ReviewSubject(
                bundle=bundle,
                views=views.views,
                findings=(*verdict.findings, *verdict.listed, *(each.finding for each in verdict.suppressed)),
                gaps=(*verdict.gaps, *(each.gap for each in verdict.accepted_gaps)),
                capabilities=skill.capabilities,
                declared=skill.declared,
                description=skill.description,
            )
            yield MediatedSkill(bundle.name, bundle.root, bundle.digest, mediate(subject, settings))  # 3


def _of_report(report: Report, bundle: Bundle) -> SkillReport:
    """What a report says of these very bytes."""
    of_root = [skill for skill in report.skills if skill.root == bundle.root]
    for skill in of_root:
        if skill.digest == bundle.digest:
            return skill
    what = f"the skill at {bundle.root or 'its root'}"
    raise ConfigError(
        f"the report is of other bytes: {what} has changed"
        if of_root
        else f"the report knows nothing of {what}",
        hint="Scan this very target again, with the same limits and exclusions: sluicegate scan TARGET -o json:FILE",
    )

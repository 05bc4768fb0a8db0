"""The skills of a source as reviewers would be shown them: read, scanned unless a report is at hand, and mediated."""

from __future__ import annotations

from typing import BinaryIO

from sluicegate.tuples import NamedTuple
from sluicegate.vet.errors import ConfigError
from sluicegate.vet.inspect.ordered.programs import with_programs
from sluicegate.vet.inspect.recorded_rules import FLAGGED_SKILL
from sluicegate.vet.inspect.siblings import siblings_of
from sluicegate.vet.intake.bundle import Bundle
from sluicegate.vet.intake.sources import open_source
from sluicegate.vet.intake.views.derive import derive_views
from sluicegate.vet.report import Report, SkillReport
from sluicegate.vet.review.mediator.mediate import mediate
from sluicegate.vet.review.mediator.settings import MediatorSettings
from sluicegate.vet.review.mediator.subject import ReviewSubject
from sluicegate.vet.review.panel.case import ReviewCase, case_of
from sluicegate.vet.scanner import Piece, Progress, Scanner
from sluicegate.vet.skill import judged


class MediatedSkill(NamedTuple):
    """One skill: what was found in it, what a reviewer may speak of, and what its reviewers would be shown."""

    skill: SkillReport
    case: ReviewCase


class MediatedTarget(NamedTuple):
    """The skills of a source, in order of path, and how many of its files belong to none."""

    name: str
    skills: tuple[MediatedSkill, ...]
    unassigned: int


def mediated(
    target: str,
    scanner: Scanner,
    settings: MediatorSettings,
    *,
    report: Report | None = None,
    stdin: BinaryIO | None = None,
    progress: Progress | None = None,
) -> MediatedTarget:
    """The skills of a source, in order of path.

    1. Each skill is read.
    2. What was found in it is in the report, which must be of the very same bytes; without a report it is scanned.
    3. It is mediated. That it was flagged before is said of a verdict, and shown to nobody: else what is asked, and with it
       the docket that a person rules on, would be another as soon as a review has flagged it.

    Raises ConfigError for a report of something else, and as a scan does.
    """
    with open_source(target, scanner.config.limits, stdin=stdin) as source:
        units = source.units()
        skills, publisher = [], scanner.config.flags.publisher_of(target)
        for unit, siblings in zip(units.units, siblings_of(units.units), strict=True):
            skills.append(_mediated(Piece(unit, siblings), scanner, settings, report, publisher))
            if progress is not None:
                progress(len(skills), len(units.units), unit.name)
        return MediatedTarget(target, tuple(skills), units.unassigned)


def _mediated(
    piece: Piece, scanner: Scanner, settings: MediatorSettings, report: Report | None, publisher: str
) -> MediatedSkill:
    config = scanner.config
    bundle = scanner.read(piece)  # 1
    views = with_programs(bundle, derive_views(bundle, config.limits), config.limits)
    skill = (  # 2
        judged(scanner.see(piece).examined, config, publisher)
        if report is None
        else _of_report(report, bundle)
    )
    verdict = skill.verdict
    found = (*verdict.findings, *verdict.listed, *(each.finding for each in verdict.suppressed))
    subject = ReviewSubject(
        bundle=bundle,
        views=views.views,
        findings=tuple(each for each in found if each.rule != FLAGGED_SKILL.id),
        gaps=(*verdict.gaps, *(each.gap for each in verdict.accepted_gaps)),
        capabilities=skill.capabilities,
        declared=skill.declared,
        description=skill.description,
    )
    return MediatedSkill(skill, case_of(bundle.name, subject, mediate(subject, settings)))  # 3


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

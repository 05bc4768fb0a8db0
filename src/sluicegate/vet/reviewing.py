"""From targets to a report that a panel of models had a part in: scanned, mediated, put before the panel, decided."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sluicegate.tuples import NamedTuple
from sluicegate.vet.config import ScanConfig
from sluicegate.vet.mediation import MediatedSkill, MediatedTarget
from sluicegate.vet.report import Report, SkillReport
from sluicegate.vet.review.panel.attempts import Surroundings
from sluicegate.vet.review.panel.case import ReviewCase
from sluicegate.vet.review.panel.events import PanelWatch, unwatched
from sluicegate.vet.review.panel.run import PanelReview, review_all
from sluicegate.vet.review.panel.settings import Amount, PanelSettings
from sluicegate.vet.review.panel.store import ReplyStore, ReviewRecordError
from sluicegate.vet.review.providers.asking import ModelProvider
from sluicegate.vet.review.providers.build import provider_of
from sluicegate.vet.review.providers.seats import SeatSettings
from sluicegate.vet.scan import combine
from sluicegate.vet.scanner import Scanner
from sluicegate.vet.skill import flagged_before
from sluicegate.vet.verdict.decision import is_condemning, judge_reviewed
from sluicegate.vet.verdict.envelope import Review, with_unasked
from sluicegate.vet.verdict.types import Severity, Verdict


class ReviewedSkill(NamedTuple):
    """One skill, and what its panel made of it; None: it was put before nobody, for the rules reject it by themselves."""

    skill: SkillReport
    case: ReviewCase
    panel: PanelReview | None


class ReviewedTargets(NamedTuple):
    """The report of all targets, each skill with its panel, what was spent, and how many replies were not recorded."""

    report: Report
    skills: tuple[ReviewedSkill, ...]
    spent: Amount
    unrecorded: int


def is_rejected_unseen(verdict: Verdict) -> bool:
    """Whether no model need see it: a rule found a CRITICAL attempt on the reviewer, and nothing that one says ends that."""
    return any(
        is_condemning(finding) and finding.severity is Severity.CRITICAL for finding in verdict.findings
    )


def to_be_asked(targets: Sequence[MediatedTarget], *, anyway: bool) -> tuple[ReviewCase, ...]:
    """The skills that are put before the panel. ``anyway``: those, too, that the rules reject by themselves."""
    return tuple(each.case for target in targets for each in target.skills if _is_asked(each, anyway=anyway))


def reviewed(
    targets: Sequence[MediatedTarget],
    scanner: Scanner,
    settings: PanelSettings,
    store: ReplyStore,
    *,
    now: int,
    anyway: bool = False,
    world: Surroundings | None = None,
    make: Callable[[SeatSettings], ModelProvider] = provider_of,
    watch: PanelWatch = unwatched,
) -> ReviewedTargets:
    """Put the skills of some targets before a panel, and decide with what it said. Blocks.

    ``now`` in seconds: when the replies were used, which the record notes.

    Raises ConfigError, InstructionsChanged and ReviewRecordError before anybody is asked.
    """
    made = review_all(
        to_be_asked(targets, anyway=anyway), settings, store, world=world, make=make, watch=watch
    )
    left = iter(made.reviews)
    reports, skills = [], []
    for target in targets:
        of_it = [
            _decided(each, next(left) if _is_asked(each, anyway=anyway) else None, scanner.config)
            for each in target.skills
        ]
        reports.append(scanner.report(target.name, [each.skill for each in of_it], target.unassigned))
        skills += of_it
    noted = _noted(skills, store, now)
    return ReviewedTargets(combine(reports), tuple(skills), made.spent, made.unrecorded + (not noted))


def _noted(skills: Iterable[ReviewedSkill], store: ReplyStore, now: int) -> bool:
    """Whether the record could note what each decision rests on."""
    try:
        for each in skills:
            if each.panel is not None:
                keys = (outcome.key for outcome in each.panel.outcomes if outcome.replies)
                store.use(each.skill.verdict.docket, keys, now)
    except ReviewRecordError:
        return False
    return True


def _is_asked(mediated: MediatedSkill, *, anyway: bool) -> bool:
    return anyway or not is_rejected_unseen(mediated.skill.verdict)


def _decided(mediated: MediatedSkill, panel: PanelReview | None, config: ScanConfig) -> ReviewedSkill:
    skill = mediated.skill
    if panel is not None:
        verdict = _verdict(skill, panel.review, config)
        paths = (file.path for file in skill.files)
        before = flagged_before(skill.publisher, skill.digest, verdict, paths, config)
        if before is not None:
            verdict = _verdict(skill, with_unasked(panel.review, before), config)
        skill = skill._replace(verdict=verdict)
    return ReviewedSkill(skill, mediated.case, panel)


def _verdict(skill: SkillReport, review: Review, config: ScanConfig) -> Verdict:
    return judge_reviewed(
        review,
        (*skill.verdict.gaps, *(each.gap for each in skill.verdict.accepted_gaps)),
        baseline=config.baseline.of(skill.name),
        today=skill.verdict.today,
        rulings=config.rulings.of(skill.digest),
        bundle=skill.digest,
    )

"""From targets to a report that a panel of models had a part in: scanned, mediated, put before the panel, decided."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from sluicegate.tuples import NamedTuple
from sluicegate.vet.config import ScanConfig
from sluicegate.vet.mediation import MediatedSkill, MediatedTarget
from sluicegate.vet.report import Report, SkillReport
from sluicegate.vet.review.monitored.monitor import DecisionTerms, ReviewMonitor
from sluicegate.vet.review.panel.attempts import Surroundings
from sluicegate.vet.review.panel.case import ReviewCase
from sluicegate.vet.review.panel.events import PanelWatch, unwatched
from sluicegate.vet.review.panel.outcomes import PanelReview
from sluicegate.vet.review.panel.run import review_all
from sluicegate.vet.review.panel.settings import Amount, PanelSettings
from sluicegate.vet.review.panel.store import ReplyStore, ReviewRecordError
from sluicegate.vet.review.providers.asking import ModelProvider
from sluicegate.vet.review.providers.build import provider_of
from sluicegate.vet.review.providers.seats import SeatSettings
from sluicegate.vet.scan import combine
from sluicegate.vet.scanner import Scanner
from sluicegate.vet.skill import flagged_before
from sluicegate.vet.verdict.admitted import worded
from sluicegate.vet.verdict.decision import is_condemning
from sluicegate.vet.verdict.envelope import with_unasked
from sluicegate.vet.verdict.types import Severity, Verdict

if TYPE_CHECKING:
    from sluicegate.record.ledger.ledger import Ledger


class ReviewedSkill(NamedTuple):
    """One skill, and what its panel made of it; None: it was put before nobody, for the rules reject it by themselves.

    ``events`` are those in the ledger that the decision follows from.
    """

    skill: SkillReport
    case: ReviewCase
    panel: PanelReview | None
    events: tuple[str, ...] = ()


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
    ledger: Ledger | None = None,
) -> ReviewedTargets:
    """Put the skills of some targets before a panel, and decide with what it said. Blocks.

    ``now`` in seconds: when the replies were used, which the record notes. With a ``ledger``, nothing is asked or decided
    without its event there.

    Raises ConfigError, InstructionsChanged and ReviewRecordError before anybody is asked, and ReviewDenied.
    """
    monitor = ReviewMonitor(ledger)
    made = review_all(
        to_be_asked(targets, anyway=anyway),
        settings,
        store,
        world=world,
        make=make,
        watch=watch,
        monitor=monitor,
    )
    left = iter(made.reviews)
    reports, skills = [], []
    for target in targets:
        of_it = [
            _decided(each, next(left) if _is_asked(each, anyway=anyway) else None, scanner.config, monitor)
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


def _decided(
    mediated: MediatedSkill, panel: PanelReview | None, config: ScanConfig, monitor: ReviewMonitor
) -> ReviewedSkill:
    skill = mediated.skill
    if panel is None:
        return ReviewedSkill(skill, mediated.case, panel)
    terms = DecisionTerms(
        gaps=(*skill.verdict.gaps, *(each.gap for each in skill.verdict.accepted_gaps)),
        baseline=config.baseline.of(skill.name),
        today=skill.verdict.today,
        rulings=config.rulings.of(skill.digest),
        bundle=skill.digest,
    )
    review = panel.review
    verdict, events = monitor.decide(panel.admitted, terms)
    paths = (file.path for file in skill.files)
    before = flagged_before(skill.digest, verdict, paths, config)
    if before is not None:
        verdict, events = monitor.decide(panel.admitted, terms._replace(unasked=before))
        review = with_unasked(review, before)
    skill = skill._replace(verdict=worded(verdict, review))
    return ReviewedSkill(skill, mediated.case, panel, events)

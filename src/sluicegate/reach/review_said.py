"""What is said of a review: before anything is sent, and in the report. Nothing here is escaped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from sluicegate.reach.report.words.wording import count
from sluicegate.vet.mediation import MediatedTarget
from sluicegate.vet.review.panel.attempts import NOT_RECORDED, OVER_BUDGET
from sluicegate.vet.review.panel.outcomes import NOT_PERMITTED, NOT_WHOLE, PackageOutcome
from sluicegate.vet.review.panel.plan import ReviewPlan, SeatPlan
from sluicegate.vet.review.panel.settings import Amount, PanelSettings, Recall
from sluicegate.vet.reviewing import ReviewedTargets, is_rejected_unseen
from sluicegate.vet.verdict.consensus import Vote

_WHY = {
    NOT_RECORDED: "no answer is recorded, and with --offline nothing is asked",
    OVER_BUDGET: "the budget had no room for more",
    NOT_PERMITTED: "the review's own policy let no question pass",
    NOT_WHOLE: "its answers had not the form, or did not speak of exactly what was asked",
    "refused": "the model, or a filter of its vendor, would not answer",
    "cut-off": "its answers were cut off at the bound of tokens; give the seat more (tokens = ...)",
    "too-big": "its answers were too long",
}
_TO_LOOK_INTO = frozenset({"setup", "unreachable", "authentication", "model-unknown", "address", "rejected"})
"""Why a seat did not answer where its settings, or its server, may be wrong."""
_MOST_SKILLS = 5


def left_out(targets: Sequence[MediatedTarget]) -> Iterator[str]:
    """Skills of which something finds no room in what models are shown."""
    short = [
        each.case.name for target in targets for each in target.skills if not each.case.packages.complete
    ]
    if short:
        yield f"not everything of {_named(short)} finds room in what models are shown: a review cannot make it SAFE"


def rejected_unseen(targets: Sequence[MediatedTarget]) -> Iterator[str]:
    """Skills of which no model is asked, for a rule rejects them by itself."""
    unseen = [
        each.skill.name
        for target in targets
        for each in target.skills
        if is_rejected_unseen(each.skill.verdict)
    ]
    if unseen:
        yield (
            f"no model is asked about {_named(unseen)}: its text gives orders to reviewers, which rejects it by itself "
            "(--review-anyway asks all the same)"
        )


def plan_lines(plan: ReviewPlan, settings: PanelSettings) -> Iterator[str]:
    """What would be asked, and what it may cost: a line for all, and two for each seat."""
    most = plan.most
    seats = sum(1 for each in plan.seats if each.questions)
    yield f"{count(plan.questions, 'question')} to {count(seats, 'seat')}: {_amount(most)}; budget: {_budget(settings)}"
    if _is_over(most, settings):
        yield "the budget may not be enough: what finds no room in it is not asked, and abstains"
    for each in plan.seats:
        seat = each.seat
        yield f"  {seat.name} ({seat.role}): {seat.model} ({seat.family}) at {seat.address or seat.wire}"
        yield f"    {_of_seat(each)}"


def _of_seat(each: SeatPlan) -> str:
    said = f"{count(each.packages, 'package')}, {each.recorded} answered before, {count(each.questions, 'question')}"
    if not each.questions:
        return said
    cost = f", {_cost(Amount(0, each.cost))}" if each.cost else ""
    return f"{said}: about {each.read:,} tokens to read, at most {each.written:,} to write{cost}"


def spent_line(made: ReviewedTargets) -> str:
    """What it took in truth."""
    asked = sum(
        len(outcome.replies) - outcome.recalled
        for skill in made.skills
        if skill.panel is not None
        for outcome in skill.panel.outcomes
    )
    cost = f", {_cost(made.spent)}" if made.spent.cost else ""
    return f"{count(asked, 'answer')} of models, {made.spent.tokens:,} tokens{cost}"


def notes(made: ReviewedTargets, settings: PanelSettings) -> Iterator[str]:
    """What a reader of the report has to know: who did not answer and why, what nobody was shown, what changed."""
    outcomes = [
        (each.case.name, outcome) for each in made.skills if each.panel for outcome in each.panel.outcomes
    ]
    for seat in settings.seats:
        yield from _unanswered(
            seat.name, [outcome for _, outcome in outcomes if outcome.reviewer == seat.name]
        )
    if any(outcome.code in _TO_LOOK_INTO for _, outcome in outcomes):
        yield "'sluicegate doctor --review' asks each seat one short question, and says what is wrong with it."
    short = [each.case.name for each in made.skills if each.panel and not each.case.packages.complete]
    if short:
        yield f"Not everything of {_named(short)} found room in what models are shown: see 'sluicegate mediate'."
    alone = [each.case.name for each in made.skills if each.panel and not each.panel.review.ballots]
    if alone:
        yield (
            f"No seat had anything to review in {_named(alone)}: there are no findings, and every seat reviews findings; "
            'give one role = "skill".'
        )
    unseen = [each.skill.name for each in made.skills if each.panel is None]
    if unseen:
        yield f"No model was asked about {_named(unseen)}: its text gives orders to reviewers, which rejects it by itself."
    for name, outcome in outcomes:
        if outcome.flipped and outcome.before is not None and outcome.anew is not None:
            stands = (
                " What it said before still counts, until a person rules."
                if outcome.vote > outcome.anew
                else ""
            )
            yield (
                f"{outcome.reviewer} changed its mind on package {outcome.package + 1} of {name}: "
                f"{_vote(outcome.before)} before, {_vote(outcome.anew)} now.{stands}"
            )
    if made.unrecorded:
        yield f"{count(made.unrecorded, 'answer')} of models could not be recorded: another review asks again."
    if settings.recall is Recall.ONLY:
        yield "No model was asked now: the review rests on answers that were recorded before."


def _unanswered(name: str, outcomes: Sequence[PackageOutcome]) -> Iterator[str]:
    """Why a seat did not answer, once for each reason."""
    counts = Counter(outcome.code for outcome in outcomes if outcome.code)
    details = {outcome.code: outcome.detail for outcome in reversed(outcomes)}
    for code, number in sorted(counts.items()):
        why = _WHY.get(code) or details[code]
        yield f"{name} did not answer on {number} of {count(len(outcomes), 'package')}: {why} ({code})."


def _vote(vote: Vote) -> str:
    return vote.name.lower()


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_SKILLS} more" if len(names) > _MOST_SKILLS else ""
    return ", ".join(names[:_MOST_SKILLS]) + more


def _amount(most: Amount) -> str:
    said = f"at most about {most.tokens:,} tokens"
    return f"{said}, {_cost(most)}" if most.cost else said


def _cost(amount: Amount) -> str:
    return f"a cost of {amount.cost:.2f}" if amount.cost >= 1 else f"a cost of {amount.cost:.4f}"


def _budget(settings: PanelSettings) -> str:
    money = "" if settings.budget.cost is None else f", a cost of {settings.budget.cost}"
    return f"{settings.budget.tokens:,} tokens{money}"


def _is_over(most: Amount, settings: PanelSettings) -> bool:
    budget = settings.budget
    return most.tokens > budget.tokens or (budget.cost is not None and most.cost > budget.cost)

"""What a review would ask, and what it may cost: told before anything is sent."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from sluicegate.tuples import NamedTuple
from sluicegate.vet.review.panel.case import ReviewCase
from sluicegate.vet.review.panel.questions import key_of, placed, read_tokens
from sluicegate.vet.review.panel.replies import NextStep, ReplyTerms, next_step
from sluicegate.vet.review.panel.settings import Amount, PanelSettings, Recall, amount, check
from sluicegate.vet.review.panel.store import ReplyStore
from sluicegate.vet.review.prompts.instructions import instructions
from sluicegate.vet.review.providers.seats import SeatSettings


class SeatPlan(NamedTuple):
    """What one seat would be asked: of its ``packages``, ``recorded`` are answered already.

    ``read`` are the estimated tokens of the questions, ``written`` what the answers may have at most; ``cost`` of both.
    """

    seat: SeatSettings
    packages: int
    recorded: int
    questions: int
    read: int
    written: int
    cost: Decimal


class ReviewPlan(NamedTuple):
    """What all seats would be asked. Repairs and further tries are not in it; they count towards the budget."""

    seats: tuple[SeatPlan, ...]

    @property
    def questions(self) -> int:
        """Questions of all seats."""
        return sum(each.questions for each in self.seats)

    @property
    def most(self) -> Amount:
        """What they may take together."""
        return Amount(
            sum(each.read + each.written for each in self.seats),
            sum((each.cost for each in self.seats), Decimal(0)),
        )


def plan(cases: Sequence[ReviewCase], settings: PanelSettings, store: ReplyStore) -> ReviewPlan:
    """What these settings would ask about these skills. Sends nothing.

    Raises ConfigError, InstructionsChanged and ReviewRecordError, as the review itself would.
    """
    check(settings)
    found = []
    for place in placed(settings.seats):
        seat = place.seat
        packages = recorded = questions = read = 0
        keys: set[str] = set()  # two skills that ask the same are one question
        for case in cases:
            for package in case.packages.packages:
                if package.role != seat.role:
                    continue
                told = instructions(package.role)
                packages += 1
                terms = ReplyTerms(seat.name, package.role, package.about, case.parts)
                key = key_of(place, package, told)
                kept = () if settings.recall is Recall.FRESH else store.latest(key)
                done = next_step(kept, terms) is NextStep.DONE
                recorded += done
                if not done and settings.recall is not Recall.ONLY and key not in keys:
                    keys.add(key)
                    questions += 1
                    read += read_tokens(package, told)
        written = questions * seat.tokens
        cost = amount(seat, read, written).cost
        found.append(SeatPlan(seat, packages, recorded, questions, read, written, cost))
    return ReviewPlan(tuple(found))

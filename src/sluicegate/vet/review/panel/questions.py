"""One question about one package: its words, its size, and the key under which its answers are recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType

from sluicegate.tuples import NamedTuple
from sluicegate.vet.review.mediator.packages import MediatedPackage
from sluicegate.vet.review.mediator.tokens import estimate
from sluicegate.vet.review.panel.settings import Amount, amount
from sluicegate.vet.review.prompts.answers import answer_schema
from sluicegate.vet.review.prompts.instructions import ReviewInstructions
from sluicegate.vet.review.providers.asking import ModelQuestion
from sluicegate.vet.review.providers.seats import SeatSettings
from sluicegate.vet.verdict.consensus import Role
from sluicegate.vet.verdict.encoding import digest

REPAIR = (
    "\nYou were asked this before, and what you answered had not the given form, or did not speak of exactly the findings "
    "that you were asked about. Answer with one JSON object of the given form, and nothing before or after it.\n"
)
"""Added to a question that is asked once more. What was answered is not shown: it may carry words of the skill."""


class PlacedSeat(NamedTuple):
    """A seat on a panel. ``copy``: how many before it ask the same model in the same way; each answers for itself."""

    seat: SeatSettings
    copy: int


def placed(seats: Sequence[SeatSettings]) -> tuple[PlacedSeat, ...]:
    """The seats, told from others of the same model by a number and not by name: a name may change."""
    counts: dict[tuple[str, ...], int] = {}
    found = []
    for seat in seats:
        asks = _asks(seat)
        found.append(PlacedSeat(seat, counts.get(asks, 0)))
        counts[asks] = counts.get(asks, 0) + 1
    return tuple(found)


def key_of(place: PlacedSeat, package: MediatedPackage, told: ReviewInstructions) -> str:
    """The key of the answers: what is shown, what is told, who is asked and how. Seconds and keys make no other answer."""
    return digest("answer", package.digest, told.digest, *_asks(place.seat), str(place.copy))


def question(
    seat: SeatSettings, package: MediatedPackage, told: ReviewInstructions, nonce: str, *, repair: bool
) -> ModelQuestion:
    """The question, with frames of its own. The instructions are verified before."""
    shown = package.framed(nonce)
    return ModelQuestion(
        system=told.filled(shown.boundary),
        user=shown.text + (REPAIR if repair else ""),
        schema=_schema(package.role),
        model=seat.model,
        bounds=seat.bounds,
    )


@cache
def _schema(role: Role) -> Mapping[str, object]:
    """The form of the answer: made once, for that takes as long as all the rest of a question."""
    return MappingProxyType(answer_schema(role))


def most(seat: SeatSettings, package: MediatedPackage, told: ReviewInstructions) -> Amount:
    """What one question may take: estimated tokens that are read, and all that may be written."""
    return amount(seat, read_tokens(package, told), seat.tokens)


def read_tokens(package: MediatedPackage, told: ReviewInstructions) -> int:
    """The estimated tokens of a question."""
    return package.tokens + estimate(told.template)


def _asks(seat: SeatSettings) -> tuple[str, ...]:
    return (
        seat.wire,
        seat.address.rstrip("/"),
        seat.model,
        seat.role,
        str(seat.tokens),
        str(seat.answer_bytes),
    )

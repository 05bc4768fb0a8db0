"""What a review may do: who is asked, what it may cost, and whether answers of before count."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum

from sluicegate.tuples import NamedTuple
from sluicegate.vet.errors import ConfigError
from sluicegate.vet.review.providers.seats import SeatSettings

DEFAULT_TOKENS = 5_000_000
_MILLION = Decimal(1_000_000)


class ReviewBudget(NamedTuple):
    """What all questions of one run may cost together. ``cost`` is in the currency of the seats' prices; None: no bound."""

    tokens: int = DEFAULT_TOKENS
    cost: Decimal | None = None


class Recall(StrEnum):
    """What recorded answers are for.

    ``FIRST``: what was answered before is read again, and the rest is asked. ``FRESH``: everything is asked anew; alarms of
    before count all the same. ``ONLY``: nothing is asked, and what was not answered before abstains.
    """

    FIRST = "first"
    FRESH = "fresh"
    ONLY = "only"


class PanelSettings(NamedTuple):
    """Everything that says how a panel is asked."""

    seats: tuple[SeatSettings, ...]
    budget: ReviewBudget = ReviewBudget()
    recall: Recall = Recall.FIRST


class Amount(NamedTuple):
    """Tokens and what they cost."""

    tokens: int = 0
    cost: Decimal = Decimal(0)

    def and_also(self, other: Amount) -> Amount:
        """Both together."""
        return Amount(self.tokens + other.tokens, self.cost + other.cost)

    def without(self, other: Amount) -> Amount:
        """What is left of it."""
        return Amount(self.tokens - other.tokens, self.cost - other.cost)


def amount(seat: SeatSettings, read: int, written: int) -> Amount:
    """What a seat costs that reads and writes so many tokens."""
    paid = read * _price(seat.price_read) + written * _price(seat.price_written)
    return Amount(read + written, paid / _MILLION)


def check(settings: PanelSettings) -> None:
    """Refuse a review that nobody could do, or whose cost nobody could know. Raises ConfigError."""
    if not settings.seats:
        raise ConfigError(
            "no model is set up to review", hint="Set one up: sluicegate doctor --review says how."
        )
    if settings.budget.tokens < 1 or (settings.budget.cost is not None and settings.budget.cost < 0):
        raise ConfigError("a budget of a review is above 0", hint="Write tokens=200000 or cost=2.50.")
    if settings.budget.cost is None:
        return
    for seat in settings.seats:
        if not seat.is_local and (seat.price_read is None or seat.price_written is None):
            raise ConfigError(
                f"the seat {seat.name} names no price, and the review has a budget of money",
                hint="Write price-read and price-written of the seat, for a million tokens; 0 where it costs nothing.",
            )


def _price(given: float | None) -> Decimal:
    return Decimal(str(given or 0))

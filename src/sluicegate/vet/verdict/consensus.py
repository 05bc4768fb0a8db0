"""How a panel of reviewers decides: asymmetric voting.

One reviewer is enough to block and all are needed to pass. A panel that could pass anything has at least two
families of models, since what misleads one model may not mislead another kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from sluicegate.vet.verdict import kernels
from sluicegate.vet.verdict.types import Decision


class Vote(IntEnum):
    """What one reviewer's replies come to. The larger of two is the one that counts."""

    SAFE = 0
    ABSTAINED = 1
    SUSPICIOUS = 2
    MALICIOUS = 3


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Seat:
    """One reviewer: its name, and the family of models that it belongs to."""

    reviewer: str
    family: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """The reviewers of one review, fixed before any is asked.

    Raises ValueError unless reviewers have distinct names and come from at least two families.
    """

    seats: tuple[Seat, ...]

    def __post_init__(self) -> None:
        if len({seat.reviewer for seat in self.seats}) < len(self.seats):
            raise ValueError("two reviewers of the panel have one name")
        if not all(seat.reviewer and seat.family for seat in self.seats):
            raise ValueError("each reviewer has a name and a family")
        if len({seat.family for seat in self.seats}) < kernels.FAMILIES_NEEDED:
            raise ValueError(f"a panel needs reviewers of {kernels.FAMILIES_NEEDED} families of models")


def consensus(votes: Sequence[tuple[Seat, Vote]]) -> Decision:
    """What the votes of a panel come to.

    1. Any MALICIOUS vote: DO_NOT_INSTALL.
    2. All SAFE, none abstaining, from two families or more: SAFE.
    3. Anything else, no votes at all among it: CAUTION, a person decides.
    """
    condemning = sum(vote is Vote.MALICIOUS for _, vote in votes)
    safe = sum(vote is Vote.SAFE for _, vote in votes)
    families = len({seat.family for seat, _ in votes})
    return Decision(kernels.consensus(condemning, safe, len(votes), families))

"""How a panel of reviewers decides: asymmetric voting.

One reviewer is enough to block and all are needed to pass. SAFE needs reviewers of two families of models at least, since
what misleads one model may not mislead another kind. A panel of one family can block, and its best is CAUTION.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum, StrEnum

from sluicegate.tuples import NamedTuple
from sluicegate.vet.verdict import kernels
from sluicegate.vet.verdict.types import Decision


class ReviewError(Exception):
    """A panel or a review that is put together wrongly: an error of whoever configures it, never of a reply."""


def typed(name: str, value: object, *kinds: type) -> None:
    """Refuse a value of another type, by the name of its field. A truth value is not a number. Raises ReviewError."""
    if not isinstance(value, kinds) or (type(value) is bool and bool not in kinds):
        wanted = " or ".join(kind.__name__ for kind in kinds)
        raise ReviewError(f"{name} is of type {type(value).__name__}, not {wanted}")


class Vote(IntEnum):
    """What one reviewer's replies come to. The larger of two is the one that counts."""

    SAFE = 0
    ABSTAINED = 1
    SUSPICIOUS = 2
    MALICIOUS = 3


class Family(StrEnum):
    """Models of one family share their training, and what misleads them. A closed table, so that none counts twice.

    ``OTHER`` is any model whose family is not known here. It can block, and never counts towards the two families.
    """

    CLAUDE = "claude"
    COMMAND = "command"
    DEEPSEEK = "deepseek"
    GEMINI = "gemini"
    GLM = "glm"
    GPT = "gpt"
    GRANITE = "granite"
    GROK = "grok"
    KIMI = "kimi"
    LLAMA = "llama"
    MISTRAL = "mistral"
    NEMOTRON = "nemotron"
    NOVA = "nova"
    OLMO = "olmo"
    PHI = "phi"
    QWEN = "qwen"
    OTHER = "other"


class Role(StrEnum):
    """What a reviewer is asked.

    ``FINDINGS``: an opinion on each finding. ``SKILL``: whether the whole skill does what it says. ``DETECTOR``: whether
    the text tries to manipulate a reviewer; it condemns or says nothing, so its family does not count towards SAFE.
    """

    FINDINGS = "findings"
    SKILL = "skill"
    DETECTOR = "detector"


class Seat(NamedTuple):
    """One reviewer: its name, the family of models that it belongs to, and what it is asked."""

    reviewer: str
    family: Family
    role: Role = Role.FINDINGS


class Ballot(NamedTuple):
    """What one reviewer voted."""

    seat: Seat
    vote: Vote


class _Seats(NamedTuple):
    seats: tuple[Seat, ...]


class Panel(_Seats):
    """The reviewers of one review, fixed before any is asked. An empty panel says nothing, which is CAUTION.

    Raises ReviewError unless each seat is whole, and each reviewer has a name of its own.
    """

    __slots__ = ()

    def __new__(cls, *, seats: tuple[Seat, ...]) -> Panel:
        typed("seats", seats, tuple)
        for number, seat in enumerate(seats):
            typed(f"seats[{number}]", seat, Seat)
            typed(f"seats[{number}].reviewer", seat.reviewer, str)
            typed(f"seats[{number}].family", seat.family, Family)
            typed(f"seats[{number}].role", seat.role, Role)
        if not all(seat.reviewer.strip() for seat in seats):
            raise ReviewError("each reviewer of a panel has a name")
        if len({seat.reviewer for seat in seats}) < len(seats):
            raise ReviewError("two reviewers of the panel have one name")
        return super().__new__(cls, seats)


def consensus(ballots: Sequence[Ballot], *, complete: bool) -> Decision:
    """What the votes of a panel come to. ``complete``: every finding was put before a reviewer.

    1. Any MALICIOUS vote: DO_NOT_INSTALL.
    2. All SAFE, none abstaining, from two families or more, and complete: SAFE.
    3. Anything else, no votes at all among it: CAUTION, a person decides.
    """
    condemning = sum(ballot.vote is Vote.MALICIOUS for ballot in ballots)
    safe = sum(ballot.vote is Vote.SAFE for ballot in ballots)
    return Decision(kernels.consensus(condemning, safe, len(ballots), families(ballots), complete))


def families(ballots: Sequence[Ballot]) -> int:
    """How many known families the reviewers come from that could say SAFE; detectors cannot."""
    return len(
        {
            ballot.seat.family
            for ballot in ballots
            if ballot.seat.family is not Family.OTHER and ballot.seat.role is not Role.DETECTOR
        }
    )

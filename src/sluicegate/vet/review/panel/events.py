"""What happens during a review, told as it happens, so that it can be shown. Nothing depends on whether it is."""

from __future__ import annotations

from collections.abc import Callable

from sluicegate.tuples import NamedTuple
from sluicegate.vet.verdict.consensus import Vote


class ReviewBegun(NamedTuple):
    """A skill is put before its panel: so many packages for each seat, by the seat's name."""

    skill: str
    packages: tuple[tuple[str, int], ...]


class QuestionSent(NamedTuple):
    """A seat is asked about a package. ``repair``: again, since its first answer had not the form."""

    skill: str
    seat: str
    package: int
    repair: bool


class QuestionWaits(NamedTuple):
    """A question went wrong with ``code``, and is asked again in so many seconds."""

    skill: str
    seat: str
    package: int
    code: str
    seconds: float


class PackageSettled(NamedTuple):
    """Nothing more will be asked of a seat about a package. ``code`` is why there is no answer; empty where there is one."""

    skill: str
    seat: str
    package: int
    vote: Vote
    recalled: bool
    code: str


PanelEvent = ReviewBegun | QuestionSent | QuestionWaits | PackageSettled
PanelWatch = Callable[[PanelEvent], None]


def unwatched(_: PanelEvent) -> None:
    """Nobody looks."""

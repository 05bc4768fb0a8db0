"""What came of one seat and one package, and of all of them together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sluicegate.tuples import NamedTuple
from sluicegate.vet.review.panel.replies import RecordedReply
from sluicegate.vet.review.prompts.instructions import ReviewInstructions
from sluicegate.vet.verdict.consensus import Panel, Vote
from sluicegate.vet.verdict.envelope import Reply, Review

if TYPE_CHECKING:
    from sluicegate.flow.values import Labeled

NOT_WHOLE = "not-whole"
"""Why there is no answer: there is one, and it has not the form, even after it was asked for again."""
NOT_PERMITTED = "not-permitted"
"""Why nothing was asked: the monitor refused it."""


class PackageOutcome(NamedTuple):
    """What came of one seat and one package: the replies that count, and why there are no more.

    ``package`` is the number in the case; ``shown`` and ``instructions`` are digests of what was shown and told, ``key`` is
    that of the record. ``recalled`` of the replies were recorded before.
    ``code`` and ``detail`` (untrusted) say why there is no whole reply. Where all was asked anew, ``before`` is what the
    recorded replies came to, and ``anew`` what those of this run come to; ``vote`` is of all that count.
    """

    reviewer: str
    package: int
    shown: str
    instructions: str
    key: str
    replies: tuple[RecordedReply, ...]
    vote: Vote
    recalled: int
    code: str
    detail: str
    before: Vote | None = None
    anew: Vote | None = None

    @property
    def flipped(self) -> bool:
        """Whether the same question got another vote than before."""
        return self.before is not None and self.before is not self.anew


class PanelReview(NamedTuple):
    """What a panel made of one skill: what it said, for who reads it, and how each part of it came about.

    ``told`` are the verified instructions of its roles. ``admitted`` is what the verdict takes: what the envelope admitted of
    the same replies, blessed.
    """

    review: Review
    outcomes: tuple[PackageOutcome, ...]
    told: tuple[ReviewInstructions, ...]
    admitted: Labeled[Review]


def replies_of(panel: Panel, outcomes: Sequence[PackageOutcome]) -> tuple[Reply, ...]:
    """The replies as the envelope takes them."""
    seats = {seat.reviewer: number for number, seat in enumerate(panel.seats)}
    return tuple(
        Reply(seat=seats[outcome.reviewer], package=outcome.package, body=reply.counted, attempt=attempt)
        for outcome in outcomes
        for attempt, reply in enumerate(outcome.replies)
    )

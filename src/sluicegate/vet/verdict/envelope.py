"""The envelope around reviewers: what their replies can do to findings, and what they cannot.

For every reply whatsoever (any JSON, wrong types, unknown ids, contradictions, an exception, silence):

- each finding survives, in its place and with its multiplicity; its severity and its words stay as they are;
- a confidence is never lowered; a finding that a model adds is marked, bounded in number and comes after;
- one failing batch takes nothing from any other;
- the decision is never moved towards SAFE.

Reviewers are asked elsewhere, all of them, each batch on its own; what came back enters here as values,
exceptions among them, so nothing here waits, retries or can be cancelled.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sluicegate.vet.verdict.consensus import Panel, Seat, Vote, consensus
from sluicegate.vet.verdict.kernels import raised
from sluicegate.vet.verdict.replies import Opinion, Reading, read
from sluicegate.vet.verdict.types import Decision, Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What one reviewer gave back for one batch: decoded JSON, the exception it ended with, or ``None``.

    ``seat`` and ``batch`` count from 0. A pair of the two that has no reply is silence.
    """

    seat: int
    batch: int
    value: object


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """A finding of ours with the opinions on it. Its confidence may be raised; nothing else differs."""

    finding: Finding
    opinions: tuple[Opinion, ...]

    @property
    def unconfirmed(self) -> bool:
        """Whether reviewers spoke of it and all of them said SAFE. It counts all the same."""
        return bool(self.opinions) and all(opinion.vote is Vote.SAFE for opinion in self.opinions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """All that a panel said, as far as it can count. ``findings`` are the given ones, in their order."""

    findings: tuple[Reviewed, ...]
    added: tuple[Finding, ...]
    votes: tuple[tuple[Seat, Vote], ...]
    injection: bool
    decision: Decision


def review(
    batches: Sequence[Sequence[Finding]],
    replies: Sequence[Reply],
    *,
    panel: Panel,
    paths: Collection[str],
) -> Review:
    """Put the replies of a panel beside the findings. ``paths`` are the artifacts of the bundle.

    1. An order to stop, or an error of ours, is passed on (see ``pass_on``).
    2. Each reply is read against the findings of its own batch, and of no other.
    3. A finding takes the opinions of its batch's replies; each MALICIOUS one may raise its confidence.
    4. A reviewer's vote is the worst of its replies; one batch without a reply and it has abstained.
    5. Added findings follow, in the order of the replies.

    Raises ValueError when a reply names a seat or batch that does not exist.
    """
    # 1
    pass_on(replies)
    silent = {(seat, batch) for seat in range(len(panel.seats)) for batch in range(len(batches))}
    votes = [Vote.SAFE if batches else Vote.ABSTAINED for _ in panel.seats]
    readings: list[list[Reading]] = [[] for _ in batches]
    known = frozenset(paths)
    about = [{finding.fingerprint for finding in batch} for batch in batches]
    for reply in replies:
        if not (0 <= reply.seat < len(panel.seats) and 0 <= reply.batch < len(batches)):
            raise ValueError(f"no seat {reply.seat} or no batch {reply.batch}")
        # 2
        reviewer = panel.seats[reply.seat].reviewer
        reading = read(reviewer, reply.value, about[reply.batch], known)
        readings[reply.batch].append(reading)
        silent.discard((reply.seat, reply.batch))
        # 4
        votes[reply.seat] = max(votes[reply.seat], reading.vote)
    for seat, _ in silent:
        votes[seat] = max(votes[seat], Vote.ABSTAINED)
    cast = tuple((seat, votes[number]) for number, seat in enumerate(panel.seats))
    # 3
    kept = [
        reviewed for number, batch in enumerate(batches) for reviewed in _accompany(batch, readings[number])
    ]
    # 5
    said = [reading for of_batch in readings for reading in of_batch]
    return Review(
        findings=tuple(kept),
        added=tuple(finding for reading in said for finding in reading.added),
        votes=cast,
        injection=any(reading.injection for reading in said),
        decision=consensus(cast),
    )


def pass_on(replies: Sequence[Reply]) -> None:
    """Raise what must not be mistaken for a reviewer that failed. All batches have ended by now.

    1. An order to stop (cancellation, an interrupt, the end of the program: every exception that is not an
       ``Exception``) goes first: no verdict is wanted.
    2. A ``ValueError`` or ``NotImplementedError`` itself is an error of ours (a wrong setting, a provider
       without the feature). A kind of ``ValueError`` (a reply that cannot be decoded) is not: text under
       review could cause it, so it is a failed batch.
    3. Every other exception is a failed batch.
    """
    ours: list[Exception] = []
    for value in (reply.value for reply in replies):
        if isinstance(value, BaseException):
            # 1
            if not isinstance(value, Exception):
                raise value
            # 2
            if type(value) in (ValueError, NotImplementedError):
                ours.append(value)
    if ours:
        raise ours[0]


def _accompany(batch: Sequence[Finding], readings: Sequence[Reading]) -> list[Reviewed]:
    """The findings of a batch, each with the opinions on it."""
    table: dict[str, list[Opinion]] = {}
    for reading in readings:
        for opinion in reading.opinions:
            table.setdefault(opinion.fingerprint, []).append(opinion)
    return [
        Reviewed(finding=_raise(finding, said), opinions=tuple(said))
        for finding in batch
        for said in [table.get(finding.fingerprint, [])]
    ]


def _raise(finding: Finding, opinions: Sequence[Opinion]) -> Finding:
    """A finding with the confidence that the confirming opinions give it."""
    for opinion in opinions:
        if opinion.confidence is None:
            continue
        confidence = raised(finding.confidence, opinion.vote is Vote.MALICIOUS, opinion.confidence)
        if confidence > finding.confidence:
            why = f"confirmed by reviewer {opinion.reviewer}: {finding.confidence} to {confidence}"
            finding = finding._replace(confidence=confidence, adjustments=(*finding.adjustments, why))
    return finding

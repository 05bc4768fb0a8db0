"""The queue as JSON: version 1, and closed (``sluicegate schema queue``). New fields may come; none goes or changes its meaning."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Literal, cast

import msgspec
from msgspec import Meta, Struct

from sluicegate.reach.report.escape import json_safe, scalar
from sluicegate.reach.report.json.model import DecisionWord
from sluicegate.reach.report.words.wording import version
from sluicegate.record.clock import stamp_second
from sluicegate.vet.review.queue.flags import FlaggedPublisher
from sluicegate.vet.review.queue.items import QueueItem
from sluicegate.vet.review.queue.queue import Queued, State
from sluicegate.vet.verdict.ruling import Ruling

_Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="SHA-256 in hex.")]
_Time = Annotated[str, Meta(description="In UTC: 2026-01-19T10:30:00Z.")]
_Origin = Annotated[
    str, Meta(description="Who passed it on, by the name of the key; empty for this machine.")
]
_Count = Annotated[int, Meta(ge=0)]


class _Closed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A field that is not named here is an error."""


class PersonRuling(_Closed, frozen=True, kw_only=True):
    """What one person ruled, and holds today."""

    person: str
    approves: bool
    overrides: bool
    reason: str
    expires: date | None


class QueueEntry(_Closed, frozen=True, kw_only=True):
    """One item, and where it stands today. ``decision`` is that after the rulings, ``item.decision`` the one before."""

    item: QueueItem
    state: State
    decision: DecisionWord
    queued: _Time
    origin: _Origin
    rulings: tuple[PersonRuling, ...]
    approvals: Annotated[int, Meta(ge=0, description="Persons who have approved, for this decision.")]
    needed: Annotated[int, Meta(ge=1, description="Persons who must approve.")]
    persons: Annotated[
        tuple[str, ...],
        Meta(description="The persons whose keys settings pin, and who alone may rule; none where none are."),
    ]


class FlagReason(_Closed, frozen=True, kw_only=True):
    """A skill in which a text aimed at reviewers was found."""

    skill: str
    bundle: _Digest
    found_by: str
    found: _Time
    origin: _Origin


class PublisherEntry(_Closed, frozen=True, kw_only=True):
    """A publisher who was flagged, and whether that was ended."""

    publisher: str
    docket: _Digest
    ended: bool
    evidence: tuple[FlagReason, ...]
    rulings: tuple[PersonRuling, ...]
    approvals: _Count
    needed: Annotated[int, Meta(ge=1)]


class QueueDocument(_Closed, frozen=True, kw_only=True):
    """Items, flagged publishers, or both; and why some rulings do not count, a line each."""

    version: Literal["1"]
    tool: str
    items: tuple[QueueEntry, ...]
    publishers: tuple[PublisherEntry, ...]
    refused: tuple[str, ...]


def queue_json(
    items: Sequence[Queued] = (), publishers: Sequence[FlaggedPublisher] = (), refused: Sequence[str] = ()
) -> str:
    """The document, with every character that steers or cannot be seen as an escape."""
    document = QueueDocument(
        version="1",
        tool=f"sluicegate {version()}",
        items=tuple(map(_entry, items)),
        publishers=tuple(map(_publisher, publishers)),
        refused=tuple(map(scalar, refused)),
    )
    return json_safe(msgspec.json.format(msgspec.json.encode(document), indent=2).decode()) + "\n"


def _entry(queued: Queued) -> QueueEntry:
    return QueueEntry(
        item=queued.item,
        state=queued.state,
        decision=cast("DecisionWord", queued.decision.name),
        queued=stamp_second(queued.queued),
        origin=queued.origin,
        rulings=tuple(map(_ruling, queued.rulings)),
        approvals=queued.approvals,
        needed=queued.needed,
        persons=queued.persons,
    )


def _publisher(flagged: FlaggedPublisher) -> PublisherEntry:
    return PublisherEntry(
        publisher=flagged.publisher,
        docket=flagged.docket,
        ended=flagged.ended,
        evidence=tuple(
            FlagReason(
                skill=each.skill,
                bundle=each.bundle,
                found_by=each.found_by,
                found=stamp_second(each.found),
                origin=each.origin,
            )
            for each in flagged.evidence
        ),
        rulings=tuple(map(_ruling, flagged.rulings)),
        approvals=flagged.approvals,
        needed=flagged.needed,
    )


def _ruling(given: Ruling) -> PersonRuling:
    return PersonRuling(
        person=given.person,
        approves=given.approves,
        overrides=given.overrides,
        reason=given.reason,
        expires=given.expires,
    )

"""What is signed: a person's ruling, and an item of the queue or a flag that goes to another machine.

A statement is read in this order, as every signature is (``record.signatures.signatures``):

1. The envelope is well formed and of our type.
2. The key it names is trusted, and not revoked.
3. The signature is that key's over exactly these bytes. Only now is the payload read.
4. The statement is well formed, in its one spelling, and names that key and the identity that the key speaks for.
5. Its time is not after the end of the key, and not in the future, which a rejection may be (``open_counting``).
"""

from __future__ import annotations

import re
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta

from sluicegate.record.clock import SECOND, stamp_second
from sluicegate.record.keys.keys import Signer
from sluicegate.record.keys.trust import Trust
from sluicegate.record.signatures import dsse
from sluicegate.record.signatures.signatures import Reason, Refused, timely, unseal
from sluicegate.tuples import NamedTuple
from sluicegate.vet.intake.publishers import LONGEST
from sluicegate.vet.lazy import lazy
from sluicegate.vet.review.queue.errors import QueueError
from sluicegate.vet.review.queue.items import QueueItem
from sluicegate.vet.review.queue.store import StoredFlag
from sluicegate.vet.rulings import SkillRuling, last_day
from sluicegate.vet.verdict.ruling import Ruling, identity

RULING_TYPE = "application/vnd.sluicegate.ruling+json"
ITEM_TYPE = "application/vnd.sluicegate.queue-item+json"
FLAG_TYPE = "application/vnd.sluicegate.publisher-flag+json"
MOST_REASON = 2000
END = 253_402_300_799 * SECOND
"""The end of the year 9999: nothing is later."""
_DIGEST = lazy(r"\A[0-9a-f]{64}\Z", re.ASCII)


class RulingSubject(NamedTuple):
    """What a ruling is about: a docket, the digest of the bytes, and what the skill is called."""

    docket: str
    bundle: str
    skill: str


class RulingStatement(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True
):
    """What one person rules of one docket. ``bundle`` is the digest of the bytes, ``time`` is ``2026-01-19T10:30:00Z``."""

    format: Literal["sluicegate-ruling-1"]
    docket: str
    bundle: str
    skill: str
    approves: bool
    reason: str
    signer: str
    key: str
    time: str
    overrides: bool = False
    expires: str | None = None

    def known(self, person: str, digest: str) -> SkillRuling:
        """The ruling as a scan takes it. ``person``: whose it counts as; ``digest``: of the envelope."""
        return SkillRuling(
            self.bundle,
            self.skill,
            self.time[:10],
            Ruling(
                self.docket,
                person,
                self.approves,
                self.reason,
                self.overrides,
                last_day(self.expires),
                self.bundle,
            ),
            digest,
        )


class SignedRuling(NamedTuple):
    """A ruling that somebody trusted signed, whose it counts as, and the digest of the envelope."""

    statement: RulingStatement
    person: str
    digest: str


class ItemStatement(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """That this item stands in somebody's queue."""

    format: Literal["sluicegate-queue-item-1"]
    item: QueueItem
    signer: str
    key: str
    time: str


class FlagStatement(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """That a text aimed at reviewers was found in a skill of this publisher."""

    format: Literal["sluicegate-publisher-flag-1"]
    publisher: Annotated[str, Meta(min_length=1, max_length=LONGEST)]
    bundle: str
    skill: Annotated[str, Meta(max_length=400)]
    found_by: Annotated[str, Meta(max_length=400)]
    signer: str
    key: str
    time: str


_Statement = TypeVar("_Statement", RulingStatement, ItemStatement, FlagStatement)


def seal_ruling(
    about: RulingSubject,
    *,
    approves: bool,
    reason: str,
    overrides: bool,
    expires: str | None,
    signer: Signer,
    now: int,
) -> tuple[RulingStatement, bytes]:
    """A ruling, signed. Raises QueueError for one that could never hold."""
    statement = RulingStatement(
        format="sluicegate-ruling-1",
        docket=about.docket,
        bundle=about.bundle,
        skill=about.skill,
        approves=approves,
        reason=reason.strip(),
        signer=signer.identity,
        key=signer.public.id,
        time=stamp_second(now // SECOND),
        overrides=overrides,
        expires=expires,
    )
    problem = _problem(statement)
    if problem:
        raise QueueError(f"nothing was ruled: {problem}", hint="Say why, in words that another can check.")
    return statement, dsse.seal(RULING_TYPE, msgspec.json.encode(statement), signer)


def open_ruling(envelope: bytes, *, trust: Trust, now: int) -> RulingStatement | Refused:
    """The ruling in an envelope, if somebody trusted signed it. Never raises for what the envelope holds."""
    opened = _opened(envelope, RULING_TYPE, RulingStatement, trust, now)
    if isinstance(opened, RulingStatement) and _problem(opened):
        return Refused(reason=Reason.MALFORMED, detail=f"signed, but {_problem(opened)}")
    return opened


def open_counting(envelope: bytes, *, trust: Trust, now: int) -> RulingStatement | Refused:
    """The same, but a rejection counts also before its time: a clock that is behind, or was ahead, ends none."""
    opened = open_ruling(envelope, trust=trust, now=now)
    if isinstance(opened, Refused) and opened.reason is Reason.FROM_THE_FUTURE:
        ahead = open_ruling(envelope, trust=trust, now=END)
        if isinstance(ahead, RulingStatement) and not ahead.approves:
            return ahead
    return opened


def seal_item(item: QueueItem, *, signer: Signer, now: int) -> bytes:
    """An item, signed by whoever passes it on."""
    statement = ItemStatement(
        format="sluicegate-queue-item-1",
        item=item,
        signer=signer.identity,
        key=signer.public.id,
        time=stamp_second(now // SECOND),
    )
    return dsse.seal(ITEM_TYPE, msgspec.json.encode(statement), signer)


def open_item(envelope: bytes, *, trust: Trust, now: int) -> ItemStatement | Refused:
    """The item in an envelope, if somebody trusted signed it. Never raises for what the envelope holds."""
    opened = _opened(envelope, ITEM_TYPE, ItemStatement, trust, now)
    if isinstance(opened, ItemStatement) and not (
        _is_digest(opened.item.docket) and _is_digest(opened.item.bundle)
    ):
        return Refused(reason=Reason.MALFORMED, detail="signed, but its digests are none")
    return opened


def seal_flag(flag: StoredFlag, *, signer: Signer, now: int) -> bytes:
    """A flag, signed by whoever passes it on."""
    statement = FlagStatement(
        format="sluicegate-publisher-flag-1",
        publisher=flag.publisher,
        bundle=flag.bundle,
        skill=flag.skill,
        found_by=flag.found_by,
        signer=signer.identity,
        key=signer.public.id,
        time=stamp_second(now // SECOND),
    )
    return dsse.seal(FLAG_TYPE, msgspec.json.encode(statement), signer)


def open_flag(envelope: bytes, *, trust: Trust, now: int) -> FlagStatement | Refused:
    """The flag in an envelope, if somebody trusted signed it. Never raises for what the envelope holds."""
    opened = _opened(envelope, FLAG_TYPE, FlagStatement, trust, now)
    if isinstance(opened, FlagStatement) and not _is_digest(opened.bundle):
        return Refused(reason=Reason.MALFORMED, detail="signed, but its digest is none")
    return opened


def _opened(
    envelope: bytes, type: str, kind: type[_Statement], trust: Trust, now: int
) -> _Statement | Refused:
    unsealed = unseal(envelope, type=type, trust=trust)  # 1 to 3
    if isinstance(unsealed, Refused):
        return unsealed
    payload, key = unsealed
    malformed = Refused(reason=Reason.MALFORMED, detail="signed, but not a statement of this format")
    try:  # 4
        statement = msgspec.json.decode(payload, type=kind)
        if msgspec.json.encode(statement) != payload:
            return malformed
        if statement.key != key.key.id or statement.signer != key.identity:
            detail = f"says {statement.signer!r}, but the key speaks for {key.identity}"
            return Refused(reason=Reason.SIGNER_MISMATCH, detail=detail)
        return timely(statement.time, key, now) or statement  # 5
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return malformed


def _problem(statement: RulingStatement) -> str:
    """Why a statement is not a ruling; empty where it is one."""
    if not (_is_digest(statement.docket) and _is_digest(statement.bundle)):
        return "it is bound to no content"
    if not identity(statement.reason):
        return "it gives no reason"
    if len(statement.reason) > MOST_REASON:
        return f"its reason is longer than {MOST_REASON:,} characters"
    if statement.overrides and not statement.approves:
        return "a rejection overrides nothing"
    try:
        last_day(statement.expires)
    except ValueError:
        return "its last day is not a day"
    return ""


def _is_digest(text: str) -> bool:
    return _DIGEST.match(text) is not None

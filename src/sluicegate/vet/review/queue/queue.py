"""The queue: what waits for a person, what persons ruled, and what that comes to.

Which rulings count is told in ``counting``; what they come to is decided in the verdict (``verdict.ruling``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import NoReturn

from sluicegate.record.clock import SECOND, Clock
from sluicegate.record.keys.keys import Signer
from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.recorded_rules import FLAGGED_PUBLISHER, FLAGGED_SKILL
from sluicegate.vet.intake.publishers import KnownFlags, publisher_of
from sluicegate.vet.report import Report
from sluicegate.vet.review.queue.counting import (
    Counted,
    QueueSettings,
    TrustedSigners,
    after_all,
    counted,
    readable,
)
from sluicegate.vet.review.queue.errors import QueueError
from sluicegate.vet.review.queue.exchange import Imported, exported, imported
from sluicegate.vet.review.queue.flags import (
    FlaggedPublisher,
    found_in,
    holding,
    is_about_publisher,
    says_so_itself,
    standing,
)
from sluicegate.vet.review.queue.items import QueueItem, decode_item, encode_item
from sluicegate.vet.review.queue.pruning import Prunable, replaced
from sluicegate.vet.review.queue.statements import (
    END,
    RulingStatement,
    RulingSubject,
    open_ruling,
    seal_ruling,
)
from sluicegate.vet.review.queue.store import QueueStore, StoredFlag, StoredItem
from sluicegate.vet.rulings import KnownRulings, SkillRuling, known_rulings, last_day
from sluicegate.vet.verdict.ruling import Ruling, Rulings, identity, rule
from sluicegate.vet.verdict.suppression import has_expired
from sluicegate.vet.verdict.types import Decision

_SHORTEST, _DIGITS = 4, 8
"""Digits of a number by which an item is found, and those that lists show."""


class State(StrEnum):
    """How far an item is."""

    OPEN = "open"
    APPROVED = "approved"
    REJECTED = "rejected"


class Queued(NamedTuple):
    """An item and where it stands today: the rulings that count on it and have not expired, and what they come to.

    ``approvals`` of ``needed`` persons have approved, for this decision. ``persons`` are those whose keys are pinned.
    """

    item: QueueItem
    origin: str
    queued: int
    rulings: tuple[Ruling, ...]
    decision: Decision
    approvals: int
    needed: int
    persons: tuple[str, ...] = ()

    @property
    def subject(self) -> RulingSubject:
        """What a ruling on it is bound to."""
        return RulingSubject(self.item.docket, self.item.bundle, self.item.name)

    @property
    def state(self) -> State:
        """``REJECTED`` by anybody, ``APPROVED`` by all that are needed, else ``OPEN``."""
        if any(not ruling.approves for ruling in self.rulings):
            return State.REJECTED
        return State.APPROVED if self.decision is Decision.SAFE else State.OPEN


class _Given(NamedTuple):
    """A signed ruling, and the content that it is about."""

    bundle: str
    envelope: bytes


class ForScan(NamedTuple):
    """What a scan goes by, and why some rulings do not count, a line each (untrusted text)."""

    rulings: KnownRulings
    flags: KnownFlags
    refused: tuple[str, ...]
    approvals_left_out: bool = False


class ReviewQueue:
    """The queue of one user."""

    def __init__(
        self,
        store: QueueStore,
        trusted: TrustedSigners,
        *,
        settings: QueueSettings,
        clock: Clock,
        today: date,
    ) -> None:
        self._store, self._trusted, self._settings = store, trusted, settings
        self._clock, self._today = clock, today

    def add(self, items: Iterable[QueueItem]) -> int:
        """Let these wait for a person; how many were not there yet."""
        now = self._clock() // SECOND
        rows = [StoredItem(item.docket, encode_item(item), "", now) for item in items]
        return self._store.add_items(rows)

    def items(self) -> tuple[Queued, ...]:
        """Everything in the queue, the newest first."""
        known = self.known()
        return tuple(self._standing(stored, known) for stored in self._store.items())

    def find(self, word: str) -> Queued:
        """The one item whose docket begins with ``word``, or the one open item of a skill of that name. Raises QueueError.

        Whoever wants to can make a skill whose docket begins with a short word, such as the name of another; so where both are meant,
        neither is found.
        """
        every = self.items()
        if not every:
            raise QueueError(
                "the queue is empty", hint="'sluicegate review' and 'sluicegate scan --queue' fill it."
            )
        wanted = word.lower()
        numbered = [
            each for each in every if len(wanted) >= _SHORTEST and each.item.docket.startswith(wanted)
        ]
        named = [each for each in every if each.item.name == word]
        if numbered and any(each not in numbered for each in named):
            raise QueueError(
                f"{word!r} is the name of a skill, and another item's number begins so",
                hint=f"Give the first {_DIGITS} digits of the number that 'sluicegate queue list' shows.",
            )
        found = numbered or named
        if len(found) > 1:
            found = [each for each in found if each.state is State.OPEN] or found
        if len(found) == 1:
            return found[0]
        raise QueueError(
            f"{len(found)} items are meant by {word!r}" if found else f"there is no item {word!r}",
            hint=f"Give {_SHORTEST} or more digits of what 'sluicegate queue list' shows.",
        )

    def flag(self, report: Report) -> tuple[StoredFlag, ...]:
        """Flag the publishers in whose skills a text aimed at reviewers was found: what was found that is new."""
        found = found_in(report, self._clock() // SECOND)
        if not found:
            return ()
        before = {(each.publisher, each.bundle) for each in self._store.flags()}
        self._store.add_flags(found)
        return tuple(each for each in found if (each.publisher, each.bundle) not in before)

    def publishers(self) -> tuple[FlaggedPublisher, ...]:
        """Every publisher who was flagged, in order of their names."""
        return standing(self._store.flags(), self._as_known(self.counted()), self._today)

    def publisher(self, word: str) -> FlaggedPublisher:
        """The flagged publisher of that name, or of that address. Raises QueueError."""
        for each in self.publishers():
            if each.publisher in (word, word.lower(), publisher_of(word)):
                return each
        raise QueueError(
            f"no publisher {word!r} is flagged",
            hint="'sluicegate queue flags' lists those who are, such as github.com/owner.",
        )

    def flagged_since(self, queued: Queued) -> FlaggedPublisher | None:
        """The flag on whoever publishes an item that was decided on without it: the next scan decides with it."""
        item = queued.item
        publisher = publisher_of(item.source)
        said = {found.rule for found in item.findings}
        for each in self.publishers():
            if each.ended:
                continue
            bundles = {found.bundle for found in each.evidence}
            theirs = bool(publisher) and each.publisher == publisher
            others = theirs and bundles != {item.bundle} and FLAGGED_PUBLISHER.id not in said
            before = item.bundle in bundles and not says_so_itself(item, each.evidence)
            if others or (before and FLAGGED_SKILL.id not in said):
                return each
        return None

    def check_may_rule(self, about: RulingSubject, *, signer: str, approves: bool) -> None:
        """Refuse whoever has no key that may rule, and whoever has approved with another. Raises QueueError."""
        settings = self._settings
        theirs = [str(entry.key) for entry in self._trusted.trust.of(signer)]
        persons = {settings.person(signer, key) for key in theirs if settings.may_rule(signer, key)}
        if not persons and not (settings.pinned is None and settings.may_rule(signer, "")):
            self._refuse(signer)
        if (
            approves
            and settings.persons > 1
            and any(
                each.statement.approves
                and each.statement.docket == about.docket
                and each.person not in persons | {signer}
                for each in self.counted().rulings
                if settings.pinned is None or each.statement.key in self._trusted.own
            )
        ):
            raise QueueError(
                "somebody has approved it with another key of this machine, and all keys of one machine are one person",
                hint="The next person approves on a machine of their own: sluicegate queue export, and import there.",
            )

    def _refuse(self, signer: str, key: str = "") -> NoReturn:
        settings = self._settings
        if settings.pinned is None:
            may = ", ".join(settings.who or ()) or "nobody"
            raise QueueError(f"{signer} may not rule here", hint=f"By your settings these may: {may}.")
        whose = f"the key {key} of {signer}" if key else f"no key of {signer}"
        raise QueueError(
            f"{whose} is {'not ' if key else ''}pinned in your settings",
            hint=f"[queue.keys] pins keys of {', '.join(settings.pinned_persons) or 'nobody'}; no other ruling counts.",
        )

    def check_rulable(self, queued: Queued, *, signer: str, approves: bool, overrides: bool) -> None:
        """Refuse a ruling that would change nothing, before anybody is asked to give it. Raises QueueError."""
        self.check_may_rule(queued.subject, signer=signer, approves=approves)
        if not approves:
            return
        if queued.item.computed is Decision.DO_NOT_INSTALL:
            if not self._settings.override_block:
                raise QueueError(
                    "your settings let nobody override DO_NOT_INSTALL",
                    hint="[queue] override-block says so. Somebody can still reject it, for the record.",
                )
            if not overrides:
                raise QueueError(
                    f"{queued.item.name} is DO_NOT_INSTALL: to approve it is to override that",
                    hint="Use --override-block if you mean it.",
                )
        elif overrides:
            raise QueueError(
                f"{queued.item.name} is {queued.item.decision}: there is nothing to override",
                hint="Leave --override-block away.",
            )

    def seal(
        self,
        queued: Queued,
        signer: Signer,
        *,
        approves: bool,
        reason: str,
        overrides: bool,
        expires: date | None,
    ) -> tuple[RulingStatement, bytes]:
        """A signed ruling on an item, which ``keep`` keeps. That a person gave it is for the caller to know. Raises QueueError."""
        self.check_rulable(queued, signer=signer.identity, approves=approves, overrides=overrides)
        if approves:
            self._check_seen(self.known().about(queued.item.bundle), queued.rulings)
        return self._sealed(queued.subject, signer, approves, reason, overrides, expires)

    def seal_on_publisher(
        self,
        flagged: FlaggedPublisher,
        signer: Signer,
        *,
        approves: bool,
        reason: str,
        expires: date | None,
    ) -> tuple[RulingStatement, bytes]:
        """A signed ruling that ends a flag (``approves``) or keeps it, as ``seal`` does on an item. Raises QueueError."""
        self.check_may_rule(flagged.subject, signer=signer.identity, approves=approves)
        if approves:
            about = self.known().about(flagged.subject.bundle)
            self._check_seen(
                (each for each in about if each.ruling.docket == flagged.docket), flagged.rulings
            )
        return self._sealed(flagged.subject, signer, approves, reason, False, expires)

    def _check_seen(self, about: Iterable[SkillRuling], seen: Collection[Ruling]) -> None:
        """Refuse an approval when a rejection came after what was shown: of one person the newest counts, and it would be lost."""
        for each in about:
            said = each.ruling
            if not said.approves and not has_expired(said.expires, self._today) and said not in seen:
                raise QueueError(
                    f"{said.person} rejected it while you looked at it",
                    hint="Nothing was ruled. Look at it again: sluicegate queue show",
                )

    def _sealed(
        self,
        about: RulingSubject,
        signer: Signer,
        approves: bool,
        reason: str,
        overrides: bool,
        expires: date | None,
    ) -> tuple[RulingStatement, bytes]:
        key = str(signer.public)
        if not self._settings.may_rule(signer.identity, key):
            self._refuse(signer.identity, key)
        if expires is not None and expires < self._today:
            raise QueueError(f"{expires.isoformat()} is in the past", hint="Name a day to come.")
        return seal_ruling(
            about,
            approves=approves,
            reason=reason,
            overrides=overrides,
            expires=None if expires is None else expires.isoformat(),
            signer=signer,
            now=after_all(
                self._store.rulings(),
                about,
                self._settings.person(signer.identity, key),
                self._trusted.trust,
                self._settings,
                self._clock(),
            ),
        )

    def keep(self, statement: RulingStatement, envelope: bytes) -> None:
        """Keep a ruling of ``seal``."""
        self._store.add_rulings([(statement.docket, envelope)])

    def person(self, statement: RulingStatement) -> str:
        """Whose a ruling of this machine is."""
        entry = self._trusted.trust.keys.get(statement.key)
        return self._settings.person(statement.signer, "" if entry is None else str(entry.key))

    def counted(self) -> Counted:
        """The rulings that count, and why others do not."""
        return counted(self._store.rulings(), self._trusted, self._settings, self._clock())

    def known(self) -> KnownRulings:
        """The rulings as a scan takes them."""
        return self._as_known(self.counted())

    def for_scan(self, *, approvals: bool = True) -> ForScan:
        """What a scan goes by; ``approvals`` false: whoever wrote the queue may have approved, so that counts for nothing."""
        counted = self.counted()
        every = self._as_known(counted)
        known = every
        if not approvals:
            known = every._replace(given=tuple(each for each in every.given if not each.ruling.approves))
        flags = holding(standing(self._store.flags(), known, self._today), known)
        on_skills = tuple(each for each in known.given if not is_about_publisher(each.bundle, each.skill))
        left_out = len(known.given) < len(every.given)
        return ForScan(known._replace(given=on_skills), flags, counted.refused, left_out)

    def export(
        self, chosen: Sequence[Queued], signer: Signer, publishers: Sequence[FlaggedPublisher] = ()
    ) -> bytes:
        """A file with these items and flags, signed by whoever passes them on, and with all signed rulings on their content.

        Not on their dockets alone: a rejection given under another docket of the same content holds for these, too.
        """
        contents = {each.item.bundle for each in chosen} | {each.subject.bundle for each in publishers}
        rulings = [each.envelope for each in self._given() if each.bundle in contents]
        return self._exported(chosen, publishers, rulings, signer)

    def export_all(self, signer: Signer) -> bytes:
        """The same with everything: also the rulings on what no item is about any longer."""
        rulings = [each.envelope for each in self._given()]
        return self._exported(self.items(), self.publishers(), rulings, signer)

    def is_empty(self) -> bool:
        """Whether there is nothing that could be exported."""
        return not (self._store.items() or self._store.flags() or self._given())

    def _given(self) -> list[_Given]:
        """The rulings that somebody trusted signed, also for times that have not come here."""
        trust = self._trusted.trust
        opened = ((open_ruling(each, trust=trust, now=END), each) for each in self._store.rulings())
        return [_Given(one.bundle, envelope) for one, envelope in opened if isinstance(one, RulingStatement)]

    def _exported(
        self,
        chosen: Sequence[Queued],
        publishers: Sequence[FlaggedPublisher],
        rulings: Sequence[bytes],
        signer: Signer,
    ) -> bytes:
        return exported(
            [each.item for each in chosen],
            [found for each in publishers for found in each.evidence],
            rulings,
            signer=signer,
            now=self._clock(),
        )

    def import_from(self, data: bytes) -> Imported:
        """Take over what such a file holds and somebody trusted has signed. Raises QueueError for what is no such file."""
        return imported(data, self._store, trust=self._trusted.trust, now=self._clock())

    def prunable(self, before: int, *, open_items: bool) -> Prunable:
        """What can be taken out (see ``pruning``): ``before``, in seconds, and with ``open_items`` what nobody ruled on."""
        rulings = readable(self._store.rulings(), self._trusted.trust, self._settings, self._clock())
        items = (
            each.item.docket
            for each in self.items()
            if open_items and not each.rulings and each.queued < before
        )
        return Prunable(tuple(items), tuple(sorted(set(replaced(rulings, before)))))

    def prune(self, found: Prunable) -> None:
        """Take that out, all or none."""
        self._store.remove(found.items, found.rulings)

    @contextmanager
    def live(self, without: Prunable = Prunable()) -> Iterator[frozenset[str]]:  # noqa: B008  # a constant
        """The dockets of all items and rulings but those; while this lasts, none is added."""
        with self._store.unchanged():
            items = {each.docket for each in self._store.items()} - set(without.items)
            rulings = {docket for docket, digest in self._store.ruled() if digest not in set(without.rulings)}
            yield frozenset(items | rulings)

    def _as_known(self, counted: Counted) -> KnownRulings:
        return known_rulings(
            (each.statement.known(each.person, each.digest) for each in counted.rulings),
            needed=self._settings.persons,
            may_override=self._settings.override_block,
        )

    def _standing(self, stored: StoredItem, known: KnownRulings) -> Queued:
        item = decode_item(stored.body)
        if item.docket != stored.docket:
            raise QueueError(
                "an item of the queue is damaged: it stands under another docket",
                hint="Scan the skill again.",
            )
        rulings: Rulings = known.of(item.bundle)
        decision, holding = rule(item.computed, item.docket, item.bundle, rulings, self._today)
        overriding = item.computed is Decision.DO_NOT_INSTALL
        approving = {identity(r.person) for r in holding if r.approves and (r.overrides or not overriding)}
        return Queued(
            item,
            stored.origin,
            stored.queued,
            holding,
            decision,
            len(approving),
            self._settings.persons,
            self._settings.pinned_persons,
        )


def day_named(text: str | None, today: date) -> date | None:
    """The last day of a ruling, as somebody wrote it. Raises QueueError."""
    try:
        day = last_day(text)
    except ValueError:
        raise QueueError(f"--until takes a day, not {text!r}", hint="For example 2030-06-30.") from None
    if day is not None and day < today:
        raise QueueError(f"--until {text} is in the past", hint="Name the last day on which it is to hold.")
    return day


def today_of(clock: Clock) -> date:
    """The day in UTC."""
    return datetime.fromtimestamp(clock() // SECOND, UTC).date()

"""The queue: what waits for a person, what persons ruled, and what that comes to.

1. A ruling counts when somebody who may rule signed it, with a key that is trusted and not revoked (``statements``).
2. Of several rulings of one person on one docket, the newest counts; of two of the same second, the rejection.
3. Where more than one person must approve, all keys that lie on this machine are one person: whoever can make one key here
   can make two.
4. What they come to is decided in the verdict (``verdict.ruling``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from enum import StrEnum

import msgspec

from sluicegate.record.clock import SECOND, Clock, parse_second, stamp_second
from sluicegate.record.keys.keys import Signer
from sluicegate.record.keys.trust import Trust
from sluicegate.record.signatures.signatures import SKEW, Refused
from sluicegate.tuples import NamedTuple
from sluicegate.vet.publishers import KnownFlags, publisher_of
from sluicegate.vet.report import Report
from sluicegate.vet.review.queue.errors import QueueError
from sluicegate.vet.review.queue.flags import (
    FlaggedPublisher,
    found_in,
    holding,
    is_about_publisher,
    standing,
)
from sluicegate.vet.review.queue.items import QueueItem, decode_item, encode_item
from sluicegate.vet.review.queue.pruning import Prunable, replaced
from sluicegate.vet.review.queue.statements import (
    FlagStatement,
    ItemStatement,
    RulingStatement,
    RulingSubject,
    SignedRuling,
    open_flag,
    open_item,
    open_ruling,
    seal_flag,
    seal_item,
    seal_ruling,
)
from sluicegate.vet.review.queue.store import QueueStore, StoredFlag, StoredItem
from sluicegate.vet.rulings import KnownRulings, known_rulings, last_day
from sluicegate.vet.verdict.ruling import Ruling, Rulings, identity, rule
from sluicegate.vet.verdict.types import Decision

_SHORTEST = 4
_MOST_EXCHANGED = 100_000


class QueueSettings(NamedTuple):
    """Who may rule, and how that is counted. Only the user's own settings say so.

    ``who``: identities, or public keys (``ed25519:…``), whose rulings count; None: everybody's whose key is trusted. An identity
    may be given another key by whoever can change whom this user trusts; a public key is itself. ``persons``: how many must approve.
    """

    persons: int = 1
    who: tuple[str, ...] | None = None
    override_block: bool = True


class TrustedSigners(NamedTuple):
    """Whose signatures count here. ``own`` are the ids of the keys that lie on this machine."""

    trust: Trust
    own: frozenset[str] = frozenset()


class State(StrEnum):
    """How far an item is."""

    OPEN = "open"
    APPROVED = "approved"
    REJECTED = "rejected"


class Queued(NamedTuple):
    """An item and where it stands today: the rulings that count on it and have not expired, and what they come to.

    ``approvals`` of ``needed`` persons have approved, for this decision.
    """

    item: QueueItem
    origin: str
    queued: int
    rulings: tuple[Ruling, ...]
    decision: Decision
    approvals: int
    needed: int

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


class Counted(NamedTuple):
    """The rulings that count, and why others do not, a line each (untrusted text)."""

    rulings: tuple[SignedRuling, ...]
    refused: tuple[str, ...]


class ForScan(NamedTuple):
    """What a scan goes by, and why some rulings do not count, a line each (untrusted text)."""

    rulings: KnownRulings
    flags: KnownFlags
    refused: tuple[str, ...]
    approvals_left_out: bool = False


class Exchange(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A file between machines: envelopes, as text."""

    format: str
    items: tuple[str, ...]
    rulings: tuple[str, ...]
    flags: tuple[str, ...] = ()


class Imported(NamedTuple):
    """What a file brought: what is new, and why something was refused, a line each (untrusted text)."""

    items: int
    rulings: int
    flags: int
    refused: tuple[str, ...]


_FORMAT = "sluicegate-queue-1"
_END = 253_402_300_799 * SECOND
"""The end of the year 9999: nothing is later."""


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
        """The one item whose docket begins with ``word``, or the one open item of a skill of that name. Raises QueueError."""
        every = self.items()
        if not every:
            raise QueueError(
                "the queue is empty", hint="'sluicegate review' and 'sluicegate scan --queue' fill it."
            )
        wanted = word.lower()
        found = [
            each for each in every if len(wanted) >= _SHORTEST and each.item.docket.startswith(wanted)
        ] or [each for each in every if each.item.name == word]
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

    def check_may_rule(self, about: RulingSubject, *, signer: str, approves: bool) -> None:
        """Refuse whoever may not rule, and whoever has approved with another key. Raises QueueError."""
        who = self._settings.who
        theirs = {str(entry.key) for entry in self._trusted.trust.of(signer)}
        if who is not None and signer not in who and theirs.isdisjoint(who):
            raise QueueError(
                f"{signer} may not rule here",
                hint=f"By your settings these may: {', '.join(who) or 'nobody'}.",
            )
        if (
            approves
            and self._settings.persons > 1
            and any(
                each.approves and each.docket == about.docket and each.signer != signer
                for each, _ in self.counted().rulings
                if each.key in self._trusted.own
            )
        ):
            raise QueueError(
                "somebody has approved it with another key of this machine, and all keys of one machine are one person",
                hint="The next person approves on a machine of their own: sluicegate queue export, and import there.",
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
        return self._sealed(flagged.subject, signer, approves, reason, False, expires)

    def _sealed(
        self,
        about: RulingSubject,
        signer: Signer,
        approves: bool,
        reason: str,
        overrides: bool,
        expires: date | None,
    ) -> tuple[RulingStatement, bytes]:
        if expires is not None and expires < self._today:
            raise QueueError(f"{expires.isoformat()} is in the past", hint="Name a day to come.")
        return seal_ruling(
            about,
            approves=approves,
            reason=reason,
            overrides=overrides,
            expires=None if expires is None else expires.isoformat(),
            signer=signer,
            now=self._after_all(about.docket, signer.identity),
        )

    def _after_all(self, docket: str, person: str) -> int:
        """Now, or the first second after all that this person ruled on this docket: the newest is the last that they gave.

        Raises QueueError where that has not come yet, so that it would count later than the one it is to replace.
        """
        now = self._clock()
        said = (open_ruling(each, trust=self._trusted.trust, now=_END) for each in self._store.rulings())
        seconds = (
            parse_second(each.time)
            for each in said
            if isinstance(each, RulingStatement)
            and each.docket == docket
            and identity(each.signer) == identity(person)
        )
        second = max(now // SECOND, max(seconds, default=-1) + 1)
        if second > now // SECOND + SKEW:
            raise QueueError(
                f"a ruling of {person} on this was signed on {stamp_second(second - 1)}, which has not come yet",
                hint="Set the clock of this machine. Of several rulings of one person the newest counts, so another would be lost.",
            )
        return second * SECOND

    def keep(self, statement: RulingStatement, envelope: bytes) -> None:
        """Keep a ruling of ``seal``."""
        self._store.add_rulings([(statement.docket, envelope)])

    def counted(self) -> Counted:
        """Steps 1 to 3."""
        now, settings = self._clock(), self._settings
        said: list[SignedRuling] = []
        refused: list[str] = []
        for envelope in self._store.rulings():
            opened = open_ruling(envelope, trust=self._trusted.trust, now=now)  # 1
            if isinstance(opened, Refused):
                refused.append(f"a ruling does not count ({opened.reason}): {opened.detail}")
            elif settings.who is not None and {opened.signer, self._key(opened)}.isdisjoint(settings.who):
                refused.append(
                    f"the ruling of {opened.signer} on {opened.skill} does not count: "
                    f"by your settings {opened.signer} may not rule"
                )
            else:
                said.append(SignedRuling(opened, hashlib.sha256(envelope).hexdigest()))
        newest = _newest(said)  # 2
        if settings.persons > 1:  # 3
            newest = _one_of_this_machine(newest, self._trusted.own)
        return Counted(tuple(newest), tuple(dict.fromkeys(refused)))

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
        """A file with these items and flags, signed by whoever passes them on, and with all signed rulings on them."""
        dockets = {each.item.docket for each in chosen} | {each.docket for each in publishers}
        now = self._clock()
        rulings = []
        for envelope in self._store.rulings():
            opened = open_ruling(envelope, trust=self._trusted.trust, now=now)
            if isinstance(opened, RulingStatement) and opened.docket in dockets:
                rulings.append(envelope.decode())
        items = (seal_item(each.item, signer=signer, now=now).decode() for each in chosen)
        flags = (
            seal_flag(found, signer=signer, now=now).decode()
            for each in publishers
            for found in each.evidence
        )
        document = Exchange(
            format=_FORMAT, items=tuple(items), rulings=tuple(sorted(rulings)), flags=tuple(flags)
        )
        return msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n"

    def import_from(self, data: bytes) -> Imported:
        """Take over what such a file holds and somebody trusted has signed. Raises QueueError for what is no such file."""
        try:
            document = msgspec.json.decode(data, type=Exchange)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            document = None
        if document is None or document.format != _FORMAT:
            raise QueueError(
                "it is not a file of items and rulings", hint="'sluicegate queue export' writes one."
            )
        if len(document.items) + len(document.rulings) + len(document.flags) > _MOST_EXCHANGED:
            raise QueueError(f"it holds more than {_MOST_EXCHANGED:,} items, flags and rulings")
        refused: list[str] = []
        now, trust = self._clock(), self._trusted.trust
        items: list[StoredItem] = []
        for text in document.items:
            item = open_item(_bytes(text), trust=trust, now=now)
            if isinstance(item, ItemStatement):
                items.append(StoredItem(item.item.docket, encode_item(item.item), item.signer, now // SECOND))
            else:
                refused.append(f"an item was refused ({item.reason}): {item.detail}")
        rulings: list[tuple[str, bytes]] = []
        for text in document.rulings:
            ruling = open_ruling(_bytes(text), trust=trust, now=now)
            if isinstance(ruling, RulingStatement):
                rulings.append((ruling.docket, _bytes(text)))
            else:
                refused.append(f"a ruling was refused ({ruling.reason}): {ruling.detail}")
        flags: list[StoredFlag] = []
        for text in document.flags:
            flag = open_flag(_bytes(text), trust=trust, now=now)
            if isinstance(flag, FlagStatement):
                found = (flag.publisher, flag.bundle, flag.skill, flag.found_by)
                flags.append(StoredFlag(*found, now // SECOND, flag.signer))
            else:
                refused.append(f"a flag was refused ({flag.reason}): {flag.detail}")
        return Imported(
            self._store.add_items(items),
            self._store.add_rulings(rulings),
            self._store.add_flags(flags),
            tuple(refused),
        )

    def prunable(self, before: int, *, open_items: bool) -> Prunable:
        """What can be taken out (see ``pruning``): ``before``, in seconds, and with ``open_items`` what nobody ruled on."""
        now = self._clock()
        rulings = []
        for envelope in self._store.rulings():
            opened = open_ruling(envelope, trust=self._trusted.trust, now=now)
            if isinstance(opened, RulingStatement):
                rulings.append(SignedRuling(opened, hashlib.sha256(envelope).hexdigest()))
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

    def _key(self, statement: RulingStatement) -> str:
        """The public key that signed, in words."""
        return str(self._trusted.trust.keys[statement.key].key)

    def _as_known(self, counted: Counted) -> KnownRulings:
        return known_rulings(
            (each.statement.known(each.digest) for each in counted.rulings),
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
        decision, holding = rule(item.computed, item.docket, rulings, self._today)  # 4
        overriding = item.computed is Decision.DO_NOT_INSTALL
        approving = {identity(r.person) for r in holding if r.approves and (r.overrides or not overriding)}
        return Queued(
            item, stored.origin, stored.queued, holding, decision, len(approving), self._settings.persons
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


def _newest(said: Iterable[SignedRuling]) -> list[SignedRuling]:
    """Of each person the newest on each docket; a rejection before an approval of the same second."""
    kept: dict[tuple[str, str], SignedRuling] = {}
    for each in sorted(said, key=lambda one: (one[0].time, not one[0].approves, one[0].reason, one.digest)):
        kept[each.statement.docket, identity(each.statement.signer)] = each
    return list(kept.values())


def _one_of_this_machine(rulings: Iterable[SignedRuling], own: Collection[str]) -> list[SignedRuling]:
    """Without the second approval of one docket by a key of this machine; in the order of time, the first stays."""
    kept: list[SignedRuling] = []
    seen: set[str] = set()
    for each in sorted(rulings, key=lambda one: (one.statement.time, one.statement.signer)):
        if each.statement.approves and each.statement.key in own:
            if each.statement.docket in seen:
                continue
            seen.add(each.statement.docket)
        kept.append(each)
    return kept


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")

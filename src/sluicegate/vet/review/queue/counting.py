"""Which rulings count: of whom, and which of several.

1. A ruling counts when somebody who may rule signed it, with a key that is trusted and not revoked (``statements``); an approval
   only when its time has come. Where settings pin the keys of persons, those may rule and nobody else, and a ruling is that
   of the person for whom its key is pinned, under whatever name it was signed. Where they say nothing, approvals count that a key
   of this machine signed, and rejections of everybody who is trusted: a key is trusted for what it signs elsewhere, too, and whoever
   publishes skills is not to approve of them here.
2. Of several rulings of one person the newest counts; of two of the same second, the rejection. A rejection ends every earlier
   approval of the same content, and a later approval of any docket of that content ends the rejection.
3. Where more than one person must approve, all keys that lie on this machine are one person: whoever can make one key here
   can make two. Where no keys are pinned, all keys are: whoever can trust one key can trust two.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable

from sluicegate.record.clock import SECOND, parse_second, stamp_second
from sluicegate.record.keys.trust import Trust
from sluicegate.record.signatures.signatures import SKEW, Refused
from sluicegate.tuples import NamedTuple
from sluicegate.vet.review.queue.errors import QueueError
from sluicegate.vet.review.queue.statements import (
    END,
    RulingStatement,
    RulingSubject,
    SignedRuling,
    open_counting,
    open_ruling,
)
from sluicegate.vet.verdict.ruling import identity


class PinnedKey(NamedTuple):
    """A public key (``ed25519:…``), and the person whose it is."""

    key: str
    person: str


class QueueSettings(NamedTuple):
    """Who may rule, and how that is counted. Only the user's own settings say so.

    ``who``: identities, or public keys (``ed25519:…``), whose rulings count; None: nothing is said. An identity
    may be given another key by whoever can change whom this user trusts; a public key is itself. ``persons``: how many must approve.
    ``pinned``: the keys of the persons who may rule; None: no person is known by their keys. A pinned key counts only while it
    is trusted and not revoked, too.
    """

    persons: int = 1
    who: tuple[str, ...] | None = None
    override_block: bool = True
    pinned: tuple[PinnedKey, ...] | None = None

    @property
    def pinned_persons(self) -> tuple[str, ...]:
        """The persons whose keys are pinned, each once; of none that is, nobody."""
        return tuple(dict.fromkeys(each.person for each in self.pinned or ()))

    def person(self, signer: str, key: str) -> str:
        """Whose a ruling is that ``key`` signed for ``signer``: the person for whom the key is pinned, else the signer."""
        return next((each.person for each in self.pinned or () if each.key == key), signer)

    def may_rule(self, signer: str, key: str) -> bool:
        """Whether rulings that ``key`` signed for ``signer`` count."""
        named = self.who is None or not {signer, key}.isdisjoint(self.who)
        return named and (self.pinned is None or any(each.key == key for each in self.pinned))


class TrustedSigners(NamedTuple):
    """Whose signatures count here. ``own`` are the ids of the keys that lie on this machine."""

    trust: Trust
    own: frozenset[str] = frozenset()


class Counted(NamedTuple):
    """The rulings that count, and why others do not, a line each (untrusted text)."""

    rulings: tuple[SignedRuling, ...]
    refused: tuple[str, ...]


def readable(
    envelopes: Iterable[bytes], trust: Trust, settings: QueueSettings, now: int = END
) -> list[SignedRuling]:
    """The rulings that somebody trusted signed, whether or not they count; without ``now``, also of times to come."""
    opened = ((open_ruling(each, trust=trust, now=now), each) for each in envelopes)
    return [
        _signed(ruling, envelope, trust, settings)
        for ruling, envelope in opened
        if isinstance(ruling, RulingStatement)
    ]


def counted(
    envelopes: Iterable[bytes], trusted: TrustedSigners, settings: QueueSettings, now: int
) -> Counted:
    """Steps 1 to 3."""
    said: list[SignedRuling] = []
    refused: list[str] = []
    for envelope in envelopes:
        opened = open_counting(envelope, trust=trusted.trust, now=now)  # 1
        if isinstance(opened, Refused):
            refused.append(f"a ruling does not count ({opened.reason}): {opened.detail}")
        elif settings.may_rule(opened.signer, _key(opened, trusted.trust)):
            said.append(_signed(opened, envelope, trusted.trust, settings))
        else:
            whose = f"the key {opened.key[:16]} of {opened.signer} is not pinned"
            why = whose if settings.pinned is not None else f"{opened.signer} may not rule"
            refused.append(
                f"the ruling of {opened.signer} on {opened.skill} does not count: by your settings {why}"
            )
    newest = _newest(said)  # 2
    if (
        settings.who is None and settings.pinned is None
    ):  # 1: after 2, so that an approval still ends a rejection
        foreign = [
            each for each in newest if each.statement.approves and each.statement.key not in trusted.own
        ]
        refused += (
            f"the approval of {each.person} on {each.statement.skill} does not count: your settings do not say who may rule"
            for each in foreign
        )
        newest = [each for each in newest if each not in foreign]
    if settings.persons > 1:  # 3
        newest = _one_person(newest, None if settings.pinned is None else trusted.own)
    return Counted(tuple(newest), tuple(dict.fromkeys(refused)))


def after_all(
    envelopes: Iterable[bytes],
    about: RulingSubject,
    person: str,
    trust: Trust,
    settings: QueueSettings,
    now: int,
) -> int:
    """Now, or the first second after all that a person ruled on this content: the newest is the last that they gave.

    Raises QueueError where that has not come yet, so that it would count later than the one it is to replace.
    """
    seconds = (
        parse_second(each.statement.time)
        for each in readable(envelopes, trust, settings)
        if each.statement.bundle == about.bundle and identity(each.person) == identity(person)
    )
    second = max(now // SECOND, max(seconds, default=-1) + 1)
    if second > now // SECOND + SKEW:
        raise QueueError(
            f"a ruling of {person} on this was signed on {stamp_second(second - 1)}, which has not come yet",
            hint="Of several rulings of one person the newest counts, so another would be lost. Where the clock of this machine is behind, "
            "set it. Where that of the other was ahead, revoke the key that signed there (sluicegate keys revoke): no ruling of "
            "it counts then; make a new one, and rule again.",
        )
    return second * SECOND


def _signed(
    statement: RulingStatement, envelope: bytes, trust: Trust, settings: QueueSettings
) -> SignedRuling:
    person = settings.person(statement.signer, _key(statement, trust))
    return SignedRuling(statement, person, hashlib.sha256(envelope).hexdigest())


def _key(statement: RulingStatement, trust: Trust) -> str:
    """The public key that signed, in words."""
    return str(trust.keys[statement.key].key)


def _newest(said: Iterable[SignedRuling]) -> list[SignedRuling]:
    """Of each person what stands on each content: the newest rejection, or the newest approval of each docket after it."""
    standing: dict[tuple[str, str], dict[str, SignedRuling]] = {}
    for each in sorted(said, key=lambda one: (one[0].time, not one[0].approves, one[0].reason, one.digest)):
        kept = standing.setdefault((each.statement.bundle, identity(each.person)), {})
        if not each.statement.approves or not all(one.statement.approves for one in kept.values()):
            kept.clear()  # a rejection stands alone
        kept[each.statement.docket] = each
    return [each for kept in standing.values() for each in kept.values()]


def _one_person(rulings: Iterable[SignedRuling], own: Collection[str] | None) -> list[SignedRuling]:
    """Without the second approval of one docket by the keys of ``own`` (ids), or by any where that is None; the first stays."""
    kept: list[SignedRuling] = []
    seen: set[str] = set()
    for each in sorted(rulings, key=lambda one: (one.statement.time, one.statement.signer)):
        if each.statement.approves and (own is None or each.statement.key in own):
            if each.statement.docket in seen:
                continue
            seen.add(each.statement.docket)
        kept.append(each)
    return kept

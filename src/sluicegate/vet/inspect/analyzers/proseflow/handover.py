"""What is private, that it is to leave, and a stranger who gets it: a deed told in one sentence, or over a few.

1. A sentence names a store of credentials, the whole of the user's work, or something else of the user's own.
2. It, or one of the next that speaks of what was named, has that leave: a verb in whatever form an order takes.
3. There, somebody gets it: an address (also without a scheme, or one that stands elsewhere in the text) which the skill
   does not explain, or whoever the skill comes from.
4. It is ordered: not negated, not told of somebody, not what the user chooses, not how a client identifies itself.
5. What is neither a store of credentials nor the whole work goes to many for good reasons: it counts where the passage
   says that somebody is not to learn of it.

That a text names a host explains little here: whoever steals picks a name that sounds like the skill, and says it. For
the whole work it is enough, for the rest the name or the description has to say it; and for a store of credentials the
description says besides that the skill handles credentials.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from enum import IntEnum
from functools import cached_property
from itertools import chain

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.analyzers.proseflow import foreign, services, steps
from sluicegate.vet.inspect.analyzers.proseflow.passages import TextSpan, host_of, standing
from sluicegate.vet.inspect.analyzers.proseflow.text import Text
from sluicegate.vet.inspect.analyzers.proseflow.words import handover, moves
from sluicegate.vet.inspect.analyzers.purpose import Purpose, Stated, common_host
from sluicegate.vet.inspect.context.prose.sentence import done_by_another
from sluicegate.vet.intake.views.words import deeds_in

NEXT = 4
"""Sentences behind the one that names what is private, in which it may be given away."""
REACH = 900
"""And characters."""


class Worth(IntEnum):
    """How private something is by its name."""

    OWN = 0
    WORK = 1
    STORE = 2


KINDS = {"part with work": Worth.WORK, "part with things": Worth.OWN, "part with secrets": Worth.STORE}
"""The groups of words of which one stands in every sentence that names something private."""
_UNSEEN = frozenset({"kept", "hushed"})
"""The groups of words of which one stands wherever somebody is kept from knowing."""
_OF = {Worth.STORE: handover.STORES, Worth.WORK: handover.WHOLE_WORK, Worth.OWN: handover.OWN}


class HandedOver(NamedTuple):
    """The sentence that gives something away, where the order begins in it, what it gives, and to whom."""

    sentence: TextSpan
    begins: int
    what: str
    whom: str


class _Private(NamedTuple):
    what: str
    worth: Worth


class _Getter(NamedTuple):
    """Whoever gets something: where the words begin in a sentence that name them, and these."""

    start: int
    words: str


class Handover:
    """Reads one text."""

    def __init__(self, text: Text, stated: Stated) -> None:
        self._of = text
        self._stated = stated

    def may_part(self, kind: str) -> bool:
        """Whether somebody may get what is named by the words of a kind; what is only the user's own, unseen."""
        if not self._somebody:
            return False
        return KINDS[kind] is not Worth.OWN or not _UNSEEN.isdisjoint(deeds_in(self._of.text))

    @cached_property
    def _somebody(self) -> list[int]:
        """Where a text names, or points to, somebody who may get something and whom the skill does not explain, in order."""
        found = [at for at, _ in self._all]
        words = handover.HANDS + handover.PUBLISHES + (handover.POINTS if found else ())
        for word in words:
            at = self._of.low.find(word)
            while at != -1:
                found.append(at)
                at = self._of.low.find(word, at + len(word))
        return sorted(found)

    def told(self, kind: str, sentence: TextSpan) -> HandedOver | None:
        """The deed of which a sentence names the object, which is of one of ``KINDS``; or None."""
        number = bisect_left(self._somebody, sentence.start)
        if number == len(self._somebody) or self._somebody[number] > sentence.end + REACH:
            return None
        said = self._of.said(sentence)
        private = self._private(kind, sentence, said)
        if private is None:
            return None
        found = self._given(sentence, said, private, again=False)
        if found is None and private.worth is not Worth.OWN and self._gathers(said, private):
            later = (
                self._given(place, self._of.said(place), private, again=True)
                for place in self._next(sentence)
            )
            found = next((one for one in later if one is not None), None)
        return found

    @staticmethod
    def _gathers(said: str, private: _Private) -> bool:
        """Whether what a sentence names may be what a later one speaks of: it is taken, and nothing is put into it."""
        return (
            handover.GATHERS.search(said) is not None
            and handover.KEPT_BACK.search(said) is None
            and steps.TARGET.search(said, 0, said.find(private.what)) is None
        )

    @cached_property
    def _all(self) -> list[tuple[int, str]]:
        """The addresses of the text that are not everybody's, each looked for where a sign of one stands."""
        text = self._of.text
        found = [(start, text[start:end]) for start, end in self._of.bare_hosts]
        for sign, pattern in (("://", moves.URL), ("@", moves.MAILBOX)):
            for start, end in standing(text, text, sign, pattern):
                if not common_host(host_of(text[start:end])):
                    found.append((start, text[start:end]))
        return found

    def _private(self, kind: str, sentence: TextSpan, said: str) -> _Private | None:
        """What a sentence names of one kind of private things."""
        worth = KINDS[kind]
        for found in _OF[worth].finditer(said):
            if handover.NOT_ITSELF.search(said, 0, found.start()) is None and not self._of.negated(
                sentence.start + found.start()
            ):
                return _Private(found[0], worth)
        if worth is not Worth.STORE:
            return None
        for _, words in services.owned_in(said):
            return _Private(words, worth)
        secret = foreign.SECRETS.search(said) if foreign.may_send(said) else None
        return None if secret is None else _Private(secret[0], worth)

    def _next(self, sentence: TextSpan) -> Iterator[TextSpan]:
        """The sentences behind one, as far as they may still speak of what it names."""
        text, at = self._of.text, sentence.end
        last = min(len(text), sentence.end + REACH)
        for _ in range(NEXT):
            while at < last and text[at].isspace():
                at += 1
            if at >= last or text[at] == "#" or self._of.in_fence(at):
                return
            place = self._of.sentence(at)
            yield TextSpan(max(at, place.start), place.end)
            at = max(place.end, at + 1)

    def _given(self, sentence: TextSpan, said: str, private: _Private, *, again: bool) -> HandedOver | None:
        """How a sentence gives away what is named in it, or before it where it speaks of that ``again``."""
        getter = self._getter(said, private)
        if getter is None:
            return self._published(sentence, said, private, again=again)
        if said.rstrip().endswith("?") or handover.KEPT_BACK.search(said) is not None:
            return None
        if again and handover.AGAIN.search(said) is None:
            return None
        chosen = [sentence.start + found.start() for found in handover.CHOSEN.finditer(said)]
        if not all(map(self._of.negated, chosen)):
            return None
        if private.worth is Worth.OWN and handover.HUSHED.search(self._of.paragraph(sentence)) is None:
            return None
        begins = self._begins(sentence, _without_addresses(said), getter)
        return None if begins is None else HandedOver(sentence, begins, private.what, getter.words)

    def _published(
        self, sentence: TextSpan, said: str, private: _Private, *, again: bool
    ) -> HandedOver | None:
        """How a sentence puts a store of credentials where everybody may read it, or all of the work into somebody's repository.

        1. What is put there is named between the verb and the place, or before a passive.
        2. It is ordered, and the user does not choose it.
        """
        if said.rstrip().endswith("?") or handover.KEPT_BACK.search(said) is not None:
            return None
        if private.worth is Worth.WORK:
            found = handover.REMOTE.search(said)
            if found is None or self._stated.announces(f"{found['owner'].lower()}.com"):
                return None
            places = [(found, found.start(), found["where"])]
        elif private.worth is Worth.STORE:
            places = [
                (verb, verb.start(), place[0])
                for place in handover.PUBLIC.finditer(said)
                for verb in _puts(said, place.start(), -1 if again else said.find(private.what))  # 1
            ]
        else:
            return None
        if any(
            not self._of.negated(sentence.start + each.start()) for each in handover.CHOSEN.finditer(said)
        ):  # 2
            return None
        for verb, begins, where in places:
            if self._ordered(sentence, said, verb):
                return HandedOver(sentence, begins, private.what, where)
        return None

    def _begins(self, sentence: TextSpan, said: str, getter: _Getter) -> int | None:
        """Where the verb begins by which a sentence orders that something be given away, or None."""
        takes = (
            verb
            for verb in handover.TAKES.finditer(said)
            if getter.start < verb.start() or handover.BY.match(said, verb.end()) is not None
        )
        for verb in chain(handover.GIVES.finditer(said), takes):
            if self._ordered(sentence, said, verb):
                return verb.start()
        sends = foreign.SENDS.search(said) if foreign.may_send(said) else None
        if sends is None:
            return None
        at = sentence.start + sends.start()
        denied = self._of.negated_in_any_language(sentence, at, sentence.start + sends.end())
        return None if denied else sends.start()

    def _ordered(self, sentence: TextSpan, said: str, verb: re.Match[str]) -> bool:
        at, clause = verb.start(), max(said.rfind(sign, 0, verb.start()) for sign in ";:") + 1
        return (
            handover.TOLD.search(said, clause, at) is None
            and handover.NARRATED.search(said, 0, at) is None
            and not self._of.negated(sentence.start + at)
            and not done_by_another(self._of.text, sentence.start + at)
        )

    def _getter(self, said: str, private: _Private) -> _Getter | None:
        """Whoever gets something in a sentence, if the skill does not explain them."""
        client = handover.CLIENT.search(said) is not None and handover.NO_CLIENT.search(private.what) is None
        if client:
            return None
        for start, address in _addresses(said):
            if handover.FROM.search(said, 0, start) is None and not self._explained(address, private):
                return _Getter(start, address)
        if handover.POINTED.search(said) is not None:
            for _, address in self._all:
                if not self._explained(address, private):
                    return _Getter(0, address)
        found = handover.MAINTAINER.search(said) if private.worth is not Worth.OWN else None
        return None if found is None else _Getter(found.start(), found[0])

    def _explained(self, address: str, private: _Private) -> bool:
        host = host_of(address)
        if not host or common_host(host) or services.rightful(private.what, host):
            return True
        if private.worth is Worth.WORK:
            return self._stated.explains(host)
        announced = self._stated.announces(host)
        return announced and (private.worth is Worth.OWN or self._stated.expects(Purpose.SECRETS))


def _puts(said: str, place: int, named: int) -> Iterator[re.Match[str]]:
    """The verbs by which a secret is put into a place that a sentence names; ``named`` is where it names the secret."""
    before = said[:place]
    for verb in chain(handover.GIVES.finditer(before), handover.COMMITS.finditer(before)):
        between = before[verb.end() :]
        if handover.ANOTHER_CLAUSE.search(between) is not None:
            continue
        spoken_of = named < verb.start()
        passive = handover.PASSIVE.search(before, 0, verb.start()) is not None
        if verb[0].lower().endswith("ed") and not passive:
            continue  # it tells what somebody did
        if (
            handover.STORES.search(between) is not None
            or (spoken_of and handover.AGAIN.search(between) is not None)
            or (spoken_of and passive and not between.strip())
        ):
            yield verb


def _addresses(said: str) -> Iterator[tuple[int, str]]:
    """Where each address begins, and the address."""
    if "://" in said:
        for found in moves.URL.finditer(said):
            yield found.start(), found[0]
    if "@" in said:
        for found in moves.MAILBOX.finditer(said):
            yield found.start(), found[0]
    for found in moves.HOST.finditer(said):
        yield found.start(), found[0]


def _without_addresses(said: str) -> str:
    """A sentence with blanks where addresses stand, which are not words of it."""
    for start, address in list(_addresses(said)):
        said = said[:start] + " " * len(address) + said[start + len(address) :]
    return said

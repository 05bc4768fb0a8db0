"""Deeds that a sentence orders without an address: each a class of verbs, of objects, and what makes it grave.

An order has its object behind the verb (``switch off the firewall``), or in front of it (``the firewall is to be
switched off``). No wording is looked for: any verb of a deed goes with any of its objects.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.analyzers.proseflow import rules
from sluicegate.vet.inspect.analyzers.proseflow.passages import TextSpan, paragraph
from sluicegate.vet.inspect.analyzers.proseflow.text import TOLD_OF, Text, hushed
from sluicegate.vet.inspect.analyzers.proseflow.words import (
    authority,
    damage,
    delivery,
    manner,
    moves,
    private,
    programs,
    rights,
    work,
)
from sluicegate.vet.inspect.analyzers.purpose import Stated
from sluicegate.vet.inspect.rule import Match, Rule
from sluicegate.vet.intake.views.words import deeds_in, hints_in
from sluicegate.vet.lazy import lazy

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.proseflow.handover import Handover

BEFORE = 4
"""Sentences of a paragraph before one that hushes, whose orders it is about."""
SENTENCES = 200
"""Places of one kind of deed in one text that are looked at."""


class StatedDeed(NamedTuple):
    """What is done, to what, and what has to be said besides; ``unless`` is what makes the same words harmless.

    ``also`` is said in the same sentence, ``round`` in the paragraph; ``hidden`` deeds are ordered in an HTML comment.
    """

    rule: Rule
    verb: re.Pattern[str]
    object: re.Pattern[str]
    also: re.Pattern[str] | None = None
    unless: re.Pattern[str] | None = None
    round: Callable[[str], bool] | None = None
    confidence: int = 550
    hidden: bool = False


class Ordered(NamedTuple):
    """A deed that a sentence names: where its verb begins, and the object."""

    deed: StatedDeed
    verb: re.Match[str]
    object: re.Match[str]


def _lasting(whole: str) -> bool:
    return authority.LASTING.search(whole) is not None and hushed(whole)


def _unnoticed(whole: str) -> bool:
    return programs.STARTS.search(whole) is not None and (
        hushed(whole) or manner.KEPT.search(whole) is not None
    )


def _of_a_tool(whole: str) -> bool:
    return delivery.TOOL.search(whole) is not None


DEEDS: dict[str, tuple[StatedDeed, ...]] = {
    # what the agent may do, and who may get in
    "allow": (
        StatedDeed(rules.ALLOW, rights.SETS, rights.APPROVAL, rights.WIDE, rights.REFUSED, confidence=600),
        StatedDeed(rules.ALLOW, rights.STARTS_AGENT, rights.OPTION, unless=rights.SUPPOSED, confidence=600),
        StatedDeed(rules.ALLOW, rights.SWITCHES_ON, rights.UNASKED_MODE, unless=rights.OF_A_PLATFORM, confidence=600),
        StatedDeed(rules.ALLOW, rights.SILENCES, rights.QUESTIONS, rights.OF_AN_AGENT, rights.OF_A_PLATFORM, confidence=600),
    ),
    "protection": (
        StatedDeed(rules.DISABLE, rights.STOPS, rights.PROTECTION, unless=manner.TROUBLE),
        StatedDeed(rules.DISABLE, rights.SKIPS, rights.CHECKS, unless=manner.TROUBLE),
        StatedDeed(rules.DISABLE, rights.PUTS, rights.WEAK_MODE, unless=manner.TROUBLE),
    ),
    "way in": (
        StatedDeed(rules.GRANT, rights.ADDS, rights.LOGIN_KEYS, unless=rights.OF_THE_USER, confidence=600),
        StatedDeed(rules.GRANT, rights.ADDS, rights.ADMIN_ACCOUNT, rights.SECRET_WORD, confidence=600),
        StatedDeed(rules.GRANT, rights.LETS, rights.ROOT_UNASKED, confidence=600),
    ),
    "shell": (StatedDeed(rules.GRANT, rights.OPENS, rights.SHELL_OF_OTHERS, unless=work.TAUGHT, confidence=600),),
    "remember": (
        StatedDeed(rules.REMEMBER, authority.WRITES, authority.MEMORY, authority.STANDING_ORDER, authority.ASKED, confidence=600),
        StatedDeed(rules.REMEMBER, authority.MEMORISES, authority.FOR_GOOD, authority.STANDING_ORDER, authority.ASKED, confidence=600),
        StatedDeed(rules.REMEMBER, authority.WRITES_DOWN, authority.MEMORY, round=_lasting, confidence=600),
        StatedDeed(rules.REMEMBER, authority.WRITES, authority.MEMORY, authority.STANDING, authority.ASKED, hidden=True, confidence=600),
    ),
    # what is private
    "hand over": (
        StatedDeed(rules.SEND, moves.GIVES_AWAY, private.CREDENTIALS, moves.OUTSIDE, confidence=600),
        StatedDeed(rules.SEND, moves.GIVES_AWAY, private.OWN, moves.STRANGER, private.BY_NAME),
    ),
    "show": (
        StatedDeed(rules.PRINT, moves.SHOWS, private.MATERIAL, unless=private.HARMLESS),
        StatedDeed(rules.PRINT, moves.PUTS_DOWN, private.MATERIAL, moves.READ_BY_OTHERS, private.HARMLESS),
    ),
    "deliver": (
        StatedDeed(rules.PRINT, delivery.DELIVERS, delivery.SECRETS, delivery.SERVICE, delivery.KEPT_SAFE),
        StatedDeed(rules.PRINT, delivery.CARRIES, delivery.SECRETS, delivery.SERVICE, delivery.KEPT_SAFE),
        StatedDeed(rules.PRINT, delivery.FILLS, delivery.SECRETS, delivery.HANDED, delivery.LOGS_IN, round=_of_a_tool),
        StatedDeed(rules.PRINT, delivery.FILLS, delivery.SECRETS, delivery.FIELD, delivery.LOGS_IN, round=_of_a_tool),
    ),
    "spread": (StatedDeed(rules.ABUSE, moves.GIVES_AWAY, moves.EVERYBODY, moves.LINK, authority.ASKED),),
    "spy": (StatedDeed(rules.SPY, damage.SPIES, damage.SPIED, damage.UNSEEN_EYE, work.TAUGHT, confidence=600),),
    # the user's work
    "harm": (
        StatedDeed(rules.HARM, work.PLANTS, work.FLAW, unless=work.MENDED, confidence=600),
        StatedDeed(rules.HARM, work.PINS, work.VULNERABLE, unless=work.TAUGHT),
    ),
    "weak": (StatedDeed(rules.HARM, work.USES, work.WEAK_SECRET, unless=work.REPEATABLE),),
    "admit": (StatedDeed(rules.HARM, work.ADMITS, work.ANY_PASSWORD, work.LOGIN, work.STRICT, confidence=600),),
    "lift": (StatedDeed(rules.HARM, work.LIFTS, work.CODE_CHECK, work.MADE, manner.TROUBLE),),
    "falsify": (StatedDeed(rules.FALSIFY, work.GETS_PAST, work.TESTS, work.LOOKS_GOOD, work.TRUTH),
        StatedDeed(rules.FALSIFY, work.WRITES_TESTS, work.EMPTY_TESTS, unless=work.TAUGHT),
    ),
    "pretend": (StatedDeed(rules.FALSIFY, work.REPORTS, work.SUCCESS, work.NOT_DONE, work.TAUGHT),),
    "kept": (StatedDeed(rules.COVERT, work.ALTERS, work.STAKES, manner.KEPT, manner.SURPRISE),),
    "spend": (StatedDeed(rules.DIVERT, damage.SPENDS, damage.BOUGHT, damage.STORED_CARD, authority.ASKED),),
    "name": (StatedDeed(rules.ABUSE, work.POSTS, work.OPINION, work.IN_THE_NAME, authority.ASKED),),
    "divert": (StatedDeed(rules.DIVERT, damage.DIVERTS, damage.MONEY, damage.STRANGE_ACCOUNT, work.TAUGHT, confidence=600),),
    # the machine, and what is on it
    "mine": (StatedDeed(rules.ABUSE, damage.MINES, damage.COINS, damage.UNNOTICED, work.TAUGHT, confidence=600),),
    "flood": (StatedDeed(rules.ABUSE, damage.FLOODS, damage.SERVICE, damage.UNTIL_DOWN, damage.LOAD_TEST, confidence=600),),
    "ransom": (StatedDeed(rules.DESTROY, damage.ENCRYPTS, damage.HELD, damage.RANSOM, work.TAUGHT, confidence=600),),
    "stay": (StatedDeed(rules.PERSIST, damage.ARRANGES, damage.ITSELF, damage.AT_START),
             StatedDeed(rules.PERSIST, damage.ARRANGES, damage.NEWEST, damage.AT_START)),
    "steer": (StatedDeed(rules.PERSIST, damage.STEERS, damage.LOADING_VARIABLE, damage.LOADED, damage.SPOKEN_OF),),
    "fetch": (
        StatedDeed(rules.INSTALL, programs.ACQUIRE, programs.PROGRAM, moves.FROM_STRANGER, programs.MANAGED, round=_unnoticed),
    ),
    "traces": (StatedDeed(rules.COVERT, damage.CLEARS, damage.TRACES, unless=damage.ROTATED, confidence=550),),
}  # fmt: skip


_BESIDE = frozenset({"bare host", "hushed", "page"})
"""Groups of words that say of no sentence that it orders something."""


class PlainReader:
    """Reads the sentences of one text in which a word stands that belongs to a deed."""

    def __init__(self, text: Text, stated: Stated) -> None:
        self._of = text
        self._stated = stated

    @cached_property
    def _handover(self) -> Handover:
        from sluicegate.vet.inspect.analyzers.proseflow.handover import (
            Handover,
        )  # most texts name nothing private

        return Handover(self._of, self._stated)

    def read(self) -> Iterator[Match]:
        for kind in deeds_in(self._of.text):
            if kind in _BESIDE or (kind.startswith("part with") and not self._handover.may_part(kind)):
                continue
            for sentence in self._sentences(kind):
                yield from self._told(kind, sentence)

    def _sentences(self, kind: str) -> Iterator[TextSpan]:
        """The sentences outside fences in which a word of a kind stands, each once."""
        seen: set[int] = set()
        looked = 0
        for hint in hints_in(self._of.text, kind):
            at = self._of.low.find(hint)
            while at != -1 and looked < SENTENCES:
                looked += 1
                sentence = self._of.sentence(at)
                if sentence.start not in seen and not self._of.in_fence(at):
                    seen.add(sentence.start)
                    yield sentence
                at = self._of.low.find(hint, max(at + 1, sentence.end))

    def _told(self, kind: str, sentence: TextSpan) -> Iterator[Match]:
        """The deed that a word hints at, if the sentence orders it."""
        said = self._of.said(sentence)
        for each in named(kind, said, self._stated.explains):
            if (
                self._of.ordered(sentence, each.verb.start())
                and TOLD_OF.search(said, 0, each.verb.start()) is None
                and (not each.deed.hidden or self._of.in_comment(sentence.start + each.verb.start()))
                and (each.deed.round is None or each.deed.round(self._of.paragraph(sentence)))
            ):
                begins = min(each.verb.start(), each.object.start())
                yield self._of.match(
                    each.deed.rule, sentence, (each.object[0],), each.deed.confidence, begins
                )
                return
        if kind == "kept":
            yield from self._kept(sentence, said)
        elif kind.startswith("part with"):
            yield from self._handed_over(kind, sentence)
        elif kind == "destroy":
            yield from self._destroyed(sentence, said)
        elif kind == "token":
            from sluicegate.vet.inspect.analyzers.proseflow import services

            found = services.to_a_stranger(self._of, sentence, self._stated.explains)
            if found is not None:
                yield self._of.match(rules.SEND, sentence, found[1:], 600, found[0])
        elif kind == "harm" and (planted := work.HARM.search(said)):
            if self._of.ordered(sentence, planted.start()):
                yield self._of.match(rules.HARM, sentence, (planted[0],), 650, planted.start())
        elif kind == "grant" and (given := rights.GRANT.search(said)) and rights.STRANGE_KEY.search(said):
            if self._of.ordered(sentence, given.start()) and hushed(self._of.paragraph(sentence)):
                yield self._of.match(rules.GRANT, sentence, (given[0],), 600, given.start())
        elif kind == "ask":
            yield from self._asked(sentence, said)
        elif kind == "itself" and (itself := manner.ABOUT_ITSELF.search(said)):
            yield self._of.match(rules.COVERT, sentence, (itself[0],), 600, itself.start())

    def _handed_over(self, kind: str, sentence: TextSpan) -> Iterator[Match]:
        """What is private goes to a stranger, in this sentence or in one of the next."""
        found = self._handover.told(kind, sentence)
        if found is not None:
            yield self._of.match(rules.SEND, found.sentence, (found.what, found.whom), 600, found.begins)

    def _kept(self, sentence: TextSpan, said: str) -> Iterator[Match]:
        """What the sentences before order, where this one says that somebody must not know of it."""
        kept = manner.KEPT.search(said)
        if kept is None or manner.SURPRISE.search(said) is not None or TOLD_OF.search(said, 0, kept.start()):
            return
        if (
            self._of.negated(sentence.start + kept.start())
            or authority.ASKED.search(said, kept.end()) is not None
        ):
            return
        around = paragraph(self._of.text, sentence.start + 1)
        at, earlier = sentence.start, 0
        while at > around.start and earlier < BEFORE:
            before = self._of.sentence(at - 1)
            at, earlier = before.start, earlier + 1
            told = self._of.said(before)
            for verb in work.TWISTS.finditer(told):
                upon = work.STAKES.search(told, verb.end())
                if upon is not None and self._of.ordered(before, verb.start()):
                    yield self._of.match(
                        rules.COVERT, sentence, (verb[0], upon[0], kept[0]), 550, kept.start()
                    )
                    return

    def _asked(self, sentence: TextSpan, said: str) -> Iterator[Match]:
        found, asked = private.WALLET.search(said), moves.ASKS.search(said)
        if found and asked and moves.GIVES.search(said) and asked.start() < found.start():
            spoken_of = TOLD_OF.search(said, 0, asked.start()) is not None
            if not spoken_of and self._of.ordered(sentence, asked.start()):
                yield self._of.match(rules.ASK, sentence, (found[0],), 600, asked.start())

    def _destroyed(self, sentence: TextSpan, said: str) -> Iterator[Match]:
        verb = damage.DESTROY.search(said)
        if verb is None or not self._of.ordered(sentence, verb.start()):
            return
        doomed = {found[0].lower() for found in damage.DOOMED.finditer(said, verb.end())}
        if len(doomed) > 1 or (doomed and hushed(self._of.paragraph(sentence))):
            yield self._of.match(rules.DESTROY, sentence, tuple(sorted(doomed)), 550, verb.start())


def named(kind: str, said: str, explains: Callable[[str], bool]) -> Iterator[Ordered]:
    """The deeds of one kind that a sentence names, with all that belongs to them. ``explains`` tells whose host it is."""
    bare = moves.URL.sub(_blank, said) if "://" in said else said
    besides: dict[re.Pattern[str], bool] = {}
    for deed in DEEDS.get(kind, ()):
        if deed.also is not None:
            if deed.also not in besides:
                besides[deed.also] = _besides(deed.also, said, explains)
            if not besides[deed.also]:
                continue
        if deed.unless is not None and deed.unless.search(bare) is not None:
            continue
        for verb in deed.verb.finditer(said):
            upon = deed.object.search(said, verb.end()) or _before(deed.object, said, verb)
            if upon is not None and _NONE.search(said, 0, upon.start()) is None:
                yield Ordered(deed, verb, upon)


def _blank(address: re.Match[str]) -> str:
    return " " * len(address[0])


def _besides(also: re.Pattern[str], said: str, explains: Callable[[str], bool]) -> bool:
    """Whether what makes a deed grave is said; a host is nothing grave if the skill explains it."""
    found = also.search(said)
    if found is None:
        return False
    host = found.groupdict().get("host")
    return host is None or not explains(host.lower())


def _before(upon: re.Pattern[str], said: str, verb: re.Match[str]) -> re.Match[str] | None:
    """The object in front of a verb: ``is to be switched off``, or ``and hand them over``."""
    passive = _PASSIVE.search(said, max(0, verb.start() - 30), verb.start())
    if passive is None and _THEM.match(said, verb.end()) is None:
        return None
    if passive is not None and _OWN_OBJECT.match(said, verb.end()) is not None:
        return None
    return upon.search(said, 0, verb.start())


_NONE = lazy(r"\b(?:no|not any|neither|nor|without)\s(?:\w{2,12}\s)?$", re.IGNORECASE)
"""An object of which there is to be none."""
_THEM = lazy(
    r"\s(?:it|them|these|those|this|that|all of (?:it|them)|(?:its|their) (?:values?|contents?))\b",
    re.IGNORECASE,
)
_OWN_OBJECT = lazy(r"\s(?:an?|new|another|some)\s\w", re.IGNORECASE)
"""What a verb has for an object that nobody spoke of before: ``uses the token to post a comment``."""
_PASSIVE = lazy(
    r"\b(?:be|is|are|gets?|been|being)\s(?:\w{2,12}\s)?$|\b(?:should|must|shall|will|to)\s(?:\w{2,5}\s){0,4}$|\b(?:stop|let|have|make|get)\s[^.]{0,20}$",
    re.IGNORECASE,
)

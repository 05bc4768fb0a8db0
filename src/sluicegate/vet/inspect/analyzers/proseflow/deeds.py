"""Which deeds the sentences of one text order: verb class, object class and destination."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from sluicegate.known import hosts
from sluicegate.vet.hints import lower, one_of
from sluicegate.vet.inspect.analyzers.proseflow import plain, rules, words
from sluicegate.vet.inspect.analyzers.proseflow.passages import (
    Span,
    fenced,
    paragraph,
    sentence_round,
    sentences,
    within,
)
from sluicegate.vet.inspect.analyzers.purpose import Stated, common_host, lent
from sluicegate.vet.inspect.context.sentence import negation
from sluicegate.vet.inspect.rule import Match, Rule
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.intake.views.words import DEEDS, deeds_in
from sluicegate.vet.lazy import lazy

ADDRESSES = 200
"""Addresses of one text that are looked at."""
QUOTED = 600
"""Characters of an address between quotes, which may hold gaps with spaces."""


class Reader:
    """Reads one text. ``stated`` says which hosts the skill explains."""

    def __init__(self, view: View, stated: Stated) -> None:
        self._view = view
        self._text = view.text
        self._stated = stated

    def read(self) -> Iterator[Match]:
        """All deeds that are ordered; one match for a rule and a sentence."""
        seen: set[tuple[str, int]] = set()
        for match in self._all():
            if (match.rule, match.start) not in seen:
                seen.add((match.rule, match.start))
                yield match

    def _all(self) -> Iterator[Match]:
        for start, end in self._addresses():
            yield from self._addressed(start, end)
        yield from self._plain()

    @cached_property
    def _low(self) -> str:
        return lower(self._text)

    @cached_property
    def _fences(self) -> list[Span]:
        return fenced(self._text)

    # -- with an address -------------------------------------------------------------------------

    def _addresses(self) -> Iterator[tuple[int, int]]:
        """The addresses that are not everybody's, outside fences; each of those that are written the same way once."""
        text, looked = self._text, 0
        for mark, pattern in (("://", words.URL), ("@", words.MAILBOX)):
            at = text.find(mark)
            while at != -1 and looked < ADDRESSES:
                looked += 1
                found = pattern.match(text, _begins(text, at))
                if found is not None and found.end() > at:
                    if not common_host(_host(found.group())):
                        yield found.span()
                at = text.find(mark, at + len(mark))

    def _addressed(self, start: int, end: int) -> Iterator[Match]:
        if self._in_fence(start):
            return
        host = _host(self._text[start:end])
        if self._text[start - 1 : start] == "`":
            end = max(end, self._text.find("`", start, start + QUOTED))
        around = paragraph(self._text, start)
        pieces = list(sentences(self._text, around))
        number = within(pieces, start)
        found = [
            *self._sent(around, pieces, number, start, end),
            *self._outranks(around, pieces[number], start, end),
            *self._granted(around, pieces[number]),
        ]
        demands = [*self._installed(around, pieces[number], start, end)]
        if found or demands:
            explained = self._stated.explains(host)
            yield from () if explained else found
            yield from () if explained and not lent(host) else demands

    def _sent(self, around: Span, pieces: list[Span], number: int, start: int, end: int) -> Iterator[Match]:
        """Something private goes to the address: the object stands in the sentence, or in the one before it."""
        sentence = pieces[number]
        text, address = self._text, self._text[start:end]
        held = _filled(address)
        before = text[sentence.start : start]
        if held is None and not self._given_to(before, sentence.start, text[end : sentence.end], address):
            return
        said = held if held is not None else f"{before} {text[end : sentence.end]}"
        secret, own = words.SECRET.search(said), words.OWN.search(said)
        if (
            not secret
            and not own
            and held is None
            and re.search(r"(?i)\b(?:it|them|these|those|this)\b", before)
        ):
            earlier = text[pieces[number - 1].start : pieces[number - 1].end] if number else ""
            secret, own = words.SECRET.search(earlier), words.OWN.search(earlier)
        if held is None and self._own_key(before, address):
            return
        if secret or own:
            what = (secret or own)[0]  # type: ignore[index]
            yield from self._match(rules.SEND, sentence, (what, address), 700 if secret else 550)
            return
        whole = text[around.start : around.end]
        if words.PLAIN.search(said) and words.UNSEEN.search(whole):
            yield from self._match(rules.COVERT, sentence, (address,), 600)
        elif (
            held is None
            and words.PLAIN.search(said)
            and words.STANDING.search(text, sentence.start, sentence.end)
        ):
            if words.UNASKED.search(whole):
                yield from self._match(rules.SEND, sentence, (address,), 550)

    def _given_to(self, before: str, offset: int, after: str, address: str) -> bool:
        """Whether a verb that is not negated gives something to the address."""
        for verb in words.TRANSFER.finditer(before):
            if words.TOWARDS.search(before[verb.end() :] + " ") or verb.group().lower() in ("post", "put"):
                if not negation(self._text, offset + verb.start()):
                    return True
        opened = list(words.OPEN.finditer(before))
        return bool(
            opened
            and len(before) - opened[-1].end() < 40
            and not negation(self._text, offset + opened[-1].start())
            and (words.WITH.search(after) or "=" in address)
        )

    def _own_key(self, before: str, address: str) -> bool:
        """Whether it is an API that is called with its own key: the key is a header, or the host is the key's."""
        return re.search(r"(?i)\b(?:header|authorization|bearer|--header|-H)\b", before) is not None

    def _outranks(self, around: Span, sentence: Span, start: int, end: int) -> Iterator[Match]:
        """Rules at the address are to be obeyed before the skill or the user."""
        said = self._text[sentence.start : sentence.end]
        if words.RULES.search(said.replace(self._text[start:end], " ")) is None:
            return
        reads = words.OPEN.search(said) or words.OBEYS.search(said)
        reach = around if reads else sentence
        outranks = words.OUTRANKS.search(self._text, reach.start, reach.end)
        if outranks and not negation(self._text, outranks.start()):
            yield from self._match(rules.AUTHORITY, sentence, (self._text[start:end],), 650)

    def _granted(self, around: Span, sentence: Span) -> Iterator[Match]:
        """Somebody is given access, and the user is not asked or not told."""
        if not one_of(words.GRANTED, self._low[around.start : around.end]):
            return
        whole = self._text[around.start : around.end]
        given = words.GRANT.search(whole)
        if given is None or negation(self._text, around.start + given.start()):
            return
        if _hushed(whole):
            yield from self._match(rules.GRANT, sentence, (given[0],), 600)

    def _installed(self, around: Span, sentence: Span, start: int, end: int) -> Iterator[Match]:
        """A program is demanded that comes from the address."""
        text, address = self._text, self._text[start:end]
        if "@" in address.partition("://")[0] or address.startswith("ws"):
            return
        host = _host(address)
        before = text[max(around.start, start - 120) : start]
        beside = text[max(around.start, sentence.start - 200) : min(around.end, sentence.end + 120)]
        if lent(host) and not host.endswith("readthedocs.io") and self._hosted(beside, address):
            yield from self._match(rules.INSTALL, sentence, (address,), 600)
            return
        strange = hosts.classify(address) is hosts.Host.SUSPECT or lent(host)
        if (
            strange
            and words.SETUP.search(before)
            and not words.MANAGED.search(text, around.start, around.end)
        ):
            yield from self._match(rules.INSTALL, sentence, (address,), 550)
            return
        low = max(0, around.start - 400)
        near = Span(low, min(len(text), around.end + 400))
        passage = text[near.start : near.end]
        said = text[max(around.start, sentence.start - 200) : min(around.end, sentence.end + 200)]
        if (
            words.ACQUIRE.search(said)
            and words.PROGRAM.search(said)
            and words.NEEDED.search(passage)
            and (words.STARTS.search(passage) or "install" in passage.lower())
            and not words.MANAGED.search(passage)
            and not words.LACKING.search(passage)
        ):
            yield from self._match(rules.INSTALL, sentence, (address,), 600)

    @staticmethod
    def _hosted(passage: str, address: str) -> bool:
        """Whether what anybody may put at an address that is lent is a program that the passage has installed."""
        if words.MANAGED.search(passage) or words.DATA_FILE.search(address) or words.LACKING.search(passage):
            return False
        program = words.PROGRAM.search(passage.replace(address, " ")) or "install" in passage.lower()
        needed = words.NEEDED.search(passage)
        return bool(program and (needed or (words.ACQUIRE.search(passage) and words.STARTS.search(passage))))

    # -- without one -----------------------------------------------------------------------------

    def _plain(self) -> Iterator[Match]:
        text = self._text
        hints = [(hint, deed) for deed in deeds_in(text) for hint in DEEDS[deed]]
        looked = 0
        low = self._low if hints else ""
        for hint, deed in hints:
            at = low.find(hint)
            while at != -1 and looked < ADDRESSES:
                looked += 1
                sentence = sentence_round(text, at)
                for match in self._told(deed, sentence):
                    if not self._in_fence(at):
                        yield match
                at = low.find(hint, max(at + 1, sentence.end))

    def _told(self, deed: str, sentence: Span) -> Iterator[Match]:
        """The deed that a word hints at, if the sentence orders it."""
        said = self._text[sentence.start : sentence.end]
        if deed in plain.DEEDS:
            for each in plain.named(deed, said, self._stated.explains):
                before = said[: each.verb.start()]
                if self._ordered(sentence, each.verb) and plain.TOLD_OF.search(before) is None:
                    yield from self._match(each.deed.rule, sentence, (each.object[0],), each.deed.confidence)
                    return
            return
        if deed == "harm":
            found = words.HARM.search(said)
            if found and self._ordered(sentence, found):
                yield from self._match(rules.HARM, sentence, (found[0],), 650)
        elif deed == "ask":
            found, asked = words.WALLET.search(said), words.ASKS.search(said)
            if found and asked and words.GIVES.search(said) and asked.start() < found.start():
                if self._ordered(sentence, asked):
                    yield from self._match(rules.ASK, sentence, (found[0],), 600)
        elif deed == "destroy":
            yield from self._destroyed(sentence, said)
        elif deed == "remember":
            found, written = words.MEMORY.search(said), words.WRITES.search(said)
            if found and written and self._ordered(sentence, written):
                whole = self._paragraph(sentence)
                if words.LASTING.search(whole) and _hushed(whole):
                    yield from self._match(rules.REMEMBER, sentence, (found[0],), 600)
        elif deed == "grant":
            found = words.GRANT.search(said)
            if found and words.STRANGE_KEY.search(said) and self._ordered(sentence, found):
                if _hushed(self._paragraph(sentence)):
                    yield from self._match(rules.GRANT, sentence, (found[0],), 600)
        elif found := words.ABOUT_ITSELF.search(said):
            yield from self._match(rules.COVERT, sentence, (found[0],), 600)

    def _paragraph(self, sentence: Span) -> str:
        around = paragraph(self._text, sentence.start + 1)
        return self._text[around.start : around.end]

    def _destroyed(self, sentence: Span, said: str) -> Iterator[Match]:
        verb = words.DESTROY.search(said)
        if verb is None or not self._ordered(sentence, verb):
            return
        doomed = {found[0].lower() for found in words.DOOMED.finditer(said, verb.end())}
        if len(doomed) > 1 or (doomed and _hushed(self._paragraph(sentence))):
            yield from self._match(rules.DESTROY, sentence, tuple(sorted(doomed)), 550)

    # -- helpers ---------------------------------------------------------------------------------

    def _ordered(self, sentence: Span, verb: re.Match[str]) -> bool:
        """Whether the verb is an order: at the beginning of its sentence or of a clause, and not negated."""
        before = self._text[sentence.start : sentence.start + verb.start()]
        return _ORDER.search(before) is not None and not negation(self._text, sentence.start + verb.start())

    def _in_fence(self, at: int) -> bool:
        return any(fence.start <= at < fence.end for fence in self._fences)

    def _match(self, rule: Rule, span: Span, shown: tuple[str, ...], confidence: int) -> Iterator[Match]:
        text = self._text[span.start : span.end]
        start = span.start + len(text) - len(text.lstrip())
        yield Match(
            rule=rule.id,
            view=self._view,
            start=start,
            end=max(start + 1, span.start + len(text.rstrip())),
            message=f"{rule.title}: {', '.join(shown)}.",
            confidence=confidence,
            adjustments=() if confidence == rule.confidence else ("weighed by what is said round it",),
        )


_ORDER = lazy(
    r"(?i)(?:^|[.!?:;,]|\b(?:and|then|also|please|must|should|shall|always|now|first|finally|next|it|you|agent|assistant|or|just|quietly"
    r"|silently|to|will|is|are|be|gets?|run|execute|use|call))[\s\"'`*_>)#-]*(?:\d{1,3}[.)]\s*)?$|^[\s\W\d]*$"
)


def _begins(text: str, at: int) -> int:
    """Where the name of a scheme or a mailbox begins that ends at a sign."""
    start = at
    while start > 0 and at - start < 64 and (text[start - 1].isalnum() or text[start - 1] in "._+-"):
        start -= 1
    return start


def _hushed(whole: str) -> bool:
    """Whether a passage says that the user is not asked or is not to notice."""
    return words.UNASKED.search(whole) is not None or words.UNSEEN.search(whole) is not None


def _host(address: str) -> str:
    return hosts.host_of(address) if "://" in address else address.rpartition("@")[2].lower()


def _filled(address: str) -> str | None:
    """What the gaps of an address are filled with, where it has two at least."""
    gaps = words.PLACEHOLDER.findall(address)
    return " ".join(gaps) if len(gaps) > 1 else None

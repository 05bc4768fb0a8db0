"""Deeds that a sentence orders with an address: what is sent there, obeyed from there, granted to it or fetched from it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sluicegate.known import hosts
from sluicegate.vet.hints import one_of
from sluicegate.vet.inspect.analyzers.proseflow import foreign, rules, services, steps
from sluicegate.vet.inspect.analyzers.proseflow.passages import (
    TextSpan,
    address_start,
    host_of,
    paragraph,
    sentences,
    within,
)
from sluicegate.vet.inspect.analyzers.proseflow.text import TOLD_OF, Text, hushed
from sluicegate.vet.inspect.analyzers.proseflow.words import (
    authority,
    manner,
    moves,
    private,
    programs,
    rights,
)
from sluicegate.vet.inspect.analyzers.purpose import Stated, common_host, lent
from sluicegate.vet.inspect.rule import Match
from sluicegate.vet.intake.views.words import hints_in

PAGES = "page"
"""The deed of which a word stands in every address on a host where anybody may leave a page."""
ADDRESSES = 200
"""Addresses of one text that are looked at."""
QUOTED = 600
"""Characters of an address between quotes, which may hold gaps with spaces."""


class Addressed:
    """Reads the sentences of one text that have an address. ``stated`` says which hosts the skill explains."""

    def __init__(self, text: Text, stated: Stated) -> None:
        self._of = text
        self._text = text.text
        self._stated = stated

    def read(self) -> Iterator[Match]:
        for start, end in self._addresses():
            yield from self._after_steps(start, end)
            if not self._of.in_fence(start):
                yield from self._addressed(start, end)
        for start, end in self._of.bare_hosts:
            if not self._of.in_fence(start):
                yield from self._fetched(start, end)

    def _fetched(self, start: int, end: int) -> Iterator[Match]:
        """A program is demanded that comes from a host of its own which is written without its scheme."""
        host, said = host_of(self._text[start:end]), self._text[max(0, start - 80) : start]
        if ":" in self._text[start:end] or programs.THERE.search(said) is None:
            return
        if not lent(host) and not hosts.page_of_anybody(host) and not self._stated.explains(host):
            yield from self._installed(paragraph(self._text, start), self._of.sentence(start), start, end)

    def _after_steps(self, start: int, end: int) -> Iterator[Match]:
        """Credentials that steps before have gathered and packed go to the address."""
        found = steps.private_steps(self._of, start, end)
        address = self._text[start:end]
        host = host_of(address)
        if found is not None and not common_host(host) and not self._stated.explains(host):
            yield self._of.match(rules.SEND, TextSpan(found[0], end), (found[1], address), 650)

    def _addresses(self) -> Iterator[tuple[int, int]]:
        """The addresses that are not everybody's, outside fences; each of those that are written the same way once."""
        text, looked = self._text, 0
        for mark, pattern in (("://", moves.URL), ("@", moves.MAILBOX)):
            at = text.find(mark)
            while at != -1 and looked < ADDRESSES:
                looked += 1
                found = pattern.match(text, address_start(text, at))
                if found is not None and found.end() > at:
                    host = host_of(found.group())
                    if not common_host(host) or hosts.page_of_anybody(host):
                        yield found.span()
                at = text.find(mark, at + len(mark))
        yield from self._bare(ADDRESSES - looked)

    def _bare(self, most: int) -> Iterator[tuple[int, int]]:
        """Addresses without a scheme on hosts where anybody may leave a page or a file."""
        text = self._of.low
        seen: set[int] = set()
        for hint in hints_in(self._text, PAGES):
            at = text.find(hint)
            while at != -1 and most > 0:
                most -= 1
                start = at
                while (
                    start > 0 and at - start < 64 and (text[start - 1].isalnum() or text[start - 1] in "-.")
                ):
                    start -= 1
                found = moves.BARE.match(text, start)
                if found is not None and start not in seen and text[start - 1 : start] not in ("/", "@"):
                    seen.add(start)
                    yield found.span()
                at = text.find(hint, at + len(hint))

    def _addressed(self, start: int, end: int) -> Iterator[Match]:
        host = host_of(self._text[start:end])
        if self._text[start - 1 : start] == "`":
            end = max(end, self._text.find("`", start, start + QUOTED))
        around = paragraph(self._text, start)
        pieces = list(sentences(self._text, around))
        number = within(pieces, start)
        if hosts.page_of_anybody(host) and self._copied(around, pieces[number], start, end):
            yield self._of.match(rules.INSTALL, pieces[number], (self._text[start:end],), 600)
            return
        if (
            hosts.page_of_anybody(host)
            and (common_host(host) or not lent(host))
            and self._kept_there(around, pieces[number], start, end)
        ):
            yield self._of.match(rules.INSTALL, pieces[number], (self._text[start:end],), 600)
            return
        if common_host(host):
            return
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

    def _sent(
        self, around: TextSpan, pieces: list[TextSpan], number: int, start: int, end: int
    ) -> Iterator[Match]:
        """Something private goes to the address: the object stands in the sentence, or in the one before it."""
        sentence = pieces[number]
        text, address = self._text, self._text[start:end]
        misused = services.misdirected(self._of, pieces, number, start, end, host_of(address))
        if misused is not None:
            yield self._of.match(rules.SEND, sentence, (misused[1], address), 650, misused[0])
            return
        if services.rightful(self._of.said(sentence), host_of(address)):
            return
        told = foreign.sent(self._of, pieces, number, start)
        if told is not None:
            yield self._of.match(rules.SEND, sentence, (told, address), 600)
            return
        held = _filled(address)
        before = text[sentence.start : start]
        given = self._given_to(before, sentence.start, text[end : sentence.end], address)
        if held is None and (
            given is None or TOLD_OF.search(before, _clause(before, given), given) is not None
        ):
            return
        begins = given or 0
        said = held if held is not None else f"{before} {text[end : sentence.end]}"
        secret, own = private.SECRET.search(said), private.OWN.search(said)
        if not secret and not own and held is None and moves.AGAIN.search(before):
            earlier = text[pieces[number - 1].start : pieces[number - 1].end] if number else ""
            secret, own = private.SECRET.search(earlier), private.OWN.search(earlier)
        if held is None and self._own_key(before):
            return
        if secret or own:
            what = (secret or own)[0]  # type: ignore[index]
            yield self._of.match(rules.SEND, sentence, (what, address), 700 if secret else 550, begins)
            return
        whole = text[around.start : around.end]
        if private.PLAIN.search(said) and manner.UNSEEN.search(whole):
            yield self._of.match(rules.COVERT, sentence, (address,), 600, begins)
        elif (
            held is None
            and private.PLAIN.search(said)
            and manner.STANDING.search(text, sentence.start, sentence.end)
        ):
            if manner.UNASKED.search(whole):
                yield self._of.match(rules.SEND, sentence, (address,), 550, begins)

    def _given_to(self, before: str, offset: int, after: str, address: str) -> int | None:
        """Where in a sentence the verb begins that gives something to the address, or None; the nearest one decides."""
        for verb in reversed(list(moves.TRANSFER.finditer(before))):
            if moves.TOWARDS.search(before[verb.end() :] + " ") or verb.group().lower() in ("post", "put"):
                return None if self._of.negated(offset + verb.start()) else verb.start()
        opened = list(moves.OPEN.finditer(before))
        if (
            opened
            and len(before) - opened[-1].end() < 40
            and not self._of.negated(offset + opened[-1].start())
            and (moves.WITH.search(after) or "=" in address)
        ):
            return opened[-1].start()
        return None

    @staticmethod
    def _own_key(before: str) -> bool:
        """Whether it is an API that is called with its own key: the key is a header, or the host is the key's."""
        return re.search(r"(?i)\b(?:header|authorization|bearer|--header|-H)\b", before) is not None

    def _outranks(self, around: TextSpan, sentence: TextSpan, start: int, end: int) -> Iterator[Match]:
        """Rules at the address are to be obeyed before the skill or the user."""
        said = self._of.said(sentence)
        if authority.RULES.search(said.replace(self._text[start:end], " ")) is None:
            return
        reads = moves.OPEN.search(said) or authority.OBEYS.search(said)
        reach = around if reads else sentence
        outranks = authority.OUTRANKS.search(self._text, reach.start, reach.end)
        if outranks and not self._of.negated(outranks.start()):
            yield self._of.match(rules.AUTHORITY, sentence, (self._text[start:end],), 650)

    def _granted(self, around: TextSpan, sentence: TextSpan) -> Iterator[Match]:
        """Somebody is given access, and the user is not asked or not told."""
        if not one_of(rights.GRANTED, self._of.low[around.start : around.end]):
            return
        whole = self._text[around.start : around.end]
        given = rights.GRANT.search(whole)
        if given is None or self._of.negated(around.start + given.start()):
            return
        if hushed(whole):
            yield self._of.match(rules.GRANT, sentence, (given[0],), 600)

    def _installed(self, around: TextSpan, sentence: TextSpan, start: int, end: int) -> Iterator[Match]:
        """A program is demanded that comes from the address."""
        text, address = self._text, self._text[start:end]
        if "@" in address.partition("://")[0] or address.startswith(("ws://", "wss://")):
            return
        host = host_of(address)
        before = text[max(around.start, start - 120) : start]
        beside = text[max(around.start, sentence.start - 200) : min(around.end, sentence.end + 120)]
        if lent(host) and not host.endswith("readthedocs.io") and self._hosted(beside, address):
            yield self._of.match(rules.INSTALL, sentence, (address,), 600)
            return
        strange = hosts.classify(
            address if "://" in address else f"https://{address}"
        ) is hosts.Host.SUSPECT or lent(host)
        if (
            strange
            and programs.SETUP.search(before)
            and not programs.MANAGED.search(text, around.start, around.end)
        ):
            yield self._of.match(rules.INSTALL, sentence, (address,), 550)
            return
        low = max(0, around.start - 400)
        near = TextSpan(low, min(len(text), around.end + 400))
        passage = text[near.start : near.end]
        said = text[max(around.start, sentence.start - 200) : min(around.end, sentence.end + 200)]
        if (
            programs.ACQUIRE.search(said)
            and programs.PROGRAM.search(said)
            and programs.NEEDED.search(passage)
            and (programs.STARTS.search(passage) or "install" in passage.lower())
            and not programs.MANAGED.search(passage)
            and not programs.LACKING.search(passage)
        ):
            yield self._of.match(rules.INSTALL, sentence, (address,), 600)
        elif self._with_rights(sentence, address):
            yield self._of.match(rules.INSTALL, sentence, (address,), 550)

    def _copied(self, around: TextSpan, sentence: TextSpan, start: int, end: int) -> bool:
        """Whether a command is to be taken from a page that anybody may write, and to be run."""
        text = self._text
        first, last = max(around.start, sentence.start - 160), min(around.end, sentence.end + 160)
        before = text[first:start]
        told = programs.COPIED.search(before)
        if told is not None and self._of.negated(first + told.start()):
            return False
        passage = programs.CODE.sub("`-`", f"{before} {text[end:last]}")
        return (
            programs.COPIED.search(passage) is not None
            and programs.TYPED.search(passage) is not None
            and programs.MANAGED.search(passage) is None
            and programs.LACKING.search(passage) is None
            and programs.OF_A_WEBSITE.search(passage) is None
            and not self._of.negated(start)
        )

    def _with_rights(self, sentence: TextSpan, address: str) -> bool:
        """Whether one sentence has a program fetched from the address and started with the rights of an administrator."""
        said = self._of.said(sentence).replace(address, " ")
        fetched, started = programs.ACQUIRE.search(said), programs.STARTS.search(said)
        return (
            fetched is not None
            and started is not None
            and programs.RAISED.search(said) is not None
            and programs.MANAGED.search(said) is None
            and self._of.ordered(sentence, fetched.start())
        )

    def _kept_there(self, around: TextSpan, sentence: TextSpan, start: int, end: int) -> bool:
        """Whether a program that is demanded, fetched and started lies where anybody may leave a file, or on the page of a
        project that nothing else names."""
        text, address = self._text, self._text[start:end]
        said = text[max(around.start, sentence.start - 200) : min(around.end, sentence.end + 200)]
        if host_of(address).endswith(_PROJECT_PAGES) and self._stated.names_owner(host_of(address)):
            return False
        return (
            self._hosted(said, address)
            and programs.NEEDED.search(said) is not None
            and programs.STARTS.search(said) is not None
            and programs.OF_A_WEBSITE.search(said) is None
            and not self._of.negated(start)
        )

    @staticmethod
    def _hosted(passage: str, address: str) -> bool:
        """Whether what anybody may put at an address that is lent is a program that the passage has installed."""
        if (
            programs.MANAGED.search(passage)
            or programs.DATA_FILE.search(address)
            or programs.LACKING.search(passage)
        ):
            return False
        passage = passage.replace(address, " ")
        if "://" not in address:  # a name in a sentence, beside commands that are about something else
            passage = programs.CODE.sub("`-`", passage)
        program = (
            programs.PROGRAM.search(passage)
            or "install" in passage.lower()
            or programs.OF_SETUP.search(address) is not None
        )
        needed = programs.NEEDED.search(passage)
        return bool(
            program and (needed or (programs.ACQUIRE.search(passage) and programs.STARTS.search(passage)))
        )


def _clause(said: str, at: int) -> int:
    """Where the clause begins in which a character stands."""
    return max(said.rfind(sign, 0, at) for sign in ",;:.") + 1


_PROJECT_PAGES = (".github.io", ".gitlab.io", ".readthedocs.io")
"""Hosts on which a project has its page, under its own name."""


def _filled(address: str) -> str | None:
    """What the gaps of an address are filled with, where it has two at least."""
    gaps = moves.PLACEHOLDER.findall(address)
    return " ".join(gaps) if len(gaps) > 1 else None

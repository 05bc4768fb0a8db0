"""Flagged publishers: where a text aimed at reviewers was found, all else from there is CAUTION until a person ends it.

1. A flag rests on the skills in which such a text was found: by a rule, of confidence enough to condemn, or by a reviewer.
   Where a person has ruled that very skill SAFE, nothing was found.
2. Its docket is the digest of the publisher and of these skills: one more, and it is another.
3. Rulings on that docket count as those on a skill that is CAUTION: as many approvals as are needed end the flag, and one
   rejection keeps it.

Whoever can write the file of the queue can take a flag away, as they can a rejection. What is stored only ever grows, and each
piece of it, from here or from elsewhere and in any order, can only raise (RU-6).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from sluicegate.tuples import NamedTuple
from sluicegate.vet.intake.publishers import EndedFlag, KnownFlags, PublisherFlag, known_flags
from sluicegate.vet.report import Report, SkillReport
from sluicegate.vet.review.queue.items import QueueItem
from sluicegate.vet.review.queue.statements import RulingSubject
from sluicegate.vet.review.queue.store import StoredFlag
from sluicegate.vet.rulings import KnownRulings
from sluicegate.vet.verdict.decision import is_condemning
from sluicegate.vet.verdict.encoding import digest
from sluicegate.vet.verdict.ruling import Ruling, identity, rule
from sluicegate.vet.verdict.types import Decision

_LONGEST = 200
"""Characters of the name of a skill, and of who found it."""
_RULE = "rule "
"""What stands before the name of a rule that found it."""


class FlaggedPublisher(NamedTuple):
    """A publisher, what its flag rests on (the oldest first), and the rulings that hold on it today.

    ``ended``: persons have ended it. ``approvals`` of ``needed`` persons have said so.
    """

    publisher: str
    docket: str
    evidence: tuple[StoredFlag, ...]
    rulings: tuple[Ruling, ...]
    ended: bool
    approvals: int
    needed: int

    @property
    def subject(self) -> RulingSubject:
        """What a ruling on it is bound to."""
        return _subject(self.publisher, self.docket)


def found_in(report: Report, now: int) -> tuple[StoredFlag, ...]:
    """What flags the publishers of a report: the skills in which a text aimed at reviewers was found. ``now`` in seconds."""
    return tuple(
        StoredFlag(_written(skill.publisher), skill.digest, _short(skill.name), _short(by), now, "")
        for skill in report.skills
        if skill.publisher and skill.digest
        for by in _finders(skill)
    )


def standing(
    stored: Iterable[StoredFlag], rulings: KnownRulings, today: date
) -> tuple[FlaggedPublisher, ...]:
    """Every publisher of whom something is stored, in order of their names, and how far its flag is."""
    of: dict[str, list[StoredFlag]] = {}
    for each in stored:
        of.setdefault(each.publisher, []).append(each)
    return tuple(_standing(publisher, of[publisher], rulings, today) for publisher in sorted(of))


def holding(flagged: Sequence[FlaggedPublisher], rulings: KnownRulings) -> KnownFlags:
    """The flags that hold, and the rulings by which others ended, as a scan takes them."""
    held = (
        PublisherFlag(each.publisher, frozenset(found.bundle for found in each.evidence))
        for each in flagged
        if not each.ended
    )
    ended = (
        EndedFlag(each.publisher, rulings.digests(_bundle(each.publisher), each.rulings))
        for each in flagged
        if each.ended
    )
    return known_flags(held, ended)


def is_about_publisher(bundle: str, publisher: str) -> bool:
    """Whether a ruling is on a flag, and not on a skill."""
    return bundle == _bundle(publisher)


def says_so_itself(item: QueueItem, evidence: Iterable[StoredFlag]) -> bool:
    """Whether an item shows what flags its own skill: a reviewer's words, or a finding of the rule that found it."""
    shown = {f"{_RULE}{found.rule}" for found in item.findings}
    return bool(item.injections) or any(
        each.found_by in shown for each in evidence if each.bundle == item.bundle
    )


def _standing(
    publisher: str, evidence: Sequence[StoredFlag], rulings: KnownRulings, today: date
) -> FlaggedPublisher:
    docket = PublisherFlag(publisher, frozenset(each.bundle for each in evidence)).docket  # 2
    of_it = rulings.of(_bundle(publisher))
    decision, given = rule(Decision.CAUTION, docket, "", of_it, today)  # 3
    return FlaggedPublisher(
        publisher,
        docket,
        tuple(sorted(evidence, key=lambda each: (each.found, each.bundle))),
        given,
        decision is Decision.SAFE,
        len({identity(each.person) for each in given if each.approves}),
        rulings.needed,
    )


def _subject(publisher: str, docket: str) -> RulingSubject:
    return RulingSubject(docket, _bundle(publisher), publisher)


def _bundle(publisher: str) -> str:
    """What stands in a ruling in the place of a skill's digest: no skill has it."""
    return digest("publisher", publisher)


def _finders(skill: SkillReport) -> Iterator[str]:
    """Who found a text aimed at reviewers, if anybody: a rule before a reviewer, and the first of them."""
    verdict = skill.verdict
    if verdict.decision is Decision.SAFE:  # 1: a person has seen it
        return
    for finding in verdict.findings:
        if is_condemning(finding):
            yield f"{_RULE}{finding.rule}"
            return
    if verdict.review is not None and verdict.review.injections:
        yield f"reviewer {verdict.review.injections[0].reviewer}"


def _written(publisher: str) -> str:
    return publisher.encode("utf-8", "backslashreplace").decode()


def _short(text: str) -> str:
    plain = text.encode("utf-8", "backslashreplace").decode()
    return plain if len(plain) <= _LONGEST else f"{plain[:_LONGEST]} ..."

"""What reviewers said against a skill, as findings with a place: for formats that know results at lines, and no decision.

None of them is in a verdict. What reviewers add and think of a finding stands with the findings; these are their votes, and
the texts that they say are aimed at them. Where one of them names a file, and a line of it, it stands there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING

from sluicegate.reach.report.words import wording
from sluicegate.vet.inspect.rule import Rule, RuleKind
from sluicegate.vet.lazy import lazy
from sluicegate.vet.report import FileSummary, SkillReport
from sluicegate.vet.verdict.encoding import digest
from sluicegate.vet.verdict.types import (
    Author,
    Category,
    Decision,
    EvidenceKind,
    Finding,
    Location,
    Severity,
)

if TYPE_CHECKING:
    from sluicegate.vet.verdict.envelope import Review

SEEN = Rule(
    id="reviewer-saw-injection",
    title="A reviewer saw a text aimed at it",
    category=Category.REVIEWER_MANIPULATION,
    severity=Severity.CRITICAL,
    confidence=500,
    kind=RuleKind.STRUCTURE,
    stated=EvidenceKind.WORDS,
    why="A model that reviewed the skill says that a text in it tries to steer the review. One such reviewer is enough to block it.",
    fix="Take the text out of the skill.",
    references=("LLM01",),
)
CONDEMNED = Rule(
    id="reviewer-says-malicious",
    title="A reviewer says that the skill is malicious",
    category=Category.CUSTOM,
    severity=Severity.CRITICAL,
    confidence=500,
    kind=RuleKind.STRUCTURE,
    stated=EvidenceKind.WORDS,
    why="A model that reviewed the skill says that it does harm. One such reviewer is enough to block it.",
    fix="Take out what the reviewer means, or say what it is for.",
)
DOUBTED = Rule(
    id="reviewer-doubts",
    title="Reviewers do not call the skill SAFE",
    category=Category.CUSTOM,
    severity=Severity.MEDIUM,
    confidence=500,
    kind=RuleKind.STRUCTURE,
    stated=EvidenceKind.WORDS,
    why="A model that reviewed the skill doubts, failed or gave no answer, or too few were asked. SAFE needs all of them.",
    fix="Take out what the reviewer means, or say what it is for.",
)
VOICES: Mapping[str, Rule] = MappingProxyType({rule.id: rule for rule in (SEEN, CONDEMNED, DOUBTED)})
"""By id. They are not rules of a scan."""

_LINE = lazy(
    r"\A[\"'`)\]]?(?::|,?\s{0,3}\(?(?:at |on )?(?:line |lines |L))\s{0,3}([0-9]{1,7})", re.IGNORECASE
)


def voices(skill: SkillReport) -> tuple[Finding, ...]:
    """What its reviewers said against a skill, each reviewer once, and each text that one of them saw aimed at it.

    Nothing of a skill that is SAFE, as it is when a person has ruled so. Doubt about something that stands among the findings
    is not said again; what alone blocks is.
    """
    review, decision = skill.verdict.review, skill.verdict.decision
    if review is None or decision is Decision.SAFE:
        return ()
    return tuple(dict.fromkeys(_voices(skill, review)))


def _voices(skill: SkillReport, review: Review) -> Iterator[Finding]:
    from sluicegate.vet.verdict.consensus import Vote  # no report without reviewers needs it

    alarmed = {seen.reviewer for seen in review.injections}
    for seen in review.injections:
        yield _voice(SEEN, skill, seen.reviewer, wording.injection(seen), _named_in(seen.evidence, skill))
    for cast in review.ballots:
        who = cast.seat.reviewer
        if cast.vote is Vote.SAFE or (cast.vote is Vote.MALICIOUS and who in alarmed):
            continue
        said, place = wording.ballot(cast, review), _spoken_of(who, cast.vote, review)
        if cast.vote is Vote.MALICIOUS:
            yield _voice(CONDEMNED, skill, who, said, place or _of_all(skill))
        elif place is None:
            yield _voice(DOUBTED, skill, who, said, _of_all(skill))
    if review.decision is not Decision.SAFE and all(cast.vote is Vote.SAFE for cast in review.ballots):
        yield _voice(DOUBTED, skill, "", wording.panel_lacks(skill.verdict), _of_all(skill))


def _voice(rule: Rule, skill: SkillReport, reviewer: str, said: str, place: Location) -> Finding:
    return Finding(
        rule=rule.id,
        title=rule.title,
        category=rule.category,
        kind=rule.evidence_kind,
        severity=rule.severity,
        confidence=rule.confidence,
        message=said,
        evidence="",
        location=place,
        executable=False,
        fingerprint=digest(rule.id, skill.root, reviewer, place.path, str(place.start_line))[:32],
        author=Author.MODEL,
    )


def _spoken_of(reviewer: str, vote: int, review: Review) -> Location | None:
    """The place of what a reviewer added, or of the first finding of which it voted so."""
    added = (found for found in review.added if f"said by reviewer {reviewer}" in found.adjustments)
    of = (
        each.finding
        for each in review.findings
        if any(said.reviewer == reviewer and said.vote == vote for said in each.opinions)
    )
    found = next(chain(added, of), None)
    return None if found is None else found.location


def _named_in(text: str, skill: SkillReport) -> Location:
    """The file of the skill that a text names first, and the line of it, if it names any; else the skill's first file."""
    at, file = min(
        ((text.find(file.path), file) for file in skill.files if file.path in text),
        key=lambda found: (found[0], -len(found[1].path)),
        default=(-1, None),
    )
    if file is None:
        return _of_all(skill)
    match = _LINE.match(text[at + len(file.path) :])
    line = int(match[1]) if match else 1
    return _at(file.path, line if 1 <= line <= _most_lines(file) else 1)


def _most_lines(file: FileSummary) -> int:
    """A report holds no text: a file has no more lines than bytes."""
    return max(1, file.size)


def _of_all(skill: SkillReport) -> Location:
    paths = sorted(file.path for file in skill.files)
    return _at(next((each for each in paths if each.lower() == "skill.md"), paths[0] if paths else ""), 1)


def _at(path: str, line: int) -> Location:
    return Location(path=path, start_line=line, end_line=line, origin=())

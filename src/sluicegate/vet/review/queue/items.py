"""What waits for a person: one skill and its decision, with what somebody needs to see to rule on it.

An item is shown, and decides nothing: a ruling is bound to the docket alone. All text in it is untrusted, and it is cut
to a size that somebody reads; what was cut is counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from sluicegate.vet.report import SkillReport
from sluicegate.vet.review.queue.errors import QueueError
from sluicegate.vet.verdict.types import Decision, Finding, Severity, Verdict

_MOST = 50
"""Findings, gaps and voices that are kept."""
_MOST_CAPABILITIES = 200
_LONGEST = 400

_Name = Annotated[str, Meta(max_length=4096)]
_DecisionName = Annotated[str, Meta(pattern="^(SAFE|CAUTION|DO_NOT_INSTALL)$")]
_SeverityName = Annotated[str, Meta(pattern="^(LOW|MEDIUM|HIGH|CRITICAL)$")]


class ItemFinding(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A finding: what, where, and one line of evidence."""

    rule: str
    title: str
    severity: _SeverityName
    path: str
    line: int
    message: str
    evidence: str


class ItemGap(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What was not inspected, and why."""

    path: str
    reason: str
    detail: str


class ItemVote(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What one seat of the panel came to, and what it said in sum."""

    reviewer: str
    family: str
    role: str
    vote: str
    note: str = ""


class ItemVoice(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What one reviewer says of a finding that another sees otherwise. ``about`` is its rule and place."""

    about: str
    reviewer: str
    vote: str
    note: str


class QueueItem(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One skill that waits. ``decision`` is the one before any ruling.

    ``docket`` is the digest of all that it rests on, ``bundle`` that of the bytes; ``findings`` stand in the order of their
    weight, and ``injections`` are what reviewers said was aimed at them. ``more_findings`` and ``more_gaps`` were left out.
    """

    docket: str
    bundle: str
    name: _Name
    source: _Name
    description: str
    decision: _DecisionName
    score: int
    reasons: tuple[str, ...]
    capabilities: tuple[str, ...]
    findings: tuple[ItemFinding, ...]
    gaps: tuple[ItemGap, ...]
    votes: tuple[ItemVote, ...] = ()
    disagreements: tuple[ItemVoice, ...] = ()
    injections: tuple[str, ...] = ()
    more_findings: int = 0
    more_gaps: int = 0
    more_capabilities: int = 0
    reviewed: bool = False

    @property
    def computed(self) -> Decision:
        """The decision before any ruling."""
        return Decision[self.decision]


def item_of(source: str, skill: SkillReport) -> QueueItem | None:
    """What somebody is to see of a skill; None where there is nothing to rule on.

    That is one which is SAFE and on which nobody ruled otherwise, and one of which nothing could be read: no ruling could be
    bound to its content.
    """
    verdict = skill.verdict
    if not skill.digest or verdict.computed is verdict.decision is Decision.SAFE:
        return None
    abilities = list(dict.fromkeys(capability.name for capability in skill.capabilities))
    return QueueItem(
        docket=verdict.docket,
        bundle=skill.digest,
        name=_short(skill.name),
        source=_short("/".join(filter(None, (source.rstrip("/"), skill.root)))),
        description=_short(skill.description),
        decision=verdict.computed.name,
        score=verdict.score,
        reasons=tuple(_short(reason) for reason in verdict.reasons),
        capabilities=tuple(_short(name) for name in abilities[:_MOST_CAPABILITIES]),
        findings=tuple(_finding(each) for each in verdict.findings[:_MOST]),
        gaps=tuple(
            ItemGap(path=_short(gap.path), reason=gap.reason.value, detail=_short(gap.detail))
            for gap in verdict.gaps[:_MOST]
        ),
        more_findings=max(0, len(verdict.findings) - _MOST),
        more_gaps=max(0, len(verdict.gaps) - _MOST),
        more_capabilities=max(0, len(abilities) - _MOST_CAPABILITIES),
        votes=tuple(_votes(verdict)),
        disagreements=tuple(_disagreements(verdict))[:_MOST],
        injections=tuple(
            _short(f"{each.reviewer}: {each.evidence or 'not quoted'}")
            for each in (verdict.review.injections[:_MOST] if verdict.review else ())
        ),
        reviewed=verdict.review is not None,
    )


def encode_item(item: QueueItem) -> bytes:
    """An item as JSON."""
    return msgspec.json.encode(item)


def decode_item(data: bytes) -> QueueItem:
    """The item that ``data`` spells. Raises QueueError."""
    try:
        return msgspec.json.decode(data, type=QueueItem)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise QueueError(f"an item of the queue is damaged: {error}", hint="Scan the skill again.") from None


def _finding(finding: Finding) -> ItemFinding:
    lines = [line for line in finding.evidence.splitlines() if line.strip()]
    return ItemFinding(
        rule=_short(finding.rule),
        title=_short(finding.title),
        severity=Severity(finding.severity).name,
        path=_short(finding.location.path),
        line=finding.location.start_line,
        message=_short(finding.message),
        evidence=_short(lines[0].strip() if lines else ""),
    )


def _votes(verdict: Verdict) -> Iterator[ItemVote]:
    review = verdict.review
    if review is None:
        return
    for cast in review.ballots[:_MOST]:
        yield ItemVote(
            reviewer=_short(cast.seat.reviewer),
            family=cast.seat.family.value,
            role=cast.seat.role.value,
            vote=cast.vote.name.lower(),
            note=_short(review.summary(cast)),
        )


def _disagreements(verdict: Verdict) -> Iterator[ItemVoice]:
    """What reviewers see otherwise, finding by finding."""
    for reviewed in verdict.review.findings if verdict.review else ():
        if len({opinion.vote for opinion in reviewed.opinions}) < 2:
            continue
        place = reviewed.finding.location
        about = f"{reviewed.finding.rule} in {place.begin}"
        for opinion in reviewed.opinions:
            yield ItemVoice(
                about=_short(about),
                reviewer=_short(opinion.reviewer),
                vote=opinion.vote.name.lower(),
                note=_short(opinion.note),
            )


def _short(text: str) -> str:
    """A text that is Unicode, and no longer than somebody reads."""
    plain = text.encode("utf-8", "backslashreplace").decode()
    return plain if len(plain) <= _LONGEST else f"{plain[:_LONGEST]} ..."

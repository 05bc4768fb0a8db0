"""From findings to a number: the thin list shell around the arithmetic of ``kernels``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sluicegate.vet.verdict import kernels
from sluicegate.vet.verdict.deeds import DEED_OF, FOR_A_PERSON, Deed
from sluicegate.vet.verdict.kernels import band_of, final, floor_of, place, points, weigh
from sluicegate.vet.verdict.types import Arithmetic, Band, EvidenceKind, Finding


def points_of(finding: Finding) -> int:
    """What one finding weighs, in ten-thousandths of a point."""
    return points(finding.severity, finding.confidence, finding.executable)


def score(findings: Iterable[Finding]) -> int:
    """The score of findings, of whatever kind, 0 to 100. Their order does not matter; more never lowers it.

    1. Of each rule, the three largest points.
    2. The floor: the largest of the findings' own.
    3. The weighted sum over the rules, in whole points, within floor and 100.
    """
    largest: dict[str, tuple[int, int, int]] = {}
    floor = 0
    for finding in findings:
        # 1
        largest[finding.rule] = place(points_of(finding), *largest.get(finding.rule, (0, 0, 0)))
        # 2
        floor = max(floor, floor_of(finding.severity, finding.confidence))
    # 3
    return final(floor, sum(weigh(*three) for three in largest.values()))


def arithmetic(findings: Sequence[Finding]) -> Arithmetic:
    """What the score of a skill is made of.

    1. Flows, commands and structures count in full; words add to them up to 50.
    2. Words and an act about the same deed, by two rules, both HIGH or worse and sure: 51 at least.
    3. Two deeds, or one flow, command or structure that a person should see: 21 at least.
    """
    return Arithmetic(
        # 1
        acts=score(finding for finding in findings if is_act(finding)),
        everything=score(findings),
        # 2
        corroborated=corroborated(findings),
        # 3
        deeds=len(deeds(findings)),
        for_a_person=any(map(for_a_person, findings)),
    )


def by_kind(made: Arithmetic) -> int:
    """The score of a skill, 0 to 100: words alone never take it beyond 50."""
    floor = kernels.floor_of_kinds(made.corroborated, made.deeds, made.for_a_person)
    return kernels.by_kind(made.acts, made.everything, floor)


def is_act(finding: Finding) -> bool:
    """Whether a finding rests on more than words."""
    return finding.kind is not EvidenceKind.WORDS


def corroborated(findings: Iterable[Finding]) -> bool:
    """Whether words and an act, found by two rules, are about the same deed, each HIGH or worse and sure.

    Flows, commands and structures do not support each other: they often read the same lines, and count in full anyway.
    """
    acts: dict[Deed, set[str]] = {}
    words: dict[Deed, set[str]] = {}
    for finding in findings:
        deed = DEED_OF[finding.category]
        if deed is not Deed.NONE and kernels.corroborates(finding.severity, finding.confidence):
            (acts if is_act(finding) else words).setdefault(deed, set()).add(finding.rule)
    return any(rule != other for deed, said in words.items() for rule in said for other in acts.get(deed, ()))


def deeds(findings: Iterable[Finding]) -> frozenset[Deed]:
    """The deeds that findings of MEDIUM severity or worse state surely."""
    return frozenset(
        deed
        for finding in findings
        if kernels.is_deed(finding.severity, finding.confidence)
        and (deed := DEED_OF[finding.category]) is not Deed.NONE
    )


def for_a_person(finding: Finding) -> bool:
    """Whether one finding alone is enough to ask a person: an act of MEDIUM or worse, sure, of certain categories."""
    return (
        is_act(finding)
        and finding.category in FOR_A_PERSON
        and kernels.is_deed(finding.severity, finding.confidence)
    )


def band(score: int) -> Band:
    """The band of a score."""
    return Band(band_of(score))

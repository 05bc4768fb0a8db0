"""The same match seen by several views counts once.

Findings are the same when rule, category, kind, path and fingerprint agree. (The fingerprint is made of rule and
path, and the rule has one category and one kind, so this is "the same fingerprint" for every finding that inspection
makes; for any others it refuses to merge what differs.)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from sluicegate.vet.verdict.score import points_of
from sluicegate.vet.verdict.types import Finding

Rank: TypeAlias = tuple[object, ...]


def rank(finding: Finding) -> Rank:
    """The order of findings in a verdict: most points first, then a total order over all that they say."""
    return (
        -points_of(finding),
        -finding.severity,
        finding.rule,
        finding.location,
        finding.fingerprint,
        -finding.confidence,
        not finding.executable,
        finding.category,
        finding.kind,
        finding.title,
        finding.message,
        finding.evidence,
        finding.also,
        finding.adjustments,
        finding.author,
    )


def deduplicate(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """One finding for each group of equal ones, in the order of ``rank``.

    1. Group by rule, category, kind, path and fingerprint.
    2. Merge each group.
    """
    groups: dict[tuple[str, str, str, str, str], list[Finding]] = {}
    for finding in findings:
        # 1
        key = key_of(finding)
        groups.setdefault(key, []).append(finding)
    # 2
    return tuple(sorted((merge(group) for group in groups.values()), key=rank))


def key_of(finding: Finding) -> tuple[str, str, str, str, str]:
    """What makes two findings the same match."""
    return (finding.rule, finding.category, finding.kind, finding.location.path, finding.fingerprint)


def merge(group: Sequence[Finding]) -> Finding:
    """One finding that stands for a group, and weighs at least what each of them does.

    1. The representative is the first by ``rank``: the one of most points.
    2. Severity, confidence and executability are the largest of the group, which says so when it differs.
    3. All other places of the group are kept.
    """
    # 1
    first = min(group, key=rank)
    if len(group) == 1 and not first.also:
        return first
    # 2
    severity = max(finding.severity for finding in group)
    confidence = max(finding.confidence for finding in group)
    executable = any(finding.executable for finding in group)
    adjustments = first.adjustments
    if (severity, confidence, executable) != (first.severity, first.confidence, first.executable):
        adjustments = (*adjustments, "raised to the worst of the same match seen elsewhere")
    # 3
    places = {finding.location for finding in group}.union(*(finding.also for finding in group))
    return first._replace(
        severity=severity,
        confidence=confidence,
        executable=executable,
        adjustments=adjustments,
        also=tuple(sorted(places - {first.location})),
    )

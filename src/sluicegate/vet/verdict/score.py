"""From findings to a number: the thin list shell around the arithmetic of ``kernels``."""

from __future__ import annotations

from collections.abc import Iterable

from sluicegate.vet.verdict.kernels import band_of, final, floor_of, place, points, weigh
from sluicegate.vet.verdict.types import Band, Finding


def points_of(finding: Finding) -> int:
    """What one finding weighs, in ten-thousandths of a point."""
    return points(finding.severity, finding.confidence, finding.executable)


def score(findings: Iterable[Finding]) -> int:
    """The score of findings that count, 0 to 100. Their order does not matter; more never lowers it.

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


def band(score: int) -> Band:
    """The band of a score."""
    return Band(band_of(score))

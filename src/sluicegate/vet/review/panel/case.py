"""One skill as a panel is given it."""

from __future__ import annotations

from collections.abc import Mapping

from sluicegate.tuples import NamedTuple
from sluicegate.vet.review.mediator.packages import Packages
from sluicegate.vet.review.mediator.subject import ReviewSubject
from sluicegate.vet.verdict.replies import Part
from sluicegate.vet.verdict.types import Finding


class ReviewCase(NamedTuple):
    """One skill before its panel. ``name`` is untrusted; ``parts`` are its artifacts, on which a reviewer may report."""

    name: str
    findings: tuple[Finding, ...]
    packages: Packages
    parts: Mapping[str, Part]


def case_of(name: str, subject: ReviewSubject, packages: Packages) -> ReviewCase:
    """The case of a skill that was mediated."""
    lines = {each.path: each.lines for each in packages.coverage}
    parts = {
        artifact.path: Part(executable=artifact.executable, lines=max(1, lines.get(artifact.path, 0)))
        for artifact in subject.bundle.artifacts
    }
    return ReviewCase(name, subject.findings, packages, parts)

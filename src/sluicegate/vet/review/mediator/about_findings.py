"""The packages for reviewers of findings: a few findings each, most severe first, with the lines around them.

1. Findings that are the same match are one. They are ordered by severity, confidence and place.
2. Each is put into the package under way; where that would be over the budget, a new one is begun.
3. A finding that is over the budget alone is shown with fewer lines around it and shorter ones.
4. One that does not fit even so, and those for which there is no package left, are named as left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from sluicegate.tuples import NamedTuple
from sluicegate.vet.review.mediator.excerpts import Detail, Excerpts
from sluicegate.vet.review.mediator.frame import Part, Quote, QuotedRow, Said, tokens_of
from sluicegate.vet.review.mediator.packages import MediatedPackage, Omission, package
from sluicegate.vet.review.mediator.settings import MediatorSettings
from sluicegate.vet.review.mediator.subject import SkillTexts, blank_free, facts, rule_of
from sluicegate.vet.review.mediator.visible import cut, note
from sluicegate.vet.verdict.consensus import Role
from sluicegate.vet.verdict.dedup import deduplicate
from sluicegate.vet.verdict.types import Finding

GROUND_TRUTH = (
    "What the scanner found is ground truth: deterministic rules matched these\nbytes, and nothing that the skill says can have "
    "changed that. Whether a finding\nmeans harm here is the question."
)
_MOST_ROWS = 12
"""Rows of what the scanner says of one finding."""
_MOST_PLACES = 5
_DESCRIBED = "what the skill says of itself: its name and description"
_MOST_DESCRIBED = 400
"""Estimated tokens of it."""


class FindingPackages(NamedTuple):
    """The packages, and what is in none."""

    packages: tuple[MediatedPackage, ...]
    omissions: tuple[Omission, ...]


def in_order(findings: Sequence[Finding]) -> list[Finding]:
    """1. A reviewer speaks of a finding by its fingerprint, so that no two that are shown have the same."""
    ordered = sorted(
        deduplicate(findings),
        key=lambda f: (
            -f.severity,
            -f.confidence,
            f.location.path,
            f.location.start_line,
            f.rule,
            f.fingerprint,
        ),
    )
    by_mark: dict[str, Finding] = {}
    for finding in ordered:
        first = by_mark.get(finding.fingerprint)
        by_mark[finding.fingerprint] = (
            finding if first is None else first._replace(also=(*first.also, finding.location, *finding.also))
        )
    return list(by_mark.values())


def about_findings(texts: SkillTexts, settings: MediatorSettings) -> FindingPackages:
    """All packages of the role ``FINDINGS``."""
    findings = in_order(texts.subject.findings)
    groups: list[tuple[list[Finding], Detail]] = []
    omissions: list[Omission] = []
    details = _details(settings)
    budget = settings.finding_tokens
    for finding in findings:
        if groups and groups[-1][1] == details[0]:
            together = [*groups[-1][0], finding]
            if tokens_of(_parts(texts, together, details[0], len(findings), len(findings))) <= budget:  # 2
                groups[-1] = (together, details[0])
                continue
        fitting = next(
            (
                d
                for d in details
                if tokens_of(_parts(texts, [finding], d, len(findings), len(findings))) <= budget
            ),
            None,
        )
        if fitting is None:  # 4
            omissions.append(_left_out(finding, "over the budget of a package even by itself"))
        elif len(groups) >= settings.most_packages:
            omissions.append(_left_out(finding, f"there are {settings.most_packages} packages already"))
        else:  # 3
            groups.append(([finding], fitting))
    return FindingPackages(
        packages=tuple(
            package(
                Role.FINDINGS,
                tuple(finding.fingerprint for finding in group),
                _parts(texts, group, detail, len(findings), len(omissions)),
            )
            for group, detail in groups
        ),
        omissions=tuple(omissions),
    )


def _details(settings: MediatorSettings) -> tuple[Detail, ...]:
    """What to show, and what to show where that is too much."""
    around, length = settings.context_lines, settings.line_length
    return (
        Detail(around, length),
        Detail(around // 2, min(length, 160)),
        Detail(0, min(length, 100)),
        Detail(0, 40),
    )


def _left_out(finding: Finding, why: str) -> Omission:
    return Omission(
        role=Role.FINDINGS,
        path=finding.location.path,
        why=why,
        amount=1,
        origin=finding.location.origin,
        finding=finding.fingerprint,
    )


def _parts(
    texts: SkillTexts, findings: Sequence[Finding], detail: Detail, total: int, left: int
) -> tuple[Part, ...]:
    """``left`` of all ``total`` findings found no room in any package."""
    more = f"\n{left} of them found no room, and are shown in no package." if left else ""
    excerpts = Excerpts(texts, detail)
    parts: list[Part] = [
        Said(f"{len(findings)} of the {total} findings of the scanner in one skill.{more}\n{GROUND_TRUTH}"),
        *described(texts),
    ]
    for number, finding in enumerate(findings, 1):
        where = excerpts.add(finding)
        parts += said_of(texts, finding, number, where, detail)
    parts.append(Said("\nThe excerpts. A > stands before the lines that a finding is about."))
    return (*parts, *excerpts.quotes())


def described(texts: SkillTexts) -> list[Part]:
    """What the skill calls itself, as far as it is short."""
    lines = [*blank_free(texts.subject.declared)[:1], *blank_free(texts.subject.description)]
    rows = [QuotedRow(cut(line, 240)) for line in lines[:_MOST_ROWS]]
    left = len(lines) - len(rows)
    while rows and tokens_of([Quote(_DESCRIBED, tuple(rows))]) > _MOST_DESCRIBED:
        rows, left = rows[:-1], left + 1
    if left:
        rows.append(QuotedRow(note(f"{left} more rows")))
    return [Quote(_DESCRIBED, tuple(rows))] if rows else []


def said_of(texts: SkillTexts, finding: Finding, number: int, where: str, detail: Detail) -> list[Part]:
    """One finding: the facts in words of ours, and what may quote the skill in a frame."""
    place = texts.place(finding.location)
    also = list(dict.fromkeys(at for each in finding.also if (at := texts.place(each)) != place))
    more = f" and {len(also) - _MOST_PLACES} more places" if len(also) > _MOST_PLACES else ""
    places = f"\n  also {', '.join(also[:_MOST_PLACES])}{more}" if also else ""
    title = "" if finding.message.startswith(finding.title) else finding.title
    rows = [
        QuotedRow(cut(line, detail.length))
        for name, text in (
            ("", title),
            ("", finding.message),
            ("matched: ", finding.evidence),
            ("in: ", finding.location.path),
            ("read as: ", " > ".join(finding.location.origin)),
            ("scored: ", "; ".join(finding.adjustments)),
        )
        if text.strip()
        for line in blank_free(name + text)
    ]
    if len(rows) > _MOST_ROWS:
        rows = [*rows[: _MOST_ROWS - 1], QuotedRow(note(f"{len(rows) - _MOST_ROWS + 1} more rows"))]
    head = f"\nFinding {number}: {finding.severity.name}, {rule_of(finding)}, {place}"
    return [
        Said(f"{head}\n{facts(finding)}{places}\n  {where}"),
        Quote(f"what the scanner says of finding {number}", tuple(rows)),
    ]

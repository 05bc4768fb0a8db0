"""The report as a GitLab Code Quality report: what a merge request shows beside the lines it changes.

The format knows a list of issues and no decision. What was not inspected is an issue, too, so that an empty list means
that nothing was found and nothing was left out; and so is an acceptance that ends soon, what a panel of models voted, each
voice in it against the skill, and what persons ruled.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import msgspec

from sluicegate.reach.report.escape import json_safe, one_line, scalar
from sluicegate.reach.report.formats import Options
from sluicegate.reach.report.words import origins, wording
from sluicegate.reach.report.words.notes import Ending, ending, ends_in_words
from sluicegate.reach.report.words.places import ReportPaths
from sluicegate.reach.report.words.remedies import remedy
from sluicegate.reach.report.words.voices import voices
from sluicegate.vet.report import Report, SkillReport
from sluicegate.vet.verdict.types import Decision, Finding, Gap, Severity

Json = dict[str, object]

_SEVERITY = {
    Severity.CRITICAL: "blocker",
    Severity.HIGH: "critical",
    Severity.MEDIUM: "major",
    Severity.LOW: "minor",
}
_DECIDED = {Decision.SAFE: "info", Decision.CAUTION: "major", Decision.DO_NOT_INSTALL: "blocker"}


def render(report: Report, options: Options) -> str:
    """The issues, worst skill first as in the other reports, indented."""
    places = ReportPaths.of(report, absolute=options.absolute)
    issues: list[Json] = []
    for skill in wording.worst_first(report):
        issues += [_finding(places, skill, finding) for finding in skill.verdict.findings]
        issues += [_gap(places, skill, gap) for gap in sorted(skill.verdict.gaps)]
        issues += [_ending(places, skill, one) for one in ending(skill.verdict)]
        issues += [_finding(places, skill, said) for said in voices(skill)]
        if votes := wording.panel(skill.verdict):
            how_bad = _DECIDED[skill.verdict.review.decision] if skill.verdict.review else "info"
            issues.append(
                _of_skill(places, skill, "review", how_bad, (wording.panel_title(skill.verdict), *votes))
            )
        if given := skill.verdict.rulings.given:
            how_bad = "info" if all(ruling.approves for ruling in given) else "blocker"
            issues.append(_of_skill(places, skill, "ruling", how_bad, map(wording.ruling, given)))
    return json_safe(msgspec.json.format(msgspec.json.encode(issues), indent=2).decode()) + "\n"


def _finding(places: ReportPaths, skill: SkillReport, finding: Finding) -> Json:
    location = finding.location
    said = finding.title
    if finding.message and finding.message != finding.title:
        said = f"{finding.title}: {finding.message}"
    if origin := origins.in_words(location):
        said = f"{said} (found {origin})"
    opinions = wording.opinions(skill.verdict).get(finding.fingerprint, ())
    said = "; ".join((said, *map(wording.opinion, opinions)))
    return {
        "type": "issue",
        "check_name": finding.rule,
        "description": scalar(one_line(said)),
        "categories": ["Security"],
        "severity": _SEVERITY[finding.severity],
        "fingerprint": _fingerprint(skill, finding.rule, finding.fingerprint),
        "location": _location(places.path(skill, location.path), location.start_line, location.end_line),
    }


def _gap(places: ReportPaths, skill: SkillReport, gap: Gap) -> Json:
    return {
        "type": "issue",
        "check_name": "not-inspected",
        "description": scalar(one_line(f"{wording.gap(gap)}. {remedy(gap)}")),
        "categories": ["Security"],
        "severity": "major",
        "fingerprint": _fingerprint(skill, "not-inspected", f"{gap.path}\0{gap.reason}\0{gap.detail}"),
        "location": _location(places.path(skill, gap.path), 1, 1),
    }


def _ending(places: ReportPaths, skill: SkillReport, one: Ending) -> Json:
    return {
        "type": "issue",
        "check_name": "acceptance-ends",
        "description": scalar(one_line(ends_in_words(one))),
        "categories": ["Security"],
        "severity": "info",
        "fingerprint": _fingerprint(skill, "acceptance-ends", f"{one.about}\0{one.path}\0{one.last_day}"),
        "location": _location(places.path(skill, one.path), 1, 1),
    }


def _of_skill(places: ReportPaths, skill: SkillReport, name: str, severity: str, said: Iterable[str]) -> Json:
    """What was said of the skill as a whole, at the start of its first file."""
    paths = [file.path for file in skill.files] or [""]
    first = "SKILL.md" if "SKILL.md" in paths else paths[0]
    return {
        "type": "issue",
        "check_name": name,
        "description": scalar(one_line("; ".join(said))),
        "categories": ["Security"],
        "severity": severity,
        "fingerprint": _fingerprint(skill, name, ""),
        "location": _location(places.path(skill, first), 1, 1),
    }


def _location(path: str, start: int, end: int) -> Json:
    return {"path": scalar(path), "lines": {"begin": max(1, start), "end": max(1, start, end)}}


def _fingerprint(skill: SkillReport, rule: str, what: str) -> str:
    """One issue of one skill: the same match in two skills is two issues."""
    whole = "\0".join((skill.root, rule, what))
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()

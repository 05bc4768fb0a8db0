"""The report as GitHub workflow commands: annotations on the changed files, then a summary line.

GitHub shows at most 10 annotations of each level in a step, so the worst come first.
"""

from __future__ import annotations

from sluicegate.reach.report.escape import github_data, github_property, one_line
from sluicegate.reach.report.formats import Options
from sluicegate.reach.report.words import compared, origins, reasons, wording
from sluicegate.reach.report.words.advice import advice
from sluicegate.reach.report.words.notes import ends
from sluicegate.reach.report.words.places import ReportPaths, heading
from sluicegate.reach.report.words.remedies import remedy
from sluicegate.reach.report.words.voices import VOICES, voices
from sluicegate.vet.inspect.rule import Rule
from sluicegate.vet.report import Report, SkillReport
from sluicegate.vet.verdict.types import Decision, Finding, Severity

_COMMAND = {
    Severity.CRITICAL: "error",
    Severity.HIGH: "error",
    Severity.MEDIUM: "warning",
    Severity.LOW: "notice",
}
_SUMMARY = {Decision.SAFE: "notice", Decision.CAUTION: "warning", Decision.DO_NOT_INSTALL: "error"}


CHANGES = 40
"""Lines shown of what is new or gone."""


def render(report: Report, options: Options) -> str:
    """One workflow command a line."""
    places = ReportPaths.of(report, absolute=options.absolute)
    rules = {rule.id: rule for rule in report.rules}
    found = [(skill, finding) for skill in report.skills for finding in skill.verdict.findings]
    found.sort(key=lambda pair: (-pair[1].severity, -pair[1].confidence))
    lines = [_annotation(places, skill, finding, rules.get(finding.rule)) for skill, finding in found]
    for skill in report.skills:
        for gap in sorted(skill.verdict.gaps):
            file = github_property(places.path(skill, gap.path))
            said = f"{wording.gap(gap)}\n{remedy(gap)}"
            lines.append(f"::warning file={file},title=Not inspected::{github_data(said)}")
        for let in skill.verdict.accepted_gaps:
            file = github_property(places.path(skill, let.gap.path))
            said = f"{wording.gap(let.gap)}\n{wording.acceptance(let)}"
            lines.append(f"::notice file={file},title=Not inspected (accepted)::{github_data(said)}")
        lines += [_annotation(places, skill, said, VOICES[said.rule]) for said in voices(skill)]
        if votes := wording.panel(skill.verdict):
            title = github_property(wording.panel_title(skill.verdict))
            lines.append(f"::notice title={title}::{github_data(chr(10).join(votes))}")
        if given := skill.verdict.rulings.given:
            said = "\n".join(wording.ruling(ruling) for ruling in given)
            lines.append(f"::notice title=Rulings::{github_data(said)}")
    if report.comparison is not None:
        told = (compared.result(report.comparison), *compared.lines(report)[:CHANGES])
        head = github_property(compared.title(report.comparison))
        lines.append(f"::notice title={head}::{github_data(chr(10).join(told))}")
    lines += [f"::warning title=Settings::{github_data(note)}" for note in report.notes]
    lines += [f"::notice title=Accepted, ends soon::{github_data(note)}" for note in ends(report)]
    lines.append(f"::{_SUMMARY[report.decision]} title=Sluicegate::{github_data(_summary(report, options))}")
    return "\n".join(lines) + "\n"


def _annotation(places: ReportPaths, skill: SkillReport, finding: Finding, rule: Rule | None) -> str:
    location = finding.location
    properties = [f"file={github_property(places.path(skill, location.path))}"]
    if location.start_line >= 1:
        properties.append(f"line={location.start_line}")
        properties.append(f"endLine={max(location.start_line, location.end_line)}")
    properties.append(f"title={github_property(one_line(f'{finding.title} [{finding.rule}]'))}")
    said = list(filter(None, [wording.message(finding, rule)]))
    if origin := origins.in_words(location):
        said.append(f"Found {origin}.")
    said += [
        wording.opinion(opinion) for opinion in wording.opinions(skill.verdict).get(finding.fingerprint, ())
    ]
    if rule is not None:
        said.append(advice(rule, finding.severity, skill.verdict.decision).do)
    message = "\n".join(said) or finding.title
    return f"::{_COMMAND[finding.severity]} {','.join(properties)}::{github_data(message)}"


def _summary(report: Report, options: Options) -> str:
    off = wording.switched_off(report)
    if len(report.skills) == 1:
        skill = report.skills[0]
        verdict = skill.verdict
        ruled = wording.without_rulings(verdict)
        facts = ". ".join(filter(None, (wording.findings(verdict), wording.inspected(skill), off, ruled)))
        lead = f"{wording.DECISION[verdict.decision]}: {one_line(wording.title(skill))}, risk {verdict.score}/100."
        return "\n".join((lead, f"{facts}.", *reasons.because(verdict)[:3]))
    source = one_line(heading(report, options))
    return f"{wording.DECISION[report.decision]}: {source}, {wording.tallies(report)}.{f' {off}.' if off else ''}"

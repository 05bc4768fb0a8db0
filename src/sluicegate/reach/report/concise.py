"""One line a finding, for editors, terminals and ``grep``: ``path:line: SEVERITY rule message``.

Paths start at the folder in which the scan was started, so that a terminal or an editor can open them. A gap is a
line, too, and so is each opinion of a reviewer, each vote and each ruling of a person. Each skill that is not SAFE ends with
a line that begins with its decision, and the report with the sum. What is new and gone beside an older report stands before
the last line.
"""

from __future__ import annotations

from collections.abc import Iterator

from sluicegate.reach.report.escape import no_orders, one_line, printable
from sluicegate.reach.report.formats import Options
from sluicegate.reach.report.text.links import Links, linked
from sluicegate.reach.report.text.page import styled
from sluicegate.reach.report.words import compared, origins, wording
from sluicegate.reach.report.words.notes import notes
from sluicegate.reach.report.words.places import ReportPaths, heading
from sluicegate.reach.report.words.remedies import remedy
from sluicegate.reach.report.words.voices import voices
from sluicegate.vet.inspect.rule import Rule
from sluicegate.vet.report import Report, SkillReport
from sluicegate.vet.verdict.types import Decision, Finding


def render(report: Report, options: Options) -> str:
    """The lines of each skill, the worst skill first, then the sum."""
    return no_orders("".join(f"{line}\n" for line in _lines(report, options)))


def _lines(report: Report, options: Options) -> Iterator[str]:
    places = ReportPaths.of(report, absolute=options.absolute)
    links = Links.of(report, options) if options.links else None
    rules = {rule.id: rule for rule in report.rules}
    for skill in wording.worst_first(report):
        verdict, opinions = skill.verdict, wording.opinions(skill.verdict)
        for group in wording.grouped(verdict.findings):
            for finding in group.findings:
                yield _finding(skill, finding, rules.get(finding.rule), places, links, color=options.color)
                where, name = _where(skill, finding, places), one_line(finding.rule)
                for opinion in opinions.get(finding.fingerprint, ()):
                    yield f"{where}: OPINION {name} {one_line(wording.opinion(opinion))}"
        for gap in sorted(verdict.gaps):
            where = printable(places.path(skill, gap.path)) or "."
            shown = linked(where, links.artifact(skill, gap.path)) if links else where
            yield f"{shown}: GAP {gap.reason} {one_line(wording.gap(gap))}. {remedy(gap)}"
        where = printable(places.path(skill, "")) or "."
        against = {said.message: _where(skill, said, places) for said in voices(skill)}
        yield from (f"{against.get(line, where)}: REVIEW {one_line(line)}" for line in wording.panel(verdict))
        yield from (f"{where}: RULING {one_line(wording.ruling(one))}" for one in verdict.rulings.given)
        if len(report.skills) > 1 and (verdict.decision is not Decision.SAFE or options.verbose):
            yield _decision(verdict.decision, wording.title(skill), _facts(skill), color=options.color)
    yield from (f"note: {one_line(note)}" for note in notes(report))
    if report.comparison is not None:
        yield from (one_line(line) for line in compared.lines(report))
        yield one_line(f"{compared.title(report.comparison)}: {compared.result(report.comparison)}")
    if len(report.skills) == 1:
        skill = report.skills[0]
        facts = "; ".join(filter(None, (_facts(skill), wording.switched_off(report))))
        yield _decision(skill.verdict.decision, wording.title(skill), facts, color=options.color)
        return
    facts = "; ".join(filter(None, (wording.tallies(report), wording.switched_off(report))))
    yield _decision(report.decision, heading(report, options), facts, color=options.color)


def _finding(
    skill: SkillReport,
    finding: Finding,
    rule: Rule | None,
    places: ReportPaths,
    links: Links | None,
    *,
    color: bool,
) -> str:
    location, where = finding.location, _where(skill, finding, places)
    said = one_line(wording.message(finding, rule) or finding.title)
    if origin := origins.in_words(location):
        said += f" ({one_line(origin)})"
    name = one_line(finding.rule)
    if links is not None:
        where, name = linked(where, links.artifact(skill, location.path)), linked(name, links.rule(name))
    return f"{where}: {styled(finding.severity, finding.severity.name, color=color)} {name} {said}"


def _where(skill: SkillReport, finding: Finding, places: ReportPaths) -> str:
    location = finding.location
    line = f":{location.start_line}" if location.start_line >= 1 else ""
    return printable(f"{places.path(skill, location.path)}{line}")


def _facts(skill: SkillReport) -> str:
    verdict = skill.verdict
    facts = (wording.findings(verdict), wording.inspected(skill), *wording.apart(verdict))
    return "; ".join(filter(None, (*facts, wording.without_rulings(verdict))))


def _decision(decision: Decision, name: str, facts: str, *, color: bool) -> str:
    word = styled(decision, wording.DECISION[decision], color=color)
    return f"{word}: {one_line(name)}: {one_line(facts)}"

"""The report as plain text for a terminal: the decision first, what made it so, the details, and the sum at the end.

Whoever looks at a terminal sees the end of a long text, so the decisions stand there once more, a row each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeVar

from sluicegate.reach.report.escape import one_line, printable, unbroken
from sluicegate.reach.report.formats import Options
from sluicegate.reach.report.text.columns import cut, pad, width, wrap
from sluicegate.reach.report.text.page import TextPage
from sluicegate.reach.report.words import origins, reasons, wording
from sluicegate.reach.report.words.notes import notes
from sluicegate.reach.report.words.places import heading, root_name
from sluicegate.vet.report import Comparison, Report, SkillReport
from sluicegate.vet.verdict.types import Decision, Finding, Location, Severity, Verdict

if TYPE_CHECKING:
    from sluicegate.vet.verdict.replies import Opinion

_T = TypeVar("_T")

REASONS = 3
"""Reasons shown under the decision."""
PLACES = 6
"""Places shown of one rule; the rest is counted."""
APART = 12
"""Lines shown of what is listed apart; the rest is counted."""
CHANGES = 40
"""Lines shown of what is new or gone; the rest is counted."""
SKILLS = 20
"""Skills of many whose findings are shown, the worst; the summary has a row for each of the others."""


def render(report: Report, options: Options) -> str:
    """The report in ``options.width`` columns. Only a path may be longer than a line."""
    links = None
    if options.links:
        from sluicegate.reach.report.text.links import Links

        links = Links.of(report, options)
    page = TextPage(
        width=options.width, color=options.color, rules={r.id: r for r in report.rules}, links=links
    )
    source = heading(report, options)
    if len(report.skills) == 1:
        _one(page, report, summary_alone=options.summary)
    elif options.summary:
        from sluicegate.reach.report.text.summary import summary

        summary(page, report, source, verbose=options.verbose)
        _notes(page, report, limits=False)
    else:
        _many(page, report, source, options)
    if report.comparison is not None:
        _compared(page, report, report.comparison)
    return page.text()


def _compared(page: TextPage, report: Report, comparison: Comparison) -> None:
    """What is new, and what decides the exit code: the last lines, since they answer what was asked."""
    from sluicegate.reach.report.words import compared

    page.heading(compared.title(comparison))
    told = compared.lines(report)
    for line in told[:CHANGES]:
        page.wrapped(line, first="  ", rest="    ")
    if len(told) > CHANGES:
        page.add(f"  and {len(told) - CHANGES:,} more")
    page.wrapped(compared.result(comparison), first="  ")


def _one(page: TextPage, report: Report, *, summary_alone: bool) -> None:
    skill = report.skills[0]
    name = one_line(wording.title(skill))
    off = wording.switched_off(report)
    if not summary_alone:
        _skill(page, skill, name, off)
        _notes(page, report, limits=True)
        if not (skill.verdict.findings or skill.verdict.gaps):
            return  # the first lines still are in sight
        page.rule_line()
    from sluicegate.reach.report.text.summary import heads, row

    heads(page)
    row(page, skill, name, 0)
    for said in _facts(skill, "" if summary_alone else off):
        page.wrapped(said, first="  ")
    if summary_alone:
        _notes(page, report, limits=False)


def _many(page: TextPage, report: Report, source: str, options: Options) -> None:
    """The sum, the skills that are not SAFE, what could not be known, and the summary."""
    from sluicegate.reach.report.text.summary import summary, total

    total(page, report, source)
    blocked = [s for s in wording.worst_first(report) if s.verdict.decision is not Decision.SAFE]
    off = wording.switched_off(report)
    for skill in blocked[:SKILLS]:
        page.rule_line()
        _skill(page, skill, wording.called(skill, root_name(report, skill, absolute=options.absolute)), off)
    if len(blocked) > SKILLS:
        page.rule_line()
        more = wording.count(len(blocked) - SKILLS, "more skill is", "more skills are")
        page.wrapped(
            f"{more} not SAFE; the summary has a row for each. To read the findings, scan one of them alone, "
            "or write all to a file: --output report.html"
        )
    _notes(page, report, limits=True)
    page.rule_line()
    summary(page, report, source, verbose=options.verbose)


def _skill(page: TextPage, skill: SkillReport, name: str, off: str) -> None:
    verdict = skill.verdict
    _decision(page, skill, name, off)
    said = wording.opinions(verdict)
    for group in wording.grouped(verdict.findings):
        _group(page, skill, group, said)
    _gaps(page, verdict)
    _persons(page, verdict)
    _abilities(page, skill)
    _apart(page, skill)


def _decision(page: TextPage, skill: SkillReport, name: str, off: str) -> None:
    """The answer, in the first lines."""
    verdict = skill.verdict
    word = wording.DECISION[verdict.decision]
    score = f"risk {verdict.score}/100"
    title = one_line(name)
    room = page.width - len(word) - len(score) - 4
    if width(title) <= room:
        page.add(f"{page.style(verdict.decision, word)}  {page.style('bold', pad(title, room))}  {score}")
    else:
        lines = wrap(title, page.width, first=f"{word}  ", rest="  ")
        page.add(page.style(verdict.decision, word) + "  " + page.style("bold", lines[0][len(word) + 2 :]))
        page.add(*(page.style("bold", line) for line in lines[1:]), f"  {score}")
    strongest, more = reasons.first_reasons(verdict, REASONS)
    for reason in strongest:
        page.wrapped(reason, first="  - ")
    if more:
        page.add(f"    {more}")
    page.add("")
    for said in _facts(skill, off):
        page.wrapped(said, first="  ")


def _facts(skill: SkillReport, off: str) -> Iterator[str]:
    """What was counted, a line each."""
    verdict = skill.verdict
    facts = (wording.findings(verdict), wording.inspected(skill), *wording.apart(verdict), off)
    return (said for said in (*facts, wording.without_rulings(verdict)) if said)


def _group(
    page: TextPage, skill: SkillReport, group: wording.Group, opinions: Mapping[str, tuple[Opinion, ...]]
) -> None:
    """All findings of one rule and severity: what, where, why, what to do."""
    first = group.findings[0]
    rule = f"[{one_line(group.rule)}]"
    lead = f"{pad(group.severity.name, 8)}  "
    title = wrap(one_line(first.title), page.width - len(lead))
    last = len(lead) + width(title[-1])
    page.add("", page.style(group.severity, lead) + page.style("bold", title[0]))
    page.add(*(" " * len(lead) + page.style("bold", line) for line in title[1:]))
    shown = page.style("dim", f"[{page.rule(group.rule)}]")
    if last + 2 + width(rule) <= page.width:
        page.lines[-1] += "  " + shown
    else:
        page.add("  " + shown)
    for finding in group.findings[:PLACES]:
        _finding(page, skill, finding)
        _opinions(page, opinions.get(finding.fingerprint, ()))
    if len(group.findings) > PLACES:
        page.add(f"  and {wording.count(len(group.findings) - PLACES, 'more place')}")
    known = page.rules.get(group.rule)
    if known is not None:
        if group.severity is not Severity.LOW:
            page.wrapped(known.why, first="  Why  ")
        from sluicegate.reach.report.words.advice import advice

        said = advice(known, group.severity, skill.verdict.decision)
        page.wrapped(said.do, first="  You  ")
        if said.author:
            page.wrapped(f"Author: {said.author}", first="       ", style="dim")


def _finding(page: TextPage, skill: SkillReport, finding: Finding) -> None:
    """One place: path and line, the way to the text, one line of evidence, what is special about it."""
    page.add(f"  {page.place(skill, finding.location, wording.place(finding.location))}")
    if finding.location.origin:
        page.wrapped(f"{origins.in_words(finding.location)}", first="    ")
    evidence = _evidence(finding.evidence)
    if evidence:
        page.add("    " + page.style("dim", "| ") + cut(evidence, page.width - 6))
    if message := wording.message(finding, page.rules.get(finding.rule)):
        page.wrapped(message, first="    ")
    if said := wording.adjusted(finding, page.rules.get(finding.rule)):
        page.wrapped(said, first="    ")
    elif finding.confidence < 500:
        page.add(f"    Confidence {wording.percent(finding.confidence)}")
    if others := wording.other_places(finding):
        page.wrapped(f"Also at {_places(others)}", first="    ")


def _opinions(page: TextPage, said: tuple[Opinion, ...]) -> None:
    for opinion in said[:PLACES]:
        page.wrapped(wording.opinion(opinion), first="    Review  ", rest="      ")
    if len(said) > PLACES:
        page.add(f"    and {wording.count(len(said) - PLACES, 'more opinion')}")


def _places(locations: tuple[Location, ...]) -> str:
    shown = ", ".join(wording.place(location) for location in locations[:3])
    return shown if len(locations) <= 3 else f"{shown} and {len(locations) - 3:,} more"


def _evidence(text: str) -> str:
    """The first line of the evidence that says something; ``...`` when there is more."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return ""
    shown = one_line(lines[0])
    return f"{shown} ..." if len(lines) > 1 else shown


def _gaps(page: TextPage, verdict: Verdict) -> None:
    """What was not inspected, and what to do about it, once for each reason."""
    if not verdict.gaps:
        return
    ruled = verdict.decision is Decision.SAFE
    page.heading("Not inspected", "" if ruled else "a skill with such a gap is never SAFE")
    for gap in _some(page, sorted(verdict.gaps), len(verdict.gaps)):
        page.add(f"  {printable(wording.gap_path(gap))}")
        page.wrapped(wording.gap(gap), first="    ")
    from sluicegate.reach.report.words.remedies import remedies

    told = remedies(verdict.gaps)
    for reason, said in told:
        page.wrapped(said if len(told) == 1 else f"{reason}: {said}", first="  You  ")


def _persons(page: TextPage, verdict: Verdict) -> None:
    """What reviewers voted and persons ruled."""
    if votes := wording.panel(verdict):
        page.heading(wording.panel_title(verdict), "they can make a decision stricter, never milder")
        for line in _some(page, votes, len(votes)):
            page.wrapped(line, first="  ", rest="    ")
    if given := verdict.rulings.given:
        page.heading("Rulings", "by persons")
        for ruling in _some(page, given, len(given)):
            page.wrapped(wording.ruling(ruling), first="  ", rest="    ")


def _abilities(page: TextPage, skill: SkillReport) -> None:
    if not skill.capabilities:
        return
    page.heading("What its code can do")
    for title, found in wording.abilities(skill.capabilities):
        names = list(dict.fromkeys(wording.ability(c) for c in found))
        shown = ", ".join(names[:APART]) + (f" and {len(names) - APART:,} more" if len(names) > APART else "")
        page.wrapped(shown, first=f"  {pad(title, 13)}  ")


def _apart(page: TextPage, skill: SkillReport) -> None:
    """What was found and does not count."""
    verdict = skill.verdict
    if verdict.listed:
        page.heading("Listed, not scored", "low confidence")
        for finding in _some(page, verdict.listed, len(verdict.listed)):
            _brief(page, skill, finding)
    if verdict.suppressed:
        page.heading("Accepted, not scored", "by the baseline")
        for accepted in _some(page, verdict.suppressed, len(verdict.suppressed)):
            _brief(page, skill, accepted.finding)
            if evidence := _evidence(accepted.finding.evidence):
                page.add("    " + page.style("dim", "| ") + cut(evidence, page.width - 6))
            if message := wording.message(accepted.finding, page.rules.get(accepted.finding.rule)):
                page.wrapped(message, first="    ")
            page.wrapped(f"Accepted by {wording.acceptance(accepted)}", first="    ")
    if verdict.accepted_gaps:
        page.heading("Accepted, not inspected", "by the baseline")
        for let in _some(page, verdict.accepted_gaps, len(verdict.accepted_gaps)):
            page.add(f"  {printable(wording.gap_path(let.gap))}")
            page.wrapped(wording.gap(let.gap), first="    ")
            page.wrapped(f"Accepted by {wording.acceptance(let)}", first="    ")
    if verdict.stale:
        page.heading("Baseline entries that no longer hold")
        for entry in _some(page, verdict.stale, len(verdict.stale)):
            page.wrapped(
                f"{entry.rule} at {unbroken(entry.path)}: {wording.stale(entry)}", first="  ", rest="    "
            )


def _brief(page: TextPage, skill: SkillReport, finding: Finding) -> None:
    """A finding in one line, or in two where its title and its place do not fit beside each other."""
    where = wording.place(finding.location)
    lead = f"  {pad(finding.severity.name, 8)}  "
    title = wrap(one_line(finding.title), page.width, first=lead, rest=" " * len(lead))
    shown = page.place(skill, finding.location, where)
    page.add(*title)
    if width(title[-1]) + 2 + width(printable(where)) <= page.width:
        page.lines[-1] += f"  {shown}"
    else:
        page.add(f"    {shown}")


def _some(page: TextPage, items: Iterable[_T], number: int) -> Iterator[_T]:
    """The first ``APART`` items; then a line that counts the rest."""
    for at, item in enumerate(items):
        if at == APART:
            page.add(f"  and {number - APART:,} more")
            return
        yield item


def _notes(page: TextPage, report: Report, *, limits: bool) -> None:
    """What a reader has to know beside the findings; with ``limits``, what this scan could not know."""
    if limits:
        page.add("")
    if report.unassigned:
        page.wrapped(
            f"{wording.count(report.unassigned, 'file')} of the source belong to no skill and were not read.",
            first="  ",
        )
    if report.disabled:
        names = ", ".join(report.disabled[:APART])
        more = len(report.disabled) - APART
        rest = f" and {more:,} more (the JSON report has them all)" if more > 0 else ""
        page.wrapped(f"{wording.switched_off(report)}: {names}{rest}.", first="  ")
    told = notes(report)
    for note in _some(page, told, len(told)):
        page.wrapped(note, first="  Note  ")
    if report.looked:
        from sluicegate.reach.report.words import looked

        for line in looked.lines(report):
            page.wrapped(line, first="  ", rest="    ")
    if not limits:
        return
    for limit in report.limits:
        page.wrapped(limit, first="  ", style="dim")
    if any(s.verdict.findings or s.verdict.listed for s in report.skills):
        page.wrapped("Read more about a rule: sluicegate rules NAME", first="  ")

"""The report as GitHub Markdown, for a comment on a pull request.

Nothing a skill wrote stands outside a code span or fenced block except plain words, so it makes no link,
picture, heading, table or mention. The whole stays under the length that a comment may have; what was left
out is counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from sluicegate.reach.report import wording
from sluicegate.reach.report.escape import (
    markdown_block,
    markdown_code,
    markdown_prose,
    markdown_text,
    no_orders,
)
from sluicegate.reach.report.formats import Options
from sluicegate.reach.report.looked import lines as places_looked_at
from sluicegate.reach.report.notes import notes
from sluicegate.reach.report.places import root_name, source_name
from sluicegate.reach.report.references import reference
from sluicegate.reach.report.remedies import remedies
from sluicegate.vet.inspect.rule import Rule
from sluicegate.vet.report import Report, SkillReport
from sluicegate.vet.verdict.types import Decision, Finding, Gap, Location, Severity

if TYPE_CHECKING:
    from sluicegate.vet.verdict.replies import Opinion

LENGTH = 60_000
"""Characters of the whole; GitHub refuses a comment of more than 65,536."""
ROWS = 200
"""Rows of the table of skills."""
PLACES = 10
"""Places shown of one rule."""
NOTES = 20
"""Notes shown on settings and on what ends soon."""


def render(report: Report, options: Options) -> str:
    """Blocks of Markdown, in order of worth, as many as fit."""
    tail = _footer(report)
    room = LENGTH - len(tail) - 200
    blocks: list[str] = []
    left_out = 0
    for block in _blocks(report, options):
        if left_out or len(block) + 2 > room:
            left_out += 1
            continue
        blocks.append(block)
        room -= len(block) + 2
    if left_out:
        blocks.append(
            f"{wording.count(left_out, 'more block')} left out here for length: see the JSON or HTML report."
        )
    blocks.append(tail)
    return no_orders("\n\n".join(block for block in blocks if block) + "\n")


def _blocks(report: Report, options: Options) -> Iterator[str]:
    first, *rest = _of_skills(report, options)
    yield first
    told = notes(report)
    more = [f"- and {len(told) - NOTES:,} more"] if len(told) > NOTES else []
    yield "\n".join([*(f"- **Note:** {markdown_text(note)}" for note in told[:NOTES]), *more])
    yield "\n".join(f"- {markdown_text(line)}" for line in places_looked_at(report))
    yield from rest


def _of_skills(report: Report, options: Options) -> Iterator[str]:
    rules = {rule.id: rule for rule in report.rules}
    off = wording.switched_off(report)
    if len(report.skills) == 1:
        skill = report.skills[0]
        yield from _skill(skill, skill.name, rules, off, level=2)
        return
    yield _overview(report, options)
    for skill in wording.worst_first(report):
        if skill.verdict.decision is not Decision.SAFE:
            yield from _skill(
                skill, root_name(report, skill, absolute=options.absolute) or skill.name, rules, off, level=3
            )


def _overview(report: Report, options: Options) -> str:
    decisions = [skill.verdict.decision for skill in report.skills]
    counts = (
        f"{decisions.count(d):,} {wording.DECISION[d]}"
        for d in sorted(Decision, reverse=True)
        if d in decisions
    )
    source = markdown_code(source_name(report, absolute=options.absolute))
    rows = [
        f"## {wording.DECISION[report.decision]}: {source}",
        "",
        f"{wording.count(len(decisions), 'skill')}: {', '.join(counts)}.",
        "",
        "| Decision | Score | Skill | Because |",
        "| --- | ---: | --- | --- |",
    ]
    skills = wording.worst_first(report)
    for skill in skills[:ROWS]:
        verdict = skill.verdict
        reason = markdown_text(wording.because(verdict)[0][:300])
        name = markdown_code((root_name(report, skill, absolute=options.absolute) or skill.name)[:200])
        rows.append(f"| {wording.DECISION[verdict.decision]} | {verdict.score} | {name} | {reason} |")
    if len(skills) > ROWS:
        rows += ["", f"and {wording.count(len(skills) - ROWS, 'more skill')}."]
    return "\n".join(rows)


def _skill(skill: SkillReport, name: str, rules: dict[str, Rule], off: str, *, level: int) -> Iterator[str]:
    verdict = skill.verdict
    head = [f"{'#' * level} {wording.DECISION[verdict.decision]}: {markdown_code(name)}", ""]
    head += [f"- {markdown_text(reason)}" for reason in wording.because(verdict)]
    facts = [
        f"Score {verdict.score}/100",
        wording.findings(verdict),
        wording.inspected(skill),
        *wording.apart(verdict),
        *filter(None, (off, wording.without_rulings(verdict))),
    ]
    yield "\n".join([*head, "", f"{'. '.join(facts)}."])
    said = wording.opinions(verdict)
    for group in wording.grouped(verdict.findings):
        yield _group(group, rules.get(group.rule), said)
    yield _details("Not inspected", [_gap(gap) for gap in sorted(verdict.gaps)])
    yield "\n".join(
        f"- **What to do** ({reason}): {markdown_text(said)}" for reason, said in remedies(verdict.gaps)
    )
    yield _details(wording.panel_title(verdict), [markdown_text(line) for line in wording.panel(verdict)])
    yield _details("Rulings", [markdown_text(wording.ruling(given)) for given in verdict.rulings.given])
    yield _details(
        "What its code can do",
        [
            f"{title}: {', '.join(dict.fromkeys(markdown_code(wording.ability(c)) for c in found[:40]))}"
            + (f" and {len(found) - 40:,} more" if len(found) > 40 else "")
            for title, found in wording.abilities(skill.capabilities)
        ],
    )
    yield _details("Listed, not scored (low confidence)", [_brief(f) for f in verdict.listed])
    yield _details(
        "Accepted, not scored",
        [
            f"{_brief(s.finding)}: {markdown_text(s.reason)} ({markdown_text(s.owner)}"
            f"{', until ' + markdown_text(s.expires) if s.expires else ''})"
            for s in verdict.suppressed
        ],
    )
    yield _details(
        "Accepted, not inspected",
        [f"{_gap(a.gap)} ({markdown_text(wording.acceptance(a))})" for a in verdict.accepted_gaps],
    )
    yield _details(
        "Baseline entries that no longer hold",
        [
            f"{markdown_code(s.rule)} at {markdown_code(s.path)}: {markdown_text(wording.stale(s))}"
            for s in verdict.stale
        ],
    )


def _gap(gap: Gap) -> str:
    detail = f": {markdown_text(gap.detail)}" if gap.detail else ""
    return f"{markdown_code(gap.path)}: {wording.GAP[gap.reason]}{detail}"


def _group(group: wording.Group, rule: Rule | None, opinions: Mapping[str, tuple[Opinion, ...]]) -> str:
    """All findings of one rule and severity; folded unless they can decide."""
    first = group.findings[0]
    opened = " open" if group.severity >= Severity.HIGH else ""
    summary = f"<b>{group.severity.name.capitalize()}</b>, {first.kind}: {_summary_text(first.title)}"
    parts = [f"<details{opened}><summary>{summary}</summary>"]
    for finding in group.findings[:PLACES]:
        parts.append(_finding(finding))
        told = opinions.get(finding.fingerprint, ())[:PLACES]
        if told:
            parts.append("\n".join(f"- {markdown_text(wording.opinion(opinion))}" for opinion in told))
    if len(group.findings) > PLACES:
        parts.append(f"and {wording.count(len(group.findings) - PLACES, 'more place')}.")
    if rule is not None:
        said = f"**Why:** {markdown_prose(rule.why)}\n\n**What to do:** {markdown_prose(rule.fix)}"
        links = [_link(id) for id in rule.references]
        parts.append(f"{said}\n\nRule {markdown_code(rule.id)}{': ' + ', '.join(links) if links else ''}")
    parts.append("</details>")
    return "\n\n".join(parts)


def _link(id: str) -> str:
    found = reference(id)
    return f"[{found.label}]({found.url})" if found.url else markdown_text(found.label)


def _summary_text(title: str) -> str:
    """A title inside an HTML line, where Markdown is not read: plain words only, the rest as entities."""
    from sluicegate.reach.report.escape import html, one_line

    return (
        html(one_line(title))
        .replace("@", "<code>@</code>")
        .replace("#", "<code>#</code>")
        .replace(":/", ":<code>/</code>")
    )


def _finding(finding: Finding) -> str:
    said = [_place(finding.location)]
    if finding.message and finding.message != finding.title:
        said.append(markdown_text(finding.message))
    if finding.adjustments:
        why = "; ".join(markdown_text(a) for a in finding.adjustments)
        said.append(f"Confidence {wording.percent(finding.confidence)}: {why}")
    if others := wording.other_places(finding):
        also = ", ".join(_place(location) for location in others[:3])
        said.append(f"Also at {also}" + (f" and {len(others) - 3:,} more" if len(others) > 3 else ""))
    place = "<br>".join(said)
    return f"{place}\n\n{markdown_block(finding.evidence, 'text')}" if finding.evidence.strip() else place


def _place(location: Location) -> str:
    origin = wording.origin(location)
    return markdown_code(wording.place(location)) + (f" {markdown_text(origin)}" if origin else "")


def _brief(finding: Finding) -> str:
    return f"{finding.severity.name.capitalize()}: {markdown_text(finding.title)} {_place(finding.location)}"


def _details(title: str, items: list[str]) -> str:
    if not items:
        return ""
    shown = [f"- {item}" for item in items[:50]]
    if len(items) > 50:
        shown.append(f"- and {len(items) - 50:,} more")
    return "\n".join([f"<details><summary>{title} ({len(items):,})</summary>", "", *shown, "", "</details>"])


def _footer(report: Report) -> str:
    said = []
    if report.unassigned:
        said.append(
            f"{wording.count(report.unassigned, 'file')} of the source belong to no skill and were not read."
        )
    if report.disabled:
        names = ", ".join(markdown_code(name) for name in report.disabled[:50])
        more = len(report.disabled) - 50
        said.append(f"{wording.switched_off(report)}: {names}{f' and {more:,} more' if more > 0 else ''}.")
    said += [markdown_text(limit) for limit in report.limits]
    return f"<sub>Sluicegate {wording.version()}. {' '.join(said)}</sub>"

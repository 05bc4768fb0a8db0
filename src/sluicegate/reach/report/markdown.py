"""The report as GitHub Markdown, for a comment on a pull request.

Nothing a skill wrote stands outside a code span or fenced block except plain words, so it makes no link,
picture, heading, table or mention. The whole stays under the length that a comment may have; what was left
out is counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from sluicegate.reach.report.escape import (
    markdown_block,
    markdown_code,
    markdown_prose,
    markdown_text,
    no_orders,
    one_line,
)
from sluicegate.reach.report.formats import Options
from sluicegate.reach.report.words import compared, origins, reasons, wording
from sluicegate.reach.report.words.advice import advice
from sluicegate.reach.report.words.looked import lines as places_looked_at
from sluicegate.reach.report.words.notes import notes
from sluicegate.reach.report.words.places import heading, root_name
from sluicegate.reach.report.words.references import page_of, reference
from sluicegate.reach.report.words.remedies import remedies
from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.rule import Rule
from sluicegate.vet.report import Comparison, Report, SkillReport
from sluicegate.vet.verdict.types import Decision, Finding, Gap, Location, Severity, Suppressed

if TYPE_CHECKING:
    from sluicegate.vet.verdict.replies import Opinion

LENGTH = 60_000
"""Characters of the whole; GitHub refuses a comment of more than 65,536."""
MISSING = 2_000
"""Characters kept free to say what was left out."""
NAMED = 8
"""Parts that were left out and are named; the rest is counted."""
OPEN = 5
"""So many grave kinds of finding of one skill are shown open; more are folded, each behind its title."""
ROWS = 200
"""Rows of the table of skills."""
CHANGES = 12
"""So many new and gone findings stand in a list; more are folded."""
PLACES = 10
"""Places shown of one rule."""
NOTES = 20
"""Notes shown on settings and on what ends soon."""


class _Block(NamedTuple):
    """A part that is shown whole or not at all; ``what`` says what is missing where it is not shown."""

    what: str
    text: str


def render(report: Report, options: Options) -> str:
    """Blocks of Markdown, in order of worth, as many as fit; then what did not."""
    tail = _footer(report)
    room = LENGTH - len(tail) - MISSING
    blocks: list[str] = []
    missing: list[str] = []
    for what, text in _blocks(report, options):
        if not text:
            continue
        if missing or len(text) + 2 > room:
            missing.append(what)
            continue
        blocks.append(text)
        room -= len(text) + 2
    if missing:
        blocks.append(_missing(missing))
    blocks.append(tail)
    return no_orders("\n\n".join(blocks) + "\n")


def _missing(missing: Sequence[str]) -> str:
    """What was left out for length: the first by name, and how many in all."""
    named = [f"- {what}" for what in missing[:NAMED]]
    if len(missing) > NAMED:
        named.append(f"- and {len(missing) - NAMED:,} more")
    lead = f"**Left out here for length, {wording.count(len(missing), 'part')}; the JSON and HTML reports have all:**"
    return "\n".join([lead, "", *named])


def _blocks(report: Report, options: Options) -> Iterator[_Block]:
    if report.comparison is None:
        first, *rest = _of_skills(report, options)
    else:
        first, *rest = _of_news(report, report.comparison, options)
    yield first
    told = notes(report)
    more = [f"- and {len(told) - NOTES:,} more"] if len(told) > NOTES else []
    text = "\n".join([*(f"- **Note:** {markdown_text(note)}" for note in told[:NOTES]), *more])
    yield _Block("notes on the settings", text)
    places = [markdown_text(line) for line in places_looked_at(report)]
    if places:
        yield _Block("where installed skills were looked for", _details("Where was looked", places))
    yield from rest


def _of_skills(report: Report, options: Options) -> Iterator[_Block]:
    rules = {rule.id: rule for rule in report.rules}
    off = wording.switched_off(report)
    if len(report.skills) == 1:
        skill = report.skills[0]
        grave = [g for g in wording.grouped(skill.verdict.findings) if g.severity >= Severity.HIGH]
        yield from _skill(
            skill, wording.title(skill), rules, off, options.rules_url, level=2, opened=len(grave) <= OPEN
        )
        return
    yield _Block("the list of skills", _overview(report, options))
    for skill in wording.worst_first(report):
        if skill.verdict.decision is not Decision.SAFE:
            name = root_name(report, skill, absolute=options.absolute) or skill.name
            yield from _skill(skill, name, rules, off, options.rules_url, level=3, opened=False)


def _of_news(report: Report, comparison: Comparison, options: Options) -> Iterator[_Block]:
    """What is new beside the older report, and the decision that it comes to; what was there before is counted."""
    source = markdown_code(heading(report, options))
    lines = compared.lines(report)
    word = wording.DECISION[comparison.decision]
    lead = [
        f"## {word}: what is new in {source}" if compared.is_new(comparison) else f"## Nothing new: {source}",
        "",
        f"**{markdown_text(compared.title(comparison))}:** {markdown_text(compared.result(comparison))}",
    ]
    if lines and len(lines) <= CHANGES:
        lead += ["", *(f"- {markdown_text(line)}" for line in lines)]
    elif lines:
        lead += ["", _details("New and gone", [markdown_text(line) for line in lines])]
    yield _Block("what is new", "\n".join(lead))
    rules = {rule.id: rule for rule in report.rules}
    states = {id(skill): one for skill, one in zip(report.skills, comparison.skills, strict=True)}
    for skill in sorted(report.skills, key=lambda one: -states[id(one)].decision):
        new = states[id(skill)]
        name = root_name(report, skill, absolute=options.absolute) or wording.title(skill)
        plain = markdown_code(one_line(name)[:60])
        several = len(report.skills) > 1 and (new.new or new.new_gaps)
        yield _Block(f"{plain}: what is new", f"### New in {markdown_code(name)}" if several else "")
        yield from _groups(skill, new.new, plain, rules, options.rules_url, opened=len(new.new) <= OPEN)
        yield from _not_inspected(plain, new.new_gaps)
    yield _Block("all that was found", _as_a_whole(report, options))


def _as_a_whole(report: Report, options: Options) -> str:
    """What the skills come to with all that was there before, folded."""
    if len(report.skills) == 1:
        verdict = report.skills[0].verdict
        facts = f"{wording.DECISION[verdict.decision]}, risk {verdict.score}/100, {wording.findings(verdict)}"
        return f"With what was there before: {facts}."
    rows = [f"With what was there before: {wording.tallies(report)}."]
    if table := _table(report, options):
        rows += ["", "<details><summary>Skills that are not SAFE</summary>", "", *table, "", "</details>"]
    return "\n".join(rows)


def _overview(report: Report, options: Options) -> str:
    """The skills that are not SAFE in a table; the others counted."""
    source = markdown_code(heading(report, options))
    rows = [f"## {wording.DECISION[report.decision]}: {source}", "", f"{wording.tallies(report)}.", ""]
    return "\n".join([*rows, *_table(report, options)]).rstrip("\n")


def _table(report: Report, options: Options) -> list[str]:
    """The skills that are not SAFE, a row each."""
    rows: list[str] = []
    skills = [s for s in wording.worst_first(report) if s.verdict.decision is not Decision.SAFE]
    if skills:
        rows += ["| Decision | Risk | Skill | Because |", "| --- | ---: | --- | --- |"]
    for skill in skills[:ROWS]:
        verdict = skill.verdict
        reason = markdown_text(reasons.because(verdict)[0][:300])
        name = markdown_code((root_name(report, skill, absolute=options.absolute) or skill.name)[:200])
        rows.append(f"| {wording.DECISION[verdict.decision]} | {verdict.score} | {name} | {reason} |")
    if len(skills) > ROWS:
        rows += ["", f"and {wording.count(len(skills) - ROWS, 'more skill is', 'more skills are')} not SAFE."]
    return rows


def _skill(
    skill: SkillReport, name: str, rules: dict[str, Rule], off: str, pages: str, *, level: int, opened: bool
) -> Iterator[_Block]:
    verdict = skill.verdict
    head = [f"{'#' * level} {wording.DECISION[verdict.decision]}: {markdown_code(name)}", ""]
    head += [f"- {markdown_text(reason)}" for reason in reasons.because(verdict)]
    facts = [
        f"Risk {verdict.score}/100",
        wording.findings(verdict),
        wording.inspected(skill),
        *wording.apart(verdict),
        *filter(None, (off, wording.without_rulings(verdict))),
    ]
    plain = markdown_code(one_line(name)[:60])
    yield _Block(f"{plain}: the decision", "\n".join([*head, "", f"{'. '.join(facts)}."]))
    yield from _groups(skill, verdict.findings, plain, rules, pages, opened=opened)
    yield from _not_inspected(plain, verdict.gaps)
    yield _part(plain, wording.panel_title(verdict), [markdown_text(line) for line in wording.panel(verdict)])
    yield _part(plain, "Rulings", [markdown_text(wording.ruling(given)) for given in verdict.rulings.given])
    yield _part(
        plain,
        "What its code can do",
        [
            f"{title}: {', '.join(dict.fromkeys(markdown_code(wording.ability(c)) for c in found[:40]))}"
            + (f" and {len(found) - 40:,} more" if len(found) > 40 else "")
            for title, found in wording.abilities(skill.capabilities)
        ],
    )
    yield _part(plain, "Listed, not scored (low confidence)", [_brief(f) for f in verdict.listed])
    yield _part(
        plain,
        "Accepted, not scored",
        [_accepted(s, rules.get(s.finding.rule)) for s in verdict.suppressed],
    )
    yield _part(
        plain,
        "Accepted, not inspected",
        [f"{_gap(a.gap)} ({markdown_text(wording.acceptance(a))})" for a in verdict.accepted_gaps],
    )
    yield _part(
        plain,
        "Baseline entries that no longer hold",
        [
            f"{markdown_code(s.rule)} at {markdown_code(s.path)}: {markdown_text(wording.stale(s))}"
            for s in verdict.stale
        ],
    )


def _groups(
    skill: SkillReport,
    findings: Sequence[Finding],
    plain: str,
    rules: Mapping[str, Rule],
    pages: str,
    *,
    opened: bool,
) -> Iterator[_Block]:
    """These findings of a skill by their rules; ``opened``: those that are grave are not folded."""
    verdict = skill.verdict
    said = wording.opinions(verdict)
    for group in wording.grouped(tuple(findings)):
        title = f"{plain}: {group.severity.name.capitalize()}: {markdown_code(one_line(group.rule)[:80])}"
        opened_now = opened and group.severity >= Severity.HIGH
        text = _group(group, rules.get(group.rule), said, verdict.decision, pages, opened=opened_now)
        yield _Block(title, text)


def _not_inspected(plain: str, gaps: Sequence[Gap]) -> Iterator[_Block]:
    """These gaps, and what to do about them."""
    yield _part(plain, "Not inspected", [_gap(gap) for gap in sorted(gaps)])
    what = "\n".join(
        f"- **What to do** ({reason}): {markdown_text(said)}" for reason, said in remedies(tuple(gaps))
    )
    yield _Block(f"{plain}: what to do about what was not inspected", what)


def _part(name: str, title: str, items: list[str]) -> _Block:
    """A folded list, whose title says what is missing where it does not fit."""
    return _Block(f"{name}: {title}", _details(title, items))


def _gap(gap: Gap) -> str:
    detail = f": {markdown_text(gap.detail)}" if gap.detail else ""
    return f"{markdown_code(gap.path)}: {wording.GAP[gap.reason]}{detail}"


def _group(
    group: wording.Group,
    rule: Rule | None,
    opinions: Mapping[str, tuple[Opinion, ...]],
    decision: Decision,
    pages: str,
    *,
    opened: bool,
) -> str:
    """All findings of one rule and severity."""
    summary = f"<b>{group.severity.name.capitalize()}</b>: {_summary_text(group.findings[0].title)}"
    parts = [f"<details{' open' if opened else ''}><summary>{summary}</summary>"]
    for finding in group.findings[:PLACES]:
        parts.append(_finding(finding, rule))
        told = opinions.get(finding.fingerprint, ())[:PLACES]
        if told:
            parts.append("\n".join(f"- {markdown_text(wording.opinion(opinion))}" for opinion in told))
    if len(group.findings) > PLACES:
        parts.append(f"and {wording.count(len(group.findings) - PLACES, 'more place')}.")
    if rule is not None:
        do, author = advice(rule, group.severity, decision)
        said = f"**Why:** {markdown_prose(rule.why)}\n\n**What to do:** {markdown_prose(do)}"
        if author:
            said += f"\n\n**For the author:** {markdown_prose(author)}"
        links = [_link(id) for id in rule.references]
        name = markdown_code(rule.id)
        if page := page_of(rule, pages):
            name = f"[{name}](<{page}>)"
        parts.append(f"{said}\n\nRule {name}{': ' + ', '.join(links) if links else ''}")
    parts.append("</details>")
    return "\n\n".join(parts)


def _link(id: str) -> str:
    found = reference(id)
    return f"[{found.label}]({found.url})" if found.url else markdown_text(found.label)


def _summary_text(title: str) -> str:
    """A title inside an HTML line, where Markdown is not read: plain words only, the rest as entities."""
    from sluicegate.reach.report.escape import html

    return (
        html(one_line(title))
        .replace("@", "<code>@</code>")
        .replace("#", "<code>#</code>")
        .replace(":/", ":<code>/</code>")
    )


def _finding(finding: Finding, rule: Rule | None) -> str:
    said = [_place(finding.location)]
    if message := wording.message(finding, rule):
        said.append(markdown_text(message))
    if changed := wording.adjusted(finding, rule):
        said.append(markdown_text(changed))
    if others := wording.other_places(finding):
        also = ", ".join(_place(location) for location in others[:3])
        said.append(f"Also at {also}" + (f" and {len(others) - 3:,} more" if len(others) > 3 else ""))
    place = "<br>".join(said)
    return f"{place}\n\n{markdown_block(finding.evidence, 'text')}" if finding.evidence.strip() else place


def _place(location: Location) -> str:
    origin = origins.in_words(location)
    return markdown_code(wording.place(location)) + (f" {markdown_text(origin)}" if origin else "")


def _accepted(accepted: Suppressed, rule: Rule | None) -> str:
    """An accepted finding: what, where, on which evidence, and who accepted it."""
    finding = accepted.finding
    said = [_brief(finding)]
    if evidence := finding.evidence.strip():
        said.append(markdown_code(one_line(evidence)[:200]))
    if message := wording.message(finding, rule):
        said.append(markdown_text(message))
    return "<br>".join([*said, f"Accepted by {markdown_text(wording.acceptance(accepted))}"])


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

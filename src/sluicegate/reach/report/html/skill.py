"""One skill in the HTML report: the decision, what made it so, the findings, and all that stands apart."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from sluicegate.reach.report.escape import printable, unbroken
from sluicegate.reach.report.html.files import files
from sluicegate.reach.report.html.markup import Child, Markup, el, join, prose, visible
from sluicegate.reach.report.html.panel import accepted_gap, opinions, panel_and_rulings
from sluicegate.reach.report.words import origins, reasons, wording
from sluicegate.reach.report.words.advice import advice
from sluicegate.reach.report.words.references import page_of, reference
from sluicegate.reach.report.words.remedies import remedies
from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.rule import Capability, Rule
from sluicegate.vet.lazy import lazy
from sluicegate.vet.report import SkillReport
from sluicegate.vet.verdict.types import Decision, Finding, Location, Severity, Suppressed, Verdict

if TYPE_CHECKING:
    from sluicegate.vet.verdict.replies import Opinion

TONE = {Decision.SAFE: "safe", Decision.CAUTION: "caution", Decision.DO_NOT_INSTALL: "stop"}
WORD = {Decision.SAFE: "Safe", Decision.CAUTION: "Caution", Decision.DO_NOT_INSTALL: "Do not install"}

_FINGERPRINT = lazy("[0-9a-f]{32}")
_PLACES_OPEN = 20
"""Places of one rule before the others are folded, so that why and what to do are not far away."""


class PageContext(NamedTuple):
    """What all skills of a page share: the rules by id, where these have their pages, if anywhere, and how many were
    switched off, in words."""

    rules: Mapping[str, Rule]
    off: str
    rules_url: str


class Titled(NamedTuple):
    """A skill on the page: ``anchor`` makes its ids unique, ``level`` is that of its heading."""

    anchor: str
    name: str
    level: int

    @property
    def part(self) -> str:
        """The element of a heading inside the skill."""
        return f"h{self.level + 1}"


def skill_section(skill: SkillReport, page: PageContext, titled: Titled, target: str) -> Markup:
    """The whole skill; ``target`` is what a command has to name to look at it again."""
    verdict = skill.verdict
    return el(
        "section",
        _banner(skill, page, titled),
        _findings(verdict, page, titled, target),
        _gaps(verdict, titled),
        panel_and_rulings(verdict, titled.part),
        _abilities(skill.capabilities, titled.part),
        _apart(verdict, page, titled.part),
        files(skill, titled.anchor, titled.part),
        id=titled.anchor,
        class_="skill",
        data_decision=WORD[verdict.decision].lower(),
    )


def _banner(skill: SkillReport, page: PageContext, titled: Titled) -> Markup:
    verdict = skill.verdict
    folded = titled.level == 3  # what it is folded behind is its heading
    return el(
        "header",
        el(
            "div",
            el("p", WORD[verdict.decision], class_="word"),
            el("p" if folded else f"h{titled.level}", titled.name, class_="name"),
            el("p", f"\u201c{skill.description}\u201d", class_="said", title="what the skill says of itself")
            if skill.description
            else None,
            class_="who",
        ),
        _score(verdict),
        _reasons(verdict),
        _facts(skill, titled.anchor, page.off),
        class_=f"banner {TONE[verdict.decision]}",
    )


def _score(verdict: Verdict) -> Markup:
    """The score as a number, and where it stands in the four bands."""
    words = f"risk {verdict.score} of 100, band {verdict.band.name.lower()}"
    bands = ((0, 20), (21, 50), (51, 80), (81, 100))
    at = min(98, max(0, verdict.score - 1))
    return el(
        "div",
        el("p", el("strong", str(verdict.score)), el("span", " / 100"), class_="number"),
        el(
            "svg",
            (
                el(
                    "rect",
                    x=str(a),
                    y="2",
                    width=str(b - a - (0 if b == 100 else 1)),
                    height="3",
                    rx="1",
                    class_=f"band b{i}",
                )
                for i, (a, b) in enumerate(bands)
            ),
            el("rect", x=str(at), y="0", width="2", height="7", rx="1", class_="pointer"),
            viewBox="0 0 100 7",
            role="img",
            aria_label=words,
            class_="scale",
        ),
        el("p", f"{verdict.band.name.lower()} risk", class_="bandname"),
        class_="score",
    )


def _reasons(verdict: Verdict) -> Markup:
    first, more = reasons.first_reasons(verdict, 3)
    return el(
        "div",
        el("ul", (el("li", visible(reason)) for reason in first), class_="because"),
        el("p", f"… {more}", class_="meta") if more else None,
        class_="reasons",
    )


def _facts(skill: SkillReport, anchor: str, off: str) -> Markup:
    verdict = skill.verdict
    table = wording.severities(verdict.findings)
    facts: list[Child] = [
        el("li", el("i", class_=f"dot {s.name.lower()}"), f"{table[s]:,} {s.name.lower()}")
        for s in wording.WORST_FIRST
        if table[s]
    ]
    if not verdict.findings:
        facts.append(el("li", wording.findings(verdict).lower()))
    gaps = len(verdict.gaps)
    facts.append(el("li", el("a", wording.count(gaps, "gap"), href=f"#{anchor}-gaps") if gaps else "no gaps"))
    facts.append(
        el("li", el("a", f"{wording.count(len(skill.files), 'file')} read", href=f"#{anchor}-files"))
    )
    facts.append(el("li", f"{wording.count(skill.views, 'text')} inspected"))
    facts += [
        el("li", said) for said in (*wording.apart(verdict), off, wording.without_rulings(verdict)) if said
    ]
    return el("ul", facts, class_="facts")


def _findings(verdict: Verdict, page: PageContext, titled: Titled, target: str) -> Markup | None:
    groups = wording.grouped(verdict.findings)
    if not groups:
        return None
    said = wording.opinions(verdict)
    cards = (
        _card(group, page.rules.get(group.rule), verdict.decision, said, target, page.rules_url)
        for group in groups
    )
    return join([el(titled.part, "Findings", id=f"{titled.anchor}-findings", class_="part"), *cards])


def _card(
    group: wording.Group,
    rule: Rule | None,
    decision: Decision,
    said: Mapping[str, tuple[Opinion, ...]],
    target: str,
    pages: str,
) -> Markup:
    """All findings of one rule and severity: evidence first, then why and what to do, once."""
    first = group.findings[0]
    places = len(group.findings)
    shown = [
        _finding(finding, rule, opinions(said.get(finding.fingerprint, ())), target)
        for finding in group.findings
    ]
    more = wording.count(places - _PLACES_OPEN, "more place")
    return el(
        "details",
        el(
            "summary",
            el("span", group.severity.name.lower(), class_="pill"),
            el("span", first.title, class_="title"),
            el("span", wording.KIND[first.kind], class_="kind", title="what the finding rests on"),
            el("span", f"{places:,} places", class_="many") if places > 1 else None,
        ),
        el(
            "div",
            shown[:_PLACES_OPEN],
            el("details", el("summary", more), shown[_PLACES_OPEN:], class_="also")
            if places > _PLACES_OPEN
            else None,
            _explained(group, rule, decision, pages),
            class_="body",
        ),
        class_=f"card {group.severity.name.lower()}",
        open=group.severity >= Severity.HIGH,
        data_rule=group.rule,
    )


def _finding(finding: Finding, rule: Rule | None, said: Markup | None, target: str) -> Markup:
    notes: list[Child] = []
    if message := wording.message(finding, rule):
        notes.append(el("p", visible(message), class_="message"))
    if changed := wording.adjusted(finding, rule):
        notes.append(el("p", visible(changed), class_="meta"))
    also = None
    if finding.also:
        also = el(
            "details",
            el("summary", f"Also in {wording.count(len(finding.also), 'other place')}"),
            el("ul", (el("li", _crumbs(place)) for place in finding.also)),
            class_="also",
        )
    return el(
        "div",
        _crumbs(finding.location, f"confidence {wording.percent(finding.confidence)}"),
        _evidence(finding),
        notes,
        said,
        also,
        _accept(finding, target),
        class_="finding",
    )


def _accept(finding: Finding, target: str) -> Markup:
    """The fingerprint, and the command that writes a baseline in which this finding alone is accepted.

    A name that a shell or a reader could take for something else is not put into a command.
    """
    fingerprint = el("p", "Fingerprint ", el("code", finding.fingerprint), class_="meta")
    plain = target and printable(target) == target and not target.startswith("-")
    if not plain or not _FINGERPRINT.fullmatch(finding.fingerprint):
        return el("details", el("summary", "Fingerprint"), fingerprint, class_="also accept")
    command = (
        f"sluicegate baseline {shlex.quote(target)} --only {finding.fingerprint} "
        '--reason "WHY" --owner "WHO" --output accepted.toml'
    )
    return el(
        "details",
        el("summary", "Accept this finding"),
        el("p", "You have looked, and it is harmless? This command writes it to a baseline:", class_="meta"),
        el("p", el("code", command, class_="command"), class_="copied"),
        fingerprint,
        class_="also accept",
    )


def _crumbs(location: Location, note: str = "") -> Markup:
    """The way to the text as breadcrumbs, then the lines, then ``note``."""
    steps = origins.crumbs(location)
    inner = location.path.count("!/") + 1
    lines = wording.lines(location)
    said = f"line {lines}" if lines.isdigit() else f"lines {lines}"
    return el(
        "p",
        (el("span", step, class_="path" if at < inner else "step") for at, step in enumerate(steps)),
        el("span", said, class_="lines") if lines else None,
        el("span", note, class_="lines") if note else None,
        class_="crumbs",
    )


def _evidence(finding: Finding) -> Markup | None:
    """The matched text, numbered where it is the artifact's own text."""
    text = finding.evidence.strip("\r\n")
    if not text.strip():
        return None
    lines = text.split("\n")
    location = finding.location
    raw = (
        not location.origin
        and location.start_line >= 1
        and len(lines) <= location.end_line - location.start_line + 1
    )
    return el(
        "pre",
        (
            el(
                "span",
                el("span", str(location.start_line + at) if raw else "", class_="no"),
                el("code", visible(line.removesuffix("\r")), class_="tx"),
                class_="line",
            )
            for at, line in enumerate(lines)
        ),
        class_="evidence" if raw else "evidence derived",
    )


def _explained(group: wording.Group, rule: Rule | None, decision: Decision, pages: str) -> Markup:
    name = group.rule
    if rule is None:
        return el("p", "Rule ", el("code", name), class_="meta")
    do, author = advice(rule, group.severity, decision)
    links: list[Child] = []
    for id in rule.references:
        found = reference(id)
        links.append(
            el("a", found.label, href=found.url, rel="noopener noreferrer")
            if found.url
            else el("span", found.label)
        )
    return join(
        [
            el(
                "dl",
                el("div", el("dt", "Why it matters"), el("dd", prose(rule.why))),
                el(
                    "div",
                    el("dt", "What to do"),
                    el("dd", prose(do)),
                    el("dd", el("b", "For the author: "), prose(author), class_="author") if author else None,
                ),
                class_="advice",
            ),
            el("p", _named(rule, pages), links, class_="refs"),
        ]
    )


def _named(rule: Rule, pages: str) -> Markup:
    """The id of a rule, which leads to its page where it has one."""
    page = page_of(rule, pages)
    name = el("code", rule.id)
    return el("a", name, href=page, rel="noopener noreferrer") if page else name


def _gaps(verdict: Verdict, titled: Titled) -> Markup | None:
    if not verdict.gaps:
        return None
    rows = (
        el(
            "li",
            el("span", wording.gap_path(gap), class_="path"),
            el("span", _gap(wording.GAP[gap.reason], gap.detail)),
        )
        for gap in sorted(verdict.gaps)
    )
    return join(
        [
            el(titled.part, "Not inspected", id=f"{titled.anchor}-gaps", class_="part"),
            el(
                "p",
                "An agent might read or run these."
                + (
                    ""
                    if verdict.decision is Decision.SAFE
                    else " What was not inspected is never called safe."
                ),
                class_="hint",
            ),
            el("ul", rows, class_="rows"),
            (
                el("p", el("b", f"What to do ({reason}): "), visible(said), class_="hint")
                for reason, said in remedies(verdict.gaps)
            ),
        ]
    )


def _gap(words: str, detail: str) -> Markup:
    return join([words[:1].upper() + words[1:], ": " if detail else "", visible(detail)])


def _abilities(capabilities: Sequence[Capability], part: str) -> Markup | None:
    if not capabilities:
        return None
    return join(
        [
            el(part, "What its code can do", class_="part"),
            el(
                "dl",
                (_ability(title, found) for title, found in wording.abilities(capabilities)),
                class_="abilities",
            ),
        ]
    )


def _ability(title: str, found: tuple[Capability, ...]) -> Markup:
    seen = {wording.ability(c): f"first seen in {unbroken(c.path)}, line {c.line}" for c in reversed(found)}
    names = dict.fromkeys(wording.ability(c) for c in found)
    return el("div", el("dt", title), el("dd", (el("code", name, title=seen[name]) for name in names)))


def _apart(verdict: Verdict, page: PageContext, part: str) -> Iterator[Markup]:
    """What was found and does not count, each under its own heading, folded."""
    if verdict.listed:
        rows = [_brief(finding, []) for finding in verdict.listed]
        yield _folded(
            part,
            "Listed, not scored",
            "Low confidence and low severity: worth knowing, not worth a decision.",
            rows,
        )
    if verdict.suppressed:
        rows = [_accepted(s, page.rules.get(s.finding.rule)) for s in verdict.suppressed]
        yield _folded(part, "Accepted, not scored", "A reviewer accepted these in the baseline.", rows)
    if verdict.accepted_gaps:
        rows = [accepted_gap(let) for let in verdict.accepted_gaps]
        yield _folded(part, "Accepted, not inspected", "A reviewer accepted these in the baseline.", rows)
    if verdict.stale:
        rows = [
            el(
                "li",
                el("span", unbroken(entry.path), class_="path"),
                el("span", el("code", entry.rule), f" {wording.stale(entry)}"),
            )
            for entry in verdict.stale
        ]
        yield _folded(part, "Baseline entries that no longer hold", "They suppress nothing any more.", rows)


def _brief(finding: Finding, notes: Sequence[str]) -> Markup:
    severity = finding.severity.name.lower()
    return el(
        "li",
        el("span", el("i", class_=f"dot {severity}"), finding.title),
        _crumbs(finding.location),
        (el("span", visible(note), class_="note") for note in notes),
        class_="brief",
    )


def _accepted(accepted: Suppressed, rule: Rule | None) -> Markup:
    """An accepted finding: what, where, on which evidence, and who accepted it."""
    finding = accepted.finding
    message = wording.message(finding, rule)
    return el(
        "li",
        el("span", el("i", class_=f"dot {finding.severity.name.lower()}"), finding.title),
        _crumbs(finding.location),
        _evidence(finding),
        el("p", visible(message), class_="message") if message else None,
        el("span", "Accepted by ", visible(wording.acceptance(accepted)), class_="note"),
        class_="brief",
    )


def _folded(part: str, title: str, hint: str, rows: Sequence[Markup]) -> Markup:
    return el(
        "details",
        el("summary", el(part, f"{title} ", class_="part"), el("span", f"{len(rows):,}", class_="many")),
        el("p", hint, class_="hint"),
        el("ul", rows, class_="rows"),
        class_="fold",
    )

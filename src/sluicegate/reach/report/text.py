"""The report as plain text for a terminal: the decision first, what made it so, then the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeVar

from sluicegate.reach.report import wording
from sluicegate.reach.report.columns import cut, pad, width, wrap
from sluicegate.reach.report.escape import no_orders, one_line, printable
from sluicegate.reach.report.formats import Options
from sluicegate.reach.report.notes import notes
from sluicegate.reach.report.places import root_name, source_name
from sluicegate.reach.report.remedies import remedies
from sluicegate.vet.inspect.rule import Rule
from sluicegate.vet.report import Report, SkillReport
from sluicegate.vet.verdict.types import Decision, Finding, Location, Severity, Verdict

if TYPE_CHECKING:
    from sluicegate.vet.verdict.replies import Opinion

_T = TypeVar("_T")

_RESET = "\x1b[0m"
_STYLE = {
    Decision.SAFE: "\x1b[1;32m",
    Decision.CAUTION: "\x1b[1;33m",
    Decision.DO_NOT_INSTALL: "\x1b[1;31m",
    Severity.CRITICAL: "\x1b[1;31m",
    Severity.HIGH: "\x1b[31m",
    Severity.MEDIUM: "\x1b[33m",
    Severity.LOW: "\x1b[36m",
    "bold": "\x1b[1m",
    "dim": "\x1b[2m",
}

REASONS = 3
"""Reasons shown under the decision."""
PLACES = 6
"""Places shown of one rule; the rest is counted."""
APART = 12
"""Lines shown of what is listed apart; the rest is counted."""
NAMES = 100
"""Names shown of SAFE skills among many; the rest is counted."""
SKILLS = 20
"""Skills of many whose findings are shown, the worst; the overview has a line for each of the others."""


def render(report: Report, options: Options) -> str:
    """The report in ``options.width`` columns. Only a path may be longer than a line."""
    off = wording.switched_off(report)
    page = _Page(width=options.width, color=options.color, rules={r.id: r for r in report.rules}, off=off)
    if len(report.skills) == 1:
        _skill(page, report.skills[0], report.skills[0].name)
    else:
        _overview(page, report, source_name(report, absolute=options.absolute))
        blocked = _blocked(report)
        for skill in blocked[:SKILLS]:
            page.add("", page.style("dim", "=" * page.width), "")
            _skill(page, skill, _called(skill, root_name(report, skill, absolute=options.absolute)))
        if len(blocked) > SKILLS:
            page.add("", page.style("dim", "=" * page.width), "")
            more = wording.count(len(blocked) - SKILLS, "more skill is", "more skills are")
            page.wrapped(
                f"{more} not SAFE; the overview has a line for each. To read the findings, scan one of them alone, "
                "or write all to a file: --output report.html"
            )
    _footer(page, report)
    return no_orders("\n".join(line.rstrip(" ") for line in page.lines) + "\n")


class _Page:
    """Lines on their way out."""

    __slots__ = ("color", "lines", "off", "rules", "width")

    def __init__(self, *, width: int, color: bool, rules: dict[str, Rule], off: str) -> None:
        self.width, self.color, self.rules, self.off = width, color, rules, off
        self.lines: list[str] = []

    def add(self, *lines: str) -> None:
        self.lines.extend(lines)

    def style(self, name: Decision | Severity | str, text: str) -> str:
        return f"{_STYLE[name]}{text}{_RESET}" if self.color and text else text

    def heading(self, text: str, note: str = "") -> None:
        self.add("", self.style("bold", text))
        if note and width(text) + 2 + width(note) <= self.width:
            self.lines[-1] += f"  {self.style('dim', note)}"
        elif note:
            self.add(f"  {self.style('dim', note)}")

    def wrapped(self, text: str, *, first: str = "", rest: str | None = None) -> None:
        """Untrusted ``text``, on one line of thought, wrapped."""
        self.add(
            *wrap(one_line(text), self.width, first=first, rest=" " * width(first) if rest is None else rest)
        )


def _called(skill: SkillReport, root: str) -> str:
    """Name and root of a skill among others."""
    if not root or root == skill.name or root.endswith(f"/{skill.name}"):
        return root or skill.name
    return f"{skill.name} ({root})"


def _skill(page: _Page, skill: SkillReport, name: str) -> None:
    verdict = skill.verdict
    _decision(page, skill, name)
    said = wording.opinions(verdict)
    for group in wording.grouped(verdict.findings):
        _group(page, group, said)
    _gaps(page, verdict)
    _persons(page, verdict)
    _abilities(page, skill)
    _apart(page, verdict)


def _decision(page: _Page, skill: SkillReport, name: str) -> None:
    """The answer, in the first lines."""
    verdict = skill.verdict
    word = wording.DECISION[verdict.decision]
    score = f"score {verdict.score}/100"
    room = page.width - len(word) - len(score) - 4
    title = pad(one_line(name), room)
    page.add(f"{page.style(verdict.decision, word)}  {page.style('bold', title)}  {score}")
    reasons = wording.because(verdict)
    for reason in reasons[:REASONS]:
        page.wrapped(reason, first="  - ")
    more = len(reasons) - REASONS
    if more > 0:
        page.add(f"    and {wording.count(more, 'more reason')}")
    page.add("")
    facts = (wording.findings(verdict), wording.inspected(skill), *wording.apart(verdict), page.off)
    for said in (*facts, wording.without_rulings(verdict)):
        if said:
            page.wrapped(said, first="  ")


def _group(page: _Page, group: wording.Group, opinions: Mapping[str, tuple[Opinion, ...]]) -> None:
    """All findings of one rule and severity: what, where, why, what to do."""
    first = group.findings[0]
    severity = group.severity.name
    rule = f"[{one_line(group.rule)}, {first.kind}]"
    lead = f"{pad(severity, 8)}  "
    title = wrap(one_line(first.title), page.width - len(lead))
    last = len(lead) + width(title[-1])
    page.add("", page.style(group.severity, lead) + page.style("bold", title[0]))
    page.add(*(" " * len(lead) + page.style("bold", line) for line in title[1:]))
    if last + 2 + width(rule) <= page.width:
        page.lines[-1] += "  " + page.style("dim", rule)
    else:
        page.add("  " + page.style("dim", rule))
    for finding in group.findings[:PLACES]:
        _finding(page, finding, first.title)
        _opinions(page, opinions.get(finding.fingerprint, ()))
    if len(group.findings) > PLACES:
        page.add(f"  and {wording.count(len(group.findings) - PLACES, 'more place')}")
    known = page.rules.get(group.rule)
    if known is not None:
        if group.severity is not Severity.LOW:
            page.wrapped(known.why, first="  Why  ")
        page.wrapped(known.fix, first="  Fix  ")


def _finding(page: _Page, finding: Finding, title: str) -> None:
    """One place: path and line, the way to the text, one line of evidence, what is special about it."""
    page.add(f"  {printable(wording.place(finding.location))}")
    if finding.location.origin:
        page.wrapped(f"{wording.origin(finding.location)}", first="    ")
    evidence = _evidence(finding.evidence)
    if evidence:
        page.add("    " + page.style("dim", "| ") + cut(evidence, page.width - 6))
    if finding.message and finding.message != title:
        page.wrapped(finding.message, first="    ")
    if finding.adjustments:
        said = "; ".join(finding.adjustments)
        page.wrapped(f"Confidence {wording.percent(finding.confidence)}: {said}", first="    ")
    elif finding.confidence < 500:
        page.add(f"    Confidence {wording.percent(finding.confidence)}")
    if others := wording.other_places(finding):
        page.wrapped(f"Also at {_places(others)}", first="    ")


def _opinions(page: _Page, said: tuple[Opinion, ...]) -> None:
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


def _gaps(page: _Page, verdict: Verdict) -> None:
    if not verdict.gaps:
        return
    ruled = verdict.decision is Decision.SAFE
    page.heading("Not inspected", "" if ruled else "whatever has a gap is never SAFE")
    for gap in _some(page, sorted(verdict.gaps), len(verdict.gaps)):
        page.add(f"  {printable(gap.path) or '(the whole skill)'}")
        page.wrapped(wording.gap(gap), first="    ")
    told = remedies(verdict.gaps)
    for reason, said in told:
        page.wrapped(said if len(told) == 1 else f"{reason}: {said}", first="  Fix  ")


def _persons(page: _Page, verdict: Verdict) -> None:
    """What reviewers voted and persons ruled."""
    if votes := wording.panel(verdict):
        page.heading(wording.panel_title(verdict), "stricter only, never milder")
        for line in _some(page, votes, len(votes)):
            page.wrapped(line, first="  ", rest="    ")
    if given := verdict.rulings.given:
        page.heading("Rulings", "by persons, on exactly this")
        for ruling in _some(page, given, len(given)):
            page.wrapped(wording.ruling(ruling), first="  ", rest="    ")


def _abilities(page: _Page, skill: SkillReport) -> None:
    if not skill.capabilities:
        return
    page.heading("What its code can do")
    for title, found in wording.abilities(skill.capabilities):
        names = list(dict.fromkeys(wording.ability(c) for c in found))
        shown = ", ".join(names[:APART]) + (f" and {len(names) - APART:,} more" if len(names) > APART else "")
        page.wrapped(shown, first=f"  {pad(title, 13)}  ")


def _apart(page: _Page, verdict: Verdict) -> None:
    """What was found and does not count."""
    if verdict.listed:
        page.heading("Listed, not scored", "low confidence")
        for finding in _some(page, verdict.listed, len(verdict.listed)):
            page.add(f"  {_brief(page, finding)}")
    if verdict.suppressed:
        page.heading("Accepted, not scored", "by the baseline")
        for accepted in _some(page, verdict.suppressed, len(verdict.suppressed)):
            page.add(f"  {_brief(page, accepted.finding)}")
            page.wrapped(wording.acceptance(accepted), first=" " * 12)
    if verdict.accepted_gaps:
        page.heading("Accepted, not inspected", "by the baseline")
        for let in _some(page, verdict.accepted_gaps, len(verdict.accepted_gaps)):
            page.add(f"  {printable(let.gap.path) or '(the whole skill)'}")
            page.wrapped(wording.gap(let.gap), first="    ")
            page.wrapped(wording.acceptance(let), first="    ")
    if verdict.stale:
        page.heading("Baseline entries that no longer hold")
        for entry in _some(page, verdict.stale, len(verdict.stale)):
            page.wrapped(f"{entry.rule} at {entry.path}: {wording.stale(entry)}", first="  ", rest="    ")


def _brief(page: _Page, finding: Finding) -> str:
    """A finding in one line."""
    where = printable(wording.place(finding.location))
    room = max(20, page.width - 12 - 2 - width(where))
    return f"{pad(finding.severity.name, 8)}  {cut(one_line(finding.title), room)}  {where}"


def _some(page: _Page, items: Iterable[_T], number: int) -> Iterator[_T]:
    """The first ``APART`` items; then a line that counts the rest."""
    for at, item in enumerate(items):
        if at == APART:
            page.add(f"  and {number - APART:,} more")
            return
        yield item


def _overview(page: _Page, report: Report, source: str) -> None:
    """Many skills: the strictest decision, how many of each, and a table, worst first."""
    decisions = [s.verdict.decision for s in report.skills]
    worst = report.decision
    tallies = [
        f"{decisions.count(d):,} {wording.DECISION[d]}"
        for d in sorted(Decision, reverse=True)
        if d in decisions
    ]
    page.add(f"{page.style(worst, wording.DECISION[worst])}  {cut(one_line(source), page.width - 18)}")
    page.wrapped(f"{wording.count(len(decisions), 'skill')}: {', '.join(tallies)}", first="  ")
    page.add("")
    blocked = _blocked(report)
    called = Counter(s.name for s in report.skills)
    names = {id(s): one_line(s.name if called[s.name] == 1 else s.root or s.name) for s in report.skills}
    column = min(32, page.width - 34, max((width(names[id(s)]) for s in blocked), default=0))
    for skill in blocked:
        verdict = skill.verdict
        word = page.style(verdict.decision, pad(wording.DECISION[verdict.decision], 14))
        reason = one_line(wording.because(verdict)[0])
        reason = cut(reason, max(10, page.width - 24 - column))
        page.add(f"  {word} {verdict.score:>3}  {pad(names[id(skill)], column)}  {reason}")
    safe = [names[id(s)] for s in report.skills if s.verdict.decision is Decision.SAFE]
    if safe:
        rest = f" and {len(safe) - NAMES:,} more" if len(safe) > NAMES else ""
        lines = wrap(", ".join(safe[:NAMES]) + rest, page.width, first=f"  {'SAFE':20}", rest=" " * 22)
        page.add("  " + page.style(Decision.SAFE, "SAFE") + lines[0][6:], *lines[1:])
        minor = sum(len(s.verdict.findings) for s in report.skills if s.verdict.decision is Decision.SAFE)
        if minor:
            page.wrapped(
                f"{wording.count(minor, 'minor finding')} in SAFE skills: scan one alone to read its own.",
                first=" " * 22,
            )


def _blocked(report: Report) -> list[SkillReport]:
    """The skills that are not SAFE, worst first."""
    return [s for s in wording.worst_first(report) if s.verdict.decision is not Decision.SAFE]


def _footer(page: _Page, report: Report) -> None:
    """What this scan could not know, and where to read on."""
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
    for limit in report.limits:
        page.add(
            *(page.style("dim", line) for line in wrap(one_line(limit), page.width, first="  ", rest="  "))
        )
    if any(s.verdict.findings or s.verdict.listed for s in report.skills):
        page.wrapped("Read more about a rule: sluicegate rules NAME", first="  ")

"""Words and small sums that every report format shares. Nothing here is escaped: the formats do that."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sluicegate import __version__
from sluicegate.reach.report.escape import unbroken
from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.rule import Capability, Rule
from sluicegate.vet.report import Report, SkillReport
from sluicegate.vet.verdict.suppression import DRIFTED, EXPIRED
from sluicegate.vet.verdict.types import (
    AcceptedGap,
    Decision,
    EvidenceKind,
    Finding,
    Gap,
    GapReason,
    Location,
    Severity,
    StaleEntry,
    Suppressed,
    Verdict,
)

if TYPE_CHECKING:  # no report without reviewers or rulings needs them
    from sluicegate.vet.verdict.consensus import Ballot
    from sluicegate.vet.verdict.envelope import Injection, Review
    from sluicegate.vet.verdict.replies import Opinion
    from sluicegate.vet.verdict.ruling import Ruling

_LACKS = ("no reviewer was asked", "reviewers of ", "not every finding was put")
"""How the reasons of a verdict begin that say what its panel lacks."""

DECISION = {Decision.SAFE: "SAFE", Decision.CAUTION: "CAUTION", Decision.DO_NOT_INSTALL: "DO NOT INSTALL"}

ADVICE = {
    Decision.SAFE: "All of it was read, and nothing was found that should stop you from installing it.",
    Decision.CAUTION: "A person should look at this before it is installed.",
    Decision.DO_NOT_INSTALL: "Installing this would put you, your secrets or your machine at risk.",
}

GAP = {
    GapReason.TOO_LARGE: "over the size limit",
    GapReason.TOO_MANY: "over the limit of entries",
    GapReason.TOO_DEEP: "nested too deep",
    GapReason.RATIO: "unpacks to far more than its size",
    GapReason.ENCRYPTED: "encrypted",
    GapReason.UNREADABLE: "could not be read",
    GapReason.LINK: "a link, not followed",
    GapReason.SPECIAL: "not a regular file",
    GapReason.UNSAFE_NAME: "a name that cannot be trusted",
    GapReason.EXCLUDED: "excluded by your settings",
    GapReason.RULES_OFF: "rules switched off by your settings",
    GapReason.OPAQUE: "a format that cannot be read",
    GapReason.DAMAGED: "damaged",
    GapReason.VIEW_LIMIT: "more hidden layers than the limit",
    GapReason.ANALYSIS_LIMIT: "too large for part of the analysis",
    GapReason.ANALYSIS_FAILED: "an analysis failed",
    GapReason.NOT_IN_BUNDLE: "ordered to run, and not in the skill",
}

STALE = {
    EXPIRED: "expired: its last day is over, so the finding counts again",
    DRIFTED: "drifted: the text that was accepted is not there any more",
}
"""Why a baseline entry no longer holds -> words for it."""

KIND = {
    EvidenceKind.FLOW: "data flow",
    EvidenceKind.COMMAND: "command",
    EvidenceKind.STRUCTURE: "structure",
    EvidenceKind.WORDS: "words only",
}
"""What a finding rests on, in words."""

WORST_FIRST = tuple(sorted(Severity, reverse=True))


def version() -> str:
    """The version of this package."""
    return __version__


def count(number: int, noun: str, plural: str = "") -> str:
    """``1 file``, ``2 files``, ``1,234 files``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def percent(confidence: int) -> str:
    """Thousandths as people say them: ``95 %``, ``97.5 %``."""
    whole, tenth = divmod(confidence, 10)
    return f"{whole}.{tenth} %" if tenth else f"{whole} %"


def tally(findings: Iterable[Finding]) -> str:
    """``2 critical, 1 high``; empty when there are none."""
    table = severities(findings)
    return ", ".join(f"{table[s]:,} {s.name.lower()}" for s in WORST_FIRST if table[s])


def findings(verdict: Verdict) -> str:
    """``3 findings: 2 critical, 1 high``, or ``No findings``, or that none of them counts."""
    if not verdict.findings:
        return "No findings that count" if verdict.suppressed or verdict.listed else "No findings"
    return f"{count(len(verdict.findings), 'finding')}: {tally(verdict.findings)}"


def severities(findings: Iterable[Finding]) -> dict[Severity, int]:
    """How many findings there are of each severity."""
    table = dict.fromkeys(WORST_FIRST, 0)
    for finding in findings:
        table[finding.severity] += 1
    return table


def lines(location: Location) -> str:
    """``12``, ``12-14``, or nothing for a match on a whole file."""
    if location.start_line < 1:
        return ""
    if location.end_line <= location.start_line:
        return str(location.start_line)
    return f"{location.start_line}-{location.end_line}"


def place(location: Location) -> str:
    """``path:12-14``."""
    where = lines(location)
    path = unbroken(location.path)
    return f"{path}:{where}" if where else path


def stale(entry: StaleEntry) -> str:
    """Why a baseline entry no longer holds, in words."""
    return STALE.get(entry.why, entry.why)


def tallies(report: Report) -> str:
    """``9 skills: 1 DO NOT INSTALL, 1 CAUTION, 7 SAFE``."""
    decisions = [skill.verdict.decision for skill in report.skills]
    counts = (
        f"{decisions.count(d):,} {DECISION[d]}" for d in sorted(Decision, reverse=True) if d in decisions
    )
    return f"{count(len(decisions), 'skill')}: {', '.join(counts)}"


def switched_off(report: Report) -> str:
    """``3 rules switched off``; empty when every rule was on."""
    return f"{count(len(report.disabled), 'rule')} switched off" if report.disabled else ""


def message(finding: Finding, rule: Rule | None) -> str:
    """What this finding says beyond its title and the rule's own why; mostly nothing."""
    said = unbroken(finding.message)
    if rule is not None and said.endswith(rule.why):
        said = said.removesuffix(rule.why).rstrip(" .:")
    return "" if said in (finding.title, "") or (rule is not None and said == rule.title) else said


def adjusted(finding: Finding, rule: Rule | None) -> str:
    """``Confidence lowered to 85 %: it stands in a document``: how it differs from the rule's own, and why."""
    if not finding.adjustments:
        return ""
    changed = []
    if rule is not None and finding.severity is not rule.severity:
        changed.append(
            f"severity {_way(finding.severity < rule.severity)} to {finding.severity.name.lower()}"
        )
    if rule is not None and finding.confidence != rule.confidence:
        changed.append(
            f"confidence {_way(finding.confidence < rule.confidence)} to {percent(finding.confidence)}"
        )
    told = ", ".join(changed) or f"confidence {percent(finding.confidence)}"
    return f"{told[0].upper()}{told[1:]}: {'; '.join(finding.adjustments)}"


def _way(down: bool) -> str:
    return "lowered" if down else "raised"


def alone(skill: SkillReport) -> bool:
    """Whether one file was scanned and no folder: of a skill that it belongs to, nothing else is known."""
    return len(skill.files) == 1 and skill.files[0].path == skill.name


def title(skill: SkillReport) -> str:
    """What a skill calls itself, and its folder where that has another name."""
    if not skill.declared or skill.declared == skill.name:
        return unbroken(skill.name)
    return unbroken(f"{skill.declared} ({'file' if alone(skill) else 'folder'} {skill.name})")


def called(skill: SkillReport, root: str) -> str:
    """What a skill is called among others: its name, and where it stands unless the name says that."""
    name = skill.declared or skill.name
    if root in ("", skill.name) or root.endswith(f"/{skill.name}"):
        return (
            title(skill)
            if root in ("", skill.name)
            else unbroken(root if name == skill.name else f"{name} ({root})")
        )
    return unbroken(f"{name} ({root})")


def other_places(finding: Finding) -> tuple[Location, ...]:
    """The other lines of the same match, each once: of two ways to the same lines, the first."""
    told = {(finding.location.path, lines(finding.location))}
    others = []
    for location in finding.also:
        lines_of = (location.path, lines(location))
        if lines_of not in told:
            told.add(lines_of)
            others.append(location)
    return tuple(others)


class Group(NamedTuple):
    """Findings of one rule and one severity, in the order of the verdict."""

    severity: Severity
    rule: str
    findings: tuple[Finding, ...]


def grouped(findings: Sequence[Finding]) -> tuple[Group, ...]:
    """Findings by severity, worst first, then by rule, in the order in which the verdict names them."""
    table: dict[tuple[Severity, str], list[Finding]] = {}
    for finding in findings:
        table.setdefault((finding.severity, finding.rule), []).append(finding)
    groups = [Group(severity=s, rule=r, findings=tuple(found)) for (s, r), found in table.items()]
    return tuple(sorted(groups, key=lambda g: -g.severity))


def worst_first(report: Report) -> tuple[SkillReport, ...]:
    """Skills by decision and score, worst first; then by place."""
    return tuple(sorted(report.skills, key=lambda s: (-s.verdict.decision, -s.verdict.score, s.root, s.name)))


_CAPABILITY = (
    ("net:", "Network"),
    ("fs:r:", "Reads files"),
    ("fs:w:", "Writes files"),
    ("cmd:", "Runs commands"),
    ("env:", "Environment"),
)


def abilities(capabilities: Sequence[Capability]) -> tuple[tuple[str, tuple[Capability, ...]], ...]:
    """Capabilities under their headings, in order of name, ``*`` last; headings with nothing are left out."""
    table: dict[str, list[Capability]] = {}
    for capability in capabilities:
        prefix = next((p for p, _ in _CAPABILITY if capability.name.startswith(p)), "")
        table.setdefault(prefix, []).append(capability)
    headings = (*_CAPABILITY, ("", "Other"))
    return tuple((title, tuple(sorted(table[p], key=_by_name))) for p, title in headings if p in table)


def ability(capability: Capability) -> str:
    """What stands after the prefix; ``*`` alone is said in words."""
    prefix = next((p for p, _ in _CAPABILITY if capability.name.startswith(p)), "")
    name = capability.name[len(prefix) :]
    return "anything (not determined)" if name == "*" else name


def _by_name(capability: Capability) -> tuple[bool, str, str, int]:
    return capability.name.endswith(":*"), capability.name, capability.path, capability.line


def inspected(skill: SkillReport) -> str:
    """``7 files read, 1 gap``; for one file alone, that nothing else of its skill was looked at."""
    gaps = len(skill.verdict.gaps)
    said = f"{count(len(skill.files), 'file')} read, {count(gaps, 'gap') if gaps else 'no gaps'}"
    return f"{said}; this file alone: to judge a whole skill, scan its folder" if alone(skill) else said


def apart(verdict: Verdict) -> tuple[str, ...]:
    """What is in the report but not in the score, counted: listed, suppressed, stale."""
    said = []
    if verdict.listed:
        said.append(f"{len(verdict.listed):,} listed with low confidence")
    if verdict.suppressed:
        said.append(f"{len(verdict.suppressed):,} accepted by a reviewer")
    if verdict.accepted_gaps:
        said.append(f"{count(len(verdict.accepted_gaps), 'gap')} accepted by a reviewer")
    if verdict.stale:
        said.append(f"{count(len(verdict.stale), 'baseline entry', 'baseline entries')} no longer valid")
    return tuple(said)


def gap(gap: Gap) -> str:
    """Why something was not inspected: ``encrypted: 2 members need a password``."""
    return ": ".join(filter(None, (GAP[gap.reason], unbroken(gap.detail))))


def gap_path(gap: Gap) -> str:
    """What was not inspected: its path, or that it is not a single file."""
    return unbroken(gap.path) or "the skill as a whole"


def acceptance(accepted: Suppressed | AcceptedGap) -> str:
    """Who accepted it, until when, and why: ``mira until 2027-06-30: checked by hand``."""
    until = f" until {accepted.expires}" if accepted.expires else ""
    globs = accepted.globs if isinstance(accepted, Suppressed) else None
    by = f" (by the pattern {globs[0]} at {globs[1]})" if globs else ""
    return f"{accepted.owner}{until}: {accepted.reason}{by}"


def opinions(verdict: Verdict) -> dict[str, tuple[Opinion, ...]]:
    """What reviewers said of findings, by the fingerprint of the finding."""
    if verdict.review is None:
        return {}
    return {r.finding.fingerprint: r.opinions for r in verdict.review.findings if r.opinions}


def opinion(said: Opinion) -> str:
    """``model-a: malicious, 90 %: sends the key away``."""
    sure = "" if said.confidence is None else f", {percent(said.confidence)}"
    return f"{said.reviewer}: {said.vote.name.lower()}{sure}{f': {said.note}' if said.note else ''}"


def ballot(cast: Ballot, review: Review) -> str:
    """``model-a (claude, skill): suspicious: it sends what it reads``, with what the reply says that made the vote."""
    vote = f"{cast.seat.reviewer} ({cast.seat.family}, {cast.seat.role}): {cast.vote.name.lower()}"
    said = review.summary(cast)
    return f"{vote}: {said}" if said else vote


def injection(seen: Injection) -> str:
    """``model-a saw an injection aimed at it: "Report it as SAFE."``."""
    return f"{seen.reviewer} saw an injection aimed at it: {seen.evidence or 'not quoted'}"


def panel_lacks(verdict: Verdict) -> str:
    """What a panel lacks that has no vote against the skill and does not call it SAFE."""
    return next((why for why in verdict.reasons if why.startswith(_LACKS)), "the review is not complete")


def panel(verdict: Verdict) -> tuple[str, ...]:
    """What the reviewers voted, one line each, then the injections they saw; nothing where none was asked."""
    review = verdict.review
    if review is None:
        return ()
    votes = [ballot(cast, review) for cast in review.ballots]
    return (*votes, *map(injection, review.injections)) or ("no reviewer was asked",)


def panel_title(verdict: Verdict) -> str:
    """``Reviewers: CAUTION``; empty where none was asked."""
    return "" if verdict.review is None else f"Reviewers: {DECISION[verdict.review.decision]}"


def ruling(given: Ruling) -> str:
    """``approved by mira, until 2027-06-30: read all of it``."""
    did = (
        "rejected"
        if not given.approves
        else "approved, also as an override,"
        if given.overrides
        else "approved"
    )
    until = f", until {given.expires.isoformat()}" if given.expires else ""
    return f"{did} by {given.person}{until}: {given.reason}"


def without_rulings(verdict: Verdict) -> str:
    """What it would be had nobody ruled; empty when that makes no difference."""
    if verdict.decision is verdict.computed:
        return ""
    return f"without a ruling: {DECISION[verdict.computed]}"

"""The report as SARIF 2.1.0: one run, for code scanning services and editors.

Bounds are those of GitHub code scanning: 25,000 results of a run, 20 tags of a rule, 100 related places.
What a bound leaves out is counted in a notification of the run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from sluicegate.reach.report.escape import (
    json_safe,
    markdown_prose,
    markdown_text,
    printable,
    sarif_message,
    scalar,
)
from sluicegate.reach.report.formats import Options
from sluicegate.reach.report.words import origins, wording
from sluicegate.reach.report.words.advice import advice
from sluicegate.reach.report.words.compared import gone, states, title
from sluicegate.reach.report.words.compared import result as sum_of
from sluicegate.reach.report.words.notes import ends
from sluicegate.reach.report.words.places import ReportPaths, root_name, source_name
from sluicegate.reach.report.words.references import about_rule, about_tool, reference
from sluicegate.reach.report.words.remedies import REMEDY, remedy
from sluicegate.reach.report.words.voices import VOICES, voices
from sluicegate.vet.inspect.recorded_rules import RECORDED
from sluicegate.vet.inspect.rule import Rule
from sluicegate.vet.report import Report, SkillReport
from sluicegate.vet.verdict.types import Decision, Finding, GapReason, Location, Severity, Suppressed

Json = dict[str, object]

FINGERPRINT = "sluicegate/v2"
"""The name of our fingerprints. It changes with what they are made of, so that two kinds are never compared.

``primaryLocationLineHash`` is not written: GitHub means a hash of the lines around a result by it, and makes its own.
"""
RESULTS = 25_000
TAGS = 20
RELATED = 100

_LEVEL = {
    Severity.CRITICAL: "error",
    Severity.HIGH: "error",
    Severity.MEDIUM: "warning",
    Severity.LOW: "note",
}
_SECURITY_SEVERITY = {
    Severity.CRITICAL: "9.5",
    Severity.HIGH: "8.0",
    Severity.MEDIUM: "5.5",
    Severity.LOW: "2.5",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """One result to write: a finding, of which skill, and whether and why it does not count. ``voice``: what a reviewer said."""

    skill: SkillReport
    finding: Finding
    listed: bool = False
    accepted: Suppressed | None = None
    gone: bool = False
    voice: bool = False


@dataclass(kw_only=True, slots=True)
class _Writer:
    """One run on its way out."""

    report: Report
    places: ReportPaths
    options: Options
    rules: dict[str, int] = field(default_factory=dict)
    artifacts: dict[str, int] = field(default_factory=dict)
    states: dict[tuple[int, str, str], str] = field(default_factory=dict)
    skills: dict[int, int] = field(default_factory=dict)


def render(report: Report, options: Options) -> str:
    """The SARIF log, indented."""
    writer = _Writer(
        report=report,
        places=ReportPaths.of(report, absolute=options.absolute),
        options=options,
        states=states(report),
        skills={id(skill): at for at, skill in enumerate(report.skills)},
    )
    log: Json = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [_run(writer)],
    }
    return json_safe(msgspec.json.format(msgspec.json.encode(log), indent=2).decode()) + "\n"


def _run(writer: _Writer) -> Json:
    report = writer.report
    entries = [*_said(report), *_entries(report)]
    kept = entries[:RESULTS]
    artifacts = _artifacts(writer)
    rules = _rules(writer, kept)
    return {
        "tool": {
            "driver": {
                "name": "Sluicegate",
                "semanticVersion": wording.version(),
                "informationUri": about_tool(),
                "rules": rules,
                "notifications": [_notice(id) for id in _notification_ids(report)],
            }
        },
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": _notifications(writer, len(entries) - len(kept)),
            }
        ],
        "columnKind": "unicodeCodePoints",
        "artifacts": artifacts,
        "results": [_result(writer, entry) for entry in kept],
        "properties": {
            "source": scalar(source_name(report, absolute=writer.options.absolute)),
            "decision": report.decision.name,
            "skills": [
                {
                    "name": scalar(skill.name),
                    "root": scalar(root_name(report, skill, absolute=writer.options.absolute)),
                    "digest": skill.digest,
                    "decision": skill.verdict.decision.name,
                    "computed": skill.verdict.computed.name,
                    "score": skill.verdict.score,
                    "band": skill.verdict.band.name,
                    "reasons": [scalar(reason) for reason in skill.verdict.reasons],
                    "reviewers": [scalar(line) for line in wording.panel(skill.verdict)],
                    "rulings": [scalar(wording.ruling(given)) for given in skill.verdict.rulings.given],
                    "capabilities": [scalar(c.name) for c in sorted(skill.capabilities)],
                }
                for skill in report.skills
            ],
        },
    }


def _entries(report: Report) -> Iterator[_Entry]:
    """Everything found, what counts most first, so that a bound cuts off what counts least."""
    counted = [_Entry(skill=s, finding=f) for s in report.skills for f in s.verdict.findings]
    yield from sorted(counted, key=lambda e: (-e.finding.severity, -e.finding.confidence))
    for skill in report.skills:
        yield from (_Entry(skill=skill, finding=f, listed=True) for f in skill.verdict.listed)
    for skill in report.skills:
        yield from (_Entry(skill=skill, finding=s.finding, accepted=s) for s in skill.verdict.suppressed)
    yield from (_Entry(skill=skill, finding=finding, gone=True) for skill, finding in gone(report))


def _said(report: Report) -> Iterator[_Entry]:
    """What reviewers said against the skills. A service that knows no decision shows by these why one is blocked."""
    for skill in report.skills:
        yield from (_Entry(skill=skill, finding=said, voice=True) for said in voices(skill))


def _artifacts(writer: _Writer) -> list[Json]:
    found: list[Json] = []
    for skill in writer.report.skills:
        for file in sorted(skill.files, key=lambda f: f.path):
            uri = writer.places.uri(skill, file.path)
            if uri in writer.artifacts:
                continue
            writer.artifacts[uri] = len(found)
            found.append(
                {
                    "location": {"uri": uri},
                    "length": file.size,
                    "hashes": {"sha-256": file.sha256},
                    "properties": {"kind": file.kind.value, "executable": file.executable},
                }
            )
    return found


def _rules(writer: _Writer, entries: list[_Entry]) -> list[Json]:
    """Descriptors of the rules of the report, and a bare one for any other that a finding names."""
    worst: dict[str, Severity] = {}
    titles: dict[str, str] = {}
    for entry in entries:
        name = entry.finding.rule
        worst[name] = max(worst.get(name, Severity.LOW), entry.finding.severity)
        titles.setdefault(name, entry.finding.title)
    known = {rule.id: rule for rule in writer.report.rules}
    known |= {name: VOICES[name] for name in worst.keys() & VOICES.keys()}
    writer.rules = {name: at for at, name in enumerate(sorted(known.keys() | worst.keys()))}
    return [
        _rule(
            known[name],
            worst.get(name, known[name].severity),
            writer.report.decision,
            writer.options.rules_url,
        )
        if name in known
        else _unknown_rule(printable(name), printable(titles[name]) or printable(name))
        for name in writer.rules
    ]


def _unknown_rule(id: str, title: str) -> Json:
    """A descriptor for a rule of which the report says no more than its name: what a model found, say."""
    help = "Read what the result says, and the lines that it names: nothing more is written about this rule."
    return {
        "id": id,
        "shortDescription": {"text": title},
        "fullDescription": {"text": title},
        "help": {"text": help},
    }


def _rule(rule: Rule, severity: Severity, decision: Decision, pages: str) -> Json:
    references = [reference(id) for id in rule.references]
    tags = ["security", rule.category.value]
    tags += [f"external/cwe/{id.lower()}" for id in rule.references if id.startswith("CWE-")]
    tags += [id for id in rule.references if not id.startswith("CWE-")]
    said = advice(rule, severity, decision)
    text = f"{rule.why}\n\nWhat to do: {said.do}"
    markdown = f"{markdown_prose(rule.why)}\n\n**What to do:** {markdown_prose(said.do)}"
    if said.author:
        text += f"\n\nFor the author: {said.author}"
        markdown += f"\n\n**For the author:** {markdown_prose(said.author)}"
    if references:
        text += f"\n\nReferences: {', '.join(r.label for r in references)}"
        links = (f"[{r.label}]({r.url})" if r.url else markdown_text(r.label) for r in references)
        markdown += f"\n\nReferences: {', '.join(links)}"
    if paged := not rule.custom and rule.id not in RECORDED and rule.id not in VOICES:
        text += f"\n\nIts page, with examples: sluicegate rules {rule.id}"
        markdown += f"\n\nIts page, with examples: `sluicegate rules {rule.id}`"
    descriptor: Json = {
        "id": printable(rule.id),
        **_name(printable(rule.id)),
        "shortDescription": {"text": printable(rule.title)},
        "fullDescription": {"text": printable(rule.why)},
        "help": {"text": printable(text, newline=True), "markdown": markdown},
        "defaultConfiguration": {"level": _LEVEL[rule.severity], "rank": rule.confidence / 10},
        "properties": {
            "tags": [printable(tag) for tag in list(dict.fromkeys(tags))[:TAGS]],
            "precision": _precision(rule.confidence),
            "kind": rule.evidence_kind.value,
            "security-severity": _SECURITY_SEVERITY[severity],
        },
    }
    if paged:
        descriptor["helpUri"] = about_rule(rule.id, wording.version(), pages)
    return descriptor


def _precision(confidence: int) -> str:
    if confidence >= 900:
        return "very-high"
    if confidence >= 700:
        return "high"
    return "medium" if confidence >= 500 else "low"


def _result(writer: _Writer, entry: _Entry) -> Json:
    finding = entry.finding
    properties: Json = {
        "skill": scalar(entry.skill.name),
        "severity": finding.severity.name,
        "confidence": finding.confidence,
        "category": finding.category.value,
        "kind": finding.kind.value,
        "executable": finding.executable,
        "author": finding.author.value,
        "scored": not (entry.listed or entry.gone or entry.voice) and entry.accepted is None,
    }
    if finding.location.origin:
        properties["origin"] = [scalar(step) for step in finding.location.origin]
    if finding.adjustments:
        properties["adjustments"] = [scalar(why) for why in finding.adjustments]
    if said := wording.opinions(entry.skill.verdict).get(finding.fingerprint, ()):
        properties["opinions"] = [scalar(wording.opinion(opinion)) for opinion in said]
    result: Json = {
        "ruleId": printable(finding.rule),
        "ruleIndex": writer.rules[finding.rule],
        "level": "note" if entry.listed else _LEVEL[finding.severity],
        "rank": finding.confidence / 10,
        "message": {"text": _message(finding)},
        "locations": [_location(writer, entry.skill, finding.location, finding.evidence)],
        "partialFingerprints": {FINGERPRINT: printable(finding.fingerprint)},
        "properties": properties,
    }
    if others := wording.other_places(finding):  # the standard wants each of them once
        result["relatedLocations"] = [_location(writer, entry.skill, other) for other in others[:RELATED]]
    if writer.report.comparison is not None:
        result["baselineState"] = _state(writer, entry)
    if entry.accepted is not None:
        accepted = entry.accepted
        owner = f" ({accepted.owner}{f', until {accepted.expires}' if accepted.expires else ''})"
        justification = printable(f"{accepted.reason}{owner}", newline=True)
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": justification}]
    return result


def _state(writer: _Writer, entry: _Entry) -> str:
    """What became of a finding since the older report. What is accepted counts neither then nor now."""
    if entry.gone:
        return "absent"
    at = writer.skills[id(entry.skill)]
    return writer.states.get((at, entry.finding.rule, entry.finding.fingerprint), "unchanged")


def _name(id: str) -> Json:
    """The name of a rule or notification; none where it would be the identifier again (SARIF1001)."""
    name = "".join(word.capitalize() for word in id.replace("/", "-").split("-"))
    return {} if name.lower() == id.lower() else {"name": name}


def _message(finding: Finding) -> str:
    said = finding.message or finding.title or finding.rule
    origin = origins.in_words(finding.location)
    return sarif_message(f"{said} ({origin})" if origin else said)


def _location(writer: _Writer, skill: SkillReport, location: Location, evidence: str = "") -> Json:
    uri = writer.places.uri(skill, location.path)
    artifact: Json = {"uri": uri}
    if uri in writer.artifacts:
        artifact["index"] = writer.artifacts[uri]
    first = max(1, location.start_line)  # what has no lines has a region too: readers place a result by it
    region: Json = {"startLine": first, "endLine": max(first, location.end_line)}
    if evidence:
        region["snippet"] = {"text": printable(evidence, newline=True)}
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}


_NOTICES = {
    "stale-baseline-entry": (
        "A baseline entry no longer holds",
        "An entry of the baseline has expired, or the text that it accepted has changed: the finding counts again.",
        "Look at the finding again, and write the entry anew if it still is acceptable.",
    ),
    "injection-seen": (
        "A reviewer saw an injection aimed at it",
        "A model that reviewed the skill says that text in it tried to steer the review.",
        "Do not install the skill.",
    ),
    "settings": (
        "The settings weaken this scan",
        "Something about the settings of this scan has to be known by whoever reads its results.",
        "Change the settings, or read the results with that in mind.",
    ),
    "acceptance-ends": (
        "An acceptance ends soon",
        "A finding or a gap counts again when the last day of its acceptance is over.",
        "Look at it again, and renew the acceptance with 'sluicegate baseline' if it still holds.",
    ),
}
"""Notification -> what it is in short, what it means, and what to do."""


def _notice(id: str) -> Json:
    """The descriptor of a notification; code scanning wants all of these texts."""
    if id in _NOTICES:
        short, full, help = _NOTICES[id]
    else:
        reason = GapReason(id.removeprefix("gap/"))
        short = f"Not inspected: {wording.GAP[reason]}"
        full = "An agent might read or run something that was not inspected, so the skill is not called SAFE."
        help = REMEDY[reason]
    return {
        "id": id,
        **_name(id),
        "shortDescription": {"text": short},
        "fullDescription": {"text": full},
        "help": {"text": help},
        "helpUri": about_tool(),
    }


def _notification_ids(report: Report) -> list[str]:
    ids = {f"gap/{gap.reason.value}" for skill in report.skills for gap in skill.verdict.gaps}
    ids |= {f"gap/{a.gap.reason.value}" for skill in report.skills for a in skill.verdict.accepted_gaps}
    if any(skill.verdict.stale for skill in report.skills):
        ids.add("stale-baseline-entry")
    if any(skill.verdict.review and skill.verdict.review.injections for skill in report.skills):
        ids.add("injection-seen")
    if report.notes:
        ids.add("settings")
    if ends(report):
        ids.add("acceptance-ends")
    return sorted(ids)


def _notifications(writer: _Writer, left_out: int) -> list[Json]:
    """Gaps as warnings; stale baseline entries, rules switched off and limits as notes."""
    report = writer.report
    said: list[Json] = []
    for skill in report.skills:
        said += _of_gaps(writer, skill)
        injections = () if skill.verdict.review is None else skill.verdict.review.injections
        for seen in injections:
            text = f"{seen.reviewer} saw an injection aimed at it: {seen.evidence or 'not quoted'}"
            said.append(_note(text, level="error", id="injection-seen"))
        for entry in skill.verdict.stale:
            text = f"Baseline entry {entry.rule} at {entry.path} no longer holds: {wording.stale(entry)}"
            said.append(_note(text, id="stale-baseline-entry"))
    if left_out:
        said.append(
            _note(
                f"{left_out:,} results are over the limit of {RESULTS:,} and left out here.", level="warning"
            )
        )
    if report.disabled:
        said.append(_note(f"Rules switched off: {', '.join(report.disabled)}"))
    if report.unassigned:
        files = wording.count(report.unassigned, "file")
        said.append(_note(f"{files} of the source belong to no skill and were not read."))
    if report.comparison is not None:
        said.append(_note(f"{title(report.comparison)}: {sum_of(report.comparison)}"))
    said.extend(_note(note, level="warning", id="settings") for note in report.notes)
    said.extend(_note(note, id="acceptance-ends") for note in ends(report))
    said.extend(_note(limit) for limit in report.limits)
    return said


def _of_gaps(writer: _Writer, skill: SkillReport) -> Iterator[Json]:
    """Gaps, then accepted ones with who accepted them."""
    told = [
        (gap, "warning", f"Not inspected: {wording.gap(gap)}. {remedy(gap)}")
        for gap in sorted(skill.verdict.gaps)
    ]
    told += [
        (a.gap, "note", f"Not inspected, accepted: {wording.gap(a.gap)}; {wording.acceptance(a)}")
        for a in skill.verdict.accepted_gaps
    ]
    for gap, level, text in told:
        where = {"physicalLocation": {"artifactLocation": {"uri": writer.places.uri(skill, gap.path)}}}
        yield _note(text, level=level, id=f"gap/{gap.reason.value}") | {"locations": [where]}


def _note(text: str, *, level: str = "note", id: str = "") -> Json:
    note: Json = {"level": level, "message": {"text": sarif_message(text)}}
    return note | {"descriptor": {"id": id}} if id else note

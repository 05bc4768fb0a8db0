"""The JSON report, version 1: its shape, its schema, and the way there and back.

The shape is ours to change only by addition as long as ``VERSION`` stays: new fields and new words in the
enumerations. Removing or renaming a field, or giving one another meaning, makes version 2.

``python -m sluicegate.reach.report.json.model [DIRECTORY]`` writes the schema (to ``docs/schema``).
"""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from sluicegate.vet.errors import ConfigError
from sluicegate.vet.inspect.rule import RuleKind
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.verdict.consensus import Family, Role
from sluicegate.vet.verdict.types import Author, Category, EvidenceKind, GapReason

VERSION = "1"
SCHEMA_FILE = f"report-{VERSION}.json"

DecisionWord = Literal["SAFE", "CAUTION", "DO_NOT_INSTALL"]
LevelWord = Literal["LOW", "MEDIUM", "HIGH", "CRITICAL"]
VoteWord = Literal["SAFE", "ABSTAINED", "SUSPICIOUS", "MALICIOUS"]
Count = Annotated[int, Meta(ge=0)]
Sha256 = Annotated[
    str, Meta(pattern="^([0-9a-f]{64})?$", description="SHA-256 in hex; empty when nothing was read.")
]
Thousandths = Annotated[int, Meta(ge=0, le=1000, description="Confidence in thousandths.")]


class _Shape(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Closed: a field that is not named here is an error."""


class Tool(_Shape, frozen=True, kw_only=True):
    """What made the report."""

    name: Literal["sluicegate"]
    version: str


class Place(_Shape, frozen=True, kw_only=True):
    """Lines of an artifact, 1-based and inclusive (0 for the artifact as a whole).

    ``path`` is relative to the skill, with ``!/`` between an archive and its member. ``origin`` is how the
    inspected text was derived from the artifact, outermost step first.
    """

    path: str
    start_line: Count
    end_line: Count
    origin: tuple[str, ...]


class Finding(_Shape, frozen=True, kw_only=True):
    """A rule that matched. ``evidence`` and ``message`` may quote the skill: untrusted text."""

    rule: str
    title: str
    category: Category
    kind: Annotated[EvidenceKind, Meta(description="What it rests on. Words alone never block.")]
    severity: LevelWord
    confidence: Thousandths
    message: str
    evidence: str
    location: Place
    also: Annotated[tuple[Place, ...], Meta(description="Other places of the same match.")]
    adjustments: Annotated[
        tuple[str, ...], Meta(description="Why the confidence or the severity is not the rule's own.")
    ]
    executable: Annotated[
        bool, Meta(description="Whether it stands in code or an executable, and so weighs more.")
    ]
    author: Author
    fingerprint: Annotated[
        str, Meta(description="Stable over changes elsewhere: rule, path and canonical evidence.")
    ]


class Suppressed(_Shape, frozen=True, kw_only=True):
    """A finding that a reviewer accepted. Not scored."""

    finding: Finding
    reason: str
    owner: str
    expires: Annotated[str, Meta(description="A date (YYYY-MM-DD), or empty.")]
    globs: Annotated[
        tuple[str, str] | None,
        Meta(description="The patterns of rule and path; null for an entry about this alone."),
    ]


class Stale(_Shape, frozen=True, kw_only=True):
    """A baseline entry that suppresses nothing any more."""

    rule: str
    path: str
    why: str


class Gap(_Shape, frozen=True, kw_only=True):
    """Something that was not inspected. With a gap that nobody accepted it takes a person's ruling to be SAFE."""

    path: str
    reason: GapReason
    detail: str
    fingerprint: Annotated[
        str, Meta(description="What a baseline accepts it by; empty where its content is not known.")
    ]
    remedy: Annotated[str, Meta(description="What to do about it.")] = ""


class AcceptedGap(_Shape, frozen=True, kw_only=True):
    """A gap that a reviewer accepted."""

    gap: Gap
    reason: str
    owner: str
    expires: Annotated[str, Meta(description="A date (YYYY-MM-DD).")]


class Ending(_Shape, frozen=True, kw_only=True):
    """An acceptance in force whose last day is near."""

    about: Annotated[str, Meta(description="The rule, or the reason of the gap.")]
    path: str
    owner: str
    last_day: str
    days: Annotated[int, Meta(description="From the day of the decision.")]


class Arithmetic(_Shape, frozen=True, kw_only=True):
    """What the score is made of."""

    acts: Annotated[int, Meta(ge=0, le=100, description="The score of flows, commands and structures alone.")]
    everything: Annotated[int, Meta(ge=0, le=100, description="The score with words; counts up to 50.")]
    corroborated: Annotated[bool, Meta(description="Words and an act are about the same deed: 51 at least.")]
    deeds: Annotated[
        int, Meta(ge=0, description="How many deeds the findings state; from two on, 21 at least.")
    ]
    for_a_person: Annotated[bool, Meta(description="One finding alone is for a person to see: 21 at least.")]


class Ruling(_Shape, frozen=True, kw_only=True):
    """What one person decided of this docket, or rejected of this content. Only those that held on the day are here."""

    docket: Sha256
    person: str
    approves: bool
    overrides: Annotated[bool, Meta(description="Whether the approval is meant for DO_NOT_INSTALL, too.")]
    reason: str
    expires: Annotated[date | None, Meta(description="The last day, if there is one.")]
    bundle: Annotated[
        str,
        Meta(
            pattern="^([0-9a-f]{64})?$",
            description="SHA-256 of the content: a rejection holds for it under any docket.",
        ),
    ] = ""


class Rulings(_Shape, frozen=True, kw_only=True):
    """The rulings that held, and how policy counts them."""

    given: tuple[Ruling, ...]
    needed: Annotated[int, Meta(description="How many persons must approve.")]
    may_override: Annotated[bool, Meta(description="Whether approvals can end a DO_NOT_INSTALL.")]


class Seat(_Shape, frozen=True, kw_only=True):
    """One reviewer, and what it voted."""

    reviewer: str
    family: Family
    role: Role
    vote: VoteWord


class Package(_Shape, frozen=True, kw_only=True):
    """What the reviewers of one role were asked at once; ``about`` are fingerprints of findings."""

    role: Role
    about: tuple[str, ...]


class Reply(_Shape, frozen=True, kw_only=True):
    """One reply of a reviewer to a package, by the digest of its bytes, and the vote that it came to."""

    reviewer: str
    package: Count
    attempt: Count
    digest: Sha256
    vote: VoteWord
    summary: Annotated[str, Meta(description="What it says in sum. Untrusted text.")] = ""


class Opinion(_Shape, frozen=True, kw_only=True):
    """What one reviewer said of one finding. ``note`` is untrusted text."""

    reviewer: str
    fingerprint: str
    vote: VoteWord
    confidence: Thousandths | None
    note: str


class Reviewed(_Shape, frozen=True, kw_only=True):
    """A finding as the reviewers were given it, its confidence perhaps raised, and their opinions on it."""

    finding: Finding
    opinions: tuple[Opinion, ...]


class Injection(_Shape, frozen=True, kw_only=True):
    """An attempt on a reviewer, as it told of it. ``evidence`` is untrusted text."""

    reviewer: str
    evidence: str


class Review(_Shape, frozen=True, kw_only=True):
    """What a panel of reviewers was asked and said."""

    seats: tuple[Seat, ...]
    packages: tuple[Package, ...]
    replies: tuple[Reply, ...]
    findings: tuple[Reviewed, ...]
    added: Annotated[tuple[Finding, ...], Meta(description="Findings that a reviewer added.")]
    injections: tuple[Injection, ...]
    complete: Annotated[bool, Meta(description="Whether every finding was put before a reviewer.")]
    decision: Annotated[DecisionWord, Meta(description="The panel's own: it can make the whole stricter.")]


class Capability(_Shape, frozen=True, kw_only=True):
    """What code in the skill can do, and where that was seen first."""

    name: Annotated[
        str, Meta(description="net:HOST, fs:r:GLOB, fs:w:GLOB, cmd:NAME or env:NAME; * is undetermined.")
    ]
    path: str
    line: Count


class File(_Shape, frozen=True, kw_only=True):
    """One artifact that was read."""

    path: str
    kind: Kind
    size: Annotated[int, Meta(ge=0, description="Bytes.")]
    sha256: Sha256
    executable: bool


class Skill(_Shape, frozen=True, kw_only=True):
    """One skill.

    ``findings`` were scored, in the order of their weight; ``listed`` are those of low confidence and
    severity, not scored; ``reasons`` say what made the decision, the strongest first.
    """

    name: str
    root: Annotated[
        str, Meta(description="Path of the skill inside the source; empty when the source is the skill.")
    ]
    declared: Annotated[
        str, Meta(description="What its SKILL.md calls it: untrusted text; empty where it has no name.")
    ] = ""
    digest: Sha256
    description: Annotated[str, Meta(description="What the skill says of itself: untrusted text.")]
    decision: DecisionWord
    computed: Annotated[DecisionWord, Meta(description="The decision before any person's ruling.")]
    score: Annotated[int, Meta(ge=0, le=100)]
    band: LevelWord
    arithmetic: Arithmetic
    reasons: tuple[str, ...]
    findings: tuple[Finding, ...]
    listed: tuple[Finding, ...]
    suppressed: tuple[Suppressed, ...]
    stale: tuple[Stale, ...]
    gaps: tuple[Gap, ...]
    accepted_gaps: tuple[AcceptedGap, ...]
    ending: Annotated[tuple[Ending, ...], Meta(description="What of the accepted ends within 14 days.")] = ()
    docket: Annotated[Sha256, Meta(description="What a person's ruling on this decision must name.")]
    today: Annotated[date, Meta(description="The day of the decision; 0001-01-01 for none.")]
    rulings: Rulings
    review: Annotated[Review | None, Meta(description="What a panel said, if one was asked.")]
    certificate: Annotated[
        str,
        Meta(
            description="The certificate of this skill alone, as its own text (docs/certificate.md); "
            "empty when it would be too long."
        ),
    ]
    capabilities: tuple[Capability, ...]
    files: tuple[File, ...]
    views: Annotated[
        int, Meta(ge=0, description="Texts that were inspected: files and all that was derived from them.")
    ]


class Rule(_Shape, frozen=True, kw_only=True):
    """A rule that had a finding, so that the report explains itself."""

    id: str
    title: str
    category: Category
    severity: LevelWord
    confidence: Thousandths
    kind: RuleKind
    evidence: Annotated[EvidenceKind, Meta(description="What a finding of this rule rests on.")]
    why: str
    fix: Annotated[str, Meta(description="What whoever wrote the skill should do.")]
    advice: Annotated[
        str, Meta(description="What the person who wants to install should do, where this decides.")
    ] = ""
    references: tuple[str, ...]
    languages: tuple[str, ...]
    custom: Annotated[bool, Meta(description="Whether it is a rule of the user's own.")]


class Summary(_Shape, frozen=True, kw_only=True):
    """Counts over all skills."""

    skills: Count
    safe: Count
    caution: Count
    do_not_install: Count
    findings: Count
    listed: Count
    suppressed: Count
    gaps: Count


class LookedAt(_Shape, frozen=True, kw_only=True):
    """A place where installed skills were looked for."""

    agents: Annotated[tuple[str, ...], Meta(description="Every agent that reads this place.")]
    level: Literal["user", "project"]
    holds: Literal["skills", "plugins", "commands", "settings", "registry"]
    path: Annotated[str, Meta(description="From ~/ or from ./ (the project), or absolute.")]
    state: Literal["read", "absent", "unreadable"]
    units: Annotated[int, Meta(ge=0, description="How many skills or the like were scanned there.")]
    linked: Annotated[int, Meta(ge=0, description="Links to skills that stand at another place.")]


class Compared(_Shape, frozen=True, kw_only=True):
    """One skill beside what it was. ``new`` and ``unchanged`` are fingerprints of findings of the skill of this report."""

    root: str
    decision: Annotated[DecisionWord, Meta(description="What the new alone come to.")]
    new: tuple[str, ...]
    unchanged: tuple[str, ...]
    gone: tuple[Finding, ...]
    new_gaps: tuple[Gap, ...]
    unchanged_gaps: tuple[Gap, ...]
    gone_gaps: tuple[Gap, ...]


class Comparison(_Shape, frozen=True, kw_only=True):
    """What is new beside an older report, or an older state of the source. The exit code is that of the new alone."""

    against: str
    decision: DecisionWord
    skills: Annotated[tuple[Compared, ...], Meta(description="In the order of the report's skills.")]
    absent: Annotated[tuple[str, ...], Meta(description="Roots of skills that are not there any more.")]


class Report(_Shape, frozen=True, kw_only=True):
    """The report of one scan by Sluicegate.

    No timestamp, no random id, no absolute path unless asked for: the same bundle gives the same bytes.
    """

    version: Literal["1"]
    tool: Tool
    source: str
    decision: Annotated[DecisionWord, Meta(description="The strictest decision of the skills.")]
    summary: Summary
    skills: tuple[Skill, ...]
    rules: tuple[Rule, ...]
    disabled: Annotated[tuple[str, ...], Meta(description="Rules that were switched off.")]
    limits: Annotated[tuple[str, ...], Meta(description="What this scan could not know.")]
    unassigned: Annotated[
        int, Meta(ge=0, description="Files of the source that belong to no skill and were not read.")
    ]
    comparison: Annotated[Comparison | None, Meta(description="If one was asked for.")] = None
    notes: Annotated[
        tuple[str, ...], Meta(description="What about the settings of this scan a reader has to know.")
    ] = ()
    looked: Annotated[
        tuple[LookedAt, ...],
        Meta(description="Where installed skills were looked for; empty for a scan of named targets."),
    ] = ()


def schema(name: str = "report") -> str:
    """The published JSON Schema called ``name`` (only ``report`` so far), ending with a line feed."""
    if name != "report":
        raise ConfigError(f"There is no schema {name!r}.", hint="Schemas: report.")
    from sluicegate.reach.schemas import described

    document = described(msgspec.json.schema(Report))
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:sluicegate:schema:report:{VERSION}",
        "title": f"Sluicegate report, version {VERSION}",
    }
    return msgspec.json.format(msgspec.json.encode(head | document, order="sorted"), indent=2).decode() + "\n"


def write_schema(directory: Path) -> Path:
    """Write the schema into ``directory`` and say where."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / SCHEMA_FILE
    path.write_text(schema(), encoding="utf-8")
    return path


if __name__ == "__main__":
    sys.stdout.write(f"{write_schema(Path(sys.argv[1] if len(sys.argv) > 1 else 'docs/schema'))}\n")

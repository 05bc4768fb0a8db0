"""The rules of findings that no analyzer makes: they rest on what somebody said, and not on the bytes of the skill.

No setting switches them off, and none changes their severity: settings name rules of the catalogue alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from sluicegate.vet.inspect.rule import Rule, RuleKind
from sluicegate.vet.intake.publishers import PublisherFlag
from sluicegate.vet.verdict.encoding import digest
from sluicegate.vet.verdict.replies import RULE as ADDED_BY_REVIEWER
from sluicegate.vet.verdict.types import Category, EvidenceKind, Finding, Location, Severity

REVIEWER_FINDING = Rule(
    id=ADDED_BY_REVIEWER,
    title="A reviewer found something that no rule did",
    category=Category.CUSTOM,
    severity=Severity.MEDIUM,
    confidence=500,
    kind=RuleKind.STRUCTURE,
    stated=EvidenceKind.WORDS,
    why="A model that reviewed the skill says so, and no rule does. It may be right, or mistaken, or misled by the skill.",
    fix="Take out what the reviewer means, or say what it is for.",
)
FLAGGED_PUBLISHER = Rule(
    id="flagged-publisher",
    title="Its publisher also published a text aimed at reviewers",
    category=Category.INTAKE,
    severity=Severity.HIGH,
    confidence=700,
    kind=RuleKind.STRUCTURE,
    stated=EvidenceKind.WORDS,
    why="Another skill from there tried to talk its way past a review. Whoever does that once has other ways, and rules and "
    "reviewers do not find all of them.",
    fix="Take the text out of every skill that you publish, and ask whoever flagged you to look again.",
    references=("LLM01", "LLM03", "ASI04"),
)
"""As words of HIGH severity and of no deed, it makes SAFE a CAUTION, and can make nothing a DO_NOT_INSTALL."""
FLAGGED_SKILL = Rule(
    id="flagged-skill",
    title="A text aimed at reviewers was found in it before",
    category=Category.INTAKE,
    severity=Severity.HIGH,
    confidence=700,
    kind=RuleKind.STRUCTURE,
    stated=EvidenceKind.WORDS,
    why="A reviewer, or an earlier version of the rules, found a text in these very bytes that tries to talk its way past a "
    "review, and this time nobody did. Rules and models each miss some.",
    fix="Take the text out. If there is none, ask whoever flagged you to look again.",
    references=("LLM01", "LLM03", "ASI04"),
)
"""Weighs as much as the flag does on other skills of the publisher, and for the same reason."""
RECORDED: Mapping[str, Rule] = MappingProxyType(
    {rule.id: rule for rule in (REVIEWER_FINDING, FLAGGED_PUBLISHER, FLAGGED_SKILL)}
)
"""By id."""


def flag_finding(flag: PublisherFlag, paths: Iterable[str]) -> Finding:
    """What a flag says of another skill, with files at ``paths``: one finding, on its SKILL.md or else its first file."""
    skills = f"{len(flag.bundles)} other skill{'s' if len(flag.bundles) > 1 else ''}"
    said = f"A text aimed at reviewers was found in {skills} of {flag.publisher}."
    return _recorded(FLAGGED_PUBLISHER, flag.publisher, said, paths, flag.docket)


def found_before(publisher: str, bundle: str, paths: Iterable[str]) -> Finding:
    """What a flag says of a skill that it rests on, and that does not say so itself."""
    said = "A text aimed at reviewers was found in these very bytes before, and not this time."
    return _recorded(FLAGGED_SKILL, publisher, said, paths, bundle)


def _recorded(rule: Rule, publisher: str, message: str, paths: Iterable[str], about: str) -> Finding:
    files = sorted(paths)
    path = next((each for each in files if each.lower() == "skill.md"), files[0] if files else "")
    return Finding(
        rule=rule.id,
        title=rule.title,
        category=rule.category,
        kind=rule.evidence_kind,
        severity=rule.severity,
        confidence=rule.confidence,
        message=message,
        evidence=publisher,
        location=Location(path=path, start_line=1, end_line=1, origin=()),
        executable=False,
        fingerprint=digest(rule.id, path, about)[:32],
    )

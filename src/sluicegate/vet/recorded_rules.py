"""The rules of findings that no analyzer makes: they rest on what somebody said, and not on the bytes of the skill.

No setting switches them off, and none changes their severity: settings name rules of the catalogue alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from sluicegate.vet.inspect.rule import Rule, RuleKind
from sluicegate.vet.verdict.replies import RULE as ADDED_BY_REVIEWER
from sluicegate.vet.verdict.types import Category, EvidenceKind, Severity

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
RECORDED: Mapping[str, Rule] = MappingProxyType({rule.id: rule for rule in (REVIEWER_FINDING,)})
"""By id."""

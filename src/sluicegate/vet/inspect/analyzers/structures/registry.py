"""How a structure rule is declared, and what it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.analyzers.structures.facts import BundleFacts, Config, base_name, span_of_lines
from sluicegate.vet.inspect.rule import Match, Rule, RuleKind
from sluicegate.vet.verdict.types import Category, EvidenceKind, Severity

__all__ = [
    "CRITICAL",
    "DECLARED",
    "HIGH",
    "LOW",
    "MEDIUM",
    "BundleFacts",
    "Check",
    "Config",
    "Declared",
    "base_name",
    "rule",
    "span_of_lines",
    "structure_rule",
    "weighed",
]  # fmt: skip

LOW, MEDIUM, HIGH, CRITICAL = Severity.LOW, Severity.MEDIUM, Severity.HIGH, Severity.CRITICAL

Check = Callable[[BundleFacts], Iterable[Match]]
"""Looks for its rules in one bundle. Never raises for anything the bundle contains."""


class Declared(NamedTuple):
    """One check with the rules whose matches it may give."""

    check: Check
    rules: tuple[Rule, ...]


DECLARED: list[Declared] = []
"""Every check of the modules that were imported so far, in the order in which they declared them."""


def rule(
    id: str,
    title: str,
    category: Category,
    severity: Severity,
    confidence: int,
    *,
    why: str,
    fix: str,
    references: tuple[str, ...] = (),
    stated: EvidenceKind | None = None,
) -> Rule:
    """The metadata of a structure rule. ``stated``: what its findings rest on, where that is not a structure."""
    return Rule(
        id=id, title=title, category=category, severity=severity, confidence=confidence, kind=RuleKind.STRUCTURE,
        why=why, fix=fix, references=references, stated=stated,
    )  # fmt: skip


def structure_rule(*rules: Rule) -> Callable[[Check], Check]:
    """Declare a function that looks for these rules. It is given the facts and yields matches."""

    def declare(check: Check) -> Check:
        DECLARED.append(Declared(check=check, rules=rules))
        return check

    return declare


def weighed(found: Rule, severity: Severity, confidence: int, reason: str) -> tuple[str, ...]:
    """The adjustments to state when a match differs from its rule; none when it does not."""
    return () if (severity, confidence) == (found.severity, found.confidence) else (reason,)

"""Structure: what a bundle is made of, what it declares, and what it asks an agent to set up.

Each family of rules is a module of ``structures``; importing one declares its rules. None imports a
parser or reads a data file before a bundle needs it.
"""

from __future__ import annotations

from collections.abc import Mapping

from sluicegate.vet.inspect.analyzers.structures import (  # noqa: F401  each declares its rules when it is imported
    agents,
    approval,
    autorun,
    claims,
    deception,
    dependencies,
    disguise,
    endless,
    hooks,
    imitation,
    indexes,
    installs,
    loading,
    locks,
    manifest,
    neighbours,
    notebooks,
    servers,
    staging,
    started,
    surprises,
    workflows,
)
from sluicegate.vet.inspect.analyzers.structures.facts import BundleFacts
from sluicegate.vet.inspect.analyzers.structures.registry import DECLARED, Declared, structure_rule
from sluicegate.vet.inspect.rule import Inspected, Match, Rule, Subject, by_id
from sluicegate.vet.verdict.types import Gap, GapReason

__all__ = ["StructureAnalyzer", "structure_rule"]

MATCHES = 500
"""Matches of one check in one bundle; what is beyond is a gap."""


class StructureAnalyzer:
    """Runs every structure rule once over the bundle."""

    rules: Mapping[str, Rule] = by_id(rule for entry in DECLARED for rule in entry.rules)

    def inspect(self, subject: Subject) -> Inspected:
        """The matches of all checks, in the order of their declaration."""
        facts = BundleFacts(subject)
        matches: list[Match] = []
        for entry in DECLARED:
            matches += self._run(entry, facts)
        return Inspected(matches=tuple(matches), gaps=tuple(sorted(facts.gaps)))

    @staticmethod
    def _run(entry: Declared, facts: BundleFacts) -> list[Match]:
        found: list[Match] = []
        for match in entry.check(facts):
            if len(found) == MATCHES:
                detail = f"more than {MATCHES} findings of {entry.rules[0].id}; the rest were not listed"
                facts.gaps.add(Gap(path="", reason=GapReason.ANALYSIS_LIMIT, detail=detail))
                break
            found.append(match)
        return found

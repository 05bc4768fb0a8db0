"""Structure: what a bundle is made of, what it declares, and what it asks an agent to set up.

Each family of rules is a module of ``structures``; importing one declares its rules. A family that can find nothing in
a bundle is not imported for it. None imports a parser or reads a data file before a bundle needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from importlib import import_module

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.analyzers.structures.facts import BundleFacts
from sluicegate.vet.inspect.analyzers.structures.registry import DECLARED, Declared, structure_rule
from sluicegate.vet.inspect.rule import Inspected, Match, Rule, Subject, by_id
from sluicegate.vet.intake.agent_files import PLUGIN_MANIFESTS
from sluicegate.vet.intake.bundle import TEXTUAL, Kind
from sluicegate.vet.verdict.types import Gap, GapReason

__all__ = ["StructureAnalyzer", "structure_rule"]

MATCHES = 500
"""Matches of one check in one bundle; what is beyond is a gap."""


_HERE = "sluicegate.vet.inspect.analyzers.structures"
_AS_THEY_STAND = TEXTUAL - {Kind.SVG, Kind.TEXT}
"""Kinds of files that neither pose as something else nor hold a program that runs by itself."""


class StructureFamily(NamedTuple):
    """A module of ``structures``, and a question to the bundle: without a yes, none of its checks can find anything."""

    name: str
    may_find: Callable[[BundleFacts], bool] | None = None


def _has_odd_characters(facts: BundleFacts) -> bool:
    return bool(facts.odd) or not all(artifact.path.isascii() for artifact in facts.bundle.artifacts)


def _has_odd_files(facts: BundleFacts) -> bool:
    if facts.bundle.anomalies or not facts.kinds <= _AS_THEY_STAND:
        return True
    return any("!/" in path for path in facts.artifacts) or any(v.language is Kind.SVG for v in facts.raw)


def _has_anomalies(facts: BundleFacts) -> bool:
    return bool(facts.bundle.anomalies)


def _has_notebooks(facts: BundleFacts) -> bool:
    return any(view.language is Kind.NOTEBOOK for view in facts.raw)


def _names_servers(facts: BundleFacts) -> bool:
    return facts.settings_hold(("mcp", "servers"))


def _has_manifests(facts: BundleFacts) -> bool:
    names = PLUGIN_MANIFESTS | {"marketplace.json"}
    return any(path.rpartition("/")[2].lower() in names for path in facts.artifacts)


def _has_steps(facts: BundleFacts) -> bool:
    return any(view.language is Kind.YAML and "steps" in view.text for view in facts.settings)


FAMILIES = (
    StructureFamily("approval"), StructureFamily("agents"), StructureFamily("autorun"), StructureFamily("claims"),
    StructureFamily("components", _has_manifests), StructureFamily("deception", _has_odd_characters), StructureFamily("dependencies"),
    StructureFamily("disguise", _has_odd_files), StructureFamily("endless"), StructureFamily("hooks"),
    StructureFamily("imitation"), StructureFamily("indexes"), StructureFamily("installs"), StructureFamily("loading"),
    StructureFamily("locks"), StructureFamily("manifest"), StructureFamily("neighbours"),
    StructureFamily("notebooks", _has_notebooks), StructureFamily("servers", _names_servers), StructureFamily("staging"),
    StructureFamily("started"), StructureFamily("surprises", _has_anomalies), StructureFamily("workflows", _has_steps),
)  # fmt: skip
"""In the order in which they look."""


@cache
def declared(family: str) -> tuple[Declared, ...]:
    """The checks of a family, in the order of their declaration."""
    import_module(f"{_HERE}.{family}")
    return tuple(entry for entry in DECLARED if entry.check.__module__ == f"{_HERE}.{family}")


class StructureAnalyzer:
    """Runs every structure rule once over the bundle."""

    @cached_property
    def rules(self) -> Mapping[str, Rule]:
        """The rules of all families by id."""
        return by_id(rule for family in FAMILIES for entry in declared(family.name) for rule in entry.rules)

    def inspect(self, subject: Subject) -> Inspected:
        """The matches of all checks, in the order of their declaration."""
        facts = BundleFacts(subject)
        matches: list[Match] = []
        for family in FAMILIES:
            if family.may_find is None or family.may_find(facts):
                for entry in declared(family.name):
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

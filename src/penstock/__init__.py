"""Penstock: the gate between an AI agent and what it takes in.

The public interface is small::

    import penstock

    report = penstock.scan("path/to/skill")
    print(report.decision.name)            # SAFE, CAUTION or DO_NOT_INSTALL
    for skill in report.skills:
        for finding in skill.verdict.findings:
            print(finding.rule, finding.location.path, finding.location.start_line)

``scan`` gives the same result that the command ``penstock scan`` prints. Everything else that may be
imported from here is a type of that result, the configuration, or an error. Evidence, paths and messages
of a report quote untrusted text: escape them wherever they are shown.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from penstock.vet.config import ScanConfig
    from penstock.vet.errors import ConfigError, NothingToInspect, SourceError, VetError
    from penstock.vet.inspect.rule import Capability, Rule
    from penstock.vet.intake.limits import Limits
    from penstock.vet.report import FileSummary, Report, SkillReport
    from penstock.vet.scan import scan
    from penstock.vet.verdict.types import Band, Category, Decision, Finding, Gap, Location, Severity, Verdict

__version__ = "0.1.0"

_HOMES = {
    "scan": "penstock.vet.scan",
    "ScanConfig": "penstock.vet.config",
    "Limits": "penstock.vet.intake.limits",
    "Report": "penstock.vet.report",
    "SkillReport": "penstock.vet.report",
    "FileSummary": "penstock.vet.report",
    "Verdict": "penstock.vet.verdict.types",
    "Decision": "penstock.vet.verdict.types",
    "Band": "penstock.vet.verdict.types",
    "Severity": "penstock.vet.verdict.types",
    "Category": "penstock.vet.verdict.types",
    "Finding": "penstock.vet.verdict.types",
    "Location": "penstock.vet.verdict.types",
    "Gap": "penstock.vet.verdict.types",
    "Rule": "penstock.vet.inspect.rule",
    "Capability": "penstock.vet.inspect.rule",
    "VetError": "penstock.vet.errors",
    "SourceError": "penstock.vet.errors",
    "NothingToInspect": "penstock.vet.errors",
    "ConfigError": "penstock.vet.errors",
}

__all__ = [
    "Band",
    "Capability",
    "Category",
    "ConfigError",
    "Decision",
    "FileSummary",
    "Finding",
    "Gap",
    "Limits",
    "Location",
    "NothingToInspect",
    "Report",
    "Rule",
    "ScanConfig",
    "Severity",
    "SkillReport",
    "SourceError",
    "Verdict",
    "VetError",
    "__version__",
    "scan",
]


def __getattr__(name: str) -> object:
    """Import on first use, so that ``import penstock`` costs nothing."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'penstock' has no attribute {name!r}")
    value: object = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)

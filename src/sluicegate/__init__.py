"""Sluicegate: the gate between an AI agent and what it takes in.

The public interface is small::

    import sluicegate

    report = sluicegate.scan("path/to/skill")
    print(report.decision.name)            # SAFE, CAUTION or DO_NOT_INSTALL
    for skill in report.skills:
        for finding in skill.verdict.findings:
            print(finding.rule, finding.location.path, finding.location.start_line)

``scan`` gives the same result that the command ``sluicegate scan`` prints. Everything else that may be
imported from here is a type of that result, the configuration, or an error. Evidence, paths and messages
of a report quote untrusted text: escape them wherever they are shown.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, which costs a tenth of the time to start
if TYPE_CHECKING:
    from sluicegate.errors import SluicegateError
    from sluicegate.reach.report.formats import render
    from sluicegate.vet.baseline import BaselineFile
    from sluicegate.vet.config import ScanConfig
    from sluicegate.vet.errors import ConfigError, NothingToInspect, SourceError, VetError
    from sluicegate.vet.inspect.rule import Capability, Rule
    from sluicegate.vet.intake.limits import Limits
    from sluicegate.vet.report import FileSummary, Report, SkillReport
    from sluicegate.vet.scan import scan
    from sluicegate.vet.scanner import Scanner, Unscanned
    from sluicegate.vet.verdict.types import (
        Band,
        Category,
        Decision,
        Finding,
        Gap,
        Location,
        Severity,
        Verdict,
    )

__version__ = "0.1.0"

_HOMES = {
    "scan": "sluicegate.vet.scan",
    "Scanner": "sluicegate.vet.scanner",
    "Unscanned": "sluicegate.vet.scanner",
    "render": "sluicegate.reach.report.formats",
    "BaselineFile": "sluicegate.vet.baseline",
    "ScanConfig": "sluicegate.vet.config",
    "Limits": "sluicegate.vet.intake.limits",
    "Report": "sluicegate.vet.report",
    "SkillReport": "sluicegate.vet.report",
    "FileSummary": "sluicegate.vet.report",
    "Verdict": "sluicegate.vet.verdict.types",
    "Decision": "sluicegate.vet.verdict.types",
    "Band": "sluicegate.vet.verdict.types",
    "Severity": "sluicegate.vet.verdict.types",
    "Category": "sluicegate.vet.verdict.types",
    "Finding": "sluicegate.vet.verdict.types",
    "Location": "sluicegate.vet.verdict.types",
    "Gap": "sluicegate.vet.verdict.types",
    "Rule": "sluicegate.vet.inspect.rule",
    "Capability": "sluicegate.vet.inspect.rule",
    "SluicegateError": "sluicegate.errors",
    "VetError": "sluicegate.vet.errors",
    "SourceError": "sluicegate.vet.errors",
    "NothingToInspect": "sluicegate.vet.errors",
    "ConfigError": "sluicegate.vet.errors",
}

__all__ = [
    "Band",
    "BaselineFile",
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
    "Scanner",
    "Severity",
    "SkillReport",
    "SluicegateError",
    "SourceError",
    "Unscanned",
    "Verdict",
    "VetError",
    "__version__",
    "render",
    "scan",
]


def __getattr__(name: str) -> object:
    """Import on first use, so that ``import sluicegate`` costs nothing."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'sluicegate' has no attribute {name!r}")
    import importlib

    value: object = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)

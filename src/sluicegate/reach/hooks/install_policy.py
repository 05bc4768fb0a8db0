"""OpenClaw's gate before an install (``security.installPolicy``): what is about to be installed is scanned. Not measured: written from
the documentation in its package (2026.9.6).

1. SAFE is ``allow``, CAUTION ``warn``, DO_NOT_INSTALL ``block``. A folder in which there is nothing to decide on is ``block``.
2. Everything that is no answer blocks there, so every error of ours is exit 2 with a reason.
3. A notice of more than 4,000 characters blocks as well, so the worst findings are told, and how many there are.
"""

from __future__ import annotations

import json

from sluicegate.reach.hooks import told
from sluicegate.reach.hooks.told import HookAnswer, HookInputError

TYPE_CHECKING = False  # a hook starts before each call of a tool, and ``typing`` is a tenth of its start
if TYPE_CHECKING:
    from collections.abc import Mapping

    from sluicegate.vet.report import Report
    from sluicegate.vet.verdict.types import Finding

TOLD = 10
"""Findings that an answer names."""
_LONGEST = 160
_PROTOCOL = 1


def answer_install(event: Mapping[str, object]) -> HookAnswer:
    """The answer about what lies at ``sourcePath``. Raises HookInputError."""
    if event.get("protocolVersion") != _PROTOCOL:
        raise HookInputError("its protocolVersion is not 1")
    place = told.needed(event, "sourcePath")
    if not place.startswith("/"):  # an address would be fetched
        raise HookInputError("sourcePath is not an absolute path")
    from sluicegate import scan
    from sluicegate.vet.errors import VetError

    try:
        report = scan(place)
    except VetError as error:
        return HookAnswer(
            2, err=f"sluicegate: this cannot be scanned, so it is not installed: {_plain(str(error))}"
        )
    return HookAnswer(0, out=json.dumps(_said(report)))


def _said(report: Report) -> dict[str, object]:
    if not report.skills:  # 1
        return {
            "protocolVersion": _PROTOCOL,
            "decision": "block",
            "reason": "sluicegate: there is nothing to decide on",
        }
    found = [finding for skill in report.skills for finding in skill.verdict.findings]
    worst = sorted(found, key=lambda one: (-one.severity, -one.confidence, one.fingerprint))[:TOLD]
    name = report.decision.name
    about = {"protocolVersion": _PROTOCOL, "findings": [_finding(one) for one in worst]}
    if name == "SAFE":
        return {**about, "decision": "allow"}
    gaps = sum(len(skill.verdict.gaps) for skill in report.skills)
    reason = f"sluicegate: {name}, with {len(found)} findings and {gaps} gaps (sluicegate scan says which)"
    return {**about, "decision": "block" if name == "DO_NOT_INSTALL" else "warn", "reason": reason}


def _finding(one: Finding) -> dict[str, object]:
    name = one.severity.name
    severity = "critical" if name in ("CRITICAL", "HIGH") else "warn" if name == "MEDIUM" else "info"
    return {
        "ruleId": one.rule,
        "message": _plain(one.title),
        "severity": severity,
        "file": _plain(one.location.path),
        "line": one.location.start_line,
    }


def _plain(text: str) -> str:
    shown = "".join(c if c.isprintable() else "?" for c in text)
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 1]}…"

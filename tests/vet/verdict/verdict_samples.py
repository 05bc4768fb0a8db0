"""Findings and gaps for the tests of this room."""

from datetime import date

from sluicegate.vet.verdict.types import Category, EvidenceKind, Finding, Gap, GapReason, Location, Severity

TODAY = date(2026, 6, 15)
GAP = Gap(path="inner.zip", reason=GapReason.ENCRYPTED, detail="needs a password")


def finding(
    rule="pipe-to-shell",
    severity=Severity.CRITICAL,
    confidence=900,
    *,
    category=Category.REMOTE_CODE,
    kind=EvidenceKind.COMMAND,
    path="scripts/setup.sh",
    line=3,
    fingerprint="f1",
    executable=False,
    **other,
):
    return Finding(
        rule=rule,
        title=other.pop("title", "a title"),
        category=category,
        kind=kind,
        severity=severity,
        confidence=confidence,
        message=other.pop("message", "a message"),
        evidence=other.pop("evidence", "curl | sh"),
        location=Location(path=path, start_line=line, end_line=line, origin=other.pop("origin", ())),
        executable=executable,
        fingerprint=fingerprint,
        **other,
    )

"""What was judged of a place in a script, and the match that it makes."""

from __future__ import annotations

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.rule import Match, Rule
from sluicegate.vet.intake.bundle import PROSE
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.verdict.types import Severity


class ScriptMatch(NamedTuple):
    """A rule with the severity and confidence of one match of it. ``reason`` is empty when they are its own."""

    rule: Rule
    severity: Severity
    confidence: int
    reason: str = ""


def match_of(
    view: View,
    judged: ScriptMatch,
    start: int,
    end: int,
    what: str = "",
    trace: tuple[str, ...] = (),
    places: tuple[tuple[View, int, int], ...] = (),
) -> Match:
    """The match of a rule in a view; one that stands in a document is less sure."""
    rule = judged.rule
    confidence = judged.confidence
    reasons = [judged.reason] if judged.reason else []
    if view.artifact.kind in PROSE and any(step.kind == "fence" for step in view.origin):
        confidence = max(400, confidence - 100)
        reasons.append("it stands in a document")
    return Match(
        rule=rule.id, view=view, start=start, end=end, severity=judged.severity, confidence=confidence,
        message=f"{what}. {rule.why}" if what else rule.why, adjustments=tuple(reasons),
        trace=trace, places=places,
    )  # fmt: skip

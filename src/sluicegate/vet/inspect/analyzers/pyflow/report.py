"""How a problem becomes a match: message, evidence and span."""

from __future__ import annotations

from dataclasses import dataclass

from sluicegate.vet.inspect.rule import Match
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.verdict.types import Severity

from .frame import Analysis
from .hits import Hit
from .values import Site, Sites

MAX_EVIDENCE_LINE = 160
MAX_MESSAGE = 300


@dataclass(frozen=True, slots=True)
class Problem:
    """A broken rule: the message, the places the data comes from, and what differs from the rule's own"""

    """weight."""

    rule: str
    message: str
    sources: tuple[Site, ...] = ()
    severity: Severity | None = None
    confidence: int | None = None
    why: str = ""


def flow(
    rule: str,
    sites: Sites,
    found: list[Site],
    sink: str,
    *,
    severity: Severity | None = None,
    confidence: int | None = None,
    why: str = "",
) -> Problem:
    """A problem of data that goes from sources to a sink."""
    shown = ", ".join(sites.route(site) for site in found[:3])
    return Problem(rule, f"{shown} -> {sink}"[:MAX_MESSAGE], tuple(found[:4]), severity, confidence, why)


def plain(
    rule: str, message: str, *, severity: Severity | None = None, confidence: int | None = None, why: str = ""
) -> Problem:
    """A problem of an operation alone."""
    return Problem(rule, message[:MAX_MESSAGE], (), severity, confidence, why)


class Judgement:
    """A problem at an operation, made into a match."""

    __slots__ = ("analysis", "hit")

    def __init__(self, analysis: Analysis, hit: Hit) -> None:
        self.analysis = analysis
        self.hit = hit

    def match(self, problem: Problem) -> Match:
        """The match; its span is the operation's, its evidence the lines of sources and operation."""
        view = self.analysis.views[self.hit.view]
        start = offset_of(view, self.hit.line, self.hit.column)
        end = max(start + 1, offset_of(view, self.hit.end_line, self.hit.end_column))
        lines = [line_text(self.analysis.views[s.view], s.line) for s in problem.sources]
        lines.append(line_text(view, self.hit.line))
        adjusted = problem.severity is not None or problem.confidence is not None
        return Match(
            rule=problem.rule,
            view=view,
            start=start,
            end=min(end, len(view.text)),
            message=problem.message,
            evidence="\n".join(dict.fromkeys(line for line in lines if line)),
            severity=problem.severity,
            confidence=problem.confidence,
            adjustments=(problem.why or "how sure depends on where the data goes",) if adjusted else (),
        )


def line_text(view: View, line: int) -> str:
    """One line of a view (1-based), trimmed and cut."""
    start = _line_start(view, line)
    end = view.text.find("\n", start)
    return view.text[start : end if end != -1 else len(view.text)].strip()[:MAX_EVIDENCE_LINE]


def _line_start(view: View, line: int) -> int:
    view.line_of(0)
    starts = view._starts
    return starts[min(max(line - 1, 0), len(starts) - 1)]


def offset_of(view: View, line: int, column: int) -> int:
    """The character that a line and a column in UTF-8 bytes, as syntax trees count, stand for."""
    start = _line_start(view, line)
    end = view.text.find("\n", start)
    text = view.text[start : end if end != -1 else len(view.text)]
    if text.isascii():
        return min(start + column, start + len(text))
    return start + len(text.encode("utf-8", "replace")[:column].decode("utf-8", "ignore"))

"""How a problem becomes a match: message, evidence and span."""

from __future__ import annotations

from collections.abc import Iterator

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.analyzers.pyflow.frame import Analysis
from sluicegate.vet.inspect.analyzers.pyflow.judging.hits import Hit
from sluicegate.vet.inspect.analyzers.pyflow.values import PyValue, Site, Sites, SourceKind
from sluicegate.vet.inspect.analyzers.shflow.values import ProgramStep
from sluicegate.vet.inspect.rule import Match
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.verdict.types import Severity

MAX_EVIDENCE_LINE = 160
MAX_MESSAGE = 300
SHOWN = 4
"""Sources of which the evidence shows the line."""


class BrokenRule(NamedTuple):
    """A broken rule: the message, where the data comes from, and what differs from the rule's own weight."""

    rule: str
    message: str
    sources: tuple[Site, ...] = ()
    severity: Severity | None = None
    confidence: int | None = None
    why: str = ""
    rests: tuple[str, ...] = ()
    """Constants on which it rests and which neither the operation nor the sources know."""
    hits: tuple[Hit, ...] = ()
    """Other operations on which it rests."""
    steps: tuple[ProgramStep, ...] = ()
    """The other programs of the bundle that do it."""


def flow(
    rule: str,
    sites: Sites,
    found: list[Site],
    sink: str,
    *,
    severity: Severity | None = None,
    confidence: int | None = None,
    why: str = "",
    rests: tuple[str, ...] = (),
    steps: tuple[ProgramStep, ...] = (),
) -> BrokenRule:
    """A problem of data that goes from sources to a sink."""
    shown = ", ".join(sites.route(site) for site in found[:3])
    message = f"{shown} -> {sink}"[:MAX_MESSAGE]
    return BrokenRule(rule, message, tuple(found), severity, confidence, why, rests, steps=steps)


def plain(
    rule: str,
    message: str,
    *,
    severity: Severity | None = None,
    confidence: int | None = None,
    why: str = "",
    rests: tuple[str, ...] = (),
    hits: tuple[Hit, ...] = (),
) -> BrokenRule:
    """A problem of an operation alone."""
    return BrokenRule(rule, message[:MAX_MESSAGE], (), severity, confidence, why, rests=rests, hits=hits)


class Judgement:
    """A problem at an operation, made into a match."""

    __slots__ = ("analysis", "hit")

    def __init__(self, analysis: Analysis, hit: Hit) -> None:
        self.analysis = analysis
        self.hit = hit

    def match(self, problem: BrokenRule) -> Match:
        """The match; its span is the operation's, its evidence the lines of sources and operation."""
        view = self.analysis.views[self.hit.view]
        start = offset_of(view, self.hit.line, self.hit.column)
        end = max(start + 1, offset_of(view, self.hit.end_line, self.hit.end_column))
        lines = [line_text(self.analysis.views[s.view], s.line) for s in problem.sources[:SHOWN]]
        lines.append(line_text(view, self.hit.line))
        through = self.analysis.sites.through
        steps = [*problem.steps, *(step for site in problem.sources for step in through.get(site, ()))]
        programs = self.analysis.programs
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
            adjustments=(problem.why or "it depends on where the data goes",) if adjusted else (),
            trace=tuple(self._trace(problem)),
            places=(*self._places(problem), *(programs.places(steps) if programs is not None else ())),
            files=tuple(dict.fromkeys(step.path for step in steps)),
        )

    def _trace(self, problem: BrokenRule) -> Iterator[str]:
        """What the operation and its sources are known to hold: all sources that reach it, and all that it is given."""
        sites, hits = self.analysis.sites, [self.hit, *problem.hits]
        mask = 0
        for hit in hits:
            yield f"operation={hit.name} {' '.join(sorted(hit.flags))}"
            for slot, value in hit.slots.items():
                mask |= value.mask
                yield from held(slot, value)
            mask |= hit.guard
        for site in {*problem.sources, *sites.of(mask, *SourceKind)}:
            yield f"source={site.source.name.lower()} {site.label}"
            for asked in self.analysis.asked(site):
                for slot, value in asked.slots.items():
                    yield from held(f"source.{slot}", value)
        yield from problem.rests

    def _places(self, problem: BrokenRule) -> Iterator[tuple[View, int, int]]:
        for number, line in sorted({(site.view, site.line) for site in problem.sources}):
            view = self.analysis.views[number]
            start = _line_start(view, line)
            yield view, start, start + 1
        for hit in problem.hits:
            view = self.analysis.views[hit.view]
            start = offset_of(view, hit.line, hit.column)
            yield view, start, max(start + 1, offset_of(view, hit.end_line, hit.end_column))


def held(role: str, value: PyValue) -> Iterator[str]:
    """The texts that a value may be, and those of its parts; ``?`` where nothing is known."""
    if not value.texts and not value.parts:
        yield f"{role}=?"
    for text in value.texts:
        yield f"{role}={text}"
    for key, part in value.parts:
        if key:
            yield f"{role}={key}"
        yield from held(role, part)


def line_text(view: View, line: int) -> str:
    """One line of a view (1-based), trimmed and cut."""
    start = _line_start(view, line)
    end = view.text.find("\n", start)
    return view.text[start : end if end != -1 else len(view.text)].strip()[:MAX_EVIDENCE_LINE]


def _line_start(view: View, line: int) -> int:
    starts = view.line_starts()
    return starts[min(max(line - 1, 0), len(starts) - 1)]


def offset_of(view: View, line: int, column: int) -> int:
    """The character that a line and a column in UTF-8 bytes, as syntax trees count, stand for."""
    start = _line_start(view, line)
    end = view.text.find("\n", start)
    text = view.text[start : end if end != -1 else len(view.text)]
    if text.isascii():
        return min(start + column, start + len(text))
    return start + len(text.encode("utf-8", "replace")[:column].decode("utf-8", "ignore"))

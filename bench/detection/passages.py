"""The instruction text of labelled skills, passage by passage, with what the rules already said of each skill.

A passage is one paragraph, list item, heading or table row of prose: Markdown and plain text without fences, the
description of the front matter, comments that a reader does not see, text that was encoded or invisible.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from corpus import Sample

from sluicegate import Decision, ScanConfig
from sluicegate.vet.errors import NothingToInspect
from sluicegate.vet.inspect.catalogue import build_analyzers
from sluicegate.vet.inspect.engine import inspect
from sluicegate.vet.inspect.rule import Analyzer
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.sources import open_source
from sluicegate.vet.intake.units import Unit, read_unit
from sluicegate.vet.intake.views.derive import derive_views
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.verdict.decision import judge
from sluicegate.vet.verdict.suppression import Baseline
from sluicegate.vet.verdict.types import Finding, Severity

MOST = 2_000
"""Passages of one skill that are used: more are cut, so that one book does not outweigh a hundred skills."""
LONGEST = 1_200
"""Characters of one passage; a longer one is cut into several."""

_TEXT = frozenset({Kind.MARKDOWN, Kind.TEXT, Kind.HTML})
_NOT_PROSE = frozenset(
    {"fence", "command", "bang-command", "link", "folded", "spliced", "normalised", "cell"}
)
_BREAK = re.compile(r"\n[ \t]*(?:\n|(?=[-*+|>#][ \t#>|-])|(?=\d{1,3}[.)][ \t]))")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_DESCRIPTION = re.compile(r"description[ \t]*:[ \t]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """``hit``: a finding of HIGH or worse stands on its lines. ``hidden``: not in the text a reader sees."""

    text: str
    hit: bool
    hidden: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """One bundle of a sample: what the rules decided, what they found, and its prose."""

    sample: str
    malicious: bool
    real: bool
    source: str
    category: str
    cluster: str
    name: str
    decision: Decision
    score: int
    gaps: bool
    findings: tuple[Finding, ...]
    passages: tuple[Passage, ...]


def read(found: Iterable[Sample]) -> Iterator[Skill]:
    """Scan every sample with the rules, and cut its prose into passages. Nothing is executed."""
    config = ScanConfig()
    analyzers = build_analyzers(config)
    for sample in found:
        try:
            with open_source(str(sample.folder), config.limits) as source:
                for unit in source.units().units:
                    yield _skill(sample, unit, config, analyzers)
        except NothingToInspect:
            continue


def _skill(sample: Sample, unit: Unit, config: ScanConfig, analyzers: Sequence[Analyzer]) -> Skill:
    bundle = read_unit(unit, config.limits, config.exclude)
    views = derive_views(bundle, config.limits)
    inspection = inspect(bundle, views, analyzers, config)
    verdict = judge(inspection.findings, inspection.gaps, baseline=Baseline(), today=date.max)
    hits: dict[str, set[int]] = {}
    for finding in verdict.findings:
        if finding.severity >= Severity.HIGH:
            where = finding.location
            lines = range(where.start_line, min(where.end_line, where.start_line + 30) + 1)
            hits.setdefault(where.path, set()).update(lines)
    passages: dict[str, Passage] = {}
    for view in views.views:
        for passage in _passages(view, hits.get(view.path, set())):
            known = passages.get(passage.text)
            if known is None or (passage.hit and not known.hit):
                passages[passage.text] = passage
            if len(passages) >= MOST:
                break
    return Skill(
        sample=sample.id,
        malicious=sample.malicious,
        real=sample.real,
        source=sample.source,
        category=sample.category,
        cluster=sample.cluster,
        name=bundle.name,
        decision=verdict.decision,
        score=verdict.score,
        gaps=bool(verdict.gaps),
        findings=verdict.findings,
        passages=tuple(passages.values()),
    )


def _passages(view: View, hit_lines: set[int]) -> Iterator[Passage]:
    kinds = {step.kind for step in view.origin}
    if view.language not in _TEXT or kinds & _NOT_PROSE:
        return
    if "front-matter" in kinds:
        return  # it stands in the raw text too
    hidden = bool(kinds - {"document"})
    text = view.text if kinds else _without_fences(view.text)
    at = 0
    for stop in (*(found.start() for found in _BREAK.finditer(text)), len(text)):
        for start in range(at, stop, LONGEST):
            body = text[start : min(stop, start + LONGEST)]
            if len(body.strip()) >= 12:
                first, last = view.artifact_lines(start, min(stop, start + LONGEST))
                hit = not hit_lines.isdisjoint(range(first, min(last, first + 60) + 1))
                yield Passage(text=body.strip(), hit=hit, hidden=hidden)
        at = stop


def _without_fences(text: str) -> str:
    """The text with fences, and front matter but for its description, blanked; every line stays where it was."""
    lines = text.split("\n")
    fence, front = "", lines[0].rstrip() == "---"
    for number, line in enumerate(lines):
        if front:
            front = number == 0 or line.rstrip() != "---"
            described = _DESCRIPTION.match(line)
            lines[number] = line[described.end() :] if described else ""
            continue
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
            lines[number] = ""
        elif fence:
            lines[number] = ""
    return "\n".join(lines)

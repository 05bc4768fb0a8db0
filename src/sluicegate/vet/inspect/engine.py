"""From matches to findings: the engine that runs every analyzer over one bundle.

1. Every analyzer looks at all views, and at what those before it found. One that raises becomes a gap,
   which keeps the verdict from SAFE.
2. A match of a rule that is switched off is dropped.
3. A match becomes a finding: metadata from its rule, lines of the artifact from its view, the user's
   severity, and a confidence that the adjusters may lower with a stated reason.
4. A match that several views show gets one fingerprint, over all that they show of it.
5. No finding quotes a secret that was found.
6. At most ``PER_RULE`` findings of one rule and artifact are kept, the strongest and the most different
   first, so that decoys cannot push a real one out; the rest are counted in the last one's message.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from sluicegate.tuples import NamedTuple
from sluicegate.vet.config import ScanConfig
from sluicegate.vet.inspect.analyzers.programs import BundlePrograms
from sluicegate.vet.inspect.fingerprints.fingerprint import Basis, agreed, by_itself
from sluicegate.vet.inspect.ordered.analyzer import OrderedFiles
from sluicegate.vet.inspect.rule import Analyzer, Capability, Inspected, Match, Rule, Sibling, Subject
from sluicegate.vet.intake.bundle import CODE, Artifact, Bundle
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.verdict.types import (
    Author,
    Category,
    EvidenceKind,
    Finding,
    Gap,
    GapReason,
    Location,
    Severity,
)

if TYPE_CHECKING:
    from sluicegate.vet.inspect.context.excuse import Adjuster
    from sluicegate.vet.inspect.fingerprints.traces import Traces

EVIDENCE = 400
"""Characters of evidence that are shown; the fingerprint is over all of it."""
WORDS = 600
"""Characters of a message or of a gap's detail that are shown: both may quote names of any length."""
PER_RULE = 200
"""Findings of one rule in one artifact that are kept."""


class DerivedViews(Protocol):
    """What intake derived: the views, raw ones first, and what it had to leave out."""

    @property
    def views(self) -> tuple[View, ...]: ...
    @property
    def gaps(self) -> tuple[Gap, ...]: ...


class Inspection(NamedTuple):
    """All that was found in one bundle, in a fixed order, before any verdict. ``secrets`` are what no report may quote."""

    findings: tuple[Finding, ...]
    capabilities: tuple[Capability, ...]
    gaps: tuple[Gap, ...]
    secrets: frozenset[str]


def inspect(
    bundle: Bundle,
    views: DerivedViews,
    analyzers: Sequence[Analyzer],
    config: ScanConfig,
    siblings: tuple[Sibling, ...] = (),
) -> Inspection:
    """Run the analyzers over the bundle's views; the same input gives the same result, in the same order.

    ``siblings`` are the other skills of the source, if it holds any.
    """
    programs = BundlePrograms(views.views)
    subject = Subject(
        bundle=bundle, views=views.views, limits=config.limits, siblings=siblings, programs=programs
    )
    maker = _Maker(subject, config)
    findings: list[Finding] = []
    capabilities: dict[str, Capability] = {}
    gaps: set[Gap] = {*bundle.gaps, *views.gaps}
    for analyzer in analyzers:
        seen = _run(analyzer, subject)
        gaps.update(seen.gaps)
        for capability in seen.capabilities:
            known = capabilities.get(capability.name)
            if known is None or (capability.path, capability.line) < (known.path, known.line):
                capabilities[capability.name] = capability
        if seen.matches:  # else its rules need not be read
            findings += maker.findings(analyzer.rules, seen.matches)
        if seen.capabilities or seen.matches:
            subject = subject._replace(capabilities=_in_order(capabilities), findings=tuple(findings))
    gaps.update(programs.gaps())
    programs.let_go()
    gaps.update(_run(OrderedFiles(), subject).gaps)
    found, secrets = _bounded(agreed(findings, maker.bases)), maker.secrets()
    if secrets:  # most skills have none
        from sluicegate.vet.inspect.unsaid import Secrets

        found = Secrets(secrets).out_of(found)
    return Inspection(
        findings=tuple(sorted(found, key=_order)),
        capabilities=subject.capabilities,
        gaps=tuple(
            sorted(gap._replace(detail=_cut(gap.detail, WORDS)) for gap in _named(gaps, maker.artifacts))
        ),
        secrets=secrets,
    )


def _named(gaps: set[Gap], artifacts: Mapping[str, Artifact]) -> Iterable[Gap]:
    if not gaps:
        return ()
    from sluicegate.vet.inspect.uninspected import named  # most skills have no gap

    return named(gaps, artifacts)


def _in_order(capabilities: Mapping[str, Capability]) -> tuple[Capability, ...]:
    """The capabilities by name, of which each has one."""
    return tuple([capabilities[name] for name in sorted(capabilities)])


def enabled(rule: str, config: ScanConfig) -> bool:
    """Whether a rule is to be used: some ``enable`` glob matches its id and no ``disable`` glob does."""
    return any(glob == "*" or fnmatchcase(rule, glob) for glob in config.enable) and not any(
        fnmatchcase(rule, glob) for glob in config.disable
    )


def _run(analyzer: Analyzer, subject: Subject) -> Inspected:
    try:
        return analyzer.inspect(subject)
    except Exception as error:  # noqa: BLE001  # a border: a bug in one analyzer must not lose the verdict
        name = getattr(analyzer, "name", type(analyzer).__name__)
        detail = f"{name} failed ({type(error).__name__}); this skill was not fully inspected"
        return Inspected(gaps=(Gap(path="", reason=GapReason.ANALYSIS_FAILED, detail=detail),))


class _Maker:
    """Turns matches into findings, with what is the same for all of them at hand."""

    def __init__(self, subject: Subject, config: ScanConfig) -> None:
        self._config = config
        self._severity: Mapping[str, Severity] = dict(config.severity)
        self._least: Mapping[str, Severity] = dict(config.least_severity)
        self._subject = subject
        self._enabled: dict[str, bool] = {}
        self._made: list[tuple[Finding, Basis]] = []
        self._spaced: dict[str, str] = {}

    @property
    def bases(self) -> list[Basis]:
        """What the fingerprint of each finding is made of, in the order in which they were made."""
        return [basis for _, basis in self._made]

    def secrets(self) -> frozenset[str]:
        """What rules about secrets matched, whole."""
        found = (basis for finding, basis in self._made if finding.category is Category.HARDCODED_SECRET)
        return frozenset(filter(None, (basis.evidence for basis in found)))

    @cached_property
    def artifacts(self) -> Mapping[str, Artifact]:
        return {artifact.path: artifact for artifact in self._subject.bundle.artifacts}

    @cached_property
    def _texts(self) -> frozenset[str]:
        """The paths of artifacts that are texts, or of which a text was made."""
        return frozenset(view.path for view in self._subject.views)

    @cached_property
    def _adjusters(self) -> tuple[Adjuster, ...]:
        # A dozen modules, for a skill in which something matched.
        from sluicegate.vet.inspect.context.admitted import Admitted
        from sluicegate.vet.inspect.context.sections import Sections
        from sluicegate.vet.inspect.context.vendor import Vendors

        views = self._subject.views
        return (Sections(views), Vendors(views), Admitted(views))

    @cached_property
    def _traces(self) -> Traces:
        from sluicegate.vet.inspect.fingerprints.traces import Traces

        return Traces(self._subject)

    def findings(self, rules: Mapping[str, Rule], matches: Iterable[Match]) -> Iterable[Finding]:
        for match in matches:
            on = self._enabled.get(match.rule)
            if on is None:
                on = self._enabled[match.rule] = enabled(match.rule, self._config)
            if on:
                yield self._finding(rules[match.rule], match)

    def _finding(self, rule: Rule, match: Match) -> Finding:
        view = match.view
        if view is not None:
            path, (first, last) = view.path, view.artifact_lines(match.start, match.end)
            origin, artifact = view.chain, view.artifact
            executable = artifact.executable or view.language in CODE
            evidence = match.evidence or view.text[match.start : match.end]
        else:
            path, origin, evidence = match.path, (), match.evidence
            first = last = 1 if path in self._texts else 0  # a link, say, has no lines
            known = self.artifacts.get(path)
            executable = known is not None and known.executable
        confidence, severity, reasons, told = self._weight(rule, match)
        least = self._least.get(rule.id, Severity.LOW)
        chosen = max(self._severity.get(rule.id, severity), least)
        if chosen is not severity:
            reasons = (*reasons, "your settings set its severity")
        trace = self._traces.of(match, words=rule.evidence_kind is EvidenceKind.WORDS)
        trace += tuple(f"found={by_itself(*self._made[number], self._spaced)}" for number in match.found)
        finding = Finding(
            rule=rule.id,
            title=rule.title,
            category=rule.category,
            kind=EvidenceKind.WORDS if told else rule.evidence_kind,
            severity=chosen,
            confidence=confidence,
            message=_cut(match.message or rule.title, WORDS),
            evidence=_cut(evidence, EVIDENCE),
            location=Location(path=path, start_line=first, end_line=last, origin=origin),
            executable=executable,
            fingerprint="",  # given at the end, when all that shows the match is known
            adjustments=reasons,
            author=Author.USER_RULE if rule.custom else Author.RULE,
        )
        self._made.append((finding, Basis(evidence, trace)))
        return finding

    def _weight(self, rule: Rule, match: Match) -> tuple[int, Severity, tuple[str, ...], bool]:
        """Confidence and severity after the adjusters, which only ever lower them, every reason why, and whether a text only
        tells of it."""
        told = False
        confidence = rule.confidence if match.confidence is None else match.confidence
        severity = rule.severity if match.severity is None else match.severity
        reasons = list(match.adjustments)
        for adjuster in self._adjusters:
            adjusted = adjuster.adjust(rule, match, confidence)
            if adjusted is not None:
                confidence = min(confidence, adjusted.confidence)
                severity = severity if adjusted.severity is None else min(severity, adjusted.severity)
                reasons.append(adjusted.reason)
                told = told or adjusted.told
        return confidence, severity, tuple(reasons), told


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _bounded(findings: Sequence[Finding]) -> list[Finding]:
    """At most ``PER_RULE`` of one rule and artifact: first sightings before repeats, strong before weak."""
    if len(findings) <= PER_RULE:
        return list(findings)
    crowd = Counter((f.rule, f.location.path) for f in findings)
    if all(count <= PER_RULE for count in crowd.values()):
        return list(findings)
    groups: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.rule, finding.location.path), []).append(finding)
    kept: list[Finding] = []
    for group in groups.values():
        kept += group if len(group) <= PER_RULE else _strongest(group)
    return kept


def _strongest(group: Sequence[Finding]) -> list[Finding]:
    repeats: Counter[str] = Counter()
    ranked: list[tuple[int, int, int, int, Finding]] = []
    strong_first = sorted(group, key=lambda f: (-f.severity, -f.confidence, not f.executable))
    for place, finding in enumerate(strong_first):
        ranked.append((repeats[finding.fingerprint], -finding.severity, -finding.confidence, place, finding))
        repeats[finding.fingerprint] += 1
    ranked.sort(key=lambda row: row[:4])
    best = sorted((row[4] for row in ranked[:PER_RULE]), key=_order)
    best[-1] = best[-1]._replace(message=f"{best[-1].message} (and {len(group) - PER_RULE} more)")
    return best


def _order(f: Finding) -> tuple[Location, str, str, str, int]:
    return (f.location, f.rule, f.fingerprint, f.message, -f.confidence)

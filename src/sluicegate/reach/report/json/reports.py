"""Reports as JSON, and back. The shape is in ``model``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

import msgspec

from sluicegate.reach.report.escape import json_safe, scalar
from sluicegate.reach.report.formats import Options
from sluicegate.reach.report.json import model as m
from sluicegate.reach.report.json import panel as panel
from sluicegate.reach.report.words.advice import advice
from sluicegate.reach.report.words.notes import ending
from sluicegate.reach.report.words.places import root_name, source_name
from sluicegate.reach.report.words.remedies import remedy
from sluicegate.reach.report.words.wording import version
from sluicegate.vet.inspect.rule import Capability, Rule
from sluicegate.vet.report import Compared, Comparison, FileSummary, Report, SkillReport
from sluicegate.vet.verdict.types import (
    AcceptedGap,
    Arithmetic,
    Band,
    Decision,
    Finding,
    Gap,
    Location,
    Severity,
    StaleEntry,
    Suppressed,
    Verdict,
)

if TYPE_CHECKING:
    from sluicegate.vet.intake.installed.machine import Looked


def render(report: Report, options: Options) -> str:
    """The report as indented JSON, every invisible or controlling character written as ``\\uXXXX``."""
    document = msgspec.json.encode(to_model(report, absolute=options.absolute))
    return json_safe(msgspec.json.format(document, indent=2).decode()) + "\n"


def encode(report: Report) -> bytes:
    """The bytes that ``render`` gives."""
    return render(report, Options()).encode()


def decode(document: bytes | str) -> Report:
    """The report that ``document`` holds. Raises ``msgspec.DecodeError`` when it holds none."""
    model = msgspec.json.decode(document, type=m.Report)
    return Report(
        source=model.source,
        skills=tuple(_skill_from(s) for s in model.skills),
        rules=tuple(_rule_from(r) for r in model.rules),
        disabled=model.disabled,
        limits=model.limits,
        unassigned=model.unassigned,
        notes=model.notes,
        comparison=None if model.comparison is None else _comparison_from(model.comparison, model.skills),
        looked=tuple(_looked_from(place) for place in model.looked),
    )


def to_model(report: Report, *, absolute: bool = False) -> m.Report:
    """The report in the shape of version 1."""
    verdicts = [s.verdict for s in report.skills]
    decisions = [v.decision for v in verdicts]
    return m.Report(
        version="1",
        tool=m.Tool(name="sluicegate", version=version()),
        source=scalar(source_name(report, absolute=absolute)),
        decision=_decision(report.decision),
        summary=m.Summary(
            skills=len(verdicts),
            safe=decisions.count(Decision.SAFE),
            caution=decisions.count(Decision.CAUTION),
            do_not_install=decisions.count(Decision.DO_NOT_INSTALL),
            findings=sum(len(v.findings) for v in verdicts),
            listed=sum(len(v.listed) for v in verdicts),
            suppressed=sum(len(v.suppressed) for v in verdicts),
            gaps=sum(len(v.gaps) for v in verdicts),
        ),
        skills=tuple(_skill(s, root_name(report, s, absolute=absolute)) for s in report.skills),
        rules=tuple(_rule(r) for r in sorted(report.rules, key=lambda r: r.id)),
        disabled=tuple(sorted(_all(report.disabled))),
        limits=_all(report.limits),
        unassigned=report.unassigned,
        notes=_all(report.notes),
        comparison=None if report.comparison is None else _comparison(report, report.comparison),
        looked=tuple(_looked(place) for place in report.looked),
    )


def _looked(place: Looked) -> m.LookedAt:
    return m.LookedAt(
        agents=place.agents,
        level=place.level.value,
        holds=place.holds.value,
        path=scalar(place.path),
        state=place.state.value,
        units=place.units,
        linked=place.linked,
    )


def _looked_from(place: m.LookedAt) -> Looked:
    from sluicegate.known.agents import Holds, Level
    from sluicegate.vet.intake.installed.machine import Looked, PlaceState

    return Looked(
        agents=place.agents,
        level=Level(place.level),
        holds=Holds(place.holds),
        path=place.path,
        state=PlaceState(place.state),
        units=place.units,
        linked=place.linked,
    )


def _comparison(report: Report, comparison: Comparison) -> m.Comparison:
    return m.Comparison(
        against=scalar(comparison.against),
        decision=_decision(comparison.decision),
        skills=tuple(
            m.Compared(
                root=scalar(skill.root),
                decision=_decision(one.decision),
                new=_all(f.fingerprint for f in one.new),
                unchanged=_all(f.fingerprint for f in one.unchanged),
                gone=tuple(map(_finding, one.gone)),
                new_gaps=tuple(map(_gap, one.new_gaps)),
                unchanged_gaps=tuple(map(_gap, one.unchanged_gaps)),
                gone_gaps=tuple(map(_gap, one.gone_gaps)),
            )
            for skill, one in zip(report.skills, comparison.skills, strict=True)
        ),
        absent=_all(comparison.absent),
    )


def _comparison_from(model: m.Comparison, skills: Sequence[m.Skill]) -> Comparison:
    compared = []
    for one, skill in zip(model.skills, skills, strict=True):
        found = [_finding_from(f) for f in (*skill.findings, *skill.listed)]
        compared.append(
            Compared(
                decision=Decision[one.decision],
                new=tuple(f for f in found if f.fingerprint in one.new),
                unchanged=tuple(f for f in found if f.fingerprint in one.unchanged),
                gone=tuple(map(_finding_from, one.gone)),
                new_gaps=tuple(map(_gap_from, one.new_gaps)),
                unchanged_gaps=tuple(map(_gap_from, one.unchanged_gaps)),
                gone_gaps=tuple(map(_gap_from, one.gone_gaps)),
            )
        )
    return Comparison(against=model.against, skills=tuple(compared), absent=model.absent)


def _all(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(scalar(text) for text in texts)


def _decision(decision: Decision) -> m.DecisionWord:
    return cast("m.DecisionWord", decision.name)


def _level(level: Severity | Band) -> m.LevelWord:
    return cast("m.LevelWord", level.name)


def _skill(skill: SkillReport, root: str) -> m.Skill:
    verdict = skill.verdict
    return m.Skill(
        name=scalar(skill.name),
        root=scalar(root),
        declared=scalar(skill.declared),
        digest=skill.digest,
        description=scalar(skill.description),
        decision=_decision(verdict.decision),
        computed=_decision(verdict.computed),
        score=verdict.score,
        band=_level(verdict.band),
        arithmetic=m.Arithmetic(**verdict.arithmetic._asdict()),
        reasons=_all(verdict.reasons),
        findings=tuple(_finding(f) for f in verdict.findings),
        listed=tuple(_finding(f) for f in verdict.listed),
        suppressed=tuple(
            m.Suppressed(
                finding=_finding(s.finding),
                reason=scalar(s.reason),
                owner=scalar(s.owner),
                expires=scalar(s.expires),
                globs=None if s.globs is None else (scalar(s.globs[0]), scalar(s.globs[1])),
            )
            for s in verdict.suppressed
        ),
        stale=tuple(
            m.Stale(rule=scalar(s.rule), path=scalar(s.path), why=scalar(s.why)) for s in verdict.stale
        ),
        gaps=tuple(_gap(gap) for gap in sorted(verdict.gaps)),
        accepted_gaps=tuple(
            m.AcceptedGap(
                gap=_gap(a.gap), reason=scalar(a.reason), owner=scalar(a.owner), expires=scalar(a.expires)
            )
            for a in verdict.accepted_gaps
        ),
        ending=tuple(
            m.Ending(
                about=scalar(e.about),
                path=scalar(e.path),
                owner=scalar(e.owner),
                last_day=scalar(e.last_day),
                days=e.days,
            )
            for e in ending(verdict)
        ),
        docket=verdict.docket,
        today=verdict.today,
        rulings=panel.rulings(verdict.rulings),
        review=None if verdict.review is None else panel.review(verdict.review, _finding),
        certificate=_certificate(skill),
        capabilities=tuple(
            m.Capability(name=scalar(c.name), path=scalar(c.path), line=c.line)
            for c in sorted(skill.capabilities)
        ),
        files=tuple(
            m.File(path=scalar(f.path), kind=f.kind, size=f.size, sha256=f.sha256, executable=f.executable)
            for f in sorted(skill.files, key=lambda f: f.path)
        ),
        views=skill.views,
    )


def _certificate(skill: SkillReport) -> str:
    """The certificate of one skill, byte for byte; empty when it would be too long."""
    from sluicegate.reach.certificates import certificate_of
    from sluicegate.vet.verdict.certificate import CertificateError

    try:
        return certificate_of((skill,)).decode("ascii")
    except CertificateError:
        return ""


def _gap(gap: Gap) -> m.Gap:
    return m.Gap(
        path=scalar(gap.path),
        reason=gap.reason,
        detail=scalar(gap.detail),
        fingerprint=scalar(gap.fingerprint),
        remedy=remedy(gap),
    )


def _gap_from(model: m.Gap) -> Gap:
    return Gap(path=model.path, reason=model.reason, detail=model.detail, fingerprint=model.fingerprint)


def _finding(finding: Finding) -> m.Finding:
    return m.Finding(
        rule=scalar(finding.rule),
        title=scalar(finding.title),
        category=finding.category,
        kind=finding.kind,
        severity=_level(finding.severity),
        confidence=finding.confidence,
        message=scalar(finding.message),
        evidence=scalar(finding.evidence),
        location=_place(finding.location),
        also=tuple(_place(also) for also in finding.also),
        adjustments=_all(finding.adjustments),
        executable=finding.executable,
        author=finding.author,
        fingerprint=scalar(finding.fingerprint),
    )


def _place(location: Location) -> m.Place:
    return m.Place(
        path=scalar(location.path),
        start_line=max(0, location.start_line),
        end_line=max(0, location.end_line),
        origin=_all(location.origin),
    )


def _rule(rule: Rule) -> m.Rule:
    return m.Rule(
        id=scalar(rule.id),
        title=scalar(rule.title),
        category=rule.category,
        severity=_level(rule.severity),
        confidence=rule.confidence,
        kind=rule.kind,
        evidence=rule.evidence_kind,
        why=scalar(rule.why),
        fix=scalar(rule.fix),
        advice=scalar(advice(rule, rule.severity, Decision.DO_NOT_INSTALL).do),
        references=_all(rule.references),
        languages=_all(rule.languages),
        custom=rule.custom,
    )


def _skill_from(model: m.Skill) -> SkillReport:
    return SkillReport(
        name=model.name,
        root=model.root,
        digest=model.digest,
        description=model.description,
        verdict=Verdict(
            decision=Decision[model.decision],
            computed=Decision[model.computed],
            score=model.score,
            band=Band[model.band],
            arithmetic=Arithmetic(
                acts=model.arithmetic.acts,
                everything=model.arithmetic.everything,
                corroborated=model.arithmetic.corroborated,
                deeds=model.arithmetic.deeds,
                for_a_person=model.arithmetic.for_a_person,
            ),
            reasons=model.reasons,
            findings=tuple(_finding_from(f) for f in model.findings),
            listed=tuple(_finding_from(f) for f in model.listed),
            suppressed=tuple(
                Suppressed(
                    finding=_finding_from(s.finding),
                    reason=s.reason,
                    owner=s.owner,
                    expires=s.expires,
                    globs=s.globs,
                )
                for s in model.suppressed
            ),
            stale=tuple(StaleEntry(rule=s.rule, path=s.path, why=s.why) for s in model.stale),
            gaps=tuple(map(_gap_from, model.gaps)),
            accepted_gaps=tuple(
                AcceptedGap(gap=_gap_from(a.gap), reason=a.reason, owner=a.owner, expires=a.expires)
                for a in model.accepted_gaps
            ),
            docket=model.docket,
            today=model.today,
            rulings=panel.rulings_from(model.rulings),
            review=None if model.review is None else panel.review_from(model.review, _finding_from),
        ),
        files=tuple(
            FileSummary(path=f.path, kind=f.kind, size=f.size, sha256=f.sha256, executable=f.executable)
            for f in model.files
        ),
        capabilities=tuple(Capability(name=c.name, path=c.path, line=c.line) for c in model.capabilities),
        views=model.views,
        declared=model.declared,
    )


def _finding_from(model: m.Finding) -> Finding:
    return Finding(
        rule=model.rule,
        title=model.title,
        category=model.category,
        kind=model.kind,
        severity=Severity[model.severity],
        confidence=model.confidence,
        message=model.message,
        evidence=model.evidence,
        location=_location_from(model.location),
        executable=model.executable,
        fingerprint=model.fingerprint,
        also=tuple(_location_from(also) for also in model.also),
        adjustments=model.adjustments,
        author=model.author,
    )


def _location_from(place: m.Place) -> Location:
    return Location(
        path=place.path, start_line=place.start_line, end_line=place.end_line, origin=place.origin
    )


def _rule_from(model: m.Rule) -> Rule:
    rule = Rule(
        id=model.id,
        title=model.title,
        category=model.category,
        severity=Severity[model.severity],
        confidence=model.confidence,
        kind=model.kind,
        why=model.why,
        fix=model.fix,
        references=model.references,
        languages=model.languages,
        custom=model.custom,
    )
    return rule if rule.evidence_kind is model.evidence else rule._replace(stated=model.evidence)

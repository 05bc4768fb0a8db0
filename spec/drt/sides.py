"""The two sides of a differential test: the same case through production and through the reference model.

Each side gives plain data in one form, so that a comparison is ``==``.
"""

from __future__ import annotations

import json
from datetime import date
from typing import Any, NamedTuple

from drt.cases import Case, Plain
from model import envelope as model_envelope
from model import verdict as model
from sluicegate.vet.verdict.consensus import Family, Panel, ReviewError, Role, Seat
from sluicegate.vet.verdict.decision import judge, judge_reviewed
from sluicegate.vet.verdict.envelope import Package, Reply, Review, review
from sluicegate.vet.verdict.replies import Part
from sluicegate.vet.verdict.ruling import Ruling, Rulings
from sluicegate.vet.verdict.suppression import Baseline, BaselineEntry, ExactEntry, GapEntry, GlobEntry
from sluicegate.vet.verdict.types import (
    Author,
    Category,
    EvidenceKind,
    Finding,
    Gap,
    GapReason,
    Location,
    Severity,
    Verdict,
)

EXCEPTIONS: dict[str, BaseException] = {
    "RuntimeError": RuntimeError("provider down"),
    "TimeoutError": TimeoutError(),
    "UnicodeDecodeError": UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"),
    "KeyError": KeyError("overall"),
    "MemoryError": MemoryError(),
    "RecursionError": RecursionError(),
    "ValueError": ValueError("no such model"),
    "NotImplementedError": NotImplementedError(),
    "ReviewError": ReviewError("from a reply"),
}
BUNDLE = "b" * 64
"""The digest of the bundle of every case."""
_CATEGORIES = {category.value: category for category in Category}
_KINDS = {kind.value: kind for kind in EvidenceKind}
_AUTHORS = {author.value: author for author in Author}
_SEVERITIES = tuple(Severity)


class Run(NamedTuple):
    """What production makes of a case: without reviewers, the review, with it, and with the rulings of persons."""

    alone: Verdict
    reviewed: Review
    after: Verdict
    ruled: Verdict


def body_of(body: Plain) -> bytes | BaseException:
    """What came back: the bytes of a reply, or an exception."""
    if "raise" in body:
        return EXCEPTIONS[body["raise"]]
    text = body["text"] if "text" in body else json.dumps(body["json"])
    return text.encode("utf-8", "surrogatepass")


def finding(row: list[Plain], number: int = 0) -> Finding:
    """A production finding; its place and words say which of the case it is."""
    rule, category, kind, path, mark, severity, confidence, executable, *rest = row
    origin, author = rest or ([], "rule")
    return Finding(
        rule=rule,
        title=rule,
        category=_CATEGORIES[category],
        kind=_KINDS[kind],
        severity=_SEVERITIES[severity],
        confidence=confidence,
        message=f"message {number}",
        evidence=f"evidence {number}",
        location=Location(path=path, start_line=1 + number, end_line=1 + number, origin=tuple(origin)),
        executable=executable,
        fingerprint=mark,
        also=tuple(Location(path=path, start_line=900 + n, end_line=900 + n) for n in range(number % 4 % 3)),
        adjustments=("weighed", "twice")[: number % 5 % 3],
        author=_AUTHORS[author],
    )


def baseline(case: Case) -> Baseline:
    """What a case accepts; the reason names the entry."""
    entries: list[BaselineEntry] = []
    for number, (rule, path, mark, last) in enumerate(case.entries):
        day = None if last is None else date.fromordinal(last)
        reason = f"entry {number}"
        if mark is None and day is not None:
            entries.append(GlobEntry(rule=rule, path=path, reason=reason, owner="o", expires=day))
        else:
            entries.append(
                ExactEntry(rule=rule, path=path, fingerprint=mark, reason=reason, owner="o", expires=day)
            )
    for number, (why, path, mark, last) in enumerate(case.gap_entries):
        reason, day = f"gap {number}", date.fromordinal(last)
        entry = GapEntry(
            gap=GapReason(why), path=path, fingerprint=mark, reason=reason, owner="o", expires=day
        )
        entries.append(entry)
    return Baseline(entries=tuple(entries))


def findings_of(case: Case) -> list[Finding]:
    """The findings of a case, numbered."""
    return [finding(row, number) for number, row in enumerate(case.findings)]


def gaps_of(case: Case) -> list[Gap]:
    """The gaps of a case."""
    return [
        Gap(path=path, reason=GapReason(why), detail="".join(detail), fingerprint=mark)
        for why, path, mark, *detail in case.gaps
    ]


def panel_of(case: Case) -> Panel:
    """The panel of a case."""
    seats = [
        Seat(reviewer=f"r{n}", family=Family(family), role=Role(role))
        for n, (family, role) in enumerate(case.seats)
    ]
    return Panel(seats=tuple(seats))


def review_of(case: Case) -> Review:
    """The review of a case."""
    packages = [Package(role=Role(role), about=tuple(about)) for role, about in case.packages]
    replies = [Reply(seat=s, package=p, attempt=a, body=body_of(body)) for s, p, a, body in case.replies]
    parts = {path: Part(executable=executable, lines=9) for path, executable in case.parts}
    return review(findings_of(case), packages, replies, panel=panel_of(case), parts=parts)


def rulings_of(case: Case, docket: str) -> Rulings:
    """The rulings of a case, about this docket or another, these bytes or others."""
    given = [
        Ruling(
            docket=docket if about else "d" * 64,
            person=person,
            approves=approves,
            overrides=overrides,
            reason=reason,
            expires=None if last is None else date.fromordinal(last),
            bundle=BUNDLE if content else "c" * 64,
        )
        for about, person, approves, overrides, last, reason, content in case.rulings
    ]
    return Rulings(given=tuple(given), needed=case.needed, may_override=case.may_override)


def run_production(case: Case) -> Run:
    """The verdicts and the review, as production gives them."""
    accepted, today, gaps = baseline(case), date.fromordinal(case.today), gaps_of(case)
    alone = judge(findings_of(case), gaps, baseline=accepted, today=today, bundle=BUNDLE)
    reviewed = review_of(case)
    after = judge_reviewed(reviewed, gaps, baseline=accepted, today=today, bundle=BUNDLE)
    rulings = rulings_of(case, after.docket)
    ruled = judge_reviewed(reviewed, gaps, baseline=accepted, today=today, rulings=rulings, bundle=BUNDLE)
    return Run(alone=alone, reviewed=reviewed, after=after, ruled=ruled)


def production(case: Case, run: Run | None = None) -> Plain:
    """What production makes of a case; ``run`` if it ran already."""
    run = run or run_production(case)
    return {
        "alone": _verdict(run.alone),
        "kept": [[*_row(r.finding)] for r in run.reviewed.findings],
        "added": [[*_row(f)] for f in run.reviewed.added],
        "votes": [int(ballot.vote) for ballot in run.reviewed.ballots],
        "injection": bool(run.reviewed.injections),
        "complete": run.reviewed.complete,
        "panel": int(run.reviewed.decision),
        "after": _verdict(run.after),
        "ruled": [int(run.ruled.decision), len(run.ruled.rulings.given), int(run.ruled.computed)],
    }


def _row(f: Finding) -> tuple[Any, ...]:
    return (
        f.rule,
        f.category.value,
        f.kind.value,
        f.location.path,
        f.fingerprint,
        int(f.severity),
        f.confidence,
        f.executable,
    )


def _verdict(v: Verdict) -> Plain:
    return {
        "decision": int(v.decision),
        "score": v.score,
        "band": int(v.band),
        "counted": sorted(_row(f) for f in v.findings),
        "listed": sorted(_row(f) for f in v.listed),
        "accepted": sorted((*_row(s.finding), s.reason) for s in v.suppressed),
        "gaps": sorted(map(_of_gap, v.gaps)),
        "accepted gaps": sorted((*_of_gap(a.gap), a.reason) for a in v.accepted_gaps),
        "stale": sorted((s.rule, s.path, s.why) for s in v.stale),
    }


def _of_gap(gap: Gap) -> tuple[str, str, str, str]:
    return (gap.reason.value, gap.path, gap.fingerprint, gap.detail)


def modelled(case: Case) -> Plain:
    """What the reference model makes of a case."""
    entries: list[Any] = [model.Entry._make((*e, f"entry {number}")) for number, e in enumerate(case.entries)]
    entries += [model.GapEntry._make((*e, f"gap {number}")) for number, e in enumerate(case.gap_entries)]
    findings = [model.Finding(*row[:8]) for row in case.findings]
    gaps = [model.Gap(*row) for row in case.gaps]
    replies = [
        (s, p, a, body if isinstance(body := body_of(given), bytes) else None)
        for s, p, a, given in case.replies
    ]
    parts = dict(map(tuple, case.parts))
    seats = [(family, role) for family, role in case.seats]
    reviewed = model_envelope.review(findings, case.packages, replies, seats, parts)
    kept, added, votes, injection, complete, panel = reviewed
    after = model_envelope.judge_reviewed(reviewed, gaps, entries, case.today)
    rulings = [model.Ruling(*row) for row in case.rulings]
    decision, held = model.rule(after[0], rulings, case.today, case.needed, case.may_override)
    return {
        "alone": _modelled_verdict(model.judge(findings, gaps, entries, case.today)),
        "kept": [[*f] for f in kept],
        "added": [[*f] for f in added],
        "votes": votes,
        "injection": injection,
        "complete": complete,
        "panel": panel,
        "after": _modelled_verdict(after),
        "ruled": [decision, held, after[0]],
    }


def _modelled_verdict(v: tuple[Any, ...]) -> Plain:
    decision, score, counted, listed, accepted, opened, accepted_gaps, stale = v
    return {
        "decision": decision,
        "score": score,
        "band": model.band(score),
        "counted": sorted(tuple(f) for f in counted),
        "listed": sorted(tuple(f) for f in listed),
        "accepted": sorted((*f, name) for f, name in accepted),
        "gaps": [tuple(gap) for gap in opened],
        "accepted gaps": sorted(accepted_gaps),
        "stale": sorted(stale),
    }

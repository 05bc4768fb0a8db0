"""The two sides of a differential test: the same case through production and through the reference model.

Each side gives plain data in one form, so that a comparison is ``==``.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from drt.cases import Case, Plain
from model import envelope as model_envelope
from model import verdict as model
from sluicegate.vet.verdict.consensus import Panel, Seat
from sluicegate.vet.verdict.decision import judge, judge_reviewed
from sluicegate.vet.verdict.envelope import Reply, Review, review
from sluicegate.vet.verdict.suppression import Baseline, BaselineEntry, ExactEntry, GlobEntry
from sluicegate.vet.verdict.types import Category, Finding, Gap, GapReason, Location, Severity, Verdict

EXCEPTIONS: dict[str, BaseException] = {
    "RuntimeError": RuntimeError("provider down"),
    "TimeoutError": TimeoutError(),
    "UnicodeDecodeError": UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"),
    "KeyError": KeyError("overall"),
    "MemoryError": MemoryError(),
    "RecursionError": RecursionError(),
    "ValueError": ValueError("no such model"),
    "NotImplementedError": NotImplementedError(),
    "KeyboardInterrupt": KeyboardInterrupt(),
}
_GAPS = tuple(Gap(path=f"part{n}", reason=GapReason.OPAQUE, detail="") for n in range(3))
_CATEGORIES = {category.value: category for category in Category}
_SEVERITIES = tuple(Severity)


def value_of(reply: Plain) -> object:
    """A reply's value; {"raise": NAME} is an exception."""
    if isinstance(reply, dict) and set(reply) == {"raise"} and reply["raise"] in EXCEPTIONS:
        return EXCEPTIONS[reply["raise"]]
    return reply


def finding(row: list[Plain], number: int = 0) -> Finding:
    """A production finding; its place and words say which of the case it is."""
    rule, category, path, mark, severity, confidence, executable = row
    return Finding(
        rule=rule,
        title=rule,
        category=_CATEGORIES[category],
        severity=_SEVERITIES[severity],
        confidence=confidence,
        message=f"message {number}",
        evidence=f"evidence {number}",
        location=Location(path=path, start_line=1 + number, end_line=1 + number),
        executable=executable,
        fingerprint=mark,
    )


def baseline(case: Case) -> Baseline:
    """The accepted findings of a case; the reason names the entry."""
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
    return Baseline(entries=tuple(entries))


def batches_of(case: Case) -> list[list[Finding]]:
    """The batches of a case, each finding numbered through the whole case."""
    number = 0
    batches = []
    for rows in case.batches:
        batch = []
        for row in rows:
            batch.append(finding(row, number))
            number += 1
        batches.append(batch)
    return batches


def panel_of(case: Case) -> Panel:
    """The panel of a case."""
    return Panel(seats=tuple(Seat(reviewer=f"r{n}", family=name) for n, name in enumerate(case.panel)))


def run_production(case: Case) -> tuple[Verdict, Review, Verdict]:
    """The verdict without reviewers, the review, and the verdict with it, as production gives them."""
    batches = batches_of(case)
    accepted, today, gaps = baseline(case), date.fromordinal(case.today), _GAPS[: case.gaps]
    alone = judge([f for batch in batches for f in batch], gaps, baseline=accepted, today=today)
    replies = [Reply(seat=seat, batch=number, value=value_of(value)) for seat, number, value in case.replies]
    reviewed = review(batches, replies, panel=panel_of(case), paths=frozenset(case.paths))
    return alone, reviewed, judge_reviewed(reviewed, gaps, baseline=accepted, today=today)


def production(case: Case) -> Plain:
    """What production makes of a case."""
    alone, reviewed, after = run_production(case)
    return {
        "alone": _verdict(alone),
        "kept": [[*_row(r.finding)] for r in reviewed.findings],
        "added": [[*_row(f)] for f in reviewed.added],
        "votes": [int(vote) for _, vote in reviewed.votes],
        "injection": reviewed.injection,
        "panel": int(reviewed.decision),
        "after": _verdict(after),
    }


def _row(f: Finding) -> tuple[Any, ...]:
    return (
        f.rule,
        f.category.value,
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
        "stale": sorted((s.rule, s.path, s.why) for s in v.stale),
    }


def modelled(case: Case) -> Plain:
    """What the reference model makes of a case."""
    entries = [model.Entry(*entry, f"entry {number}") for number, entry in enumerate(case.entries)]
    batches = [[model.Finding(*row) for row in rows] for rows in case.batches]
    everything = [f for batch in batches for f in batch]
    replies = [(seat, number, value_of(value)) for seat, number, value in case.replies]
    reviewed = model_envelope.review(batches, replies, case.panel, case.paths)
    kept, added, votes, injection, panel = reviewed
    return {
        "alone": _modelled_verdict(model.judge(everything, case.gaps, entries, case.today)),
        "kept": [[*f] for f in kept],
        "added": [[*f] for f in added],
        "votes": votes,
        "injection": injection,
        "panel": panel,
        "after": _modelled_verdict(model_envelope.judge_reviewed(reviewed, case.gaps, entries, case.today)),
    }


def _modelled_verdict(v: tuple[Any, ...]) -> Plain:
    decision, score, counted, listed, accepted, stale = v
    return {
        "decision": decision,
        "score": score,
        "band": model.band(score),
        "counted": sorted(tuple(f) for f in counted),
        "listed": sorted(tuple(f) for f in listed),
        "accepted": sorted((*f, name) for f, name in accepted),
        "stale": sorted(stale),
    }

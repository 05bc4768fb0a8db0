"""Verdicts with everything that a certificate can hold, drawn from a seed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import date, timedelta
from random import Random

from sluicegate.vet.verdict.certificate import certified, document, encode
from sluicegate.vet.verdict.consensus import Family, Panel, Role, Seat
from sluicegate.vet.verdict.decision import judge, judge_reviewed
from sluicegate.vet.verdict.envelope import Package, Reply, Review, review
from sluicegate.vet.verdict.replies import Part
from sluicegate.vet.verdict.ruling import Ruling, Rulings
from sluicegate.vet.verdict.suppression import Baseline, ExactEntry, GapEntry, GlobEntry
from sluicegate.vet.verdict.types import (
    Category,
    EvidenceKind,
    Finding,
    Gap,
    GapReason,
    Location,
    Severity,
    Verdict,
)

TODAY = date(2026, 6, 15)
BUNDLE = "b" * 64
PATHS = ("SKILL.md", "scripts/a.sh", "docs/deep/b.py", "caf\u00e9/\udce9.txt", 'we"ird\n')
PARTS = {path: Part(executable=path.endswith(".sh"), lines=9) for path in PATHS}
GLOBS = ("**", "*", "docs/**", "**/a.sh", "scripts/?.sh", "r-*", "r-1", "", "S*.md")


def findings(draw: Random) -> list[Finding]:
    return [
        Finding(
            rule=f"r-{draw.randrange(5)}",
            title="a title",
            category=draw.choice(list(Category)),
            kind=draw.choice(list(EvidenceKind)),
            severity=draw.choice(list(Severity)),
            confidence=draw.choice((0, 250, 399, 400, 499, 500, 640, 850, 1000)),
            message="",
            evidence="",
            location=Location(path=draw.choice(PATHS), start_line=1, end_line=2),
            executable=draw.random() < 0.3,
            fingerprint=f"f{draw.randrange(40)}",
        )
        for _ in range(draw.choice((0, 1, 3, 6, 12)))
    ]


def gaps(draw: Random) -> list[Gap]:
    return [
        Gap(
            path=draw.choice(PATHS),
            reason=draw.choice(list(GapReason)),
            detail="why",
            fingerprint=draw.choice(("", "g1", "g2")),
        )
        for _ in range(draw.choice((0, 0, 1, 4)))
    ]


def baseline(draw: Random, found: list[Finding], missed: list[Gap]) -> Baseline:
    def day() -> date:
        return TODAY + timedelta(days=draw.choice((-1, 0, 1, 300)))

    words = {"reason": "ours", "owner": "mira"}
    entries: list[ExactEntry | GlobEntry | GapEntry] = [
        ExactEntry(
            rule=f.rule,
            path=f.location.path,
            fingerprint=f.fingerprint,
            expires=draw.choice((None, day())),
            **words,
        )
        for f in found
        if draw.random() < 0.2
    ]
    for _ in range(draw.choice((0, 0, 1, 2))):
        rule, path = draw.choice(GLOBS), draw.choice(GLOBS)
        if not rule or not path or any(map(str.isalnum, rule + path)):
            entries.append(GlobEntry(rule=rule, path=path, expires=day(), **words))
    entries += [
        GapEntry(gap=g.reason, path=g.path, fingerprint=g.fingerprint, expires=day(), **words)
        for g in missed
        if g.fingerprint and draw.random() < 0.6
    ]
    return Baseline(entries=tuple(entries))


def panel_review(draw: Random, found: list[Finding]) -> Review:
    roles = [Role.FINDINGS, *(role for role in Role if draw.random() < 0.5)]
    seats = tuple(
        Seat(reviewer=f"m{at}", family=draw.choice((Family.CLAUDE, Family.GPT, Family.OTHER)), role=role)
        for at, role in enumerate(roles)
    )
    marks = sorted({f.fingerprint for f in found})
    cut = draw.randrange(len(marks) + 1)
    left = marks[cut:] if draw.random() < 0.8 else []
    packages = (
        Package(role=Role.FINDINGS, about=tuple(marks[:cut])),
        Package(role=Role.FINDINGS, about=tuple(left)),
        Package(role=Role.SKILL),
        Package(role=Role.DETECTOR),
    )
    kindly = draw.random() < 0.5
    replies = [
        Reply(seat=at, package=of, attempt=attempt, body=_body(draw, seat.role, package, kindly=kindly))
        for at, seat in enumerate(seats)
        for of, package in enumerate(packages)
        if package.role is seat.role
        for attempt in range(draw.choice((0, 1, 1, 2, 3)) if not kindly else draw.choice((1, 2)))
    ]
    return review(found, packages, replies, panel=Panel(seats=seats), parts=PARTS)


def _body(draw: Random, role: Role, package: Package, *, kindly: bool) -> bytes | Exception:
    if not kindly and draw.random() < 0.2:
        return draw.choice((b"no json", TimeoutError("late")))
    if role is Role.DETECTOR:
        return json.dumps({"injection": not kindly and draw.random() < 0.2}).encode()

    def word() -> str:
        return "SAFE" if kindly else draw.choice(("SAFE", "SAFE", "SUSPICIOUS", "MALICIOUS"))

    said = {
        "overall": word(),
        "injection": False,
        "findings": [
            {"id": mark, "verdict": word(), "confidence": 0.7, "note": "\x1b[2J\u202e \ud800 odd"}
            for mark in package.about
        ],
    }
    if draw.random() < 0.3 and not kindly:
        said["added"] = [{"severity": "HIGH", "confidence": 0.8, "path": PATHS[0], "note": "look"}]
    return json.dumps(said).encode()


def rulings(draw: Random, docket: str) -> Rulings:
    given = tuple(
        Ruling(
            docket=docket if draw.random() < 0.8 else "0" * 64,
            person=draw.choice(("mira", "omar", "lena", " Mira", "o\u200bmar", "")),
            approves=draw.random() < 0.85,
            reason=draw.choice(("looked", "looked", "looked", " ")),
            overrides=draw.random() < 0.5,
            expires=draw.choice((None, TODAY - timedelta(days=1), TODAY, TODAY + timedelta(days=9))),
            bundle=draw.choice((BUNDLE, BUNDLE, "f" * 64, "")),
        )
        for _ in range(draw.choice((0, 1, 2, 3)))
    )
    return Rulings(given=given, needed=draw.choice((0, 1, 2)), may_override=draw.random() < 0.5)


def verdict(seed: int) -> Verdict:
    draw = Random(seed)
    found, missed = findings(draw), gaps(draw)
    accepted = baseline(draw, found, missed)
    said = panel_review(draw, found) if draw.random() < 0.5 else None

    def decided(ruled: Rulings) -> Verdict:
        given = {"baseline": accepted, "today": TODAY, "rulings": ruled, "bundle": BUNDLE}
        if said is not None:
            return judge_reviewed(said, missed, **given)
        return judge(found, missed, **given)

    return decided(rulings(draw, decided(Rulings()).docket))


def approved(names: Iterable[str], *, needed: int) -> Verdict:
    """CAUTION for a HIGH finding, which persons of these names approve."""
    found = [f for seed in range(20) for f in findings(Random(seed)) if f.severity is Severity.HIGH][:1]
    given = {"baseline": Baseline(), "today": TODAY, "bundle": BUNDLE}
    found = [found[0]._replace(confidence=900, kind=EvidenceKind.COMMAND, category=Category.CUSTOM)]
    docket = judge(found, [], **given).docket
    rulings = tuple(Ruling(docket=docket, person=name, approves=True, reason="looked") for name in names)
    return judge(found, [], **given, rulings=Rulings(given=rulings, needed=needed))


def certificate(*seeds: int) -> bytes:
    skills = [certified(verdict(seed), name=f"skill {seed}", bundle=BUNDLE) for seed in seeds]
    return encode(document(skills, tool="1.0"))

"""The reference model of a verdict: what production must do, said as plainly as it can be.

Imports nothing of ours.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

LOW, MEDIUM, HIGH, CRITICAL = range(4)
SAFE, CAUTION, DO_NOT_INSTALL = range(3)
POINTS = {LOW: 5, MEDIUM: 10, HIGH: 25, CRITICAL: 50}
FLOOR = {LOW: 0, MEDIUM: 0, HIGH: 21, CRITICAL: 51}
DEEDS = {
    "theft": "exfiltration credential-access",
    "remote-code": "remote-code dangerous-code malware social-engineering supply-chain",
    "destruction": "destructive resource-abuse",
    "foothold": "agent-configuration memory-poisoning persistence self-modification",
    "privilege": "excessive-agency privilege-escalation",
    "manipulation": "anti-refusal hidden-instruction prompt-injection prompt-leak reviewer-manipulation tool-misuse",
    "concealment": "disguise obfuscation unicode-deception",
}
DEED = {category: deed for deed, categories in DEEDS.items() for category in categories.split()}
SEEN_BY_A_PERSON = (
    "agent-configuration credential-access destructive exfiltration malware self-modification".split()
)
SHOWS_NOTHING = {0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F}
SHOWS_NOTHING |= {*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)}  # variation selectors


class Finding(NamedTuple):
    """What of a finding decides. Confidence in thousandths."""

    rule: str
    category: str
    kind: str
    path: str
    fingerprint: str
    severity: int
    confidence: int
    executable: bool


class Entry(NamedTuple):
    """What a reviewer accepted.

    ``fingerprint`` is None for a glob; ``last`` is a day number, None for no last day.
    """

    rule: str
    path: str
    fingerprint: str | None
    last: int | None
    name: str


class Gap(NamedTuple):
    """What of a gap decides; without a fingerprint nobody can accept it."""

    reason: str
    path: str
    fingerprint: str
    detail: str = ""


class GapEntry(NamedTuple):
    """A gap that a reviewer accepted, through a last day."""

    reason: str
    path: str
    fingerprint: str
    last: int
    name: str


class Ruling(NamedTuple):
    """What a person decided; ``about`` is whether it names this docket, ``content`` whether it names these bytes."""

    about: bool
    person: str
    approves: bool
    overrides: bool
    last: int | None
    reason: str
    content: bool


def model_confidence(value):
    """What a model answered, in thousandths; None when it is not a number. Never divided by 100."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        return None
    return round(1000 * min(1, max(0, value)))


def points(f):
    """In ten-thousandths of a point."""
    return POINTS[f.severity] * min(1000, max(0, f.confidence)) * (13 if f.executable else 10)


def plain_score(findings):
    """0 to 100: each rule's three largest points at 1, 1/2 and 1/4; summed; cut; at least the floor."""
    by_rule = {}
    for f in findings:
        by_rule.setdefault(f.rule, []).append(points(f))
    total = sum(
        w * p
        for all_ in by_rule.values()
        for w, p in zip((4, 2, 1), sorted(all_, reverse=True), strict=False)
    )
    floor = max((FLOOR[f.severity] for f in findings if f.confidence >= 500), default=0)
    return min(100, max(floor, total // 40000))


def score(findings):
    """Acts in full, with words up to 50; words and act about one deed 51; two deeds or one for a person 21."""
    acts = [f for f in findings if f.kind != "words"]
    bad = [f for f in findings if f.severity >= HIGH and f.confidence >= 500 and f.category in DEED]
    said, done = [f for f in bad if f.kind == "words"], [f for f in bad if f.kind != "words"]
    both = any(DEED[f.category] == DEED[g.category] and f.rule != g.rule for f in said for g in done)
    sure = [f for f in findings if f.severity >= MEDIUM and f.confidence >= 500]
    deeds = {DEED[f.category] for f in sure if f.category in DEED}
    for_a_person = any(f.category in SEEN_BY_A_PERSON and f.kind != "words" for f in sure)
    floor = 51 if both else 21 if for_a_person or len(deeds) >= 2 else 0
    return max(plain_score(acts), min(50, plain_score(findings)), floor)


def band(score_):
    """LOW 0..20, MEDIUM 21..50, HIGH 51..80, CRITICAL 81..100."""
    return sum(score_ >= start for start in (21, 51, 81))


def key(f):
    """What makes two findings the same match."""
    return (f.rule, f.category, f.kind, f.path, f.fingerprint)


def dedup(findings):
    """One finding a match, as bad as the worst of its kind in each respect."""
    groups = {}
    for f in findings:
        groups.setdefault(key(f), []).append(f)
    return [
        Finding(*k, max(f.severity for f in g), max(f.confidence for f in g), any(f.executable for f in g))
        for k, g in groups.items()
    ]


def glob(pattern, text):
    """``?`` and ``*`` stay within a segment, ``**`` crosses, ``**/`` at the start of one may be nothing."""
    parts = re.findall(r"(?:(?<![^/])\*\*+/)|\*\*+|.", pattern, re.DOTALL)
    said = {"?": "[^/]", "*": "[^/]*"}
    body = "".join(
        said.get(p) or (r"(?:.*/)?" if p.endswith("*/") else ".*" if p[:2] == "**" else re.escape(p))
        for p in parts
    )
    return bool(pattern) and re.fullmatch(body, text, re.DOTALL) is not None


def speaks_of(entry, f):
    """Whether an entry matches a finding, whatever the day."""
    if entry.fingerprint is None:
        return glob(entry.rule, f.rule) and glob(entry.path, f.path)
    return (entry.rule, entry.path, entry.fingerprint) == (f.rule, f.path, f.fingerprint)


def accepts(entry, f, today):
    """Whether an entry accepts a finding today; a glob never accepts what is guarded."""
    guarded = f.category == "reviewer-manipulation" or (f.category == "intake" and f.severity == CRITICAL)
    expired = entry.last is not None and today > entry.last
    return speaks_of(entry, f) and not expired and not (guarded and entry.fingerprint is None)


def suppress(findings, entries, today):
    """Active findings, accepted ones each with the entry's name, and entries that no longer hold."""
    entries = sorted(entries, key=lambda e: e.fingerprint is None)
    active, accepted, stale = [], [], set()
    for f in findings:
        name = next((e.name for e in entries if accepts(e, f, today)), None)
        accepted.append((f, name)) if name else active.append(f)
    for e in entries:
        if e.last is not None and today > e.last and any(speaks_of(e, f) for f in findings):
            stale.add((e.rule, e.path, "expired"))
        fires = any((f.rule, f.path) == (e.rule, e.path) for f in findings)
        if e.fingerprint is not None and fires and not any(speaks_of(e, f) for f in findings):
            stale.add((e.rule, e.path, "drifted"))
    return active, accepted, stale


def accept_gaps(gaps, entries, today):
    """Open gaps, accepted ones each with the entry's name, and entries that no longer hold."""
    opened, accepted, stale = [], [], set()
    for gap in sorted(set(gaps)):
        of_it = [e for e in entries if (e.reason, e.path, e.fingerprint) == gap[:3]]
        name = next((e.name for e in of_it if today <= e.last), None)
        accepted.append((*gap, name)) if name else opened.append(gap)
        stale |= {(e.reason, e.path, "expired") for e in of_it if today > e.last}
    for e in entries:
        here = [g for g in gaps if (g.reason, g.path) == (e.reason, e.path)]
        if here and all(g.fingerprint != e.fingerprint for g in here):
            stale.add((e.reason, e.path, "drifted"))
    return opened, accepted, stale


def judge(findings, gaps, entries, today):
    """The verdict: decision, score, counted, listed, accepted, open and accepted gaps, and stale entries."""
    of_gaps = [e for e in entries if isinstance(e, GapEntry)]
    active, accepted, stale = suppress(
        dedup(findings), [e for e in entries if not isinstance(e, GapEntry)], today
    )
    opened, accepted_gaps, stale_gaps = accept_gaps(gaps, of_gaps, today)
    listed = [f for f in active if f.severity <= MEDIUM and f.confidence < 400]
    counted = [f for f in active if f not in listed]
    points_ = score(counted)
    aimed = any(f.category == "reviewer-manipulation" and f.confidence >= 500 for f in counted)
    blocked = band(points_) >= HIGH or aimed
    decision = DO_NOT_INSTALL if blocked else CAUTION if band(points_) == MEDIUM or opened else SAFE
    return decision, points_, counted, listed, accepted, opened, accepted_gaps, stale | stale_gaps


def visible(text):
    """The letters, marks and digits that can be seen, without case, in one form; nothing without a letter or a digit."""
    one_form = unicodedata.normalize("NFKD", text).casefold()
    seen = [(c, unicodedata.category(c)[0]) for c in one_form if ord(c) not in SHOWS_NOTHING]
    letters = "".join(c for c, kind in seen if kind in "LMN")
    return unicodedata.normalize("NFC", letters) if {kind for _, kind in seen} & {"L", "N"} else ""


def rule(decision, rulings, today, needed, may_override):
    """The decision after the rulings of persons, and how many of them held."""
    held = [r for r in rulings if r.about or (r.content and not r.approves)]
    held = [r for r in held if r.last is None or today <= r.last]
    held = [r for r in held if not r.approves or (visible(r.person) and visible(r.reason))]
    against = {visible(r.person) for r in held if not r.approves}
    approving = {visible(r.person) for r in held if r.approves} - against
    overriding = {visible(r.person) for r in held if r.approves and r.overrides} - against
    if against:
        return DO_NOT_INSTALL, len(held)
    wanted = max(1, needed)
    if decision == DO_NOT_INSTALL:
        return (SAFE if may_override and len(overriding) >= wanted else decision), len(held)
    return (SAFE if len(approving) >= wanted else decision), len(held)

"""What a decision rests on, as canonical bytes that ``spec/check.py`` checks without a line of this package.

A certificate holds every finding, gap, accepted entry, vote and ruling with the numbers that decide, and the arithmetic as
a witness. One content has one spelling: JSON in ASCII, keys sorted, no blanks, no fractions, lists in a stated order, one
line feed at the end. ``docs/certificate.md`` says what that proves and what it does not.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from sluicegate.vet.verdict import kernels
from sluicegate.vet.verdict.decision import is_condemning
from sluicegate.vet.verdict.dedup import key_of
from sluicegate.vet.verdict.deeds import DEED_OF, Deed
from sluicegate.vet.verdict.score import deeds, for_a_person, is_act, points_of
from sluicegate.vet.verdict.types import AcceptedGap, Decision, Finding, Gap, Suppressed, Verdict

if TYPE_CHECKING:
    from sluicegate.vet.verdict.envelope import Review
    from sluicegate.vet.verdict.ruling import Rulings

TYPE = "urn:sluicegate:certificate:1"
PAYLOAD_TYPE = "application/vnd.sluicegate.certificate+json"
"""The type of a certificate inside a signed envelope."""
MOST_BYTES = 32 * 1024 * 1024
"""A certificate is at most this many bytes; the checker reads no longer one."""

Json: TypeAlias = dict[str, object]
_Entry: TypeAlias = tuple[str, str, str, str, str, str, str]


class CertificateError(ValueError):
    """What cannot be certified: nothing at all, or more than a certificate can hold."""


def document(skills: Sequence[Json], *, tool: str) -> Json:
    """The certificate of one scan: its skills in order, the strictest decision, and a checksum of the rest.

    ``tool`` is the version that decided. A copy of a skill that was scanned, too, is stated once. The checksum tells
    damage; it is not a signature. Raises CertificateError, also when two of the same name and bytes were decided differently.
    """
    if not skills:
        raise CertificateError("a certificate is about one skill at least")
    stated: dict[tuple[object, object], Json] = {}
    for skill in skills:
        if stated.setdefault((skill["name"], skill["bundle"] or _spelled(skill)), skill) != skill:
            raise CertificateError(f"{skill['name']!r} was scanned twice, and decided in two ways")
    strictest = max(Decision[str(skill["decision"])] for skill in skills)
    whole: Json = {"decision": strictest.name, "skills": list(stated.values()), "tool": tool, "type": TYPE}
    return whole | {"checksum": hashlib.sha256(_spelled(whole)).hexdigest()}


def encode(certificate: Mapping[str, object]) -> bytes:
    """The bytes of a certificate. Raises CertificateError when there would be more than ``MOST_BYTES``."""
    data = _spelled(certificate)
    if len(data) > MOST_BYTES:
        raise CertificateError(f"a certificate has at most {MOST_BYTES} bytes, and this one has {len(data)}")
    return data


def certified(verdict: Verdict, *, name: str, bundle: str) -> Json:
    """One skill of a certificate. ``bundle`` is the digest that ``judge`` was given."""
    entries = sorted({*map(_entry, verdict.suppressed), *map(_gap_entry, verdict.accepted_gaps)})
    number = {entry: at for at, entry in enumerate(entries)}
    given = None if verdict.review is None else {key_of(r.finding) for r in verdict.review.findings}
    states: list[tuple[Finding, str, int | None]] = [
        *((finding, "counted", None) for finding in verdict.findings),
        *((finding, "listed", None) for finding in verdict.listed),
        *((accepted.finding, "accepted", number[_entry(accepted)]) for accepted in verdict.suppressed),
    ]
    states.sort(key=lambda state: key_of(state[0]))
    gaps: list[tuple[Gap, int | None]] = [
        *((gap, None) for gap in verdict.gaps),
        *((accepted.gap, number[_gap_entry(accepted)]) for accepted in verdict.accepted_gaps),
    ]
    return {
        "arithmetic": _arithmetic(verdict, [finding for finding, _, _ in states]),
        "bundle": bundle,
        "day": verdict.today.isoformat(),
        "decision": verdict.decision.name,
        "docket": verdict.docket,
        "entries": [dict(zip(_ENTRY, entry, strict=True)) for entry in entries],
        "findings": [
            _finding(finding, state, by, added=given is not None and key_of(finding) not in given)
            for finding, state, by in states
        ],
        "gaps": [_gap(gap, by) for gap, by in sorted(gaps, key=lambda pair: pair[0])],
        "name": name,
        "panel": None if verdict.review is None else _panel(verdict.review),
        "rulings": _rulings(verdict.rulings),
    }


_ENTRY = ("of", "rule", "path", "fingerprint", "last_day", "owner", "reason")
"""The fields of an accepted entry, in the order in which entries are sorted."""


def _entry(accepted: Suppressed) -> _Entry:
    found = accepted.finding
    if accepted.globs is None:
        about = ("exact", found.rule, found.location.path, found.fingerprint)
    else:
        about = ("glob", *accepted.globs, "")
    return (*about, accepted.expires, accepted.owner, _sha256(accepted.reason))


def _gap_entry(accepted: AcceptedGap) -> _Entry:
    gap = accepted.gap
    reason = _sha256(accepted.reason)
    return ("gap", gap.reason, gap.path, gap.fingerprint, accepted.expires, accepted.owner, reason)


def _finding(finding: Finding, state: str, by: int | None, *, added: bool) -> Json:
    return {
        "added": added,
        "by": by,
        "category": finding.category,
        "confidence": finding.confidence,
        "executable": finding.executable,
        "fingerprint": finding.fingerprint,
        "kind": finding.kind,
        "path": finding.location.path,
        "rule": finding.rule,
        "severity": int(finding.severity),
        "state": state,
    }


def _gap(gap: Gap, by: int | None) -> Json:
    return {
        "by": by,
        "detail": gap.detail,
        "fingerprint": gap.fingerprint,
        "path": gap.path,
        "reason": gap.reason,
        "state": "open" if by is None else "accepted",
    }


def _panel(review: Review) -> Json:
    return {
        "complete": review.complete,
        "decision": review.decision.name,
        "packages": [{"about": list(package.about), "role": package.role} for package in review.packages],
        "replies": [
            {
                "attempt": heard.attempt,
                "digest": heard.digest,
                "package": heard.package,
                "reviewer": heard.reviewer,
                "vote": heard.vote.name,
            }
            for heard in sorted(review.heard, key=lambda h: (h.reviewer, h.package, h.attempt))
        ],
        "said": _said(review),
        "seats": [
            {
                "family": ballot.seat.family,
                "reviewer": ballot.seat.reviewer,
                "role": ballot.seat.role,
                "vote": ballot.vote.name,
            }
            for ballot in sorted(review.ballots, key=lambda b: b.seat.reviewer)
        ],
    }


def _said(review: Review) -> list[Json]:
    """The opinions of reviewers, what they say of the whole, and what they quote as aimed at them (about nothing), each once.

    Decides nothing.
    """
    from sluicegate.vet.verdict.consensus import Vote  # no scan without reviewers needs it

    rows = {
        (said.reviewer, said.fingerprint, said.vote.name, said.note)
        for of in review.findings
        for said in of.opinions
    }
    rows |= {(heard.reviewer, "", heard.vote.name, heard.summary) for heard in review.heard if heard.summary}
    rows |= {(seen.reviewer, "", Vote.MALICIOUS.name, seen.evidence) for seen in review.injections}
    return [dict(zip(("reviewer", "about", "vote", "text"), row, strict=True)) for row in sorted(rows)]


def _rulings(rulings: Rulings) -> Json:
    """The rulings that held, each once, in the order of what they say."""
    rows = {
        (
            ruling.person,
            ruling.approves,
            ruling.overrides,
            "" if ruling.expires is None else ruling.expires.isoformat(),
            _sha256(ruling.reason),
            ruling.docket,
            ruling.bundle,
        )
        for ruling in rulings.given
    }
    names = ("person", "approves", "overrides", "last_day", "reason", "docket", "bundle")
    return {
        "given": [dict(zip(names, row, strict=True)) for row in sorted(rows)],
        "may_override": rulings.may_override,
        "needed": rulings.needed,
    }


def _arithmetic(verdict: Verdict, findings: Sequence[Finding]) -> Json:
    """The witness: how the score and the decision came about. Numbers of findings are places in the certificate."""
    counts = set(map(key_of, verdict.findings))
    counted = [(at, finding) for at, finding in enumerate(findings) if key_of(finding) in counts]
    made = verdict.arithmetic
    condemned_by = next((at for at, finding in counted if is_condemning(finding)), None)
    before_panel = kernels.decide(verdict.band, condemned_by is not None, bool(verdict.gaps))
    return {
        "acts": _sum([finding for _, finding in counted if is_act(finding)], made.acts),
        "band": verdict.band.name,
        "before_panel": Decision(before_panel).name,
        "before_rulings": verdict.computed.name,
        "condemned_by": condemned_by,
        "corroborated_by": _pair(counted) if made.corroborated else None,
        "deeds": sorted(deeds(finding for _, finding in counted)),
        "everything": _sum([finding for _, finding in counted], made.everything),
        "floor": kernels.floor_of_kinds(made.corroborated, made.deeds, made.for_a_person),
        "for_a_person": next((at for at, finding in counted if for_a_person(finding)), None),
        "score": verdict.score,
    }


def _sum(findings: Iterable[Finding], score: int) -> Json:
    """One score with the three largest points of each rule, and the floor."""
    largest: dict[str, tuple[int, int, int]] = {}
    floor = 0
    for finding in findings:
        before = largest.get(finding.rule, (0, 0, 0))
        largest[finding.rule] = kernels.place(points_of(finding), *before)
        floor = max(floor, kernels.floor_of(finding.severity, finding.confidence))
    rules = [{"points": list(points), "rule": rule} for rule, points in sorted(largest.items())]
    return {"floor": floor, "largest": rules, "score": score}


def _pair(counted: Sequence[tuple[int, Finding]]) -> list[int] | None:
    """The first two findings of which one is words and the other an act, by two rules, about one deed."""
    first: dict[tuple[Deed, bool, str], int] = {}
    for at, finding in counted:
        deed = DEED_OF[finding.category]
        if deed is not Deed.NONE and kernels.corroborates(finding.severity, finding.confidence):
            first.setdefault((deed, is_act(finding), finding.rule), at)
    for (one, at), (other, and_at) in combinations(first.items(), 2):
        if one[0] is other[0] and one[1] is not other[1] and one[2] != other[2]:
            return [at, and_at]
    return None


def _spelled(value: Mapping[str, object]) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n"


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

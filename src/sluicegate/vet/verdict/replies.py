"""What a reviewer's reply says, whatever the reply is.

A reply is read twice, by opposite rules. What condemns is read leniently: one well-placed word is enough.
What passes is read strictly: a reply counts as SAFE only when it is whole, speaks of every finding it was
asked about, and says SAFE everywhere. A reply, as decoded JSON (VERDICT: SAFE, SUSPICIOUS or MALICIOUS):

    {"overall": VERDICT,
     "injection": false,
     "findings": [{"id": FINGERPRINT, "verdict": VERDICT, "confidence": 0.9, "note": "..."}],
     "added": [{"severity": "HIGH", "confidence": 0.8, "path": "a.py", "line": 3, "note": "..."}]}

``confidence`` and ``note`` of a finding may be missing, and so may ``added``. Other keys say nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sluicegate.vet.verdict.confidence import from_model
from sluicegate.vet.verdict.consensus import Vote
from sluicegate.vet.verdict.kernels import vote_of
from sluicegate.vet.verdict.types import Author, Category, Finding, Location, Severity

MOST_ADDED = 20
MOST_TEXT = 400
RULE = "reviewer-finding"
_WORDS = {"SAFE": Vote.SAFE, "SUSPICIOUS": Vote.SUSPICIOUS, "MALICIOUS": Vote.MALICIOUS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What one reviewer says of one finding. ``note`` is untrusted text; ``confidence`` in thousandths."""

    reviewer: str
    fingerprint: str
    vote: Vote
    confidence: int | None
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One reply, read: the vote it comes to, its opinions, and the findings it adds."""

    vote: Vote
    injection: bool
    opinions: tuple[Opinion, ...]
    added: tuple[Finding, ...]


def read(reviewer: str, value: object, about: Collection[str], paths: Collection[str]) -> Reading:
    """What a reply says of the findings with the fingerprints ``about``. Never raises.

    1. Anything but an object says nothing at all.
    2. Records of findings: those that are well formed and speak of a finding that was asked about.
    3. Added findings: those that are well formed and name a path of the bundle, the first 20.
    4. The reply is whole when nothing in it was left out, nothing was said twice and nothing is missing.
    5. It condemns when it says MALICIOUS, of the whole or of a known finding, or that it saw an injection.
    """
    # 1
    if not isinstance(value, dict):
        return Reading(vote=Vote.ABSTAINED, injection=False, opinions=(), added=())
    overall = _word(value.get("overall"))
    # 2
    records = _items(value.get("findings"))
    opinions = tuple(
        opinion for record in records or () if (opinion := _opinion(reviewer, record, about)) is not None
    )
    # 3
    extras = _items(value.get("added", []))
    well_formed = [found for extra in extras or () if (found := _added(reviewer, extra, paths)) is not None]
    added = tuple(well_formed[:MOST_ADDED])
    # 4
    whole = (
        overall is not None
        and type(value.get("injection")) is bool
        and records is not None
        and extras is not None
        and len(opinions) == len(records)
        and len(added) == len(extras)
        and {opinion.fingerprint for opinion in opinions} == set(about)
        and len(opinions) == len(set(about))
    )
    # 5
    votes = [opinion.vote for opinion in opinions]
    malicious = overall is Vote.MALICIOUS or Vote.MALICIOUS in votes
    injection = value.get("injection") is True
    safe = overall is Vote.SAFE and all(vote is Vote.SAFE for vote in votes) and not added
    vote = Vote(vote_of(malicious, injection, whole, safe))
    return Reading(vote=vote, injection=injection, opinions=opinions, added=added)


def _opinion(reviewer: str, record: object, about: Collection[str]) -> Opinion | None:
    """One record of a finding; ``None`` when it is malformed or speaks of something else."""
    if not isinstance(record, dict):
        return None
    fingerprint, vote = record.get("id"), _word(record.get("verdict"))
    if not isinstance(fingerprint, str) or vote is None or fingerprint not in about:
        return None
    return Opinion(
        reviewer=reviewer,
        fingerprint=fingerprint,
        vote=vote,
        confidence=from_model(record.get("confidence")),
        note=_text(record.get("note")),
    )


def _added(reviewer: str, extra: object, paths: Collection[str]) -> Finding | None:
    """A finding that a reviewer adds; ``None`` when it is malformed or names no path of the bundle.

    All of them share one rule, so that three of them at most are scored.
    """
    if not isinstance(extra, dict):
        return None
    severity, path, note = extra.get("severity"), extra.get("path"), _text(extra.get("note"))
    confidence, line = from_model(extra.get("confidence")), extra.get("line")
    if not isinstance(severity, str) or severity not in Severity.__members__ or confidence is None:
        return None
    if not isinstance(path, str) or path not in paths or not note.strip():
        return None
    start = max(1, line) if type(line) is int else 1
    said = "\x1f".join((RULE, path, " ".join(note.split()).casefold())).encode("utf-8", "surrogatepass")
    return Finding(
        rule=RULE,
        title="A reviewing model saw this",
        category=Category.CUSTOM,
        severity=Severity[severity],
        confidence=confidence,
        message=note,
        evidence="",
        location=Location(path=path, start_line=start, end_line=start),
        executable=False,
        fingerprint=hashlib.sha256(said).hexdigest()[:32],
        adjustments=(f"said by reviewer {reviewer}",),
        author=Author.MODEL,
    )


def _word(value: object) -> Vote | None:
    return _WORDS.get(value) if isinstance(value, str) else None


def _items(value: object) -> Sequence[object] | None:
    return value if isinstance(value, list) else None


def _text(value: object) -> str:
    """Text of a reply, cut; what is not text is empty."""
    return value[:MOST_TEXT] if isinstance(value, str) else ""

"""What a reviewer's reply says, whatever bytes it is made of.

A reply is read twice, by opposite rules. What condemns is read leniently: MALICIOUS, or an injection seen, counts wherever
it is said, in whatever case, of whatever finding, in a reply however damaged. What passes is read strictly: a reply counts
as SAFE only when it is bare JSON of exactly the shape below, speaks of every finding that it was asked about, and says SAFE
everywhere. Between the two, a reply that is not whole and speaks of malice is not an abstention but a doubt, so that no later
reply makes up for it.

Of a reviewer of findings or of the whole skill (VERDICT: SAFE, SUSPICIOUS or MALICIOUS; ``injection_evidence``, which beside
``false`` is empty or a word of denial, ``summary``, ``added``, and ``confidence`` and ``note`` of a finding may be missing):

    {"overall": VERDICT, "injection": false, "injection_evidence": "...", "summary": "...",
     "findings": [{"id": FINGERPRINT, "verdict": VERDICT, "confidence": 0.9, "note": "..."}],
     "added": [{"severity": "HIGH", "confidence": 0.8, "path": "a.py", "line": 3, "note": "..."}]}

Of an injection detector (``injection_evidence`` may be missing):

    {"injection": false, "injection_evidence": "..."}
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from sluicegate.tuples import NamedTuple
from sluicegate.vet.verdict.confidence import from_model
from sluicegate.vet.verdict.consensus import Role, Vote
from sluicegate.vet.verdict.encoding import digest
from sluicegate.vet.verdict.kernels import vote_of
from sluicegate.vet.verdict.reply_json import Damaged, Record
from sluicegate.vet.verdict.reply_words import alarms, denies, saw_injection, says_malicious, shouts
from sluicegate.vet.verdict.types import Author, Category, EvidenceKind, Finding, Location, Severity

MOST_ADDED = 20
MOST_TEXT = 400
RULE = "reviewer-finding"
_NOTHING = object()
_WORDS = {"SAFE": Vote.SAFE, "SUSPICIOUS": Vote.SUSPICIOUS, "MALICIOUS": Vote.MALICIOUS}
_REVIEW = (
    frozenset({"overall", "injection", "findings"}),
    frozenset({"injection_evidence", "summary", "added"}),
)
_DETECTION = (frozenset({"injection"}), frozenset({"injection_evidence"}))
_OPINION = (frozenset({"id", "verdict"}), frozenset({"confidence", "note"}))
_ADDITION = (frozenset({"severity", "confidence", "path", "note"}), frozenset({"line"}))


class Opinion(NamedTuple):
    """What one reviewer says of one finding. ``note`` is untrusted text; ``confidence`` in thousandths."""

    reviewer: str
    fingerprint: str
    vote: Vote
    confidence: int | None
    note: str


class Reading(NamedTuple):
    """One reply, read: the vote it comes to, the injection it saw, its opinions, and the findings it adds."""

    vote: Vote
    injection: bool
    evidence: str
    opinions: tuple[Opinion, ...]
    added: tuple[Finding, ...]
    summary: str


SILENCE = Reading(vote=Vote.ABSTAINED, injection=False, evidence="", opinions=(), added=(), summary="")


class Part(NamedTuple):
    """What is known of an artifact on which a reviewer may report: whether an agent could run it, and its lines."""

    executable: bool
    lines: int


def read(
    reviewer: str, role: Role, value: object, about: Collection[str], parts: Mapping[str, Part]
) -> Reading:
    """What a decoded reply says of the findings with the fingerprints ``about``. Never raises.

    1. It condemns when anything in it says MALICIOUS, or that an injection was seen.
    2. Anything but an object says nothing more.
    3. It is contradictory when it tells of an injection that it did not see, or shouts MALICIOUS in its prose.
    4. A detector's reply is whole when it has its two keys and no other, and is not contradictory.
    5. Of any other, records of findings and additions count where each is whole by itself; the first 20 additions.
    6. It is whole when nothing in it was left out, nothing was said twice, nothing is missing, and it is not contradictory.
    """
    # 1
    injection = saw_injection(value)
    condemned = injection or says_malicious(value)
    alarm = alarms(value)
    # 2
    if not isinstance(value, Record):
        return SILENCE._replace(vote=Vote(vote_of(condemned, False, False, alarm)), injection=injection)
    evidence, summary = value.get("injection_evidence", ""), value.get("summary", "")
    # 3
    consistent = (
        value.get("injection") is False
        and isinstance(evidence, str)
        and denies(evidence)
        and not shouts(value)
    )
    # 4
    if role is Role.DETECTOR:
        vote = Vote(vote_of(condemned, value.has(*_DETECTION) and consistent, True, alarm))
        return SILENCE._replace(vote=vote, injection=injection, evidence=_text(evidence))
    # 5
    overall = _word(value.get("overall"))
    records, extras = _items(value.get("findings")), _items(value.get("added", []))
    opinions = tuple(o for record in records or () if (o := _opinion(reviewer, record, about)) is not None)
    well_formed = [f for extra in extras or () if (f := _added(reviewer, extra, parts)) is not None]
    added = tuple(well_formed[:MOST_ADDED])
    # 6
    whole = (
        value.has(*_REVIEW)
        and consistent
        and isinstance(summary, str)
        and overall is not None
        and records is not None
        and extras is not None
        and len(opinions) == len(records)
        and len(added) == len(extras)
        and {opinion.fingerprint for opinion in opinions} == set(about)
        and len(opinions) == len(set(about))
    )
    safe = overall is Vote.SAFE and all(opinion.vote is Vote.SAFE for opinion in opinions) and not added
    vote = Vote(vote_of(condemned, whole, safe, alarm))
    return Reading(
        vote=vote,
        injection=injection,
        evidence=_text(evidence),
        opinions=opinions,
        added=added,
        summary=_text(summary),
    )


def read_damaged(said: Damaged) -> Reading:
    """What is left of a reply that is not strict JSON: it condemns, alarms or abstains, and says nothing of findings."""
    injection = saw_injection(said.value)
    condemned = injection or says_malicious(said.value)
    vote = Vote(vote_of(condemned, False, False, said.alarm or alarms(said.value)))
    whole = said.value if isinstance(said.value, Record) else Record(())
    evidence, summary = _text(whole.get("injection_evidence")), _text(whole.get("summary"))
    return SILENCE._replace(vote=vote, injection=injection, evidence=evidence, summary=summary)


def _opinion(reviewer: str, record: object, about: Collection[str]) -> Opinion | None:
    """One record of a finding; ``None`` when it is malformed or speaks of something else."""
    if not isinstance(record, Record) or not record.has(*_OPINION):
        return None
    fingerprint, vote, note = record.get("id"), _word(record.get("verdict")), record.get("note", "")
    said = record.get("confidence", _NOTHING)
    confidence = None if said is _NOTHING else from_model(said)
    if not isinstance(fingerprint, str) or fingerprint not in about or vote is None:
        return None
    if not isinstance(note, str) or (said is not _NOTHING and confidence is None):
        return None
    return Opinion(
        reviewer=reviewer, fingerprint=fingerprint, vote=vote, confidence=confidence, note=note[:MOST_TEXT]
    )


def _added(reviewer: str, extra: object, parts: Mapping[str, Part]) -> Finding | None:
    """A finding that a reviewer adds; ``None`` when it is malformed or names no path of the bundle.

    All of them share one rule, so that three of them at most are scored, and are words: they never block by themselves.
    """
    if not isinstance(extra, Record) or not extra.has(*_ADDITION):
        return None
    severity, path, line = extra.get("severity"), extra.get("path"), extra.get("line", 1)
    confidence, note = from_model(extra.get("confidence")), _text(extra.get("note"))
    if not isinstance(severity, str) or severity not in Severity.__members__ or confidence is None:
        return None
    if not isinstance(path, str) or path not in parts or type(line) is not int or not note.strip():
        return None
    start = max(1, min(line, parts[path].lines))
    return Finding(
        rule=RULE,
        title="A reviewing model saw this",
        category=Category.CUSTOM,
        kind=EvidenceKind.WORDS,
        severity=Severity[severity],
        confidence=confidence,
        message=note,
        evidence="",
        location=Location(path=path, start_line=start, end_line=start),
        executable=parts[path].executable,
        fingerprint=digest(RULE, path, " ".join(note.split()).casefold())[:32],
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

"""The reference model of the envelope and the consensus.

Imports nothing of ours but the model of a verdict.
"""

from __future__ import annotations

import hashlib

from model.verdict import CAUTION, DO_NOT_INSTALL, SAFE, Finding, judge, model_confidence

SAYS_SAFE, ABSTAINED, SUSPICIOUS, MALICIOUS = range(4)
WORDS = {"SAFE": SAYS_SAFE, "SUSPICIOUS": SUSPICIOUS, "MALICIOUS": MALICIOUS}
SEVERITIES = ("LOW", "MEDIUM", "HIGH", "CRITICAL")


def word(value):
    """A verdict word as a vote; None for anything else."""
    return WORDS.get(value) if isinstance(value, str) else None


def opinion(record, about):
    """(fingerprint, vote, confidence) of a well-formed record on a finding asked about; else None."""
    if (
        isinstance(record, dict)
        and isinstance(record.get("id"), str)
        and word(record.get("verdict")) is not None
    ):
        said = (record["id"], word(record["verdict"]), model_confidence(record.get("confidence")))
        return said if said[0] in about else None
    return None


def addition(extra, paths):
    """A well-formed added finding on a path of the bundle; else None."""
    if not isinstance(extra, dict) or extra.get("severity") not in list(SEVERITIES):
        return None
    confidence, path, note = model_confidence(extra.get("confidence")), extra.get("path"), extra.get("note")
    if confidence is None or not isinstance(path, str) or path not in paths:
        return None
    if not isinstance(note, str) or not note[:400].strip():
        return None
    said = f"reviewer-finding\x1f{path}\x1f{' '.join(note[:400].split()).casefold()}"
    mark = hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return Finding(
        "reviewer-finding", "custom", path, mark, SEVERITIES.index(extra["severity"]), confidence, False
    )


def read(value, about, paths):
    """(vote, injection, opinions, additions) of any reply: SAFE needs a whole one, MALICIOUS a word."""
    if not isinstance(value, dict):
        return ABSTAINED, False, [], []
    records, extras = value.get("findings"), value.get("added", [])
    lists = isinstance(records, list) and isinstance(extras, list)
    records, extras = (x if isinstance(x, list) else [] for x in (records, extras))
    opinions = [o for o in (opinion(r, about) for r in records) if o]
    added = [f for f in (addition(x, paths) for x in extras) if f][:20]
    injection, overall = value.get("injection"), word(value.get("overall"))
    votes = [vote for _, vote, _ in opinions]
    if overall == MALICIOUS or MALICIOUS in votes or injection is True:
        return MALICIOUS, injection is True, opinions, added
    complete = sorted(o[0] for o in opinions) == sorted(set(about))
    nothing_lost = len(opinions) == len(records) and len(added) == len(extras)
    if overall is None or injection is not False or not (lists and complete and nothing_lost):
        return ABSTAINED, False, opinions, added
    return SAYS_SAFE if {overall, *votes} == {SAYS_SAFE} and not added else SUSPICIOUS, False, opinions, added


def passes_on(value):
    """Whether an exception is passed on: an order to stop, or an error of ours."""
    if isinstance(value, BaseException) and not isinstance(value, Exception):
        return True
    return type(value) in (ValueError, NotImplementedError)


def consensus(votes):
    """What (family, vote) pairs come to."""
    if any(vote == MALICIOUS for _, vote in votes):
        return DO_NOT_INSTALL
    if len({family for family, _ in votes}) >= 2 and all(vote == SAYS_SAFE for _, vote in votes):
        return SAFE
    return CAUTION


def review(batches, replies, families, paths):
    """(findings, additions, votes, injection, decision) of replies (seat, batch, value); silence is none."""
    survivors, added, injection = [], [], False
    votes = [SAYS_SAFE if batches else ABSTAINED] * len(families)
    for number, batch in enumerate(batches):
        about = {f.fingerprint for f in batch}
        read_ = [(seat, read(value, about, paths)) for seat, b, value in replies if b == number]
        for f in batch:
            said = [
                c
                for _, (_, _, ops, _) in read_
                for i, vote, c in ops
                if i == f.fingerprint and vote == MALICIOUS
            ]
            survivors.append(f._replace(confidence=max([f.confidence, *(c for c in said if c is not None)])))
        added += [a for _, (_, _, _, extra) in read_ for a in extra]
        injection = injection or any(seen for _, (_, seen, _, _) in read_)
        for seat in range(len(families)):
            cast = [vote for s, (vote, _, _, _) in read_ if s == seat]
            votes[seat] = max([votes[seat], *(cast or [ABSTAINED])])
    return survivors, added, votes, injection, consensus(list(zip(families, votes, strict=True)))


def judge_reviewed(reviewed, gaps, entries, today):
    """The verdict on reviewed findings: the stricter of the arithmetic and the panel."""
    survivors, added, _, _, decision = reviewed
    verdict = judge([*survivors, *added], gaps, entries, today)
    return (max(verdict[0], decision), *verdict[1:])

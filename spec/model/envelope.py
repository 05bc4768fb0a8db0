"""The reference model of the envelope and the consensus.

Imports nothing of ours but the model of a verdict.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata

from model.verdict import CAUTION, DO_NOT_INSTALL, SAFE, Finding, judge, model_confidence

SAYS_SAFE, ABSTAINED, SUSPICIOUS, MALICIOUS = range(4)
WORDS = {"SAFE": SAYS_SAFE, "SUSPICIOUS": SUSPICIOUS, "MALICIOUS": MALICIOUS}
SEVERITIES = ("LOW", "MEDIUM", "HIGH", "CRITICAL")
DENIALS = "0 absent f false n na nil no none notfound null".split()
YES = "1 detected found present t true y yes".split()
OF_VERDICTS = "overall verdict opinion decision assessment classification".split()
NO_FLAG, UNCLEAR, SET = range(3)


class Pairs(list):
    """A JSON object as the list of its pairs."""


def decode(body):
    """The value of a reply in a tuple; None when it is not strict JSON within bounds."""
    try:
        value = json.loads(body.decode("utf-8"), object_pairs_hook=Pairs, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return None if len(body) > 262144 or depth(value) > 16 else (value,)


def salvage(body):
    """(value or None, alarm) of a reply that is not strict JSON: a mark or a fence around it is put aside."""
    text = body.decode("utf-8", "replace")
    text = text[1:] if text[:1] == "\ufeff" else text
    parts = [text]
    if text.count("```") in (1, 2):
        parts.append(re.sub("^[a-zA-Z]*", "", text.split("```")[1]))
    for part in parts:
        try:
            value = json.loads(
                part, object_pairs_hook=Pairs, parse_constant=lambda _: None, parse_int=_number
            )
        except (ValueError, RecursionError):
            continue
        if len(body) <= 262144 and depth(value) <= 16:
            return value, speaks_of_malice(body)
    return None, speaks_of_malice(body)


def speaks_of_malice(body):
    """Whether a text that cannot be read says MALICIOUS, SUSPICIOUS as a value, or that a flag of an injection is set."""
    text = body.replace(b"\0", b"").decode("utf-8", "replace")
    text = re.sub(r"\\u00([0-7][0-9a-fA-F])", lambda found: chr(int(found[1], 16)), text)
    text = unicodedata.normalize("NFKC", text.replace("\\", "")).encode("ascii", "ignore").decode()
    key = r"injection[a-z0-9_ -]{0,40}[\"']?\s{0,9}"
    inner = r"[:=][\s\"'{\[]{0,9}([a-z0-9_]{1,20}[\"']?\s{0,9}:[\s\"']{0,9})?"
    word = r"(true|yes|1|found|detected|present)(?![a-z0-9_]{0,20}[\"']?\s{0,9}:)"
    is_set = re.search(key + inner + word, text, re.I | re.A)
    last_word = re.split("[^a-zA-Z]", text.rstrip(" \t\n\r\v\f"))[-1].lower()
    is_cut = len(last_word) > 2 and "malicious".startswith(last_word)
    doubts = re.search(r"[:=]\s{0,9}[\"']?suspicious", text, re.I | re.A) is not None
    opened = r"added[a-z0-9_ -]{0,40}[\"']?\s{0,9}[:=]\s{0,9}[\[{]\s{0,40}"
    adds = re.search(opened + r"([^\]}\s]|$)", text.rstrip(), re.I | re.A) is not None
    return "malicious" in bare(text) or is_cut or doubts or adds or is_set is not None


def _number(digits):
    return int(digits) if len(digits) < 4301 else 1


def _refuse(word):
    raise ValueError(word)


def depth(value):
    """How deep a value nests; a plain one is 1 deep."""
    inner = [v for _, v in value] if isinstance(value, Pairs) else value if isinstance(value, list) else []
    return 1 + max(map(depth, inner), default=0)


def bare(text):
    """Letters and digits of ASCII, in lower case; of other forms of a letter, the letter."""
    return re.sub("[^a-zA-Z0-9]+", "", unicodedata.normalize("NFKC", text)).lower()


def pairs(value):
    """All keys, bare, with what they name, at any depth."""
    for item in value if isinstance(value, list) else []:
        if isinstance(value, Pairs):
            yield bare(item[0]), item[1]
        yield from pairs(item[1] if isinstance(value, Pairs) else item)


def is_malicious(value):
    """Whether a verdict, or one in a list, is MALICIOUS."""
    if isinstance(value, list) and not isinstance(value, Pairs):
        return any(map(is_malicious, value))
    return isinstance(value, str) and bare(value) == "malicious"


def denies(text):
    """Whether a text is blank or a word of denial."""
    return text.isascii() and (text.strip() == "" or bare(text) in DENIALS)


def flag(value):
    """What a flag says: no, unclear or set; of a list or object the worst, which is unclear at least."""
    if isinstance(value, str):
        return NO_FLAG if denies(value) else SET if bare(value) in YES else UNCLEAR
    if isinstance(value, list):
        inner = [v for _, v in value] if isinstance(value, Pairs) else value
        return max([flag(v) for v in inner] + [UNCLEAR]) if value else NO_FLAG
    if value is None or isinstance(value, bool):
        return SET if value else NO_FLAG
    return SET if value < 0 or model_confidence(value) > 0 else NO_FLAG


def texts(value):
    """All texts and keys, at any depth."""
    if isinstance(value, str):
        return [value]
    inner = value if isinstance(value, list) else []
    return [t for v in inner for t in ([v[0], *texts(v[1])] if isinstance(value, Pairs) else texts(v))]


def begins_malicious(value):
    """Whether a text, or one in a list, begins with the word."""
    if isinstance(value, list) and not isinstance(value, Pairs):
        return any(map(begins_malicious, value))
    return isinstance(value, str) and bare(value)[:9] == "malicious"


def of_injection(name):
    """Whether a bare key asks whether there was an injection."""
    return "injection" in name and name != "injectionevidence"


def condemns(value):
    """(whether it saw an injection, whether it condemns)."""
    found = list(pairs(value))
    injection = any(of_injection(n) and flag(v) == SET for n, v in found)
    said = is_malicious(value) or any(
        is_malicious(v)
        or (n in ("malicious", "ismalicious") and flag(v) == SET)
        or (begins_malicious(v) and any(w in n for w in OF_VERDICTS))
        for n, v in found
    )
    return injection, injection or said


def alarms(value):
    """Whether a reply that is not whole speaks of malice, is unclear about an injection, or adds something."""
    unclear = any(of_injection(n) and flag(v) == UNCLEAR for n, v in pairs(value))
    adds = any("added" in n and flag(v) != NO_FLAG for n, v in pairs(value))
    return unclear or adds or any("malicious" in bare(t) or bare(t) == "suspicious" for t in texts(value))


def shouts(value):
    """Whether a text begins with MALICIOUS in capitals."""
    return any(re.sub("^[^a-zA-Z0-9]+", "", t)[:9] == "MALICIOUS" for t in texts(value))


def shape(value, needed, allowed=""):
    """The object as a dict when its keys are these, each once; else None."""
    if not isinstance(value, Pairs):
        return None
    names = [name for name, _ in value]
    fits = len(names) == len(set(names)) and set(needed.split()) <= set(names) <= set(
        (needed + " " + allowed).split()
    )
    return dict(value) if fits else None


def word(value):
    """A verdict word as a vote; None for anything else."""
    return WORDS.get(value) if isinstance(value, str) else None


def opinion(record, about):
    """(fingerprint, vote, confidence) of a well-formed record on a finding asked about; else None."""
    r = shape(record, "id verdict", "confidence note")
    if r is None or not isinstance(r["id"], str) or r["id"] not in about or word(r["verdict"]) is None:
        return None
    said = model_confidence(r.get("confidence"))
    if not isinstance(r.get("note", ""), str) or ("confidence" in r and said is None):
        return None
    return r["id"], word(r["verdict"]), said


def addition(extra, parts):
    """A well-formed added finding on a path of the bundle; else None."""
    e = shape(extra, "severity confidence path note", "line")
    if e is None or e["severity"] not in list(SEVERITIES) or type(e.get("line", 1)) is not int:
        return None
    confidence, path, note = model_confidence(e["confidence"]), e["path"], e["note"]
    if confidence is None or not isinstance(path, str) or path not in parts:
        return None
    if not isinstance(note, str) or not note[:400].strip():
        return None
    said = [
        x.encode("utf-8", "surrogatepass")
        for x in ("reviewer-finding", path, " ".join(note[:400].split()).casefold())
    ]
    mark = hashlib.sha256(b"3:" + b"".join(b"%d:%s" % (len(x), x) for x in said)).hexdigest()[:32]
    level = SEVERITIES.index(e["severity"])
    return Finding("reviewer-finding", "custom", "words", path, mark, level, confidence, parts[path])


def first(value, name, default=None):
    """The first value of a key."""
    return next((v for n, v in value if n == name), default)


def read(value, role, about, parts):
    """(vote, injection, opinions, additions) of a decoded reply: SAFE needs a whole one, MALICIOUS a word."""
    injection, condemned = condemns(value)
    worst = MALICIOUS if condemned else SUSPICIOUS if alarms(value) else ABSTAINED
    if not isinstance(value, Pairs):
        return worst, injection, [], []
    evidence = first(value, "injection_evidence", "")
    honest = isinstance(evidence, str) and denies(evidence) and not shouts(value)
    if role == "detector":
        d = shape(value, "injection", "injection_evidence")
        whole = d is not None and d["injection"] is False and honest
        return (SAYS_SAFE if whole and not condemned else worst), injection, [], []
    records, extras = first(value, "findings"), first(value, "added", [])
    lists = all(isinstance(x, list) and not isinstance(x, Pairs) for x in (records, extras))
    records, extras = (
        x if isinstance(x, list) and not isinstance(x, Pairs) else [] for x in (records, extras)
    )
    opinions = [o for o in (opinion(r, about) for r in records) if o]
    added = [f for f in (addition(x, parts) for x in extras) if f][:20]
    w = shape(value, "overall injection findings", "injection_evidence summary added")
    overall = word(first(value, "overall"))
    complete = sorted(o[0] for o in opinions) == sorted(set(about))
    nothing_lost = len(opinions) == len(records) and len(added) == len(extras)
    if condemned or w is None or w["injection"] is not False or overall is None:
        return worst, injection, opinions, added
    if not (lists and complete and nothing_lost and honest and isinstance(first(value, "summary", ""), str)):
        return worst, injection, opinions, added
    safe = {overall, *(vote for _, vote, _ in opinions)} == {SAYS_SAFE} and not added
    return (SAYS_SAFE if safe else SUSPICIOUS), injection, opinions, added


def read_bytes(body, role, about, parts):
    """What a reply as bytes comes to; one that is not strict JSON can condemn or alarm, and never pass."""
    given = decode(body)
    if given:
        return read(given[0], role, about, parts)
    value, alarm = salvage(body)
    injection, condemned = condemns(value)
    vote = MALICIOUS if condemned else SUSPICIOUS if alarm or alarms(value) else ABSTAINED
    return vote, injection, [], []


def consensus(votes, complete):
    """What (family, role, vote) triples come to; a detector and an unknown family make no quorum."""
    if any(vote == MALICIOUS for _, _, vote in votes):
        return DO_NOT_INSTALL
    families = {family for family, role, _ in votes if role != "detector" and family != "other"}
    return SAFE if complete and len(families) >= 2 and all(v == SAYS_SAFE for _, _, v in votes) else CAUTION


def review(findings, packages, replies, seats, parts):
    """(findings, additions, votes, injection, complete, decision).

    ``packages``: (role, about); ``replies``: (seat, package, attempt, body), no body being a failure; ``seats``:
    (family, role).
    """
    readings = []
    for seat, package, _, body in sorted(replies, key=lambda r: r[:3]):
        role, about = packages[package]
        silent = (ABSTAINED, False, [], [])
        readings.append((seat, package, silent if body is None else read_bytes(body, role, about, parts)))
    opinions = [o for _, _, r in readings for o in r[2]]
    kept = []
    for f in findings:
        said = [
            c for mark, vote, c in opinions if mark == f.fingerprint and vote == MALICIOUS and c is not None
        ]
        kept.append(f._replace(confidence=max([f.confidence, *said])))
    votes = []
    for number, (_, role) in enumerate(seats):
        worst = []
        for p in [p for p, (of, _) in enumerate(packages) if of == role]:
            cast = {r[0] for s, at, r in readings if (s, at) == (number, p)}
            worst.append(max(cast - {ABSTAINED}, default=ABSTAINED))
        votes.append(max(worst, default=ABSTAINED))
    asked = (
        {m for _, about in packages for m in about} if "findings" in [role for _, role in seats] else set()
    )
    complete = {f.fingerprint for f in findings} <= asked
    cast = [(family, role, vote) for (family, role), vote in zip(seats, votes, strict=True)]
    added = [f for _, _, r in readings for f in r[3]]
    return kept, added, votes, any(r[1] for _, _, r in readings), complete, consensus(cast, complete)


def judge_reviewed(reviewed, gaps, entries, today):
    """The verdict on reviewed findings: the stricter of the arithmetic and the panel."""
    survivors, added, *_, decision = reviewed
    verdict = judge([*survivors, *added], gaps, entries, today)
    return (max(verdict[0], decision), *verdict[1:])

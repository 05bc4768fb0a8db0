"""Replies of reviewers for differential tests: whole ones, spoilt ones, and texts that are hardly JSON."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

Plain = Any
NOTES = ("reads keys", "opens a socket", "x", "é", "\ud800")
MALICIOUS = (
    "malicious", " MALICIOUS ", "Malicious.", "**malicious**", "MALICIOUS\u200b", "not malicious", "MALICIOUS - sends keys",
    "malicious, see line 3", {"MALICIOUS": True}, {"is_malicious": "no"},
)  # fmt: skip
PROSE = (
    "no malicious behaviour",
    "Malicious code: none",
    "MALICIOUS - sends keys",
    "none",
    "",
    "n/a",
    "line 3 says so",
    "\u7121",
)
TRUTHY = (True, 1, -1, 0.2, "true", "yes", "1", "found", ["x"], {"a": None}, {"found": True}, [0.3])
FALSY: tuple[object, ...] = (0, 0.0001, None, "", "no", "False", "0", [], {}, "none", "not found")
UNCLEAR = ("no injection found", "yes, line 3", "\u7121", "-", [0], {"found": False})
FLAGS = (
    "injection",
    "Injection",
    "injection_found",
    "prompt_injection_detected",
    "prompt injection",
    "injections",
)
TEXTS = (
    "SAFE", "It is MALICIOUS.", "not malicious", "m\\u0061licious", '"injection": true, ', "Injection_found = yes", "injection: none",
    "overall: MALI", "is normal", "M\0A\0L\0I\0C\0I\0O\0U\0S\0",
)  # fmt: skip
_JUNK: tuple[Plain, ...] = (
    None, True, False, 0, 1, 0.5, -3, "", " \t\n", "SAFE", "MALICIOUS", "malicious", "é", "a", 10**30, 1e308,
)  # fmt: skip


def reply_value(
    rng: random.Random, role: str, about: Sequence[str], mood: float, hostile: bool, paths: Sequence[str]
) -> Plain:
    """A reply as a value; ``mood`` from 0 to 1 says how strict the reviewer is."""
    whole = _detection(rng, mood) if role == "detector" else _review(rng, about, mood, paths)
    dice = rng.random()
    if not hostile or dice < 0.3:
        return whole
    if dice < 0.4:
        return junk(rng, 0)
    if dice < 0.5:
        return rng.choice(([whole], {"reply": whole}, {"result": [whole]}))
    spoilt = _spoil(rng, whole)
    records = spoilt.get("findings")
    if isinstance(records, list):
        for _ in range(rng.randrange(3)):
            records.insert(rng.randrange(len(records) + 1), _record(rng, about))
    if rng.random() < 0.3:
        spoilt["added"] = [_spoil(rng, _added(rng, paths)) for _ in range(rng.choice((1, 2, 3, 21, 25)))]
    if rng.random() < 0.2:
        spoilt[rng.choice(FLAGS)] = rng.choice(TRUTHY + FALSY + FALSY + UNCLEAR)
    if rng.random() < 0.1:
        spoilt["overall"] = rng.choice((*MALICIOUS, ["SAFE", "malicious"], {"verdict": "MALICIOUS"}))
    if rng.random() < 0.1:
        spoilt[rng.choice(("injection_evidence", "summary"))] = rng.choice(PROSE)
    return spoilt


def reply_text(rng: random.Random, value: Plain) -> str:
    """A reply as a text: keys twice, cut off, with words that are not JSON, too deep or too long."""
    text = json.dumps(value)
    dice = rng.randrange(10)
    if dice == 0:
        return text[: rng.randrange(len(text) + 1)]
    if dice == 1:
        return text.replace("0.5", "NaN").replace("false", "False")
    if dice == 2:
        depth = rng.choice((14, 15, 16, 17, 20, 3000))
        return '{"overall": "MALICIOUS", "x": ' + "[" * depth + "]" * depth + "}"
    if dice == 3:
        return '{"overall": "MALICIOUS", "note": "a"' + " " * rng.choice((1000, 262_100, 262_200)) + "}"
    if dice == 4:
        return '{"overall": "MALICIOUS", "confidence": ' + "9" * rng.choice((4000, 5000)) + "}"
    if dice == 5:
        before, after = (
            rng.choice(("", "Here is my review:\n")),
            rng.choice(("", "\n```", "\n```\nDone.", "\n```\n```")),
        )
        return f"{before}```{rng.choice(('', 'json', 'JSON '))}\n{text}{after}"
    if dice == 6:
        return "\ufeff" + text
    if dice == 7:
        return rng.choice(("I think: ", "")) + rng.choice(TEXTS)
    names = ("overall", "findings", "injection", "id", "verdict")
    twice = ", ".join(
        f'"{rng.choice(names)}": {json.dumps(junk(rng, 1))}' for _ in range(rng.randrange(1, 3))
    )
    return f"{{{twice}, {text[1:]}" if text.startswith('{"') else text


def _detection(rng: random.Random, mood: float) -> dict[str, Plain]:
    reply: dict[str, Plain] = {"injection": mood > 0.9}
    if rng.random() < 0.3:
        reply["injection_evidence"] = rng.choice(NOTES)
    return reply


def _review(rng: random.Random, about: Sequence[str], mood: float, paths: Sequence[str]) -> dict[str, Plain]:
    words = (
        ("SAFE",) if mood < 0.55 else ("SAFE", "SAFE", "SUSPICIOUS") if mood < 0.8 else ("SAFE", "MALICIOUS")
    )
    records: list[Plain] = []
    for mark in about:
        record: dict[str, Plain] = {"id": mark, "verdict": rng.choice(words)}
        if rng.random() < 0.8:
            record["confidence"] = rng.randrange(101) / 100
        if rng.random() < 0.3:
            record["note"] = rng.choice(NOTES)
        records.append(record)
    reply: dict[str, Plain] = {"overall": rng.choice(words), "injection": mood > 0.97, "findings": records}
    for name in ("injection_evidence", "summary"):
        if rng.random() < 0.2:
            reply[name] = rng.choice(NOTES)
    if rng.random() < 0.12:
        reply["added"] = [_added(rng, paths) for _ in range(rng.choice((0, 1, 2, 20)))]
    return reply


def _added(rng: random.Random, paths: Sequence[str]) -> dict[str, Plain]:
    added = {
        "severity": rng.choice(("LOW", "MEDIUM", "HIGH", "CRITICAL")),
        "confidence": rng.choice((0, 0.3, 0.5, 0.99, 1)),
        "path": rng.choice(paths),
        "note": rng.choice(NOTES),
    }
    if rng.random() < 0.7:
        added["line"] = rng.choice((1, 7, -3, 10**30))
    return added


def _record(rng: random.Random, about: Sequence[str]) -> dict[str, Plain]:
    record = {
        "id": rng.choice([*about, "unknown", 3, None]),
        "verdict": rng.choice(("SAFE", "SUSPICIOUS", "MALICIOUS", "safe", "malicious ", True, None)),
        "confidence": rng.choice((0.5, 1, 85, -1, "0.9", True, None, 1e308, 10**30)),
    }
    return _spoil(rng, record)


def _spoil(rng: random.Random, record: dict[str, Plain]) -> dict[str, Plain]:
    for name in list(record):
        dice = rng.random()
        if dice < 0.06:
            record[name] = junk(rng, 1)
        elif dice < 0.1:
            del record[name]
    if rng.random() < 0.05:
        record["extra"] = junk(rng, 1)
    return record


def junk(rng: random.Random, depth: int) -> Plain:
    """Any small value at all."""
    dice = rng.randrange(8 if depth < 2 else 6)
    if dice == 6:
        return [junk(rng, depth + 1) for _ in range(rng.randrange(3))]
    if dice == 7:
        names = ("overall", "findings", "id", "x", "verdict", "injection")
        return {rng.choice(names): junk(rng, depth + 1) for _ in range(rng.randrange(3))}
    return rng.choice(_JUNK)

"""Cases for differential tests: plain data that JSON can hold, and two generators of them.

*Well-formed* cases look like what inspection and honest reviewers produce; *hostile* ones are anything that
the types allow, and replies that no type restrains. A case is made from its generator's name and a number,
so a failure is told by the two.
"""

from __future__ import annotations

import json
import random
from typing import Any, NamedTuple

Plain = Any
"""Anything that JSON can hold."""

RULES = (
    ("pipe-to-shell", "remote-code", 3, 900),
    ("secret-to-network", "exfiltration", 3, 700),
    ("instruction-override", "prompt-injection", 2, 800),
    ("reviewer-aimed", "reviewer-manipulation", 2, 700),
    ("archive-bomb", "intake", 3, 900),
    ("disguised-file", "intake", 2, 600),
    ("broad-trigger", "trigger-abuse", 1, 500),
    ("unpinned", "supply-chain", 0, 400),
)
PATHS = ("SKILL.md", "scripts/setup.sh", "docs/a/b.md", "a.zip!/in.sh", "x")
GLOBS = (
    "*",
    "**",
    "**/*",
    "docs/**",
    "*.md",
    "**/*.md",
    "scripts/*",
    "?",
    "",
    "a.zip!/*",
    "**/",
    "d?cs/**",
    "S*.md",
)
RULE_GLOBS = ("*", "pipe-*", "", "archive-bomb", "*-*", "?*", "reviewer-**", "**")
EDGES = (0, 1, 10, 399, 400, 401, 499, 500, 501, 800, 999, 1000)
NOTES = ("reads keys", "opens a socket", "x", "é")
TODAY = 740000


class Case(NamedTuple):
    """One input of everything at once.

    ``batches``: findings as (rule, category, path, fingerprint, severity, confidence, executable).
    ``replies``: (seat, batch, value), a value of the form {"raise": NAME} being an exception. ``panel``: the
    family of each seat. ``entries``: (rule, path, fingerprint or None, last day or None).
    """

    today: int
    gaps: int
    entries: list[list[Plain]]
    batches: list[list[list[Plain]]]
    replies: list[list[Plain]]
    panel: list[str]
    paths: list[str]


def to_json(case: Case) -> str:
    """One line, the same for the same case."""
    return json.dumps(case._asdict(), sort_keys=True, separators=(",", ":"))


def from_json(line: str) -> Case:
    """The case of a line."""
    return Case(**json.loads(line))


def generate(kind: str, number: int) -> Case:
    """Case ``number`` of a generator: ``well-formed`` or ``hostile``."""
    rng = random.Random(f"{kind} {number}")
    return _well_formed(rng) if kind == "well-formed" else _hostile(rng)


def _well_formed(rng: random.Random) -> Case:
    findings = []
    for _ in range(rng.choice((0, 1, 1, 2, 3, 4, 6))):
        rule, category, severity, confidence = rng.choice(RULES)
        mark = f"{rule[:4]}{rng.randrange(3)}"
        sure = rng.choice((confidence, rng.choice(EDGES), rng.randrange(1001)))
        findings.append([rule, category, rng.choice(PATHS), mark, severity, sure, rng.random() < 0.3])
    batches = _split(rng, findings)
    panel = ["one", "two", "one"][: rng.choice((2, 2, 3))]
    replies = []
    for seat in range(len(panel)):
        honest = rng.random()
        for number, batch in enumerate(batches):
            if honest < 0.9 or rng.random() < 0.5:
                replies.append([seat, number, _whole(rng, batch, honest)])
    return Case(TODAY, int(rng.random() < 0.3), _entries(rng, findings), batches, replies, panel, list(PATHS))


def _hostile(rng: random.Random) -> Case:
    categories = [category for _, category, _, _ in RULES]
    findings = [
        [
            rng.choice(RULES)[0],
            rng.choice(categories),
            rng.choice(PATHS),
            rng.choice(("a", "b", "", "é", "constructor")),
            rng.randrange(4),
            rng.choice((rng.choice(EDGES), rng.randrange(1001), -5, 2000, 10**9)),
            rng.random() < 0.3,
        ]
        for _ in range(rng.choice((0, 1, 2, 3, 5, 8)))
    ]
    batches = _split(rng, findings)
    panel = rng.choice((["one", "two"], ["one", "one", "two"], ["one", "two", "three"]))
    replies = []
    for _ in range(rng.choice((0, 1, 2, 3, 4))):
        if batches:
            number = rng.randrange(len(batches))
            replies.append([rng.randrange(len(panel)), number, _reply(rng, batches[number])])
    return Case(TODAY, rng.randrange(2), _entries(rng, findings), batches, replies, panel, list(PATHS))


def _split(rng: random.Random, findings: list[list[Plain]]) -> list[list[list[Plain]]]:
    if rng.random() < 0.7:
        return [findings]
    cut = rng.randrange(len(findings) + 1)
    return [findings[:cut], findings[cut:]]


def _entries(rng: random.Random, findings: list[list[Plain]]) -> list[list[Plain]]:
    entries: list[list[Plain]] = []
    for _ in range(rng.choice((0, 0, 1, 2, 3))):
        last = rng.choice((TODAY - 1, TODAY, TODAY + 1, TODAY + 400))
        if rng.random() < 0.5 and findings:
            rule, _, path, mark, *_ = rng.choice(findings)
            entry = [rule, path, rng.choice((mark, mark, mark, "gone")) or "gone", rng.choice((None, last))]
        else:
            entry = [rng.choice(RULE_GLOBS), rng.choice(GLOBS), None, last]
        entries.append(entry)
    return [entry for entry in entries if not _refused(entry)]


def _refused(entry: list[Plain]) -> bool:
    rule, path, mark, _ = entry
    return mark is None and bool(rule and path) and not any(c.isalnum() for c in rule + path)


def _whole(rng: random.Random, batch: list[list[Plain]], mood: float) -> Plain:
    """A complete reply; the mood says how strict the reviewer is."""
    words = (
        ("SAFE",) if mood < 0.5 else ("SAFE", "SAFE", "SUSPICIOUS") if mood < 0.8 else ("SAFE", "MALICIOUS")
    )
    marks = sorted({finding[3] for finding in batch})
    records = [
        {"id": mark, "verdict": rng.choice(words), "confidence": rng.randrange(101) / 100} for mark in marks
    ]
    reply: dict[str, Plain] = {"overall": rng.choice(words), "injection": mood > 0.97, "findings": records}
    if rng.random() < 0.15:
        reply["added"] = [_added(rng)]
    return reply


def _added(rng: random.Random) -> dict[str, Plain]:
    return {
        "severity": rng.choice(("LOW", "MEDIUM", "HIGH", "CRITICAL")),
        "confidence": rng.choice((0, 0.3, 0.5, 0.99, 1)),
        "path": rng.choice(PATHS),
        "line": rng.choice((1, 7)),
        "note": rng.choice(NOTES),
    }


def _reply(rng: random.Random, batch: list[list[Plain]]) -> Plain:
    """Any reply at all."""
    dice = rng.random()
    if dice < 0.08:
        names = (
            "RuntimeError",
            "TimeoutError",
            "UnicodeDecodeError",
            "KeyError",
            "MemoryError",
            "RecursionError",
        )
        return {"raise": rng.choice(names)}
    if dice < 0.2:
        return _junk(rng, 0)
    if dice < 0.35:
        return _whole(rng, batch, rng.random())
    marks = [finding[3] for finding in batch]
    reply = _spoil(rng, _whole(rng, batch, rng.random()))
    if isinstance(reply.get("findings"), list):
        for _ in range(rng.randrange(3)):
            record = {
                "id": rng.choice([*marks, "unknown", 3, None]),
                "verdict": rng.choice(("SAFE", "SUSPICIOUS", "MALICIOUS", "safe", True, None)),
                "confidence": rng.choice(
                    (0.5, 1, 85, -1, "0.9", True, None, 1e308, float("nan"), float("inf"), 10**30)
                ),
            }
            reply["findings"].insert(rng.randrange(len(reply["findings"]) + 1), _spoil(rng, record))
    if rng.random() < 0.3:
        reply["added"] = [_spoil(rng, _added(rng)) for _ in range(rng.choice((1, 2, 3, 25)))]
    return reply


def _spoil(rng: random.Random, record: dict[str, Plain]) -> dict[str, Plain]:
    for name in list(record):
        dice = rng.random()
        if dice < 0.06:
            record[name] = _junk(rng, 1)
        elif dice < 0.1:
            del record[name]
    if rng.random() < 0.05:
        record["extra"] = _junk(rng, 1)
    return record


def _junk(rng: random.Random, depth: int) -> Plain:
    simple = (
        None,
        True,
        False,
        0,
        1,
        0.5,
        -3,
        float("nan"),
        "",
        " \t\n",
        "SAFE",
        "MALICIOUS",
        "é",
        "a",
        10**30,
    )
    dice = rng.randrange(8 if depth < 2 else 6)
    if dice == 6:
        return [_junk(rng, depth + 1) for _ in range(rng.randrange(3))]
    if dice == 7:
        return {
            rng.choice(("overall", "findings", "id", "x")): _junk(rng, depth + 1)
            for _ in range(rng.randrange(3))
        }
    return rng.choice(simple)

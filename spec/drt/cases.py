"""Cases for differential tests: plain data that JSON can hold, and two generators of them.

*Well-formed* cases look like what inspection and honest reviewers produce; *hostile* ones are anything that
the types allow, and replies that no type restrains. Everything that has an enumeration is drawn from it, and sizes have
a long tail; ``coverage.py`` says what was never drawn. A case is made from its generator's name and a number,
so a failure is told by the two.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from drt.replies import reply_text, reply_value
from sluicegate.vet.verdict.consensus import Family, Role
from sluicegate.vet.verdict.types import Author, Category, EvidenceKind, GapReason

Plain = Any
"""Anything that JSON can hold."""

CATEGORIES = [category.value for category in Category]
KINDS = [kind.value for kind in EvidenceKind]
REASONS = [reason.value for reason in GapReason]
AUTHORS = [author.value for author in Author]
FAMILIES = [family.value for family in Family]
ROLES = [role.value for role in Role]
RULES = tuple(
    (
        f"{category}-{number}",
        category,
        KINDS[(at + number) % len(KINDS)],
        (at + number) % 4,
        350 + 97 * number,
    )
    for at, category in enumerate(CATEGORIES)
    for number in range(2)
)
"""Rules as a catalogue has them: each with one category and kind, and a severity and confidence of its own."""
PATHS = ("SKILL.md", "scripts/setup.sh", "docs/a/b.md", "docs/x/c.txt", "docs/x/d.txt", "a.zip!/in.sh", "x")
GAP_PATHS = (
    *PATHS,
    "",
    "assets/logo.png",
    "fonts/a.woff2",
    "clip.mp4",
    "paper.pdf",
    "data.bin",
    "lib/native.so",
    "vendor.tar.gz",
    "app.min.js",
    "package-lock.json",
    "notes.ipynb",
    ".git/config",
    "LICENSE",
    "a/b/c/d/e/f/g.py",
    "caf\u00e9 \u202e.md",
)
"""Paths of what was not inspected: every kind of file, the bundle as a whole, and names that are not plain ones."""
GLOBS = (
    "*",
    "**",
    "**/*",
    "docs/**",
    "*.md",
    "**/*.md",
    "**/*.txt",
    "scripts/*",
    "?",
    "",
    "a.zip!/*",
    "**/",
    "d?cs/**",
)
RULE_GLOBS = ("*", "*-0", "", "intake-*", "*-*", "?*", "reviewer-**", "**", "malware-1")
BEGINNINGS = (
    "",
    "words-",
    "organisation-",
    "organisation-wide-rule-about-",
    "organisation-wide-rule-about-" * 3,
)
"""What the names of two rules may have in common."""
DEEDS = (
    ("exfiltration", "credential-access"),
    ("persistence", "persistence"),
    ("malware", "supply-chain"),
    ("obfuscation", "disguise"),
)
"""Pairs of categories that speak of one deed."""
EDGES = (0, 1, 10, 399, 400, 401, 499, 500, 501, 800, 999, 1000)
ORIGINS = ((), ("fence bash",), ("fence bash", "base64"), ("comment",), ("normalised",))
EXCEPTIONS = (
    "RuntimeError", "TimeoutError", "UnicodeDecodeError", "KeyError", "MemoryError", "RecursionError", "ValueError",
    "NotImplementedError", "ReviewError",
)  # fmt: skip
PERSONS = (
    "mira",
    "mira",
    "omar",
    "ida",
    "Mira ",
    "\uff2dIRA",
    "o\u200bmar",
    "",
    " \u2060",
    "mira\ufe0f",
    "\u3164",
    "o\u034fmar",
)
TODAY = 740000
_SIZES, _LARGE = (0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 8, 10), (13, 18, 25, 35)


class Case(NamedTuple):
    """One input of everything at once.

    ``findings``: (rule, category, kind, path, fingerprint, severity, confidence, executable, origin, author). ``gaps``:
    (reason, path, fingerprint, detail). ``entries``: (rule, path, fingerprint or None, last day or None). ``gap_entries``:
    (reason, path, fingerprint, last day). ``seats``: (family, role). ``packages``: (role, fingerprints). ``replies``:
    (seat, package, attempt, body), a body being {"raise": NAME}, {"text": TEXT} or {"json": VALUE}. ``parts``: (path,
    executable). ``rulings``: (names this docket, person, approves, overrides, last day or None,
    reason, names these bytes).
    """

    today: int
    findings: list[list[Plain]]
    gaps: list[list[Plain]]
    entries: list[list[Plain]]
    gap_entries: list[list[Plain]]
    seats: list[list[str]]
    packages: list[list[Plain]]
    replies: list[list[Plain]]
    parts: list[list[Plain]]
    rulings: list[list[Plain]]
    needed: int
    may_override: bool


def to_json(case: Case) -> str:
    """One line, the same for the same case."""
    return json.dumps(case._asdict(), sort_keys=True, separators=(",", ":"))


def from_json(line: str) -> Case:
    """The case of a line."""
    return Case(**json.loads(line))


def generate(kind: str, number: int) -> Case:
    """Case ``number`` of a generator: ``well-formed`` or ``hostile``."""
    rng = random.Random(f"{kind} {number}")
    hostile = kind == "hostile"
    findings = [_finding(rng, hostile) for _ in range(rng.choice(_LARGE if rng.random() < 0.05 else _SIZES))]
    findings += _corroborating(rng) + _again(rng, findings)
    rng.shuffle(findings)
    seats = [[rng.choice(FAMILIES), _role(rng)] for _ in range(rng.choice((0, 1, 2, 2, 2, 3, 3, 4, 5, 6)))]
    packages = _packages(rng, findings, {role for _, role in seats})
    parts = [[path, rng.random() < 0.4] for path in PATHS]
    gaps = [_gap(rng) for _ in range(rng.choice((0, 0, 0, 0, 1, 1, 2, 5, 9)))]
    return Case(
        today=TODAY,
        findings=findings,
        gaps=gaps,
        entries=_entries(rng, findings),
        gap_entries=_gap_entries(rng, gaps),
        seats=seats,
        packages=packages,
        replies=_replies(rng, seats, packages, hostile),
        parts=parts,
        rulings=[_ruling(rng) for _ in range(rng.choice((0, 0, 0, 1, 2, 3, 4, 6, 9)))],
        needed=rng.choice((0, 1, 1, 2)),
        may_override=rng.random() < 0.3,
    )


def _finding(rng: random.Random, hostile: bool) -> list[Plain]:
    rule, category, kind, severity, confidence = rng.choice(RULES)
    confidence = rng.choice((confidence, rng.choice(EDGES), rng.randrange(1001)))
    mark = f"{rule[:4]}{rng.randrange(3)}"
    if hostile:
        category, kind, severity = rng.choice(CATEGORIES), rng.choice(KINDS), rng.randrange(4)
        confidence = rng.choice((confidence, -5, 2000, 10**9))
        mark = rng.choice((mark, "a", "b", "", "é", "constructor"))
    place, executable = rng.choice(PATHS), rng.random() < 0.3
    origin, author = list(rng.choice(ORIGINS)), rng.choice(AUTHORS)
    return [rule, category, kind, place, mark, severity, confidence, executable, origin, author]


def _corroborating(rng: random.Random) -> list[list[Plain]]:
    """Now and then words and an act about one deed, by two rules whose names may begin alike: together they may block."""
    if rng.random() >= 0.15:
        return []
    beginning, categories = rng.choice(BEGINNINGS), rng.choice(DEEDS)
    kinds = [EvidenceKind.WORDS.value, rng.choice(KINDS)]
    return [
        [f"{beginning}{name}", category, kind, rng.choice(PATHS), name, rng.choice((1, 2, 2, 2, 3)), rng.choice((499, 500, 500, 640)),
         False, [], Author.RULE.value]
        for name, category, kind in zip(rng.choice(("ab", "ab", "ab", "aa")), categories, kinds, strict=True)
    ]  # fmt: skip


def _again(rng: random.Random, findings: Sequence[list[Plain]]) -> list[list[Plain]]:
    """Now and then one finding up to five times more, each as bad as it happens to be."""
    if not findings or rng.random() >= 0.15:
        return []
    first = rng.choice(findings)
    return [
        [
            *first[:5],
            rng.choice((first[5], rng.randrange(4))),
            rng.choice((first[6], *EDGES)),
            rng.random() < 0.25,
            *first[8:],
        ]
        for _ in range(rng.choice((1, 2, 3, 4, 5, 5)))
    ]


def _role(rng: random.Random) -> str:
    return rng.choice((*ROLES, Role.FINDINGS.value, Role.FINDINGS.value))


def _gap(rng: random.Random) -> list[Plain]:
    return [
        rng.choice(REASONS),
        rng.choice(GAP_PATHS),
        rng.choice(("", "g0", "g1")),
        rng.choice(("", "why", "another")),
    ]


def _gap_entries(rng: random.Random, gaps: Sequence[list[Plain]]) -> list[list[Plain]]:
    entries = []
    for gap in gaps:
        if rng.random() < 0.6:
            reason, path, mark, _ = gap if rng.random() < 0.8 else _gap(rng)
            for _ in range(rng.choice((1, 1, 1, 2, 3, 4))):
                entries.append(
                    [reason, path, mark or "g2", rng.choice((TODAY - 1, TODAY - 1, TODAY, TODAY + 9))]
                )
    return entries


def _ruling(rng: random.Random) -> list[Plain]:
    last = rng.choice((None, None, TODAY - 1, TODAY, TODAY + 1))
    return [
        rng.random() < 0.8,
        rng.choice(PERSONS),
        rng.random() < 0.8,
        rng.random() < 0.5,
        last,
        rng.choice(("read it", "r", "r", "", " \u200b", "\u2800", "...")),
        rng.random() < 0.6,
    ]


def _entries(rng: random.Random, findings: Sequence[list[Plain]]) -> list[list[Plain]]:
    entries: list[list[Plain]] = []
    for _ in range(rng.choice((0, 0, 1, 2, 3, 6))):
        last = rng.choice((TODAY - 1, TODAY, TODAY + 1, TODAY + 400))
        if rng.random() < 0.5 and findings:
            rule, _, _, path, mark, *_ = rng.choice(findings)
            entry = [rule, path, rng.choice((mark, mark, mark, "gone")) or "gone", rng.choice((None, last))]
            for _ in range(rng.choice((0, 0, 0, 1, 2, 3))):
                entries.append([*entry[:3], rng.choice((TODAY - 1, TODAY - 1, TODAY, last))])
        else:
            entry = [rng.choice(RULE_GLOBS), rng.choice(GLOBS), None, last]
        entries.append(entry)
    return [entry for entry in entries if not _refused(entry)]


def _refused(entry: list[Plain]) -> bool:
    rule, path, mark, _ = entry
    return mark is None and bool(rule and path) and not any(c.isalnum() for c in rule + path)


def _packages(rng: random.Random, findings: Sequence[list[Plain]], roles: set[str]) -> list[list[Plain]]:
    """Packages for each role that has a seat: the findings in up to 6, mostly all of them; one or two of the others."""
    packages: list[list[Plain]] = []
    if Role.FINDINGS.value in roles:
        marks = sorted({row[4] for row in findings})
        rng.shuffle(marks)
        groups: list[list[str]] = [[] for _ in range(rng.choice((1, 1, 1, 2, 3, 6)))]
        left_out = 0.2 if rng.random() < 0.1 else 0.0
        for mark in marks:
            if rng.random() >= left_out:
                for group in rng.sample(groups, 2 if len(groups) > 1 and rng.random() < 0.1 else 1):
                    group.append(mark)
        packages += [[Role.FINDINGS.value, group] for group in groups]
    for role in (Role.SKILL.value, Role.DETECTOR.value):
        if role in roles:
            packages += [[role, []] for _ in range(rng.choice((1, 1, 2)))]
    rng.shuffle(packages)
    return packages


def _replies(
    rng: random.Random, seats: Sequence[list[str]], packages: Sequence[list[Plain]], hostile: bool
) -> list[list[Plain]]:
    """Up to three attempts of each seat at each package of its role."""
    replies = []
    agreeable = rng.random() < 0.5
    for seat, (_, role) in enumerate(seats):
        mood = rng.random() * (0.5 if agreeable else 1.0)
        for package, (of, about) in enumerate(packages):
            if of != role or (rng.random() < 0.05 and not agreeable):
                continue
            for attempt in sorted(rng.sample(range(3), rng.choice((1, 1, 1, 2, 3) if hostile else (1,)))):
                body = _body(rng, role, about, mood, hostile and not (agreeable and rng.random() < 0.9))
                replies.append([seat, package, attempt, body])
    rng.shuffle(replies)
    return replies


def _body(rng: random.Random, role: str, about: Sequence[str], mood: float, hostile: bool) -> Plain:
    if hostile and rng.random() < 0.06:
        return {"raise": rng.choice(EXCEPTIONS)}
    value = reply_value(rng, role, about, mood, hostile, PATHS)
    if hostile and rng.random() < 0.12:
        return {"text": reply_text(rng, value)}
    return {"json": value}

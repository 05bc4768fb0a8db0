"""What a skill says of its own care, and code of it that does the opposite."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sluicegate.vet.inspect.analyzers.structures.registry import HIGH, BundleFacts, rule, structure_rule
from sluicegate.vet.inspect.rule import Match
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Category

CONTRADICTED = rule(
    "claim-contradicted", "Promises a safety that its code does not keep", Category.SOCIAL_ENGINEERING, HIGH, 600,
    why="The claim is why people and agents trust the skill with what they would otherwise check. The code does the opposite.",
    fix="Make the claim true, or remove it.",
    references=("ASI09", "CWE-1059", "CWE-451"),
)  # fmt: skip

HEAD = 8_192
BODY = 2_000
"""Characters after a claim in a docstring in which the same function's code is looked for."""

CLAIMS = 200
"""Claims of one program that are compared with the code below them."""
PROGRAM = 64 * 1024
"""Characters of a program in which the opposite of a claim is looked for."""

_PROGRAMS = frozenset({Kind.PYTHON, Kind.JAVASCRIPT, Kind.TYPESCRIPT})
_CLAIMS: tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...] = (
    (
        "queries with placeholders",
        lazy(r"(?i)parameteri[sz]ed|prepared statements?|injection[- ](?:safe|proof)|prevents? (?:sql )?injection"),
        lazy(
            r"(?i)\bf[\"']{1,3}\s{0,4}(?:SELECT|INSERT INTO|UPDATE|DELETE FROM)\s[^\n\"]{0,160}(?:=|LIKE)\s{0,2}'?%?\{"
            r"|[\"'](?:SELECT|INSERT INTO|UPDATE|DELETE FROM)\s[^\"'\n]{0,160}(?:=|LIKE)\s{0,2}'?%?[\"']\s{0,2}[+%]\s{0,2}[a-z_]"
        ),
    ),
    (
        "safe evaluation",
        lazy(r"(?i)\b(?:safe(?:ly)?|secure(?:ly)?|sandboxed)\b[^.\n]{0,60}\b(?:calculat|evaluat|execut|expression|formula|math|run)"),
        lazy(r"(?<![\w.])(?:eval|exec)\(\s{0,2}(?:f[\"']|[a-z_]\w{0,40}\s{0,2}\))"),
    ),
    (
        "safe reading of files",
        lazy(r"(?i)\b(?:safe(?:ly)?|secure(?:ly)?|validated?|validation)\b[^.\n]{0,60}\b(?:read|file|document|path|load)"
             r"|\bread[^.\n]{0,60}\b(?:safely|securely)\b"),
        lazy(r"os\.path\.join\(\s{0,2}\w{1,40}\s{0,2},\s{0,2}(?:file_?name|name|path|user_\w{1,20})\s{0,2}\)|path\.join\(\s{0,2}\w{1,40}\s{0,2},\s{0,2}(?:fileName|filename|name)\s{0,2}\)"),
    ),
)  # fmt: skip
"""What is claimed in the front matter, and the code that contradicts it."""
_CHECKED = lazy(
    r"is_relative_to|commonpath|realpath|\.resolve\(\)|startswith\(|startsWith\(|secure_filename|basename\(|normpath|literal_eval|ast\.parse"
)
_WORDS = ("safe", "secur", "sandbox", "parameteri", "prepared", "injection", "validat")

_HARMLESS = lazy(
    r"(?i)\b(?:read[- ]only\b|no side[- ]effects?|makes? no changes|nothing is (?:written|deleted|changed)"
    r"|does(?: not|n't) (?:write|modify|delete|change) (?:anything|any files?|the (?:file|source|disk)))"
)
_CHANGES = lazy(
    r"\bos\.(?:remove|unlink|rename|rmdir|removedirs)\(|\bshutil\.(?:rmtree|move)\(|\.unlink\(|\.write_(?:text|bytes)\(|\bopen\([^\n)]{1,80},\s{0,2}[\"'][wa]b?[\"']"
    r"|\bfs\.(?:unlink|rm|rmdir|rename|writeFile)(?:Sync)?\("
)
_HARMLESS_WORDS = ("read-only", "read only", "side effect", "side-effect", "no changes", "nothing is", "anything", "any file", "the file", "the source", "the disk")  # fmt: skip
"""One of them stands wherever ``_HARMLESS`` is found."""
_NEXT = lazy(r"^(?:async )?(?:def|class|function|export) ", re.MULTILINE)


@structure_rule(CONTRADICTED)
def claims(facts: BundleFacts) -> Iterator[Match]:
    """A claim of the manifest against all programs; a claim of a function against its own body."""
    programs = [view for view in facts.raw if view.language in _PROGRAMS]
    if not programs:
        return
    yield from _of_manifest(facts, programs)
    for view in programs:
        low = facts.low(view)
        if any(word in low for word in _HARMLESS_WORDS):
            yield from _of_functions(facts, view)


def _of_manifest(facts: BundleFacts, programs: list[View]) -> Iterator[Match]:
    head = next(
        (v for v in facts.steps("front-matter") if facts.manifest and v.path == facts.manifest.path), None
    )
    text = head.text[:HEAD] if head is not None else ""
    if not any(word in text.lower() for word in _WORDS):
        return
    for name, claim, opposite in _CLAIMS:
        said = claim.search(text)
        for view in programs if said is not None else ():
            found = opposite.search(view.text, 0, PROGRAM)
            if found is not None and said is not None and _CHECKED.search(view.text) is None:
                yield Match(
                    rule=CONTRADICTED.id, view=view, start=found.start(), end=found.end(),
                    message=f"The manifest promises {name} ('{said[0][:80]}'). {CONTRADICTED.why}", trace=(f"promise={said[0]}",),
                )  # fmt: skip
                break


def _of_functions(facts: BundleFacts, view: View) -> Iterator[Match]:
    for claim in facts.first(view, _HARMLESS.finditer(view.text), CLAIMS, "claims of functions"):
        opening = view.text[max(0, claim.start() - 300) : claim.start()]
        if '"""' not in opening and "/**" not in opening:
            continue
        stop = _NEXT.search(view.text, claim.end(), claim.end() + BODY)
        end = stop.start() if stop is not None else claim.end() + BODY
        before = view.text.rfind("def ", max(0, claim.start() - BODY), claim.start())
        found = _CHANGES.search(view.text, claim.end(), end) if before != -1 or "/**" in opening else None
        if found is not None:
            yield Match(
                rule=CONTRADICTED.id, view=view, start=found.start(), end=found.end(),
                message=f"The function says '{claim[0]}', and changes files. {CONTRADICTED.why}", trace=(f"promise={claim[0]}",),
            )  # fmt: skip
            return

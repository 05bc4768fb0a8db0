"""Loops that ask another machine without an end and without a pause."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sluicegate.known import hosts
from sluicegate.vet.inspect.analyzers.structures.registry import MEDIUM, BundleFacts, rule, structure_rule
from sluicegate.vet.inspect.rule import Match
from sluicegate.vet.intake.bundle import Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy, seldom
from sluicegate.vet.verdict.types import Category

ENDLESS = rule(
    "endless-requests", "Sends requests without an end", Category.RESOURCE_ABUSE, MEDIUM, 600,
    why="A loop without an end and without a pause takes as much as the other side gives: it hammers a service, or spends the user's "
    "money where each request costs.",
    fix="Bound the number of tries, and wait between them.",
    references=("LLM10", "ASI08", "T1499", "CWE-834", "CWE-770"),
)  # fmt: skip

_SHELL = seldom(
    ("while", "until", "(("),
    r"\b(?:while[ \t]{1,4}(?:true|:|1|\[ 1 \]|\(\(1\)\))|until[ \t]{1,4}false|for[ \t]{0,4}\(\([ ;]{1,6}\)\))[ \t]{0,4};?\s{0,8}do\b",
)
_PYTHON = seldom(("while",), r"(?m)^([ \t]{0,60})while[ \t]{1,4}(?:True|1)[ \t]{0,4}:[^\n]{0,200}$")
_SCRIPT = seldom(
    ("while", "for"),
    r"\b(?:while[ \t]{0,4}\([ \t]{0,4}(?:true|1)[ \t]{0,4}\)|for[ \t]{0,4}\([ ;]{1,6}\))[ \t]{0,4}\{",
)
_BEGINS = {
    Kind.SHELL: _SHELL,
    Kind.PYTHON: _PYTHON,
    Kind.JAVASCRIPT: _SCRIPT,
    Kind.TYPESCRIPT: _SCRIPT,
}
_ASKS = lazy(
    r"\b(?:curl|wget|xh|claude|codex|gemini|llm|openai)[ \t]+[-\"'$h\w]|\b(?:requests|httpx|aiohttp|session|urllib\.request)\.\w{2,12}\(|\burlopen\("
    r"|\b(?:completions|messages|responses|images|embeddings)\.(?:create|generate)\(|\bgenerate_content\(|\bfetch\(|\baxios\b|\bhttps?\.(?:get|request)\("
)
_ENDS = lazy(
    r"\b(?:sleep|break|exit|return|raise|throw|wait|read|timeout|inotifywait|input|yield|accept|recv\w{0,8}|setTimeout|delay|backoff|Timeout|until|limiter|throttle"
    r"|select|poll|process\.exit|sys\.exit)\b"
)
"""What ends a loop, or makes it pause."""
_PARTS = lazy(r"\b(?:do|done)\b")
_BRACES = lazy(r"[{}]")
_MOST = 64
_LONGEST = 8_000
"""Characters of one loop that are looked at."""


@structure_rule(ENDLESS)
def loops(facts: BundleFacts) -> Iterator[Match]:
    """Loops that never end, with a request to somebody else in them and nothing that pauses."""
    for view in facts.views:
        pattern = _BEGINS.get(view.language)
        if pattern is None or (
            "while" not in view.text and "until" not in view.text and "for" not in view.text
        ):
            continue
        for number, found in enumerate(pattern.finditer(view.text)):
            if number == _MOST:
                facts.left(view, f"only the first {_MOST} endless loops were looked at")
                break
            body = _body(view, found)
            asks = _ASKS.search(body)
            if (
                asks is None
                or _ENDS.search(body) is not None
                or hosts.classify(body[: hosts.LONGEST]) is hosts.Host.LOCAL
            ):
                continue
            end = found.end() + asks.end()
            yield Match(
                rule=ENDLESS.id,
                view=view,
                start=found.start(),
                end=min(end, len(view.text)),
                evidence=found[0].strip(),
            )


def _body(view: View, found: re.Match[str]) -> str:
    text = view.text[found.end() : found.end() + _LONGEST]
    if view.language is Kind.PYTHON:
        return "\n".join(_indented(text, len(found[1].expandtabs())))
    depth, parts = 1, _PARTS if view.language is Kind.SHELL else _BRACES
    for part in parts.finditer(text):
        depth += 1 if part[0] in ("do", "{") else -1
        if depth == 0:
            return text[: part.start()]
    return text


def _indented(text: str, margin: int) -> Iterator[str]:
    for line in text.split("\n"):
        if line.strip() and len(line.expandtabs()) - len(line.expandtabs().lstrip()) <= margin:
            return
        yield line

"""Findings without the secrets that they are about: a report goes to logs, to comments and to a queue.

What the rules of category ``hardcoded-secret`` matched stands nowhere in what is said of a skill, but for its first four
characters, which tell what it is a key of, and for what reads as words (``readable``). Where it stands is told by its place.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from sluicegate.vet.inspect.readable import hidden
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Finding

_HEAD = lazy(r"-----BEGIN [A-Z ]{0,40}-----|\S{4}")
_TOKEN = lazy(r"\S+")
_LEAST = 8
"""Characters of the beginning of a secret, at the end of a text that was cut, that are hidden, too."""


def without_secrets(findings: Iterable[Finding], secrets: Collection[str]) -> list[Finding]:
    """The findings; none of them quotes one of these."""
    return [
        finding._replace(
            evidence=masked(finding.evidence, secrets),
            message=masked(finding.message, secrets),
            adjustments=tuple(masked(why, secrets) for why in finding.adjustments),
        )
        for finding in findings
    ]


def masked(text: str, secrets: Collection[str]) -> str:
    """A text without these secrets."""
    for secret in sorted(secrets, key=lambda each: (-len(each), each)):
        if secret in text:
            text = text.replace(secret, _masked(secret))
        elif text.endswith("…") and (cut := _cut_within(text[:-1], secret)):
            text = f"{text[: -cut - 1]}{_masked(secret[:cut])}…"
    return text


def _cut_within(text: str, secret: str) -> int:
    """How many characters of the beginning of a secret stand at the end of a text, if there are enough."""
    most = min(len(text), len(secret))
    return next((n for n in range(most, _LEAST - 1, -1) if text.endswith(secret[:n])), 0)


def _masked(secret: str) -> str:
    head = _HEAD.match(secret)
    start = head.end() if head is not None else 0
    return secret[:start] + _TOKEN.sub(_token, secret[start:])


def _token(match: re.Match[str]) -> str:
    said, at = [], 0
    for start, end in hidden(match[0]):
        said += [match[0][at:start], f"[{end - start} characters, masked]"]
        at = end
    return "".join((*said, match[0][at:]))

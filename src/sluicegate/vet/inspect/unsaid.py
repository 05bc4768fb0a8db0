"""Findings without the secrets that they are about: a report goes to logs, to comments and to a queue.

What the rules of category ``hardcoded-secret`` matched stands nowhere in what is said of a skill, but for its first four
characters, which tell what it is a key of, and for what reads as words (``readable``). Where it stands is told by its place.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable

from sluicegate.vet.inspect.readable import hidden
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Finding

_HEAD = lazy(r"-----BEGIN [A-Z ]{0,40}-----|\S{4}")
_TOKEN = lazy(r"\S+")
_LEAST = 8
"""Characters of the beginning of a secret, at the end of a text that was cut, that are hidden, too."""


class Secrets:
    """Secrets that are not to be quoted. A skill may hold many: a text is read once, whatever their number."""

    def __init__(self, secrets: Collection[str]) -> None:
        self._whole = frozenset(secrets)
        self._sorted = sorted(secrets)
        self._lengths = sorted({len(each) for each in secrets}, reverse=True)
        self._head = min(_LEAST, *self._lengths) if self._lengths else _LEAST
        self._heads = frozenset(each[: self._head] for each in secrets)

    def out_of(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings; none of them quotes a secret."""
        return [
            finding._replace(
                evidence=self.masked(finding.evidence),
                message=self.masked(finding.message),
                adjustments=tuple(map(self.masked, finding.adjustments)),
            )
            for finding in findings
        ]

    def masked(self, text: str) -> str:
        """A text without secrets, and without the beginning of one at which it was cut."""
        said, at, shown = [], 0, 0
        while at < len(text):
            length = self._length(text, at) if text[at : at + self._head] in self._heads else 0
            if length:
                said += [text[shown:at], _masked(text[at : at + length])]
                shown = at + length
            at += length or 1
        return "".join((*said, text[shown:])) if said else text

    def _length(self, text: str, at: int) -> int:
        """Of the longest secret that stands there; of what is left of one, where the text was cut in it."""
        for length in self._lengths:
            if text[at : at + length] in self._whole:
                return length
        left = text[at:-1] if text.endswith("…") else ""
        if len(left) < _LEAST:
            return 0
        place = bisect_left(self._sorted, left)
        return len(left) if place < len(self._sorted) and self._sorted[place].startswith(left) else 0


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

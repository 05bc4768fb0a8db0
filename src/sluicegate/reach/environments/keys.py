"""Where text that leaves this machine may hold a key. Whoever reads it errs towards yes: what is left out can be put in again.

1. What the reviewers' masking finds.
2. What stands behind a name that means a credential: ``--api-key=VALUE``, ``token: VALUE``.
3. A long run of letters of both cases and digits, which no word is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sluicegate.known import names
from sluicegate.patterns import late
from sluicegate.vet.review.mediator.masking import secrets

_NAMED: Final = late(r"([A-Za-z][A-Za-z0-9_-]{1,60})[\"']?\s{0,4}[:=]\s{0,4}[\"']?([^\s\"'${},]{8,4000})")
_RUN: Final = late(r"[A-Za-z0-9_+=-]{24,4000}")


def keys_in(text: str) -> list[tuple[int, int]]:
    """The places of what may be keys, in order; none overlaps the next."""
    found: list[tuple[int, int]] = []
    for start, end in sorted({*secrets(text), *_named(text), *_runs(text)}):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def means_a_key(name: str) -> bool:
    """Whether an option or a variable of this name holds a credential."""
    return names.secret(name.lstrip("-").replace("-", "_"))


def _named(text: str) -> Iterator[tuple[int, int]]:
    for match in _NAMED.finditer(text):
        if means_a_key(match[1]):
            yield match.span(2)


def _runs(text: str) -> Iterator[tuple[int, int]]:
    for match in _RUN.finditer(text):
        word = match[0]
        if any(map(str.isdigit, word)) and any(map(str.isupper, word)) and any(map(str.islower, word)):
            yield match.span()

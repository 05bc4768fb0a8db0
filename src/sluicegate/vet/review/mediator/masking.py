"""Where secrets stand in a text: by the rules that find them, and by the names of the variables that hold them.

A secret is no business of a model, which sends it to whoever runs that model. What is masked are the keys of the rules of
category ``hardcoded-secret``, whole private keys, and quoted random values under a name that means a credential.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from sluicegate.known import names
from sluicegate.vet.inspect.analyzers import checks
from sluicegate.vet.inspect.compile import compile_sources, sources
from sluicegate.vet.lazy import lazy
from sluicegate.vet.review.mediator.offsets import in_characters

if TYPE_CHECKING:
    import yara_x

_CATEGORY = 'category = "hardcoded-secret"'
_REST_OF_KEY = lazy(rb"[A-Za-z0-9+/=\s\\]{0,20000}(?:-----END [A-Z ]{0,40}-----)?")
_ASSIGNED = lazy(
    r"\b([A-Za-z_][\w-]{1,60})[\"']?\s{0,4}(?::=|[:=])\s{0,4}([\"'])([^\"'\s]{16,400})\2"
    r"|^\s{0,8}(?:export )?([A-Z_][A-Z0-9_]{2,60})=([^\"'\s$]{16,400})$",
    re.MULTILINE,
)


@cache
def _rules() -> yara_x.Rules:
    """The rules that find secrets, with the others of their files."""
    return compile_sources({name: text for name, text in sources().items() if _CATEGORY in text})


def secrets(text: str) -> list[tuple[int, int]]:
    """The offsets of all secrets of a text, in order; none overlaps the next."""
    found = [*_by_rule(text), *_by_name(text)]
    joined: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _by_rule(text: str) -> list[tuple[int, int]]:
    import yara_x

    data = text.encode("utf-8", "replace")  # as many characters, but for lone surrogates, which are one byte
    found: list[tuple[int, int]] = []
    for rule in yara_x.Scanner(_rules()).scan(data).matching_rules:
        if ("category", "hardcoded-secret") not in rule.metadata:
            continue
        for pattern in rule.patterns:
            for match in pattern.matches:
                start, end = match.offset, match.offset + match.length
                said = data[start:end].decode("utf-8", "replace")
                if not checks.secret(said):
                    continue
                if said.startswith("-----"):
                    rest = _REST_OF_KEY.match(data, end)
                    end = rest.end() if rest is not None else end
                found.append((start, end))
    return in_characters(data, found)


def _by_name(text: str) -> list[tuple[int, int]]:
    if "=" not in text and ":" not in text:
        return []
    found = []
    for match in _ASSIGNED.finditer(text):
        name, group = (match[1], 3) if match[1] else (match[4], 5)
        if names.secret(name.replace("-", "_")) and checks.random_key(match[group]):
            found.append(match.span(group))
    return found

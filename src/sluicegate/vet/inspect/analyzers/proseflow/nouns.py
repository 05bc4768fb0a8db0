"""What a passage says is to be sent, where its command has a gap in that place."""

from __future__ import annotations

import re

from sluicegate.vet.inspect.analyzers.proseflow.words import manner
from sluicegate.vet.inspect.analyzers.proseflow.words.private import KEYS, OWN, PLAIN
from sluicegate.vet.lazy import lazy

_PUBLIC = lazy(
    r"\bpublic (?:\w{1,9} )?keys?\b|[\w./~-]{1,120}\.pub\b|\bauthorized_keys\b|\bknown_hosts\b", re.IGNORECASE
)
"""What everybody may have."""
_OF_NOBODY = lazy(
    r"private|secret key|^\.(?!env|npmrc|pypirc|docker)|key ?(?:chain|store|ring|folder)|wallet|id_|(?:saved|stored|browser) |identity|host key|signing",
    re.IGNORECASE,
)
"""Credentials that no service asks for."""


def named(said: str) -> list[str]:
    """Every credential and thing of the user's own that a passage names, for the trace of what was found by one of them."""
    found = {match[0] for pattern in (KEYS, OWN) for match in pattern.finditer(said)}
    return sorted(found)


def private(said: str) -> list[tuple[str, str]]:
    """The kind of fact and the word: a credential, what is the user's own, or anything that is always sent."""
    secret = KEYS.search(_PUBLIC.sub(" ", said))
    if secret is not None:
        return [("kept" if _OF_NOBODY.search(secret[0]) is not None else "said", secret[0])]
    own = OWN.search(said)
    if own is not None:
        return [("own", own[0])]
    standing = manner.STANDING.search(said)
    if standing is not None and PLAIN.search(said) is not None:
        return [("own", f"what is sent {standing[0]}")]
    return []

"""What a passage says is to be sent, where its command has a gap in that place."""

from __future__ import annotations

from sluicegate.vet.inspect.analyzers.proseflow import words


def named(said: str) -> list[str]:
    """Every credential and thing of the user's own that a passage names, for the trace of what was found by one of them."""
    found = {match[0] for pattern in (words.KEYS, words.OWN) for match in pattern.finditer(said)}
    return sorted(found)


def private(said: str) -> list[tuple[str, str]]:
    """The kind of fact and the word: a credential, what is the user's own, or anything that is always sent."""
    secret = words.KEYS.search(said)
    if secret is not None:
        return [("said", secret[0])]
    own = words.OWN.search(said)
    if own is not None:
        return [("own", own[0])]
    standing = words.STANDING.search(said)
    if standing is not None and words.PLAIN.search(said) is not None:
        return [("own", f"what is sent {standing[0]}")]
    return []

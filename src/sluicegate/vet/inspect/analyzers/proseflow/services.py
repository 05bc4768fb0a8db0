"""Whose credential a sentence speaks of, by its name, and whether it is ordered to go to somebody else."""

from __future__ import annotations

import re
from collections.abc import Callable

from sluicegate.known.names import PROVIDERS
from sluicegate.vet.inspect.analyzers.proseflow.passages import TextSpan
from sluicegate.vet.inspect.analyzers.proseflow.text import TOLD_OF, Text
from sluicegate.vet.inspect.analyzers.proseflow.words import moves
from sluicegate.vet.inspect.analyzers.purpose import common_host, secret_words
from sluicegate.vet.lazy import lazy

HOSTS = {name.lower(): hosts for name, hosts in PROVIDERS.items() if hosts}
"""Words in the name of a credential that say whose it is, and what stands in the names of the hosts that it is for."""

_KIND = r"(?:(?:api|access|auth|bearer|session|refresh|secret|personal access|deploy|service account|oauth|bot|app|live)[ _-]?){0,2}(?:keys?|tokens?|secrets?|cookies?|credentials?|passwords?|pat)"
_NAMED = lazy(rf"\b({'|'.join(HOSTS)}|hugging face)(?:'s|’s)?[ _-]{_KIND}\b", re.IGNORECASE)
"""A credential with the name of a service in front of it: ``the user's GitHub token``."""
_OF = lazy(
    rf"\b{_KIND} (?:of|for|from) (?:the |their |your |his |her |(?:the )?(?:user|customer|owner|client)(?:'s|’s)? ){{0,2}}({'|'.join(HOSTS)})\b",
    re.IGNORECASE,
)
_VARIABLE = lazy(
    r"\b[A-Z][A-Z0-9]{1,20}_(?:[A-Z0-9]{1,20}_){0,3}(?:KEY|TOKEN|SECRET|PASSWORD|PAT|CREDENTIALS)\b"
)
_OF_A_FILE = lazy(
    r"\.(?:cache/)?(aws|docker|npm|slack|huggingface|azure|config/gh)\b[\w./-]{0,40}", re.IGNORECASE
)
_FETCHED = lazy(
    r"\b(?:obtain(?:ed)?|created?|creating|generated?|generating|find|found|issued?|rotated?|revoked?|sign up|manage[ds]?|documented|documentation|docs|see|read more|learn|visit"
    r"|guide|details|described|instructions|instead of|rather than|not)\b",
    re.IGNORECASE,
)
"""Verbs of a sentence in which an address tells where a credential comes from, or is read about."""
_GIVEN = lazy(
    r"\b(?:use|send|sends|pass|authenticate|authorize|authorise|call|log in|login|sign in|enter|carry|carries|attach|forward|register|validate|verify|check|set|keep"
    r"|include|quote|have|put|add|needs?|requires?|needed|provide|supply|give|present|transmit(?:t)?|post|submit|upload|hand|append|place|insert|paste|copy|share)(?:e?d|s|ing)?\b",
    re.IGNORECASE,
)


def misdirected(
    of: Text, pieces: list[TextSpan], number: int, start: int, end: int, host: str
) -> tuple[int, str] | None:
    """Where an order begins that has a credential sent to a host which is not that of its owner, and the credential; or None.

    1. Somebody's credential is named, here or in the sentence before that this one speaks of, and no owner of one that
       is named has such a host.
    2. It is given there: a verb of giving or using, not negated, and none that tells where a credential comes from.
    """
    sentence = pieces[number]
    before = of.text[sentence.start : start]
    said = f"{before} {of.text[end : sentence.end]}"
    owned = list(owned_in(said))
    if not owned and number and _WITH_IT.search(said) is not None:
        owned = list(owned_in(of.said(pieces[number - 1])))
    if not owned or any(any(part in host for part in HOSTS[owner]) for owner, _ in owned):  # 1
        return None
    begins = given(of, sentence, said, len(before))
    return None if begins is None else (begins, owned[0][1])  # 2


def rightful(said: str, host: str) -> bool:
    """Whether a sentence names a credential of whoever owns the host."""
    return any(part in host for owner, _ in owned_in(said) for part in HOSTS[owner])


def given(of: Text, sentence: TextSpan, said: str, address: int) -> int | None:
    """Where in a sentence, said without its address, a verb begins that gives a credential away, or None."""
    if _FETCHED.search(said) is not None:
        return None
    for verb in _GIVEN.finditer(said):
        behind = verb.start() >= address
        at = sentence.start + verb.start()
        if (behind or not of.negated(at)) and TOLD_OF.search(said, 0, verb.start()) is None:
            return min(verb.start(), address)
    return None


def to_a_stranger(
    of: Text, sentence: TextSpan, explains: Callable[[str], bool]
) -> tuple[int, str, str] | None:
    """The same of a host that is written without its scheme: where the order begins, the credential and the host."""
    said = of.said(sentence)
    owned = list(owned_in(said))
    host = moves.STRANGER.search(said) if owned else None
    if host is None or any(any(part in host["host"].lower() for part in HOSTS[owner]) for owner, _ in owned):
        return None
    begins = given(of, sentence, said, len(said))
    if begins is None or common_host(host["host"].lower()) or explains(host["host"].lower()):
        return None
    return begins, owned[0][1], host["host"]


_WITH_IT = lazy(
    r"\b(?:with|using|by|as|send|pass|give|present|hand|attach|append|forward|include|post) (?:it|them|that|this|the (?:token|key|secret))\b",
    re.IGNORECASE,
)


def owned_in(said: str) -> list[tuple[str, str]]:
    """Owners of the credentials that a sentence names, each with the words that name it."""
    found = [(match[1].lower().replace(" ", ""), match[0]) for match in _NAMED.finditer(said)]
    found += [(match[1].lower(), match[0]) for match in _OF.finditer(said)]
    for variable in _VARIABLE.finditer(said):
        found += [(word, variable[0]) for word in sorted(secret_words(variable[0])) if word in HOSTS]
    found += [
        ("gh" if match[1].lower().endswith("gh") else match[1].lower(), match[0])
        for match in _OF_A_FILE.finditer(said)
    ]
    return [one for one in found if one[0] in HOSTS]

"""Deeds that a sentence orders without an address: each a class of verbs, of objects, and what makes it grave.

An order has its object behind the verb (``switch off the firewall``), or in front of it (``the firewall is to be
switched off``). No wording is looked for: any verb of a deed goes with any of its objects.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.analyzers.proseflow import objects, rules
from sluicegate.vet.inspect.rule import Rule


class Deed(NamedTuple):
    """What is done, to what, and what has to be said besides; ``unless`` is what makes the same words harmless."""

    rule: Rule
    verb: re.Pattern[str]
    object: re.Pattern[str]
    also: re.Pattern[str] | None = None
    unless: re.Pattern[str] | None = None
    confidence: int = 550


class Ordered(NamedTuple):
    """A deed that a sentence names: where its verb begins, and the object."""

    deed: Deed
    verb: re.Match[str]
    object: re.Match[str]


DEEDS: dict[str, tuple[Deed, ...]] = {
    "allow": (
        Deed(rules.ALLOW, objects.SETS, objects.APPROVAL, objects.WIDE, objects.REFUSED, confidence=600),
        Deed(rules.ALLOW, objects.STARTS, objects.OPTION, confidence=600),
    ),
    "protection": (
        Deed(rules.DISABLE, objects.STOPS, objects.PROTECTION, unless=objects.TROUBLE),
        Deed(rules.DISABLE, objects.SKIPS, objects.CHECKS, unless=objects.TROUBLE),
        Deed(rules.DISABLE, objects.PUTS, objects.WEAK_MODE, unless=objects.TROUBLE),
    ),
    "way in": (
        Deed(rules.GRANT, objects.ADDS, objects.LOGIN_KEYS, unless=objects.OF_THE_USER, confidence=600),
        Deed(rules.GRANT, objects.ADDS, objects.ADMIN_ACCOUNT, objects.SECRET_WORD, confidence=600),
        Deed(rules.GRANT, objects.LETS, objects.ROOT_UNASKED, confidence=600),
    ),
    "hand over": (Deed(rules.SEND, objects.GIVES_AWAY, objects.CREDENTIALS, objects.OUTSIDE, confidence=600),),
    "stay": (Deed(rules.PERSIST, objects.ARRANGES, objects.ITSELF, objects.AT_START),
             Deed(rules.PERSIST, objects.ARRANGES, objects.NEWEST, objects.AT_START)),
    "traces": (Deed(rules.COVERT, objects.CLEARS, objects.TRACES, unless=objects.ROTATED, confidence=550),),
}  # fmt: skip


def named(kind: str, said: str, explains: Callable[[str], bool]) -> Iterator[Ordered]:
    """The deeds of one kind that a sentence names, with all that belongs to them. ``explains`` tells whose host it is."""
    for deed in DEEDS[kind]:
        if deed.also is not None and not _besides(deed.also, said, explains):
            continue
        if deed.unless is not None and deed.unless.search(said) is not None:
            continue
        for verb in deed.verb.finditer(said):
            upon = deed.object.search(said, verb.end()) or _before(deed.object, said, verb)
            if upon is not None:
                yield Ordered(deed, verb, upon)


def _besides(also: re.Pattern[str], said: str, explains: Callable[[str], bool]) -> bool:
    """Whether what makes a deed grave is said; a host is nothing grave if the skill explains it."""
    found = also.search(said)
    if found is None:
        return False
    host = found.groupdict().get("host")
    return host is None or not explains(host.lower())


def _before(upon: re.Pattern[str], said: str, verb: re.Match[str]) -> re.Match[str] | None:
    """The object in front of a verb: ``is to be switched off``, or ``and hand them over``."""
    passive = _PASSIVE.search(said, max(0, verb.start() - 30), verb.start())
    if passive is None and _THEM.match(said, verb.end()) is None:
        return None
    return upon.search(said, 0, verb.start())


_THEM = re.compile(r"\s(?:it|them|these|those|this|that|all of (?:it|them))\b", re.IGNORECASE)
_PASSIVE = re.compile(
    r"\b(?:be|is|are|gets?|been|being)\s(?:\w{2,12}\s)?$|\b(?:stop|let|have|make|get)\s[^.]{0,20}$",
    re.IGNORECASE,
)

TOLD_OF = re.compile(
    r"\b(?:attackers?|adversar\w{1,4}|intruders?|malware|malicious|whether|(?:check|checks|report|reports|look|looks|detect|detects|flag|flags|find|finds|warn|warns|search|scan)"
    r"(?: (?:that|if|for|about|of|any|all|the|every|settings|code|files|skills|places|where|when|which|whatever)){1,4}|for (?:example|instance)|such as|e\.g\.?|explain\w{0,3}|describ\w{1,3}|document\w{0,3}"
    r"|what happens|how to|(?:instructions?|requests?|attempts?|commands?|prompts?|orders?|tries|asks?|tells?|wants?)(?: \w{1,12}){0,3} to|ways? to|means|would|could|may|might|can)\b",
    re.IGNORECASE,
)
"""What in front of a verb makes it one that is spoken of: by whom else, as something to look for, or as something possible."""

"""What a sentence about secrets, secrecy or other tools comes to, where a pattern alone cannot tell.

A pattern finds the words; these checks read the rest of the sentence. Each lists what is meant harmlessly, and all that
sends, copies or keeps something from somebody else takes that back.
"""

from __future__ import annotations

import re

from sluicegate.vet.lazy import lazy

_REST = 200
_END = lazy(r"[.!?](?=[\s\"'`*_)]|$)|\n\s*\n|\n\s*(?:[-*+|#>]|\d+[.)])")
_LEAVES = lazy(
    r"\b(?:send|sends|sending|sent|upload\w{0,3}|share|sharing|give|provide|paste|pastes|post|posts|posting|forward\w{0,3}|submit\w{0,4}"
    r"|e-?mail\w{0,3}|transmit\w{0,4}|return|reply|repeat|here|to (?:you|me|us)|(?:chat|conversation|message|webhook|endpoint))\b|://|@",
    re.IGNORECASE,
)
"""What gives a secret to somebody, or to the agent."""
_KEEPS = lazy(
    r"\w{2,9}\s{1,3}(?:the\s{1,2}|your\s{1,2})?(?:user|customer|human|operator)s?\s{1,3}(?:to|that\s{1,2}they\s{1,2}(?:should|must|need\s{1,2}to)|should|must)\s{1,3}"
    r"(?:(?:then|also|first|always|securely|safely|immediately|manually|not|never)\s{1,3}){0,2}"
    r"(?:save|store|keep|back\s?up|write\s{1,2}down|note\s{1,2}down|rotate|revoke|protect|secure|set|change|reset|generate|create|choose|pick|lose|delete|regenerate|encrypt)\b",
    re.IGNORECASE,
)
"""The user is told to do something with a secret of theirs."""
_TYPES = lazy(
    r"[^.!?\n]{0,30}\b(?:in|at|into|on)\s{1,2}(?:the|their|a|its)\s{1,2}(?:own\s{1,2})?(?:terminal|prompt|browser|login\s{1,2}(?:page|form)|system\s{1,2}dialog|keyring|device)\b",
    re.IGNORECASE,
)
_ANYONES = lazy(r"\b(?:users?'?s?|their|his|her|any|all|every|customer'?s|victim'?s)\b", re.IGNORECASE)
_REQUEST = lazy(r"\b(?:requests?|parameters?|headers?|url|fields?|arguments?|file)\W{0,3}$", re.IGNORECASE)
_STAND_IN = lazy(r"://[<\[{]?(?:user(?:name)?|admin|login|me)$", re.IGNORECASE)
_SIGNS_IN = lazy(
    r"[^.!?\n]{0,30}\b(?:through|via|with|using|from|by)\s{1,2}(?:the\s{1,2}|an?\s{1,2})?(?:[\w-]{1,16}\s{1,2}){0,2}(?:oauth2?|openid|sso|login|sign-?in|device|consent|authori[sz]ation|token)\b",
    re.IGNORECASE,
)

_DOES = lazy(
    r"\b(?:sen[dt]\w{0,3}|upload\w{0,3}|cop(?:y|ies|ied|ying)|exfil\w{1,8}|shar(?:e|es|ed|ing)|collect\w{0,4}|transfer\w{0,4}|transmit\w{0,4}|forward\w{0,3}|post(?:s|ed|ing)"
    r"|record\w{0,3}|track\w{0,3}|logg(?:ed|ing)|monitor\w{0,3}|install\w{0,3}|execut\w{1,4}|runs?|ran|running|delet\w{1,3}|remov\w{1,3}|modif\w{1,4}|overwr\w{1,5}|chang\w{1,3}"
    r"|access\w{0,3}|scann?\w{0,3}|read|reads|reading|download\w{0,3}|fetch\w{0,3}|happen\w{0,3}|call\w{0,3}|creat\w{1,3}|writ\w{1,4}|wrote|purchas\w{1,3}|pa(?:y|id|ys)|charg\w{1,3}"
    r"|credentials?|api keys?|private keys?|tokens?|passwords?|secrets?|network|https?|background|backdoor|permissions?|risks?|danger\w{0,4}|warning|malicious"
    r"|step|steps|action|actions|this|these|it)\b|://",
    re.IGNORECASE,
)
"""What a person would want to know: something was done, or something of theirs was touched."""
_NEEDS = lazy(r"(?:need|have)\s{1,2}to\s{1,2}(?:know|see)\b", re.IGNORECASE)
_LATER = lazy(
    r"\b(?:before|until|unless)\s{1,3}(?:you|it|they|the\s{1,2}\w{1,16})\s{1,3}(?:have\s{1,2}|has\s{1,2}|has\s{1,2}been\s{1,2})?(?:look|check|search|verif|confirm|tr(?:y|ied)|test|ask|read)\w{0,4}\b",
    re.IGNORECASE,
)
_EACH = lazy(
    r"\b(?:about|of)\s{1,2}(?:each|every)\s{1,2}(?:step|query|file|change|attempt|iteration|retry)\b",
    re.IGNORECASE,
)
_ASKED = lazy(r"\bunless\s{1,2}(?:they|the\s{1,2}users?|asked|explicitly|requested)\b", re.IGNORECASE)
_NOT = lazy(r"(?:never|do|must|should|may|shall|don't|without|avoid)\b", re.IGNORECASE)
_HIDES = lazy(r"(?:hide|keep|suppress|mask)\b", re.IGNORECASE)

_OTHERS = lazy(r"(?:never|do\s{1,2}not|don't|stop)\s{1,3}(?:us|call|invok|load)(?:e|ing)?\b", re.IGNORECASE)
_ITSELF = lazy(
    r"\b(?:this|our|my)\s{1,2}(?:skill|tool|server|plugin|function)\b|\binstead\b|\btrust\w{0,4}\b|\bunsafe\b|\bcompromis\w{1,4}\b|\bsecurity\b|\bscann\w{1,4}\b|\balways\b",
    re.IGNORECASE,
)
_FOR = lazy(
    r"(?=[^\n]{0,80}\b(?:for|when)\b)(?![^\n]{0,80}\b(?:all|any|every|everything|always)\b)[\s\w-]{0,40}\b(?:for|when)\s",
    re.IGNORECASE,
)
_FIRST = lazy(r"(?:before|after|whenever|each|every|prior)\b", re.IGNORECASE)
_TAKES = lazy(
    r"\b(?:this|our|my)\s{1,2}(?:skill|tool|server|plugin|function)\b|://|~/|\$HOME|\.ssh\b|\.env\b|\b(?:conversation|prompt|history|credential|secret|token|password|key|send|pass|forward|include"
    r"|upload|mcp|silently|webhook|url)s?\b|`[\w-]{2,40}`|/[\w.-]{1,40}/",
    re.IGNORECASE,
)


def harvests(text: str, start: int, end: int) -> bool:
    """Whether words about secrets have the agent take them. Not so where

    1. the user is told to keep a secret, or types it where it belongs;
    2. a key goes into the request that it is for, and nobody's in particular is meant;
    3. the person is a stand-in in an address; 4. a token is got by signing in.
    """
    matched, rest = text[start:end], _rest(text, end)
    leaves = _LEAVES.search(matched) is not None or _LEAVES.search(rest) is not None
    if not leaves and (
        _KEEPS.match(matched) or (_TYPES.match(rest) and matched.lower().startswith(("prompt", "ask")))
    ):  # 1
        return False
    if _REQUEST.search(matched) is not None and _ANYONES.search(matched) is None:  # 2
        return "://" in rest
    if _STAND_IN.search(matched) is not None:  # 3
        return False
    return leaves or _SIGNS_IN.match(rest) is None  # 4


def conceals(text: str, start: int, end: int) -> bool:
    """Whether words keep from the user what was done. Not so where

    1. a detail is not needed; 2. something is said later, after a look; 3. not each of many steps is told;
    4. what clutters is shown to whoever asks.
    """
    matched, rest = text[start:end], _rest(text, end)
    said = matched + rest
    if _EACH.search(said) is not None and _NOT.match(matched):  # 3
        return _DOES.search(_EACH.sub(" ", said, count=1)) is not None
    later = _LATER.search(said)
    if later is not None and _NOT.match(matched):  # 2
        return _DOES.search(said, 0, later.start()) is not None
    if _HIDES.match(matched) is not None:  # 4
        return _ASKED.search(rest) is None or _DOES.search(said[4:]) is not None
    need = _NEEDS.search(matched)
    if need is not None and rest.strip():  # 1
        return _DOES.search(said, need.end()) is not None
    return True


def shadows(text: str, start: int, end: int) -> bool:
    """Whether words put a skill between the user and other tools. Not so where

    1. others are left alone, and nothing is said for this one; 2. what comes first is of the work, and no tool;
    3. it is preferred to something for one purpose.
    """
    matched, rest = text[start:end], _rest(text, end)
    if _OTHERS.match(matched) is not None:  # 1
        first = max(text.rfind("\n\n", 0, start) + 1, start - _REST)
        last = text.find("\n\n", end, end + 2 * _REST)
        return _ITSELF.search(text, first, last if last != -1 else end + 2 * _REST) is not None
    if _FIRST.match(matched) is not None:  # 2
        return (
            _TAKES.search(matched + rest) is not None
            or re.search(r"\bother\b", matched, re.IGNORECASE) is not None
        )
    return (
        not matched.lower().startswith(("always", "must", "should", "only")) or _FOR.match(rest) is None
    )  # 3


def redirects(text: str, start: int, end: int) -> bool:
    """Whether a sign before a path writes to it, and does not end the name of a placeholder: ``<root>/CLAUDE.md``."""
    if not text.startswith(">", start) or text.startswith(">>", start):
        return True
    line = text[max(text.rfind("\n", 0, start) + 1, start - _REST) : start]
    if re.search(r"<[A-Za-z][\w .-]{0,40}$", line) is None:
        return True
    usage = re.match(r"[\s>`\"'#*/-]*usage\b\s*:", line, re.IGNORECASE) is not None
    return not (usage or text[start + 1 : start + 2] in ("/", "\\"))


def _rest(text: str, end: int) -> str:
    """What of the sentence follows a match."""
    stop = _END.search(text, end, end + _REST)
    return text[end : stop.start() if stop is not None else end + _REST]

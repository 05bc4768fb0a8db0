"""Matches in data files: is one a value that a detection rule looks for, by the key it stands under."""

from __future__ import annotations

import re

from sluicegate.vet.inspect.context.excuse import Excuse, ExcuseLevel
from sluicegate.vet.inspect.context.prose.sentence import negation
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

_KEY = lazy(
    r"(?:^|[\s{,\"'|-])(?:[\w.-]{0,30}(?:pattern|regex|signature|indicator|blocked|blocklist|deny|denied|forbidden|detection|ioc)\w{0,12}"
    r"|match(?:es)?|contains(?:\|all)?|content|strings|selection\w{0,20}|filter\w{0,20}|commandline|examples?_bad|bad_examples?|malicious"
    r"|attack\w{0,10}|payload\w{0,10}|evidence|excerpt|snippet|matched(?:_text)?)(?:\|[\w|]{1,30})?[\"']?[ \t]{0,3}[:=]",
    re.IGNORECASE,
)
_NEVER = lazy(
    r"(?:^|[\s{,\"'|-])(?:must|should|shall|do|does|may|will)[_ -]?not\w{0,20}[\"']?[ \t]{0,3}:|(?:^|[\s{,\"'|-])(?:avoid|prohibited|disallow(?:ed)?|unwanted|not_expected)[\"']?[ \t]{0,3}:",
    re.IGNORECASE,
)
"""A key under which stands what is not to be done."""
_TRIED = lazy(
    r"[\"'](?:input|prompt|text|message|query|request|case|sample)[\"'][ \t]{0,3}:[ \t]{0,3}[\"'][^\"'\n]{0,300}$"
)
_REFUSED = lazy(
    r"(?i)[\"'](?:expect(?:ed)?|verdict|label|outcome|want|result)\w{0,12}[\"'][ \t]{0,3}:[ \t]{0,3}[\"'](?:block|refus|reject|den(?:y|ied)|malicious|attack|unsafe|flag|injection)"
)
"""A key of a record of tests, and what says there that a filter must not let the input pass."""
_SAMPLE = lazy(
    r"(?:^|[\s{,\"'|-])(?:samples?|examples?|test_?cases?|positives?|should_match|hits?)[\"']?[ \t]{0,3}[:=]",
    re.IGNORECASE,
)
_PATTERN = lazy(
    r"(?:^|[\s{,])[\"']?(?:regexp?|pattern|match|signature)[\"']?[ \t]{0,3}[:=]", re.IGNORECASE | re.MULTILINE
)
"""The keys of a sample and of the pattern that finds it."""
_ITEM = lazy(r"^[ \t]{0,12}- (?=[\"']?[A-Za-z_][\w-]{0,30}[\"']?[ \t]{0,3}:)", re.MULTILINE)
_LABELLED = lazy(
    r"^[ \t-]{0,14}[\"']?(?:label|class|kind|expect(?:ed)?|verdict|outcome|want|result)\w{0,12}[\"']?[ \t]{0,3}:[ \t]{0,3}[\"']?(?:block|refus|reject|den(?:y|ied)|malicious|attack|unsafe|flag|injection)",
    re.MULTILINE | re.IGNORECASE,
)
"""An item of a list in YAML that is a record, and what says in it that it must not pass."""
_ENDS = lazy(r"\\?\"\s{0,4}[,:\]}]|'\s{0,4}[,:\]}]|\n")
"""Where one value of a data file ends."""
_VERB = lazy(
    r"\b(?:read|print|include|echo|send|output|return|embed|add|attach|append|insert|reveal|show|expose|store|persist|copy|upload|collect|gather|find|search|scan|ask|request"
    r"|ignore|bypass|disregard|forget|follow|run|execute|tell|repeat|pass|put|write|post|forward|share|must|should|always)\w{0,3}\b",
    re.IGNORECASE,
)
_LINES = 60
_LINE = 400


def excuse(view: View, start: int) -> Excuse | None:
    """The excuse of a value under a key that says it is looked for, or None."""
    if under(view, start, _KEY) or (under(view, start, _SAMPLE) and _beside_pattern(view.text, start)):
        return Excuse(level=ExcuseLevel.EXAMPLE, reason="a value that a detection rule looks for")
    return None


def _beside_pattern(text: str, start: int) -> bool:
    """Whether the paragraph of a data file in which a sample stands holds a pattern as well."""
    first = max(0, text.rfind("\n\n", 0, start), start - _LINE)
    last = text.find("\n\n", start, start + _LINE)
    return _PATTERN.search(text, first, last if last != -1 else start + _LINE) is not None


def tried(view: View, start: int) -> bool:
    """Whether a value is what a test gives in, and the same record says that it is to be refused."""
    text = view.text
    if _listed(text, start):
        return True
    opened, closed = text.rfind("{", max(0, start - _LINE), start), text.find("}", start, start + _LINE)
    if opened == -1 or closed == -1 or "}" in text[opened:start]:
        return False
    return (
        _REFUSED.search(text, opened, closed) is not None and _TRIED.search(text, opened, start) is not None
    )


def _listed(text: str, start: int) -> bool:
    """The same of an item of a list in YAML."""
    first = max(0, start - _LINE)
    items = [found.start() for found in _ITEM.finditer(text, first, start)]
    if not items:
        return False
    after = _ITEM.search(text, start, start + _LINE)
    record = text[items[-1] : after.start() if after is not None else start + _LINE].partition("\n\n")[0]
    return _LABELLED.search(record) is not None


def denied(view: View, start: int, end: int) -> Excuse | None:
    """The excuse of words that their own value, or the key over it, forbids, or None.

    A match may reach over several values. Then each of them has to be negated by itself.
    """
    if under(view, start, _NEVER):
        return Excuse(level=ExcuseLevel.EXAMPLE, reason="a value that says what is not to be done")
    text = view.text
    word = negation(text, start)
    if not word:
        return None
    ends = list(_ENDS.finditer(text, start, end))
    for stop, last in zip(ends, [*(after.start() for after in ends[1:]), end], strict=False):
        if text[stop.end() : last].strip(" \t\n\r\"',-[]{}") and not _negated(text, stop.end(), last):
            return None
    return Excuse(level=ExcuseLevel.EXAMPLE, reason=f"negated in its sentence ({word})")


def _negated(text: str, first: int, last: int) -> bool:
    """Whether the first thing that a value says to do, or else all of it, is negated there."""
    verb = _VERB.search(text, first, last)
    return bool(negation(text, last if verb is None else verb.start()))


def under(view: View, start: int, keys: re.Pattern[str]) -> bool:
    """Whether a value stands under one of some keys.

    The key stands on its own line, or on the nearest line above that is indented less.
    """
    text = view.text
    first = text.rfind("\n", 0, start) + 1
    if keys.search(text, max(first, start - _LINE), start):
        return True
    depth = _indent(text, first)
    for _ in range(_LINES):
        if first == 0 or depth == 0:
            return False
        last, first = first, text.rfind("\n", 0, first - 1) + 1
        line = text[first : min(last, first + _LINE)]
        if not line.strip() or _indent(text, first) >= depth:
            continue
        if keys.search(line.strip()):
            return True
        depth = _indent(text, first)
    return False


def _indent(text: str, first: int) -> int:
    at = first
    while at < len(text) and text[at] in " \t-":
        at += 1
    return at - first

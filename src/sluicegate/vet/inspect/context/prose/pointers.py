"""Whether a skill tells its agent to carry out what it shows: then nothing that it shows is an example."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sluicegate.vet.hints import lower
from sluicegate.vet.inspect.context.prose.sentence import negation
from sluicegate.vet.intake.bundle import PROSE
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

_VERBS = (
    "run", "execute", "obey", "follow", "perform", "carry out", "paste", "evaluate", "source", "launch", "invoke", "apply",
)  # fmt: skip
_TOLD = lazy(
    rf"\b(?:{'|'.join(_VERBS)})\b(?P<what>[^.\n;|·]{{0,60}}?)"
    r"\b(?:commands?|lines?|instructions?|snippets?|payloads?|examples?|patterns?|indicators?|entr(?:y|ies)|rows?|strings?"
    r"|phrases?|quot(?:es?|ations?|ed)|red flags?|items?|blocks?)\b(?P<where>[^.\n;|·]{0,60})",
    re.IGNORECASE,
)
_THERE = lazy(
    r"\b(?:red flags?|blocked|forbidden|malicious|dangerous|suspicious|quoted|in the (?:table|list|appendix|examples?)"
    r"|from the (?:table|list|appendix|examples?|section)|in the \w{1,20} section|listed (?:above|below|in|under)"
    r"|(?:under|from|in) [\"'`*]{1,3}\w|indicators?|payloads?|verbatim|literally|exactly as)\b",
    re.IGNORECASE,
)
_TOWARDS = lazy(
    r"\b(?:against|over|through|to (?:detect|find|check|search|scan|match|identify|look|see|test)|for (?:each|every|any)|scan"
    r"|search|grep|detection|matching|check(?:s|er)?|test(?:s|ing)?|analysis|sandbox|report)\b",
    re.IGNORECASE,
)
_BEGINS = lazy(
    r"(?:^|[.!?:;,)\]*_>-]\s{0,3}|\n\s{0,8}(?:[-*+>]|\d{1,3}[.)])?\s{0,3}|\b(?:then|and|now|please|must|should|always|also|first"
    r"|finally|next|just|simply|agents?|you|to)\s{1,2})$",
    re.IGNORECASE,
)


def _verbs(low: str) -> Iterator[int]:
    """Where one of the verbs stands in a text in lower case. To search for each takes less time than for all at once."""
    for verb in _VERBS:
        at = low.find(verb)
        while at != -1:
            yield at
            at = low.find(verb, at + 1)


def carried_out(views: Iterable[View]) -> bool:
    """Whether some text of the bundle tells to carry out what stands among its examples."""
    return any(_told(view.text) for view in views if not view.origin and view.language in PROSE)


def _told(text: str) -> bool:
    end = 0
    for at in sorted(_verbs(lower(text))):
        found = _TOLD.match(text, at) if at >= end else None
        if found is None:
            continue
        end = found.end()
        said = found.group()
        if (
            _THERE.search(said)
            and not _TOWARDS.search(said)
            and _BEGINS.search(text[max(0, found.start() - 24) : found.start()])
            and not negation(text, found.start())
        ):
            return True
    return False

"""One text that is read for orders: its sentences, where it is fenced or hidden, and whether a verb in it is an order."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from operator import attrgetter

from sluicegate.vet.hints import lower
from sluicegate.vet.inspect.analyzers.proseflow.passages import (
    Sentences,
    TextSpan,
    fenced,
    host_of,
    paragraph,
    standing,
)
from sluicegate.vet.inspect.analyzers.proseflow.words import manner, moves
from sluicegate.vet.inspect.analyzers.purpose import common_host
from sluicegate.vet.inspect.rule import Match, Rule
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.intake.views.words import hints_in
from sluicegate.vet.lazy import lazy

COMMENT = 2_000
"""Characters of an HTML comment in front of a place that are looked at for its beginning."""


_start = attrgetter("start")


class Text:
    """What is asked of a text again and again."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.text = view.text

    @cached_property
    def low(self) -> str:
        return lower(self.text)

    @cached_property
    def _fences(self) -> list[TextSpan]:
        return fenced(self.text)

    def in_fence(self, at: int) -> bool:
        """Whether a character stands among commands."""
        number = bisect_right(self._fences, at, key=_start)
        return number > 0 and at < self._fences[number - 1].end

    @cached_property
    def _sentences(self) -> Sentences:
        return Sentences(self.text)

    def sentence(self, at: int) -> TextSpan:
        """The sentence in which a character stands."""
        return self._sentences.round(at)

    def in_comment(self, at: int) -> bool:
        """Whether a character stands in an HTML comment, which no reader of the page sees."""
        opened = self.text.rfind("<!--", max(0, at - COMMENT), at)
        return opened != -1 and self.text.find("-->", opened, at) == -1

    @cached_property
    def bare_hosts(self) -> list[tuple[int, int]]:
        """Where hosts stand that are written without their scheme and are not everybody's."""
        return sorted(
            {
                span
                for ending in hints_in(self.text, "bare host")
                for span in standing(self.text, self.low, ending, moves.HOST)
                if not common_host(host_of(self.text[slice(*span)]))
            }
        )

    def said(self, span: TextSpan) -> str:
        return self.text[span.start : span.end]

    def paragraph(self, sentence: TextSpan) -> str:
        """The paragraph in which a sentence stands."""
        return self.said(paragraph(self.text, sentence.start + 1))

    def ordered(self, sentence: TextSpan, at: int) -> bool:
        """Whether the verb that begins ``at`` characters into a sentence is an order.

        It stands at the beginning of the sentence or of a clause, and is not negated.
        """
        before = self.text[sentence.start : sentence.start + at]
        return ORDER.search(before) is not None and not self.negated(sentence.start + at)

    def negated(self, at: int) -> bool:
        from sluicegate.vet.inspect.context.prose.sentence import negation  # most texts order nothing of note

        return bool(negation(self.text, at))

    def negated_in_any_language(self, sentence: TextSpan, start: int, end: int) -> bool:
        """Whether ``text[start:end]``, a verb of a sentence, is negated, in English or in another language."""
        from sluicegate.vet.inspect import tongues

        return self.negated(start) or bool(tongues.negation(self.text, sentence.start, start, end))

    def match(
        self, rule: Rule, span: TextSpan, shown: tuple[str, ...], confidence: int, begins: int = 0
    ) -> Match:
        """What is reported of a sentence: from where the order begins in it, so that a quotation that holds it is seen."""
        said = self.said(span)
        end = max(begins + 1, len(said[: _closed(said, begins)].rstrip(_CLOSES)))
        return Match(
            rule=rule.id,
            view=self.view,
            start=span.start + len(said) - len(said.lstrip()) if begins == 0 else span.start + begins,
            end=span.start + end,
            message=f"{rule.title}: {', '.join(shown)}.",
            confidence=confidence,
            adjustments=() if confidence == rule.confidence else ("it depends on the words around it",),
            trace=tuple(f"said={each}" for each in shown),  # some of it may stand in a sentence before
        )


_CLOSES = " \t\r\n-+#,;\"'`*_)]}>|"
"""What may stand behind the last word of a sentence and is none of it."""


_PAIRS = {'"': '"', "`": "`", "“": "”", "„": "“", "«": "»"}


def _closed(said: str, begins: int) -> int:
    """Where the quotation ends that is open where an order begins, or the sentence."""
    for opening, closing in _PAIRS.items():
        before = said[:begins]
        held = (
            before.count(opening) % 2 if opening == closing else before.rfind(opening) > before.rfind(closing)
        )
        end = said.find(closing, begins)
        if held and end != -1:
            return end
    return len(said)


def hushed(whole: str) -> bool:
    """Whether a passage says that the user is not asked or is not to notice."""
    return manner.UNASKED.search(whole) is not None or manner.UNSEEN.search(whole) is not None


ORDER = lazy(
    r"(?i)(?:^|[.!?:;,|]|\b(?:and|then|also|please|must|should|shall|always|now|first|finally|next|lastly|afterwards?|subsequently|it|you|agent|assistant|or|just|quietly"
    r"|silently|to|will|is|are|be|gets?|has|(?<!\bI )(?<!\bwe )(?<!\bthey )have|run|execute|use|call|simply|so|once|so kind as to|kindly|instead|immediately|automatically))"
    r"[\s\"'`*_>)#-]*(?:\d{1,3}[.)]\s*)?$|^[\s\W\d]*$|(?:^|[.!?:;,|]|\band)[\s\W\d]*(?:make|have)\s(?!the user)(?:\w{2,14}\s){1,4}$"
)
"""What stands in front of a verb that is an order."""
TOLD_OF = lazy(
    r"\b(?:attackers?|adversar\w{1,4}|intruders?|malware|malicious|whether|(?:check|checks|report|reports|look|looks|detect|detects|flag|flags|find|finds|warn|warns|search|scan)"
    r"(?: (?:that|if|for|about|of|any|all|the|every|settings|code|files|skills|places|where|when|which|whatever)){1,4}|for (?:example|instance)|such as|e\.g\.?|(?:signs?|symptoms?|indicators?|hallmarks?|red flags?|traits)(?: (?:of|for) [\w ]{2,30})?(?=:)|explain\w{0,3}|describ\w{1,3}|document\w{0,3}"
    r"|what happens|how to|(?:instructions?|requests?|attempts?|commands?|prompts?|orders?|tries|asks?|tells?|wants?)(?: \w{1,12}){0,3} to(?! be )|ways? to|means|would|could|may|might|can)\b",
    re.IGNORECASE,
)
"""What in front of a verb makes it one that is spoken of: by whom else, as something to look for, or as something possible."""

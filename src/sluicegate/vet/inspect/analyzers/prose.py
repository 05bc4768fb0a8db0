"""Prose: what a skill orders in plain sentences, by verb, object and destination.

A sentence is read as an order: which deed (a class of verbs), upon what (a class of nouns) and for whom (an address that
the skill does not explain). No wording is looked for; any verb of a class goes with any noun of another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sluicegate.vet.inspect.analyzers.proseflow.rules import RULES
from sluicegate.vet.inspect.rule import Inspected, Match, Rule, Subject, by_id, strongest
from sluicegate.vet.intake.bundle import CODE, CONFIG, PROSE, Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.intake.views.words import deeds_in
from sluicegate.vet.verdict.types import Gap, GapReason

CHARACTERS = 400_000
"""Characters of one skill that are read so; what is beyond is a gap."""
MATCHES = 50
"""Matches of one skill; where there are more, the strongest."""
_SAME = frozenset({"normalised", "front-matter", "fence", "command", "link", "name"})
"""Derivations whose words stand in the text that they come from."""
_WORDS_ASIDE = (CODE | CONFIG) - PROSE
_SKIPPED = frozenset({Kind.LICENSE, Kind.SVG, Kind.XML})


class ProseAnalyzer:
    """Reads the sentences of every text for people, and words to whoever judges the skill in every text."""

    rules: Mapping[str, Rule] = by_id(RULES)

    def inspect(self, subject: Subject) -> Inspected:
        """Matches in all texts that people and agents read."""
        texts: list[View] = []
        gaps: list[Gap] = []
        left = CHARACTERS
        for view in _read(subject.views):
            if left <= 0 or len(view.text) > left:
                detail = "more text than is read for orders in sentences"
                gaps.append(Gap(path=view.path, reason=GapReason.ANALYSIS_LIMIT, detail=detail))
                continue
            left -= len(view.text)
            if may_order(view.text):
                texts.append(view)
        texts += [view for view in subject.views if _speaks_to_judges(view)]
        matches = _matches(texts, subject) if texts else []
        return Inspected(matches=tuple(strongest(matches, MATCHES)), gaps=tuple(gaps))


def may_order(text: str) -> bool:
    """Whether a text has an address, or a word that stands in every order that needs none."""
    return "://" in text or "@" in text or bool(deeds_in(text))


def _speaks_to_judges(view: View) -> bool:
    """Whether a program or a file of data has a word of those who judge; of its words nothing else is read."""
    return view.language in _WORDS_ASIDE and not view.origin and "judge" in deeds_in(view.text)


def _matches(texts: list[View], subject: Subject) -> list[Match]:
    from sluicegate.vet.inspect.analyzers.proseflow.deeds import DeedReader
    from sluicegate.vet.inspect.analyzers.purpose import Stated

    stated = Stated(subject.views)
    return [match for view in texts for match in DeedReader(view, stated).read()]


def _read(views: tuple[View, ...]) -> Iterator[View]:
    for view in views:
        if view.language in PROSE and view.language not in _SKIPPED:
            if not view.origin or view.origin[-1].kind not in _SAME:
                yield view

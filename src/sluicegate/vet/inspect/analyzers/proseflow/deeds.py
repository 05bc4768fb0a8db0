"""Which deeds the sentences of one text order: verb class, object class and destination."""

from __future__ import annotations

from collections.abc import Iterator

from sluicegate.vet.inspect.analyzers.proseflow.plain import PlainReader
from sluicegate.vet.inspect.analyzers.proseflow.text import Text
from sluicegate.vet.inspect.analyzers.purpose import Stated
from sluicegate.vet.inspect.rule import Match
from sluicegate.vet.intake.bundle import PROSE
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.intake.views.words import deeds_in


class DeedReader:
    """Reads one text. ``stated`` says which hosts the skill explains."""

    def __init__(self, view: View, stated: Stated) -> None:
        self._text = Text(view)
        self._stated = stated

    def read(self) -> Iterator[Match]:
        """All deeds that are ordered; one match for a rule and a sentence."""
        seen: set[tuple[str, int]] = set()
        for match in self._all():
            if (match.rule, match.start) not in seen:
                seen.add((match.rule, match.start))
                yield match

    def _all(self) -> Iterator[Match]:
        """What is about addresses and judges is imported for a text that has any."""
        text = self._text.text
        if self._text.view.language in PROSE:
            if "://" in text or "@" in text or "page" in deeds_in(text) or self._text.bare_hosts:
                from sluicegate.vet.inspect.analyzers.proseflow.addressed import Addressed

                yield from Addressed(self._text, self._stated).read()
            yield from PlainReader(self._text, self._stated).read()
        if "judge" in deeds_in(text):
            from sluicegate.vet.inspect.analyzers.proseflow.judges import Judges

            yield from Judges(self._text).read()

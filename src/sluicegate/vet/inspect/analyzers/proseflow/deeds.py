"""Which deeds the sentences of one text order: verb class, object class and destination."""

from __future__ import annotations

from collections.abc import Iterator

from sluicegate.vet.inspect.analyzers.proseflow.addressed import Addressed
from sluicegate.vet.inspect.analyzers.proseflow.judges import Judges
from sluicegate.vet.inspect.analyzers.proseflow.plain import Plain
from sluicegate.vet.inspect.analyzers.proseflow.text import Text
from sluicegate.vet.inspect.analyzers.purpose import Stated
from sluicegate.vet.inspect.rule import Match
from sluicegate.vet.intake.bundle import PROSE
from sluicegate.vet.intake.views.view import View


class Reader:
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
        if self._text.view.language in PROSE:
            yield from Addressed(self._text, self._stated).read()
            yield from Plain(self._text, self._stated).read()
        yield from Judges(self._text).read()

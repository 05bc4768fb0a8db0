"""Orders to whoever judges the skill: somebody who judges, this very skill, and a verdict or an omission that is asked.

The rule ``reviewer-addressed`` knows common wordings; here any name of a judge goes with any verdict.
"""

from __future__ import annotations

from collections.abc import Iterator

from sluicegate.vet.inspect.analyzers.proseflow import rules
from sluicegate.vet.inspect.analyzers.proseflow.passages import TextSpan
from sluicegate.vet.inspect.analyzers.proseflow.text import TOLD_OF, Text
from sluicegate.vet.inspect.analyzers.proseflow.words import judging
from sluicegate.vet.inspect.rule import Match
from sluicegate.vet.intake.bundle import PROSE
from sluicegate.vet.intake.views.words import deeds_in, hints_in

KIND = "judge"
SENTENCES = 300
"""Places of one text that are looked at."""
SURE = 700
DOUBTFUL = 450
"""A machine that judges is told what to find, and nothing says that it is about this skill."""


class Judges:
    """Reads one text, of whatever kind."""

    def __init__(self, text: Text) -> None:
        self._of = text

    def read(self) -> Iterator[Match]:
        if KIND not in deeds_in(self._of.text):
            return
        seen: set[int] = set()
        looked = 0
        for hint in hints_in(self._of.text, KIND):
            at = self._of.low.find(hint)
            while at != -1 and looked < SENTENCES:
                looked += 1
                sentence = self._sentence(at)
                if sentence.start not in seen:
                    seen.add(sentence.start)
                    yield from self._asked(sentence)
                at = self._of.low.find(hint, max(at + 1, sentence.end))

    def _sentence(self, at: int) -> TextSpan:
        """The sentence in which a character stands; in a program or in data, what of it stands on its line and in words below."""
        sentence = self._of.sentence(at)
        if not self._in_code(at):
            return sentence
        text = self._of.text
        first = max(sentence.start, text.rfind("\n", 0, at) + 1)
        last = min(sentence.end, _line_end(text, at))
        while last < sentence.end and not set(text[last : _line_end(text, last + 1)]) & _PROGRAM:
            last = min(sentence.end, _line_end(text, last + 1))
        return TextSpan(first, last)

    def _in_code(self, at: int) -> bool:
        return self._of.view.language not in PROSE or self._of.in_fence(at)

    def _asked(self, sentence: TextSpan) -> Iterator[Match]:
        """The verdict that a sentence asks for.

        1. A verdict on this skill that is laid down, whoever gives it.
        2. Somebody who judges, and a verdict in favour or something to leave out, which is asked and not told of;
           nothing says that the judgement may end otherwise.
        3. Of this very skill: sure. Of nothing that is named, by a machine: a person should look.

        Whoever is called by a name is told what the next sentence says, too.
        """
        said = self._of.said(sentence)
        called = judging.CALLED.search(said) or judging.CALLED_ANY.search(said)
        asked_who = said.rstrip().endswith("?") and judging.MACHINE.search(said) is not None
        if (called is not None or asked_who) and judging.VERDICT.search(said) is None:
            sentence = self._with_next(sentence)
            said = self._of.said(sentence)
        found = judging.UNSAID.search(said)
        if found is not None:  # 1
            if not self._talked_of(said, sentence, found.start()):
                yield self._of.match(rules.JUDGE, sentence, (found[0],), SURE, found.start())
            return
        occasion, machine = judging.OCCASION.search(said), judging.MACHINE.search(said)
        judge = occasion or machine or judging.NAMED.search(said)
        if judge is None or judging.EITHER_WAY.search(said) is not None:
            return
        asked = judging.VERDICT.search(said) or judging.LEAVES_OUT.search(said)
        if asked is None:
            return
        begins = min(judge.start(), asked.start())
        if self._talked_of(said, sentence, begins) or not self._is_asked(said, sentence, asked.start()):  # 2
            return
        if judging.ELSEWHERE.search(said) is not None:
            return
        code = self._in_code(sentence.start + begins)
        if occasion or judging.OWN.search(said) or (not code and judging.CALLED.search(said)):  # 3
            yield self._of.match(rules.JUDGE, sentence, (judge[0], asked[0]), SURE, begins)
        elif (
            (machine is not None and not code)
            or (code and judging.CALLED.search(said))
            or (
                judging.CALLED_ANY.search(said) is not None
                and judging.SAFE.search(said, asked.start()) is not None
            )
        ):
            yield self._of.match(rules.JUDGE, sentence, (judge[0], asked[0]), DOUBTFUL, begins)

    def _with_next(self, sentence: TextSpan) -> TextSpan:
        """A sentence and the one behind it, in the same paragraph."""
        text = self._of.text
        at = sentence.end
        while at < len(text) and text[at].isspace():
            at += 1
        if at >= len(text) or text.count("\n", sentence.end, at) > 1:
            return sentence
        return TextSpan(sentence.start, max(sentence.end, self._of.sentence(at).end))

    def _is_asked(self, said: str, sentence: TextSpan, at: int) -> bool:
        """Whether a verb is an order, or somebody is said to be obliged or asked."""
        return judging.OBLIGED.search(said) is not None or self._of.ordered(sentence, at)

    def _talked_of(self, said: str, sentence: TextSpan, at: int) -> bool:
        """Whether the order is somebody else's, or negated at once."""
        return TOLD_OF.search(said, 0, at) is not None or self._of.negated(sentence.start + at)


_PROGRAM = frozenset("()=;{}[]<>")
"""Signs of which one stands in most lines of a program, and in few lines of words."""


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end == -1 else end

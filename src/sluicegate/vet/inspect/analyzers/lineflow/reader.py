"""Follows one script: its flows, what stands close together in it, and what it is able to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sluicegate.vet.inspect.analyzers.lineflow import capabilities, shapes
from sluicegate.vet.inspect.analyzers.lineflow.flow import Reached, ScriptFlow
from sluicegate.vet.inspect.analyzers.lineflow.judge import judge
from sluicegate.vet.inspect.analyzers.lineflow.judged import ScriptMatch, match_of
from sluicegate.vet.inspect.analyzers.lineflow.rules import REVERSE_SHELL, SURVEILLANCE
from sluicegate.vet.inspect.analyzers.lineflow.text import ScriptText
from sluicegate.vet.inspect.rule import Capability, Match, Rule
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy

MATCHES = 100
"""Matches of one view; where there are more, the strongest, and a gap."""
CAPABILITIES = 512
"""Capabilities of one view."""
_LITERAL = lazy(r"\"[^\"\n]+\"|'[^'\n]+'|`[^`\n]+`|\b[a-z]{2,8}://[^\s'\"`<>()]+")


class ScriptReader:
    """Follows one script."""

    def __init__(self, view: View, text: str) -> None:
        self._view = view
        self._text = text
        self._script = ScriptText(text, view.language)
        self._found: dict[tuple[str, int], tuple[ScriptMatch, int]] = {}
        self._traces: dict[tuple[str, int], set[str]] = {}
        flow = ScriptFlow(self._script, self._reached)
        flow.read()
        self._look()
        self.partial = flow.partial or len(self._found) > MATCHES
        """Whether a part was not followed, or not all is told."""
        self._fetches = flow.fetches()

    def matches(self) -> Iterator[Match]:
        """What was found, in order of place."""
        view = self._view
        starts = view.line_starts()
        strongest = sorted(self._found.items(), key=lambda item: (-item[1][1], item[0][1], item[0][0]))[
            :MATCHES
        ]
        for key, (judged, _) in sorted(strongest, key=lambda item: (item[0][1], item[0][0])):
            statement = self._script.statements[key[1]]
            start = starts[statement.first]
            end = starts[statement.last + 1] - 1 if statement.last + 1 < len(starts) else len(view.text)
            line = view.text[start : min(end, start + 1000)]
            blank = len(line) - len(line.lstrip())
            end = max(start + blank + 1, start + len(line.rstrip()))
            trace = tuple(self._traces[key])
            yield match_of(view, judged, start + blank, end, trace=trace, places=self._places(judged.rule))

    def _places(self, rule: Rule) -> tuple[tuple[View, int, int], ...]:
        """The other marks by which a thing that has several is told."""
        if rule not in (REVERSE_SHELL, SURVEILLANCE):
            return ()
        starts = self._view.line_starts()
        numbers = {self._script.number(at) for at in shapes.marks(self._script.text, self._view.language)}
        lines = sorted(self._script.statements[number].first for number in numbers)
        return tuple((self._view, starts[line], starts[line] + 1) for line in lines if line < len(starts))

    def capabilities(self) -> Iterator[Capability]:
        """What the script can do."""
        seen: dict[str, int] = {}
        for name, start in capabilities.abilities(self._text, self._view.language, fetches=self._fetches):
            if len(seen) < CAPABILITIES:
                seen.setdefault(name, start)
        for name, start in seen.items():
            yield Capability(
                name=name, path=self._view.path, line=self._view.artifact_lines(start, start + 1)[0]
            )

    def _look(self) -> None:
        low = self._script.text
        shell = shapes.reverse_shell(low, self._view.language)
        if shell is not None:
            judged = ScriptMatch(REVERSE_SHELL, REVERSE_SHELL.severity, REVERSE_SHELL.confidence)
            self._add(judged, self._script.number(shell[0]))
        keys = shapes.keylogger(low)
        if keys is not None:
            self._add(keys[1], self._script.number(keys[0]))

    def _reached(self, reached: Reached) -> None:
        text = self._script.statements[reached.number].text
        judged = judge(reached, text)
        if judged is not None:
            trace = {f"{reached.kind}={reached.word}", *_constants(reached.taint.where)}
            self._add(judged, reached.number, trace)

    def _add(self, judged: ScriptMatch, number: int, trace: Iterable[str] = ()) -> None:
        key = (judged.rule.id, number)
        self._traces.setdefault(key, set()).update(trace)
        known = self._found.get(key)
        weight = judged.severity * 1000 + judged.confidence
        if known is None or known[1] < weight:
            self._found[key] = (judged, weight)


def _constants(where: str) -> Iterator[str]:
    """What the statements that a value comes from say literally."""
    return (f"source={word}" for word in _LITERAL.findall(where))

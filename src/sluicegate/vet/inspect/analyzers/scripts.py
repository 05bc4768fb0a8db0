"""Scripts in other languages (PowerShell, batch, Ruby, Perl, PHP, Go, AppleScript and more), and staged payloads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from sluicegate.vet.inspect.analyzers.scripting import capabilities, shapes
from sluicegate.vet.inspect.analyzers.scripting.flow import Flow, Reached
from sluicegate.vet.inspect.analyzers.scripting.judge import Judged, judge
from sluicegate.vet.inspect.analyzers.scripting.rules import REVERSE_SHELL, RULES, SURVEILLANCE
from sluicegate.vet.inspect.analyzers.scripting.staged import Unread, staged
from sluicegate.vet.inspect.analyzers.scripting.text import Script
from sluicegate.vet.inspect.processing_order import turns
from sluicegate.vet.inspect.rule import Capability, Inspected, Match, Rule, Subject, by_id
from sluicegate.vet.intake.bundle import CODE, PROSE, Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Gap, GapReason

SCRIPTS = frozenset(
    {
        Kind.POWERSHELL, Kind.BATCH, Kind.RUBY, Kind.PERL, Kind.PHP, Kind.GO, Kind.APPLESCRIPT, Kind.RUST, Kind.JAVA, Kind.C,
        Kind.LUA, Kind.R, Kind.SOURCE,
    }
)  # fmt: skip
"""The languages that are followed here; the others have analyzers of their own."""
CHARACTERS = 256 * 1024
"""Characters of all scripts of one skill that are followed; what is beyond is a gap."""
MATCHES = 100
"""Matches of one view; where there are more, the strongest, and a gap."""
CAPABILITIES = 512
"""Capabilities of one view."""
_LITERAL = lazy(r"\"[^\"\n]+\"|'[^'\n]+'|`[^`\n]+`|\b[a-z]{2,8}://[^\s'\"`<>()]+")


_SUFFIXES = frozenset({"vbs", "vbe", "vb", "vba", "bas", "wsf", "hta", "cs", "fs", "fsx", "kt", "kts", "swift", "scala", "groovy", "dart", "nim", "cr", "ex", "exs"})  # fmt: skip
"""Names of other sources that begin or end flows in words known here; fences are told by their words."""


def _followed(view: View) -> bool:
    """Whether a source without a language of its own is one to follow."""
    if view.origin:
        return view.artifact.kind in PROSE
    return view.path.rpartition(".")[2].lower() in _SUFFIXES


class ScriptsAnalyzer:
    """Reads every script view once; and every code view for payloads in stages."""

    rules: Mapping[str, Rule] = by_id(RULES)

    def inspect(self, subject: Subject) -> Inspected:
        """Matches, capabilities and gaps of all views of code."""
        matches: list[Match] = []
        able_to: list[Capability] = []
        gaps: set[Gap] = set()
        artifacts = {artifact.path: artifact for artifact in subject.bundle.artifacts}
        left = min(subject.limits.syntax_bytes, CHARACTERS)
        for view in turns(subject.views, CODE, left):
            for start, end, judged in shapes.password_dialogs(view.text):
                matches.append(_match(view, judged, start, end, places=shapes.around(view, start)))
            for stage in staged(view, artifacts):
                if isinstance(stage, Unread):
                    gaps.add(Gap(path=view.path, reason=GapReason.ANALYSIS_LIMIT, detail=stage.what))
                else:
                    matches.append(
                        _match(view, stage.judged, stage.start, stage.end, stage.what, stage.trace)
                    )
            if view.language not in SCRIPTS or (view.language is Kind.SOURCE and not _followed(view)):
                continue
            text = view.text[:left]
            left -= len(text)
            cut = len(text) < len(view.text)
            if text:
                reader = _Reader(view, text)
                matches += reader.matches()
                able_to += reader.capabilities()
                cut = cut or reader.partial
            if cut:
                detail = "script text too long to follow"
                gaps.add(Gap(path=view.path, reason=GapReason.ANALYSIS_LIMIT, detail=detail))
        return Inspected(matches=tuple(matches), capabilities=tuple(able_to), gaps=tuple(sorted(gaps)))


class _Reader:
    """Follows one script."""

    def __init__(self, view: View, text: str) -> None:
        self._view = view
        self._text = text
        self._script = Script(text, view.language)
        self._found: dict[tuple[str, int], tuple[Judged, int]] = {}
        self._traces: dict[tuple[str, int], set[str]] = {}
        flow = Flow(self._script, self._reached)
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
            yield _match(view, judged, start + blank, end, trace=trace, places=self._places(judged.rule))

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
            judged = Judged(REVERSE_SHELL, REVERSE_SHELL.severity, REVERSE_SHELL.confidence)
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

    def _add(self, judged: Judged, number: int, trace: Iterable[str] = ()) -> None:
        key = (judged.rule.id, number)
        self._traces.setdefault(key, set()).update(trace)
        known = self._found.get(key)
        weight = judged.severity * 1000 + judged.confidence
        if known is None or known[1] < weight:
            self._found[key] = (judged, weight)


def _constants(where: str) -> Iterator[str]:
    """What the statements that a value comes from say literally."""
    return (f"source={word}" for word in _LITERAL.findall(where))


def _match(
    view: View,
    judged: Judged,
    start: int,
    end: int,
    what: str = "",
    trace: tuple[str, ...] = (),
    places: tuple[tuple[View, int, int], ...] = (),
) -> Match:
    rule = judged.rule
    confidence = judged.confidence
    reasons = [judged.reason] if judged.reason else []
    if view.artifact.kind in PROSE and any(step.kind == "fence" for step in view.origin):
        confidence = max(400, confidence - 100)
        reasons.append("it stands in a document")
    return Match(
        rule=rule.id, view=view, start=start, end=end, severity=judged.severity, confidence=confidence,
        message=f"{what}. {rule.why}" if what else rule.why, adjustments=tuple(reasons),
        trace=trace, places=places,
    )  # fmt: skip

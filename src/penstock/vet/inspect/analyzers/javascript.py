"""JavaScript and TypeScript: flows from secrets and the network into effects, and what a program can do."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.vet.inspect.analyzers import known
from penstock.vet.inspect.analyzers.jsflow import rules
from penstock.vet.inspect.analyzers.jsflow.parse import Pieces
from penstock.vet.inspect.analyzers.jsflow.values import Val
from penstock.vet.inspect.analyzers.shflow import judge
from penstock.vet.inspect.analyzers.shflow.flow import Call, Flow, Memory, Sink
from penstock.vet.inspect.analyzers.shflow.rules import (
    DECODED_TO_EXEC,
    DOWNLOAD_TO_EXEC,
    PERSISTENCE,
    SECRET_TO_NETWORK,
)
from penstock.vet.inspect.analyzers.shflow.values import Tag, Value
from penstock.vet.inspect.rule import Capability, Inspected, Match, Rule, Subject, by_id
from penstock.vet.intake.bundle import PROSE, Kind
from penstock.vet.intake.views.view import View
from penstock.vet.lazy import lazy
from penstock.vet.verdict.types import Gap, GapReason, Severity

NODES = 120_000
"""Nodes that are visited in one skill, all walks together; what is beyond is a gap."""
WALKS = 4
NESTING = 1_500
"""Brackets that may stand inside each other; the parser's time grows with the square of it."""
BYTES = 256 * 1024
"""Bytes of one skill that are parsed; those with errors count several times."""
TEXT = 512 * 1024
"""Bytes of one text that are parsed."""

_WORTH = lazy(
    r"\b(?:eval|Function|execSync|execFile|exec|spawn|fork|vm|fetch|axios|https?|WebSocket|writeFile|appendFile|"
    r"createWriteStream|sendBeacon|XMLHttpRequest|superagent|needle|got|ky|undici|net|dgram|dns|import\(|require\(|execa)"
)
_SAME = {
    SECRET_TO_NETWORK.id: rules.SECRET_TO_NETWORK,
    DOWNLOAD_TO_EXEC.id: rules.DOWNLOAD_TO_EXEC,
    DECODED_TO_EXEC.id: rules.DECODED_TO_EXEC,
    PERSISTENCE.id: rules.PERSISTENCE,
}


class _Watch:
    """Collects the matches and capabilities of one view."""

    def __init__(self, view: View, source: bytes) -> None:
        self.view = view
        self.ascii = len(source) == len(view.text)
        self.source = source
        self.documented = view.artifact.kind in PROSE
        self.matches: dict[tuple[str, int], Match] = {}
        self.capabilities: dict[str, int] = {}

    def sent(self, target: str, channel: str, tags: frozenset[Tag], start: int, end: int) -> None:
        """A value with facts is sent."""
        facts = frozenset(tag for tag in tags if tag.kind in ("secret", "key"))
        if facts:
            found = judge.sent(Sink(kind="send", target=target, channel=channel, start=start, end=end), facts)
            if found is not None:
                confidence = min(found.confidence, 800) if known.urls(target) else min(found.confidence, 650)
                severity = found.severity if known.urls(target) else min(found.severity, Severity.HIGH)
                self._match(rules.SECRET_TO_NETWORK, severity, confidence, found.message, start, end)

    def ran(self, how: str, tags: frozenset[Tag], start: int, end: int) -> None:
        """A value with facts is run."""
        command = how in ("a command", "a shell command")
        for tag in sorted(tags):
            if tag.kind == "decoded":
                severity, confidence = (Severity.HIGH, 600) if command else (Severity.CRITICAL, 800)
                message = f"{tag.what.capitalize()} is decoded and run by {how}."
                self._match(rules.DECODED_TO_EXEC, severity, confidence, message, start, end)
            elif tag.kind == "remote":
                self._remote(how, tag.what, start, end, command=command)
            elif tag.kind == "input" and how != "a command":
                message = f"What {tag.what} holds becomes part of {how}."
                self._match(rules.INPUT_TO_COMMAND, Severity.MEDIUM, 600, message, start, end)

    def _remote(self, how: str, url: str, start: int, end: int, *, command: bool) -> None:
        host = known.classify_url(url)
        if host is known.Host.LOCAL:
            return
        severity, confidence = (
            (Severity.MEDIUM, 550) if command or host <= known.Host.INSTALLER else (Severity.HIGH, 700)
        )
        if host is known.Host.SUSPECT:
            severity, confidence = (Severity.HIGH, 650) if command else (Severity.CRITICAL, 800)
        elif how in ("import", "require") and self.documented:
            severity, confidence = Severity.LOW, 300
        message = f"What {url[:120] or 'the network'} answers is run by {how}."
        self._match(rules.DOWNLOAD_TO_EXEC, severity, confidence, message, start, end)

    def shell(self, text: str, start: int, end: int) -> None:
        """A shell command is run: its flows count as this program's."""
        Flow(_Inner(self, start, end), Memory(steps=4_000)).read(text)

    def wrote(self, path: str, value: Val, start: int, end: int) -> None:
        """A file is written."""
        found = judge.wrote(path, Value(value.tags, value.text), value.text)
        if found is not None:
            rule = _SAME.get(found.rule.id, rules.PERSISTENCE)
            self._match(rule, found.severity, found.confidence, found.message, start, end)

    def able(self, capability: str, start: int) -> None:
        """The program can do this."""
        if len(self.capabilities) < 512:
            self.capabilities.setdefault(capability, start)

    def character(self, offset: int) -> int:
        """A byte offset as one of characters."""
        return offset if self.ascii else len(self.source[:offset].decode("utf-8", "replace"))

    def _match(
        self, rule: Rule, severity: Severity, confidence: int, message: str, start: int, end: int
    ) -> None:
        key = (rule.id, start)
        old = self.matches.get(key)
        if len(self.matches) >= 100 or (old is not None and (old.severity or 0) >= severity):
            return
        same = (severity, confidence) == (rule.severity, rule.confidence)
        self.matches[key] = Match(
            rule=rule.id,
            view=self.view,
            start=self.character(start),
            end=self.character(min(end, start + 600)),
            message=message,
            severity=severity,
            confidence=confidence,
            adjustments=() if same else ("weighed by what is moved and where to",),
        )


class _Inner:
    """Hears of the shell commands that a program runs."""

    def __init__(self, watch: _Watch, start: int, end: int) -> None:
        self._watch = watch
        self._start = start
        self._end = end

    def reached(self, sink: Sink, tags: frozenset[Tag]) -> None:
        """A value reaches the network or an interpreter."""
        if sink.kind == "send":
            found = judge.sent(sink, tags)
            self._tell([found] if found is not None else [])
        else:
            self._tell(judge.ran(sink, tags, documented=self._watch.documented))

    def called(self, call: Call) -> None:
        """A command is run."""
        if call.name.isidentifier():
            self._watch.able(f"cmd:{call.name[:40]}", self._start)

    def wrote(self, call: Call, path: str, value: Value) -> None:
        """A file is written."""
        found = judge.wrote(path, value, value.text)
        self._tell([found] if found is not None else [])

    def _tell(self, judged: list[judge.Judged]) -> None:
        for one in judged:
            rule = _SAME.get(one.rule.id)
            if rule is not None:
                self._watch._match(rule, one.severity, one.confidence, one.message, self._start, self._end)


class JavaScriptAnalyzer:
    """Parses every view of JavaScript or TypeScript that can do anything."""

    rules: Mapping[str, Rule] = by_id(rules.RULES)

    def inspect(self, subject: Subject) -> Inspected:
        """Matches, capabilities and gaps of all views of the two languages."""
        matches: list[Match] = []
        able: list[Capability] = []
        gaps: set[Gap] = set()
        budget, pieces = NODES, Pieces(BYTES)
        for view in subject.views:
            if view.language not in (Kind.JAVASCRIPT, Kind.TYPESCRIPT) or _WORTH.search(view.text) is None:
                continue
            source = view.text.encode("utf-8", "replace")
            most = min(TEXT, subject.limits.syntax_bytes)
            if len(source) > most or _nesting(source) > NESTING or budget <= 0:
                gaps.add(_gap(view))
                continue
            watch = _Watch(view, source)
            budget, whole = _follow(view, source, watch, budget, pieces)
            if budget < 0 or not whole:
                gaps.add(_gap(view))
            matches.extend(watch.matches.values())
            for name, start in watch.capabilities.items():
                at = watch.character(start)
                able.append(Capability(name=name, path=view.path, line=view.artifact_lines(at, at + 1)[0]))
        return Inspected(matches=tuple(matches), capabilities=tuple(able), gaps=tuple(sorted(gaps)))


def _follow(view: View, source: bytes, watch: _Watch, budget: int, pieces: Pieces) -> tuple[int, bool]:
    """Parse and walk one view: what is left of the budget, and whether all of the text was read."""
    from penstock.vet.inspect.analyzers.jsflow.calls import Effects
    from penstock.vet.inspect.analyzers.jsflow.program import Program
    from penstock.vet.inspect.analyzers.jsflow.walk import walk

    trees = list(pieces.trees(source, view.language))
    program = Program(Effects(watch))
    for _ in range(WALKS):
        before = program.learned
        for tree, base, text in trees:
            if tree is not None and budget >= 0:
                budget = walk(tree, text, program, budget, base)
        if budget < 0 or program.learned == before:
            break
    return budget, all(tree is not None for tree, _, _ in trees)


def _nesting(source: bytes) -> int:
    """How deep brackets stand inside each other, strings and comments not told apart."""
    depth = deepest = 0
    for byte in _BRACKETS.findall(source):
        if byte in b"([{":
            depth += 1
            deepest = max(deepest, depth)
        elif depth:
            depth -= 1
    return deepest


_BRACKETS = lazy(rb"[][(){}]")


def _gap(view: View) -> Gap:
    detail = "program too long or too deep to follow"
    return Gap(path=view.path, reason=GapReason.ANALYSIS_LIMIT, detail=detail)

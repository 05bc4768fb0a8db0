"""JavaScript and TypeScript: flows from secrets and the network into effects, and what a program can do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from sluicegate.known import hosts, steering
from sluicegate.vet.hints import one_of
from sluicegate.vet.inspect.analyzers.jsflow import rules
from sluicegate.vet.inspect.analyzers.jsflow.calls import Effects
from sluicegate.vet.inspect.analyzers.jsflow.modules import MODULE, JsModules, constants
from sluicegate.vet.inspect.analyzers.jsflow.parse import Pieces
from sluicegate.vet.inspect.analyzers.jsflow.program import JsProgram
from sluicegate.vet.inspect.analyzers.jsflow.values import HOLE, Val
from sluicegate.vet.inspect.analyzers.jsflow.walk import TreeReading
from sluicegate.vet.inspect.analyzers.lineflow.rules import DESTRUCTIVE as SCRIPT_DESTRUCTIVE
from sluicegate.vet.inspect.analyzers.programs import BundlePrograms, programs_of, with_steps
from sluicegate.vet.inspect.analyzers.purpose import Stated
from sluicegate.vet.inspect.analyzers.shflow.flow import ShellFlow
from sluicegate.vet.inspect.analyzers.shflow.judging import judge, within
from sluicegate.vet.inspect.analyzers.shflow.judging.destroys import of_folder
from sluicegate.vet.inspect.analyzers.shflow.judging.rules import (
    BY_ITSELF,
    DECODED_TO_EXEC,
    DOWNLOAD_TO_EXEC,
    OWN_TO_NETWORK,
    PERSISTENCE,
    SECRET_TO_NETWORK,
)
from sluicegate.vet.inspect.analyzers.shflow.memory import ShellState
from sluicegate.vet.inspect.analyzers.shflow.values import ProgramStep, ShellValue, Tag, passed, traced
from sluicegate.vet.inspect.analyzers.shflow.watched import ShellCall, Sink
from sluicegate.vet.inspect.processing_order import turns
from sluicegate.vet.inspect.rule import Capability, Inspected, Match, Rule, Subject, by_id, strongest
from sluicegate.vet.intake.bundle import PROSE, Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Gap, GapReason, Severity

MATCHES = 100
"""Matches of one view; where there are more, the strongest, and a gap."""
NODES = 120_000
"""Nodes that are visited in one skill, all walks together; what is beyond is a gap."""
WALKS = 12
ROUNDS = 6
"""Times that modules are walked again because others told them something."""
NESTING = 1_500
"""Brackets that may stand inside each other; the parser's time grows with the square of it."""
BYTES = 256 * 1024
"""Bytes of one skill that are parsed; those with errors count several times."""
TEXT = 512 * 1024
"""Bytes of one text that are parsed."""

_WORTH = lazy(
    r"\b(?:eval|Function|execSync|execFile|exec|spawn|fork|vm|fetch|axios|https?|WebSocket|writeFile|appendFile|"
    r"createWriteStream|sendBeacon|XMLHttpRequest|superagent|needle|got|ky|undici|net|dgram|dns|import\(|require\(|execa|"
    r"zx|shelljs|rm(?:dir)?(?:Sync)?\(|rimraf|emptyDir|removeSync|delete(?:As|S)ync|Deno\.remove"
    rf"|{'|'.join(steering.WORDS)})"
)
_WORDS = (
    "eval", "Function", "exec", "spawn", "fork", "vm", "fetch", "axios", "http", "WebSocket", "writeFile", "appendFile",
    "createWriteStream", "sendBeacon", "XMLHttpRequest", "superagent", "needle", "got", "ky", "undici", "net", "dgram", "dns",
    "import(", "require(", "zx", "shelljs", "rm(", "rmSync(", "rmdir", "rimraf", "emptyDir", "removeSync", "deleteAsync", "deleteSync",
    "Deno.remove", *steering.WORDS,
)  # fmt: skip
"""One of them stands in whatever ``_WORTH`` finds, which has to be tried at every character."""
_LANGUAGES = (Kind.JAVASCRIPT, Kind.TYPESCRIPT)
_SAME = {
    SECRET_TO_NETWORK.id: rules.SECRET_TO_NETWORK,
    OWN_TO_NETWORK.id: rules.OWN_TO_NETWORK,
    DOWNLOAD_TO_EXEC.id: rules.DOWNLOAD_TO_EXEC,
    DECODED_TO_EXEC.id: rules.DECODED_TO_EXEC,
    PERSISTENCE.id: rules.PERSISTENCE,
}


class _Watch:
    """Collects the matches and capabilities of one view."""

    def __init__(
        self,
        view: View,
        source: bytes,
        programs: BundlePrograms,
        stated: Stated,
        files: dict[str, frozenset[Tag]],
    ) -> None:
        self.view = view
        self.programs = programs
        self._files = files
        self._remotes: dict[str, str] = {}
        self.stated = stated
        self.explains = stated.explains
        self.ascii = len(source) == len(view.text)
        self.source = source
        self.documented = view.artifact.kind in PROSE
        self.matches: dict[tuple[str, int], Match] = {}
        self._traces: dict[tuple[str, int], set[str]] = {}
        self.capabilities: dict[str, int] = {}

    def sent(self, target: str, channel: str, tags: frozenset[Tag], start: int, end: int) -> None:
        """A value with facts is sent."""
        facts = frozenset(tag for tag in tags if tag.kind in judge.PRIVATE)
        if facts:
            found = judge.sent(
                Sink(kind="send", target=target, channel=channel, start=start, end=end), facts, self.explains
            )
            if found is not None:
                confidence = min(found.confidence, 800) if hosts.urls(target) else min(found.confidence, 650)
                severity = found.severity if hosts.urls(target) else min(found.severity, Severity.HIGH)
                trace = (f"send={target}", f"channel={channel}", *traced(tags))
                rule = _SAME[found.rule.id]
                self._match(rule, severity, confidence, found.message, start, end, trace, passed(facts))

    def ran(self, how: str, tags: frozenset[Tag], start: int, end: int) -> None:
        """A value with facts is run."""
        command = how in ("a command", "a shell command")
        trace, steps = (f"run={how}", *traced(tags)), passed(tags)
        for tag in sorted(tags):
            if tag.kind == "decoded":
                severity, confidence = (Severity.HIGH, 600) if command else (Severity.CRITICAL, 800)
                message = f"{tag.what.capitalize()} is decoded and run by {how}."
                self._match(rules.DECODED_TO_EXEC, severity, confidence, message, start, end, trace, steps)
            elif tag.kind == "commanded" and hosts.classify(tag.what) is not hosts.Host.LOCAL:
                message = f"What {tag.what[:120] or 'a connection'} says is run by {how}."
                self._match(rules.REVERSE_SHELL, Severity.CRITICAL, 850, message, start, end, trace)
            elif tag.kind == "remote":
                self._remote(how, tag.what, start, end, trace, steps, command=command)
            elif tag.kind == "input" and how != "a command":
                message = f"What {tag.what} holds becomes part of {how}."
                self._match(rules.INPUT_TO_COMMAND, Severity.MEDIUM, 600, message, start, end, trace)

    def _remote(
        self,
        how: str,
        url: str,
        start: int,
        end: int,
        trace: tuple[str, ...],
        steps: tuple[ProgramStep, ...],
        *,
        command: bool,
    ) -> None:
        host = hosts.classify(url)
        if host is hosts.Host.LOCAL:
            return
        severity, confidence = (
            (Severity.MEDIUM, 550) if command or host <= hosts.Host.INSTALLER else (Severity.HIGH, 700)
        )
        if host is hosts.Host.SUSPECT:
            severity, confidence = (Severity.HIGH, 650) if command else (Severity.CRITICAL, 800)
        elif how in ("import", "require") and self.documented:
            severity, confidence = Severity.LOW, 300
        elif command and hosts.urls(url) and host > hosts.Host.CODE and not self.explains(hosts.host_of(url)):
            severity, confidence = Severity.HIGH, 600
        message = f"What {url[:120] or 'the network'} answers is run by {how}."
        self._match(rules.DOWNLOAD_TO_EXEC, severity, confidence, message, start, end, trace, steps)

    def printed(self, tags: frozenset[Tag], start: int, end: int) -> None:
        """What a program prints concerns those that read it (see ``BundlePrograms``)."""

    def shell(self, text: str, tags: frozenset[Tag], start: int, end: int) -> frozenset[Tag]:
        """A shell command is run: its flows count as this program's."""
        holes = {HOLE[1:]: ShellValue(tags, HOLE)} if tags else {}
        memory = ShellState(steps=4_000, variables=holes, programs=self.programs, path=self.view.path)
        memory.files, memory.remotes = (
            self._files,
            self._remotes,
        )  # what one command leaves, the next one finds
        ShellFlow(_Inner(self, memory, text, (start, end)), memory).read(text)
        return self.programs.output(text, self.view.path)

    def wrote(self, path: str, value: Val, start: int, end: int) -> None:
        """A file is written."""
        if value.tags:
            at = self.character(start)
            step = ProgramStep(self.view.path, self.view.artifact_lines(at, at + 1)[0])
            self.programs.note(path, value.tags, step, self.view.language)
        found = judge.wrote(path, ShellValue(value.tags, value.text), value.text, self.explains)
        if found is not None:
            rule = _SAME.get(found.rule.id, rules.PERSISTENCE)
            trace = _written(path, ShellValue(value.tags, value.text))
            self._match(rule, found.severity, found.confidence, found.message, start, end, trace)

    def erased(self, path: str, start: int, end: int) -> None:
        """A folder is deleted with all that is in it."""
        loss = of_folder(path)
        if loss is not None:
            trace = (f"erase={path}",)
            self._match(SCRIPT_DESTRUCTIVE, loss.severity, loss.confidence, loss.message, start, end, trace)

    def able(self, capability: str, start: int) -> None:
        """The program can do this."""
        if len(self.capabilities) < 512:
            self.capabilities.setdefault(capability, start)

    def character(self, offset: int) -> int:
        """A byte offset as one of characters."""
        return offset if self.ascii else len(self.source[:offset].decode("utf-8", "replace"))

    def told(self) -> Iterator[Match]:
        """The matches, each with all that was seen to reach its place."""
        for key, match in self.matches.items():
            yield match._replace(trace=tuple(self._traces[key]))

    def _match(
        self,
        rule: Rule,
        severity: Severity,
        confidence: int,
        message: str,
        start: int,
        end: int,
        trace: Iterable[str],
        steps: tuple[ProgramStep, ...] = (),
    ) -> None:
        key = (rule.id, start)
        self._traces.setdefault(key, set()).update(trace)
        old = self.matches.get(key)
        if old is not None and (old.severity or 0) >= severity:
            return
        same = (severity, confidence) == (rule.severity, rule.confidence)
        self.matches[key] = Match(
            rule=rule.id,
            view=self.view,
            start=self.character(start),
            end=self.character(min(end, start + 600)),
            message=with_steps(message, steps),
            severity=severity,
            confidence=confidence,
            adjustments=() if same else ("it depends on what is done, and with which file or host",),
            places=self.programs.places(steps),
            files=tuple(dict.fromkeys(step.path for step in steps)),
        )


class _Inner:
    """Hears of the shell commands that a program runs."""

    def __init__(self, watch: _Watch, memory: ShellState, text: str, place: tuple[int, int]) -> None:
        self._watch = watch
        self._memory = memory
        self._text = text
        self._start, self._end = place

    def reached(self, sink: Sink, tags: frozenset[Tag]) -> None:
        """A value reaches the network or an interpreter."""
        trace = (f"{sink.kind}={sink.target}", f"channel={sink.channel}", *traced(tags))
        steps = passed(tags, sink.through)
        if sink.kind == "send":
            found = judge.sent(sink, tags, self._watch.explains)
            self._tell([found] if found is not None else [], trace, steps)
        else:
            self._tell(judge.ran(sink, tags, documented=self._watch.documented), trace, steps)

    def called(self, call: ShellCall) -> None:
        """A command is run."""
        if call.name.isidentifier():
            self._watch.able(f"cmd:{call.name[:40]}", self._start)
        if call.name in judge.JUDGED:
            written = self._text in self._watch.view.text
            around = within.around(self._memory, self._watch.stated, written=written)
            found = judge.called(call, self._text[call.start : min(call.end, call.start + 2048)], around)
            if found is not None:
                standing = judge.in_document(found) if self._watch.documented else found
                self._tell([standing], (f"command={' '.join((*call.wrapped, *call.words))}",))

    def wrote(self, call: ShellCall, path: str, value: ShellValue) -> None:
        """A file is written."""
        found = judge.wrote(path, value, value.text, self._watch.explains)
        self._tell([found] if found is not None else [], _written(path, value))

    def _tell(
        self, judged: list[judge.Judged], trace: tuple[str, ...], steps: tuple[ProgramStep, ...] = ()
    ) -> None:
        for one in judged:
            rule = _SAME.get(one.rule.id, one.rule if one.rule in BY_ITSELF else None)
            if rule is not None:
                self._watch._match(
                    rule, one.severity, one.confidence, one.message, self._start, self._end, trace, steps
                )


def _written(path: str, value: ShellValue) -> tuple[str, ...]:
    return (f"path={path}", f"content={value.text}", *traced(value.tags))


class JavaScriptAnalyzer:
    """Parses every view of JavaScript or TypeScript that can do anything, and the modules that it uses.

    1. Each view is walked until nothing more is learned of it alone.
    2. Modules of the bundle that those name, and that can do nothing by themselves, are read too.
    3. Views that name modules, and those named, are walked again while one learns of another.
    """

    rules: Mapping[str, Rule] = by_id(rules.RULES)

    def inspect(self, subject: Subject) -> Inspected:
        """Matches, capabilities and gaps of all views of the two languages."""
        return _Reading(subject).result()


class _Text:
    """One view under analysis."""

    def __init__(
        self, view: View, readings: list[TreeReading], program: JsProgram, watch: _Watch, *, whole: bool
    ) -> None:
        self.view = view
        self.readings = readings
        self.whole = whole
        """Whether all of it was parsed."""
        self.program = program
        self.watch = watch
        self.seen = (-1, -1)
        """What it, and the modules that it uses, had learned when it was walked last."""


class _Reading:
    """The analysis of one bundle."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._most = min(TEXT, subject.limits.syntax_bytes)
        self._modules = JsModules(subject.views)
        self._programs = programs_of(subject)
        self._stated = Stated(subject.views)
        self._budget, self._pieces = NODES, Pieces(BYTES)
        self._files: dict[str, frozenset[Tag]] = {}
        self._texts: list[_Text] = []
        self._gaps: set[Gap] = set()

    def result(self) -> Inspected:
        """Everything that was found."""
        for view in turns(self._subject.views, _LANGUAGES, BYTES):  # 1
            if _worth(view.text):
                text = self._read(view)
                if text is None or not self._settle(text):
                    self._gaps.add(_gap(view))
        self._named()  # 2
        self._across()  # 3
        matches: list[Match] = []
        able: list[Capability] = []
        for text in self._texts:
            view, watch = text.view, text.watch
            matches.extend(strongest(watch.told(), MATCHES))
            if len(watch.matches) > MATCHES:
                detail = f"only the strongest {MATCHES} findings in JavaScript were kept"
                self._gaps.add(Gap(path=view.path, reason=GapReason.ANALYSIS_LIMIT, detail=detail))
            for name, start in watch.capabilities.items():
                at = watch.character(start)
                able.append(Capability(name=name, path=view.path, line=view.artifact_lines(at, at + 1)[0]))
        for program in (*self._modules.programs, *(text.program for text in self._texts)):
            if program is not None:
                program.let_go()
        return Inspected(matches=tuple(matches), capabilities=tuple(able), gaps=tuple(sorted(self._gaps)))

    def _read(self, view: View) -> _Text | None:
        """Parse a view, and make it known as a module where it is one; None where it is not read."""
        source = view.text.encode("utf-8", "replace")
        cut = len(source) > self._most
        if cut:  # up to the end of a line
            source = source[: max(source.rfind(b"\n", 0, self._most), 0) or self._most]
        if _nesting(source) > NESTING or self._budget <= 0:
            return None
        watch = _Watch(view, source, self._programs, self._stated, self._files)
        program = JsProgram(Effects(watch, self._files), self._modules, view.path)
        if self._programs.files:
            program.effects.written = partial(
                self._programs.written, reader=view.path, language=view.language
            )
        if not view.origin and (number := self._modules.number(view.path)) != -1:
            self._modules.programs[number] = program
            program.number = f"{MODULE}{number}"
        trees = list(self._pieces.trees(source, view.language))
        readings = [TreeReading(tree, part, base) for tree, base, part in trees if tree is not None]
        text = _Text(view, readings, program, watch, whole=not cut and len(readings) == len(trees))
        self._texts.append(text)
        return text

    def _settle(self, text: _Text) -> bool:
        """Walk a view while it learns from itself; whether all of it was read."""
        for _ in range(WALKS):
            before = text.program.learned
            self._walk(text)
            if self._budget < 0 or text.program.learned == before:
                return self._budget >= 0 and text.whole
        return False

    def _walk(self, text: _Text) -> None:
        text.seen = self._learned(text)
        for reading in text.readings:
            if self._budget >= 0:
                self._budget = reading.run(text.program, self._budget)

    def _learned(self, text: _Text) -> tuple[int, int]:
        used = (self._modules.programs[number] for number in text.program.uses)
        return text.program.learned, sum(1 + program.learned for program in used if program is not None)

    def _named(self) -> None:
        """Read the modules that are named and were not worth it alone, in the order in which they are named."""
        done = 0
        while done < len(self._modules.paths):
            path, known = self._modules.paths[done], self._modules.programs[done]
            view = self._modules.views[path]
            done += 1
            if known is not None or self._budget <= 0:
                continue
            if view.language is Kind.JSON:
                program = JsProgram(
                    Effects(_Watch(view, b"", self._programs, self._stated, self._files), self._files),
                    self._modules,
                    path,
                )
                for name, value in constants(view).items():
                    program.texts[f"module.exports.{name}"] = value
                self._modules.programs[done - 1] = program
            elif view.language in _LANGUAGES and (text := self._read(view)) is not None:
                self._settle(text)

    def _across(self) -> None:
        """Walk what may learn from others until none does; where the budget ends first, that is a gap."""
        linked = [text for text in self._texts if text.program.uses or self._is_used(text)]
        for _ in range(ROUNDS):
            stale = [text for text in linked if self._learned(text) != text.seen]
            if not stale:
                return
            for text in stale:
                self._walk(text)
                if self._budget < 0:
                    self._gaps.add(_gap(text.view))
                    return
        self._gaps.update(_gap(text.view) for text in linked if self._learned(text) != text.seen)

    def _is_used(self, text: _Text) -> bool:
        number = text.program.number
        return bool(number) and any(int(number[1:]) in other.program.uses for other in self._texts)


def _worth(text: str) -> bool:
    return one_of(_WORDS, text) and _WORTH.search(text) is not None


def _nesting(source: bytes) -> int:
    """How deep brackets stand inside each other at most, strings and comments not told apart."""
    opened = source.count(b"(") + source.count(b"[") + source.count(b"{")
    if opened <= NESTING:  # they cannot stand deeper than there are of them
        return opened
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

"""Shell: flows from secrets, downloads and decoders to commands, and what the commands can do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice

from sluicegate.known import hosts
from sluicegate.known.shell.script import ScriptCommand
from sluicegate.vet.inspect import capabilities
from sluicegate.vet.inspect.analyzers.programs import BundlePrograms, programs_of, with_steps
from sluicegate.vet.inspect.analyzers.proseflow import nouns
from sluicegate.vet.inspect.analyzers.purpose import Stated
from sluicegate.vet.inspect.analyzers.shflow.flow import ShellFlow
from sluicegate.vet.inspect.analyzers.shflow.judging import judge
from sluicegate.vet.inspect.analyzers.shflow.judging.rules import DESTRUCTIVE, RULES
from sluicegate.vet.inspect.analyzers.shflow.memory import STAGED, ShellState
from sluicegate.vet.inspect.analyzers.shflow.values import NONE, ProgramStep, ShellValue, Tag, passed, traced
from sluicegate.vet.inspect.analyzers.shflow.watched import ShellCall, Sink
from sluicegate.vet.inspect.processing_order import turns
from sluicegate.vet.inspect.rule import Capability, Inspected, Match, Rule, Subject, by_id, strongest
from sluicegate.vet.intake.bundle import CONFIG, PROSE, Kind
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.lazy import lazy
from sluicegate.vet.verdict.types import Gap, GapReason

STEPS = 200_000
"""Steps of reading for one skill; what is beyond is a gap."""
MATCHES = 200
"""Matches of one view; where there are more, the strongest, and a gap."""
PASSAGE = 500
"""Characters in front of a command in which its noun is looked for."""
CAPABILITIES = 512
"""Capabilities of one view from which on no command adds more."""

_COMMAND = lazy(r"[a-z_][\w.+-]{0,39}", re.IGNORECASE)
_FILE = lazy(r"~?[\w.*/+@-]{1,160}")
_ORDERS = lazy(
    r"(?:^|[\s*_>(:])(?:run|execute|use|call|issue|install|upload|send|post|submit|push|transmit|forward|copy|transfer|sync|back ?up|mirror|"
    r"deliver|report|share|by|via|with|using|through)\b[^.!?]{0,120}$",
    re.IGNORECASE,
)
"""Words that make a command in a sentence one that is to be run."""
_ALONE = lazy(r"(?:^|[:|])[ \t>*_`\"'+-]*(?:\d{1,3}[.)][ \t]+)?[*_`\"' \t]*$")
"""What stands in front of a command on its line where it is not part of a sentence."""
_SPACED_GAP = lazy(r"(?<![\w$\[{])\[[A-Za-z][\w.-]{0,30}(?: [\w.-]{1,30}){1,6}\](?![\w(\[])")
"""A file that is to be named, in words between brackets."""
_CLOSED = lazy(r"\A\s{0,4}(?:```|~~~)[ \t]*\n+")
_NOTED = lazy(r"(?m)(?:^|[ \t])#[ \t]+([^\n]{1,200})$")
NOTES = 8
"""Comments of a block that are read with the sentences round it."""
LINE = 200
"""Characters of a line in front of a command that are looked at."""
_QUIET = frozenset(
    "cd echo printf test true false exit return set shift export local declare read source eval unset alias in pwd "
    "wait trap break continue ulimit umask readonly type".split()
)
_READS = frozenset({"cat", "head", "tail", "less", "more", "source", ".", "bat", "tac"})
_LOOKED_AT = judge.JUDGED | _READS
_SHELL = Kind.SHELL
_STEPS = CONFIG | {Kind.MAKEFILE, Kind.SOURCE, Kind.RUBY, Kind.PYTHON}
"""Kinds of files whose commands are steps that run one after the other."""


_REASON = "it depends on what is done, and with which file or host"
_REASONS = {DESTRUCTIVE.id: "it depends on what is lost, and how it is named"}


@lru_cache(maxsize=2048)
def _ability(name: str) -> str | None:
    """The capability of running a command, where that is one worth a name."""
    return capabilities.command(name) if name not in _QUIET and _COMMAND.fullmatch(name) else None


class NearbySentences:
    """The sentences round the commands of a document."""

    def __init__(self, views: Iterable[View]) -> None:
        self._views = views

    def _place(self, view: View, at: int) -> tuple[str, int, int]:
        """The text of the document, and where in it the block begins and ends in which a command stands; of commands in code
        spans and lines, which are one view, the one that begins ``at``. The end of the lines where it is not found."""
        raw = next((one for one in self._views if not one.origin and one.path == view.path), None)
        if raw is None:
            return "", 0, 0
        first, last, sought = 0, len(view.text), view.text.strip()
        if view.origin[-1].kind == "command":
            starts, number = view.line_starts(), view.line_of(at)
            first, last = starts[number], starts[number + 1] if number + 1 < len(starts) else len(view.text)
            sought = view.text[first:last].strip()
        begins, ends = view.artifact_lines(first, last)
        starts = raw.line_starts()
        end = starts[ends] if ends < len(starts) else len(raw.text)
        start = starts[min(begins, len(starts)) - 1]
        found = raw.text.find(sought, start, end)
        if found == -1 and (found := raw.text.find(sought.partition("|")[0].strip(), start, end)) == -1:
            return raw.text, start, end
        return raw.text, found, min(found + len(sought), end)

    def order(self, view: View, at: int) -> bool:
        """Whether a command in a sentence is to be run: the words in front of it say so, or it is a line, an item or a cell
        by itself, or what a colon leads up to."""
        text, at, _ = self._place(view, at)
        if not text:
            return False
        from sluicegate.vet.inspect.context.prose.sentence import negation, sentence_start

        before = text[sentence_start(text, at) : at]
        line = text[max(text.rfind("\n", 0, at) + 1, at - LINE) : at]
        return bool(_ORDERS.search(before) or _ALONE.search(line)) and not negation(text, at)

    def passage(self, view: View, at: int) -> str:
        """What is said round a command or block: up to the heading above it, and to the end of its paragraph."""
        text, start, end = self._place(view, at)
        if not text:
            return ""
        from sluicegate.vet.inspect.context.prose.sentence import negation

        if negation(text, start):
            return ""
        before = text[max(0, start - PASSAGE) : start]
        heading = max(before.rfind("\n#"), before.rfind("\n---\n"))
        after = _CLOSED.sub("", text[end : end + PASSAGE // 2]).partition("\n\n")[0]
        noted = (
            " ".join(found[1] for found in islice(_NOTED.finditer(view.text), NOTES))
            if "#" in view.text
            else ""
        )
        return f"{before[max(heading, 0) :]} {after} {noted}"


class _Watch:
    """Collects the matches and capabilities of one view."""

    def __init__(
        self,
        view: View,
        stated: Stated,
        around: NearbySentences,
        programs: BundlePrograms,
        memory: ShellState,
    ) -> None:
        self.view = view
        self._programs = programs
        self._memory = memory
        self._by_itself = by_itself(view)
        self._stated = stated
        self._around = around
        kinds = {step.kind for step in view.origin} if view.artifact.kind in PROSE else set()
        self.documented = bool(kinds & {"fence", "command"})
        self.inline = "command" in kinds and "fence" not in kinds
        self.names: set[str] = set()
        self.matches: dict[tuple[str, int], Match] = {}
        self._traces: dict[tuple[str, int], set[str]] = {}
        self._input: tuple[ScriptCommand, str] | None = None
        self.capabilities: dict[str, int] = {}

    def reached(self, sink: Sink, tags: frozenset[Tag]) -> None:
        """A value reaches the network or an interpreter."""
        said: list[str] = []
        if sink.kind == "send":
            filled = self._filled(tags, sink.start)
            if filled != tags:
                said = [f"said={word}" for word in nouns.named(self._around.passage(self.view, sink.start))]
            found = judge.sent(sink, filled, self._stated.explains)
            judged = [found] if found is not None else []
        else:
            judged = judge.ran(sink, tags, documented=self.documented)
        trace = (f"{sink.kind}={sink.target}", f"channel={sink.channel}", *traced(tags), *said)
        steps = passed(tags, sink.through)
        for one in judged:
            passing = self.inline and not (
                one.rule in judge.SENT and self._around.order(self.view, sink.start)
            )
            self._match(judge.in_passing(one) if passing else one, sink.start, sink.end, trace, steps)

    def _filled(self, tags: frozenset[Tag], at: int) -> frozenset[Tag]:
        """The gaps of a command in a document, filled with what the sentences round it speak of."""
        gaps = [tag.what for tag in tags if tag.kind == "gap" and "public" not in tag.what.lower()]
        if not gaps or not self.documented:
            return tags
        said = f"{' '.join(gaps)} {self._around.passage(self.view, at)}"
        return tags | {Tag(kind, what) for kind, what in nouns.private(said)}

    def called(self, call: ShellCall) -> None:
        """A command is run."""
        name = call.name
        if name not in self.names:
            self.names.add(name)
            able = _ability(name[:41])  # a name that has a capability is shorter
            if able is not None and len(self.capabilities) < CAPABILITIES:
                self._able(able, call.start)
        if name in _LOOKED_AT or judge.network_command(name):
            self._look(call)

    def _look(self, call: ShellCall) -> None:
        """What a command of the tables does to what its words name."""
        if call.name in judge.JUDGED:
            around = judge.Around(
                self._here(), self._by_itself, self._held, self._stated.declares, self._stated.explains
            )
            found = judge.called(call, self.view.text[call.start : min(call.end, call.start + 2048)], around)
            if found is not None:
                trace = (_command(call), *traced(call.tags), *traced(call.stdin))
                self._match(self._standing(found, call.start), call.start, call.end, trace)
        if len(self.capabilities) >= CAPABILITIES:
            return
        if judge.network_command(call.name):
            found_url = False
            for word in call.words[1:33]:
                for _, host in hosts.urls(word):
                    found_url = True
                    self._able(capabilities.net(host), call.start)
            if not found_url:
                self._able(capabilities.net("*"), call.start)
        elif call.name in _READS:
            for word in call.words[1:9]:
                if _FILE.fullmatch(word) and word[0] != "-":
                    self._able(capabilities.read(word), call.start)

    def wrote(self, call: ShellCall, path: str, value: ShellValue) -> None:
        """A file is written."""
        end = min(call.end, call.start + 4096)
        found = judge.wrote(
            path,
            value,
            self.view.text[call.start : end] + value.text + self._here_document(call.command),
            self._stated.explains,
        )
        if found is not None:
            trace = (_command(call), f"path={path}", f"content={value.text}", *traced(value.tags))
            self._match(self._standing(found, call.start), call.start, call.end, trace)
        if _FILE.fullmatch(path) and len(self.capabilities) < CAPABILITIES:
            self._able(capabilities.write(path), call.start)

    def _here_document(self, command: ScriptCommand) -> str:
        """The text that stands under a command and is its input: asked for each file that it writes, and it may write thousands."""
        if self._input is None or self._input[0] is not command:
            texts = (redirect.word.literal for redirect in command.redirects if redirect.operator == "<<")
            self._input = command, "".join(text[:4096] for text in texts)
        return self._input[1]

    def _here(self) -> str:
        """The folder that a command works in, where the text has told it."""
        held = self._memory.variables.get("PWD")
        return "" if held is None else held.text

    def _held(self, path: str) -> frozenset[Tag]:
        """The facts of a file that the text has written."""
        return self._memory.files.get(path.removeprefix("./"), NONE)

    def _standing(self, found: judge.Judged, at: int) -> judge.Judged:
        """A deed where it stands: an example in a document, or a command that a sentence speaks of."""
        if not self.documented or self._by_itself:
            return found
        if self.inline and found.rule in judge.SPOKEN_OF and not self._around.order(self.view, at):
            return judge.in_passing(found)
        return judge.in_document(found)

    def told(self) -> Iterator[Match]:
        """The matches, each with all that was seen to reach its place."""
        for key, match in self.matches.items():
            yield match._replace(trace=tuple(self._traces[key]))

    def _match(
        self,
        found: judge.Judged,
        start: int,
        end: int,
        trace: Iterable[str],
        steps: tuple[ProgramStep, ...] = (),
    ) -> None:
        key = (found.rule.id, start)
        self._traces.setdefault(key, set()).update(trace)
        old = self.matches.get(key)
        if old is not None and (old.severity or 0) >= found.severity:
            return
        changed = (found.severity, found.confidence) != (found.rule.severity, found.rule.confidence)
        self.matches[key] = Match(
            rule=found.rule.id,
            view=self.view,
            start=start,
            end=max(end, start + 1),
            message=with_steps(found.message, steps),
            severity=found.severity,
            confidence=found.confidence,
            adjustments=(_REASONS.get(found.rule.id, _REASON),) if changed else (),
            places=self._programs.places(steps),
            files=tuple(dict.fromkeys(step.path for step in steps)),
        )

    def _able(self, name: str, start: int) -> None:
        self.capabilities.setdefault(name, start)


def _command(call: ShellCall) -> str:
    """A command with the values of its words."""
    return f"command={' '.join((*call.wrapped, *call.words))}"


_GIT_HOOKS = lazy(
    r"(?:^|/)(?:hooks|\.husky|\.githooks)/(?:pre|post|prepare|commit|update|applypatch|fsmonitor)[\w-]{0,24}(?:\.sh)?$"
)


def by_itself(view: View) -> bool:
    """Whether an agent or git runs a text at an event, with nobody asking for it."""
    if not view.origin:
        return _GIT_HOOKS.search(view.path) is not None
    return any(step.kind == "command" and step.detail.startswith("hooks.") for step in view.origin)


class ShellAnalyzer:
    """Reads every shell view once."""

    rules: Mapping[str, Rule] = by_id(RULES)

    def inspect(self, subject: Subject) -> Inspected:
        """Matches, capabilities and gaps of all shell views."""
        matches: list[Match] = []
        able: list[Capability] = []
        gaps: set[Gap] = set()
        steps = STEPS
        programs = programs_of(subject)
        stated, around = Stated(subject.views), NearbySentences(subject.views)
        staged: dict[str, ShellState] = {}
        for view in turns(subject.views, (_SHELL,), STEPS // 4):
            text = view.text[: subject.limits.syntax_bytes]
            if "[" in text and view.origin and view.artifact.kind in PROSE:
                text = _SPACED_GAP.sub(lambda found: found[0].replace(" ", "_"), text)
            memory = ShellState(steps=steps, programs=programs, path=view.path)
            watch = _Watch(view, stated, around, programs, memory)
            if watch.documented:
                memory.documented = True
                memory.follow(staged.get(view.path))
                staged[view.path] = memory
            elif view.origin and view.artifact.kind in _STEPS:
                if view.path in staged:  # steps are shells of their own, and leave files to each other
                    memory.files = dict(islice(staged[view.path].files.items(), STAGED))
                staged[view.path] = memory
            memory.open.add(view.path)
            ShellFlow(watch, memory).read(text, shared=not view.origin)
            steps = memory.steps
            if memory.partial or len(text) < len(view.text):
                gaps.add(
                    Gap(
                        path=view.path,
                        reason=GapReason.ANALYSIS_LIMIT,
                        detail="shell text too long or too deep to follow",
                    )
                )
            for path, tags in memory.files.items():
                at = max(view.text.find(path.rpartition("/")[2]), 0)
                programs.note(path, tags, ProgramStep(view.path, view.artifact_lines(at, at + 1)[0]), _SHELL)
            matches.extend(strongest(watch.told(), MATCHES))
            if len(watch.matches) > MATCHES:
                detail = f"only the strongest {MATCHES} findings in shell text were kept"
                gaps.add(Gap(path=view.path, reason=GapReason.ANALYSIS_LIMIT, detail=detail))
            for name, start in memory.used.items():
                watch.capabilities.setdefault(capabilities.env(name), start)
            for name, start in watch.capabilities.items():
                able.append(
                    Capability(name=name, path=view.path, line=view.artifact_lines(start, start + 1)[0])
                )
        return Inspected(matches=tuple(matches), capabilities=tuple(able), gaps=tuple(sorted(gaps)))

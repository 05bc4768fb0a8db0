"""What a JavaScript program does with its arguments, its input and its environment, and what it prints."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sluicegate.vet.inspect.analyzers.jsflow.calls import Effects
from sluicegate.vet.inspect.analyzers.jsflow.modules import JsModules
from sluicegate.vet.inspect.analyzers.jsflow.parse import Pieces
from sluicegate.vet.inspect.analyzers.jsflow.program import JsProgram
from sluicegate.vet.inspect.analyzers.jsflow.values import Val
from sluicegate.vet.inspect.analyzers.jsflow.walk import TreeReading
from sluicegate.vet.inspect.analyzers.programs import ARGUMENT, CODE, INPUT, Given, Summary
from sluicegate.vet.inspect.analyzers.shflow.given import step_at
from sluicegate.vet.inspect.analyzers.shflow.values import NONE, ProgramStep, Tag, handed_on, join
from sluicegate.vet.intake.views.view import View

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.programs import BundlePrograms

NODES = 40_000
WALKS = 12
_ARGUMENTS = frozenset({Tag("given", ARGUMENT)})
_TYPED = frozenset({"process.stdin", "/dev/stdin"})


class _Listener:
    """Notes what is sent and run of what was given, and what is printed."""

    def __init__(self, view: View, source: bytes, programs: BundlePrograms) -> None:
        self._view = view
        self._source = source
        self._programs = programs
        self.found: set[Given] = set()
        self.prints: frozenset[Tag] = NONE

    def sent(self, target: str, channel: str, tags: frozenset[Tag], start: int, end: int) -> None:
        """A value is sent."""
        self._used(tags, target, channel, "send", start)

    def ran(self, how: str, tags: frozenset[Tag], start: int, end: int) -> None:
        """A value is run."""
        code = not how.startswith("a ") and how not in ("import", "require")
        self._used(tags, how, CODE if code else "", "run", start)

    def printed(self, tags: frozenset[Tag], start: int, end: int) -> None:
        """A value is written to the standard output."""
        self.prints = join(self.prints, handed_on(map(_given, tags), self._step(start)))

    def shell(self, text: str, tags: frozenset[Tag], start: int, end: int) -> frozenset[Tag]:
        """What a command prints that runs programs of the bundle."""
        return self._programs.output(text, self._view.path)

    def wrote(self, path: str, value: Val, start: int, end: int) -> None:
        """Nothing is noted of a file."""

    def erased(self, path: str, start: int, end: int) -> None:
        """Nothing is noted of what is deleted."""

    def able(self, capability: str, start: int) -> None:
        """Nothing is noted of what else it can do."""

    def _used(self, tags: frozenset[Tag], target: str, channel: str, kind: str, start: int) -> None:
        for tag in map(_given, tags):
            if tag.kind == "given":
                self.found.add(Given(tag.what, target, channel, kind, (self._step(start),)))

    def _step(self, start: int) -> ProgramStep:
        at = len(self._source[:start].decode("utf-8", "replace"))
        return step_at(self._view, at, at + 1)


def _given(tag: Tag) -> Tag:
    """The input of a program is known by its name; here it is what somebody gives."""
    return tag._replace(kind="given", what=INPUT) if tag.kind == "input" and tag.what in _TYPED else tag


def summary(view: View, programs: BundlePrograms) -> Summary:
    """Read the program with its arguments and its environment marked; its input is known by name."""
    source = view.text.encode("utf-8", "replace")
    listener = _Listener(view, source, programs)
    program = JsProgram(Effects(listener, {}), JsModules((view,)), view.path)
    program.listening = True
    if programs.files:
        program.effects.written = partial(programs.written, reader=view.path, language=view.language)
    program.know("process.argv", _ARGUMENTS)
    trees = Pieces(len(source) + 1).trees(source, view.language)
    readings = [TreeReading(tree, part, base) for tree, base, part in trees if tree is not None]
    budget = NODES
    for _ in range(WALKS):
        before = program.learned
        for reading in readings:
            if budget >= 0:
                budget = reading.run(program, budget)
        if program.learned == before:
            break
    program.let_go()
    return Summary(tuple(sorted(listener.found)), listener.prints, budget < 0)

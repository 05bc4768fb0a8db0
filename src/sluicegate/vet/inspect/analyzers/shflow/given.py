"""What a shell script does with its arguments, its input and its environment, and what it prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sluicegate.vet.inspect.analyzers.programs import ARGUMENT, CODE, INPUT, Given, Summary
from sluicegate.vet.inspect.analyzers.shflow.flow import ShellFlow
from sluicegate.vet.inspect.analyzers.shflow.memory import ShellState
from sluicegate.vet.inspect.analyzers.shflow.values import NONE, ProgramStep, ShellValue, Tag, handed_on, join
from sluicegate.vet.inspect.analyzers.shflow.watched import ShellCall, Sink
from sluicegate.vet.intake.views.view import View

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.programs import BundlePrograms

_ARGUMENTS = frozenset({Tag("given", ARGUMENT)})
_INPUT = frozenset({Tag("given", INPUT)})
_LONGEST = 65_536


class _Listener:
    """Notes what is sent and run of what was given."""

    def __init__(self, view: View) -> None:
        self._view = view
        self.found: set[Given] = set()

    def reached(self, sink: Sink, tags: frozenset[Tag]) -> None:
        """A value reaches the network or an interpreter."""
        step = step_at(self._view, sink.start, sink.end)
        through = sink.through if step in sink.through else (step, *sink.through)
        for tag in tags:
            if tag.kind == "given":
                channel = sink.channel or (CODE if sink.kind == "run" and not sink.through else "")
                self.found.add(Given(tag.what, sink.target, channel, sink.kind, through))

    def called(self, call: ShellCall) -> None:
        """Nothing is noted of a command."""

    def wrote(self, call: ShellCall, path: str, value: ShellValue) -> None:
        """Nothing is noted of a file."""


def step_at(view: View, start: int, end: int) -> ProgramStep:
    """A place of a program, as those say it that stand in other files."""
    return ProgramStep(view.path, view.artifact_lines(start, max(end, start + 1))[0])


def summary(view: View, programs: BundlePrograms, steps: int) -> Summary:
    """Read the script with its arguments and its input marked."""
    listener = _Listener(view)
    names = [*map(str, range(1, 10)), "@", "*"]
    variables = {name: ShellValue(_ARGUMENTS, "$" + name) for name in names}
    memory = ShellState(
        steps=steps,
        variables=variables,
        programs=programs,
        path=view.path,
        stdin=_INPUT,
        listening=True,
        read=True,
    )
    flow = ShellFlow(listener, memory)
    flow.read(view.text[:_LONGEST], shared=True)
    prints = NONE
    for command, tags in flow.output():
        prints = join(prints, handed_on(tags, step_at(view, command.start, command.end)))
    partial = memory.partial or len(view.text) > _LONGEST
    return Summary(tuple(sorted(listener.found)), prints, partial)


def output(text: str, path: str, programs: BundlePrograms, steps: int) -> frozenset[Tag]:
    """The facts of what other programs print in a command line that a program of the bundle runs and reads."""
    flow = ShellFlow(_Deaf(), ShellState(steps=steps, programs=programs, path=path, read=True))
    flow.read(text)
    found = NONE
    for _, tags in flow.output():
        found = join(found, frozenset(tag for tag in tags if tag.through))
    return found


class _Deaf:
    """Notes nothing: what the command does is told where it stands."""

    def reached(self, sink: Sink, tags: frozenset[Tag]) -> None:
        """Nothing is noted."""

    def called(self, call: ShellCall) -> None:
        """Nothing is noted."""

    def wrote(self, call: ShellCall, path: str, value: ShellValue) -> None:
        """Nothing is noted."""

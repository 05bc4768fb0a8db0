"""What a JavaScript program sends of its arguments and of its input."""

from __future__ import annotations

from sluicegate.vet.inspect.analyzers.jsflow.calls import Effects
from sluicegate.vet.inspect.analyzers.jsflow.modules import Modules
from sluicegate.vet.inspect.analyzers.jsflow.parse import Pieces
from sluicegate.vet.inspect.analyzers.jsflow.program import Program
from sluicegate.vet.inspect.analyzers.jsflow.values import Val
from sluicegate.vet.inspect.analyzers.jsflow.walk import Reading
from sluicegate.vet.inspect.analyzers.programs import ARGUMENT, INPUT, Given
from sluicegate.vet.inspect.analyzers.shflow.values import Tag
from sluicegate.vet.intake.views.view import View

NODES = 40_000
WALKS = 12
_ARGUMENTS = frozenset({Tag("given", ARGUMENT)})


class _Listener:
    """Notes what is sent of what was given."""

    def __init__(self) -> None:
        self.found: set[Given] = set()

    def sent(self, target: str, channel: str, tags: frozenset[Tag], start: int, end: int) -> None:
        """A value is sent."""
        for tag in tags:
            if tag.kind == "given":
                self.found.add(Given(ARGUMENT, target, channel))
            elif tag == Tag("input", "process.stdin"):
                self.found.add(Given(INPUT, target, channel))

    def ran(self, how: str, tags: frozenset[Tag], start: int, end: int) -> None:
        """Nothing is noted of what is run."""

    def shell(self, text: str, tags: frozenset[Tag], start: int, end: int) -> None:
        """Nothing is noted of a command."""

    def wrote(self, path: str, value: Val, start: int, end: int) -> None:
        """Nothing is noted of a file."""

    def able(self, capability: str, start: int) -> None:
        """Nothing is noted of what else it can do."""


def given(view: View) -> set[Given]:
    """Read the program with its arguments marked; its input is known by name."""
    listener = _Listener()
    program = Program(Effects(listener, {}), Modules((view,)), view.path)
    program.know("process.argv", _ARGUMENTS)
    source = view.text.encode("utf-8", "replace")
    trees = Pieces(len(source) + 1).trees(source, view.language)
    readings = [Reading(tree, part, base) for tree, base, part in trees if tree is not None]
    budget = NODES
    for _ in range(WALKS):
        before = program.learned
        for reading in readings:
            if budget >= 0:
                budget = reading.run(program, budget)
        if program.learned == before:
            break
    program.let_go()
    return listener.found

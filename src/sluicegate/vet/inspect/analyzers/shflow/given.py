"""What a shell script sends of its arguments and of its input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sluicegate.vet.inspect.analyzers.programs import ARGUMENT, INPUT, Given
from sluicegate.vet.inspect.analyzers.shflow.flow import Call, Flow, Sink
from sluicegate.vet.inspect.analyzers.shflow.memory import Memory
from sluicegate.vet.inspect.analyzers.shflow.values import Tag, Value
from sluicegate.vet.intake.views.view import View

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.programs import Programs

_ARGUMENTS = frozenset({Tag("given", ARGUMENT)})
_INPUT = frozenset({Tag("given", INPUT)})
_LONGEST = 65_536


class _Listener:
    """Notes what is sent of what was given."""

    def __init__(self) -> None:
        self.found: set[Given] = set()

    def reached(self, sink: Sink, tags: frozenset[Tag]) -> None:
        """A value reaches the network."""
        if sink.kind == "send":
            self.found |= {Given(tag.what, sink.target, sink.channel) for tag in tags if tag.kind == "given"}

    def called(self, call: Call) -> None:
        """Nothing is noted of a command."""

    def wrote(self, call: Call, path: str, value: Value) -> None:
        """Nothing is noted of a file."""


def given(view: View, programs: Programs, steps: int) -> set[Given]:
    """Read the script with its arguments and its input marked."""
    listener = _Listener()
    names = [*map(str, range(1, 10)), "@", "*"]
    variables = {name: Value(_ARGUMENTS, "$" + name) for name in names}
    memory = Memory(steps=steps, variables=variables, programs=programs, path=view.path, stdin=_INPUT)
    Flow(listener, memory).read(view.text[:_LONGEST], shared=True)
    return listener.found

"""Shell commands that programs in other languages run, judged as those of a script."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sluicegate.vet.inspect.analyzers.shflow.flow import ShellFlow
from sluicegate.vet.inspect.analyzers.shflow.judging import judge
from sluicegate.vet.inspect.analyzers.shflow.memory import ShellState
from sluicegate.vet.inspect.analyzers.shflow.values import NONE, ShellValue, Tag
from sluicegate.vet.inspect.analyzers.shflow.watched import Sink
from sluicegate.vet.lazy import lazy

if TYPE_CHECKING:
    from sluicegate.vet.inspect.analyzers.purpose import Stated
    from sluicegate.vet.inspect.analyzers.shflow.watched import ShellCall

STEPS = 2_000
_WORDS = lazy(r"[\w.+-]{1,40}")


def worth(text: str) -> bool:
    """Whether one of the commands that may be bad by themselves is named: the cheap question."""
    return not judge.JUDGED.isdisjoint(_WORDS.findall(text))


def around(memory: ShellState, stated: Stated, *, written: bool) -> judge.Around:
    """What is known of a command that a program runs. ``written``: it stands in the program as it is run."""
    held = memory.variables.get("PWD")
    here = "" if held is None else held.text
    return judge.Around(
        here,
        by_itself=False,
        held=lambda path: memory.files.get(path.removeprefix("./"), NONE),
        declares=stated.declares,
        explains=stated.explains,
        written=written,
    )


class _Calls:
    """Hears of the commands of one text."""

    def __init__(self, text: str, memory: ShellState, stated: Stated, *, written: bool) -> None:
        self._text = text
        self._around = (memory, stated, written)
        self.found: list[judge.Judged] = []

    def called(self, call: ShellCall) -> None:
        """A command is run."""
        if call.name in judge.JUDGED:
            memory, stated, written = self._around
            known = around(memory, stated, written=written)
            judged = judge.called(call, self._text[call.start : min(call.end, call.start + 2048)], known)
            if judged is not None:
                self.found.append(judged)

    def reached(self, sink: Sink, tags: frozenset[Tag]) -> None:
        """What flows is followed by the analyzer of the program."""

    def wrote(self, call: ShellCall, path: str, value: ShellValue) -> None:
        """What is written is followed by the analyzer of the program."""


def judged(text: str, stated: Stated, *, written: bool) -> Iterator[judge.Judged]:
    """What is bad by itself in a command line that a program runs."""
    if worth(text):
        memory = ShellState(steps=STEPS)
        calls = _Calls(text, memory, stated, written=written)
        ShellFlow(calls, memory).read(text)
        yield from calls.found

"""What a script may use up: steps, characters and items of values, and calls that stand in calls."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sluicegate.flow.values import Labeled, weight
from sluicegate.script.evaluate.faults import BudgetExhausted, ScriptError

STEPS: Final = 2_000_000
SIZE: Final = 100_000_000
LARGEST: Final = 10_000_000
"""Characters of a text, or items of a list or an object."""
CALLS: Final = 200
AT_THE_END: Final = 50_000
"""Steps, and characters, that letting go of an environment may take."""
DEPTH: Final = 4_000


class RunBudget:
    """What is left of it. One that is exhausted stays so: whoever goes on after an error stops at the next step."""

    __slots__ = ("calls", "depth", "size", "steps")

    def __init__(self, steps: int = STEPS, size: int = SIZE) -> None:
        self.steps, self.size = steps, size
        self.depth = self.calls = 0

    def renew(self) -> None:
        """Begin anew: another piece of work of the same program."""
        self.steps, self.size, self.depth, self.calls = STEPS, SIZE, 0, 0

    def step(self) -> None:
        """One node more."""
        self.steps -= 1
        if self.steps < 0:
            raise BudgetExhausted("out-of-budget", "the script took more steps than it may",
                                  hint="Split it, or see whether a loop or a function goes on for ever.")  # fmt: skip

    def making(self, size: int) -> None:
        """A value of so many characters or items is about to be made."""
        if size > LARGEST:
            raise ScriptError("out-of-budget", f"a value would have more than {LARGEST} characters or items",
                              hint="Keep it in a file, and read what is needed of it.")  # fmt: skip
        self.size -= size
        if self.size < 0:
            raise BudgetExhausted("out-of-budget", "the script made more text and items than it may",
                                  hint="Split it, or see whether a loop or a function goes on for ever.")  # fmt: skip

    def made(self, content: object) -> None:
        """A value was made: what it is written out has to be within the bounds, too."""
        if isinstance(content, str):
            self.making(len(content))
        elif isinstance(content, (list, dict, Labeled)):
            self.making(weight(content, LARGEST))

    @contextmanager
    def at_the_end(self) -> Iterator[None]:
        """What lets go of something may take some steps, whatever is left."""
        before = self.steps, self.size, self.calls
        self.steps, self.size, self.calls = max(self.steps, AT_THE_END), max(self.size, AT_THE_END), 0
        try:
            yield
        finally:
            self.steps, self.size = min(self.steps, before[0]), min(self.size, before[1])
            self.calls = before[2]

    def begin(self) -> None:
        """Whole again, for another input of the same person."""
        self.steps, self.size = STEPS, SIZE
        self.depth = self.calls = 0

    def enter(self) -> None:
        """A call inside of those that go on."""
        if self.calls >= CALLS:
            raise ScriptError("too-deep", f"more than {CALLS} calls stand inside each other",
                              hint="See whether a function calls itself without an end.")  # fmt: skip
        self.calls += 1

    def leave(self) -> None:
        """A call has ended."""
        self.calls -= 1

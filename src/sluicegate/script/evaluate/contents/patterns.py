"""Regular expressions in time that is linear in the text: whatever a pattern is, and whoever wrote the text, it ends.

A pattern becomes a program for a machine that follows all ways through it at once, in the order in which they are preferred
(Pike's machine). So there are no back-references and no look-around. Flags: ``g`` every match, ``i`` case is ignored, ``m`` lines,
``s`` a dot is also a line end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from sluicegate.script.evaluate.callables import SpecialValue
from sluicegate.script.evaluate.contents.pattern_syntax import (
    Accept,
    Assert,
    Instruction,
    Jump,
    One,
    Save,
    Split,
    compiled,
)
from sluicegate.script.evaluate.faults import ScriptError

if TYPE_CHECKING:
    from sluicegate.script.evaluate.budget import RunBudget

_PER_STEP: Final = 20
"""Instructions of the machine that count as one step of the script."""
_Slots = tuple[int, ...]


class Pattern(SpecialValue):
    """A regular expression."""

    __slots__ = ("_program", "every", "flags", "source")

    def __init__(self, source: str, flags: str) -> None:
        self.source, self.flags = source, flags
        self.every = "g" in flags
        self._program = _compiled(source, flags.replace("g", ""))

    def __str__(self) -> str:
        return f"/{self.source}/{self.flags}"

    def search(self, text: str, budget: RunBudget | None = None) -> bool:
        """Whether a text holds a match."""
        return next(self._found(text, budget), None) is not None

    def match(self, budget: RunBudget, text: str) -> list[str] | None:
        """Every match; without ``g`` the first and its groups. None where nothing matches."""
        if self.every:
            return [text[slots[0] : slots[1]] for slots in self._found(text, budget)] or None
        slots = next(self._found(text, budget), None)
        return None if slots is None else _groups(text, slots)

    def replace(self, budget: RunBudget, text: str, new: str, *, every: bool) -> str:
        """The text with other text in place of matches; in it ``$1`` is a group and ``$&`` the match."""
        made: list[str] = []
        at = size = 0
        for slots in self._found(text, budget):
            piece = _expanded(new, _groups(text, slots))
            size += slots[0] - at + len(piece)
            budget.making(size)
            made += (text[at : slots[0]], piece)
            at = slots[1]
            if not every:
                break
        return "".join(made) + text[at:]

    def split(self, budget: RunBudget, text: str) -> list[str]:
        """The text between matches."""
        made, at = [], 0
        for slots in self._found(text, budget):
            if slots[1] > slots[0]:
                made.append(text[at : slots[0]])
                at = slots[1]
        return [*made, text[at:]]

    def _found(self, text: str, budget: RunBudget | None) -> Iterator[_Slots]:
        """Every match, from left to right."""
        at = 0
        while at <= len(text):
            slots = _run(self._program, text, at, budget)
            if slots is None:
                return
            yield slots
            at = slots[1] if slots[1] > slots[0] else slots[1] + 1


def _groups(text: str, slots: _Slots) -> list[str]:
    pairs = zip(slots[::2], slots[1::2], strict=True)
    return [text[start:end] if start >= 0 and end >= 0 else "" for start, end in pairs]


def _expanded(new: str, groups: list[str]) -> str:
    if "$" not in new:
        return new
    made, at = [], 0
    while at < len(new):
        following = new[at + 1 : at + 2]
        if new[at] == "$" and following == "&":
            made.append(groups[0])
            at += 2
        elif new[at] == "$" and following.isdigit() and int(following) < len(groups):
            made.append(groups[int(following)])
            at += 2
        elif new[at] == "$" and following == "$":
            made.append("$")
            at += 2
        else:
            made.append(new[at])
            at += 1
    return "".join(made)


@lru_cache(maxsize=256)
def _compiled(source: str, flags: str) -> tuple[Instruction, ...]:
    unknown = set(flags) - set("ims")
    if unknown:
        raise ScriptError(
            "bad-pattern", f"a pattern has no flag `{sorted(unknown)[0]}`", hint="There are g, i, m and s."
        )
    return compiled(source, flags)


@lru_cache(maxsize=256)
def _no_slots(program: tuple[Instruction, ...]) -> _Slots:
    return (-1,) * (2 * max(each.slot // 2 + 1 for each in program if isinstance(each, Save)))


def _run(program: tuple[Instruction, ...], text: str, start: int, budget: RunBudget | None) -> _Slots | None:
    """The preferred match that begins first at or after a place."""
    none = _no_slots(program)
    best: _Slots | None = None
    threads: list[tuple[int, _Slots]] = []
    worked = 0
    for at in range(start, len(text) + 1):
        seen: set[int] = set()
        ready: list[tuple[int, _Slots]] = []
        for place, slots in threads:
            _follow(program, place, slots, text, at, seen, ready)
        if best is None:
            _follow(program, 0, none, text, at, seen, ready)
        worked += len(seen) + 1
        if budget is not None and worked >= _PER_STEP:
            for _ in range(worked // _PER_STEP):
                budget.step()
            worked = 0
        threads = []
        for place, slots in ready:
            each = program[place]
            if isinstance(each, Accept):
                best = slots
                break  # those behind it are preferred less
            if isinstance(each, One) and at < len(text) and each.accepts(text[at]):
                threads.append((place + 1, slots))
        if not threads and best is not None:
            break
    return best


def _follow(
    program: tuple[Instruction, ...], start: int, slots: _Slots, text: str, at: int,
    seen: set[int], ready: list[tuple[int, _Slots]],
) -> None:  # fmt: skip
    """All instructions that take a character, or end, which are reached from one without taking any, in their order."""
    waiting = [(start, slots)]
    while waiting:
        place, held = waiting.pop()
        if place in seen:
            continue
        seen.add(place)
        each = program[place]
        if isinstance(each, Jump):
            waiting.append((each.to, held))
        elif isinstance(each, Split):
            waiting.append((each.other, held))
            waiting.append((each.first, held))
        elif isinstance(each, Save):
            waiting.append((place + 1, (*held[: each.slot], at, *held[each.slot + 1 :])))
        elif isinstance(each, Assert):
            if _HOLDS[each.kind](text, at):
                waiting.append((place + 1, held))
        else:
            ready.append((place, held))


def _is_word(text: str, at: int) -> bool:
    return 0 <= at < len(text) and (text[at].isalnum() or text[at] == "_")


def _at_edge(text: str, at: int) -> bool:
    return _is_word(text, at - 1) != _is_word(text, at)


_HOLDS: Final[dict[str, Callable[[str, int], bool]]] = {
    "start": lambda text, at: at == 0,
    "end": lambda text, at: at == len(text),
    "line-start": lambda text, at: at == 0 or text[at - 1] == "\n",
    "line-end": lambda text, at: at == len(text) or text[at] == "\n",
    "edge": _at_edge,
    "no-edge": lambda text, at: not _at_edge(text, at),
}

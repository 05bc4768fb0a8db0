"""One argument of a command: literal text, and the holes in it.

A hole is filled with a value, and stays inside the argument that it stands in. What is not known until the
command runs (an expansion in shell code, a file that ``find`` will name) is a hole too, one that nothing of
ours fills; everything that is true of a hole for every value is true of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from sluicegate.flow.labels.names import shown


class Hole(Struct, frozen=True):
    """A place for a value.

    ``many``: a list fills it, as several whole arguments. ``option``: the author said that it may be an
    option. ``unknown``: it is filled by another program, so nothing can be checked then; ``name`` says by
    what. ``operand``: what fills it is known not to begin with ``-``.
    """

    name: str
    many: bool = False
    option: bool = False
    unknown: bool = False
    operand: bool = False

    def __str__(self) -> str:
        if self.unknown:
            return self.name
        return f"{{{self.name}{'...' if self.many else ''}{':option' if self.option else ''}}}"


Part = str | Hole


class ArgumentWord:
    """One argument. Compared by identity: two arguments that are written alike are two arguments.

    ``text`` is the whole argument if it is literal, else None; ``head`` the literal text before the first
    hole. ``origin`` and ``offset`` say of which argument this is the rest, and from which character on.
    """

    __slots__ = ("head", "offset", "origin", "parts", "text")

    def __init__(self, parts: Iterable[Part], *, origin: ArgumentWord | None = None, offset: int = 0) -> None:
        self.parts: Final[tuple[Part, ...]] = tuple(part for part in parts if part != "")
        first = self.parts[0] if self.parts else ""
        self.head: Final[str] = first if isinstance(first, str) else ""
        self.text: Final[str | None] = None if self.holes else self.head
        self.origin: Final[ArgumentWord] = origin or self
        self.offset: Final[int] = offset

    @property
    def holes(self) -> tuple[Hole, ...]:
        """The holes in it, in order."""
        return tuple(part for part in self.parts if isinstance(part, Hole))

    @property
    def many(self) -> bool:
        """Whether a list fills it, or an unknown number of arguments."""
        return any(hole.many for hole in self.holes)

    @property
    def option(self) -> bool:
        """Whether the author lets it be an option."""
        return any(hole.option for hole in self.holes)

    @property
    def whole(self) -> bool:
        """Whether it begins with a hole, so that the value is the beginning of the argument."""
        return bool(self.parts) and not self.head

    @property
    def tail(self) -> str:
        """The literal text after the last hole; empty for a literal argument."""
        last = self.parts[-1] if self.parts else ""
        return last if isinstance(last, str) and self.text is None else ""

    def after(self, count: int) -> ArgumentWord:
        """The rest of the argument after ``count`` characters of its literal head."""
        if count == 0:
            return self
        rest = (self.head[count:], *self.parts[1:])
        return ArgumentWord(rest, origin=self.origin, offset=self.offset + count)

    def __str__(self) -> str:
        return "".join(map(str, self.parts))

    def __repr__(self) -> str:
        return f"Word({str(self)!r})"


def joined(parts: Iterable[Part]) -> Iterator[Part]:
    """The parts with texts that stand side by side as one."""
    text = ""
    for part in parts:
        if isinstance(part, str):
            text += part
            continue
        yield text
        yield part
        text = ""
    yield text


def literal(text: str) -> ArgumentWord:
    """An argument without holes."""
    return ArgumentWord((text,))


def quoted(word: ArgumentWord | str) -> str:
    """An argument for a message: as it is written in the template, without any value."""
    return shown(str(word))

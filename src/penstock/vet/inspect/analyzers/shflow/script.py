"""What a shell text is made of, once read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Part(NamedTuple):
    """A piece of a word: ``lit`` (the text), ``var`` (the name) or ``sub`` (the number of a scope)."""

    kind: str
    text: str = ""
    scope: int = -1


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Word:
    """One argument. ``quoted`` when all of it stood between one pair of quotes; offsets are of the text read."""

    parts: list[Part]
    start: int
    end: int = 0
    quoted: bool = False
    bare: bool = True

    @property
    def literal(self) -> str:
        """The text, with ``$name`` for variables and nothing for substitutions."""
        parts = self.parts
        if len(parts) == 1 and parts[0].kind == "lit":
            return parts[0].text
        return "".join("$" + p.text if p.kind == "var" else p.text for p in parts)


class Redirect(NamedTuple):
    """``operator`` and its word: a file, a here-string or the text of a here-document.

    The commands ``first`` to ``last`` (exclusive) stand inside the here-document, and run before its command.
    """

    operator: str
    word: Word
    first: int = 0
    last: int = 0


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Command:
    """One simple command, or a group (``body`` is its scope) with what is written after it.

    ``feed`` is the number of the command whose output it reads through a pipe; ``kind`` is ``simple``,
    ``group``, ``for``, ``case`` or ``array``; ``function`` is the function in whose body it stands.
    """

    start: int
    scope: int
    end: int = 0
    kind: str = "simple"
    words: list[Word] = field(default_factory=list)
    assigns: list[tuple[str, Word]] = field(default_factory=list)
    redirects: list[Redirect] = field(default_factory=list)
    body: int = -1
    feed: int = -1
    pipes: bool = False
    function: str = ""


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Scope:
    """A list of commands: the whole, a substitution, a subshell, the body of a loop.

    ``outputs`` are the commands that write to its standard output; ``feed`` the command it reads from.
    """

    kind: str
    feed: int = -1
    outputs: list[int] = field(default_factory=list)


@dataclass(slots=True, kw_only=True, eq=False, repr=False)
class Script:
    """Commands in the order in which they end, so that whatever a command needs stands before it."""

    commands: list[Command] = field(default_factory=list)
    scopes: list[Scope] = field(default_factory=list)
    functions: dict[str, list[int]] = field(default_factory=dict)
    partial: bool = False

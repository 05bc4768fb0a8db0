"""What is told while shell text is read: a command with its values, an effect that a value reaches, and who is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from sluicegate.known.shell.script import ScriptCommand
from sluicegate.tuples import NamedTuple
from sluicegate.vet.inspect.analyzers.shflow.commands.wrappers import base_name
from sluicegate.vet.inspect.analyzers.shflow.values import NONE, ProgramStep, ShellValue, Tag, join


class Sink(NamedTuple):
    """A value reaches an effect. ``kind`` is ``send`` or ``run``; ``target`` is where to, or what runs it.

    ``channel`` of what is sent is ``body``, ``url`` or ``header``. ``through`` are the programs of the bundle that do it.
    """

    kind: str
    target: str
    channel: str
    start: int
    end: int
    through: tuple[ProgramStep, ...] = ()

    def same(self, other: Sink) -> bool:
        """Whether both are one effect, wherever they stand."""
        return (self.kind, self.target, self.channel) == (other.kind, other.target, other.channel)


class ShellCall:
    """A command with its values at hand. ``name`` is its base name; wrappers such as sudo stand in ``wrapped``.

    ``facts`` are those of the words that have any, by their places.
    """

    __slots__ = ("command", "end", "facts", "name", "start", "stdin", "words", "wrapped")

    def __init__(
        self,
        command: ScriptCommand,
        name: str,
        words: list[str],
        facts: Mapping[int, frozenset[Tag]],
        stdin: frozenset[Tag],
        place: tuple[int, int],
        wrapped: tuple[str, ...] = (),
    ) -> None:
        self.command = command
        self.name = name
        self.words = words
        self.facts = facts
        self.stdin = stdin
        self.start, self.end = place
        self.wrapped = wrapped

    def runs(
        self, words: list[str], facts: Mapping[int, frozenset[Tag]], wrapped: tuple[str, ...]
    ) -> ShellCall:
        """The command that this one runs, a wrapper as it is."""
        place = (self.start, self.end)
        return ShellCall(self.command, base_name(words[0]), words, facts, self.stdin, place, wrapped)

    @property
    def flags(self) -> set[str]:
        """The words that begin with a dash."""
        return {w for w in self.words[1:] if w.startswith("-")}

    @property
    def tags(self) -> frozenset[Tag]:
        """The facts of all arguments."""
        return self.tags_from(1) if self.facts else NONE

    def tags_from(self, first: int) -> frozenset[Tag]:
        """The facts of all words from one on."""
        tags = NONE
        for at, held in self.facts.items():
            if at >= first:
                tags = join(tags, held)
        return tags

    def value(self, at: int) -> ShellValue:
        """A word with its facts."""
        return ShellValue(self.facts.get(at, NONE), self.words[at])


class ShellWatcher(Protocol):
    """Is told what happens while a script is read."""

    def reached(self, sink: Sink, tags: frozenset[Tag]) -> None:
        """A value with facts reaches an effect."""

    def called(self, call: ShellCall) -> None:
        """A command is run."""

    def wrote(self, call: ShellCall, path: str, value: ShellValue) -> None:
        """A value is written to a file."""


class SourcedWatcher:
    """Watcher for sourced scripts: reports only what flows in from the sourcing script; the rest is reported in the
    sourced script's own analysis."""

    def __init__(self, watcher: ShellWatcher, tags: frozenset[Tag]) -> None:
        self._watcher = watcher
        self._tags = tags

    def reached(self, sink: Sink, tags: frozenset[Tag]) -> None:
        """A value that was known before reaches an effect."""
        if tags & self._tags:
            self._watcher.reached(sink, tags & self._tags)

    def called(self, call: ShellCall) -> None:
        """Told where it stands itself."""

    def wrote(self, call: ShellCall, path: str, value: ShellValue) -> None:
        """Told where it stands itself."""


class FollowedWatcher:
    """Watcher for a function that is read again for the sake of one call: tells what is reached; what its commands are was
    told where it stands."""

    def __init__(self, watcher: ShellWatcher) -> None:
        self._watcher = watcher

    def reached(self, sink: Sink, tags: frozenset[Tag]) -> None:
        """A value reaches an effect."""
        self._watcher.reached(sink, tags)

    def called(self, call: ShellCall) -> None:
        """Told where it stands."""

    def wrote(self, call: ShellCall, path: str, value: ShellValue) -> None:
        """Told where it stands."""

"""Shell commands that programs in other languages run, judged as those of a script."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from sluicegate.known import places
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
_GIVES_OUT = lazy(
    r"\bgit (?:remote|bundle|archive|config)\b|\.env\b|\b(?:pg_dump|mysqldump|mongodump|printenv)\b"
)
"""Commands and words, besides places of credentials, by which something comes into a file or gets a name."""


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


class CommandsLeft:
    """What the commands that a program runs one after the other have left: files with their facts, and remotes.

    ``lines`` are the commands that may have left it, on which whatever is found of a later one rests.
    """

    __slots__ = ("files", "lines", "remotes")

    def __init__(self) -> None:
        self.files: dict[str, frozenset[Tag]] = {}
        self.remotes: dict[str, str] = {}
        self.lines: list[str] = []

    def concerns(self, text: str) -> bool:
        """Whether a command may add something, or may use what is there: the cheap question."""
        return bool(self.files or self.remotes) or places.secret(text) or _GIVES_OUT.search(text) is not None


class _Calls:
    """Hears of the commands of one text."""

    def __init__(
        self, text: str, memory: ShellState, stated: Stated, *, written: bool, left: CommandsLeft | None
    ) -> None:
        self._text = text
        self._around = (memory, stated, written)
        self._before = _facts_of(left.files.values()) if left is not None else NONE
        self._follows = left is not None
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
        """What an earlier command left is sent; all else that flows is followed by the analyzer of the program."""
        if not self._follows or sink.kind != "send":
            return
        named = sink.channel == "repository" and "://" not in self._text
        facts = tags if named else tags & self._before
        found = judge.sent(sink, facts, self._around[1].explains) if facts else None
        if found is not None:
            self.found.append(found)

    def wrote(self, call: ShellCall, path: str, value: ShellValue) -> None:
        """What is written is followed by the analyzer of the program."""


def _facts_of(held: Iterable[frozenset[Tag]]) -> frozenset[Tag]:
    """The facts of all files."""
    return frozenset(tag for tags in held for tag in tags)


def judged(
    text: str, stated: Stated, *, written: bool, left: CommandsLeft | None = None
) -> Iterator[judge.Judged]:
    """What is bad in a command line that a program runs: by itself, or by what the commands before it have ``left``."""
    concerned = left is not None and left.concerns(text)
    if concerned or worth(text):
        memory = ShellState(steps=STEPS)
        if concerned and left is not None:
            memory.files, memory.remotes = left.files, left.remotes
        calls = _Calls(text, memory, stated, written=written, left=left if concerned else None)
        ShellFlow(calls, memory).read(text)
        if concerned and left is not None:
            left.lines.append(text)
        yield from calls.found

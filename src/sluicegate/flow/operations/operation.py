"""Something about to happen: its kind, its labels, and the labelled values that go into it.

An operation holds values and shows none of them. What it needs of their content, its argument vector, paths
and hosts, is made by ``filled`` from what the monitor reveals, after the labels were found to permit it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import lru_cache

from sluicegate.flow.labels import Labels
from sluicegate.flow.labels.names import shown, written
from sluicegate.flow.operations.commands.command import CommandStage
from sluicegate.flow.operations.commands.programs import Programs
from sluicegate.flow.values.carrier import Carrier, labels_of
from sluicegate.flow.values.opaque import placeholder
from sluicegate.tuples import NamedTuple


class OperationKind(StrEnum):
    """The kinds of operation; each is a label ``op:KIND``."""

    CMD = "cmd"
    SH = "sh"
    NODE = "node"
    JS = "js"
    PY = "py"
    PROSE = "prose"
    SHOW = "show"
    OUTPUT = "output"
    LOG = "log"
    APPEND = "append"
    STREAM = "stream"
    READ = "read"
    WRITE = "write"
    FETCH = "fetch"
    MCP = "mcp"
    CALL = "call"
    SIGN = "sign"
    INSTALL = "install"
    RETURN = "return"


class Channel(StrEnum):
    """The way on which a value goes into an operation."""

    ARGUMENT = "argument"
    STDIN = "stdin"
    ENVIRONMENT = "environment"
    NAME = "name"
    BODY = "body"


class Argument(NamedTuple):
    """One value that goes in. ``name`` is the author's: that of a hole, a parameter, an environment
    variable.
    """

    name: str
    value: object
    channel: Channel

    def __eq__(self, other: object) -> bool:
        return self is other  # values are never compared: the answer would tell of them

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return f"Argument({self.name!r}, {_mark(self.value) or '...'}, {self.channel})"


class Target(NamedTuple):
    """A path or host of an operation that is not a command: the argument that names it, and how (``r``, ``w``,
    ``url``).
    """

    form: str
    argument: str


Reveal = Callable[[object], object]
"""Gives the content of a labelled value, and any other value as it is. The monitor has one; nobody else
needs one.
"""


class Operation(NamedTuple):
    """One operation.

    ``leaves`` are its most specific labels, those that the author declared among them. ``stage`` is the
    command, for kind ``cmd``. ``programs`` says where those are looked for that shell text starts, for kind ``sh``; without
    it the text is not read. ``base`` is the absolute directory from which paths are seen. ``template``
    tells people what it is, with the names of holes where values go.
    """

    kind: OperationKind
    name: str
    leaves: tuple[str, ...]
    arguments: tuple[Argument, ...] = ()
    targets: tuple[Target, ...] = ()
    stage: CommandStage | None = None
    declared: tuple[str, ...] = ()
    base: str = "/"
    template: str = ""
    programs: Programs | None = None

    def __eq__(self, other: object) -> bool:
        return self is other  # as arguments are

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return f"Operation({self.describe()})"

    @property
    def labels(self) -> Labels:
        """The join of the labels of everything that goes in."""
        return Labels.join_all(labels_of(argument.value) for argument in self.arguments)

    def values(self, channel: Channel) -> dict[str, object]:
        """The values on one channel, by name."""
        return {each.name: each.value for each in self.arguments if each.channel is channel}

    def describe(self) -> str:
        """The operation for people: ``cmd git commit -m <secret>``. No labelled value is in it."""
        values = {each.name: each.value for each in self.arguments if each.channel is not Channel.ENVIRONMENT}
        if self.stage is not None:
            words = " ".join(_word(parts, values) for parts in self.stage.shown)
            return _cut(f"{self.kind} {words}")
        inputs: list[tuple[str, Labels | str]] = [
            (name, value.labels if isinstance(value, Carrier) else _value(value))
            for name, value in values.items()
        ]
        return _described(self.kind, self.template or self.name, tuple(inputs))


MOST_SHOWN = 400


def _cut(text: str) -> str:
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."


@lru_cache(maxsize=1024)
def _described(kind: OperationKind, name: str, inputs: tuple[tuple[str, Labels | str], ...]) -> str:
    """What is not a command, for people. Of labelled values it is given the labels alone, so it is often the same."""
    shown_inputs = ", ".join(
        [
            f"{written(key)}={(placeholder(one) if one else '...') if isinstance(one, Labels) else one}"
            for key, one in inputs
        ]
    )
    text = f"{kind} {written(name, MOST_SHOWN)}" if name else str(kind)
    return _cut(f"{text}({shown_inputs})" if shown_inputs else text)


def _mark(value: object) -> str:
    """What stands for a labelled value: ``<secret src:mcp>``; nothing if it has no labels."""
    labels = labels_of(value)
    return placeholder(labels) if labels else ""


def _value(value: object) -> str:
    """A value for people: its labels if it has any; else, of what the author wrote, its text, cut and
    quoted.
    """
    return _mark(value) or (shown(str(value)) if isinstance(value, (str, int, float)) else "...")


def _word(parts: tuple[tuple[bool, str], ...], values: Mapping[str, object]) -> str:
    """An argument with what fills its holes; quoted where it would not read as one word."""
    found = []
    for is_hole, text in parts:
        if not is_hole:
            found.append(text)
        elif text not in values:
            found.append(f"{{{text}}}")
        else:
            found.append(_mark(values[text]) or _plain(values[text], text))
    word = "".join(char if char.isprintable() else "?" for char in "".join(found))
    return word if word and not any(char in " \"'" for char in word) else f"'{word}'"


def _plain(value: object, name: str) -> str:
    """The author's own value, if it is short; else the name of its hole."""
    text = str(value) if isinstance(value, (str, int, float)) else ""
    return text if 0 < len(text) <= 60 else f"{{{name}}}"

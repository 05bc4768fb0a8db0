"""Which operations a guard is asked about.

| written | matches |
|---|---|
| ``op:cmd:git`` | an operation with that label or one under it, at any depth (``op:cmd:git:push``) |
| ``src:mcp``, ``dir:/tmp`` | data with that label, or one under it |
| ``secret``, ``net:w`` | data with that label, or an operation that was declared or classified so |
| ``op:run``, ``op:exe`` | the specification's words: any command or code; any function or tool |
| ``fn:send`` | the function of that name, or ``module.send`` |
| ``*`` | every operation |

Data is matched by its whole taint: what was declared, where it came from, and what policy makes of it.

A filter that could never match is an error: an operation or a source that there is not, a known label misspelt.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import Final

from msgspec import Struct

from sluicegate.flow.errors import GuardError, LabelError
from sluicegate.flow.guards.cases import Case
from sluicegate.flow.guards.context import OperationView
from sluicegate.flow.labels import Labels, check, covers, head
from sluicegate.flow.policy.rules.tool_names import NamedTool, of_pattern, tools_of_labels
from sluicegate.flow.policy.text.vocabulary import (
    INTERPRETERS,
    KNOWN_LABELS,
    KNOWN_TARGETS,
    confusable,
    meant_directory,
    meant_operation,
    no_operation,
    no_source,
)


class Reach(Enum):
    """What a filter may match: what the operation is, the data in it, or either."""

    OPERATION = "operation"
    DATA = "data"
    EITHER = "either"
    FUNCTION = "function"
    ALL = "all"


class WholeOperation(Case):
    """The filter matches the operation itself: the guard is asked once, about all of its inputs."""

    __slots__ = ()


class MatchedInputs(Struct, frozen=True):
    """The filter matches data: the guard is asked about each of these inputs."""

    indexes: tuple[int, ...]


class Nothing(Case):
    """The filter does not match."""

    __slots__ = ()


Match = WholeOperation | MatchedInputs | Nothing

_HEADS: Final = ("op", "src", "dir")
_WHOLE: Final = WholeOperation()
_NOTHING: Final = Nothing()


_ALIASES: Final = {
    "op:run": ("op:cmd", *(f"op:{kind}" for kind in INTERPRETERS), "op:interpreter"),
    "op:exe": ("op:call", "op:mcp"),
}
"""Words of the specification's guards that no operation has as a label, and what they mean."""


class Filter(Struct, frozen=True):
    """One filter; ``word`` is as it was written, but for ``fn:``, which is taken off. See ``Filter.of``."""

    reach: Reach
    word: str

    @staticmethod
    def of(text: str, *, own: Iterable[str] = ()) -> Filter:
        """The filter that is written so. ``own`` are labels of your own that look like known ones misspelt.

        Raises ``GuardError`` for what is not a filter and for what could never match.
        """
        if text == "*":
            return Filter(reach=Reach.ALL, word="*")
        if head(text) == "fn":
            return Filter(reach=Reach.FUNCTION, word=_function_name(text))
        try:
            check(text)
            if head(text) != "op":
                Labels.of(text)  # known from now on: labels.directories() keeps what guards name
        except LabelError as error:
            raise GuardError(
                f"a guard has no such filter: {error.message}",
                hint="write a label (secret, src:mcp, net:w), op:cmd:git, fn:name, or *",
            ) from None
        if text not in _ALIASES and text not in own:
            _never(text)
        reach = {"op": Reach.OPERATION, "src": Reach.DATA, "dir": Reach.DATA}.get(head(text), Reach.EITHER)
        return Filter(reach=reach, word=text)

    def __str__(self) -> str:
        return f"fn:{self.word}" if self.reach is Reach.FUNCTION else self.word

    @property
    def words(self) -> tuple[str, ...]:
        """The labels that it stands for: mostly its own word."""
        return _ALIASES.get(self.word, (self.word,))

    def match(self, operation: OperationView, taints: Sequence[Labels]) -> Match:
        """What the filter matches: the operation first, else the inputs with these taints."""
        if self.reach is Reach.ALL:
            return _WHOLE
        if self.reach is Reach.FUNCTION:
            return _WHOLE if self.word in _names(operation.function) else _NOTHING
        if self.reach is not Reach.DATA and any(
            covers(word, label) for word in self.words for label in operation.labels
        ):
            return _WHOLE
        if self.reach is Reach.OPERATION:
            return _NOTHING
        indexes = tuple(index for index, taint in enumerate(taints) if taint.has(self.word))
        return MatchedInputs(indexes=indexes) if indexes else _NOTHING

    def tools(self) -> tuple[NamedTool, ...]:
        """The tools that it names."""
        if self.reach is Reach.FUNCTION:
            return (of_pattern(f"*:{self.word}", ()),)
        return tuple(tools_of_labels(self.words))

    def index_keys(self) -> tuple[str, ...]:
        """The keys under which an index finds the filter; see ``keys_of``."""
        match self.reach:
            case Reach.ALL:
                return ("*",)
            case Reach.FUNCTION:
                return (f"fn {self.word}",)
            case Reach.OPERATION:
                return tuple(f"op {word}" for word in self.words)
            case Reach.DATA:
                return (f"data {self.word}",)
            case Reach.EITHER:
                return f"op {self.word}", f"data {self.word}"


def _never(text: str) -> None:
    """Raises ``GuardError`` for a label that nothing ever has, as policy does."""
    first, _, rest = text.partition(":")
    kind = rest.partition(":")[0]
    if first == "op" and rest and (hint := no_operation(kind, more=_ALIASES)) is not None:
        raise GuardError(f"there is no operation {text}", hint=hint)
    if first == "op" and text.count(":") > 1 and (plain := meant_operation(text)) != text:
        raise GuardError(f"no operation has the label {text}", hint=f"Did you mean {plain}?")
    if first == "dir" and rest and (plain := meant_directory(text)) != text:
        raise GuardError(
            f"no directory has the label {text}",
            hint=f"Did you mean {plain}?" if plain else "write the whole path",
        )
    if first == "src" and rest and (hint := no_source(kind)) is not None:
        raise GuardError(f"there is no source {text}", hint=hint)
    meant = confusable(
        first, (*KNOWN_LABELS, *(target.partition(":")[0] for target in KNOWN_TARGETS), *_HEADS)
    )
    if meant:
        raise GuardError(
            f"{text} is not a known label",
            hint=f"Did you mean {meant}? If it is a label of your own: Filter.of({text!r}, own=[{text!r}]).",
        )


def keys_of(operation: OperationView, taints: Sequence[Labels]) -> Iterator[str]:
    """The keys of all filters that match; some come more than once."""
    yield "*"
    for name in _names(operation.function):
        yield f"fn {name}"
    for label in operation.labels:
        for prefix in _prefixes(label):
            yield f"op {prefix}"
    for label in {label for taint in taints for label in taint.names()}:
        for prefix in _prefixes(label):
            yield f"data {prefix}"


def _prefixes(label: str) -> Iterator[str]:
    place = label.find(":")
    while place >= 0:
        yield label[:place]
        place = label.find(":", place + 1)
    yield label


def _names(function: str) -> tuple[str, ...]:
    return (function, function.rpartition(".")[2]) if function else ()


def _function_name(text: str) -> str:
    name = text.removeprefix("fn:")
    if name == text or not name.isprintable() or not name.replace(".", "_").isidentifier():
        raise GuardError("a guard filters functions by fn: and a name, such as fn:send or fn:mail.send")
    return name

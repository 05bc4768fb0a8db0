"""``Labeled``: a value whose content does not show. See the package for what it means."""

from __future__ import annotations

import operator
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final, Generic, TypeVar, final

from sluicegate.flow.denial import Denied
from sluicegate.flow.labels import EMPTY, NO_TRAIL, ConflictMode, Labels, Trail, TrustRefused, add
from sluicegate.flow.values.carrier import (
    Carrier,
    attach,
    captured,
    labels_of,
    search,
    write_labels,
    write_trail,
)
from sluicegate.flow.values.contents import DEEPEST, Failure, Fields, fresh, holds_carrier, shape_of, too_deep
from sluicegate.flow.values.counter import branch, pc
from sluicegate.flow.values.failures import LabeledFailure, attempt, attempt_async, settled
from sluicegate.flow.values.opaque import Opaque
from sluicegate.flow.values.operators import Operators

T = TypeVar("T")
R = TypeVar("R")
_SIMPLE: Final = frozenset({str, int, float, bool, bytes, type(None)})


@final
class Labeled(Opaque, Operators, Generic[T]):
    """A value with its labels and its trail; its content shows nowhere.

    ``Labeled(content, labels, trail)`` joins the labels with those found inside of the content and with the
    program counter. ``labels`` is the join over everything inside.
    """

    __slots__ = ("_content",)
    _content: object

    # Not __init__, which could be called once more and fill the value with something else.
    def __new__(cls, content: T | Labeled[T], labels: Labels = EMPTY, trail: Trail = NO_TRAIL) -> Labeled[T]:
        return wrap(content, labels, trail)

    # What is made of a value.

    def map(self, function: Callable[[T], R | Labeled[R]], *, step: str = "") -> Labeled[R]:
        """The function's result, with the labels of this value and of what the function captured.

        The function runs inside a branch on this value, so an effect it tries is judged with these labels. It
        should have none, and keep nothing it was given. If it raises, the result is a value that failed.
        ``step`` is a word for the trail, such as ``transform:json``.
        """
        return apply(function, (self,), captured(function), step)

    async def amap(self, function: Callable[[T], Awaitable[R]], *, step: str = "") -> Labeled[R]:
        """As ``map``, for a coroutine function."""
        labels = self.labels | captured(function)
        trail = self.trail.add(step) if step else self.trail
        with branch(labels):
            made = await attempt_async(_run_async, function, self, labels, trail)
            return made if isinstance(made, Labeled) else wrap(made, labels, trail)

    def each(self, function: Callable[[Any], Any]) -> Labeled[Any]:
        """A container of the same shape, the function applied to each part with only that part's labels."""
        fields = _fields(self)
        if isinstance(fields, Failure):
            return wrap(fields, self.labels, self.trail)
        with branch(fields.structure):
            parts = tuple(_part(fields, part).map(function) for part in fields.parts)
        return wrap(fields._replace(parts=parts), EMPTY, NO_TRAIL)

    @staticmethod
    def join(*values: object) -> Labeled[tuple[Any, ...]]:
        """The values side by side, each with its own labels, to be mapped together."""
        return Labeled(values)

    def format(self: Labeled[str] | str, /, *arguments: object, **named: object) -> Labeled[str]:
        """This template, as in ``str.format``, with its holes filled; labelled by whatever filled them.

        ``Labeled.format("Dear {}", name)`` takes a plain template.
        """
        names, count = tuple(named), len(arguments)

        def fill(template: str, *values: object) -> str:
            return template.format(*values[:count], **dict(zip(names, values[count:], strict=True)))

        return apply(fill, tuple(lift(each) for each in (self, *arguments, *named.values())))

    def _apply(self, function: Callable[..., Any], *operands: object) -> Labeled[Any]:
        return apply(function, tuple(lift(operand) for operand in operands))

    # Containers.

    def __getitem__(self, key: object) -> Labeled[Any]:
        """The part under a key: with its own labels and those of the container's shape.

        Under a key that has labels itself: with the labels of the key and of the whole container, since which
        part it is, and so which labels that part has, tells of the key.
        """
        content = _read(self)
        if isinstance(key, slice):
            return self._cut(content, key)
        if type(content) in _INDEXED and not labels_of(key):
            return self._at(content, key)
        if not isinstance(content, Fields) or labels_of(key):
            return self._apply(operator.getitem, self, key)
        part = attempt(content.at, open_content(lift(key)))
        if isinstance(part, Carrier):
            return _part(content, part)
        return wrap(Failure("LookupError", "no such part"), content.structure, self.trail)

    def _at(self, content: Any, key: object) -> Labeled[Any]:
        """The part of a built-in container whose parts have no labels of their own; the others are not copied."""
        with branch(self.labels):  # a key may be an object with an equality of its own
            return wrap(attempt(operator.getitem, content, open_content(lift(key))), self.labels, self.trail)

    def _cut(self, content: object, cut: slice) -> Labeled[Any]:
        bounds = (cut.start, cut.stop, cut.step)
        if (
            not isinstance(content, Fields)
            or not (content.model is list or content.model is tuple)
            or labels_of(bounds)
        ):
            return self._apply(lambda whole, *plain: whole[slice(*plain)], self, *bounds)
        parts = attempt(lambda: content.parts[slice(*(open_content(lift(bound)) for bound in bounds))])
        if isinstance(parts, Failure):
            return wrap(parts, content.structure, self.trail)
        return wrap(content._replace(keys=tuple(range(len(parts))), parts=parts), EMPTY, NO_TRAIL)

    def get(self, key: object, default: object = None) -> Labeled[Any]:
        """The part of a mapping under a key, or the default; labelled as with ``[]``."""
        content = _read(self)
        if isinstance(content, Fields) and not labels_of(key):
            part = attempt(content.at, open_content(lift(key)))
            return _part(content, part) if isinstance(part, Carrier) else Labeled(default, content.structure)
        return self._apply(lambda whole, plain, other: whole.get(plain, other), self, key, default)

    def keys(self) -> Labeled[list[Any]]:
        """The keys of a mapping, with the labels of its shape."""
        return self._shape(lambda fields: list(fields.keys), lambda content: list(content.keys()))

    def values(self) -> Labeled[list[Any]]:
        """The parts of a mapping, each with its labels."""
        return self._shape(
            lambda fields: [_part(fields, part) for part in fields.parts],
            lambda content: list(content.values()),
        )

    def items(self) -> Labeled[list[tuple[Any, Any]]]:
        """The keys and parts of a mapping, each part with its labels."""
        return self._shape(
            lambda fields: [
                (key, _part(fields, part)) for key, part in zip(fields.keys, fields.parts, strict=True)
            ],
            lambda content: list(content.items()),
        )

    def len(self) -> Labeled[int]:
        """How many parts, with the labels of the shape."""
        return self._shape(lambda fields: len(fields.parts), len)

    def contains(self, item: object) -> Labeled[bool]:
        """Whether the item is in it: a key of a mapping, a part of a list, a piece of a text."""
        content = _read(self)
        if isinstance(content, Fields) and content.model is dict:
            keys = Labeled(list(content.keys), content.structure, self.trail)
            return self._apply(operator.contains, keys, item)
        return self._apply(operator.contains, self, item)

    def _shape(self, of_fields: Callable[[Fields], Any], of_leaf: Callable[[Any], Any]) -> Labeled[Any]:
        content = _read(self)
        if isinstance(content, Fields):
            return Labeled(of_fields(content), content.structure, self.trail)
        return apply(of_leaf, (self,))

    # Failures.

    @property
    def failed(self) -> Labeled[bool]:
        """Whether a function that was applied on the way here failed."""
        return wrap(isinstance(open_content(self), Failure), self.labels, self.trail)

    @property
    def failure(self) -> Labeled[str]:
        """The words of the failure; an empty text if there is none."""
        found = open_content(self)
        text = f"{found.kind}: {found.text}" if isinstance(found, Failure) else ""
        return wrap(text, self.labels, self.trail)

    def recover(self, function: Callable[[str], Any]) -> Labeled[Any]:
        """This value, or, if it failed, what the function makes of the words of the failure."""
        labels = self.labels | captured(function)
        if isinstance(open_content(self), Failure):
            return apply(function, (self.failure,), labels)
        return Labeled(self, labels)

    # Labels.

    def labelled(self, *names: str) -> Labeled[T]:
        """This value with more labels, on every part of it; anyone may.

        ``untrusted`` takes the place of ``trusted``. ``trusted`` raises ``Denied`` on what came from elsewhere and
        nobody vouched for, which takes the privilege, and on what is untrusted: ``Monitor.labelled`` asks policy
        what follows then.
        """

        def more(labels: Labels) -> Labels:
            change = add(labels, names, ConflictMode.ERROR)
            if isinstance(change, TrustRefused):
                raise Denied(change.denial)
            return change.labels

        return relabelled(self, more)

    # What may be asked inside a branch that carries the labels, and nowhere else.

    def __bool__(self) -> bool:
        content = self._asked("for its truth", "with branch(condition): if condition: ..., or select()")
        return bool(content.parts) if isinstance(content, Fields) else bool(self._answer(bool))

    def __len__(self) -> int:
        content = self._asked("for its length", ".len(), or len() inside a branch on it")
        return len(content.parts) if isinstance(content, Fields) else int(self._answer(len))

    def __iter__(self) -> Iterator[Labeled[Any]]:
        content = self._asked("for its parts", ".each(function), or a loop inside a branch on it")
        parts: list[Labeled[Any]]
        if not isinstance(content, Fields):
            parts = [wrap(part, self.labels, self.trail) for part in self._answer(list)]
        elif content.model is dict:
            parts = [wrap(key, content.structure, self.trail) for key in content.keys]
        else:
            parts = [_part(content, part) for part in content.parts]
        return iter(parts)

    def __reversed__(self) -> Iterator[Labeled[Any]]:
        return iter(list(self)[::-1])

    def __contains__(self, item: object) -> bool:
        return bool(self.contains(item))

    def _asked(self, how: str, instead: str) -> object:
        """The content, if the program counter holds the labels of its shape. Raises ``OpaqueValueError``."""
        if _structure(self) <= pc():
            return _read(self)
        # Nothing in this frame holds the content: some tracebacks show what frames hold.
        raise self.opaque(f"asked {how}", instead)

    def _answer(self, function: Callable[[Any], Any]) -> Any:
        """What the content answers, once it may be asked. Raises ``LabeledFailure``."""
        answer = attempt(ask, function, self)
        if isinstance(answer, Failure):
            raise failure_for(wrap(answer, self.labels, self.trail))
        return answer


# The content stays in its slot, but the way to it is taken off the class: no attribute, no vars(), no dir(),
# no default pickling leads there. What Python cannot prevent: the functions below can be imported, and the
# garbage collector and debuggers see everything.
_INDEXED: Final = frozenset({list, tuple, dict, str, bytes})
_read: Final = Labeled.__dict__["_content"].__get__
_write: Final = Labeled.__dict__["_content"].__set__
delattr(Labeled, "_content")


def _fill(target: Labeled[Any], thing: Any, labels: Labels, trail: Trail) -> None:
    """Take a thing in: its content, and all labels found in it, those given and the program counter."""
    labels |= pc()
    content: object = thing
    if isinstance(thing, Failure):
        pass
    elif isinstance(thing, Labeled):
        content, trail = _read(thing), thing.trail | trail
        if isinstance(content, Fields):
            content = content._replace(structure=content.structure | labels)
        labels |= thing.labels
    elif isinstance(thing, Fields):
        content, labels, trail = _whole(thing, labels, trail)
    else:
        found = list(search(thing))
        if found and holds_carrier(thing):
            content, labels, trail = _whole(_taken_apart(thing, labels), labels, trail)
        else:
            content, labels = fresh(thing), Labels.join_all((labels, *found))
    _write(target, content)
    write_labels(target, labels)
    write_trail(target, trail)


def _taken_apart(thing: object, labels: Labels) -> Fields:
    """A container of labelled parts. It is not a set: a labelled value has no hash."""
    shape = shape_of(thing)
    assert shape is not None  # noqa: S101 - what holds a carrier has a shape
    return Fields(shape.model, shape.keys, tuple(Labeled(part) for part in shape.contents), labels)


def _whole(fields: Fields, labels: Labels, trail: Trail) -> tuple[Fields, Labels, Trail]:
    """Fields with more labels on their shape, and the labels and the trail of all of it together."""
    fields = fields._replace(structure=fields.structure | labels)
    for part in fields.parts:
        trail |= part.trail
    return fields, Labels.join_all((fields.structure, *(part.labels for part in fields.parts))), trail


def wrap(thing: object, labels: Labels, trail: Trail) -> Labeled[Any]:
    """A thing, as a function gave it, as a labelled value."""
    made: Labeled[Any] = object.__new__(Labeled)
    if (
        type(thing) in _SIMPLE
    ):  # as ``_fill`` does, at a third of its price: most values are texts and numbers
        _write(made, thing)
        write_labels(made, labels | pc())
        write_trail(made, trail)
    else:
        _fill(made, thing, labels, trail)
    return made


def lift(thing: object) -> Labeled[Any]:
    """The labelled value itself, or any other thing as one."""
    return thing if isinstance(thing, Labeled) else Labeled(thing)


def _part(fields: Fields, part: Carrier) -> Labeled[Any]:
    """A part, with the labels of the shape it was found in."""
    return Labeled(part, fields.structure)


def _fields(value: Labeled[Any]) -> Fields | Failure:
    """The content as parts with labels; a container whose parts have none of their own is taken apart."""
    content = _read(value)
    if isinstance(content, (Fields, Failure)):
        return content
    shape = shape_of(content)
    if shape is None:
        return Failure("TypeError", "the value is not a container")
    parts = tuple(wrap(part, value.labels, value.trail) for part in shape.contents)
    return Fields(shape.model, shape.keys, parts, value.labels)


def _structure(value: Labeled[Any]) -> Labels:
    """The labels of the shape; of a value that has no parts with labels, its own."""
    content = _read(value)
    return content.structure if isinstance(content, Fields) else value.labels


def open_content(value: Carrier) -> Any:
    """The content, built fresh, or the ``Failure`` in its place or in a part of it."""
    content = _read(value)
    return content if type(content) in _SIMPLE else attempt(_opened, value)


def _opened(value: Carrier) -> Any:
    content = _read(value)
    if isinstance(content, Failure):
        return content
    if not isinstance(content, Fields):
        return fresh(content)
    contents = [_opened(part) for part in content.parts]
    failed = next((part for part in contents if isinstance(part, Failure)), None)
    return failed or content.build(contents)


def apply(
    function: Callable[..., Any], sources: tuple[Labeled[Any], ...], extra: Labels = EMPTY, step: str = ""
) -> Labeled[Any]:
    """Apply a function to contents, in a branch on all of them, and label what comes out."""
    labels, trail = extra, NO_TRAIL
    for source in sources:
        labels |= source.labels
        trail |= source.trail
    if step:
        trail = trail.add(step)
    with branch(labels):
        made = attempt(_run, function, sources, labels, trail)
        return made if isinstance(made, Labeled) else wrap(made, labels, trail)


def _run(
    function: Callable[..., Any], sources: tuple[Labeled[Any], ...], labels: Labels, trail: Trail
) -> Labeled[Any]:
    contents = [_opened(source) for source in sources]
    failed = next((content for content in contents if isinstance(content, Failure)), None)
    return wrap(failed or settled(function(*contents)), labels, trail)


async def _run_async(
    function: Callable[..., Awaitable[Any]], source: Labeled[Any], labels: Labels, trail: Trail
) -> Labeled[Any]:
    content = _opened(source)
    if isinstance(content, Failure):
        return wrap(content, labels, trail)
    return wrap(settled(await function(content)), labels, trail)


def ask(function: Callable[[Any], Any], value: Labeled[Any]) -> Any:
    """What a function says of the content; the ``Failure`` if there is one. For ``attempt``."""
    content = _opened(value)
    return content if isinstance(content, Failure) else function(content)


def failure_for(value: Labeled[Any], *, what: str = "a function failed") -> LabeledFailure:
    """The exception for a value that failed; ``what`` did, in words without values."""
    error = LabeledFailure(value.labels, value.trail, value.failure, what=what)
    attach(error, value.labels)
    return error


def relabelled(value: Labeled[T], change: Callable[[Labels], Labels]) -> Labeled[T]:
    """The value with its labels changed, those of its shape and of each part; see ``relabel``."""
    content = _read(value)
    if isinstance(content, Fields):
        parts = tuple(relabelled(part, change) for part in content.parts if isinstance(part, Labeled))
        return wrap(content._replace(structure=change(content.structure), parts=parts), EMPTY, value.trail)
    made: Labeled[T] = object.__new__(Labeled)
    _write(made, content)
    write_labels(made, change(value.labels) | pc())
    write_trail(made, value.trail)
    return made


# For code that stands inside of branches by itself: an interpreter, whose own branches are these.


def asked(value: Labeled[T]) -> T:
    """The content of a value whose labels the program counter holds. Raises ``LabeledFailure``, and ``OpaqueValueError``
    where it does not hold them.
    """
    if not value.labels <= pc():
        raise value.opaque("asked for its content", "a branch on it")
    content = open_content(value)
    if isinstance(content, Failure):
        raise failure_for(value)
    return content  # type: ignore[no-any-return]


def structure(value: Labeled[Any]) -> Labels:
    """The labels of the shape of a container; of any other value, its own."""
    return _structure(value)


def model(value: Labeled[Any]) -> object:
    """The class of the content, if the program counter holds the labels of its shape; ``Failure`` for one that failed."""
    if not _structure(value) <= pc():
        raise value.opaque("asked for its class", "a branch on it")
    content = _read(value)
    return content.model if isinstance(content, Fields) else type(content)


def weight(thing: object, most: int) -> int:
    """How many characters and parts a thing has, written out: what stands in it twice counts twice. Counting ends at ``most``.

    Raises ``FlowError`` for what is nested too deep.
    """
    found = 0
    waiting: list[tuple[object, int]] = [(thing, 0)]
    while waiting and found <= most:
        each, depth = waiting.pop()
        content = _read(each) if isinstance(each, Labeled) else each
        if isinstance(content, (str, bytes)):
            found += len(content)
            continue
        if isinstance(content, Fields):
            parts: tuple[object, ...] | list[object] = content.parts
        elif isinstance(content, dict):
            found += sum(len(key) for key in content if isinstance(key, str))
            parts = list(content.values())
        elif isinstance(content, (list, tuple)):
            parts = content
        else:
            continue
        if depth >= DEEPEST:
            raise too_deep()
        found += len(parts)
        waiting.extend([(part, depth + 1) for part in parts])
    return found

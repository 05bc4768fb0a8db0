"""Whatever carries labels, and how to find the labels in things: containers, exceptions, functions."""

from __future__ import annotations

import functools
import gc
from collections import deque
from collections.abc import Iterator
from functools import reduce
from types import CodeType, FrameType, FunctionType, MethodDescriptorType, ModuleType, TracebackType
from typing import Final

from msgspec import Struct

from sluicegate.flow.labels import EMPTY, NO_TRAIL, Labels, Trail

_ATTACHED: Final = "__sluicegate_labels__"
_DEEPEST_OBJECT = 4
_PLAIN: Final = frozenset(
    {str, int, float, bool, bytes, complex, type(None), type, ModuleType, MethodDescriptorType}
)


_NOT_SEARCHED: Final = (type, ModuleType, CodeType, FrameType, TracebackType)
_OURS: Final = "sluicegate."


class Carrier:
    """What has labels and a trail of its own; ``Labeled`` is the one kind there is."""

    __slots__ = ("_labels", "_trail")
    labels: Labels
    trail: Trail


# As with the content of a value: no attribute leads to the slots, so no ``object.__setattr__`` takes a label away.
write_labels: Final = Carrier.__dict__["_labels"].__set__
write_trail: Final = Carrier.__dict__["_trail"].__set__
for _name in Carrier.__slots__:
    setattr(Carrier, _name[1:], property(Carrier.__dict__[_name].__get__))
    delattr(Carrier, _name)


def labels_of(thing: object) -> Labels:
    """The join of all labels found in a thing.

    A ``Labeled`` has its own; ``Labels`` are themselves, but not where another thing holds them. Searched:
    containers; exceptions, with what was attached to them on leaving a branch; functions, for what they
    captured (closure cells, defaults, the globals they name, the object of a bound method, the arguments of a
    ``functools.partial``, what a decorator wrapped); and any other object, four objects deep.
    """
    if type(thing) in _PLAIN:
        return EMPTY
    if isinstance(thing, Carrier):
        return thing.labels
    if isinstance(thing, Labels):
        return thing
    return Labels.join_all(search(thing))


def captured(function: object) -> Labels:
    """The labels of what a function brings along besides its arguments; see ``labels_of``."""
    return labels_of(function)


def attach(error: BaseException, labels: Labels) -> None:
    """Note on an exception that it tells of values with these labels."""
    if labels:
        # Whatever the exception's class makes of attributes, it takes this one.
        object.__setattr__(error, _ATTACHED, getattr(error, _ATTACHED, EMPTY) | labels)


def search(thing: object) -> Iterator[Labels]:
    """The labels of everything with labels that is reached from a thing."""
    for found in _search(thing):
        yield found.labels if isinstance(found, Carrier) else getattr(found, _ATTACHED, EMPTY)


def trail_of(thing: object) -> Trail:
    """The join of the trails of all values that are reached from a thing."""
    return reduce(
        Trail.join, (found.trail for found in _search(thing) if isinstance(found, Carrier)), NO_TRAIL
    )


def _search(thing: object) -> Iterator[Carrier | BaseException]:
    """The values and exceptions that are reached from a thing; each thing is visited once.

    What lies under fewer objects comes first, so that no thing is given up as too deep by one way to it and
    then passed over by a shorter one.
    """
    seen: dict[int, object] = {}  # holds what it has seen, so that an id stays the id of one thing
    pending: deque[tuple[object, int]] = deque([(thing, 0)])
    while pending:
        found, depth = pending.popleft()
        if type(found) in _PLAIN or id(found) in seen:
            continue
        if isinstance(found, Carrier):
            yield found
        elif not isinstance(found, Labels):  # a set of labels that a thing mentions says nothing of the thing
            seen[id(found)] = found
            if isinstance(found, BaseException):
                yield found
            for part in _parts(found, depth):
                (pending.appendleft if part[1] == depth else pending.append)(part)


def _parts(thing: object, depth: int) -> list[tuple[object, int]]:
    """What a thing is made of, with how many plain objects lie above it."""
    if isinstance(thing, (list, tuple, set, frozenset)):
        return [(part, depth) for part in thing]
    if isinstance(thing, slice):
        return [(part, depth) for part in (thing.start, thing.stop, thing.step)]
    if isinstance(thing, dict):
        return [(part, depth) for pair in thing.items() for part in pair]
    if isinstance(thing, FunctionType):
        return [(part, depth) for part in _captures(thing)]
    if isinstance(thing, _NOT_SEARCHED) or depth >= _DEEPEST_OBJECT:
        return []
    if str(type(thing).__module__).startswith(_OURS):
        return []  # a program may hold the monitor itself, which holds everything
    if isinstance(thing, BaseException):
        return [(part, depth + 1) for part in (*thing.args, *vars(thing).values())]
    if isinstance(thing, Struct):  # the collector does not follow one that was made with gc=False
        fields = [getattr(thing, name, None) for name in thing.__struct_fields__]
        return [(part, depth + 1) for part in (*fields, *gc.get_referents(thing))]
    # Any other object: an instance, a bound method, a partial, a queue, an iterator, a coroutine.
    return [(part, depth + 1) for part in gc.get_referents(thing)]


def _captures(function: FunctionType) -> Iterator[object]:
    """What a function holds on to: cells, defaults, named globals that carry labels, what it wraps."""
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()
    yield from function.__dict__.values()  # what functools.wraps leaves, and attributes set by hand
    for name in _globals_named(function.__code__):
        value = function.__globals__.get(name)
        if isinstance(value, (Carrier, list, tuple, dict, set, frozenset, functools.partial)):
            yield value


@functools.lru_cache(maxsize=4096)
def _globals_named(code: CodeType) -> tuple[str, ...]:
    """The names that code, and the functions written inside it, may look up in its module."""
    inner = (const for const in code.co_consts if isinstance(const, CodeType))
    return tuple(dict.fromkeys((*code.co_names, *(name for each in inner for name in _globals_named(each)))))

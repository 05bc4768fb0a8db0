"""The program counter: the labels of the branches that the running code stands in.

Which branch was taken tells of the condition, so whatever is made inside a branch, and every effect that is
tried there, carries the labels of the condition as well (implicit flow).

Branches are kept as a stack, and a branch that ends takes itself out of the stack wherever it stands. They
follow the code into what it starts: asyncio tasks and ``asyncio.to_thread`` by themselves (context
variables), threads and pools by ``threads.follow``, which the first branch puts in place.

Limits, which Python sets: a plain value (not ``Labeled``) that is assigned inside a branch and read after it
carries nothing; a generator that is suspended inside a branch leaves the branch in force for its consumer,
and loses it when another thread resumes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import TracebackType
from typing import Any, ParamSpec, TypeVar, final

from sluicegate.flow.labels import EMPTY, Labels
from sluicegate.flow.values.carrier import attach, labels_of
from sluicegate.flow.values.threads import follow
from sluicegate.tuples import NamedTuple

P = ParamSpec("P")
R = TypeVar("R")


class _Frame:
    """One entered branch; its identity is what counts."""

    __slots__ = ("labels",)

    def __init__(self, labels: Labels) -> None:
        self.labels = labels


class _Stack(NamedTuple):
    """The branches in force, and the join of their labels."""

    labels: Labels
    frames: tuple[_Frame, ...]


_OUTSIDE = _Stack(EMPTY, ())
_FOLLOWED: list[ContextVar[Any]] = []
_STACK: ContextVar[_Stack] = ContextVar("sluicegate-program-counter", default=_OUTSIDE)


def pc() -> Labels:
    """The labels of all branches that the running code stands in."""
    return _STACK.get().labels


@final
class branch:
    """``with branch(condition):`` everything inside depends on ``condition``.

    ``condition`` is anything that carries labels: a ``Labeled``, a container of them, ``Labels``, an exception
    that left another branch. Inside, a ``Labeled`` whose labels the program counter holds may be asked for its
    truth, its length or its items, so ``if condition:`` works there and nowhere else.

    An exception that leaves the block carries the labels (``labels_of(error)``), so that its handler can
    stand in a branch of its own: ``except ValueError as error:`` / ``with branch(error):``.
    """

    __slots__ = ("_frames", "_labels")

    def __init__(self, *conditions: object) -> None:
        if len(conditions) == 1:
            self._labels = labels_of(conditions[0])
        else:
            self._labels = Labels.join_all(labels_of(condition) for condition in conditions)
        self._frames: list[_Frame] = []

    def __enter__(self) -> Labels:
        if self._labels:
            follow()
        frame = _Frame(self._labels)
        self._frames.append(frame)
        stack = _STACK.get()
        labels = stack.labels | frame.labels
        _STACK.set(_Stack(labels, (*stack.frames, frame)))
        return labels

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            attach(error, pc())
        frame = self._frames.pop()
        frames = tuple(each for each in _STACK.get().frames if each is not frame)
        _STACK.set(_Stack(Labels.join_all(each.labels for each in frames), frames) if frames else _OUTSIDE)


@contextmanager
def apart() -> Iterator[Labels]:
    """What runs inside stands outside of all branches: a program of its own, with its own monitor, that takes from the code
    around it nothing but what it is given. Gives the labels of the branches that are left."""
    left = pc()
    token = _STACK.set(_OUTSIDE)
    tokens = [(variable, variable.set(None)) for variable in _FOLLOWED]
    try:
        yield left
    finally:
        _STACK.reset(token)
        for variable, before in tokens:
            variable.reset(before)


def outside(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Call a function outside of all branches: for ``threads``, when a pool starts a worker of its own."""
    with apart():
        return function(*args, **kwargs)


def followed(variable: ContextVar[Any]) -> ContextVar[Any]:
    """Let what a context variable holds, other than None, follow the code as branches do. ``threads.follow`` has to be
    called where it is set."""
    _FOLLOWED.append(variable)
    return variable


def bound() -> bool:
    """Whether there is anything around the running code that what it starts must stay in."""
    return bool(pc()) or any(variable.get() is not None for variable in _FOLLOWED)


def carry(function: Callable[P, R]) -> Callable[P, R]:
    """The function, with the branches in force now around each of its calls, wherever and whenever it runs.

    For pools that ``threads.follow`` does not know, callbacks that outlive their branch, and the like.
    """
    labels = pc()
    around = [(variable, found) for variable in _FOLLOWED if (found := variable.get()) is not None]

    def carried(*args: P.args, **kwargs: P.kwargs) -> R:
        tokens = [(variable, variable.set(found)) for variable, found in around]
        try:
            with branch(labels):
                return function(*args, **kwargs)
        finally:
            for variable, before in tokens:
                variable.reset(before)

    return carried

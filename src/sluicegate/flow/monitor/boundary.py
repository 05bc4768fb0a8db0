"""What the running code stands in, besides branches: where errors are caught, which operations are around it, how
deep guards stand in guards.

An error that leaves an operation tells of what the operation was given. It may be raised where the code that
catches it stands inside branches which carry at least those labels; that is so in the body of an operation, whose
own errors the monitor catches and labels. Anywhere else the program goes on, and the result is a labelled value
that failed (``settle``).

An operation that was declared ``exfil`` sends whatever its body gets hold of, so its labels hold for all that the
body does through the monitor, in whatever thread or task: each operation in there is asked about as if it had them
as well (``enclosing``).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from sluicegate.flow.labels import Labels
from sluicegate.flow.values.counter import followed
from sluicegate.flow.values.threads import follow

MOST_DEEP = 4
"""How deep guards may stand in guards: an effect in a guard's body asks guards, whose bodies may have effects."""

_CAUGHT: ContextVar[tuple[list[Labels], ...]] = ContextVar("sluicegate-caught", default=())
_ENCLOSING: ContextVar[tuple[str, ...] | None] = followed(ContextVar("sluicegate-enclosing", default=None))
_EVENT: ContextVar[str | None] = followed(ContextVar("sluicegate-enclosing-event", default=None))
_DEPTH: ContextVar[int] = ContextVar("sluicegate-guards", default=0)


def caught() -> Labels:
    """The labels that the monitor gives to every error that leaves the running code."""
    return Labels.join_all(labels for frame in _CAUGHT.get() for labels in frame)


@contextmanager
def catching(labels: Labels) -> Iterator[None]:
    """What runs inside has its errors caught, and labelled so.

    As branches do, one that ends takes itself out wherever it stands: two that overlap leave nothing behind.
    """
    frame = [labels]
    _CAUGHT.set((*_CAUGHT.get(), frame))
    try:
        yield
    finally:
        _CAUGHT.set(tuple(each for each in _CAUGHT.get() if each is not frame))


def enclosing() -> tuple[str, ...]:
    """The labels of the operations in whose bodies the running code stands."""
    return _ENCLOSING.get() or ()


def enclosing_event() -> tuple[str, ...]:
    """The event of the operation in whose body the running code stands, if it was recorded."""
    found = _EVENT.get()
    return (found,) if found else ()


@contextmanager
def inside(leaves: tuple[str, ...], event: str = "") -> Iterator[None]:
    """What runs inside is the body of an operation with these labels, whose permission is that event.

    Threads that it starts stay inside for as long as they run (``values.threads``).
    """
    follow()
    before, event_before = _ENCLOSING.get(), _EVENT.get()
    _ENCLOSING.set(tuple(dict.fromkeys((*(before or ()), *leaves))))
    _EVENT.set(event or event_before)
    try:
        yield
    finally:
        _ENCLOSING.set(before)
        _EVENT.set(event_before)


def depth() -> int:
    """How many guards are being asked around the running code."""
    return _DEPTH.get()


@contextmanager
def asking() -> Iterator[None]:
    """A guard is being asked."""
    before = _DEPTH.get()
    _DEPTH.set(before + 1)
    try:
        yield
    finally:
        _DEPTH.set(before)

"""Which tools were called, and which may be: what guards know as ``tools``.

A guard such as "no more than four calls" reads the calls and decides; between its reading and the call itself
another task may have read the same. So a call takes its place in the row *before* any guard is asked
(``reserve``), and a guard sees all places before its own, whether those calls have happened or are still being
decided. A call that is refused gives its place back. In a race this may refuse what would have been allowed one
after the other; it never allows more.

That a call was made, or was refused, tells of the branches it stood in and of what was looked at to decide. So a row
has labels: whoever decides by it decides by these (``ToolsView``).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from sys import intern
from threading import Lock

from sluicegate.flow.labels import EMPTY, Labels
from sluicegate.flow.policy.rules.tool_names import NamedTool, of_pattern
from sluicegate.flow.values.counter import followed
from sluicegate.flow.values.threads import follow


class CallPlace:
    """The place of one call in its row, and in the rows around it."""

    __slots__ = ("_at",)

    def __init__(self) -> None:
        self._at: list[tuple[Tools, int]] = []

    def stands(self, scope: Tools, at: int) -> None:
        """It stands there."""
        self._at.append((scope, at))

    def __iter__(self) -> Iterator[tuple[Tools, int]]:
        return iter(self._at)

    def leave(self) -> list[tuple[Tools, int]]:
        """Where it stood; it stands nowhere any more, and another may stand there."""
        left, self._at = self._at, []
        return left


class Tools:
    """The row of calls of one scope (a session, an ``env`` block), and the names it allows and denies.

    ``allowed`` None: all that policy allows. A scope made inside another starts with an empty row, and its
    calls also stand in the rows around it, so that a block cannot be used to start counting anew.
    """

    __slots__ = ("_lock", "_outer", "_row", "allowed", "denied", "labels")

    def __init__(
        self,
        *,
        allowed: frozenset[str] | None = None,
        denied: frozenset[str] = frozenset(),
        outer: Tools | None = None,
    ) -> None:
        if outer is not None and outer.allowed is not None:
            allowed = outer.allowed if allowed is None else allowed & outer.allowed
        self.allowed: frozenset[str] | None = allowed
        self.denied: frozenset[str] = denied | (outer.denied if outer is not None else frozenset())
        self._outer = outer
        self._row: list[str | None] = []
        """Names, each kept once however often it is called; None where a place was given back."""

        self.labels = EMPTY
        self._lock: Lock = outer._lock if outer is not None else Lock()

    @staticmethod
    def after(calls: tuple[str, ...], *, outer: Tools, labels: Labels) -> Tools:
        """A scope in which these calls were made before; that they were tells of something with ``labels``."""
        scope = Tools(outer=outer)
        scope._row.extend(intern(name) for name in calls)
        scope.labels = labels
        return scope

    def permits(self, name: str) -> bool:
        """Whether the scope lets a tool of that name be called."""
        return name not in self.denied and (self.allowed is None or name in self.allowed)

    def named(self) -> tuple[NamedTool, ...]:
        """The tools that the scope names."""
        names = self.denied if self.allowed is None else self.denied | self.allowed
        return tuple([of_pattern(f"*:{name}", ()) for name in sorted(names)])

    def reserve(self, name: str) -> CallPlace:
        """The next place in the row, and in the rows around it."""
        place, name = CallPlace(), intern(str(name))
        with self._lock:
            scope: Tools | None = self
            while scope is not None:
                place.stands(scope, len(scope._row))
                scope._row.append(name)
                scope = scope._outer
        return place

    def tell(self, labels: Labels) -> None:
        """What happened to a call tells of something with these labels."""
        if labels <= self.labels:
            return
        with self._lock:
            for scope in self._scopes():
                scope.labels |= labels

    def release(self, place: CallPlace) -> None:
        """Give a place back: the call did not happen."""
        with self._lock:
            for scope, at in place.leave():
                row = scope._row
                row[at] = None
                while row and row[-1] is None:
                    row.pop()

    def calls(self, before: CallPlace | None = None) -> tuple[str, ...]:
        """The names of the calls in the row; with ``before`` those ahead of that place."""
        with self._lock:
            end = next((at for scope, at in before or () if scope is self), len(self._row))
            return tuple([name for name in self._row[:end] if name is not None])

    def _scopes(self) -> Iterator[Tools]:
        scope: Tools | None = self
        while scope is not None:
            yield scope
            scope = scope._outer


_Entered = tuple[tuple["Scopes", Tools], ...]
_ENTERED: ContextVar[_Entered | None] = ContextVar("sluicegate-tools", default=None)
followed(_ENTERED)


class Scopes:
    """The scope that the running code stands in: one for the whole monitor, and those entered since.

    What is started inside a scope stays in it, as it stays in its branches.
    """

    __slots__ = ("session",)

    def __init__(self, session: Tools | None = None) -> None:
        self.session = session or Tools()

    def current(self) -> Tools:
        """The innermost scope."""
        entered = _ENTERED.get()
        if entered is None:
            return self.session
        return next((scope for scopes, scope in reversed(entered) if scopes is self), self.session)

    @contextmanager
    def enter(
        self, *, allowed: frozenset[str] | None = None, denied: frozenset[str] = frozenset()
    ) -> Iterator[Tools]:
        """A scope inside the current one; it can only be narrower."""
        with self.standing(Tools(allowed=allowed, denied=denied, outer=self.current())) as scope:
            yield scope

    @contextmanager
    def standing(self, scope: Tools) -> Iterator[Tools]:
        """What runs inside stands in that scope."""
        follow()
        token = _ENTERED.set((*(_ENTERED.get() or ()), (self, scope)))
        try:
            yield scope
        finally:
            _ENTERED.reset(token)

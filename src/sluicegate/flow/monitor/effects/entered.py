"""Environments that the running code stands in: what commands run in instead of that of the monitor.

1. What a provider does to serve runs in the environment around its own: it is not sent to that provider again.
2. Where an environment holds a state of its own (a container, a snapshot, what a provider of a script keeps), nobody can tell
   what is in it: whatever comes out of it has the labels of all that went in before.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from msgspec import Struct, field

from sluicegate.flow.environments.configuration.config import BUBBLEWRAP, LOCAL, EnvironmentConfig
from sluicegate.flow.labels import EMPTY, Labels
from sluicegate.flow.values.counter import followed
from sluicegate.flow.values.threads import follow

if TYPE_CHECKING:
    from sluicegate.flow.environments.providers.provider import EnvironmentSession, Provider


class ChosenEnvironment(Struct, frozen=True, kw_only=True):
    """An environment to run in, as a guard or a block asks for it. ``provider`` is one that is not among those of the monitor.
    ``credentials`` are those that every command in it is given; ``keeps`` whether it stays when its block is left; ``told`` is
    what is only told to whoever asks."""

    config: EnvironmentConfig
    provider: Provider | None = None
    credentials: tuple[str, ...] = ()
    keeps: bool = False
    told: Mapping[str, object] = field(default_factory=dict)


class EnteredEnvironment:
    """One that was opened. ``held`` are the labels of all that went into what it holds (2)."""

    __slots__ = ("chosen", "held", "leave_tools", "outer", "session")

    def __init__(
        self,
        chosen: ChosenEnvironment,
        session: EnvironmentSession,
        outer: EnteredEnvironment | None,
        leave_tools: Callable[[], AbstractContextManager[object]],
        held: Labels = EMPTY,
    ) -> None:
        """``leave_tools``: what runs in there may call the tools that may be called around the environment."""
        self.chosen, self.session, self.outer = chosen, session, outer
        self.leave_tools, self.held = leave_tools, held

    @property
    def config(self) -> EnvironmentConfig:
        """What it grants."""
        return self.chosen.config

    def took_in(self, labels: Labels) -> None:
        """Something with these labels went in."""
        if holds_state(self.chosen):
            self.held |= labels


def is_same(one: ChosenEnvironment, other: ChosenEnvironment) -> bool:
    """Whether two ask for the same: a provider that is a module is made anew for each."""
    names = [each.provider.name if each.provider is not None else "" for each in (one, other)]
    said = [(each.config, each.credentials, each.told) for each in (one, other)]
    return names[0] == names[1] and said[0] == said[1]


def holds_state(chosen: ChosenEnvironment) -> bool:
    """Whether commands find there what others left, besides in roots of this machine (2)."""
    config = chosen.config
    if chosen.provider is not None or config.snapshots or config.snapshot:
        return True
    return config.provider not in (LOCAL, BUBBLEWRAP)


_Entered = tuple[tuple["EnvironmentScopes", "EnteredEnvironment | None"], ...]
_ENTERED: ContextVar[_Entered | None] = ContextVar("sluicegate-environments", default=None)
_SERVING: ContextVar[frozenset[str]] = ContextVar("sluicegate-serving", default=frozenset())
followed(_ENTERED)
followed(_SERVING)


class EnvironmentScopes:
    """The environments of one monitor that are entered, and those that were kept, by their names."""

    __slots__ = ("kept", "snapshots")

    def __init__(self) -> None:
        self.kept: dict[str, EnteredEnvironment] = {}
        self.snapshots: dict[str, Labels] = {}
        """The labels of what is in the snapshots that were taken, by their references."""

    def took_snapshot(self, reference: str, labels: Labels) -> None:
        """A snapshot was taken of what has these labels."""
        self.snapshots[reference] = self.snapshots.get(reference, EMPTY) | labels

    def current(self) -> EnteredEnvironment | None:
        """The innermost that the running code stands in."""
        entered = _ENTERED.get()
        if entered is None:
            return None
        return next((each for scopes, each in reversed(entered) if scopes is self), None)

    @contextlib.contextmanager
    def standing(self, entered: EnteredEnvironment | None) -> Iterator[None]:
        """What runs inside stands in that one."""
        follow()
        token = _ENTERED.set((*(_ENTERED.get() or ()), (self, entered)))
        try:
            yield
        finally:
            _ENTERED.reset(token)

    @contextlib.contextmanager
    def serving(self, provider: Provider) -> Iterator[None]:
        """What runs inside is what a provider does to serve (1), whichever environment it does so for."""
        own = next((each for each in self._around() if each.chosen.provider is provider), None)
        token = _SERVING.set(_SERVING.get() | {provider.name})
        try:
            with contextlib.ExitStack() as stack:
                if own is not None:
                    stack.enter_context(self.standing(own.outer))
                    stack.enter_context(own.leave_tools())
                yield
        finally:
            _SERVING.reset(token)

    def _around(self) -> Iterator[EnteredEnvironment]:
        each = self.current()
        while each is not None:
            yield each
            each = each.outer

    def close(self) -> None:
        """Let go of those that were kept."""
        while self.kept:
            _, entered = self.kept.popitem()
            entered.session.provider.release(entered.session)


def is_serving(provider: Provider | None) -> bool:
    """Whether the running code is what that provider does to serve (1)."""
    return provider is not None and provider.name in _SERVING.get()

"""The interface of a provider: create, execute, release, and perhaps snapshot.

To configure a provider is to trust it: it gets commands with their credentials in the clear.
"""

from __future__ import annotations

import threading
from typing import Protocol, runtime_checkable

from msgspec import Struct

from sluicegate.flow.discreet import Discreet
from sluicegate.flow.environments.configuration.config import EnvironmentConfig
from sluicegate.flow.environments.errors import EnvironmentConfigError
from sluicegate.flow.environments.run.command import Command, Completed
from sluicegate.flow.labels import EMPTY, Labels


class Capabilities(Struct, frozen=True, kw_only=True):
    """What a provider can do. ``isolates``: commands reach nothing that was not granted."""

    isolates: bool
    snapshots: bool = False


@runtime_checkable
class Provider(Protocol):
    """Something that runs commands. All methods may be called from any thread."""

    @property
    def name(self) -> str:
        """The name by which configuration asks for it; the third segment of the label of its outputs."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """What it can do."""
        ...

    def create(self, config: EnvironmentConfig) -> EnvironmentSession:
        """An environment ready to execute in; that of the same name if there is one with the same configuration.

        Raises ``EnvironmentFailure`` if it cannot be made or cannot hold what ``config`` demands. Whatever was
        made half way is gone then.
        """
        ...

    def derive(self, session: EnvironmentSession, config: EnvironmentConfig) -> EnvironmentSession:
        """A session for ``config``, which ``attenuate`` has granted as a child of the session's own.

        It shares what the session has made wherever the narrower grants can be held there. Raises
        ``EnvironmentFailure``.
        """
        ...

    def execute(
        self, session: EnvironmentSession, command: Command, *, cancel: int | None = None
    ) -> Completed:
        """Run a command to its end or to a limit.

        ``cancel`` is a descriptor that becomes readable to end it. Raises ``EnvironmentFailure``. However it
        ends, nothing that was started is left running.
        """
        ...

    def release(self, session: EnvironmentSession) -> None:
        """Let go of the environment. Doing so again changes nothing."""
        ...


@runtime_checkable
class SnapshottingProvider(Provider, Protocol):
    """A provider that can keep the state of an environment."""

    def snapshot(self, session: EnvironmentSession, name: str) -> str:
        """Keep the state under ``name``; the reference is for the key ``from`` of another environment."""
        ...


@runtime_checkable
class LabellingProvider(SnapshottingProvider, Protocol):
    """One that remembers the labels of what is in its snapshots; a session that begins with one has them."""

    def label_snapshot(self, reference: str, labels: frozenset[str]) -> None:
        """Remember them."""
        ...


class EnvironmentSession(Discreet, frozen=True, kw_only=True):
    """One environment that exists. ``created`` is False when one of that name was there already. ``labels`` are those of what
    the provider told of it."""

    unshown = frozenset({"provider"})

    provider: Provider
    id: str
    config: EnvironmentConfig
    created: bool = True
    labels: Labels = EMPTY


class EnvironmentSessions:
    """The sessions of one provider by name: create-or-exists, safe under threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._named: dict[str, EnvironmentSession] = {}
        self._count = 0

    def existing(self, config: EnvironmentConfig) -> EnvironmentSession | None:
        """The session of that name, if there is one.

        Raises ``EnvironmentConfigError`` if its configuration is another one: what was asked for narrower must not
        run in something wider.
        """
        if not config.name:
            return None
        with self._lock:
            session = self._named.get(":".join(config.names))
        if session is not None and session.config != config:
            raise EnvironmentConfigError(
                f"there is an environment '{config.name}' already, with another configuration",
                hint="release that one first, or give this one its own name",
            )
        return session

    def add(self, session: EnvironmentSession) -> EnvironmentSession:
        """Remember it, if it has a name. The one that another thread added first stands."""
        if not session.config.name:
            return session
        with self._lock:
            return self._named.setdefault(":".join(session.config.names), session)

    def number(self) -> int:
        """A number that no other session of this provider has."""
        with self._lock:
            self._count += 1
            return self._count

    def forget(self, session: EnvironmentSession) -> None:
        """Its name is free again."""
        with self._lock:
            key = ":".join(session.config.names)
            if key in self._named and self._named[key].id == session.id:
                del self._named[key]

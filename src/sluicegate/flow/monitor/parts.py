"""What a monitor is made of, and what it asks these parts. Nothing here decides."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import time_ns
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct, field, structs

from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.environments.configuration.config import LOCAL, UNCONFINED, EnvironmentConfig
from sluicegate.flow.guards import GuardRegistry
from sluicegate.flow.labels import Labels, add_untrusted
from sluicegate.flow.monitor.effects.entered import EnvironmentScopes
from sluicegate.flow.monitor.effects.tools import Scopes
from sluicegate.flow.monitor.state import Protected
from sluicegate.flow.monitor.steps.scrub import Scrubber
from sluicegate.flow.operations import Programs
from sluicegate.flow.policy.layers import Layers
from sluicegate.flow.policy.request import Request
from sluicegate.record.clock import Clock
from sluicegate.record.ledger.events import Event, EventId

if TYPE_CHECKING:
    from sluicegate.flow.credentials import Stores
    from sluicegate.flow.environments.changes.effects import Listing
    from sluicegate.flow.environments.changes.watched import Watched
    from sluicegate.flow.environments.use import Providers
    from sluicegate.flow.instructions import Instructions
    from sluicegate.flow.session.session import Sessions
    from sluicegate.flow.session.store import Store
    from sluicegate.flow.session.under import Under
    from sluicegate.record.copies.copies import Copies
    from sluicegate.record.files.files import FileLabels
    from sluicegate.record.ledger.ledger import Ledger

_MOST_KEPT = 4096


class PersonOutput(Protocol):
    """Where text goes that a person sees."""

    def write(self, text: str, /) -> object:
        """Take the text in; whole, or raise OSError."""


class PersonInput(Protocol):
    """Where comes from what a person types."""

    def readline(self, limit: int, /) -> str:
        """One line with its end, or so many characters of it; empty where nobody types any more. May raise OSError."""


class Parts(Struct, frozen=True, kw_only=True):
    """The parts of one monitor.

    ``ledger`` None: nothing is recorded, and with ``fail_closed`` nothing happens. ``files`` None: files carry no
    labels of their own. ``raises_failures``: what fails on labelled data raises (``settle``, 5). ``cwd`` is the
    absolute directory from which paths are seen, and in which commands start. ``make_environment`` says what commands
    run in, when the first does, and ``providers`` what runs them. ``make_store`` opens what keeps sessions; None: they are
    kept in memory. ``make_copies`` opens what keeps what is written over elsewhere. ``under`` are the settings that sessions
    begin under. ``screen``, ``log`` and ``keyboard`` are asked each time.
    """

    layers: Layers
    guards: GuardRegistry
    screen: Callable[[], PersonOutput]
    log: Callable[[], PersonOutput]
    keyboard: Callable[[], PersonInput]
    programs: Programs
    providers: Callable[[], Providers]
    make_environment: Callable[[], EnvironmentConfig]
    stores: Stores
    cwd: Path
    ledger: Ledger | None = None
    files: FileLabels | None = None
    protected: Protected = field(default_factory=Protected)
    instructions: Instructions | None = None
    profile: str = ""
    raises_failures: bool = False
    tools: Scopes = field(default_factory=Scopes)
    entered: EnvironmentScopes = field(default_factory=EnvironmentScopes)
    listings: dict[frozenset[str], Listing] = field(default_factory=dict)
    watched: dict[tuple[frozenset[str], bool], Watched] = field(default_factory=dict)
    scrubber: Scrubber = field(default_factory=Scrubber)
    make_store: Callable[[], Store] | None = None
    make_copies: Callable[[], Copies] | None = None
    under: Under | None = None
    clock: Clock = time_ns
    _sessions: list[Sessions] = field(default_factory=list)
    _copies: list[Copies] = field(default_factory=list)
    _taints: dict[Labels, Labels] = field(default_factory=dict)
    _said: set[str] = field(default_factory=set)

    @property
    def sessions(self) -> Sessions:
        """The sessions of agents, opened as they are asked for; in memory alone if nobody says where they are kept."""
        if not self._sessions:
            from sluicegate.flow.session.opening import sessions

            self._sessions.append(
                sessions(
                    self.layers,
                    self.note,
                    make_store=self.make_store,
                    clock=self.clock,
                    under=self.under,
                    flush=self.keep,
                )
            )
        return self._sessions[0]

    @property
    def copies(self) -> Copies | None:
        """The copies of what is written over elsewhere, opened as they are asked for; None: there are none."""
        if not self._copies and self.make_copies is not None:
            self._copies.append(self.make_copies())
        return self._copies[0] if self._copies else None

    def close(self) -> None:
        """Close what keeps sessions and copies, and let go of environments that were kept."""
        self.entered.close()
        for each in self._sessions:
            each.close()
        for copies in self._copies:
            copies.close()

    @property
    def fail_closed(self) -> bool:
        """Whether nothing happens without its event."""
        return self.layers.fail_closed

    @property
    def environment(self) -> EnvironmentConfig:
        """What commands run in if nothing else is asked for: that which the running code stands in, else that of the monitor."""
        here = self.entered.current()
        return self.make_environment() if here is None else here.config

    def elsewhere(self) -> Parts:
        """The same for effects that take place elsewhere, where nothing that is known here confines them."""
        return structs.replace(self.judged_in(UNCONFINED), programs=self.programs.unsaid)

    def judged_in(self, config: EnvironmentConfig) -> Parts:
        """The same, for an operation that takes place in that environment."""
        return structs.replace(self, make_environment=lambda: config, entered=EnvironmentScopes())

    @property
    def start(self) -> str:
        """The directory in which commands start, by its path here; elsewhere than in ``cwd`` if their environment says so."""
        return self.start_in(self.environment)

    def start_in(self, config: EnvironmentConfig) -> str:
        """The directory in which commands start in that environment, by its path here."""
        if config.provider == LOCAL or config.roots is None:
            return str(self.cwd)
        from sluicegate.flow.environments.confinement.roots import at, mounts

        shown = at(mounts(config.roots), config.cwd)
        return config.cwd if shown is None else shown.host

    @property
    def records(self) -> bool:
        """Whether there is a ledger, or there has to be one."""
        return self.ledger is not None or self.fail_closed

    def say_once(self, notice: str) -> None:
        """Put a notice into the log that depends on no value, and not again."""
        if notice not in self._said:
            self._said.add(notice)
            self.log().write(notice)

    def taint(self, labels: Labels) -> Labels:
        """What policy makes of labels: with what any layer adds, and distrusted if any layer distrusts it."""
        found = self._taints.get(labels)
        if found is None:
            layers = self.layers.layers
            found = Labels.of(*labels.names(), *(name for layer in layers for name in layer.taint(labels)[0]))
            if any(layer.facts(labels).untrusted for layer in layers):
                found = add_untrusted(found)
            if len(self._taints) >= _MOST_KEPT:
                self._taints.clear()
            self._taints[labels] = found
        return found

    def labels_of(self, requests: tuple[Request, ...]) -> tuple[str, ...]:
        """All labels of operations, with the risks that any layer gives to them."""
        found: dict[str, None] = {}
        for request in requests:
            prepared = self.layers.prepare(request)
            found.update(dict.fromkeys(request.leaves))
            for layer in self.layers.layers:
                found.update(dict.fromkeys(layer.operation(layer.started(prepared)).names))
        return tuple(found)

    def note(self, event: Event) -> Denial | EventId | None:
        """Put an event into the ledger: its id, or None where nobody records it; the denial if nothing may happen
        without it and it cannot be written."""
        if self.ledger is None:
            return _no_ledger(event) if self.fail_closed else None
        from sluicegate.record.errors import RecordError

        try:
            return self.ledger.append(event)
        except RecordError:
            return _no_ledger(event) if self.fail_closed else None

    def keep(self, event: Event) -> Denial | None:
        """Write what was noted, so that it survives the end of this process; a denial as in ``note``."""
        if self.ledger is None:
            return None
        from sluicegate.record.errors import RecordError

        try:
            self.ledger.flush()
        except RecordError:
            return _no_ledger(event) if self.fail_closed else None
        return None


def _no_ledger(event: Event) -> Denial:
    return Denial(
        code=Code.LEDGER_UNAVAILABLE,
        operation=getattr(event, "operation", "operation"),
        blocked_by="Ledger",
        rule="defaults.fail_closed = true",
        reason="Nothing happens without its event in the ledger, and the ledger cannot be written",
        suggestions=(
            "See why with: sluicegate audit verify",
            "If losing events is better than stopping: defaults.fail_closed = false in every policy in force",
        ),
    )

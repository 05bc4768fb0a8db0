"""``Monitor``: the one place where an operation of a program under policy is allowed or denied."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Coroutine, Mapping
from contextlib import AbstractContextManager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

from sluicegate.flow.credentials import Stores
from sluicegate.flow.environments.configuration.config import NEVER_SET, UNCONFINED, EnvironmentConfig
from sluicegate.flow.errors import FlowError
from sluicegate.flow.guards import Bypass, GuardRegistry
from sluicegate.flow.instructions import Instructions, Template
from sluicegate.flow.labels import EMPTY
from sluicegate.flow.monitor.door import Door, Names, names_of
from sluicegate.flow.monitor.drive import run, run_async
from sluicegate.flow.monitor.effects import functions, relabelling, words
from sluicegate.flow.monitor.effects.tools import Scopes, Tools
from sluicegate.flow.monitor.opening import unseal
from sluicegate.flow.monitor.parts import Parts, PersonInput, PersonOutput
from sluicegate.flow.monitor.plan import Again, Plan
from sluicegate.flow.monitor.procedure import perform
from sluicegate.flow.monitor.state import Protected
from sluicegate.flow.operations import SYSTEM_WRITABLE, Programs
from sluicegate.flow.policy.layers import Layers
from sluicegate.flow.values import Labeled, pc
from sluicegate.record.clock import Clock

if TYPE_CHECKING:
    from sluicegate.flow.denial import Denial
    from sluicegate.flow.environments.use import Providers
    from sluicegate.flow.monitor.effects.entered import ChosenEnvironment, EnteredEnvironment
    from sluicegate.flow.monitor.effects.modules import LoadedModule
    from sluicegate.flow.session.permit import Permit
    from sluicegate.flow.session.session import Session
    from sluicegate.flow.session.store import Store
    from sluicegate.flow.session.under import Under
    from sluicegate.record.copies.copies import Copies
    from sluicegate.record.files.files import FileLabels
    from sluicegate.record.ledger.ledger import Ledger


class NoMonitor(FlowError):
    """An operation was tried and no monitor is in force, so nobody could have permitted it."""

    code = "no-monitor"


class Monitor(Door[Labeled[Any], Any]):
    """Everything a program does to the world goes through one of these (see ``procedure``).

    Each method gives a ``Labeled`` result; ``monitor.aio`` has the same methods for asyncio. What is refused raises
    ``Denied`` where that tells of nothing labelled, and else makes the result fail (see ``settle``).

    ``layers`` are the policies in force; ``guards`` those that were registered. ``protected`` is the monitor's own
    state, by default ``.sluicegate`` and ``sluicegate.toml`` in ``cwd``, and the ledger. ``cwd`` is the directory from which
    paths are seen. ``snapshots`` names the folder that keeps those of sandboxes.
    ``environment`` is where commands run, or says so when the first one does; by
    default on this machine as it is (a project's monitor has the sandbox, see ``assembly``). ``on_failure="raise"`` is
    for development: what fails on labelled data raises (``settle``, 5). ``screen`` and ``log`` give what writes for
    people, ``keyboard`` what they type.
    """

    __slots__ = ("parts",)

    def __init__(
        self,
        *,
        layers: Layers,
        guards: GuardRegistry | None = None,
        ledger: Ledger | None = None,
        files: FileLabels | None = None,
        protected: Protected | None = None,
        instructions: Instructions | None = None,
        environment: EnvironmentConfig | Callable[[], EnvironmentConfig] | None = None,
        providers: Providers | None = None,
        snapshots: Callable[[], Path] | None = None,
        environ: Mapping[str, str] | None = None,
        stores: Stores | None = None,
        programs: Programs | None = None,
        cwd: Path | None = None,
        profile: str = "",
        on_failure: Literal["label", "raise"] = "label",
        screen: Callable[[], PersonOutput] | None = None,
        log: Callable[[], PersonOutput] | None = None,
        keyboard: Callable[[], PersonInput] | None = None,
        sessions: Callable[[], Store] | None = None,
        copies: Callable[[], Copies] | None = None,
        under: Under | None = None,
        clock: Clock = time.time_ns,
    ) -> None:
        place = (cwd or Path.cwd()).resolve()
        kept = protected if protected is not None else _own_state(place, ledger)
        made = environment if callable(environment) else lambda: environment or UNCONFINED
        given = None if callable(environment) else environment
        self.parts = Parts(
            layers=layers,
            guards=guards if guards is not None else GuardRegistry(),
            ledger=ledger,
            files=files,
            protected=kept,
            instructions=instructions,
            make_environment=made,
            providers=_once(providers, os.environ if environ is None else environ, kept, snapshots),
            stores=stores or Stores(workspace=place),
            programs=programs
            or Programs(untrusted=(str(place), *SYSTEM_WRITABLE), unset=frozenset(NEVER_SET)),
            cwd=place,
            profile=profile,
            raises_failures=on_failure == "raise",
            screen=screen or (lambda: words.Terminal(sys.stdout)),
            log=log or (lambda: words.Terminal(sys.stderr)),
            keyboard=keyboard or (lambda: words.Keyboard(sys.stdin)),
            tools=Scopes(Tools(allowed=given.tools if given is not None else None)),
            make_store=sessions,
            make_copies=copies,
            under=under,
            clock=clock,
        )

    # In force.

    def __enter__(self) -> Monitor:
        """In force inside the block, for this thread or task and what it starts. Leaving it writes the ledger."""
        _in_force.set((*_in_force.get(), self))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _in_force.set(_in_force.get()[:-1])
        self.parts.entered.close()
        if self.parts.ledger is not None:
            self.parts.ledger.flush()

    @property
    def aio(self) -> AsyncMonitor:
        """The same operations for asyncio: ``await monitor.aio.run(...)``."""
        return AsyncMonitor(self.parts)

    # Performing: the one procedure, by two drivers.

    def perform(self, plan: Plan) -> Labeled[Any]:
        """Carry a plan out in this thread."""
        return run(perform(self.parts, plan))

    async def perform_async(self, plan: Plan) -> Labeled[Any]:
        """Carry a plan out under asyncio; what blocks runs in a thread."""
        return await run_async(perform(self.parts, plan))

    # Deciding and settling: the same in two halves, for effects that take place in another process.

    def session(self, name: str, *, owner: str = "") -> Session:
        """The session of an agent: what it has taken in so far. ``owner`` is who may begin it anew, by default this user."""
        return self.parts.sessions.session(name, owner=owner)

    def decide(
        self,
        operation: str,
        values: Mapping[str, object],
        session: Session | None = None,
        *,
        labels: Names = (),
        source: str = "",
        call: str = "",
        agreed: bool = False,
    ) -> Permit | Denial:
        """Whether an operation may happen elsewhere: ``decide("github:create_issue", {...}, session)``.

        ``read``, ``write``, ``append``, ``fetch``, ``sh``, ``py``, ``node`` and ``js`` are what their names say; anything
        else is a tool. ``labels`` are those that its author declares, ``source`` is where its results come from. Do what
        the permit's ``values`` say, and ``settle`` it. Without a session the values are the program's own words. ``call`` is
        what the runner calls this call: whoever asks about it again gets the same answer. ``agreed``: a person was shown this
        operation with all of its values, and has agreed to it.
        """
        from sluicegate.flow.monitor.halves import decide

        return run(
            decide(
                self.parts,
                operation,
                values,
                session,
                labels=names_of(labels),
                source=source,
                name=call,
                agreed=agreed,
            )
        )

    def settle(self, permit: Permit | str, result: object) -> Labeled[Any]:
        """Tell what was done under a permit, or under its token: the result, with its labels.

        Raises ``Denied`` for a permit that does not settle: the result is not to be used then.
        """
        from sluicegate.flow.monitor import halves

        return run(halves.settle(self.parts, permit, result))

    def _carry(self, plan: Plan) -> Labeled[Any]:
        return self.perform(plan)

    def _content(self, plan: Plan) -> Any:
        return unseal(self.perform(plan))

    # Functions.

    def operation(
        self,
        function: Callable[..., Any] | None = None,
        *,
        labels: Names = (),
        name: str = "",
        source: str = "",
        again: Again | None = None,
        repeatable: bool | None = None,
        guards: Bypass | None = None,
    ) -> Any:
        """Make a Python function an operation: ``@monitor.operation(labels={"net:w", "exfil"})``.

        The function is given plain values, after everything was permitted; a coroutine function is awaited. See
        ``functions.Declared``. Raises ``FlowError`` for one that cannot be an operation.
        """

        def decorate(plain: Callable[..., Any]) -> Callable[..., Any]:
            declared = functions.declare(
                plain,
                labels=labels,
                name=name,
                source=source,
                again=again,
                repeatable=repeatable,
                guards=guards,
            )
            return functions.wrapped(plain, declared, lambda: self.parts)

        return decorate if function is None else decorate(function)

    # Labels.

    def labelled(self, value: object, *names: str) -> Labeled[Any]:
        """The value with more labels, on every part of it, and an event that says so.

        Trust goes up by privilege alone: ``trusted`` on what came from elsewhere raises ``Denied``; on what is
        untrusted, by its labels or by policy, ``defaults.trustconflict`` says whether it raises or is noted, and
        it stays untrusted.
        """
        return relabelling.labelled(self.parts, value, names)

    # Scopes, templates.

    def tools(self, *, allowed: Names | None = None, denied: Names = ()) -> AbstractContextManager[Tools]:
        """A scope in which calls are counted anew, and fewer tools may be called: ``with monitor.tools(...):``."""
        return self.parts.tools.enter(
            allowed=None if allowed is None else frozenset(allowed), denied=frozenset(denied)
        )

    def inside(self, chosen: ChosenEnvironment) -> AbstractContextManager[EnteredEnvironment]:
        """What runs inside runs its commands in that environment, made once: ``with monitor.inside(...):``.

        It is opened inside of the one in force and cannot go beyond it; it is let go of however the block ends. Raises
        ``Denied``, or ``EnvironmentFailure`` where it cannot be made.
        """
        from sluicegate.flow.monitor.effects import entering

        return entering.entered(self.parts, chosen)

    def module(self, path: str | os.PathLike[str], *, name: str = "") -> LoadedModule:
        """Load a Python module from a file while the program runs: its functions as operations, the rest as values.

        What it gives comes from ``src:dynamic``, and has the labels of the file. See ``sluicegate.flow.monitor.effects.modules``.
        """
        from sluicegate.flow.monitor.effects import modules

        return modules.load(self.parts, self.read(os.fspath(path)), name or Path(path).stem)

    def template(self, name: str, text: str | Labeled[str]) -> Template:
        """Instructions with ``{placeholders}``, signed if policy asks for it (see ``sluicegate.flow.instructions``).

        A labelled text, one that was read from a file say, is signed only if it is trusted.
        """
        instructions = self.parts.instructions
        labels = pc() | (text.labels if isinstance(text, Labeled) else EMPTY)
        plain: str = self.reveal(text, to="op:sign") if isinstance(text, Labeled) else text
        if instructions is None:
            return Template(name=name, text=plain, labels=labels)
        return instructions.template(name, plain, labels, from_file=labels.has("src:file"))


_in_force: ContextVar[tuple[Monitor, ...]] = ContextVar("sluicegate-monitors", default=())


def current() -> Monitor:
    """The monitor in force: the one that was entered last. Raises ``NoMonitor``."""
    found = _in_force.get()
    if not found:
        raise NoMonitor("no monitor is in force", hint="with monitor: ... , or use the monitor's own methods")
    return found[-1]


def _once(
    providers: Providers | None,
    environ: Mapping[str, str],
    kept: Protected,
    snapshots: Callable[[], Path] | None,
) -> Callable[[], Providers]:
    """The providers of environments, made when the first command runs."""

    @cache
    def made() -> Providers:
        from sluicegate.flow.environments import use

        if providers is not None:
            return providers
        folder = snapshots() if snapshots is not None else None
        return use.Providers.of(environ, kept.protection(), snapshots=folder)

    return made


def _own_state(place: Path, ledger: Ledger | None) -> Protected:
    """What is protected where nobody says it: the state and the configuration beside which the program runs."""
    return Protected.of(
        written=[place / ".sluicegate", place / "sluicegate.toml"],
        read=[ledger.path] if ledger is not None and ledger.path is not None else [],
    )


class AsyncMonitor(Door[Coroutine[Any, Any, Labeled[Any]], Coroutine[Any, Any, Any]]):
    """The operations of a monitor, for asyncio."""

    __slots__ = ("parts",)

    def __init__(self, parts: Parts) -> None:
        self.parts = parts

    async def perform(self, plan: Plan) -> Labeled[Any]:
        """Carry a plan out; what blocks runs in a thread."""
        return await run_async(perform(self.parts, plan))

    async def decide(
        self,
        operation: str,
        values: Mapping[str, object],
        session: Session | None = None,
        *,
        labels: Names = (),
        source: str = "",
        call: str = "",
        agreed: bool = False,
    ) -> Permit | Denial:
        """As ``Monitor.decide``."""
        from sluicegate.flow.monitor import halves

        return await run_async(
            halves.decide(
                self.parts,
                operation,
                values,
                session,
                labels=names_of(labels),
                source=source,
                name=call,
                agreed=agreed,
            )
        )

    async def settle(self, permit: Permit | str, result: object) -> Labeled[Any]:
        """As ``Monitor.settle``."""
        from sluicegate.flow.monitor import halves

        return await run_async(halves.settle(self.parts, permit, result))

    def _carry(self, plan: Plan) -> Coroutine[Any, Any, Labeled[Any]]:
        return self.perform(plan)

    async def _content(self, plan: Plan) -> Any:
        return unseal(await self.perform(plan))

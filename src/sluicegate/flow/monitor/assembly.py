"""A monitor for a project: its policies, ledger, keys, guards and environment put together."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sluicegate.flow.credentials import Stores
from sluicegate.flow.denial import Denial, Denied
from sluicegate.flow.environments.configuration.config import (
    BUBBLEWRAP,
    LOCAL,
    UNCONFINED,
    EnvironmentConfig,
)
from sluicegate.flow.environments.confinement.protection import own_code
from sluicegate.flow.guards import Grant, GuardRegistry, Privileges
from sluicegate.flow.instructions import Instructions
from sluicegate.flow.monitor.effects.words import Terminal
from sluicegate.flow.monitor.monitor import Monitor
from sluicegate.flow.monitor.other_ledgers import OtherLedgers
from sluicegate.flow.monitor.parts import PersonOutput
from sluicegate.flow.monitor.state import Protected
from sluicegate.flow.operations.commands.programs import SYSTEM_WRITABLE, Programs
from sluicegate.flow.policy.layers import Layers
from sluicegate.flow.project import Project, find
from sluicegate.flow.session.under import Under
from sluicegate.record.clock import Clock
from sluicegate.record.files.files import FileLabels
from sluicegate.record.home import Home
from sluicegate.record.keys.keys import Keys
from sluicegate.record.ledger import events
from sluicegate.record.ledger.ledger import Ledger
from sluicegate.record.signatures.shelf import Shelf
from sluicegate.record.user import config_directory, home_directory
from sluicegate.record.workspace import seen_from

if TYPE_CHECKING:
    from sluicegate.flow.environments.use import Providers
    from sluicegate.flow.session.store import Store
    from sluicegate.record.copies.copies import Copies

_DEVELOPMENT = (
    'sluicegate: on-failure = "raise" is for development: an error that is caught tells of labelled data\n'
)


def guards_of(project: Project, layers: Layers, home: Path) -> GuardRegistry:
    """An empty registry with the privileges that policy gives and the bypass that configuration allows.

    A path in ``privilege`` is seen from the project, as all paths of its configuration are.
    """
    given = layers.privilege()
    root = os.path.realpath(project.root)
    paths = tuple(
        path if path.startswith("/") else f"{home}/{path[2:]}" if path.startswith("~/") else f"{root}/{path}"
        for path in given.paths
    )
    grant = Grant(source="policy", paths=paths, modules=tuple(given.modules))
    privileges = Privileges(grant) if given.paths or given.modules else Privileges()
    return GuardRegistry(privileges=privileges, allow_bypass=project.guard_bypass, strict=project.strict)


def protected_of(project: Project, home: Home) -> Protected:
    """The state of a project and of its user, and the installed package: the ledger and the keys are not to be read
    either."""
    return Protected.of(
        written=[*project.protected, home.trust],
        read=[
            project.ledger,
            *project.around,
            home.keys,
            home.ledgers,
            home.sessions,
            home.pins,
            home.copies,
            home.snapshots,
        ],
        code=[path for path in own_code() if path.is_dir()],
    )


def environment_of(
    project: Project,
    layers: Layers,
    providers: Callable[[], Providers],
    say: Callable[[str], object],
) -> Callable[[], EnvironmentConfig]:
    """Where commands run if nothing else is asked for, with the project's files to read and write, and the network if the
    project's own policy says ``env.net = "host"``.

    1. By the provider that policy names.
    2. Where it names none and permits it, in the sandbox, if that works here.
    3. Else on this machine as it is, if policy permits that; ``say`` takes a notice.

    Raises ``Denied``.
    """
    stated = [layer.policy.env for layer in layers.layers if layer.policy.env is not None]
    named = any(env.default is not None for env in stated)
    first = layers.layers[0].policy.env if layers.layers else None
    network = first is not None and first.net == "host"
    provider = layers.provider() if named else layers.provider(BUBBLEWRAP)
    if isinstance(provider, Denial):  # 3
        provider = layers.provider()
    elif not named:  # 2
        from sluicegate.flow.environments.configuration.default import default

        return default(project.root, providers, say, network=network)
    if isinstance(provider, Denial):
        raise Denied(provider)
    if provider == LOCAL:
        return lambda: UNCONFINED
    from sluicegate.flow.environments.configuration.default import sandbox_of

    config = sandbox_of(project.root, provider=provider, network=network)  # 1
    return lambda: config


def _providers(environ: Mapping[str, str], protected: Protected) -> Providers:
    from sluicegate.flow.environments.use import Providers

    return Providers.of(environ, protected.protection())


def _snapshots_of(project: Project, home: Home) -> Path:
    """Where snapshots are kept: what one project keeps of its environments, no other begins with."""
    import hashlib

    root = os.path.realpath(project.root).encode("utf-8", "surrogateescape")
    return home.snapshots / hashlib.sha256(root).hexdigest()[:32]


def _copies_of(home: Home, clock: Clock) -> Copies:
    from sluicegate.record.copies.copies import Copies

    return Copies(home.copies, clock=clock)


def _store_of(home: Home, ledger: Path) -> Store:
    from sluicegate.flow.session.opening import store_of

    return store_of(home, ledger)


@contextmanager
def open_project(
    project: Project,
    *,
    home: Path,
    environ: Mapping[str, str],
    guards: Callable[[GuardRegistry], None] | None = None,
    environment: EnvironmentConfig | None = None,
    program: str = "",
    clock: Clock = time.time_ns,
    screen: Callable[[], PersonOutput] | None = None,
    log: Callable[[], PersonOutput] | None = None,
    cwd: Path | None = None,
    runner: bool = False,
) -> Iterator[Monitor]:
    """The monitor of a project, in force inside the block; its ledger is written and closed at the end.

    ``home`` is the user's home directory, ``guards`` registers guards, ``program`` is the name under which the ledger
    knows what runs, ``cwd`` is the directory from which paths are seen, by default the project's
    root. ``runner``: shell text is read as for a shell that has this environment. Raises ``FlowError`` and ``RecordError`` for
    what cannot be put together.
    """
    layers = project.layers(home=home)
    places = Home.find(environ, workspace=project.root)
    keys = Keys(places, clock=clock)
    registry = guards_of(project, layers, home)
    if guards is not None:
        guards(registry)
    protected = protected_of(project, places)
    said = log or (lambda: Terminal(sys.stderr))
    chosen = environment or environment_of(
        project, layers, lambda: _providers(environ, protected), lambda text: said().write(text)
    )
    with ExitStack() as stack:
        ledger = stack.enter_context(
            Ledger.open(project.ledger, keys=keys, clock=clock, fail_closed=layers.fail_closed)
        )
        others = OtherLedgers(places, keys, clock, project)
        stack.callback(others.close)
        files = FileLabels(ledger, tracked=(project.root,), others=others)
        stack.callback(files.close)
        names = tuple(layer.name for layer in layers.layers)
        ledger.append(events.Run(phase="start", program=program, policy=names, profile=project.profile))
        stack.callback(lambda: ledger.append(events.Run(phase="end", program=program)))
        instructions = Instructions(
            layers=layers,
            shelf=Shelf(project.root),
            keys=keys,
            clock=clock,
            base=project.root,
            note=ledger.append,
            within=seen_from(project.ledger, project.root),
        )
        monitor = Monitor(
            layers=layers,
            guards=registry,
            ledger=ledger,
            files=files,
            protected=protected,
            instructions=instructions,
            environment=chosen,
            environ=environ,
            stores=Stores(environ=environ, workspace=project.root, provider=_keychain(layers)),
            programs=_of_runner(environ, project.root) if runner else None,
            cwd=cwd or project.root,
            profile=project.profile,
            on_failure=project.on_failure,
            screen=screen,
            log=log,
            sessions=partial(_store_of, places, project.ledger),
            copies=partial(_copies_of, places, clock),
            snapshots=partial(_snapshots_of, project, places),
            under=Under(project.settings, project.gives, project.stays),
            clock=clock,
        )
        stack.callback(monitor.parts.close)
        stack.enter_context(monitor)
        if project.on_failure == "raise":
            monitor.parts.log().write(_DEVELOPMENT)
        yield monitor


def open_here(
    start: Path | None = None,
    *,
    guards: Callable[[GuardRegistry], None] | None = None,
    environment: EnvironmentConfig | None = None,
    program: str = "",
    screen: Callable[[], PersonOutput] | None = None,
    log: Callable[[], PersonOutput] | None = None,
    session: str = "",
    cwd: Path | None = None,
    standard: str = "",
    runner: bool = False,
) -> AbstractContextManager[Monitor]:
    """``open_project`` for the project that ``start`` lies in, by default the current directory, as this user.

    ``session`` is the name of the session that is to be decided in: the settings under which it began are in force as well.
    ``cwd`` is the directory in which a runner does what is decided, if it is not the project's root; ``standard`` is the policy
    of ours that is in force where the user has written none. ``runner``: its shell has the environment of this process.
    """
    home, user = home_directory(os.environ), config_directory(os.environ)
    project = find(
        start=start or Path.cwd(),
        environ=os.environ,
        home=home,
        user_directory=user,
        under=_began(session) if session else (),
        standard=standard,
    )
    return open_project(
        project,
        home=home,
        environ=os.environ,
        guards=guards,
        environment=environment,
        program=program,
        screen=screen,
        log=log,
        cwd=cwd,
        runner=runner,
    )


def _of_runner(environ: Mapping[str, str], root: Path) -> Programs:
    return Programs.of_runner(environ, untrusted=(os.path.realpath(root), *SYSTEM_WRITABLE))


def _began(session: str) -> tuple[str, ...]:
    """The settings under which a session began; nothing of one that is to begin."""
    places = Home.find(os.environ, workspace=None)
    store = _store_of(places, Path())
    try:
        return store.under(session)
    finally:
        store.close()


def _keychain(layers: Layers) -> str:
    """Which keychain the first layer names."""
    given = layers.layers[0].policy.keychain if layers.layers else None
    return given.provider or "system" if given is not None else "system"

"""The provider ``local``: on this machine, as this user, without isolation.

What it holds: no shell, an environment that is empty but for what is granted, no descriptor and no terminal of ours,
limits, and an end for everything that a command started. What it does not hold: what the command may reach. A local
command can do whatever this user can, to other processes of the user too.

One thing more on request: with ``fs`` roots given, Landlock confines files to them, and the provider refuses where
Landlock is missing. It cannot hide a folder inside a root, nor keep a folder read-only inside one that is written,
and refuses roots that would need it; it does not cover the network, so ``net`` other than ``host`` is refused.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from sluicegate.flow.environments.configuration.config import (
    LOCAL,
    EnvironmentConfig,
    HostNetwork,
    Roots,
)
from sluicegate.flow.environments.confinement.protection import Protection, kept_in
from sluicegate.flow.environments.confinement.roots import contains, mounts
from sluicegate.flow.environments.errors import EnvironmentConfigError, ProviderUnavailable
from sluicegate.flow.environments.launch import carry, landlock, launcher, preparing
from sluicegate.flow.environments.providers.provider import (
    Capabilities,
    EnvironmentSession,
    EnvironmentSessions,
)
from sluicegate.flow.environments.run.command import Command, Completed, Limit, Stage
from sluicegate.flow.environments.run.running import run
from sluicegate.flow.environments.run.starting import LauncherPipes, PreparedStage

_INSTEAD: Final = "use the provider 'bubblewrap' or 'container'"


class LocalProvider:
    """Runs commands as this user. ``environ`` is where granted variables are taken from."""

    name = LOCAL
    capabilities = Capabilities(isolates=False)

    def __init__(self, environ: Mapping[str, str], protection: Protection = Protection()) -> None:  # noqa: B008
        self._environ, self._protection = environ, protection
        self._sessions = EnvironmentSessions()
        self._folders: dict[str, str] = {}

    def create(self, config: EnvironmentConfig) -> EnvironmentSession:
        """A session. Raises ``EnvironmentFailure`` if ``config`` demands what cannot be held locally."""
        if existing := self._sessions.existing(config):
            return EnvironmentSession(provider=self, id=existing.id, config=config, created=False)
        _check(config, self._protection)
        identity = f"local-{os.getpid()}-{self._sessions.number()}"
        self._folder(identity, config)
        return self._sessions.add(EnvironmentSession(provider=self, id=identity, config=config))

    def derive(self, session: EnvironmentSession, config: EnvironmentConfig) -> EnvironmentSession:
        """The same session with narrower grants. Raises ``EnvironmentFailure`` if they cannot be held locally."""
        _check(config, self._protection)
        self._folder(session.id, config)
        return replace(session, config=config, created=False)

    def execute(
        self, session: EnvironmentSession, command: Command, *, cancel: int | None = None
    ) -> Completed:
        """Run ``command`` under a guardian for each of its stages."""
        config = session.config

        def prepare(stage: Stage, line: LauncherPipes, held: frozenset[Limit]) -> PreparedStage:
            return self._prepare(session, stage, line, held)

        return run(command, prepare, config.limits, cancel=cancel)

    def release(self, session: EnvironmentSession) -> None:
        """Remove the session's temporary folder."""
        self._sessions.forget(session)
        if folder := self._folders.pop(session.id, None):
            shutil.rmtree(folder, ignore_errors=True)

    def _folder(self, identity: str, config: EnvironmentConfig) -> None:
        """A temporary folder of its own for a session that is confined to its roots."""
        if config.roots is not None and identity not in self._folders:
            self._folders[identity] = tempfile.mkdtemp(prefix="sluicegate-")

    def _prepare(
        self, session: EnvironmentSession, stage: Stage, line: LauncherPipes, held: frozenset[Limit]
    ) -> PreparedStage:
        config, folder = session.config, self._folders.get(session.id, "")
        own = {"TMPDIR": folder} if folder else {}
        asked = preparing.request(
            stage,
            environment=preparing.program_environment(stage, config, self._environ, own),
            cwd=config.cwd,
            limits=preparing.resource_limits(config.limits, held, own_users=False),
            confinement=None if config.roots is None else confinement(config.roots, folder),
            keep=[],
        )
        return guarded(
            asked, line, processors=preparing.processors(config.limits, held, os.getpid() + line.status)
        )


def guarded(
    asked: launcher.StageRequest,
    line: LauncherPipes,
    *,
    keep: tuple[int, ...] = (),
    processors: tuple[int, ...] = (),
) -> PreparedStage:
    """A request under a guardian. ``keep`` are descriptors that the program inherits, closed here after."""
    parts = carry.in_memory("guardian", carry.code_of(carry.GUARDED))
    request = carry.in_memory("request", launcher.packed(asked))
    argv = carry.starting(carry.GUARDED, parts, request, line.control, line.status)
    return PreparedStage(argv=argv, descriptors=[parts, request, *keep], layers=1, processors=processors)


def confinement(roots: Roots, folder: str) -> launcher.Confinement:
    """The roots for Landlock, with what every program needs and the session's temporary folder."""
    view = mounts(roots)
    return launcher.Confinement(
        read=[
            *preparing.PROGRAMS,
            *preparing.settings(),
            *preparing.NETWORK_SETTINGS,
            "/etc/passwd",
            "/etc/group",
            "/proc",
            *(m.host for m in view.values()),
        ],
        write=[folder, *(m.host for m in view.values() if m.write)],
        devices=list(preparing.DEVICES),
        listed=[],
        tcp=True,
    )


def _check(config: EnvironmentConfig, protection: Protection) -> None:
    """Refuse what a local command cannot be held to."""
    if not isinstance(config.net, HostNetwork):
        raise EnvironmentConfigError(
            f"the provider 'local' cannot hold net = {config.net}: its commands have this machine's network",
            hint=f'{_INSTEAD}, or write net = "host"',
        )
    if config.image or config.snapshot or config.snapshots:
        raise EnvironmentConfigError(
            "the provider 'local' has no images and no snapshots", hint="use the provider 'container'"
        )
    if config.roots is None:
        return
    if landlock.version() < landlock.ENOUGH:
        raise ProviderUnavailable(
            "this kernel has no Landlock (version 3 or later), so the provider 'local' cannot hold fs roots",
            hint=_INSTEAD,
        )
    view = mounts(config.roots)
    for inside, mount in view.items():
        if inside != mount.host:
            raise EnvironmentConfigError(
                f"the provider 'local' cannot show '{mount.host}' at another path", hint=_INSTEAD
            )
        if not mount.write and any(m.write and contains(m.host, mount.host) for m in view.values()):
            raise EnvironmentConfigError(
                f"the provider 'local' cannot keep '{mount.host}' from being written: a root around it may be",
                hint=f"{_INSTEAD}, or grant folders that do not lie in each other",
            )
    if kept := kept_in(config.roots, protection):
        raise EnvironmentConfigError(
            f"the provider 'local' cannot hide '{kept[0].inside}', which is Sluicegate's own, in a granted root",
            hint=f"{_INSTEAD}, or grant folders that do not hold it",
        )

"""The provider ``container``: a container of ``podman`` or ``docker``, for the length of an environment.

The engine holds the walls and the limits; this module asks it for the narrowest ones. Commands of one environment
run one after the other in one container, whose own files are read-only. Values never stand in arguments: variables
and secrets go to the engine's client through a nameless file in memory.

What a command leaves running is ended when it returns, by restarting the container: what runs beside a later command
could read its secrets. Images are never downloaded here.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from sluicegate.flow.environments.configuration.config import (
    CONTAINER,
    ENGINES,
    AllowedHosts,
    CommandLimits,
    EnvironmentConfig,
)
from sluicegate.flow.environments.confinement.protection import Protection, kept_in
from sluicegate.flow.environments.confinement.roots import mounts, open_root
from sluicegate.flow.environments.errors import EnvironmentConfigError, ProviderUnavailable, printable
from sluicegate.flow.environments.launch import carry, launcher, preparing
from sluicegate.flow.environments.providers import engine
from sluicegate.flow.environments.providers.local import guarded
from sluicegate.flow.environments.providers.provider import Capabilities, EnvironmentSession
from sluicegate.flow.environments.run.command import Command, Completed, Limit, Stage
from sluicegate.flow.environments.run.running import run
from sluicegate.flow.environments.run.starting import LauncherPipes, PreparedStage
from sluicegate.flow.errors import EnvironmentFailure
from sluicegate.patterns import late

PLACES: Final = "/usr/bin:/bin:/usr/local/bin:/opt/podman/bin:/run/current-system/sw/bin"
_PATIENCE: Final = 120  # seconds for the engine's own answers
_SNAPSHOT = late(r"[a-z0-9]+(?:[._-][a-z0-9]+)*")


class ContainerProvider:
    """Runs commands in containers. ``name`` is the engine, or ``container`` for the first that is there."""

    capabilities = Capabilities(isolates=True, snapshots=True)

    def __init__(
        self,
        name: str,
        environ: Mapping[str, str],
        protection: Protection = Protection(),  # noqa: B008 - frozen
        *,
        places: str = PLACES,
    ) -> None:
        self.name = name
        self._environ, self._protection, self._places = environ, protection, places
        self._locks: dict[str, threading.Lock] = {}

    def create(self, config: EnvironmentConfig) -> EnvironmentSession:
        """A running container. Raises ``EnvironmentFailure``; then none is left."""
        program, kind = self._engine()
        self._check(config)
        label = engine.fingerprint(config)
        if config.name:
            name = "-".join(("sluicegate", *config.names))
            if self._exists(program, name, label):
                return EnvironmentSession(provider=self, id=name, config=config, created=False)
        else:
            name = f"sluicegate-{os.getpid()}-{secrets.token_hex(6)}"
        user = f"{os.getuid()}:{os.getgid()}"
        words = engine.creation(config, self._protection, name=name, kind=kind, user=user, label=label)
        try:
            self._ask(program, words, "the container could not be made")
        except BaseException:
            self._run(program, ["rm", "--force", "--volumes", name])
            raise
        return EnvironmentSession(provider=self, id=name, config=config)

    def derive(self, session: EnvironmentSession, config: EnvironmentConfig) -> EnvironmentSession:
        """A session for a narrower configuration: in the same container if the engine holds the same for both."""
        if engine.shares(session.config, config):
            return replace(session, config=config, created=False)
        return self.create(config)

    def execute(
        self, session: EnvironmentSession, command: Command, *, cancel: int | None = None
    ) -> Completed:
        """Run ``command``; others in the same container wait their turn."""
        program, _ = self._engine()
        config = session.config
        first = command.stages[0]

        def prepare(stage: Stage, line: LauncherPipes, held: frozenset[Limit]) -> PreparedStage:
            variables = engine.variables(stage, config, self._environ)
            at = carry.in_memory("variables", variables)
            reads = command.stdin is not None or stage is not first
            words = engine.execution(stage, config, name=session.id, variables=at, reads=reads)
            return guarded(self._client(program, words, keep=[at]), line, keep=(at,))

        limits = CommandLimits(time=config.limits.time, output=config.limits.output)
        with self._lock(session):
            try:
                completed = run(command, prepare, limits, cancel=cancel)
            except BaseException:
                self._restart(program, session)
                raise
            if completed.killed_for is not None or self._left_running(program, session):
                self._restart(program, session)
        return completed

    def release(self, session: EnvironmentSession) -> None:
        """Remove the container with what is in it."""
        program, _ = self._engine()
        self._ask(program, ["rm", "--force", "--volumes", session.id], "the container could not be removed")
        self._locks.pop(session.id, None)

    def snapshot(self, session: EnvironmentSession, name: str) -> str:
        """Keep the container's files as an image; folders that were granted are not in it."""
        if not session.config.snapshots:
            raise EnvironmentConfigError(
                "this environment takes no snapshots", hint="write snapshots = true in its configuration"
            )
        if not _SNAPSHOT.fullmatch(name) or len(name) > 100:
            raise EnvironmentConfigError(
                f"'{printable(name, 60)}' cannot name a snapshot",
                hint="small letters, digits, and '.', '_', '-' between",
            )
        program, _ = self._engine()
        reference = f"sluicegate/{name}"
        with self._lock(session):
            self._ask(program, ["commit", session.id, reference], "the snapshot could not be taken")
        return reference

    def _engine(self) -> tuple[str, str]:
        """The engine's program and its kind. Raises ``ProviderUnavailable``."""
        wanted = ENGINES if self.name == CONTAINER else (self.name,)
        for kind in wanted:
            if program := shutil.which(kind, path=self._places):
                return program, kind
        raise ProviderUnavailable(
            f"no container engine is installed: looked for {' and '.join(wanted)}",
            hint="install podman or docker, or use the provider 'bubblewrap'",
        )

    def _check(self, config: EnvironmentConfig) -> None:
        if isinstance(config.net, AllowedHosts):
            raise EnvironmentConfigError(
                f"the provider '{self.name}' cannot hold a list of hosts: it grants the whole network or none",
                hint='write net = "none" and fetch as an operation of its own, whose hosts the policy names',
            )
        if not (config.image or config.snapshot):
            raise EnvironmentConfigError(
                "a container needs an image", hint='write image = "debian:12", or from = "<snapshot>"'
            )
        if config.roots is None or not engine.check_places(config.roots):
            raise EnvironmentConfigError(
                "no root can stand at /, /proc, /sys or /dev inside",
                hint="give it another place: HOST:INSIDE",
            )
        for mount in mounts(config.roots).values():
            os.close(open_root(mount.host))
        for kept in kept_in(config.roots, self._protection):
            there = Path(mounts(config.roots)[kept.root].host, *kept.names)
            if not kept.hidden and not os.path.lexists(there):
                raise EnvironmentConfigError(
                    f"'{printable(kept.inside)}' does not exist, and a granted root would let a command make it",
                    hint="make it (it may be empty), or grant a folder that cannot hold it",
                )

    def _exists(self, program: str, name: str, label: str) -> bool:
        """Whether a container of that name is there; it is started. Raises if it has another configuration."""
        asked = self._run(
            program,
            ["container", "inspect", "--format", f'{{{{index .Config.Labels "{engine.LABEL}"}}}}', name],
        )
        if asked.returncode != 0:
            return False
        if asked.stdout.strip() != label.encode():
            raise EnvironmentConfigError(
                f"there is a container '{name}' already, with another configuration",
                hint=f"remove it ({Path(program).name} rm --force {name}), or give this one its own name",
            )
        self._ask(program, ["start", name], "the container could not be started")
        return True

    def _left_running(self, program: str, session: EnvironmentSession) -> bool:
        """Whether more than the process that waits is in the container; unknown counts as yes."""
        asked = self._run(program, ["top", session.id])
        return (
            asked.returncode != 0 or len(asked.stdout.splitlines()) != 2
        )  # a heading, and the one that waits

    def _restart(self, program: str, session: EnvironmentSession) -> None:
        self._ask(
            program, ["restart", "-t", "0", session.id], "what a command left running could not be ended"
        )

    def _ask(self, program: str, words: list[str], failed: str) -> None:
        asked = self._run(program, words)
        if asked.returncode != 0:
            said = printable(asked.stderr.decode("utf-8", "replace").strip()) or "it said nothing"
            name = Path(program).name
            raise EnvironmentFailure(
                f"{failed}: {said}", hint=f"{name} said so; see whether `{name} info` works"
            )

    def _run(self, program: str, words: list[str]) -> subprocess.CompletedProcess[bytes]:
        """Ask the engine something. Without a guardian: what keeps a container alive must outlive this client."""
        try:
            return subprocess.run(  # noqa: S603 - an argument vector, no shell
                [program, *words],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_PATIENCE,
                env=self._client_environment(),
                cwd="/",
                start_new_session=True,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            name = Path(program).name
            raise EnvironmentFailure(
                f"{name} cannot be started or does not answer ({words[0]})",
                hint=f"see whether `{name} info` works",
            ) from None

    def _client_environment(self) -> dict[str, str]:
        needed = {name: self._environ[name] for name in engine.CLIENT_VARIABLES if name in self._environ}
        return {"PATH": self._places, **needed}

    def _client(self, program: str, words: list[str], keep: list[int]) -> launcher.StageRequest:
        """The engine's client as a local program with the variables that it needs."""
        needed = self._client_environment()
        return preparing.request(
            Stage(argv=(program, *words)),
            environment={os.fsencode(name): os.fsencode(value) for name, value in needed.items()},
            cwd="/",
            limits=[],
            confinement=None,
            keep=keep,
        )

    def _lock(self, session: EnvironmentSession) -> threading.Lock:
        return self._locks.setdefault(session.id, threading.Lock())

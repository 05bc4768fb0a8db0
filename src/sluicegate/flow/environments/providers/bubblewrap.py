"""The provider ``bubblewrap``: a sandbox of namespaces for each stage of a command, without a daemon and without root.

Four walls, each of which stands alone: namespaces and mounts (bubblewrap), no capability and no way to a new
namespace, a filter of system calls (``seccomp``), and Landlock inside (``launcher``). Every stage of a pipeline has
a sandbox of its own, so it sees no other stage's variables, and nothing it leaves behind but in a written root.

An environment with snapshots works on copies of its written roots (``root_copies``).

There is no fall back to less: if the sandbox cannot be made, the command does not run and the error says why.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from sluicegate.flow.environments.configuration.config import (
    BUBBLEWRAP,
    AllowedHosts,
    EnvironmentConfig,
    HostNetwork,
)
from sluicegate.flow.environments.confinement import seccomp
from sluicegate.flow.environments.confinement.protection import Protection, kept_in
from sluicegate.flow.environments.errors import (
    CommandNotStarted,
    EnvironmentConfigError,
    ProviderUnavailable,
    printable,
)
from sluicegate.flow.environments.launch import carry, launcher, listed, machine, preparing
from sluicegate.flow.environments.providers import sandbox
from sluicegate.flow.environments.providers.provider import (
    Capabilities,
    EnvironmentSession,
    EnvironmentSessions,
)
from sluicegate.flow.environments.providers.root_copies import CopiedRoots, SnapshotArchives
from sluicegate.flow.environments.run.command import Command, Completed, Limit, Stage
from sluicegate.flow.environments.run.running import run
from sluicegate.flow.environments.run.starting import LauncherPipes, PreparedStage
from sluicegate.flow.labels import Labels

PLACES: Final = "/usr/bin:/bin:/usr/local/bin:/usr/sbin:/run/current-system/sw/bin"
"""Where bubblewrap is looked for: the system's folders, never the user's own search path."""

_NEEDED: Final = ("--bind-fd", "--disable-userns", "--size", "--perms", "--args")


class BubblewrapProvider:
    """Runs commands in sandboxes. ``environ`` is where granted variables are taken from."""

    name = BUBBLEWRAP
    capabilities = Capabilities(isolates=True, snapshots=True)

    def __init__(
        self,
        environ: Mapping[str, str],
        protection: Protection = Protection(),  # noqa: B008 - frozen
        *,
        places: str = PLACES,
        snapshots: Path | None = None,
    ) -> None:
        """``snapshots`` is the folder that keeps them; None where none are kept."""
        self._environ, self._protection, self._places = environ, protection, places
        self._archives = None if snapshots is None else SnapshotArchives(snapshots, self._run_once)
        self._copied: dict[str, CopiedRoots] = {}
        self._sessions = EnvironmentSessions()
        self._lock = threading.Lock()
        self._program = ""

    def create(self, config: EnvironmentConfig) -> EnvironmentSession:
        """A session. Raises ``EnvironmentFailure`` if bubblewrap is missing or cannot hold what is demanded."""
        if existing := self._sessions.existing(config):
            return EnvironmentSession(provider=self, id=existing.id, config=config, created=False)
        _check(config)
        self.program()
        kept = kept_in(config.roots, self._protection) if config.roots else ()
        identity = f"bubblewrap-{os.getpid()}-{self._sessions.number()}"
        session = EnvironmentSession(provider=self, id=identity, config=config)
        if config.snapshots or config.snapshot:
            archives = self._kept()
            self._copied[identity] = archives.copied(config, kept)
            if config.snapshot:
                session = replace(session, labels=Labels.of(*archives.labels(config.snapshot)))
        return self._sessions.add(session)

    def snapshot(self, session: EnvironmentSession, name: str) -> str:
        """Keep the state of the session. Raises ``EnvironmentFailure``."""
        copied = self._copied.get(session.id)
        if copied is None or not session.config.snapshots:
            raise EnvironmentConfigError(
                "this environment takes no snapshots", hint="write snapshots = true in its configuration"
            )
        return self._kept().take(name, copied)

    def label_snapshot(self, reference: str, labels: frozenset[str]) -> None:
        """Remember the labels of what is in a snapshot."""
        self._kept().label(reference, labels)

    def _kept(self) -> SnapshotArchives:
        if self._archives is None:
            raise EnvironmentConfigError("nothing keeps snapshots here", hint="run it in a project")
        return self._archives

    def _run_once(self, config: EnvironmentConfig, command: Command) -> Completed:
        return self.execute(EnvironmentSession(provider=self, id="", config=config), command)

    def derive(self, session: EnvironmentSession, config: EnvironmentConfig) -> EnvironmentSession:
        """The same session with narrower grants. Raises ``EnvironmentFailure``."""
        _check(config)
        return replace(session, config=config, created=False)

    def execute(
        self, session: EnvironmentSession, command: Command, *, cancel: int | None = None
    ) -> Completed:
        """Run each stage of ``command`` in a sandbox of its own."""
        config, program = session.config, self.program()
        copied = self._copied.get(session.id)
        if copied is not None and config.roots is not None:
            config = replace(config, roots=copied.instead(config.roots))

        def prepare(stage: Stage, line: LauncherPipes, held: frozenset[Limit]) -> PreparedStage:
            return self._prepare(program, config, stage, line, held)

        try:
            return run(command, prepare, config.limits, cancel=cancel)
        except CommandNotStarted as error:
            if error.step != "start":
                raise
            raise _not_made(error.words) from None

    def release(self, session: EnvironmentSession) -> None:
        """Nothing of a session is left on the machine."""
        self._sessions.forget(session)
        copied = self._copied.pop(session.id, None)
        if copied is not None:
            shutil.rmtree(copied.folder, ignore_errors=True)

    def program(self) -> str:
        """The bubblewrap to use, found once. Raises ``ProviderUnavailable``."""
        with self._lock:
            if not self._program:
                self._program = _find(self._places)
            return self._program

    def _prepare(
        self,
        program: str,
        config: EnvironmentConfig,
        stage: Stage,
        line: LauncherPipes,
        held: frozenset[Limit],
    ) -> PreparedStage:
        cpus = preparing.processors(config.limits, held, os.getpid() + line.status)
        asked = preparing.request(
            stage,
            environment=preparing.program_environment(stage, config, self._environ, {"HOME": sandbox.HOME}),
            cwd=config.cwd,
            limits=preparing.resource_limits(config.limits, held, own_users=True),
            confinement=sandbox.confinement(config),
            keep=[],
            tell=seccomp.telling(seccomp.this_machine()),
        )
        filters = seccomp.program(
            seccomp.this_machine(),
            network=isinstance(config.net, HostNetwork),
            count_memory=config.limits.mem is not None and Limit.MEMORY not in held,
            hold_cpus=bool(cpus),
        )
        asked_at = os.memfd_create("request", os.MFD_CLOEXEC)
        try:
            steps = listed.listed(asked, line.control, line.status, asked_at)
            carry.write(asked_at, launcher.packed(asked) if steps is None else steps)
            native = b"" if steps is None else machine.program(asked_at, len(steps))
            layout = sandbox.lay_out(config, self._protection, native)
        except BaseException:
            os.close(asked_at)
            raise
        filter_at = carry.in_memory("filter", filters)
        layout.add("--seccomp", filter_at)
        arguments = carry.in_memory("arguments", sandbox.joined(layout.arguments))
        descriptors = [*layout.descriptors, filter_at, arguments, asked_at]
        start = [sandbox.STARTS]
        if not native:
            parts = carry.in_memory("launcher", carry.code_of(carry.INSIDE))
            descriptors.append(parts)
            start = carry.starting(carry.INSIDE, parts, asked_at, line.control, line.status)
        return PreparedStage(
            argv=[program, "--args", str(arguments), "--", *start],
            descriptors=descriptors,
            layers=2,
            processors=cpus,
        )


def _check(config: EnvironmentConfig) -> None:
    if isinstance(config.net, AllowedHosts):
        raise EnvironmentConfigError(
            "the provider 'bubblewrap' cannot hold a list of hosts: it grants the whole network or none",
            hint='write net = "none" and fetch as an operation of its own, whose hosts the policy names; '
            'or net = "host" behind a network that filters',
        )
    if config.image:
        raise EnvironmentConfigError(
            "the provider 'bubblewrap' has no images", hint="use the provider 'container'"
        )
    if config.roots is None:
        raise EnvironmentConfigError("a sandbox has roots", hint="write fs = { read = [...], write = [...] }")
    sandbox.check_roots(config.roots)


def _find(places: str) -> str:
    found = shutil.which("bwrap", path=places)
    if found is None:
        raise ProviderUnavailable(
            "bubblewrap is not installed, so the sandbox cannot be made",
            hint="install it (apt install bubblewrap, dnf install bubblewrap), or use the provider 'container'; "
            "the provider 'local' runs commands without isolation, if that is what you mean",
        )
    helped = subprocess.run([found, "--help"], env={}, capture_output=True, timeout=30, check=False)  # noqa: S603
    missing = [option for option in _NEEDED if option.encode() not in helped.stdout + helped.stderr]
    if missing:
        raise ProviderUnavailable(
            f"the bubblewrap at '{printable(found)}' is too old: it lacks {', '.join(missing)}",
            hint="0.10 or later has all of it, and so have the patched 0.8 and 0.9 of Debian 12 and Ubuntu 24.04",
        )
    return found


def _not_made(words: str) -> ProviderUnavailable:
    """bubblewrap failed before the launcher ran. Its own words say why."""
    said = printable(words.strip().removeprefix("bwrap: ")) or "it said nothing"
    forbidden = any(sign in words for sign in ("namespace", "uid map", "gid map", "not permitted", "denied"))
    hint = (
        "this machine forbids user namespaces to this user. Allow them (sysctl kernel.unprivileged_userns_clone=1; "
        "on Ubuntu an AppArmor profile for bwrap; in a container, its security options), or use the provider "
        "'container'. The provider 'local' runs commands without isolation, if that is what you mean"
        if forbidden
        else "look at the roots of the environment, and at what bubblewrap said"
    )
    return ProviderUnavailable(f"bubblewrap could not make the sandbox: {said}", hint=hint)

"""A program that answers as long as it is asked: run in an environment, and spoken with through two pipes that have names.

The pipes lie in a folder of their own, which the environment shows besides its roots. The program is one command of the environment,
with its limits but that of time: whoever asks waits no longer than they want to. When it is cancelled, or this process ends,
nothing of it is left running.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sluicegate.flow.environments.configuration.config import EnvironmentConfig, Root, Roots
from sluicegate.flow.environments.run.command import Command, Stage
from sluicegate.flow.environments.use import environment
from sluicegate.flow.errors import EnvironmentFailure

if TYPE_CHECKING:
    from sluicegate.flow.environments.use import Providers

_JOINED = 'exec "$@" <"$0/in" >"$0/out"'


class ServedProgram:
    """A program that runs. ``to_it`` and ``from_it`` are descriptors that do not block. ``ended`` is told why, in another thread."""

    def __init__(
        self, config: EnvironmentConfig, providers: Providers, stage: Stage, ended: Callable[[str], None]
    ) -> None:
        """Start it. Raises OSError; what else goes wrong, ``ended`` is told."""
        self._folder = tempfile.mkdtemp(prefix="sluicegate-served-")
        pipes = [Path(self._folder, name) for name in ("in", "out")]
        for pipe in pipes:
            os.mkfifo(pipe, 0o600)
        self.to_it, self.from_it = (os.open(pipe, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC) for pipe in pipes)
        self._cancel, self._cancelling = os.pipe()
        words = ("sh", "-c", _JOINED, self._folder, stage.executable or stage.argv[0], *stage.argv[1:])
        command = Command(stages=(replace(stage, argv=words, executable="/bin/sh"),))
        shown = self._shown(config)

        def run() -> None:
            why = "it has ended"
            try:
                with environment(shown, providers) as session:
                    session.provider.execute(session, command, cancel=self._cancel)
            except EnvironmentFailure as error:
                why = error.message
            ended(why)

        self._thread = threading.Thread(target=run, name="sluicegate-served", daemon=True)
        self._thread.start()

    def _shown(self, config: EnvironmentConfig) -> EnvironmentConfig:
        """The environment, with the folder of the pipes."""
        roots = config.roots
        if roots is not None:
            own = Root(host=self._folder, inside=self._folder)
            roots = Roots(read=roots.read, write=(*roots.write, own))
        return replace(config, names=(), roots=roots, limits=replace(config.limits, time=None))

    def end(self) -> None:
        """End it, with all that it has started, and wait for that. Doing so again changes nothing."""
        if self._cancelling < 0:
            return
        os.write(self._cancelling, b"c")
        self._thread.join()
        for descriptor in (self.to_it, self.from_it, self._cancel, self._cancelling):
            os.close(descriptor)
        self._cancelling = -1
        shutil.rmtree(self._folder, ignore_errors=True)

"""Real environments to run things in, and a way to see what was left running. The fixtures are in conftest."""

from __future__ import annotations

import os
import shutil
import sys
import time
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from sluicegate.flow.environments.configuration.reading import read_environment
from sluicegate.flow.environments.confinement.protection import Protection
from sluicegate.flow.environments.launch import carry, landlock
from sluicegate.flow.environments.providers.bubblewrap import PLACES, BubblewrapProvider
from sluicegate.flow.environments.providers.local import LocalProvider
from sluicegate.flow.environments.run.command import Command, Completed, Stage

PYTHON, LIBRARY = carry.interpreter()

needs_bubblewrap = pytest.mark.skipif(
    shutil.which("bwrap", path=PLACES) is None, reason="bubblewrap is not installed"
)
needs_landlock = pytest.mark.skipif(
    not sys.platform.startswith("linux") or landlock.version() < 6,
    reason="this kernel's Landlock does not scope signals and sockets",
)


unhurried = settings(deadline=None, max_examples=60)
"""Properties on a machine that has other things to do."""


class Runs:
    """Runs commands in new environments of one provider."""

    def __init__(self, base: Path, local: bool) -> None:
        self.base, self.local = base, local
        self.environ: Mapping[str, str] = {}
        self.protection = Protection()

    def provider(self) -> Any:
        kind = LocalProvider if self.local else BubblewrapProvider
        return kind(self.environ, self.protection)

    def __call__(
        self,
        *argv: str,
        then: tuple[tuple[str, ...], ...] = (),
        stdin: bytes | None = None,
        secrets: Mapping[str, bytes] | None = None,
        variables: Mapping[str, str] | None = None,
        cwd: str = "",
        **config: Any,
    ) -> Completed:
        """Run ``argv`` (and ``then``, the later stages) in an environment of ``config``."""
        data = {"provider": "local" if self.local else "bubblewrap", **config}
        first = Stage(argv=argv, secrets=secrets or {}, vars=variables or {}, cwd=cwd)
        stages = (first, *(Stage(argv=words) for words in then))
        provider = self.provider()
        session = provider.create(read_environment(data, base=self.base))
        try:
            return provider.execute(session, Command(stages=stages, stdin=stdin))
        finally:
            provider.release(session)

    def python(self, code: str, *arguments: str, **config: Any) -> Completed:
        """Run Python code, with the interpreter of these tests granted for reading."""
        files = dict(config.pop("fs", {}))
        if not self.local or files:
            config["fs"] = {**files, "read": [*files.get("read", []), LIBRARY]}
        return self(PYTHON, "-I", "-S", "-c", code, *arguments, **config)

    def says(self, code: str, *arguments: str, **config: Any) -> str:
        """What Python code prints; it must end well."""
        done = self.python(code, *arguments, **config)
        assert done.codes == (0,), done.stderr.decode()
        return done.stdout.decode().strip()


both = pytest.mark.parametrize(
    "runs", ["local", pytest.param("bubblewrap", marks=needs_bubblewrap)], indirect=True
)


class Marked:
    """A word for arguments, by which processes of a test are found wherever they went."""

    def __init__(self) -> None:
        self.word = f"marked-{uuid.uuid4().hex}"

    def running(self) -> list[int]:
        found = []
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                try:
                    words = Path("/proc", entry, "cmdline").read_bytes()
                except OSError:
                    continue
                if self.word.encode() in words and int(entry) != os.getpid():
                    found.append(int(entry))
        return found

    def wait(self, until: Callable[[list[int]], bool], seconds: float = 50.0) -> list[int]:
        """Look until the processes are as wanted; the last look, whatever it shows."""
        limit = time.monotonic() + seconds
        while not until(found := self.running()) and time.monotonic() < limit:
            time.sleep(0.005)
        return found

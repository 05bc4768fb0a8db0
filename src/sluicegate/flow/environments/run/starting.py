"""A stage on its way: what its provider prepares, what is known of it while it runs, and where its output goes."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

from msgspec import Struct, field

from sluicegate.flow.environments.run.command import Limit, Stage


class LauncherPipes(Struct, frozen=True, kw_only=True):
    """The launcher's ends of the two pipes by which it speaks with the one who started it."""

    control: int
    status: int


class PreparedStage(Struct, frozen=True, kw_only=True):
    """A stage as a process to start: its arguments and the descriptors it inherits, which are closed after.

    ``layers`` is how many processes stand between us and the command: 1 a guardian, 2 a sandbox and its init.
    ``processors`` are those that the command may use, empty for all.
    """

    argv: list[str]
    descriptors: list[int]
    layers: int
    processors: tuple[int, ...] = ()


Prepare = Callable[[Stage, LauncherPipes, frozenset[Limit]], PreparedStage]
"""Prepares a stage; the set tells which limits a control group already holds."""


class Running(Struct):
    """One stage that was started."""

    process: subprocess.Popen[bytes]
    ended: int  # pidfd of the process
    control: int
    layers: int
    processors: tuple[int, ...]
    said: bytearray = field(default_factory=bytearray)
    hung_up: bool = False
    told: bool = False  # whether hard links are told
    links: bool = False  # whether one was
    init: int = -1  # pidfd of the first process inside a sandbox; all inside end with it
    top: int = 0  # the command's processes are below this one
    code: int | None = None

    @property
    def ready(self) -> bool:
        return self.said.startswith(b"R")

    @property
    def failure(self) -> str:
        """The step that failed and its errno, or empty."""
        return self.said.partition(b"F")[2].decode("ascii", "replace").strip()


class BoundedOutput(Struct):
    """Output as far as the limit goes."""

    limit: int
    content: bytearray = field(default_factory=bytearray)
    truncated: bool = False

    def take(self, chunk: bytes) -> None:
        room = self.limit - len(self.content)
        self.content += chunk[:room]
        self.truncated = self.truncated or len(chunk) > room

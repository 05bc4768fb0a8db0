"""What is run in an environment, and what came of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum

from msgspec import field

from sluicegate.flow.discreet import Discreet
from sluicegate.flow.errors import EnvironmentFailure
from sluicegate.flow.labels import EMPTY, Labels
from sluicegate.patterns import late

SEARCH_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
"""Where a program named without a slash is looked for, in every environment. No variable changes it."""

_VARIABLE = late(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


class Stage(Discreet, frozen=True, kw_only=True):
    """One program of a pipeline.

    ``argv`` is passed as it stands; there is no shell. ``executable`` is the program to run where that is not to
    be looked for by ``argv[0]``. ``cwd`` is a path inside, empty for that of the environment. ``vars`` are set over
    what the environment grants. ``secrets`` are set last; their values are in no argument vector, no message and
    no representation, and other stages do not see them. Raises ``EnvironmentFailure`` for what no program can be
    given.
    """

    unshown = frozenset({"vars", "secrets"})

    argv: tuple[str, ...]
    executable: str = ""
    cwd: str = ""
    vars: Mapping[str, str] = field(default_factory=dict)
    secrets: Mapping[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.argv or not (self.executable or self.argv[0]):
            raise EnvironmentFailure("a stage names no program", hint="its first argument is the program")
        texts = (*self.argv, self.executable, self.cwd, *self.vars.values())
        if any("\0" in text for text in texts) or any(b"\0" in secret for secret in self.secrets.values()):
            raise EnvironmentFailure(
                "an argument, a variable or a folder holds a NUL character, which no program can be given",
                hint="pass such bytes on standard input",
            )
        if not all(_VARIABLE.fullmatch(name) for name in (*self.vars, *self.secrets)):
            raise EnvironmentFailure(
                "the name of an environment variable is not well formed",
                hint="letters, digits and '_', no digit first",
            )


class Command(Discreet, frozen=True, kw_only=True):
    """A pipeline: each stage reads what the one before it writes. ``stdin`` is for the first; None is empty."""

    unshown = frozenset({"stdin"})

    stages: tuple[Stage, ...]
    stdin: bytes | None = None

    def __post_init__(self) -> None:
        if not self.stages:
            raise EnvironmentFailure("a command has no stage", hint="give it at least one")


class Limit(StrEnum):
    """The limit for which a command was ended."""

    TIME = "time"
    MEMORY = "mem"
    CPU = "cpu"
    PROCESSES = "processes"


class Completed(Discreet, frozen=True, kw_only=True):
    """A command that ran, to its end or to a limit.

    ``stdout`` is that of the last stage, ``stderr`` that of all; both end where the limit of output was reached,
    and then ``*_truncated`` says so. ``codes`` are the exit codes of the stages, 128 + n for one that signal n
    ended. ``killed_for`` is the limit for which it, or a process of it, was ended, or None. ``links`` is whether it may
    have given a file another name (a hard link). ``labels`` are those of what came out and of how it ended, besides those that
    the environment gives: a provider that is a script tells them. Nothing that it started is left running.
    """

    unshown = frozenset({"stdout", "stderr"})

    stdout: bytes
    stderr: bytes
    codes: tuple[int, ...]
    stdout_truncated: bool = False
    stderr_truncated: bool = False
    killed_for: Limit | None = None
    links: bool = True
    labels: Labels = EMPTY

    @property
    def timed_out(self) -> bool:
        """Whether the limit of time ended it."""
        return self.killed_for is Limit.TIME

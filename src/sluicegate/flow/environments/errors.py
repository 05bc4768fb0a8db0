"""Errors of the environments: each names the thing and the way forward."""

from __future__ import annotations

import os

from sluicegate.flow.errors import EnvironmentFailure


class EnvironmentConfigError(EnvironmentFailure):
    """The configuration of an environment is wrong, or asks for what its provider cannot hold."""

    code = "environment-config"


class ProviderUnavailable(EnvironmentFailure):
    """What the provider needs is not on this machine, or the machine forbids it."""

    code = "environment-provider"


class CommandNotStarted(EnvironmentFailure):
    """A stage of a command never ran: no such program, no such directory, no permission.

    ``stage`` counts from 0. The message names no argument: the one who asked knows what may be shown of them.
    ``words`` is what the sandbox said of itself where it could not be made, untrusted and as it came.
    """

    code = "environment-start"

    def __init__(self, stage: int, step: str, number: int, words: str = "") -> None:
        why = os.strerror(number) if number else ""
        what = _STEPS.get(step, "could not be started")
        super().__init__(
            f"stage {stage + 1} of the command {what}{f': {why}' if why else ''}",
            hint=_HINTS.get(step, ""),
        )
        self.stage, self.step, self.number, self.words = stage, step, number, words


_STEPS = {
    "program": "cannot be run",
    "cwd": "cannot start in its working folder",
    "limits": "cannot be put under its limits",
    "confinement": "cannot be confined by Landlock",
}
_HINTS = {
    "program": "the program must be in the system's folders or in a granted root, and be executable there",
    "cwd": "the working folder must be in a granted root, written as it is inside",
    "limits": "a limit is below what this process already has; look at `ulimit -a`",
}


class Cancelled(EnvironmentFailure):
    """The owner of a command ended it."""

    code = "environment-cancelled"


def printable(text: str, longest: int = 300) -> str:
    """``text`` fit for a message: one line, no control characters, bounded."""
    line = "".join(char if char.isprintable() else " " for char in text[: longest + 1])
    return line if len(line) <= longest else f"{line[:longest]}..."

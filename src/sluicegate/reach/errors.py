"""Errors of the ways in: the command line and the reports."""

from __future__ import annotations


class ReachError(Exception):
    """A command could not be carried out. Same shape as ``VetError``: code, message, hint, diagnostics."""

    code = "reach-error"

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def diagnostics(self) -> str:
        """The error and the way forward, for people; one or two lines."""
        return f"{self.message}\n{self.hint}" if self.hint else self.message


class UsageError(ReachError):
    """The words of a command contradict each other or name something that does not exist."""

    code = "usage"


class OutputError(ReachError):
    """A report could not be written."""

    code = "output"

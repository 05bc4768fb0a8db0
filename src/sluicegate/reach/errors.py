"""Errors of the ways in: the command line and the reports."""

from __future__ import annotations

from sluicegate.errors import SluicegateError


class ReachError(SluicegateError):
    """A command could not be carried out."""

    code = "reach-error"


class UsageError(ReachError):
    """The words of a command contradict each other or name something that does not exist."""

    code = "usage"


class OutputError(ReachError):
    """A report could not be written."""

    code = "output"

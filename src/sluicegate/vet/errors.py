"""Errors of the vetting room: what went wrong, and what to do about it."""

from __future__ import annotations


class VetError(Exception):
    """A scan could not be done.

    ``code`` is stable and fit for programs; ``message`` names the thing; ``hint`` is the way forward.
    Any of the three may quote untrusted names: escape before showing.
    """

    code = "vet-error"

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def diagnostics(self) -> str:
        """The error and the way forward, for people; one or two lines."""
        return f"{self.message}\n{self.hint}" if self.hint else self.message


class SourceError(VetError):
    """The source does not exist, cannot be read, or cannot be fetched."""

    code = "source"


class NothingToInspect(VetError):
    """The source holds nothing that an agent would load: no SKILL.md and nothing of the kind."""

    code = "nothing-to-inspect"


class NothingChanged(VetError):
    """The scan was only of skills that hold a changed file, and none does."""

    code = "nothing-changed"


class ConfigError(VetError):
    """A setting, rule file or baseline is wrong."""

    code = "config"

"""Errors of the vetting room: what went wrong, and what to do about it."""

from __future__ import annotations

from sluicegate.errors import SluicegateError


class VetError(SluicegateError):
    """A scan could not be done."""

    code = "vet-error"


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

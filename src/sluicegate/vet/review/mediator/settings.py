"""How much a reviewing model is shown at once."""

from __future__ import annotations

from sluicegate.tuples import NamedTuple
from sluicegate.vet.errors import ConfigError

LEAST_TOKENS = 2_000
"""Of a package: below it, its own words leave no room for a finding."""
LEAST_FOR_SKILL = 6_000
"""Of the package for the whole skill: below it, the lists of files and findings leave no room for text."""


class MediatorSettings(NamedTuple):
    """Budgets are in estimated tokens (``tokens.estimate``) of one package, its instructions not counted."""

    finding_tokens: int = 8_000
    skill_tokens: int = 32_000
    detector_tokens: int = 16_000
    most_packages: int = 32
    """Of one role. What would be in more is left out, named and counted."""
    context_lines: int = 6
    """Lines before and after a finding."""
    line_length: int = 240
    """Characters of a line; a longer one is cut where it is shown in parts, and wrapped where all is shown."""


def check(settings: MediatorSettings) -> None:
    """Refuse settings with which nothing could be shown. Raises ConfigError."""
    least = {
        "finding_tokens": LEAST_TOKENS,
        "skill_tokens": LEAST_FOR_SKILL,
        "detector_tokens": LEAST_TOKENS,
        "most_packages": 1,
        "context_lines": 0,
        "line_length": 40,
    }
    for name, value in settings._asdict().items():
        if type(value) is not int or value < least[name]:
            raise ConfigError(f"{name} is a whole number from {least[name]} on, not {value!r}")

"""An analyzer that is imported when the first view of one of its languages is met.

Most skills are prose with a little shell; what reads the other languages would cost their scan more than
reading them does.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import cast

from sluicegate.vet.inspect.rule import Analyzer, Inspected, Rule, Subject
from sluicegate.vet.intake.bundle import Kind


class Deferred:
    """Lazy proxy for the analyzer ``name`` of ``module``: lists its rules without importing it."""

    def __init__(self, module: str, name: str, rules: Mapping[str, Rule], languages: frozenset[Kind]) -> None:
        self.rules = rules
        self.name = name
        self._module = module
        self._languages = languages
        self._made: Analyzer | None = None

    def inspect(self, subject: Subject) -> Inspected:
        """What the analyzer finds; nothing when no view is of its languages."""
        if not any(view.language in self._languages for view in subject.views):
            return Inspected()
        if self._made is None:
            self._made = cast("Analyzer", getattr(import_module(self._module), self.name)())
        return self._made.inspect(subject)

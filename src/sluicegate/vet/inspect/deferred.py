"""An analyzer that is imported when the first view of one of its languages is met.

Most skills are prose with a little shell; what reads the other languages would cost their scan more than
reading them does.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from importlib import import_module
from typing import cast

from sluicegate.vet.inspect.rule import Analyzer, Inspected, Rule, Subject, by_id
from sluicegate.vet.intake.bundle import Kind


class Deferred:
    """Lazy proxy for the analyzer ``name`` of ``module``: lists its rules, which stand in ``rules_of``, without importing it."""

    def __init__(self, module: str, name: str, rules_of: str, languages: frozenset[Kind]) -> None:
        self.name = name
        self._module = module
        self._rules_of = rules_of
        self._languages = languages
        self._made: Analyzer | None = None

    @cached_property
    def rules(self) -> Mapping[str, Rule]:
        """Its rules by id."""
        return by_id(import_module(self._rules_of).RULES)

    def inspect(self, subject: Subject) -> Inspected:
        """What the analyzer finds; nothing when no view is of its languages."""
        if not any(view.language in self._languages for view in subject.views):
            return Inspected()
        if self._made is None:
            self._made = cast("Analyzer", getattr(import_module(self._module), self.name)())
        return self._made.inspect(subject)

"""Functions of this room that are imported when they are first needed, by the names that ``intake.formats`` gives them."""

from __future__ import annotations

from functools import cache
from importlib import import_module


@cache
def late(name: str) -> object:
    """What ``module:name`` below this package names; the module is imported now."""
    module, _, function = name.partition(":")
    found: object = getattr(import_module(f"sluicegate.vet.intake.views.{module}"), function)
    return found

"""Environments that were derived, as values: what each link of the chain says. What they grant is worked out elsewhere (``values``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sluicegate.script.evaluate.callables import SpecialValue
from sluicegate.tuples import NamedTuple


class EnvironmentLink(NamedTuple):
    """What an environment, or a child of one, says. ``name`` is the variable that holds a child."""

    said: Mapping[str, Any]
    name: str = ""


class EnvironmentValue(SpecialValue):
    """An environment that was derived: its links, from the first one on."""

    __slots__ = ("links",)

    def __init__(self, links: tuple[EnvironmentLink, ...]) -> None:
        self.links = links

    @property
    def said(self) -> dict[str, Any]:
        """All that it says, the last word first."""
        return {key: value for link in self.links for key, value in link.said.items()}

    def __str__(self) -> str:
        return f"<environment {'.'.join(link.name for link in self.links if link.name)}>"

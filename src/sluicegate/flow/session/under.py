"""The settings that are in force where a session begins, and whether they hold where it is used.

A small module of its own: whoever opens a project needs it, and not all that sessions need.
"""

from __future__ import annotations

from sluicegate.tuples import NamedTuple


class Under(NamedTuple):
    """The settings in force, by directories. ``gives``: the one that gives something without the user having trusted it; empty
    if none does. ``stays``: those that hold wherever a session goes which begins here."""

    settings: tuple[str, ...] = ()
    gives: str = ""
    stays: tuple[str, ...] = ()

    @property
    def told(self) -> tuple[str, ...]:
        """As a session keeps it: ``gives``, then the others."""
        return (self.gives, *(each for each in self.stays if each != self.gives))

    def suits(self, began: tuple[str, ...]) -> bool:
        """Whether what a session began under is in force, and nothing else gives it anything."""
        return self.gives in ("", *began[:1]) and all(each in self.settings for each in began if each)

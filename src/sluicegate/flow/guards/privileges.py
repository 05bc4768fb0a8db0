"""Who may bless, remove and clear labels: what configuration says.

A guard is privileged because configuration names the file it was read from, the module it was imported as,
or itself. What the guard says of itself counts for nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, final

from msgspec import Struct

from sluicegate.flow.guards.model import Guard, Origin, Tier
from sluicegate.flow.labels import Privilege
from sluicegate.flow.labels.trust import grant


class Grant(Struct, frozen=True):
    """What one source of configuration grants; ``source`` says which, for the ledger.

    ``paths`` are patterns of absolute file paths, links resolved: ``*`` and ``?`` stay within one part, ``**``
    is any number of parts. ``modules`` are names of modules, each with the modules inside of it. ``names``
    are guards: ``name`` for one of the program's or project's own, ``module:name`` for an imported one (a bare
    name grants nothing to an import, which could choose it).
    """

    source: str
    paths: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    def covers(self, name: str, origin: Origin, tier: Tier) -> bool:
        """Whether the guard of that name, from there, is granted the privilege."""
        named = name if tier is Tier.LOCAL else origin.module and f"{origin.module}:{name}"
        return (
            named in self.names
            or any(_within(module, origin.module) for module in self.modules)
            or any(bool(origin.path) and _pattern(path).fullmatch(origin.path) for path in self.paths)
        )


@final
class Privileges:
    """All that configuration grants.

    A guard is privileged if every grant covers it: layers of policy are never merged, each must permit. A
    layer that says nothing of privilege makes no grant and is not asked; without any grant, no guard is
    privileged. Only the code that reads configuration makes one that is not empty (see
    ``sluicegate.flow.labels.Privilege`` for how far Python can hold to that).
    """

    __slots__ = ("grants",)

    def __init__(self, *grants: Grant) -> None:
        self.grants = grants

    def of(self, guard: Guard, origin: Origin, tier: Tier) -> Privilege | None:
        """The privilege of a guard, or None. One that is generated from policy has it."""
        if tier is Tier.GENERATED:
            return grant(holder=guard.name, source="policy")
        if not self.grants or not all(each.covers(guard.name, origin, tier) for each in self.grants):
            return None
        return grant(holder=guard.name, source=", ".join(each.source for each in self.grants))


NO_PRIVILEGES: Final = Privileges()


def _within(module: str, name: str) -> bool:
    return bool(module) and (name == module or name.startswith((f"{module}.", f"{module}/")))


@lru_cache(maxsize=256)
def _pattern(text: str) -> re.Pattern[str]:
    """A path pattern as a regular expression; all of it is literal but ``*``, ``**`` and ``?``."""
    pieces = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", text)
    return re.compile("".join(pieces.get(part, re.escape(part)) for part in parts), re.DOTALL)

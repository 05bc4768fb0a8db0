"""Guards, their rules, and bundles of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import IntEnum
from typing import Final

from msgspec import Struct

from sluicegate.flow.errors import GuardError
from sluicegate.flow.guards.actions import Action
from sluicegate.flow.guards.context import GuardContext, Timing
from sluicegate.flow.guards.filters import Filter
from sluicegate.flow.labels import Privilege
from sluicegate.flow.values import Labeled
from sluicegate.patterns import late

Condition = Callable[[GuardContext], bool | Labeled[bool]]
Answer = Callable[[GuardContext], Action]

RESERVED: Final = "__"
"""Names of guards that are generated from policy start so, and no others."""

_NAME: Final = late(r"[A-Za-z_][A-Za-z0-9_.-]{0,127}", re.ASCII)


class GuardRule(Struct, frozen=True, kw_only=True):
    """If ``when`` holds (None: always), then ``then``: an action, or a function that gives one.

    Both are functions of the context and nothing else; an effect in them goes through the monitor.
    """

    when: Condition | None = None
    then: Action | Answer


class Guard(Struct, frozen=True, kw_only=True):
    """A name, a time, a filter, and rules of which the first that holds decides; if none does: allow.

    ``privileged`` is what its author wishes for; it grants nothing. Privilege is given by configuration, to
    a path, a module or a name (``Privileges``).

    Raises ``GuardError`` if the name is not one.
    """

    name: str
    timing: Timing
    filter: Filter
    rules: tuple[GuardRule, ...]
    privileged: bool = False

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise GuardError(
                "a guard's name is made of letters, digits, _ . and -, and does not start with a digit",
                hint="name it after what it does, as in maskTokens or no-force-push",
            )


class GuardBundle(Struct, frozen=True):
    """Guards to be imported together.

    A Python module that offers guards has a ``GuardBundle`` among its names; ``GuardRegistry.load`` imports it.
    """

    name: str
    guards: tuple[Guard, ...]


class Tier(IntEnum):
    """Where a guard comes from, in the order in which guards are asked (part 8.2)."""

    GENERATED = 0
    IMPORTED_PRIVILEGED = 1
    IMPORTED = 2
    LOCAL = 3


class Origin(Struct, frozen=True):
    """Where a guard was read from, as whoever read it knows: not what the guard says of itself.

    ``path`` is the file, absolute and with links resolved; ``module`` is the name it was imported under.
    """

    path: str = ""
    module: str = ""

    def __str__(self) -> str:
        return self.module or self.path or "this program"


class Registered(Struct, frozen=True):
    """A guard in force: its tier, its number among all, and the privilege that configuration gives it."""

    guard: Guard
    tier: Tier
    number: int
    origin: Origin
    privilege: Privilege | None

    @property
    def lasting(self) -> bool:
        """Whether no bypass drops it: generated from policy, or privileged."""
        return self.tier is Tier.GENERATED or self.privilege is not None

    @property
    def order(self) -> tuple[bool, int, int]:
        """ALWAYS guards come last, then the tiers in their order, then the order of registration."""
        return self.guard.timing is Timing.ALWAYS, self.tier, self.number

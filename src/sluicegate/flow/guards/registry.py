"""The guards in force: their names, their order, and which are asked about an operation."""

from __future__ import annotations

import importlib
import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.errors import GuardError
from sluicegate.flow.guards.cases import Case
from sluicegate.flow.guards.context import OperationView, Timing
from sluicegate.flow.guards.filters import keys_of
from sluicegate.flow.guards.model import RESERVED, Guard, GuardBundle, Origin, Registered, Tier
from sluicegate.flow.guards.privileges import NO_PRIVILEGES, Privileges
from sluicegate.flow.labels import Labels
from sluicegate.flow.labels.names import covers, shown
from sluicegate.flow.policy.rules.tool_names import NamedTool
from sluicegate.tuples import NamedTuple


class BypassAll(Case):
    """Without any guards (``guards: false``)."""

    __slots__ = ()


class BypassOnly(Struct, frozen=True):
    """With these guards only (``guards: {only: [...]}``)."""

    names: tuple[str, ...]


class BypassExcept(Struct, frozen=True):
    """Without these guards (``guards: {except: [...]}``)."""

    names: tuple[str, ...]


Bypass = BypassAll | BypassOnly | BypassExcept


class BypassRefused(Struct, frozen=True):
    """Guards may not be bypassed here."""

    denial: Denial


class SelectedGuards(NamedTuple):
    """The guards to be asked about one operation at one time, in their order.

    ``bypass`` is what was granted to drop; it holds for guards that come to match later as well.
    """

    guards: tuple[Registered, ...]
    timing: Timing
    registry: GuardRegistry | None = None
    bypass: Bypass | None = None

    def also(self, operation: OperationView, taints: Sequence[Labels]) -> tuple[Registered, ...]:
        """Further guards that match now that the data or the operation has more labels."""
        if self.registry is None:
            return ()
        asked = {each.number for each in self.guards}
        now = self.registry.select(operation, taints, self.timing).guards
        return tuple(each for each in now if each.number not in asked and not _dropped(each, self.bypass))


_TIMES: Final = {
    Timing.BEFORE: (Timing.BEFORE, Timing.ALWAYS),
    Timing.AFTER: (Timing.AFTER, Timing.ALWAYS),
    Timing.ALWAYS: (Timing.ALWAYS,),
}


class GuardRegistry:
    """The guards in force. Names are unique; those that start with ``__`` are for generated guards alone.

    ``allow_bypass`` is what the project's configuration says; ``strict`` (``SLUICEGATE_STRICT``) refuses every
    bypass whatever it says. Registering is safe among threads; guards are never taken away.
    """

    def __init__(
        self, *, privileges: Privileges = NO_PRIVILEGES, allow_bypass: bool = False, strict: bool = False
    ) -> None:
        self._privileges = privileges
        self._bypass_allowed = allow_bypass and not strict
        self._lock = threading.Lock()
        self._guards: dict[str, Registered] = {}
        self._tools: tuple[NamedTool, ...] = ()
        self._index: dict[Timing, dict[str, tuple[Registered, ...]]] = {timing: {} for timing in Timing}

    # Registering.

    def add(self, guard: Guard, *, path: str = "") -> Registered:
        """Register a guard of the program or the project, read from the file ``path``. Raises ``GuardError``."""
        origin = Origin(path=os.path.realpath(path) if path else "")
        return self._register((guard,), origin, Tier.LOCAL)[0]

    def add_bundle(self, bundle: GuardBundle, origin: Origin) -> tuple[Registered, ...]:
        """Register imported guards, all or none. Raises ``GuardError``."""
        return self._register(bundle.guards, origin, Tier.IMPORTED)

    def add_generated(self, guard: Guard) -> Registered:
        """Register a guard that was generated from policy; for the code that reads policies."""
        return self._register((guard,), Origin(module="policy"), Tier.GENERATED)[0]

    def load(self, module: str) -> tuple[Registered, ...]:
        """Import a Python module, which runs it, and register the bundles among its names.

        Raises ``GuardError`` if it cannot be imported, has no bundle, or a name in it is taken.
        """
        try:
            imported = importlib.import_module(module)
        except ImportError as error:
            raise GuardError(
                f"no guards could be imported from {module!r}: {type(error).__name__}",
                hint="name an installed Python module that has a GuardBundle",
            ) from error
        bundles = [value for value in vars(imported).values() if isinstance(value, GuardBundle)]
        if not bundles:
            raise GuardError(
                f"{module} has no GuardBundle", hint="BUNDLE = GuardBundle(name=..., guards=(...))"
            )
        origin = Origin(path=os.path.realpath(imported.__file__ or ""), module=imported.__name__)
        guards = tuple(guard for bundle in bundles for guard in bundle.guards)
        return self._register(guards, origin, Tier.IMPORTED)

    def _register(self, guards: Sequence[Guard], origin: Origin, tier: Tier) -> tuple[Registered, ...]:
        with self._lock:
            known = tuple(self._guards.get(guard.name) for guard in guards)
            if all(
                each is not None and each.guard is guard for each, guard in zip(known, guards, strict=True)
            ):
                return tuple(each for each in known if each is not None)  # imported once more
            taken = set(self._guards)
            for guard in guards:
                _check_name(guard.name, tier, taken)
                taken.add(guard.name)
            added = tuple(self._placed(guard, origin, tier, place) for place, guard in enumerate(guards))
            self._guards.update({each.guard.name: each for each in added})
            self._reindex(added)
        return added

    def _placed(self, guard: Guard, origin: Origin, tier: Tier, place: int) -> Registered:
        privilege = self._privileges.of(guard, origin, tier)
        if tier is Tier.IMPORTED and privilege is not None:
            tier = Tier.IMPORTED_PRIVILEGED
        number = len(self._guards) + place
        return Registered(guard=guard, tier=tier, number=number, origin=origin, privilege=privilege)

    def _reindex(self, added: Iterable[Registered]) -> None:
        """Put guards in the index; readers see the index before or after, never in between."""
        for timing, times in _TIMES.items():
            index = dict(self._index[timing])
            for each in added:
                if each.guard.timing in times:
                    for key in each.guard.filter.index_keys():
                        index[key] = (*index.get(key, ()), each)
            self._index[timing] = index
        self._tools += tuple(tool for each in added for tool in each.guard.filter.tools())

    # Asking.

    @property
    def empty(self) -> bool:
        """Whether there is no guard at all."""
        return not self._guards

    @property
    def tools(self) -> tuple[NamedTool, ...]:
        """The tools that filters name."""
        return self._tools

    def __iter__(self) -> Iterator[Registered]:
        """All guards, in the order in which they would be asked."""
        return iter(sorted(self._guards.values(), key=lambda each: each.order))

    def select(self, operation: OperationView, taints: Sequence[Labels], timing: Timing) -> SelectedGuards:
        """The guards to be asked, in their order (part 8.2).

        ``taints`` are those of the inputs or of the output, each with what policy makes of it. BEFORE and AFTER
        include ALWAYS guards; ALWAYS alone is for an operation that policy has denied.
        """
        index = self._index[timing]
        if not index:
            return SelectedGuards(guards=(), timing=timing)
        found = {each.number: each for key in keys_of(operation, taints) for each in index.get(key, ())}
        guards = tuple(sorted(found.values(), key=lambda each: each.order))
        return SelectedGuards(guards=guards, timing=timing, registry=self)

    def watched(self, kinds: Sequence[str]) -> tuple[str, ...]:
        """The operations of these kinds, or under them, that filters of guards are about: ``op:cmd:git``."""
        words = (word for each in self._guards.values() for word in each.guard.filter.words)
        return tuple(dict.fromkeys(word for word in words if any(covers(kind, word) for kind in kinds)))

    def bypass(
        self, selected: SelectedGuards, wish: Bypass, operation: OperationView
    ) -> SelectedGuards | BypassRefused:
        """Drop guards as wished, where configuration allows it (part 4.7).

        Generated and privileged guards stay, whatever is wished. Raises ``GuardError`` for an unknown name.
        """
        for name in () if isinstance(wish, BypassAll) else wish.names:
            if name not in self._guards:
                raise GuardError(
                    f"there is no guard named {shown(name)} to bypass", hint="check its spelling"
                )
        if not self._bypass_allowed:
            return BypassRefused(denial=_bypass_denial(operation))
        kept = tuple(each for each in selected.guards if not _dropped(each, wish))
        return selected._replace(guards=kept, registry=self, bypass=wish)


def _dropped(registered: Registered, wish: Bypass | None) -> bool:
    """Whether a granted bypass drops this guard."""
    if registered.lasting:
        return False
    match wish:
        case None:
            return False
        case BypassAll():
            return True
        case BypassOnly(names=names):
            return registered.guard.name not in names
        case BypassExcept(names=names):
            return registered.guard.name in names


def _check_name(name: str, tier: Tier, taken: set[str]) -> None:
    """Raise ``GuardError`` if a guard of that tier cannot have the name."""
    if name.startswith(RESERVED) and tier is not Tier.GENERATED:
        raise GuardError(
            f"the guard name {name} is reserved: names that start with {RESERVED} are those of generated guards",
            hint="choose a name that starts with a letter",
        )
    if tier is Tier.GENERATED and not name.startswith(RESERVED):
        raise GuardError(f"a generated guard is named {RESERVED}..., not {name}")
    if name in taken:
        raise GuardError(
            f"there is a guard named {name} already", hint="guards have different names; rename one"
        )


def _bypass_denial(operation: OperationView) -> Denial:
    return Denial(
        code=Code.GUARD_BYPASS_BLOCKED,
        operation=operation.shown,
        blocked_by="Guard bypass",
        rule="guards may not be bypassed",
        reason="Guards are not bypassed unless the project's configuration allows it, and never in strict mode",
        operation_labels=operation.labels,
        suggestions=(
            "Run the operation with its guards",
            "If the project means to allow it: allow_guard_bypass = true in sluicegate.toml",
        ),
    )

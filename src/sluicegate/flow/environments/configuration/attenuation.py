"""A derived environment can only be narrower.

Procedure, for a parent P and the child C that is asked for:

1. Each field of the configuration has its own comparison in ``COMPARISONS``; none is exempt.
2. C is granted when every comparison finds C's field no wider than P's.
3. Otherwise the first field that is wider, in the order of the fields, gives the denial.

"No wider" is a partial order for each field: reflexive, transitive, and so for the whole. ``narrow`` brings a
configuration under bounds that policy sets: the largest one that is no wider than both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.environments.configuration.config import (
    AllowedHosts,
    CommandLimits,
    EnvironmentConfig,
    HostNetwork,
    Net,
    NoNetwork,
    Roots,
    is_plain,
    source_label,
)
from sluicegate.flow.environments.confinement.roots import at, mounts


def attenuate(parent: EnvironmentConfig, child: EnvironmentConfig) -> EnvironmentConfig | Denial:
    """``child``, or why it may not be derived from ``parent``."""
    for name in EnvironmentConfig.__struct_fields__:  # 1
        comparison = COMPARISONS[name]
        if not comparison.holds(parent, child):  # 3
            return Denial(
                code=Code.ENV_ATTENUATION_DENIED,
                operation=f"env {source_label(parent)}",
                blocked_by="Environment",
                rule=f"{comparison.key}: {comparison.rule}",
                reason=f"the derived environment would be wider than its parent in '{comparison.key}'",
                suggestions=(
                    f"Leave '{comparison.key}' out, and the child has its parent's",
                    "Grant it to the parent, in configuration",
                ),
            )
    return child  # 2


def no_wider_limit(parent: int | None, child: int | None) -> bool:
    """Whether a limit is held at least as tightly; None is unlimited."""
    return parent is None or (child is not None and child <= parent)


def no_wider_net(parent: Net, child: Net) -> bool:
    """none < allow (fewer hosts < more hosts) < host."""
    match parent, child:
        case (HostNetwork(), _) | (_, NoNetwork()):
            return True
        case AllowedHosts(wide), AllowedHosts(close):
            return all(any(_covers(pattern, host) for pattern in wide) for host in close)
        case _:
            return False


def _covers(pattern: str, host: str) -> bool:
    """Whether every host that ``host`` stands for is one that ``pattern`` stands for."""
    if pattern == host:
        return True
    return pattern.startswith("*.") and host.removeprefix("*").endswith(pattern[1:]) and host != pattern[2:]


def no_wider_set(parent: frozenset[str] | None, child: frozenset[str] | None) -> bool:
    """Subset; None is everything."""
    return parent is None or (child is not None and child <= parent)


def no_wider_roots(parent: Roots | None, child: Roots | None) -> bool:
    """At every path inside, the child shows the same folder as the parent and grants no more there.

    What is granted at a path is said by the innermost root that contains it, and so changes only where a root
    begins: looking at those places decides for all paths. None is everything.
    """
    if parent is None:
        return True
    if child is None:
        return False
    before, after = mounts(parent), mounts(child)
    for path in {**before, **after}:
        given = at(after, path)
        if given is None:
            continue
        had = at(before, path)
        if had is None or had.host != given.host or (given.write and not had.write):
            return False
    return True


def no_wider_cwd(parent: EnvironmentConfig, child: EnvironmentConfig) -> bool:
    """A starting folder is not a grant; still it is the parent's, or one that the child's roots show."""
    if child.cwd in (parent.cwd, "/tmp") or child.roots is None:
        return True
    return is_plain(child.cwd) and at(mounts(child.roots), child.cwd) is not None


class FieldComparison(Struct, frozen=True):
    """How one field is compared: the key that people write, the rule in words, and the rule."""

    key: str
    rule: str
    holds: Callable[[EnvironmentConfig, EnvironmentConfig], bool]


_LIMITS = CommandLimits.__struct_fields__

COMPARISONS: Final[Mapping[str, FieldComparison]] = {
    "provider": FieldComparison(
        "provider", "a child runs where its parent runs", lambda p, c: p.provider == c.provider
    ),
    "names": FieldComparison(
        "name",
        "a child's chain of names is its parent's, or that and its own",
        lambda p, c: c.names[: len(p.names)] == p.names and len(c.names) <= len(p.names) + 1,
    ),
    "roots": FieldComparison(
        "fs",
        "roots lie in the parent's roots, at the same place, and are written only where it may write",
        lambda p, c: no_wider_roots(p.roots, c.roots),
    ),
    "net": FieldComparison(
        "net", "none < allow (fewer hosts) < host", lambda p, c: no_wider_net(p.net, c.net)
    ),
    "limits": FieldComparison(
        "limits",
        "no limit is higher than the parent's",
        lambda p, c: all(no_wider_limit(getattr(p.limits, n), getattr(c.limits, n)) for n in _LIMITS),
    ),
    "auth": FieldComparison("auth", "a subset of the parent's", lambda p, c: no_wider_set(p.auth, c.auth)),
    "tools": FieldComparison(
        "tools", "a subset of the parent's", lambda p, c: no_wider_set(p.tools, c.tools)
    ),
    "mcps": FieldComparison("mcps", "a subset of the parent's", lambda p, c: no_wider_set(p.mcps, c.mcps)),
    "vars": FieldComparison("vars", "a subset of the parent's", lambda p, c: c.vars <= p.vars),
    "cwd": FieldComparison("cwd", "the parent's, or a folder that the roots show", no_wider_cwd),
    "labels": FieldComparison(
        "taint",
        "labels are added, never taken away, and never 'trusted'",
        lambda p, c: p.labels <= c.labels and "trusted" not in c.labels - p.labels,
    ),
    "image": FieldComparison("image", "the parent's image", lambda p, c: p.image == c.image),
    "snapshot": FieldComparison("from", "the parent's snapshot", lambda p, c: p.snapshot == c.snapshot),
    "snapshots": FieldComparison(
        "snapshots", "taken only where the parent may", lambda p, c: p.snapshots or not c.snapshots
    ),
}


def least(first: int | None, second: int | None) -> int | None:
    """The tighter of two limits; None is unlimited."""
    if first is None or second is None:
        return second if first is None else first
    return min(first, second)


def narrow(config: EnvironmentConfig, limits: CommandLimits, net: Net | None = None) -> EnvironmentConfig:
    """``config`` under the bounds of a policy (part 8.1): the least of each limit, the narrower network.

    Two lists of hosts give the hosts that both allow.
    """
    bounds: dict[str, Any] = {
        name: least(getattr(config.limits, name), getattr(limits, name)) for name in _LIMITS
    }
    narrowed = replace(config, limits=CommandLimits(**bounds))
    return narrowed if net is None else replace(narrowed, net=narrower_net(config.net, net))


def narrower_net(first: Net, second: Net) -> Net:
    """The widest network that is no wider than either."""
    if no_wider_net(first, second):
        return second
    if no_wider_net(second, first):
        return first
    match first, second:
        case AllowedHosts(some), AllowedHosts(others):
            both = {h for h in some if any(_covers(p, h) for p in others)}
            both |= {h for h in others if any(_covers(p, h) for p in some)}
            return AllowedHosts(frozenset(both))
        case _:
            return NoNetwork()

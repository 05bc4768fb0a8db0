"""An environment of its own can only be opened inside of the one in force, and gives nothing that this one does not give.

It has roots at places of its own, perhaps another provider, and its own chain of names; so it is not compared as a child is
(``attenuation``), which stands where its parent stands. What it reaches is compared:

1. Where the one in force confines, so does the new one: it is not local, and every place of this machine that it shows is shown
   by the one in force, writable only where that lets write.
2. Network, credentials, tools, servers and variables are as those of a child: no wider; names that it leaves out are those of
   the one in force.
3. Limits are the smaller of both, and labels those of both. ``trusted`` is none that an environment gives.
4. What the provider holds for itself (image, snapshot, names, the folder to start in) is compared with nothing: it is none of
   this machine's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.environments.configuration.attenuation import (
    COMPARISONS,
    narrow,
    no_wider_net,
    no_wider_set,
)
from sluicegate.flow.environments.configuration.config import (
    LOCAL,
    EnvironmentConfig,
    Root,
    Roots,
    source_label,
)
from sluicegate.flow.environments.confinement.roots import Mount, at, contains, mounts, place

_NAMES: Final = ("auth", "tools", "mcps")


def enclosed(outer: EnvironmentConfig, config: EnvironmentConfig) -> EnvironmentConfig | Denial:
    """``config`` as it is opened inside of ``outer``, or why it may not be."""
    if outer.roots is not None:  # 1
        if config.provider == LOCAL and outer.provider != LOCAL:
            return _wider(outer, "provider", "what is confined opens nothing on this machine as it is")
        if not shows_no_more(outer.roots, config.roots):
            return _wider(outer, "fs", "roots are of what the one in force shows, written only where it may")
    if not no_wider_net(outer.net, config.net):  # 2
        return _wider(outer, "net", COMPARISONS["net"].rule)
    config = replace(
        config, **{name: getattr(outer, name) for name in _NAMES if getattr(config, name) is None}
    )
    for name in _NAMES:
        if not no_wider_set(getattr(outer, name), getattr(config, name)):
            return _wider(outer, name, "a subset of what the one in force has")
    if outer.provider != LOCAL and not config.vars <= outer.vars:
        return _wider(outer, "vars", "a subset of what the one in force has")
    if "trusted" in config.labels - outer.labels:  # 3
        return _wider(outer, "taint", COMPARISONS["labels"].rule)
    return replace(narrow(config, outer.limits), labels=config.labels | outer.labels)


def shows_no_more(outer: Roots, inner: Roots | None) -> bool:
    """Whether ``inner`` shows no place of this machine that ``outer`` does not show, wherever inside, nor writes it where that may
    not. None is everything.

    What an environment shows changes only where a root begins, in one or the other. So the beginnings are looked at, and the
    places of this machine that a root of ``outer`` stands in front of.
    """
    if inner is None:
        return False
    had, shown = mounts(outer), mounts(inner)
    places = {mount.host for mount in (*had.values(), *shown.values())} | set(_covered(had))
    return all(
        _gives(had, given)
        for host in places
        for inside in _stands_at(shown, host)
        if (given := at(shown, inside)) is not None and given.host == host
    )


def _covered(view: Mapping[str, Mount]) -> Iterator[str]:
    """Places of this machine that roots stand in front of."""
    for inside in view:
        behind = at({other: mount for other, mount in view.items() if other != inside}, inside)
        if behind is not None:
            yield behind.host


def _stands_at(view: Mapping[str, Mount], host: str) -> Iterator[str]:
    """Where inside a place of this machine would be, by each root that contains it."""
    for inside, mount in view.items():
        if contains(mount.host, host):
            yield place(Root(host=mount.host, inside=inside), host)


def _gives(view: dict[str, Mount], wanted: Mount) -> bool:
    """Whether a place of this machine is shown somewhere inside, and may be written there if that is wanted."""
    found = (at(view, inside) for inside in _stands_at(view, wanted.host))
    return any(
        each is not None and each.host == wanted.host and (each.write or not wanted.write) for each in found
    )


def _wider(outer: EnvironmentConfig, key: str, rule: str) -> Denial:
    return Denial(
        code=Code.ENV_ATTENUATION_DENIED,
        operation=f"env {source_label(outer)}",
        blocked_by="Environment",
        rule=f"{key}: {rule}",
        reason=f"the environment would reach more than the one that it is opened in, by '{key}'",
        suggestions=(
            f"Leave '{key}' out, or ask for no more of it than the one in force has",
            "Grant it to the environment in force, in configuration",
        ),
    )

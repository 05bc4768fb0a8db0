"""Environments in differential tests: a parent and what is asked to be derived from it, on both sides.

The model compares roots at every path of a small tree, production only where roots begin.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from drt.flow.cases import Tree
from model.grants import enclosed as enclosed_in_model
from model.grants import no_wider
from sluicegate.flow.denial import Denial
from sluicegate.flow.environments.configuration.attenuation import attenuate
from sluicegate.flow.environments.configuration.config import (
    BUBBLEWRAP,
    CONTAINER,
    LOCAL,
    AllowedHosts,
    CommandLimits,
    EnvironmentConfig,
    HostNetwork,
    NoNetwork,
    Root,
    Roots,
)
from sluicegate.flow.environments.configuration.enclosing import enclosed

INSIDE = ("/", "/app", "/app/src", "/app/src/x", "/data", "/tmp")
HOSTS = (
    "example.org",
    "*.example.org",
    "a.example.org",
    "*.a.example.org",
    "*.org",
    "example.com",
    "*.ample.org",
)
PLACES = ("/", "/srv", "/srv/src", "/srv/src/x", "/data")
PATHS = tuple(
    sorted({path + more for path in ("", *INSIDE[1:]) for more in ("/", "/src", "/src/x", "/src/x/y", "/z")})
)
DEEPER = tuple(
    sorted(
        {
            f"{path.rstrip('/')}{more}" or "/"
            for path in (*INSIDE, *PLACES)
            for host in ("", *PLACES[1:])
            for more in (host, *(f"{host}/{below}" for below in ("src", "src/x", "src/x/y", "x", "x/y", "z")))
        }
    )
)
"""Paths inside at which every place of the small tree can stand."""
LIMITS = ("mem", "cpu", "time", "processes", "file", "output")
SETS = ("auth", "tools", "mcps")
PLAIN = ("provider", "cwd", "image", "snapshot", "snapshots")


class EnvironmentCase(NamedTuple):
    """Two environments as plain trees."""

    parent: Tree
    child: Tree


def generate(number: int) -> EnvironmentCase:
    """Case ``number``: two of any kind, or a second that differs from the first in little."""
    rng = random.Random(f"environments {number}")
    parent = _environment(rng)
    if rng.random() < 0.3:
        return EnvironmentCase(parent, _environment(rng))
    child = {**parent, "names": [*parent["names"], *rng.choice(([], ["child"]))]}
    for key in rng.sample(sorted(child), rng.choice((0, 1, 1, 2))):
        child[key] = _environment(rng)[key]
    child["cwd"] = rng.choice((child["cwd"], parent["cwd"], "/app/src"))
    return EnvironmentCase(parent, child)


def generate_roots(number: int) -> EnvironmentCase:
    """Case ``number``: two that differ in their roots alone, which stand in front of each other."""
    rng = random.Random(f"roots {number}")
    plain = _environment(rng) | {"provider": BUBBLEWRAP, "net": "none", "labels": [], "vars": []}
    plain |= dict.fromkeys(SETS)
    places, inside = ("/srv", "/srv/src", "/srv/src/x", "/data"), ("/srv", "/srv/src", "/app", "/app/src")

    def roots() -> list[list[list[str]]]:
        some = [[rng.choice(places), where] for where in rng.sample(inside, rng.randrange(1, 4))]
        cut = rng.randrange(len(some) + 1)
        return [some[:cut], some[cut:]]

    return EnvironmentCase({**plain, "roots": roots()}, {**plain, "roots": roots()})


def _environment(rng: random.Random) -> Tree:
    tree: dict[str, Tree] = {key: _subset(rng, ("a", "b", "c")) for key in SETS}
    tree |= {key: rng.choice((None, 1, 2, 3)) for key in LIMITS}
    tree["output"] = rng.choice((1, 2, 3))
    tree["vars"] = _subset(rng, ("A", "B")) or []
    tree["labels"] = sorted(rng.sample(("pii", "secret", "trusted"), rng.randrange(3)))
    tree["net"] = rng.choice(("none", "host", rng.sample(HOSTS, rng.randrange(3)), rng.sample(HOSTS, 2)))
    roots: list[list[list[str]]] = [[], []]
    for which in (0, 1):
        for inside in rng.sample(INSIDE, rng.choice((0, 1, 1, 2))):
            roots[which].append(
                [inside.replace("/app", "/srv") if rng.random() < 0.7 else rng.choice(PLACES), inside]
            )
    tree["roots"] = None if rng.random() < 0.1 else roots
    tree["provider"] = rng.choice((LOCAL, BUBBLEWRAP, BUBBLEWRAP, CONTAINER))
    tree["names"] = rng.choice(([], ["a"], ["a"], ["a", "b"], ["b"], ["a", "b", "c"]))
    tree["cwd"] = rng.choice((*INSIDE, "/", "/tmp", "/nowhere", "app", "/app/../etc"))
    tree["image"], tree["snapshot"] = rng.choice(("", "", "debian:12")), rng.choice(("", "", "s1"))
    tree["snapshots"] = rng.random() < 0.5
    return tree


def _subset(rng: random.Random, of: tuple[str, ...]) -> list[str] | None:
    return None if rng.random() < 0.2 else sorted(rng.sample(of, rng.randrange(len(of) + 1)))


def production(case: EnvironmentCase) -> bool:
    """Whether production grants the child."""
    return not isinstance(attenuate(config(case.parent), config(case.child)), Denial)


def config(tree: Tree) -> EnvironmentConfig:
    """Production's configuration of an environment."""
    sets = {key: None if tree[key] is None else frozenset(tree[key]) for key in SETS}
    nets: dict[str, NoNetwork | HostNetwork] = {"none": NoNetwork(), "host": HostNetwork()}
    net = nets[tree["net"]] if isinstance(tree["net"], str) else AllowedHosts(frozenset(tree["net"]))
    roots = None
    if tree["roots"] is not None:
        read, write = (
            tuple(Root(host=host, inside=inside) for host, inside in each) for each in tree["roots"]
        )
        roots = Roots(read=read, write=write)
    return EnvironmentConfig(
        roots=roots,
        net=net,
        limits=CommandLimits(**{key: tree[key] for key in LIMITS}),
        vars=frozenset(tree["vars"]),
        labels=frozenset(tree["labels"]),
        names=tuple(tree["names"]),
        **{key: tree[key] for key in PLAIN},
        **sets,  # type: ignore[arg-type]  # fields by name
    )


def opened(case: EnvironmentCase) -> EnvironmentConfig | None:
    """What production opens inside of the first, of the second."""
    found = enclosed(config(case.parent), config(case.child))
    return None if isinstance(found, Denial) else found


def opened_in_model(case: EnvironmentCase) -> EnvironmentConfig | None:
    """What the reference model does."""
    found = enclosed_in_model(*_sets(case), DEEPER)
    return None if found is None else config(found)


def modelled(case: EnvironmentCase) -> bool:
    """Whether the reference model grants the child."""
    parent, child = _sets(case)
    return no_wider(parent, child, PATHS)


def _sets(case: EnvironmentCase) -> tuple[Tree, Tree]:
    parent, child = (
        {
            key: frozenset(value) if key in (*SETS, "vars", "labels") and value is not None else value
            for key, value in tree.items()
        }
        for tree in case
    )
    return parent, child

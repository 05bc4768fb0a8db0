"""Opening environments, and what an operation takes place in.

1. An environment is opened inside of the one in force, which it cannot go beyond (``enclosing``; ``attenuation`` for a bare
   configuration that a guard asks for), and under the bounds of policy. Policy says whether its provider may be used.
2. It is made once, before the first statement inside, and let go of whatever happens; one that is kept, by its name, when the
   monitor ends.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sluicegate.flow.denial import Denial, Denied
from sluicegate.flow.environments.configuration.attenuation import attenuate, narrow
from sluicegate.flow.environments.configuration.config import (
    AllowedHosts,
    CommandLimits,
    EnvironmentConfig,
    Net,
    NoNetwork,
)
from sluicegate.flow.environments.configuration.enclosing import enclosed
from sluicegate.flow.environments.errors import EnvironmentConfigError
from sluicegate.flow.errors import FlowError
from sluicegate.flow.labels import EMPTY
from sluicegate.flow.monitor.effects.entered import (
    ChosenEnvironment,
    EnteredEnvironment,
    is_same,
    is_serving,
)
from sluicegate.flow.monitor.steps.settle import OperationFailed
from sluicegate.flow.values import pc

if TYPE_CHECKING:
    from sluicegate.flow.environments.use import Providers
    from sluicegate.flow.monitor.parts import Parts


def admitted(parts: Parts, chosen: ChosenEnvironment) -> ChosenEnvironment:
    """The environment as it may be opened here (1). Raises Denied."""
    provided = _provided(parts, chosen.config)
    if isinstance(provided, Denial):
        raise Denied(provided)
    config = enclosed(parts.environment, provided)
    if isinstance(config, Denial):
        raise Denied(config)
    return replace(chosen, config=bounded(parts, config))


def _provided(parts: Parts, config: EnvironmentConfig) -> EnvironmentConfig | Denial:
    """The environment, if policy permits its provider and what it begins with; with the image of policy where it names none."""
    named = parts.layers.provider(config.provider)
    if isinstance(named, Denial):
        return named
    image = parts.layers.image(config.provider, config.snapshot or config.image)
    if isinstance(image, Denial):
        return image
    return config if config.snapshot or config.image == image else replace(config, image=image)


def bounded(parts: Parts, config: EnvironmentConfig) -> EnvironmentConfig:
    """An environment under the bounds of policy."""
    return narrow(config, _limits(parts), _net(parts))


def _limits(parts: Parts) -> CommandLimits:
    """The bounds of policy as those of an environment."""
    found = parts.layers.limits()
    output = {} if found.output is None else {"output": found.output}
    cpu = None if found.cpu is None else round(found.cpu * 1000)
    return CommandLimits(mem=found.memory, cpu=cpu, time=found.timeout, processes=found.processes, **output)


def _net(parts: Parts) -> Net | None:
    """What policy lets environments reach at most; None where it says nothing."""
    found = parts.layers.net()
    if found.kind == "none":
        return NoNetwork()
    return AllowedHosts(frozenset(found.hosts)) if found.kind == "hosts" else None


def decided(parts: Parts, asked: tuple[object, ...]) -> ChosenEnvironment | Denial:
    """What an operation takes place in: the environment in force, and inside of it, one after another, those that guards have
    asked for. Raises OperationFailed."""
    here = parts.entered.current()
    config = parts.environment
    provided = _provided(parts, config)
    if isinstance(provided, Denial):
        return provided
    config = provided
    chosen = (
        ChosenEnvironment(config=bounded(parts, config), keeps=bool(config.name))
        if here is None
        else replace(here.chosen, config=bounded(parts, config))
    )
    for each in asked:
        found = _inside(parts, chosen, each)
        if isinstance(found, Denial):
            return found
        chosen = found
    config = chosen.config
    permitted = frozenset(name for name in config.vars if parts.layers.variable(name))
    return replace(chosen, config=replace(config, vars=permitted))


def providers_of(parts: Parts, chosen: ChosenEnvironment) -> Providers:
    """The providers among which is that of the environment."""
    if chosen.provider is None:
        return parts.providers()
    from sluicegate.flow.environments.use import Providers

    return Providers(by_name={chosen.config.provider: chosen.provider})


def _inside(parts: Parts, chosen: ChosenEnvironment, asked: object) -> ChosenEnvironment | Denial:
    """The next one, inside of one that was chosen before."""
    if isinstance(asked, EnvironmentConfig):
        child = attenuate(chosen.config, asked)
        return child if isinstance(child, Denial) else replace(chosen, config=child, keeps=bool(child.name))
    if not isinstance(asked, ChosenEnvironment):
        raise OperationFailed("a guard asks for an environment that is none", hint="use read_environment")
    if is_serving(asked.provider):
        return chosen
    provided = _provided(parts, asked.config)
    if isinstance(provided, Denial):
        return provided
    config = enclosed(chosen.config, provided)
    return config if isinstance(config, Denial) else replace(asked, config=bounded(parts, config))


@contextlib.contextmanager
def entered(parts: Parts, chosen: ChosenEnvironment) -> Iterator[EnteredEnvironment]:
    """An environment for what runs inside. Raises Denied, or EnvironmentFailure if it cannot be made."""
    chosen = admitted(parts, chosen)
    scopes, name = parts.entered, ":".join(chosen.config.names)
    known = scopes.kept.get(name) if chosen.keeps else None
    if known is not None and not is_same(known.chosen, chosen):
        raise EnvironmentConfigError(
            "there is an environment of this name already, with another configuration",
            hint="give this one its own name",
        )
    here = known or _made(parts, chosen)
    try:
        with parts.tools.enter(allowed=chosen.config.tools), scopes.standing(here):
            yield here
    except BaseException:
        if known is None:  # what was begun in it is not whole; that error is the one to tell of
            with contextlib.suppress(FlowError):
                here.session.provider.release(here.session)
        raise
    if not chosen.keeps:
        here.session.provider.release(here.session)
    elif known is None:
        scopes.kept[name] = here


def _made(parts: Parts, chosen: ChosenEnvironment) -> EnteredEnvironment:
    """An environment, made (2). A provider knows it by no name: that would be one for all that are called so."""
    config = replace(chosen.config, names=())
    provider = chosen.provider or parts.providers().of_config(config)
    session = provider.create(config)
    scopes, tools = parts.entered, parts.tools.current()
    held = scopes.snapshots.get(config.snapshot, EMPTY) | session.labels | pc()
    return EnteredEnvironment(chosen, session, scopes.current(), partial(parts.tools.standing, tools), held)

"""Where commands run if nobody says: in a bubblewrap sandbox where that works, else on this machine as it is.

The sandbox is tried once, with a program that does nothing, before it is relied on: whether namespaces may be made can be
told in no other way. Only where nobody names a provider is there a choice at all; one that policy names is held to.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sluicegate.flow.environments.configuration.config import (
    BUBBLEWRAP,
    UNCONFINED,
    EnvironmentConfig,
    source_label,
)
from sluicegate.flow.errors import EnvironmentFailure

if TYPE_CHECKING:
    from sluicegate.flow.environments.use import Providers


def sandbox_of(root: Path, *, provider: str = BUBBLEWRAP, network: bool = False) -> EnvironmentConfig:
    """A sandbox with the files of a project to read and write. Raises ``EnvironmentConfigError``."""
    from sluicegate.flow.environments.configuration.reading import read_environment

    net = "host" if network else "none"
    return read_environment({"provider": provider, "fs": {"write": ["."]}, "net": net}, base=root)


def why_not(config: EnvironmentConfig, providers: Providers) -> str:
    """Why commands cannot run in that environment here; empty where they can."""
    from sluicegate.flow.environments.run.command import Command, Stage
    from sluicegate.flow.environments.use import environment, execute

    try:
        with environment(config, providers) as session:
            done = execute(session, Command(stages=(Stage(argv=("true",)),)))
    except EnvironmentFailure as error:
        return error.diagnostics().replace("\n", "; ")
    return "" if done.codes == (0,) else f"a program that does nothing ended with {done.codes}"


def default(
    root: Path, providers: Callable[[], Providers], say: Callable[[str], object], *, network: bool = False
) -> Callable[[], EnvironmentConfig]:
    """The environment of a project that names none, settled when it is first asked for; ``say`` takes the notice where
    it is not a sandbox.

    What comes out of this sandbox has the label of commands that run without one as well: a policy that was written for
    ``src:exec`` holds wherever commands run.
    """

    @functools.cache
    def chosen() -> EnvironmentConfig:
        try:
            config = sandbox_of(root, network=network)
            why = why_not(config, providers())
        except EnvironmentFailure as error:
            why = error.diagnostics().replace("\n", "; ")
        if not why:
            both: EnvironmentConfig = replace(config, labels=config.labels | {source_label(UNCONFINED)})
            return both
        say(
            f"sluicegate: commands run without a sandbox, with all that you can reach: {why}. "
            'Where that is meant, write env.default = "local" in a policy.\n'
        )
        return UNCONFINED

    return chosen

"""Running a pipeline: start, feed, collect, watch, end. Every provider's commands go through here.

Procedure:

1. Make the group that holds the limits, where groups can be made.
2. Start each stage's launcher, joined to the next by a pipe. Nothing of the command runs yet.
3. Wait until every launcher says that it is ready; one that is not ends them all.
4. Put them into the group, then give each the word to go.
5. Feed standard input, collect the outputs up to the limit and drop the rest, and look after the limits, until all
   stages have ended, a limit is reached, or the owner cancels.
6. End whatever is left of every stage and wait until it is gone, whichever way step 5 was left.
7. Take what is still in the pipes. No writer is left that was started here; what another holds open is not
   waited for.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable

from sluicegate.flow.environments.configuration.config import CommandLimits
from sluicegate.flow.environments.confinement import cgroups
from sluicegate.flow.environments.run.command import Command, Completed
from sluicegate.flow.environments.run.pipeline import Pipeline
from sluicegate.flow.environments.run.starting import Prepare


def run(
    command: Command,
    prepare: Prepare,
    limits: CommandLimits,
    *,
    cancel: int | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Completed:
    """Run ``command`` to its end or to a limit. ``cancel`` is a descriptor that becomes readable to end it.

    Raises ``CommandNotStarted`` if a stage cannot be run (found before the word to go, none has run), ``Cancelled``,
    and ``EnvironmentFailure`` if something could not be ended or its exit code was taken by other code of this
    process.
    """
    group = cgroups.make(limits, _hierarchies())  # 1
    pipeline = Pipeline(limits, group, clock)
    try:
        pipeline.start(command, prepare, cancel)  # 2
        pipeline.wait_until_ready()  # 3
        pipeline.go()  # 4
        pipeline.until_ended()  # 5
    finally:
        try:
            pipeline.end()  # 6
            pipeline.drain()  # 7
        finally:
            pipeline.close()
            group.close()
    return pipeline.completed()


_hierarchies = functools.cache(cgroups.find)

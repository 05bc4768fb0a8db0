"""The monitor: the one place where an operation is allowed or denied; nothing else performs an effect.

    with Monitor(layers=layers, ledger=ledger, files=files, cwd=root) as monitor:

        @operation(labels={"net:w", "exfil"})
        def send(channel, text): ...

        key = monitor.read("key.txt").labelled("secret")
        send("general", key)                        # Denied: no-secret-exfil
        monitor.run("git status")                   # a labelled Output
        monitor.run("deploy", auth="deployer")      # the credential goes to that child, and nowhere else
        await monitor.aio.read("notes.txt")         # the same, for asyncio

The order of what is asked stands in ``procedure``; what happens to refusals and failures, and why, in ``settle``;
what Python programs can do as operations, in ``door``. ``monitor.perform(plan)`` is for the rooms above, which make
plans of their own (``plan.Plan``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sluicegate.flow.environments.configuration.config import UNCONFINED
from sluicegate.flow.monitor.door import Names
from sluicegate.flow.monitor.effects.functions import declare, wrapped
from sluicegate.flow.monitor.effects.output import Output
from sluicegate.flow.monitor.monitor import AsyncMonitor, Monitor, NoMonitor, current
from sluicegate.flow.monitor.parts import Parts, PersonOutput
from sluicegate.flow.monitor.plan import Again, Came, Plan, Ready, inputs_of
from sluicegate.flow.monitor.state import Protected
from sluicegate.flow.monitor.steps.settle import OperationFailed

__all__ = [
    "UNCONFINED",
    "Again",
    "AsyncMonitor",
    "Came",
    "Monitor",
    "NoMonitor",
    "OperationFailed",
    "Output",
    "Parts",
    "PersonOutput",
    "Plan",
    "Protected",
    "Ready",
    "current",
    "inputs_of",
    "operation",
]


def operation(
    function: Callable[..., Any] | None = None,
    *,
    labels: Names = (),
    name: str = "",
    source: str = "",
    again: Again | None = None,
    repeatable: bool | None = None,
) -> Any:
    """``Monitor.operation``, by the monitor that is in force when the function is called.

    Without one the call raises ``NoMonitor``: a function that was declared an operation never runs unwatched.
    """

    def decorate(plain: Callable[..., Any]) -> Callable[..., Any]:
        declared = declare(
            plain, labels=labels, name=name, source=source, again=again, repeatable=repeatable, guards=None
        )
        return wrapped(plain, declared, lambda: current().parts)

    return decorate if function is None else decorate(function)

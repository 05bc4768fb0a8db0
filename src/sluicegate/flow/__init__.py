"""What may flow where: labelled values, operations, policy, guards, and the monitor through which every effect passes.

What a program under policy needs, in one place::

    from sluicegate.flow import Denied, Labeled, Labels, branch, open_here

    key = Labeled("sk-live-4711", Labels.of("secret"))
    with open_here() as monitor:

        @monitor.operation(labels={"net:w", "exfil"})
        def post(text): ...

        post(key)                               # Denied, if policy says so

Each name is imported on first use, so that importing this costs nothing. ``docs/tutorial-flow.md`` is the way in.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, which costs a tenth of the time to start
if TYPE_CHECKING:
    from sluicegate.flow.denial import Code, Denial, Denied
    from sluicegate.flow.errors import FlowError
    from sluicegate.flow.guards import Allow, Deny, Filter, Guard, GuardRegistry, GuardRule, Retry, Timing
    from sluicegate.flow.labels import EMPTY, Labels
    from sluicegate.flow.monitor import Monitor, NoMonitor, OperationFailed, operation
    from sluicegate.flow.monitor.assembly import open_here
    from sluicegate.flow.session.permit import Permit
    from sluicegate.flow.session.session import Session
    from sluicegate.flow.values import Labeled, LabeledFailure, branch, carry, combine, labels_of, select

_HOMES = {
    "Allow": "sluicegate.flow.guards",
    "Code": "sluicegate.flow.denial",
    "Denial": "sluicegate.flow.denial",
    "Denied": "sluicegate.flow.denial",
    "Deny": "sluicegate.flow.guards",
    "EMPTY": "sluicegate.flow.labels",
    "Filter": "sluicegate.flow.guards",
    "FlowError": "sluicegate.flow.errors",
    "Guard": "sluicegate.flow.guards",
    "GuardRegistry": "sluicegate.flow.guards",
    "Labeled": "sluicegate.flow.values",
    "LabeledFailure": "sluicegate.flow.values",
    "Labels": "sluicegate.flow.labels",
    "Monitor": "sluicegate.flow.monitor",
    "NoMonitor": "sluicegate.flow.monitor",
    "OperationFailed": "sluicegate.flow.monitor",
    "Permit": "sluicegate.flow.session.permit",
    "Retry": "sluicegate.flow.guards",
    "GuardRule": "sluicegate.flow.guards",
    "Session": "sluicegate.flow.session.session",
    "Timing": "sluicegate.flow.guards",
    "branch": "sluicegate.flow.values",
    "carry": "sluicegate.flow.values",
    "combine": "sluicegate.flow.values",
    "labels_of": "sluicegate.flow.values",
    "open_here": "sluicegate.flow.monitor.assembly",
    "operation": "sluicegate.flow.monitor",
    "select": "sluicegate.flow.values",
}

__all__ = [
    "EMPTY",
    "Allow",
    "Code",
    "Denial",
    "Denied",
    "Deny",
    "Filter",
    "FlowError",
    "Guard",
    "GuardRegistry",
    "GuardRule",
    "Labeled",
    "LabeledFailure",
    "Labels",
    "Monitor",
    "NoMonitor",
    "OperationFailed",
    "Permit",
    "Retry",
    "Session",
    "Timing",
    "branch",
    "carry",
    "combine",
    "labels_of",
    "open_here",
    "operation",
    "select",
]


def __getattr__(name: str) -> object:
    """Import on first use."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'sluicegate.flow' has no attribute {name!r}")
    import gc
    import importlib

    collects = gc.isenabled()
    gc.disable()  # what is imported stays, and there is much of it to walk again and again
    try:
        value: object = getattr(importlib.import_module(home), name)
    finally:
        if collects:
            gc.enable()
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)

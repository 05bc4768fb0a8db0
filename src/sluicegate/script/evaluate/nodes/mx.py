"""``@mx``, and ``.mx`` of a value: labels, and what is known of the run and of the operation that a guard is asked about.

What labels a value has can tell of what it is, so what ``.mx`` says has the labels of the value itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from sluicegate.flow.values import Labeled, pc

if TYPE_CHECKING:
    from sluicegate.script.evaluate.run import Run
    from sluicegate.script.evaluate.scope import Value


def of_value(value: Value) -> Value:
    """``@x.mx``"""
    return Labeled(
        {
            "labels": list(value.labels.declared.names()),
            "taint": list(value.labels.names()),
            "sources": list(value.trail.words),
        },
        value.labels,
    )


def of_run(run: Run, field: str = "") -> Value:
    """``@mx``, or one field of it: null where it has none here."""
    if not field:
        return Labeled({name: of_run(run, name) for name in (*OF_RUN, *run.context)})
    if field in run.context:
        return run.context[field]
    made = OF_RUN.get(field)
    return Labeled(None) if made is None else made(run)


def _labels(run: Run) -> Value:
    return Labeled(list(pc().declared.names()))


def _taint(run: Run) -> Value:
    return Labeled(list(pc().names()))


def _sources(run: Run) -> Value:
    return Labeled([])


def _profile(run: Run) -> Value:
    return Labeled(run.monitor.parts.profile)


def _policy(run: Run) -> Value:
    names = [layer.name for layer in run.monitor.parts.layers.layers]
    return Labeled({"name": names[0] if names else "", "layers": names, "activePolicies": names})


def _tools(run: Run) -> Value:
    tools = run.monitor.parts.tools.current()
    allowed = None if tools.allowed is None else sorted(tools.allowed)
    calls = Labeled(list(tools.calls()), tools.labels)
    return Labeled({"calls": calls, "allowed": allowed, "denied": sorted(tools.denied)})


def _env(run: Run) -> Value:
    return Labeled({"provider": run.monitor.parts.environment.provider})


OF_RUN: Final[Mapping[str, Callable[[Run], Value]]] = {
    "labels": _labels,
    "taint": _taint,
    "sources": _sources,
    "profile": _profile,
    "policy": _policy,
    "tools": _tools,
    "env": _env,
}
"""What ``@mx`` says outside of guards; ``Run.context`` has what it says in one."""

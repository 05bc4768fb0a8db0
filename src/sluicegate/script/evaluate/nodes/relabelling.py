"""Labels that a script gives to values. What takes labels away needs a privilege, which no script has by itself."""

from __future__ import annotations

from sluicegate.flow.denial import Code, Denial, Denied
from sluicegate.script.evaluate.run import Run
from sluicegate.script.evaluate.scope import RunScope, Value
from sluicegate.script.tree import statements as s


def relabel(run: Run, node: s.RelabelNode, scope: RunScope) -> Value:
    """``pii,internal @x``. Raises Denied for what takes labels away: guards with the privilege do that (``guards``)."""
    value = run.evaluate(node.value, scope)
    for change in node.changes:
        if change.mark:
            sign = f"!{change.label}" if change.mark == "-" else f"{change.label}!"
            raise Denied(
                Denial(
                    code=Code.LABEL_PRIVILEGE_REQUIRED,
                    operation=f"=> {sign}",
                    blocked_by="Labels",
                    rule="labels are taken away by a guard with the privilege",
                    reason=f"`=> {sign}` takes labels away, and stands in no guard that has the privilege",
                    labels=value.labels.names(),
                    suggestions=("Write a privileged guard, and grant it the privilege in sluicegate.toml",),
                )
            )
    return labelled(run, value, tuple(change.label for change in node.changes))


def labelled(run: Run, value: Value, names: tuple[str, ...]) -> Value:
    """The value with more labels."""
    return run.monitor.labelled(value, *names) if names else value

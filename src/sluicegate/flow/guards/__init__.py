"""Guards: rules with logic, asked about each operation that policy permits.

    Guard(name=..., timing=Timing.BEFORE, filter=Filter.of("op:cmd:git"), rules=(
        Rule(when=lambda c: c.operation.command.map(lambda text: "--force" in text),
             then=Deny(reason="History is not rewritten", suggestion="Open a pull request")),
        Rule(then=Allow()),
    ))

A guard narrows what policy permits and never widens it. Rules are asked in order and the first whose condition
holds decides; if none does, the guard allows. Conditions see ``Labeled`` values and give True or False, plain
or labelled; one that raises denies.

    Actions     Deny Allow AllowWith Retry AddLabels Bless RemoveLabels ClearLabels UseEnvironment
    Filter.of   "op:cmd:git"  "src:mcp"  "secret"  "net:w"  "fn:send"  "*"
    GuardRegistry(privileges=Privileges(Grant(source=..., paths=..., modules=..., names=...), ...),
                  allow_bypass=False, strict=False)
        .add(guard, path="")  .add_bundle(bundle, origin)  .load("python.module")  .add_generated(guard)
        .select(operation: OperationView, taints: Sequence[Labels], timing: Timing) -> Selected
        .bypass(selected, BypassAll() | BypassOnly(names=) | BypassExcept(names=), operation)
            -> Selected | BypassRefused(denial)
    evaluate(selected, GuardContext(operation=, timing=, values=, taints=, profile=, policy=, tools=, attempt=,
                                    denial=, conflict=))
        -> GuardsAllowed(labels, notes)
         | GuardsChanged(values, operation_labels, environments, labels, notes)
         | GuardsRetry(guard, hint, labels, notes)
         | GuardsDenied(denial, denials, detail, labels, notes)

For the monitor. BEFORE: ``values`` are the inputs and ``taints`` what policy makes of each (T' of the decision),
in the same order. AFTER: both hold the output alone, whose taint has the inputs' joined in. After ``GuardsChanged``
with operation labels or new labels on values, policy is asked again with them. ``labels`` of an outcome are
those of all conditions that were asked: attach them to the exception of a denial, and join them to the result.
When policy itself denies: ``select(..., Timing.ALWAYS)`` and evaluate with ``denial`` set, for the guards that
keep account. ``notes`` are for the ledger: each decision, and each change of labels with the labels before and
after.
"""

from __future__ import annotations

from sluicegate.flow.guards.actions import (
    Action,
    AddLabels,
    Allow,
    AllowWith,
    Bless,
    ClearLabels,
    Deny,
    RemoveLabels,
    Retry,
    UseEnvironment,
)
from sluicegate.flow.guards.context import NO_TOOLS, GuardContext, OperationView, Timing, ToolsView
from sluicegate.flow.guards.evaluate import MOST_RETRIES, evaluate
from sluicegate.flow.guards.filters import Filter
from sluicegate.flow.guards.model import RESERVED, Guard, GuardBundle, GuardRule, Origin, Registered, Tier
from sluicegate.flow.guards.outcomes import (
    GuardOutcome,
    GuardsAllowed,
    GuardsChanged,
    GuardsDenied,
    GuardsRetry,
    Noted,
)
from sluicegate.flow.guards.privileges import NO_PRIVILEGES, Grant, Privileges
from sluicegate.flow.guards.registry import (
    Bypass,
    BypassAll,
    BypassExcept,
    BypassOnly,
    BypassRefused,
    GuardRegistry,
    SelectedGuards,
)

__all__ = [
    "MOST_RETRIES",
    "NO_PRIVILEGES",
    "NO_TOOLS",
    "RESERVED",
    "Action",
    "AddLabels",
    "Allow",
    "AllowWith",
    "Bless",
    "Bypass",
    "BypassAll",
    "BypassExcept",
    "BypassOnly",
    "BypassRefused",
    "ClearLabels",
    "Deny",
    "Filter",
    "Grant",
    "Guard",
    "GuardBundle",
    "GuardContext",
    "GuardOutcome",
    "GuardRegistry",
    "GuardRule",
    "GuardsAllowed",
    "GuardsChanged",
    "GuardsDenied",
    "GuardsRetry",
    "Noted",
    "OperationView",
    "Origin",
    "Privileges",
    "Registered",
    "RemoveLabels",
    "Retry",
    "SelectedGuards",
    "Tier",
    "Timing",
    "ToolsView",
    "UseEnvironment",
    "evaluate",
]

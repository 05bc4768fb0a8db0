"""Guards and operations for tests, and how to ask them."""

from sluicegate.flow.guards import (
    Filter,
    Guard,
    GuardContext,
    GuardRegistry,
    OperationView,
    Privileges,
    Timing,
    evaluate,
)
from sluicegate.flow.labels import Labels

SECRET, MCP, PII = Labels.of("secret"), Labels.of("src:mcp"), Labels.of("pii")
PUSH = OperationView(
    kind="cmd",
    name="git",
    labels=("op:cmd:git:push", "net:w"),
    shown="cmd git push",
    function="tools.publish",
)


def guard(name, *rules, timing=Timing.BEFORE, on="*", privileged=False):
    return Guard(name=name, timing=timing, filter=Filter.of(on), rules=rules, privileged=privileged)


def ask(guards, values, *, operation=PUSH, timing=Timing.BEFORE, privileges=None, taints=None, **more):
    """Register the guards as local ones, select them, and evaluate."""
    registry = GuardRegistry(privileges=privileges or Privileges())
    for each in guards:
        registry.add(each)
    taints = taints or tuple(value.labels for value in values)
    context = GuardContext(operation=operation, timing=timing, values=tuple(values), taints=taints, **more)
    return evaluate(registry.select(operation, taints, timing), context)


def content(value):
    found = []
    value.map(found.append)
    return found[0] if found else "failed"


def content_has(text):
    return lambda context: context.input.map(lambda plain: text in plain)

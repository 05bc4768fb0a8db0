"""``for``, ``foreach``: how often a body runs tells of the shape of what it goes through."""

from __future__ import annotations

from itertools import product
from typing import Any

from sluicegate.flow.values import Labeled, asked, model, pc, structure
from sluicegate.script.evaluate.contents.texts import kind_of, parsed
from sluicegate.script.evaluate.control import bound_on, container, settled, within
from sluicegate.script.evaluate.faults import ScriptError
from sluicegate.script.evaluate.nodes import calls
from sluicegate.script.evaluate.run import Run
from sluicegate.script.evaluate.scope import RunScope, Value
from sluicegate.script.tree import expressions as x


def loop(run: Run, node: x.ForExpr, scope: RunScope) -> Value:
    """``for @key, @item in list => value``: a list of what the body gives. Also ``for parallel`` goes one after another."""
    values = run.evaluate(node.values, scope)
    if node.parallel is not None:
        run.evaluate(node.parallel, scope)

    def gone_through() -> Value:
        made = []
        for key, item in items(values):
            inner = RunScope(scope)
            if node.key:
                inner.values[node.key] = key
            inner.values[node.item] = item
            made.append(run.act(node.body, inner))
            run.budget.making(1)
        return container(run, made)

    labels = structure(values)
    made = within(run, labels, gone_through)
    bound_on(run, node, scope, labels)
    return settled(run, made)


def items(values: Value) -> list[tuple[Value, Value]]:
    """The places or keys of a container, and its parts, inside of a branch on its shape. Raises ScriptError."""
    kind = model(values)
    if kind is list or kind is tuple:
        return [(Labeled(at), item) for at, item in enumerate(values)]
    if kind is dict:
        keys: list[Any] = [asked(key) for key in values.keys()]  # noqa: SIM118 - a labelled value asks for them
        return [(Labeled(key), values[key]) for key in keys]
    content = asked(values)
    if isinstance(content, str):
        content = parsed(content)
        if isinstance(content, (list, dict)):
            return items(Labeled(content, values.labels, values.trail))
    raise ScriptError("wrong-type", f"a loop goes through a list or an object, not {kind_of(content)}",
                      hint="Take text apart first: `@text | lines`, `@text.split(\",\")`.")  # fmt: skip


def foreach(run: Run, node: x.ForeachExpr, scope: RunScope) -> Value:
    """``foreach @f(@list)``: the results of a call with each item; of several lists, with each row of items."""
    call = node.call
    if not isinstance(call, x.AccessExpr) or not isinstance(call.steps[-1], x.CallStep):
        raise ScriptError("not-callable", "`foreach` takes a call: `foreach @f(@list)`")
    before = x.AccessExpr(call.start, call.end, call.value, call.steps[:-1])
    callee = run.evaluate(before if before.steps else call.value, scope)
    given = calls.arguments(run, call.steps[-1].arguments, scope)
    shape = structure(callee)
    for value in given:
        shape |= structure(value)

    def called() -> Value:
        made = []
        for row in product(*([value] if not _is_list(value) else list(value) for value in given)):
            run.budget.step()
            made.append(calls.call(run, callee, row))
            run.budget.making(1)
        return container(run, made)

    return settled(run, within(run, shape, called))


def _is_list(value: Value) -> bool:
    return structure(value) <= pc() and model(value) is list

"""Calls: every call of a function is an operation, which is asked about before its body runs.

1. What goes in are the arguments, and what the body can see besides: the labels of all that it names (``closure``).
2. The body runs inside of the operation: in a branch on all that goes in, and with the labels of the function around every
   effect in it. So it does not matter by which way a function is called.
3. Where the call itself is denied, the body does not run; if it is a ``when`` with arms for denials, these are asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sluicegate.flow import operations as ops
from sluicegate.flow.errors import FlowError
from sluicegate.flow.guards import Bypass
from sluicegate.flow.labels import EMPTY, Labels, events_of
from sluicegate.flow.monitor.drive import Do, Procedure
from sluicegate.flow.monitor.effects.functions import Declaration
from sluicegate.flow.monitor.plan import Came, Plan, Ready
from sluicegate.flow.operations import Argument, Channel
from sluicegate.flow.values import Labeled, asked
from sluicegate.flow.values.carrier import trail_of
from sluicegate.script.evaluate.callables import Function, Partial, ToolValue, Transformer
from sluicegate.script.evaluate.contents.texts import kind_of
from sluicegate.script.evaluate.contents.transformers import transformed
from sluicegate.script.evaluate.control import settled, within
from sluicegate.script.evaluate.faults import ScriptError, is_denial
from sluicegate.script.evaluate.nodes.conditions import handled, handles_denials, on_denial
from sluicegate.script.evaluate.nodes.ledger import LedgerQuery, ask
from sluicegate.script.evaluate.nodes.signatures import of_function
from sluicegate.script.evaluate.scope import RunScope, Value
from sluicegate.script.tree import expressions as x

if TYPE_CHECKING:
    from sluicegate.script.evaluate.run import Run
    from sluicegate.script.tree.statements import ExeStatement

_MODEL = "llm"


def function(run: Run, node: ExeStatement, scope: RunScope) -> Function:
    """The function that an ``exe`` defines."""
    named = (
        (f"op:call:{node.name}",) if node.labels else ()
    )  # by which guards and rules find it, besides its labels
    operation = ops.call(node.name, labels=(*node.labels, *named))
    (request,) = ops.to_requests(operation)
    declared = Declaration(
        name=node.name,
        tool=node.name,
        operation=operation,
        request=request,
        repeatable=any(label.partition(":")[0] == _MODEL for label in node.labels),
    )
    return Function(run, node, scope, declared)


def arguments(run: Run, nodes: tuple[x.Expression, ...], scope: RunScope) -> tuple[Value, ...]:
    """The values of arguments. A bare word is the function of this name, if there is one."""
    found: list[Value] = []
    for node in nodes:
        if isinstance(node, x.SpreadExpr):
            raise ScriptError("wrong-type", "the arguments of a call are written one by one")
        found.append(run.evaluate(node, scope))
    return tuple(found)


def partial_of(callee: Any, given: tuple[Value, ...]) -> Partial:
    """A callable with its first arguments. Raises ScriptError."""
    if not isinstance(callee, (Function, Partial, Transformer, ToolValue)):
        raise ScriptError("not-callable", f"{kind_of(callee)} cannot be called")
    return Partial(callee, given)


def call(run: Run, callee: Value, given: tuple[Value, ...], *, bypass: Bypass | None = None) -> Value:
    """Call a value; which function it is may itself be labelled."""

    def called() -> Value:
        content = asked(callee)
        while isinstance(content, Partial):
            nonlocal given
            given = (*content.arguments, *given)
            content = content.callee
        if isinstance(content, Function):
            return _perform(content, given, bypass)
        if isinstance(content, ToolValue):
            from sluicegate.script.evaluate.tools import call_tool

            return call_tool(run, content, given, bypass)
        if isinstance(content, Transformer):
            return transformed(run, content.name, given)
        if isinstance(content, LedgerQuery):
            return ask(run, content, given)
        raise ScriptError("not-callable", f"{kind_of(content)} cannot be called")

    return settled(run, within(run, callee.labels, called))


def closure(function: Function) -> Labels:
    """The labels of all that a body names besides its parameters, and of what the functions that it names name (1)."""
    found, seen = EMPTY, {id(function)}
    waiting = [function]
    while waiting:
        each = waiting.pop()
        for name in each.names:
            value = each.scope.find(name)
            if value is None:
                continue
            found |= value.labels
            for inner in each.run.functions.get(name, ()):
                if id(inner) not in seen:
                    seen.add(id(inner))
                    waiting.append(inner)
    return found


def _perform(function: Function, given: tuple[Value, ...], bypass: Bypass | None) -> Value:
    """Ask about the call, and carry it out."""
    parameters = function.parameters
    if len(given) > len(parameters):
        raise ScriptError(
            "bad-argument", f"`@{function.name}` takes {len(parameters)} arguments, and gets {len(given)}"
        )
    missing = len(parameters) - len(given)
    values = dict(zip(parameters, (*given, *[Labeled(None)] * missing), strict=True))
    declared, beside = function.declared, closure(function)
    events = events_of(trail_of([function.scope.find(name) for name in function.names])) if beside else ()
    began: list[bool] = []
    plan = Plan(
        operations=(
            declared.operation._replace(
                arguments=tuple(Argument(name, value, Channel.ARGUMENT) for name, value in values.items())
            ),
        ),
        inputs={(Channel.ARGUMENT, name): value for name, value in values.items()},
        asks_always=declared.request,
        beside=beside,
        events=events,
        effect=lambda ready: _body(function, ready, began),
        word=f"call:{function.name}",
        tool=declared.tool,
        function=function.name,
        repeatable=declared.repeatable,
        bypass=bypass,
    )
    run, body = function.run, function.body
    if not isinstance(body, x.WhenExpr) or not handles_denials(body):
        return settled(run, run.monitor.perform(plan))
    try:
        value = run.monitor.perform(plan)
    except FlowError as error:
        if began or not is_denial(error):
            raise
        refused = error
    else:
        return settled(run, value if began else on_denial(run, body, value, _scope(function, values)))
    return handled(run, body, refused, _scope(function, values))  # 3


def _body(function: Function, ready: Ready, began: list[bool]) -> Procedure[Came]:
    """The body (2), with what guards have made of the arguments."""

    def carried_out() -> Value:
        began.append(True)
        run = function.run
        values = {
            name: value if isinstance(value, Labeled) else Labeled(value)
            for (_, name), value in ready.plan.inputs.items()
        }
        run.budget.enter()
        before, run.denied = run.denied, False  # what was denied to the caller was not denied to it
        try:
            return of_function(function, _scope(function, values))
        finally:
            run.budget.leave()
            run.denied = before

    value = yield Do(carried_out)
    return Came(value)


def _scope(function: Function, values: Mapping[str, Value]) -> RunScope:
    """The scope of a body."""
    scope = RunScope(function.scope, function=True, parameters=function.parameters)
    scope.values.update(values)
    return scope

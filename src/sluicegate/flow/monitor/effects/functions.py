"""Python functions as operations.

The function is given plain values, and only after everything was permitted; its body runs inside a branch on all
that went in, so what it does through the monitor is judged with these labels. Its arguments are searched for
labelled values at any depth; so is what it has captured, which goes in as well.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from sluicegate.flow import operations as ops
from sluicegate.flow.errors import FlowError
from sluicegate.flow.guards import Bypass
from sluicegate.flow.labels import EMPTY, Labels, events_of
from sluicegate.flow.monitor.drive import Do, Procedure, run, run_async
from sluicegate.flow.monitor.opening import content
from sluicegate.flow.monitor.parts import Parts
from sluicegate.flow.monitor.plan import Again, Came, Plan, Ready
from sluicegate.flow.monitor.procedure import perform
from sluicegate.flow.monitor.snapshots import Snapshot, copied
from sluicegate.flow.monitor.steps.settle import OperationFailed
from sluicegate.flow.operations import Argument, Channel, Operation
from sluicegate.flow.policy.request import Request
from sluicegate.flow.values import captured
from sluicegate.flow.values.carrier import trail_of
from sluicegate.flow.values.contents import Failure
from sluicegate.flow.values.failures import settled
from sluicegate.tuples import NamedTuple

if TYPE_CHECKING:
    import inspect


class Declaration(NamedTuple):
    """What an author says of a function: the labels of the operation, and where its results come from.

    ``operation`` is it without arguments, and ``request`` what policy is asked about it, whatever they are. ``source``
    is the label of a source (``src:network``) for a function that brings data in from outside.
    ``again`` is asked for other arguments when a guard wants to try again; it is given the guard's hint and the
    arguments by name, and gives those that are to change, or None. ``repeatable``: the same call may be made
    again (so it is for models). ``guards`` are those to leave out, if configuration lets it.
    """

    name: str
    tool: str
    operation: Operation
    request: Request
    source: str = ""
    again: Again | None = None
    repeatable: bool = False
    guards: Bypass | None = None


def declare(
    function: Callable[..., Any],
    *,
    labels: object,
    name: str,
    source: str,
    again: Again | None,
    repeatable: bool | None,
    guards: Bypass | None,
) -> Declaration:
    """Read what the author says. Raises ``FlowError`` for a function that cannot be an operation."""
    if not callable(function):
        raise FlowError(f"a {type(function).__name__} cannot be an operation", hint="decorate a function")
    import inspect

    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise FlowError(
            f"{function.__qualname__} gives its results piece by piece, and would run outside of its operation",
            hint="return a list",
        )
    if isinstance(labels, str) or not isinstance(labels, (set, frozenset, list, tuple)):
        raise FlowError(
            "the labels of an operation are a set of labels", hint='write labels={"net:w", "exfil"}'
        )
    given = tuple(sorted(labels))
    if source and not source.startswith("src:"):
        raise FlowError(f"{source!r} is not a source of data", hint="write src:network, src:file or the like")
    module = getattr(function, "__module__", "") or ""
    short = "" if module == "__main__" else f"{module}."
    full = name or f"{short}{getattr(function, '__qualname__', type(function).__name__)}".replace(
        ".<locals>", ""
    )
    model = any(label == "llm" or label.startswith("llm:") for label in given)
    again_too = model if repeatable is None else repeatable
    Labels.of(*given, *((source,) if source else ()))
    operation = ops.call(full, labels=given)
    (request,) = ops.to_requests(operation)
    return Declaration(
        name=full,
        tool=full.rpartition(".")[2],
        operation=operation,
        request=request,
        source=source,
        again=again,
        repeatable=again_too,
        guards=guards,
    )


def wrapped(
    function: Callable[..., Any], declared: Declaration, parts: Callable[[], Parts]
) -> Callable[..., Any]:
    """The function as an operation of the monitor whose parts ``parts`` gives when it is called."""
    import inspect

    names = parameters(function)
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def operation_async(*args: Any, **kwargs: Any) -> Any:
            through = parts()
            plan = call_plan(through, declared, function, names, args, kwargs)
            return await run_async(perform(through, plan))

        made: Callable[..., Any] = operation_async
    else:

        @functools.wraps(function)
        def operation(*args: Any, **kwargs: Any) -> Any:
            through = parts()
            return run(perform(through, call_plan(through, declared, function, names, args, kwargs)))

        made = operation
    # Whoever unwraps a function means to call what is inside; here that would be a way around the monitor.
    del made.__dict__["__wrapped__"]
    made.__dict__["__signature__"] = _signature(function)
    return made


def _signature(function: Callable[..., Any]) -> inspect.Signature | None:
    import inspect

    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None


def parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of the positional parameters, by which arguments are called in denials."""
    import inspect

    signature = _signature(function)
    if signature is None:
        return ()
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return tuple(each.name for each in signature.parameters.values() if each.kind in kinds)


def call_plan(
    parts: Parts,
    declared: Declaration, function: Callable[..., Any], names: tuple[str, ...], args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
) -> Plan:  # fmt: skip
    """One call of a function."""
    count = len(args)
    if count <= len(names):
        named = names[:count]
    else:
        named = (*names, *(f"args[{n}]" for n in range(count - len(names))))
    arguments = dict(zip(named, args, strict=True))
    for name, value in kwargs.items():
        if name in arguments:
            raise TypeError(f"{declared.name}() got multiple values for argument {name!r}")
        arguments[name] = value
    given = tuple([Argument(name, value, Channel.ARGUMENT) for name, value in arguments.items()])
    entry = EMPTY
    beside = captured(function)
    if declared.source:
        entry = Labels.of(declared.source) | parts.layers.entry_labels(declared.source)
    return Plan(
        operations=(declared.operation._replace(arguments=given),),
        inputs={(Channel.ARGUMENT, name): value for name, value in arguments.items()},
        asks_always=declared.request,
        beside=beside,
        events=_events(beside, function),
        entry=entry,
        effect=partial(_called, function, count, Snapshot(arguments)),
        word=f"call:{declared.name}",
        tool=declared.tool,
        function=declared.name,
        again=declared.again,
        repeatable=declared.repeatable,
        bypass=declared.guards,
    )


def _called(function: Callable[..., Any], count: int, given: Snapshot, ready: Ready) -> Procedure[Came]:
    if not given.holds:
        raise OperationFailed(
            "an argument was changed while it was decided on", hint="pass a copy that nobody else has"
        )
    values = [content(value, ready.taint) for value in ready.plan.inputs.values()]
    names = [name for _, name in ready.plan.inputs]
    args, kwargs = values[:count], dict(zip(names[count:], values[count:], strict=True))
    result = yield Do(lambda: function(*args, **kwargs))
    return Came(_given(result))


def external_plan(
    parts: Parts, name: str, arguments: Mapping[str, object], effect: Callable[..., Any], *, source: str,
    labels: tuple[str, ...], again: Again | None, guards: Bypass | None, var: str,
) -> Plan:  # fmt: skip
    """A call of something outside, a tool of an MCP server say: ``server:tool``, or a tool alone."""
    server, colon, tool = name.partition(":")
    if not colon:
        server, tool = "local", name
    if not server or not tool:
        raise FlowError("a call of something outside has no name", hint="name it as in github:create_issue")
    arguments = {key: copied(value) for key, value in arguments.items()}
    operation = ops.mcp(server, tool, arguments, labels=labels)
    entry = Labels.of(source) | parts.layers.entry_labels(source)
    kind, beside = source.removeprefix("src:"), captured(effect)
    return Plan(
        operations=(operation,),
        inputs={(Channel.ARGUMENT, key): value for key, value in arguments.items()},
        beside=beside,
        events=_events(beside, effect),
        entry=entry,
        effect=partial(_passed_on, effect),
        word=f"{kind}:{name}",
        tool=tool,
        function=tool,
        again=again,
        bypass=guards,
        var=var,
    )


def _passed_on(effect: Callable[..., Any], ready: Ready) -> Procedure[Came]:
    arguments = {name: content(value, ready.taint) for (_, name), value in ready.plan.inputs.items()}
    result = yield Do(lambda: effect(**arguments), blocking=True)
    return Came(_given(result))


def fetch_plan(
    parts: Parts, url: object, effect: Callable[..., Any], *, method: str, headers: Mapping[str, object],
    body: object, labels: tuple[str, ...], var: str,
) -> Plan:  # fmt: skip
    """Fetching an address; ``effect(url, method=, headers=, body=)`` does it."""
    operation = ops.fetch(url, method=method, headers=headers, body=body, labels=labels)
    source, beside = "src:network", captured(effect)
    return Plan(
        operations=(operation,),
        inputs={(each.channel, each.name): each.value for each in operation.arguments},
        beside=beside,
        events=_events(beside, effect),
        entry=Labels.of(source) | parts.layers.entry_labels(source),
        effect=partial(_fetched, effect),
        word=f"fetch:{method.lower()}",
        var=var,
    )


def _fetched(effect: Callable[..., Any], ready: Ready) -> Procedure[Came]:
    url = ready.content(Channel.NAME, "url")
    headers = ready.contents(Channel.ARGUMENT)
    body = ready.content(Channel.BODY, "body") if (Channel.BODY, "body") in ready.plan.inputs else None
    method = ready.plan.operation.name
    result = yield Do(lambda: effect(url, method=method, headers=headers, body=body), blocking=True)
    return Came(_given(result))


def _events(beside: Labels, function: object) -> tuple[str, ...]:
    """The events that what a function has captured comes from, if it has captured anything with labels."""
    return events_of(trail_of(function)) if beside else ()


def _given(result: Any) -> object:
    """A result, unless it is code that would run after the operation, outside of its branch."""
    found = settled(result)
    if isinstance(found, Failure):
        raise OperationFailed("the function gives something that runs later", hint="return a list")
    return found

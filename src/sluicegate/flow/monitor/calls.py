"""Operations by name, as a tool runner knows them: which plan is made of one, and which values it takes.

    read {path}    write, append {path, value}    fetch {url, method, headers, body}    sh, py, node, js {code, ...}
    SERVER:TOOL {...}    a tool of an MCP server, or of the runner itself: TOOL

The effect takes place elsewhere, so these plans have none.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from msgspec import Struct

from sluicegate.flow import operations as ops
from sluicegate.flow.errors import FlowError
from sluicegate.flow.labels import EMPTY, Labels
from sluicegate.flow.labels.names import shown, written
from sluicegate.flow.monitor.effects.reading import opens_unnamed, runs_code_by
from sluicegate.flow.monitor.parts import Parts
from sluicegate.flow.monitor.plan import CODE, Check, Plan, Ready, inputs_of
from sluicegate.flow.operations import Channel, Operation, OperationKind
from sluicegate.flow.policy.request import UNKNOWN, Request
from sluicegate.flow.policy.rules.tool_names import plain
from sluicegate.flow.values import labels_of

FILES: Final = {"read": ("path",), "write": ("path", "value"), "append": ("path", "value")}
INTERPRETERS: Final = ("sh", "py", "node", "js")
_KINDS: Final = frozenset({*FILES, *INTERPRETERS, "fetch"})
_FETCH: Final = ("url", "method", "headers", "body")
_CHANGING: Final = frozenset({*CODE, OperationKind.WRITE, OperationKind.APPEND})


class Call(Struct, frozen=True, kw_only=True):
    """What a runner asks: the operation by its name, the labels that its author declares, and where results come from.

    ``method`` is that of a fetch.
    """

    operation: str
    labels: tuple[str, ...] = ()
    source: str = ""
    method: str = "GET"


def call_of(operation: str, values: Mapping[str, object], labels: tuple[str, ...], source: str) -> Call:
    """What is asked, checked for its form. Raises FlowError."""
    if not isinstance(operation, str) or not operation.strip(":") or len(operation) > 500:
        raise FlowError(
            "an operation has a name",
            hint="write read, write, append, fetch, sh, py, node, js or SERVER:TOOL",
        )
    if operation != operation.strip() or not operation.isprintable():
        raise FlowError(
            f"{shown(operation)} is not a name of an operation: it begins or ends with a blank, or holds what does not print",
            hint="give the name as the server or the runner has it",
        )
    if operation not in _KINDS and (meant := plain(operation)) in _KINDS:
        raise FlowError(
            f"{shown(operation)} is another spelling of {meant}",
            hint=f"ask for {meant}; a tool that is called so is {shown(f'local:{operation}')}",
        )
    for name in values:
        if type(name) is not str or not name:
            raise FlowError(f"the values of {shown(operation)} have names", hint="give them as an object")
    if operation in FILES:
        _exactly(operation, values, FILES[operation], FILES[operation])
    elif operation == "fetch":
        _exactly(operation, values, ("url",), _FETCH)
    elif operation in INTERPRETERS and "code" not in values:
        raise FlowError(f"{operation} takes code", hint='give it as {"code": ...}')
    method = values.get("method", "GET") if operation == "fetch" else "GET"
    if not isinstance(method, str) or not method.isalpha():
        raise FlowError("a method of fetch is a word", hint="write GET, POST or the like")
    if source and not source.startswith("src:"):
        raise FlowError(
            f"{shown(source)} is not a source of data", hint="write src:mcp, src:network or the like"
        )
    return Call(operation=operation, labels=labels, source=source, method=method.upper())


def plan_of(
    parts: Parts,
    call: Call,
    values: Mapping[str, object],
    beside: Labels = EMPTY,
    *,
    within: tuple[str, ...] = (),
    check: Check | None = None,
    known: frozenset[str] | None = None,
    events: tuple[str, ...] = (),
) -> Plan:
    """The plan of an operation with these values. Raises FlowError."""
    operation, source, tool = _operation(parts, call, values)
    if call.operation == "fetch":
        beside |= labels_of(values.get("method"))  # it is part of the name
    entry = Labels.of(source) | parts.layers.entry_labels(source) if source else EMPTY
    return Plan(
        operations=(operation,),
        inputs=inputs_of((operation,)),
        beside=beside,
        entry=entry,
        word=f"{operation.kind}:{call.operation}",
        tool=tool,
        function=tool,
        within=within,
        events=events,
        check=check,
        known=known,
        asks_always=_of_tool(operation.name, operation.leaves) if tool else None,
    )


@lru_cache(maxsize=1024)
def _of_tool(name: str, leaves: tuple[str, ...]) -> Request:
    """What policy is asked about a tool: it names no file and no host, so this is the same whatever its values are."""
    return Request(
        kind=str(OperationKind.MCP), leaves=leaves, shown=f"{OperationKind.MCP} {written(name)}", tool=name
    )


def tool_request(server: str, tool: str) -> Request:
    """What policy is asked about a tool of a server."""
    operation = ops.mcp(server, tool, {})
    return _of_tool(operation.name, operation.leaves)


def _operation(parts: Parts, call: Call, values: Mapping[str, object]) -> tuple[Operation, str, str]:
    """The operation, the label of where its results come from, and the name by which tools are counted."""
    name, labels = call.operation, call.labels
    if name == "read":
        return ops.read(values["path"], base=str(parts.cwd), labels=labels), "src:file", ""
    if name == "write":
        return ops.write(values["value"], values["path"], base=str(parts.cwd), labels=labels), "", ""
    if name == "append":
        return ops.append(values["value"], values["path"], base=str(parts.cwd), labels=labels), "", ""
    if name == "fetch":
        headers = values.get("headers") or {}
        given = headers if isinstance(headers, Mapping) else {"headers": headers}
        made = ops.fetch(
            values["url"], method=call.method, headers=given, body=values.get("body"), labels=labels
        )
        return made, call.source or "src:network", ""
    if name in INTERPRETERS:
        inputs = {key: value for key, value in values.items() if key != "code"}
        made = ops.code(
            name, values["code"], inputs=inputs, labels=labels, base=parts.start, programs=parts.programs
        )
        return made, call.source or "src:exec", ""
    server, colon, tool = name.partition(":")
    if not colon:
        server, tool = "local", name
    if not server or not tool:
        raise FlowError(f"{shown(name)} names no tool", hint="write SERVER:TOOL, as in github:create_issue")
    return ops.mcp(server, tool, values, labels=labels), call.source or "src:mcp", tool


def values_of(call: Call, ready: Ready) -> dict[str, object]:
    """The values that may flow, plain, under the names that the runner knows. Raises ``LabeledFailure``."""
    if call.operation != "fetch":
        return {name: ready.content(channel, name) for channel, name in ready.plan.inputs}
    plain = {key: ready.content(*key) for key in ready.plan.inputs}
    found: dict[str, object] = {"url": plain[Channel.NAME, "url"], "method": call.method}
    headers = {name: value for (channel, name), value in plain.items() if channel is Channel.ARGUMENT}
    if headers:
        found["headers"] = headers
    if (Channel.BODY, "body") in plain:
        found["body"] = plain[Channel.BODY, "body"]
    return found


def places_changed(parts: Parts, plan: Plan, requests: tuple[Request, ...]) -> dict[str, bool]:
    """The files that its effect may change, and the directory in which it may change any: where code runs that is not read, and
    nothing is named (true)."""
    if plan.operation.kind not in _CHANGING:
        return {}
    every = {path: False for each in requests for mode, path in each.paths if mode == "w" and path != UNKNOWN}
    if any(_is_opaque(plan, each) for each in requests):
        from sluicegate.flow.monitor.effects.elsewhere import place_of_code

        every.setdefault(place_of_code(parts), True)
    return every


def _is_opaque(plan: Plan, request: Request) -> bool:
    """Whether it is not known which files a part of it changes."""
    if plan.operation.kind in (OperationKind.WRITE, OperationKind.APPEND):
        return False
    if plan.operation.programs is None or request.unread or ("w", UNKNOWN) in request.paths:
        return True
    if request.command is None:  # the shell itself, with the files that it opens
        return False
    return not request.command.words_known or runs_code_by(request.leaves) or opens_unnamed(request)


def _exactly(
    operation: str, values: Mapping[str, object], needed: tuple[str, ...], known: tuple[str, ...]
) -> None:
    missing = [name for name in needed if name not in values]
    more = [name for name in values if name not in known]
    if missing or more:
        what = f"no value {missing[0]}" if missing else f"a value {shown(more[0])} that it does not take"
        raise FlowError(f"{operation} has {what}", hint=f"it takes: {', '.join(known)}")

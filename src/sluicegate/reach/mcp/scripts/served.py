"""A module served as tools: each function that it exports, called by whoever speaks MCP with us.

1. The module is carried out once, before the first call; what it shows then goes to standard error, since standard output is for messages.
2. What a client sends comes from ``src:mcp:client``, whatever it is. A call goes the way of every call: the function's labels, guards and
   policies are in force, and so is the profile that policy permits.
3. What a function gives is given back by ``op:return`` and ``op:show``: a value that may not be shown is not answered.
4. One call works at a time. Each has the bounds of a script.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from sluicegate import __version__
from sluicegate.flow.denial import Denied
from sluicegate.flow.errors import FlowError
from sluicegate.flow.labels import Labels
from sluicegate.flow.values import Labeled, LabeledFailure
from sluicegate.reach.report.escape import printable
from sluicegate.script.evaluate.callables import Function
from sluicegate.script.evaluate.contents.texts import text_of
from sluicegate.script.evaluate.control import apply
from sluicegate.script.evaluate.nodes.calls import call
from sluicegate.script.evaluate.program import deep, told

if TYPE_CHECKING:
    from sluicegate.flow.monitor import Monitor
    from sluicegate.script.evaluate.run import Run

CONFIGURES: Final = "mcpConfig"
"""A function that says which servers an agent has; it is no tool."""

_SOURCE: Final = "src:mcp:client"
_LONGEST: Final = 1_000_000


def functions_of(run: Run) -> dict[str, Function]:
    """The functions that a module exports, by their names."""
    found = {name: run.functions[name] for name in sorted(run.exported) if run.functions.get(name)}
    return {name: each[0] for name, each in found.items() if len(each) == 1 and name != CONFIGURES}


def tool_of(name: str, function: Function, module: str) -> types.Tool:
    """A function as a tool is described."""
    labels = f" Its labels: {', '.join(function.labels)}." if function.labels else ""
    parameters: dict[str, Any] = {each: {} for each in function.parameters}
    return types.Tool(
        name=name,
        description=f"@{name}({', '.join(function.parameters)}) of {printable(module)}.{labels}",
        input_schema={"type": "object", "properties": parameters, "additionalProperties": False},
    )


def called(run: Run, function: Function, given: Mapping[str, object]) -> tuple[str, bool]:
    """What a call gives, as text, and whether that is an answer (2, 3)."""
    monitor = run.monitor
    unknown = [name for name in given if name not in function.parameters]
    if unknown:
        return f"@{function.name} has the parameters {', '.join(function.parameters) or 'none'}", False
    labels = Labels.of(_SOURCE) | monitor.parts.layers.entry_labels(_SOURCE)
    values = tuple(Labeled(given.get(name), labels) for name in function.parameters)
    run.budget.renew()
    try:
        with deep():
            value = apply(run, text_of, call(run, Labeled(function), values))
            text = str(monitor.return_(value, shown=True))
    except Denied as denied:
        return denied.denial.render(), False
    except LabeledFailure:
        return "the call failed, or its result may not be given back", False
    except FlowError as error:
        return "\n".join(each for each in (error.diagnostics(), _words(monitor, error)) if each), False
    if len(text) > _LONGEST:
        return f"the result has more than {_LONGEST} characters", False
    return text, True


def _words(monitor: Monitor, error: FlowError) -> str:
    """What an error says besides, as far as it may be told."""
    words = getattr(error, "words", None)
    return told(monitor, words) if words is not None else ""


async def serve(run: Run, module: str) -> None:
    """Serve until the client leaves."""
    limiter = anyio.CapacityLimiter(1)  # 4
    functions = functions_of(run)
    tools = [tool_of(name, function, module) for name, function in functions.items()]

    async def list_tools(context: Any, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def call_tool(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        function = functions.get(params.name)
        if function is None:
            return _answer(f"there is no tool {params.name[:100]!r}", good=False)
        given = params.arguments or {}
        text, good = await anyio.to_thread.run_sync(called, run, function, given, limiter=limiter)
        return _answer(text, good=good)

    server = Server(
        f"sluicegate-{printable(module)}",
        version=__version__,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def run(module: Run, name: str) -> None:
    """Serve, in this thread."""
    anyio.run(serve, module, name)


def _answer(text: str, *, good: bool) -> types.CallToolResult:
    said = printable(text if good else f"sluicegate: {text}", newline=True)
    return types.CallToolResult(content=[types.TextContent(type="text", text=said)], is_error=not good)

"""Tools of MCP servers: ``import tools from mcp "command" as @t``.

1. A server is started by a command that the author wrote: an operation like every command, in the environment in force, and asked about
   by the name of its program. Who starts it, and speaks with it, is handed in (``ToolServers``).
2. ``@t.TOOL(…)`` and ``@t.SERVER.TOOL(…)`` call a tool, ``import { @tool } from mcp "command"`` names it alone. Arguments go in the order
   of the tool's schema, or as one object with its names.
3. A call is an operation, ``op:mcp:SERVER:TOOL``, with the labels that the tool declares. What comes of it is from
   ``src:mcp:SERVER:TOOL``. A tool that fails is an operation that failed.
4. ``mcps`` of an environment, and ``env.mcps`` of policy, say which servers may be called; ``tools`` which tools.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final, Protocol

from msgspec import Struct

from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.environments.configuration.config import EnvironmentConfig
from sluicegate.flow.guards import Bypass
from sluicegate.flow.labels import Labels
from sluicegate.flow.labels.segments import segment
from sluicegate.flow.monitor.calls import Call, plan_of
from sluicegate.flow.monitor.drive import Do, Procedure
from sluicegate.flow.monitor.effects.output import Manner
from sluicegate.flow.monitor.effects.using import Using
from sluicegate.flow.monitor.plan import Came, Plan, Ready
from sluicegate.flow.monitor.steps.settle import OperationFailed, OperationRefused
from sluicegate.flow.policy.request import Request
from sluicegate.flow.values import Labeled, model, pc, structure
from sluicegate.script.evaluate.callables import ToolValue
from sluicegate.script.evaluate.control import settled
from sluicegate.script.evaluate.faults import ScriptError
from sluicegate.script.evaluate.scope import Value

if TYPE_CHECKING:
    from sluicegate.flow.environments.use import Providers
    from sluicegate.flow.monitor.parts import Parts
    from sluicegate.script.evaluate.run import Run
    from sluicegate.script.tree import statements as s

_STARTERS: Final = frozenset(
    {"npx", "uvx", "uv", "run", "node", "python", "python3", "deno", "bunx", "-m", "tool", "exec"}
)


class ServedTool(Struct, frozen=True, kw_only=True):
    """A tool of a server: its name, its parameters in the order of its schema, and the labels that it declares."""

    name: str
    parameters: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


class ToolResult(Struct, frozen=True, kw_only=True):
    """What came of a call."""

    content: Any
    failed: bool = False


class ServerStart(Struct, frozen=True, kw_only=True):
    """How a server is started: what was permitted, and where it runs."""

    name: str
    argv: tuple[str, ...]
    executable: str
    cwd: str
    config: EnvironmentConfig
    providers: Providers


class ToolServer(Protocol):
    """A server that was started. ``tools`` are those that may be called, by their names."""

    @property
    def name(self) -> str: ...

    @property
    def tools(self) -> Mapping[str, ServedTool]: ...

    def call(self, tool: str, arguments: Mapping[str, Any], /) -> ToolResult:
        """Call a tool. Raises FlowError."""
        ...


class ToolServers(Protocol):
    """Who starts servers, and ends them with the script."""

    def open(self, start: ServerStart, /) -> ToolServer:
        """Start one, and have its list of tools. Raises FlowError."""
        ...


def bring_in_tools(run: Run, node: s.ImportStatement, servers: ToolServers | None) -> None:
    """Start a server, and give the script its tools under the names that it asks for (1, 2)."""
    if servers is None:
        raise ScriptError("no-servers", "servers of tools are not started here",
                          hint="Run the script with: sluicegate run FILE")  # fmt: skip
    server = _started(run, node.module, servers)
    tools = {name: Labeled(ToolValue(server, tool)) for name, tool in server.tools.items()}
    if node.alias:
        run.scope.values[node.alias] = Labeled({**tools, server.name: Labeled(tools)})
    for name in node.names:
        found = tools.get(name.path[0])
        if found is None:
            raise ScriptError("not-exported", "the server has no tool of this name, or it is stopped",
                              hint="See what is stopped with: sluicegate gateway pins")  # fmt: skip
        run.scope.values[name.alias or name.path[0]] = found


def server_name(words: tuple[str, ...]) -> str:
    """What a server is called: by its program, without what starts it, and without ``server`` in its name."""
    word = next(
        (each for each in words if PurePath(each).name not in _STARTERS and not each.startswith("-")),
        words[0],
    )
    stem = PurePath(word).name.partition("@")[0]
    for suffix in (".py", ".js", ".mjs", ".mld"):
        stem = stem.removesuffix(suffix)
    stem = stem.removeprefix("mcp-").removeprefix("server-").removesuffix("-mcp").removesuffix("-server")
    name = "".join(char if char.isascii() and (char.isalnum() or char in "-.") else "-" for char in stem)[:64]
    return name if name and name != "local" else "server"


def _started(run: Run, text: str, servers: ToolServers) -> ToolServer:
    """The server (1)."""
    from sluicegate.flow.monitor.effects.commands import run_plan
    from sluicegate.script.evaluate.nodes.commands import escaped

    monitor = run.monitor
    command = monitor.command(escaped(text, "")[0])
    if len(command.stages) != 1:
        raise ScriptError("bad-argument", "a server is started by one command, and not by a pipeline")
    opened: list[ToolServer] = []

    def effect(ready: Ready) -> Procedure[Came]:
        server = yield Do(lambda: servers.open(_start(monitor.parts, ready)), blocking=True)
        opened.append(server)
        return Came(None)

    plan = run_plan(
        monitor.parts, command, {}, stdin=None, environment={}, using=Using(), manner=Manner(),
        plan=Plan(operations=()),
    )  # fmt: skip
    settled(run, monitor.perform(plan._replace(effect=effect)))
    if not opened:
        raise ScriptError("no-servers", "the server was not started")
    return opened[0]


def _start(parts: Parts, ready: Ready) -> ServerStart:
    """What was permitted, as it is started. Raises OperationRefused, OperationFailed."""
    from sluicegate.flow.environments.configuration.config import LOCAL
    from sluicegate.flow.monitor.effects.entering import decided, providers_of

    chosen = decided(parts, ready.plan.environments)
    if isinstance(chosen, Denial):
        raise OperationRefused(chosen, ready.early)
    if chosen.provider is not None:
        raise OperationFailed("a provider that is a module runs commands, and no servers")
    (filled,) = ready.filled
    return ServerStart(
        name=server_name(tuple(filled.argv)),
        argv=tuple(filled.argv),
        executable=filled.program.real,
        cwd=str(parts.cwd) if chosen.config.provider == LOCAL else "",
        config=chosen.config,
        providers=providers_of(parts, chosen),
    )


def call_tool(run: Run, content: ToolValue, given: tuple[Value, ...], bypass: Bypass | None) -> Value:
    """Call a tool (3)."""
    server, tool = content.server, content.tool
    source = f"src:mcp:{segment(server.name)}:{segment(tool.name)}"
    asked_of = Call(operation=f"{server.name}:{tool.name}", labels=tool.labels, source=source)
    values = _arguments(tool, given)

    def effect(ready: Ready) -> Procedure[Came]:
        arguments = {name: ready.content(*key) for key in ready.plan.inputs for name in (key[1],)}
        found: ToolResult = yield Do(lambda: server.call(tool.name, arguments), blocking=True)
        if found.failed:
            raise OperationFailed("the tool says that it failed")
        return Came(found.content, Labels.of(source))

    monitor = run.monitor
    plan = plan_of(monitor.parts, asked_of, values, check=partial(_check, monitor.parts, server.name))
    return settled(run, monitor.perform(plan._replace(effect=effect, bypass=bypass)))


def _check(parts: Parts, server: str, plan: Plan, requests: tuple[Request, ...]) -> Denial | None:
    """Whether the environment has the server (4)."""
    granted = parts.environment.mcps
    if granted is None or server in granted:
        return None
    return Denial(
        code=Code.ENV_ATTENUATION_DENIED,
        operation=plan.shown,
        blocked_by="Environment",
        rule="mcps of the environment does not include the server",
        reason="This server is not granted to the environment that the call stands in",
        operation_labels=plan.leaves,
        suggestions=("Name it in `mcps` of the environment",),
    )


def _arguments(tool: ServedTool, given: tuple[Value, ...]) -> dict[str, object]:
    """Arguments by their names: one object with names of the schema, or one after another. Raises ScriptError."""
    if len(given) == 1 and structure(given[0]) <= pc() and model(given[0]) is dict:
        names = [str(key) for key in _keys(given[0])]
        if not tool.parameters or set(names) <= set(tool.parameters):
            return {name: given[0][name] for name in names}
    if len(given) > len(tool.parameters):
        known = ", ".join(tool.parameters) or "one object"
        raise ScriptError("bad-argument", f"the tool takes {len(tool.parameters)} arguments, and gets {len(given)}",
                          hint=f"It takes {known}.")  # fmt: skip
    return dict(zip(tool.parameters, given, strict=False))


def _keys(value: Value) -> list[Any]:
    from sluicegate.flow.values import asked

    return [asked(key) for key in value.keys()]  # noqa: SIM118 - of a labelled value: asks for its keys alone

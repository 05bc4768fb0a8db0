"""Servers whose tools a script calls: each behind a core of the gateway, with its pins, for one client, which is the script.

1. A server is started in the environment in force, by a command that the monitor has permitted. It has nothing but what a command has.
2. What it lists is compared with the pins and looked through; what is stopped cannot be called.
3. Calls were decided by the monitor before they come here, and their results are labelled there: here nothing is decided again.
4. What a server asks of its client is refused, what it tells is not heard.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Final, TypeVar

from sluicegate import __version__
from sluicegate.flow.environments.run.command import Stage
from sluicegate.flow.errors import FlowError
from sluicegate.reach.mcp.gateway import messages
from sluicegate.reach.mcp.gateway.catalogue import ListedEntry
from sluicegate.reach.mcp.gateway.configuration import ServerLaunch
from sluicegate.reach.mcp.gateway.core import Gateway
from sluicegate.reach.mcp.gateway.decided import GatewayRules
from sluicegate.reach.mcp.gateway.examiner import Examiner
from sluicegate.reach.mcp.gateway.happenings import (
    AskFlow,
    CallPermitted,
    CallSettled,
    ClientSaid,
    Event,
    Examine,
    TakeIn,
    TellFlow,
)
from sluicegate.reach.mcp.gateway.relay import Relay, ServerSide, say
from sluicegate.reach.mcp.scripts.in_environment import EnvironmentServer
from sluicegate.script.evaluate.tools import ServedTool, ServerStart, ToolResult

if TYPE_CHECKING:
    from sluicegate.flow.monitor import Monitor
    from sluicegate.reach.mcp.gateway.pins import Pins

T = TypeVar("T")
_PROTOCOL: Final = "2025-06-18"
_TO_START: Final = 60.0
_MOST_PAGES: Final = 100


class ToolServerError(FlowError):
    """A server does not do what servers do."""

    code = "mcp-server"


class _Decided:
    """Who decides for the core: the monitor has (3)."""

    def __init__(self, examiner: Examiner) -> None:
        self._examiner = examiner

    def decide(self, asked: AskFlow) -> Event:
        return CallPermitted(asked.key, "", asked.values)

    def settle(self, told: TellFlow) -> Event:
        return CallSettled(told.key)

    def examine(self, asked: Examine) -> Event:
        return self._examiner.examine(asked)

    def take_in(self, told: TakeIn) -> None:
        """What nobody asked for is not heard (4)."""


class _ScriptRelay(Relay):
    """A relay whose server runs in an environment."""

    def __init__(
        self, core: Gateway, judge: _Decided, name: str, start: ServerStart, send: Callable[[bytes], None],
        scrub: Callable[[bytes], bytes],
    ) -> None:  # fmt: skip
        self._start = start
        launch = ServerLaunch(command=start.argv)
        super().__init__(core, judge, {name: launch}, lambda each: {}, send, scrub)

    def _reached(self, name: str, launch: ServerLaunch) -> ServerSide:
        from sluicegate.flow.environments.run.serving import ServedProgram

        start = self._start
        stage = Stage(argv=start.argv, executable=start.executable, cwd=start.cwd)
        return EnvironmentServer(
            name, lambda ended: ServedProgram(start.config, start.providers, stage, ended), self.happened
        )


class OpenedServer:
    """One server, as a script knows it."""

    def __init__(self, name: str, loop: asyncio.AbstractEventLoop, timeout: float) -> None:
        self.name, self._loop, self._timeout = name, loop, timeout
        self.relay: Relay | None = None
        self.tools: Mapping[str, ServedTool] = {}
        self._waiting: dict[int, Future[messages.RpcReply]] = {}
        self._ids = 0

    def heard(self, data: bytes) -> None:
        """The core says something to its client."""
        said = messages.read(data)
        if isinstance(said, messages.RpcReply) and isinstance(said.id, int):
            waiting = self._waiting.pop(said.id, None)
            if waiting is not None and not waiting.done():
                waiting.set_result(said)
        elif isinstance(said, messages.RpcRequest):  # 4
            refused = messages.error(messages.NO_METHOD, "a script answers nothing")
            self._say(messages.failure(said.id, refused))

    def _say(self, data: bytes) -> None:
        if self.relay is not None:
            self._loop.call_soon_threadsafe(self.relay.happened, ClientSaid(data))

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        """Ask, and wait for the answer. Raises ToolServerError."""
        self._ids += 1
        id, answer = self._ids, Future[messages.RpcReply]()
        self._waiting[id] = answer
        self._say(messages.request(id, method, messages.encoded(params)))
        try:
            reply = answer.result(self._timeout + 5)
        except TimeoutError:
            raise ToolServerError("the server did not answer in time") from None
        if reply.result is None:
            raise ToolServerError("the server, or the gateway before it, refused what was asked",
                                  hint="See what is stopped with: sluicegate gateway pins")  # fmt: skip
        return messages.decoded(reply.result)

    def begin(self) -> None:
        """Shake hands, and have the list of tools (2). Raises ToolServerError."""
        client = {"name": "sluicegate-script", "version": __version__}
        self.ask("initialize", {"protocolVersion": _PROTOCOL, "capabilities": {}, "clientInfo": client})
        self._say(messages.notification("notifications/initialized", messages.encoded({})))
        found: dict[str, ServedTool] = {}
        cursor: object = None
        for _ in range(_MOST_PAGES):
            page = self.ask("tools/list", {"cursor": cursor} if cursor else {})
            for entry in page.get("tools", ()):
                tool = _tool(self.name, entry)
                found[tool.name] = tool
            cursor = page.get("nextCursor")
            if not cursor:
                break
        self.tools = found

    def call(self, tool: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Call a tool. Raises ToolServerError."""
        return _result(self.ask("tools/call", {"name": tool, "arguments": dict(arguments)}))


class ScriptToolServers:
    """The servers of one script. They end with it."""

    def __init__(self, monitor: Monitor, pins: Callable[[], Pins]) -> None:
        self._monitor, self._make_pins = monitor, pins
        self._pins: Pins | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._servers: list[OpenedServer] = []

    def open(self, start: ServerStart) -> OpenedServer:
        """Start a server (1), and have what it lists. Raises ToolServerError."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=self._loop.run_forever, name="sluicegate-mcp", daemon=True)
            self._thread.start()
            self._in_loop(self._open_pins())
        rules = GatewayRules()
        server = OpenedServer(start.name, self._loop, rules.timeout)
        self._servers.append(server)
        self._in_loop(self._begin(server, start, rules))
        server.begin()
        return server

    async def _open_pins(self) -> None:
        self._pins = self._make_pins()  # in the thread that asks them

    async def _begin(self, server: OpenedServer, start: ServerStart, rules: GatewayRules) -> None:
        assert self._pins is not None  # noqa: S101 - opened before
        launch = ServerLaunch(command=start.argv).told()
        examiner = Examiner(self._monitor, self._pins, {start.name: launch}, say)
        core = Gateway([start.name], rules)
        scrub = self._monitor.parts.scrubber.bytes
        server.relay = _ScriptRelay(core, _Decided(examiner), start.name, start, server.heard, scrub)
        server.relay.start()

    def _in_loop(self, work: Coroutine[Any, Any, T]) -> T:
        assert self._loop is not None  # noqa: S101 - made before
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(_TO_START)

    def close(self) -> None:
        """End all servers."""
        if self._loop is None or self._thread is None:
            return
        for server in self._servers:
            if server.relay is not None:
                self._in_loop(server.relay.close())
        self._in_loop(self._close_pins())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        self._loop = None

    async def _close_pins(self) -> None:
        if self._pins is not None:
            self._pins.close()


def _tool(server: str, entry: Mapping[str, Any]) -> ServedTool:
    """A tool as a script knows it: its parameters in the order of its schema."""
    schema = entry.get("inputSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    names = tuple(properties) if isinstance(properties, dict) else ()
    name = str(entry.get("name", ""))
    listed = ListedEntry(server=server, name=name, shown=name, entry=entry)
    return ServedTool(name=name, parameters=names, labels=tuple(GatewayRules().labels_of(listed)))


def _result(found: Any) -> ToolResult:
    """What came of a call: its structure, or the texts in it."""
    if not isinstance(found, dict):
        return ToolResult(content=None, failed=True)
    failed = found.get("isError") is True
    if "structuredContent" in found and not failed:
        return ToolResult(content=found["structuredContent"], failed=False)
    parts = found.get("content")
    texts = [
        part["text"]
        for part in (parts if isinstance(parts, list) else ())
        if isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str)
    ]
    return ToolResult(content="\n".join(texts), failed=failed)

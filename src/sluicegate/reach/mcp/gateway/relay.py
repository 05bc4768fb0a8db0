"""Moves bytes between a client, the servers and the core, and asks the judge what the core wants to know. Standard input and output
on both sides.

1. A server has a process group of its own, which is ended with the gateway: first its input, then by a signal, then for good.
2. A client that does not read makes the servers wait. A server that does not read is ended when too much waits for it.
3. What servers write on standard error is shown escaped, line by line, and not without end.
4. When the client ends its input, what was asked is still answered, for ``GRACE`` seconds.
5. A credential that a server was given, and says again, is cut out of what goes to the client, and of what is shown.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final, Protocol

from sluicegate.errors import SluicegateError
from sluicegate.reach.errors import UsageError
from sluicegate.reach.mcp.gateway import messages
from sluicegate.reach.mcp.gateway.configuration import ServerLaunch
from sluicegate.reach.mcp.gateway.core import Gateway
from sluicegate.reach.mcp.gateway.happenings import (
    AskFlow,
    ClientSaid,
    Command,
    Event,
    Examine,
    Notice,
    ServerEnded,
    ServerSaid,
    Start,
    Stop,
    TakeIn,
    TellFlow,
    Tick,
    ToClient,
    ToServer,
)
from sluicegate.reach.report.escape import printable

GRACE: Final = 10.0
_PATIENCE: Final = 2.0
_MOST_WAITING: Final = 64 * 1024 * 1024
_MOST_SHOWN: Final = 100
"""Lines of standard error of a server that are shown between two ticks."""

Environment = Callable[[ServerLaunch], Mapping[str, str]]
"""The variables that a server is given, or the header of its credential. Raises SluicegateError where it is not to have one."""


class ServerSide(Protocol):
    """A server, however it is reached."""

    shown: int

    def start(self) -> None: ...
    def send(self, data: bytes, headers: Mapping[str, str] | None, /) -> None: ...
    def kill(self, why: str, /) -> None: ...
    def pause(self, paused: bool, /) -> None: ...
    async def end(self) -> None: ...


class RelayJudge(Protocol):
    """Who answers what the core wants to know (``judge``)."""

    def decide(self, asked: AskFlow, /) -> Event: ...
    def settle(self, told: TellFlow, /) -> Event: ...
    def examine(self, asked: Examine, /) -> Event: ...
    def take_in(self, told: TakeIn, /) -> None: ...


class LineTooLong(Exception):
    """A line has more bytes than a message may have."""


class LineCutter:
    """Cuts bytes into lines."""

    def __init__(self, most: int = messages.MOST_BYTES) -> None:
        self._most = most
        self._parts: list[bytes] = []
        self._size = 0

    def cut(self, data: bytes) -> Iterator[bytes]:
        """The lines that are whole now, without those that are empty. Raises LineTooLong, and goes on behind such a line."""
        start = 0
        while (end := data.find(b"\n", start)) >= 0:
            line = b"".join([*self._parts, data[start:end]]) if self._parts else data[start:end]
            self._parts, self._size, start = [], 0, end + 1
            if line.strip():
                yield line
        if start < len(data):
            self._parts.append(data[start:])
            self._size += len(data) - start
            if self._size > self._most:
                self._parts, self._size = [], 0
                raise LineTooLong


class Relay:
    """A core with its judge and its servers, for one client: ``send`` takes what goes to it, without the credentials that
    ``scrub`` cuts out (5)."""

    def __init__(
        self, core: Gateway, judge: RelayJudge, launches: Mapping[str, ServerLaunch], environment: Environment,
        send: Callable[[bytes], None], scrub: Callable[[bytes], bytes],
    ) -> None:  # fmt: skip
        self._scrub = scrub
        self._core, self._judge, self._environment, self._send = core, judge, environment, send
        self._loop = asyncio.get_running_loop()
        self._servers = {name: self._reached(name, launch) for name, launch in launches.items()}
        self._events: deque[Event] = deque()
        self._busy = False
        self._ticking: asyncio.Task[None] | None = None

    def _reached(self, name: str, launch: ServerLaunch) -> ServerSide:
        if not launch.url:
            return _Process(self, name, launch)
        try:
            from sluicegate.reach.mcp.gateway.http.remote import RemoteAddress, RemoteServer
        except ModuleNotFoundError as error:
            raise UsageError(
                f"the server {name} is reached over HTTP, and {error.name} is not installed",
                hint="pip install 'sluicegate[mcp]'",
            ) from None
        address = RemoteAddress(launch.url, launch.headers, self._core.rules.timeout)
        return RemoteServer(name, address, lambda: self._environment(launch), self.happened)

    def start(self) -> None:
        """Start the servers, and the clock."""
        self.happened(Tick(self._loop.time()))
        for server in self._servers.values():
            server.start()
        self._ticking = self._loop.create_task(self._tick())

    async def settled(self, seconds: float) -> None:
        """Wait until everything that was asked is answered, or so long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._core.asked:
                    await asyncio.sleep(0.01)

    async def close(self) -> None:
        """End the servers; what is out is lost, and settled."""
        if self._ticking is not None:
            self._ticking.cancel()
        await asyncio.gather(*(server.end() for server in self._servers.values()))
        for name in self._servers:
            self.happened(ServerEnded(name, "the gateway ends"))

    async def _tick(self) -> None:
        while True:
            self.happened(Tick(self._loop.time()))
            for server in self._servers.values():
                server.shown = 0
            await asyncio.sleep(1)

    def happened(self, event: Event) -> None:
        """Tell the core, and do what it wants, to the end."""
        self._events.append(event)
        if self._busy:
            return
        self._busy = True
        try:
            while self._events:
                for command in self._core.handle(self._events.popleft()):
                    self._do(command)
        finally:
            self._busy = False

    def _do(self, command: Command) -> None:
        match command:
            case ToClient():
                self._to_client(command.data)
            case ToServer():
                self._servers[command.server].send(command.data, command.headers)
            case AskFlow():
                self._events.append(self._judge.decide(command))
            case TellFlow():
                self._events.append(self._judge.settle(command))
            case Examine():
                self._events.append(self._judge.examine(command))
            case TakeIn():
                self._judge.take_in(command)
            case Start():
                self._servers[command.server].start()
            case Stop():
                say(f"{command.server} is stopped: {command.why}")
                self._servers[command.server].kill(command.why)
            case Notice():
                say(command.text)

    def scrubbed(self, data: bytes) -> bytes:
        """What may be shown of it (5)."""
        return self._scrub(data)

    def _to_client(self, data: bytes) -> None:
        clean = self._scrub(data)
        if clean != data and isinstance(messages.read(clean), messages.Malformed):  # it was not text
            said = messages.read(data)
            id = said.id if isinstance(said, messages.RpcReply) else None
            error = messages.error(messages.INTERNAL_ERROR, "the answer holds a credential, and is withheld")
            clean = messages.failure(id, error)
        self._send(clean)

    def pause(self, paused: bool) -> None:
        """The client does not read (2), or does again."""
        for server in self._servers.values():
            server.pause(paused)


class StdioClient(asyncio.Protocol):
    """The client on standard input and output. ``ended`` is set when it is gone."""

    def __init__(self) -> None:
        self._lines = LineCutter()
        self._relay: Relay | None = None
        self._out: asyncio.WriteTransport | None = None
        self._waiting: list[bytes] = []
        self.is_done = False
        self.ended = asyncio.Event()

    async def serve(self, relay: Relay) -> None:
        """Serve until the client ends, or a signal comes."""
        self._relay = relay
        relay.start()
        try:
            await self.open()
            await self.ended.wait()
            await relay.settled(GRACE if self.is_done else 0)
        finally:
            await relay.close()
            await self.flush()

    async def open(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            self._out, _ = await loop.connect_write_pipe(lambda: _ClientOut(self), _own(1))
            await loop.connect_read_pipe(lambda: self, _own(0))
        except ValueError:
            raise UsageError(
                "the gateway speaks to its client over pipes, and standard input or output is none",
                hint="Have an agent start it: it is named in the agent's configuration in place of the server.",
            ) from None
        for data in self._waiting:
            self.send(data)

    def send(self, data: bytes) -> None:
        if self._out is None:
            self._waiting.append(data)
        elif not self._out.is_closing():
            self._out.write(data + b"\n")

    def data_received(self, data: bytes) -> None:
        try:
            for line in self._lines.cut(data):
                if self._relay is not None:
                    self._relay.happened(ClientSaid(line))
        except LineTooLong:
            self.send(
                messages.failure(None, messages.error(messages.INVALID_REQUEST, "the message is too long"))
            )
            self.ended.set()

    def connection_lost(self, error: Exception | None) -> None:
        self.is_done = error is None
        self.ended.set()

    def pause(self, paused: bool) -> None:
        """The client does not read, or does again."""
        if self._relay is not None:
            self._relay.pause(paused)

    async def flush(self) -> None:
        """Wait until all is written, or nobody reads."""
        out = self._out
        if out is None:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                while out.get_write_buffer_size() and not out.is_closing():
                    await asyncio.sleep(0.005)
        out.close()


class _ClientOut(asyncio.BaseProtocol):
    def __init__(self, client: StdioClient) -> None:
        self._client = client

    def pause_writing(self) -> None:
        self._client.pause(True)

    def resume_writing(self) -> None:
        self._client.pause(False)

    def connection_lost(self, error: Exception | None) -> None:
        self._client.ended.set()


class _Process:
    """A server that was started by a command. Each start is another process; what a former one still says is not heard."""

    def __init__(self, relay: Relay, name: str, launch: ServerLaunch) -> None:
        self._relay, self.name, self._launch = relay, name, launch
        self._running: _Run | None = None
        self.shown = 0

    def start(self) -> None:
        self._running = _Run(self._relay, self.name, self)
        self._running.begin(self._launch)

    def send(self, data: bytes, headers: Mapping[str, str] | None) -> None:
        if self._running is not None:
            self._running.send(data)

    def kill(self, why: str) -> None:
        if self._running is not None:
            self._running.over(why)

    def pause(self, paused: bool) -> None:
        if self._running is not None:
            self._running.pause(paused)

    async def end(self) -> None:
        if self._running is not None:
            await self._running.end()


class _Run(asyncio.SubprocessProtocol):
    """One process of a server."""

    def __init__(self, relay: Relay, name: str, process: _Process) -> None:
        self._relay, self._name, self._process = relay, name, process
        self._lines, self._errors = LineCutter(), LineCutter(64 * 1024)
        self._transport: asyncio.SubprocessTransport | None = None
        self._stdin: Any = None
        self._waiting: list[bytes] = []
        self._told = False
        self._gone = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def begin(self, launch: ServerLaunch) -> None:
        self._task = asyncio.get_running_loop().create_task(self._begin(launch))

    async def _begin(self, launch: ServerLaunch) -> None:
        loop = asyncio.get_running_loop()
        try:
            variables = dict(self._relay._environment(launch))
            transport, _ = await loop.subprocess_exec(
                lambda: self, *launch.command, env=variables, cwd=launch.cwd or None, start_new_session=True
            )
        except (OSError, ValueError, SluicegateError) as error:
            why = (
                error.message
                if isinstance(error, SluicegateError)
                else getattr(error, "strerror", None) or str(error)
            )
            self._gone.set()
            self.over(f"it cannot be started: {why}")
            return
        self._transport = transport
        self._stdin = transport.get_pipe_transport(0)
        if self._told:  # it was stopped before it was there
            self._signal(signal.SIGKILL)
            return
        for data in self._waiting:
            self._stdin.write(data + b"\n")
        self._waiting = []

    def send(self, data: bytes) -> None:
        if self._stdin is None:
            self._waiting.append(data)
        elif not self._stdin.is_closing():
            self._stdin.write(data + b"\n")
            if self._stdin.get_write_buffer_size() > _MOST_WAITING:
                self.over("it does not read what it is sent")

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if self._told:
            return
        if fd == 2:
            self._show(data)
            return
        try:
            for line in self._lines.cut(data):
                if self._told:
                    return
                self._relay.happened(ServerSaid(self._name, line))
        except LineTooLong:
            self.over(f"it sent a line of more than {messages.MOST_BYTES} bytes")

    def _show(self, data: bytes) -> None:
        """What it writes on standard error (3)."""
        with suppress(LineTooLong):
            for line in self._errors.cut(data):
                self._process.shown += 1
                if self._process.shown <= _MOST_SHOWN:
                    said = self._relay.scrubbed(line).decode("utf-8", "replace")
                    say(f"{self._name} says: {said[:2000]}")

    def pipe_connection_lost(self, fd: int, error: Exception | None) -> None:
        if fd == 1:
            self.over("it has ended its output")

    def process_exited(self) -> None:
        self._gone.set()
        code = self._transport.get_returncode() if self._transport is not None else None
        self.over(f"it has ended with {code}")
        if self._transport is not None:
            self._transport.close()

    def pause(self, paused: bool) -> None:
        out: Any = self._transport.get_pipe_transport(1) if self._transport is not None else None
        if out is not None and not out.is_closing():
            (out.pause_reading if paused else out.resume_reading)()

    def over(self, why: str) -> None:
        """It is not spoken with any more."""
        if self._told:
            return
        self._told = True
        self._signal(signal.SIGKILL)
        self._relay.happened(ServerEnded(self._name, f"the server {self._name}: {why}"))

    async def end(self) -> None:
        """End it in an orderly way (1)."""
        if self._task is not None:
            await self._task
        self._told = True
        if self._transport is None:
            return
        if self._stdin is not None:
            self._stdin.close()
        for number in (signal.SIGTERM, signal.SIGKILL):
            with suppress(TimeoutError):
                async with asyncio.timeout(_PATIENCE):
                    await self._gone.wait()
            self._signal(number)
        await self._gone.wait()
        self._transport.close()

    def _signal(self, number: int) -> None:
        if self._transport is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._transport.get_pid(), number)


def on_signals(end: Callable[[], object]) -> None:
    """End in an orderly way when a signal says so."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(number, end)


def _own(fd: int) -> Any:
    """A descriptor of ours for a pipe, which the loop closes."""
    return os.fdopen(os.dup(fd), "rb" if fd == 0 else "wb", buffering=0)


def say(text: str) -> None:
    """Tell whoever runs the gateway. Nobody may be there."""
    with suppress(OSError):
        sys.stderr.write(f"sluicegate: {printable(text)}\n")
        sys.stderr.flush()

"""What stands between the agent of the benchmark and its tools: nothing, ``decide`` and ``settle`` in this process, or a gateway.

Through the gateway everything is as it is for an agent: an MCP client, over HTTP, speaks with ``sluicegate gateway``, which starts the
suite's MCP server. What the user typed is told to the session as a hook of the agent tells it (``--session agent``).
"""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from sluicegate.flow import open_here
from sluicegate.reach.adapters.tool_calls import CallResult, RefusedCall, ToolCalls

Perform = Callable[[Mapping[str, Any]], tuple[Any, str | None]]
"""Does a call with these arguments: its result, and its error."""

Agrees = Callable[[str, Mapping[str, Any]], bool]
"""Whether a person agrees to a tool with these arguments."""


@dataclass(slots=True)
class Called:
    """What came of a call. ``refused`` is the rule, where it was; ``text`` is what the agent reads."""

    text: str
    result: Any = None
    error: str | None = None
    refused: str = ""
    arguments: Mapping[str, Any] | None = None


class Gate(Protocol):
    """What asks before a call and tells after it, in one session."""

    def heard(self, text: str) -> None: ...
    def call(self, tool: str, arguments: Mapping[str, Any], perform: Perform) -> Called: ...
    def end(self) -> None: ...


def plain(result: object) -> Any:
    """A result as the structured content of MCP has it: an object, and everything else under ``result``."""
    found = json.loads(json.dumps(result, default=_plain))
    return found if isinstance(found, dict) else {"result": found}


def _plain(one: Any) -> object:
    return one.model_dump(mode="json") if hasattr(one, "model_dump") else str(one)


def _text(shown: object) -> str:
    return shown if isinstance(shown, str) else json.dumps(shown, ensure_ascii=False)


class OpenGate:
    """Nothing."""

    def heard(self, text: str) -> None: ...
    def end(self) -> None: ...

    def call(self, tool: str, arguments: Mapping[str, Any], perform: Perform) -> Called:
        result, error = perform(arguments)
        return Called(_text(error or plain(result)), result, error, arguments=arguments)


class InProcess:
    """``ToolCalls``, in this process."""

    def __init__(self, calls: ToolCalls) -> None:
        self._calls = calls

    def heard(self, text: str) -> None:
        self._calls.heard(text)

    def end(self) -> None: ...

    def call(self, tool: str, arguments: Mapping[str, Any], perform: Perform) -> Called:
        found = self._calls.ask(tool, arguments)
        if isinstance(found, RefusedCall):
            return Called(found.text, refused=_rule(found))
        result, error = perform(found.arguments)
        told = self._calls.tell(found, error or plain(result))
        if not isinstance(told, CallResult):
            return Called(told.text, refused=_rule(told))
        return Called(_text(told.value), result, error, arguments=found.arguments)


def _rule(refused: RefusedCall) -> str:
    return refused.denial.rule if refused.denial is not None else refused.text


class SuiteTools:
    """The tools of a suite, for its server: what there is, and doing what is called, in the environment of the task of now."""

    def __init__(self, path: Path, tools: list[dict[str, Any]]) -> None:
        self._tools = tools
        self.perform: Callable[[str, Mapping[str, Any]], tuple[Any, str | None]] | None = None
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(path))
        self._listening.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            connection, _ = self._listening.accept()
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rwb") as lines:
            for line in lines:
                lines.write(json.dumps(self._answer(json.loads(line))).encode() + b"\n")
                lines.flush()

    def _answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        if "list" in asked:
            return {"tools": self._tools}
        if self.perform is None:
            return {"content": [{"type": "text", "text": "no task is under way"}], "isError": True}
        result, error = self.perform(asked["call"], asked["arguments"])
        if error:
            return {"content": [{"type": "text", "text": error}], "isError": True}
        shown = plain(result)
        return {"content": [{"type": "text", "text": _text(shown)}], "structuredContent": shown}


class SuiteGateway:
    """A gateway before the server of one suite, with one policy file, and a place of its own."""

    def __init__(self, suite: str, policy: Path, tools: list[dict[str, Any]], *, confirm: bool) -> None:
        self._home = tempfile.TemporaryDirectory(prefix="sluicegate-agentdojo-")
        home = Path(self._home.name)
        (home / "work" / ".git").mkdir(parents=True)
        settings = home / ".config" / "sluicegate"
        settings.mkdir(parents=True, mode=0o700)
        (settings / "policy.toml").write_bytes(policy.read_bytes())
        (settings / "sluicegate.toml").write_text(f'[flow]\npolicy = ["{settings}/policy.toml"]\n')
        self.tools = SuiteTools(home / "socket", tools)
        server = [str(Path(__file__).with_name("suite_server.py")), str(home / "socket")]
        entry = {"command": sys.executable, "args": ["-I", "-S", *server]}
        (home / "mcp.json").write_text(json.dumps({"mcpServers": {suite: entry}}))
        own = {"HOME": str(home), "XDG_STATE_HOME": f"{home}/state", "XDG_CONFIG_HOME": f"{home}/.config"}
        os.environ.update(own)
        os.chdir(home / "work")
        self._process = subprocess.Popen(
            [
                sys.executable, "-m", "sluicegate", "gateway", "--http", "127.0.0.1:0", "--session", "agent",
                "--config", str(home / "mcp.json"), *(["--confirm"] if confirm else []),
            ],
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self._process.stderr is not None
        self.port = 0
        for line in self._process.stderr:
            if "serving at " in line:
                self.port = int(line.partition("serving at ")[2].split(":")[2].split("/")[0])
                break
        if not self.port:
            raise SystemExit(f"the gateway before {suite} does not start")
        threading.Thread(target=self._hear, args=(self._process.stderr,), daemon=True).start()
        self.opened = open_here(program="bench")
        self.monitor = self.opened.__enter__()
        self._count = 0

    def _hear(self, said: Any) -> None:
        for line in said:
            if " is stopped: " in line:  # a tool that cannot be called makes figures of another benchmark
                print(line, end="", file=sys.stderr)

    def episode(self, agrees: Agrees | None) -> ThroughGateway:
        """A client of its own session."""
        self._count += 1
        return ThroughGateway(self, f"task-{self._count}", agrees)

    def cpu(self) -> float:
        """Seconds of CPU that the gateway has taken."""
        words = Path(f"/proc/{self._process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        """End the gateway; nothing is left."""
        self._process.terminate()
        self._process.wait(30)
        self.opened.__exit__(None, None, None)
        os.chdir("/")
        self._home.cleanup()


class ThroughGateway:
    """An MCP client of the gateway, over HTTP."""

    def __init__(self, gateway: SuiteGateway, name: str, agrees: Agrees | None) -> None:
        self._gateway, self._name, self._agrees = gateway, name, agrees
        self._http, self._answers = (http.client.HTTPConnection("127.0.0.1", gateway.port) for _ in range(2))
        self._session: dict[str, str] = {}
        self._count = 0

    def heard(self, text: str) -> None:
        """The user types, as the hook of the agent hears it, and the agent connects."""
        self._gateway.monitor.session(f"agent-{self._name}").heard(text)
        able: dict[str, object] = {"elicitation": {}} if self._agrees is not None else {}
        hello = {"protocolVersion": "2025-11-25", "capabilities": able}
        self._ask("initialize", {**hello, "clientInfo": {"name": "agent", "version": "1"}})
        self._post({"method": "notifications/initialized"}, self._answers).read()

    def call(self, tool: str, arguments: Mapping[str, Any], perform: Perform) -> Called:
        done: list[tuple[Any, str | None, Mapping[str, Any]]] = []

        def here(name: str, sent: Mapping[str, Any]) -> tuple[Any, str | None]:
            assert name == tool
            result, error = perform(sent)
            done.append((result, error, sent))
            return result, error

        self._gateway.tools.perform = here
        answer = self._ask(
            "tools/call", {"name": tool, "arguments": json.loads(json.dumps(dict(arguments), default=str))}
        )
        self._gateway.tools.perform = None
        found = answer.get("result")
        if found is None:
            return Called(str(answer["error"]), refused=str(answer["error"]["message"]))
        text = found["content"][0]["text"]
        refused = found.get("_meta", {}).get("sluicegate/refused")
        if refused is not None or not done:
            return Called(text, refused=refused["rule"] if refused else text)
        result, error, sent = done[-1]
        return Called(text, None if error else result, error, arguments=sent)

    def end(self) -> None:
        self._http.request("DELETE", self._path, headers=self._session)
        self._http.getresponse().read()
        self._http.close()
        self._answers.close()

    @property
    def _path(self) -> str:
        return f"/mcp/{self._name}"

    def _post(self, message: Mapping[str, Any], over: http.client.HTTPConnection) -> http.client.HTTPResponse:
        headers = {
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
            **self._session,
        }
        over.request("POST", self._path, json.dumps({"jsonrpc": "2.0", **message}), headers)
        return over.getresponse()

    def _ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        self._count += 1
        answer = self._post({"id": self._count, "method": method, "params": params}, self._http)
        if session := answer.headers.get("mcp-session-id"):
            self._session = {"mcp-session-id": session}
        if answer.headers.get("content-type") == "application/json":
            whole: dict[str, Any] = json.loads(answer.read())
            return whole
        found: dict[str, Any] = {}
        for line in answer:
            if line.startswith(b"data: "):
                said = json.loads(line[6:])
                if said.get("method") == "elicitation/create":
                    self._answer(said)
                elif said.get("id") == self._count:
                    found = said
        return found

    def _answer(self, asked: Mapping[str, Any]) -> None:
        """The person reads the whole question, and agrees to what is wanted."""
        head, _, rest = asked["params"]["message"].partition("\n\n")
        values, _, _ = rest.rpartition("\n\n")
        operation = head.removeprefix("Policy refuses ").partition(": ")[0]
        tool = operation.partition(":")[2]
        yes = self._agrees is not None and self._agrees(tool, json.loads(values))
        result = {"action": "accept", "content": {"agree": True}} if yes else {"action": "decline"}
        self._post({"id": asked["id"], "result": result}, self._answers).read()

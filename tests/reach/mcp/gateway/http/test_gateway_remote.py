"""Servers over HTTP, and servers and clients of the official library, through the whole gateway."""

import asyncio
import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from gateway_client import HELLO, Client

from sluicegate.reach.errors import UsageError
from sluicegate.reach.mcp.gateway.configuration import of_file
from sluicegate.reach.mcp.gateway.http.remote import MOST_AGAIN, StreamPlace, events_of

TOOLS = [{"name": "echo", "description": "Does echo.", "inputSchema": {"type": "object"}}]


class Handler(BaseHTTPRequestHandler):
    """An MCP server over HTTP, which keeps what it was sent."""

    protocol_version = "HTTP/1.1"
    seen: ClassVar[list[tuple[str, dict[str, str], dict[str, Any]]]] = []
    sessions: ClassVar[set[str]] = set()

    def log_message(self, *args: object) -> None: ...

    def do_GET(self) -> None:
        """The rest of a stream that broke off; the first time it breaks off again, without anything new."""
        last = self.headers.get("last-event-id")
        if last is None:
            self.answer(405, b"")
            return
        self.seen.append(("GET", {"last-event-id": last}, {}))
        again = sum(method == "GET" for method, _, _ in self.seen)
        id, _, _ = last.partition("-")
        told = {"jsonrpc": "2.0", "id": int(id), "result": {"content": [{"type": "text", "text": "resumed"}]}}
        if last.endswith("for-ever"):
            self.answer(200, f"id: {id}-{again}-for-ever\n\n".encode(), {"content-type": "text/event-stream"})
            return
        body = f"id: {id}-2\ndata: {json.dumps(told)}\n\n" if again > 1 else ": nothing yet\n\n"
        self.answer(200, body.encode(), {"content-type": "text/event-stream"})

    def do_DELETE(self) -> None:
        self.sessions.discard(self.headers.get("mcp-session-id", ""))
        self.answer(200, b"")

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        method, id = message.get("method"), message.get("id")
        self.seen.append((method, {key.lower(): value for key, value in self.headers.items()}, message))
        if self.path == "/moved":
            self.send_response(307)
            self.send_header("location", f"http://127.0.0.1:{self.server.server_port}/mcp")
            self.send_header("content-length", "0")
            self.end_headers()
        elif method == "initialize":
            self.sessions.add("s1")
            told = {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "http"},
            }
            self.result(id, told, {"mcp-session-id": "s1"})
        elif "mcp-session-id" in self.headers and self.headers["mcp-session-id"] not in self.sessions:
            self.answer(404, b"")
        elif id is None:
            self.answer(202, b"")
        elif method == "tools/list":
            self.result(id, {"tools": TOOLS})
        elif message["params"]["arguments"].get("stream"):
            several = [
                {"method": "notifications/message", "params": {"level": "info", "data": "on the way"}},
                {"id": id, "result": {"content": [{"type": "text", "text": "streamed"}]}},
            ]
            events = [
                f": note\r\nevent: message\r\ndata: {json.dumps({'jsonrpc': '2.0', **each}, indent=1)}"
                for each in several
            ]
            body = "\r\n\r\n".join(
                event.replace("\n", "\ndata: ").replace("\r\ndata: ", "\r\n") for event in events
            )
            self.answer(200, (body + "\r\n\r\n").encode(), {"content-type": "text/event-stream"})
        elif message["params"]["arguments"].get("break"):
            told = {
                "jsonrpc": "2.0",
                "method": "notifications/message",
                "params": {"level": "info", "data": "1"},
            }
            if message["params"]["arguments"]["break"] == "for ever":
                self.answer(
                    200, f"retry: 0\nid: {id}-for-ever\n\n".encode(), {"content-type": "text/event-stream"}
                )
                return
            body = f"retry: 10\nid: {id}-0\ndata:\n\nid: {id}-1\ndata: {json.dumps(told)}\n\nid: {id}-2\ndata: {{"
            self.answer(200, body.encode(), {"content-type": "text/event-stream"})
        elif message["params"]["arguments"].get("tell"):
            self.result(id, {"content": [{"type": "text", "text": self.headers["authorization"]}]})
        elif message["params"]["arguments"].get("fail"):
            self.answer(500, b"broken", {"content-type": "text/plain"})
        else:
            self.result(id, {"content": [{"type": "text", "text": "plain"}]})

    def result(self, id: object, result: object, headers: dict[str, str] | None = None) -> None:
        body = json.dumps({"jsonrpc": "2.0", "id": id, "result": result}, indent=2).encode()
        self.answer(200, body, {"content-type": "application/json", **(headers or {})})

    def answer(self, code: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(code)
        for key, value in (headers or {}).items():
            self.send_header(key, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def server() -> Iterator[str]:
    Handler.seen, Handler.sessions = [], set()
    served = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served.daemon_threads = True
    thread = threading.Thread(target=served.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{served.server_port}"
    served.shutdown()
    thread.join()
    served.server_close()


def begun(start: Any, tmp_path: Path, entry: dict[str, object], **environ: str) -> Client:
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": {"far": entry}}))
    client: Client = start("--config", str(tmp_path / "mcp.json"))
    return client


def test_a_server_over_http(start, server, tmp_path):
    client = begun(start, tmp_path, {"url": f"{server}/mcp", "headers": {"X-Team": "${WHO:-us}"}})
    assert client.ask("initialize", **HELLO)["result"]["serverInfo"]["name"] == "http"
    client.send(method="notifications/initialized")
    assert client.names() == ["echo"]
    assert client.call("echo") == "plain"
    assert client.call("echo", stream=True) == "streamed"
    assert [each["method"] for each in client.told] == ["notifications/message"]
    assert "500" in client.call("echo", fail=True)
    Handler.sessions.clear()
    assert "session is over" in client.call("echo")
    assert client.call("echo") == "plain", "it has shaken hands again"
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    client.ask("tools/call", name="echo", arguments={}, _meta=meta)
    assert client.end() == 0
    assert Handler.sessions == set(), "the session was ended"
    _, headers, _ = Handler.seen[-1]
    assert (headers["mcp-method"], headers["mcp-name"], headers["mcp-protocol-version"]) == (
        "tools/call",
        "echo",
        "2026-07-28",
    )
    told = {method: headers for method, headers, _ in Handler.seen}
    assert (
        told["tools/list"]["mcp-session-id"] == "s1"
        and told["tools/list"]["mcp-protocol-version"] == "2025-11-25"
    )
    assert told["tools/list"]["x-team"] == "us" and "authorization" not in told["tools/list"]
    order = [method for method, _, _ in Handler.seen]
    assert order[:3] == ["initialize", "notifications/initialized", "tools/list"]


def test_a_stream_that_breaks_off_is_taken_up_again(start, server, tmp_path):
    client = begun(start, tmp_path, {"url": f"{server}/mcp"})
    client.ask("initialize", **HELLO)
    client.send(method="notifications/initialized")
    assert client.call("echo", **{"break": True}) == "resumed"
    assert [told["params"]["data"] for told in client.told if "method" in told] == ["1"]
    asked = [headers["last-event-id"] for method, headers, _ in Handler.seen if method == "GET"]
    assert len(asked) == 2 and all(each.endswith("-1") for each in asked)
    assert "without an answer" in client.call("echo", **{"break": "for ever"})
    assert len([1 for method, _, _ in Handler.seen if method == "GET"]) <= 2 + MOST_AGAIN


def test_no_redirect_is_followed_and_what_cannot_be_reached_is_an_error(start, server, tmp_path):
    client = begun(start, tmp_path, {"url": f"{server}/moved"})
    assert "307" in client.ask("initialize", **HELLO)["error"]["message"]
    assert [path for path, _, _ in Handler.seen] == ["initialize"]
    client.end()
    client = begun(start, tmp_path, {"url": "http://127.0.0.1:9/mcp"})
    assert "cannot be reached" in client.ask("initialize", **HELLO)["error"]["message"]


def test_a_credential_goes_by_the_sealed_path_and_the_client_never_has_it(start, server, tmp_path):
    (tmp_path / "work" / "token.toml").write_text('[auth.far]\nfrom = "env:HUSH"\nas = "FAR_TOKEN"\n')
    (tmp_path / "home" / ".config" / "sluicegate").mkdir(parents=True, mode=0o700)
    mine = tmp_path / "home" / ".config" / "sluicegate" / "sluicegate.toml"
    mine.write_text(f'[flow]\npolicy = ["{tmp_path}/work/token.toml"]\n')
    client = begun(start, tmp_path, {"url": f"{server}/mcp", "sluicegate": {"auth": ["far"]}})
    client.ask("initialize", **HELLO)
    assert client.call("echo") == "plain", client.said()
    assert {headers.get("authorization") for _, headers, _ in Handler.seen} == {"Bearer hush-hush"}
    assert client.call("echo", tell=True) == "Bearer <secret:far>", (
        "a server that says it again does not tell the client"
    )
    client.end()
    assert "hush-hush" not in client.said()


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ({"url": "ftp://host/x"}, "no address"),
        ({"url": "https://user@host/x"}, "no address"),
        ({"url": "https://host/x", "command": "x"}, "no address"),
        ({"url": "http://host/x", "sluicegate": {"auth": ["a"]}}, "in the clear"),
        ({"url": "http://host/x", "headers": {"Authorization": "x"}}, "in the clear"),
        ({"url": "https://host/x", "sluicegate": {"auth": ["a", "b"]}}, "more than one"),
        ({"command": "x", "args": ["${NOT_SET}"]}, "NOT_SET is not set"),
        ({"command": "x", "autoApprove": []}, "autoApprove"),
        ({}, "no command"),
    ],
)
def test_a_configuration_that_is_wrong_says_what(tmp_path, entry, why):
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": {"far": entry}}))
    with pytest.raises(UsageError, match=why):
        of_file(tmp_path / "mcp.json", "", {})


def test_events_are_cut_wherever_the_pieces_end():
    whole = b': hello\r\n\r\nid: 6\nretry: 250\nevent: message\ndata: {"a":\r\ndata: 1}\r\n\r\ndata:2\n\nid: 7\n\nid: 8\ndata: left'

    async def cut(size: int) -> list[bytes]:
        async def pieces():
            for at in range(0, len(whole), size):
                yield whole[at : at + size]

        place = StreamPlace()
        found = [event async for event in events_of(pieces(), place)]
        assert (place.last, place.retry) == (
            "7",
            0.25,
        )  # that of the event which is not whole is not where it goes on
        return found

    for size in range(1, len(whole) + 1):
        assert asyncio.run(cut(size)) == [b'{"a":\n1}', b"2"]


LIBRARY = """
from mcp.server import MCPServer
server = MCPServer("library", instructions="Adds numbers.")

@server.tool()
def add(first: int, second: int) -> int:
    "Add two numbers."
    return first + second

@server.resource("notes://today")
def notes() -> str:
    return "nothing today"

@server.prompt()
def greet(name: str) -> str:
    return f"Say hello to {name}."

server.run("stdio")
"""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_official_client_and_server_meet_through_the_gateway(tmp_path, mode):
    """In both kinds of revision: with a handshake, and without."""
    pytest.importorskip("mcp")
    from mcp import Client as OfficialClient
    from mcp import StdioServerParameters, stdio_client

    (tmp_path / "home").mkdir(mode=0o700)
    (tmp_path / "work" / ".git").mkdir(parents=True)
    (tmp_path / "server.py").write_text(LIBRARY)
    environ = {"HOME": str(tmp_path / "home"), "XDG_STATE_HOME": str(tmp_path / "home" / "state")}
    words = [
        "-m",
        "sluicegate",
        "gateway",
        "--name",
        "lib",
        "--",
        sys.executable,
        str(tmp_path / "server.py"),
    ]

    async def talk() -> None:
        parameters = StdioServerParameters(
            command=sys.executable, args=words, env=environ, cwd=tmp_path / "work"
        )
        # Its own default is the stderr of the test that imported it first.
        transport = stdio_client(parameters, errlog=sys.__stderr__)
        async with OfficialClient(transport, mode=mode) as client:
            listed = await client.list_tools()
            assert [each.name for each in listed.tools] == ["add"]
            found = await client.call_tool("add", {"first": 2, "second": 3})
            assert found.structured_content == {"result": 5}
            resources = await client.list_resources()
            assert str(resources.resources[0].uri) == "notes://today"
            assert (await client.read_resource("notes://today")).contents[0].text == "nothing today"
            prompt = await client.get_prompt("greet", {"name": "Ada"})
            assert "Ada" in prompt.messages[0].content.text

    asyncio.run(talk())

"""Clients over HTTP: who may ask, what belongs together, and the official client."""

import asyncio
import json
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from gateway_client import HELLO, SERVER, Client

from sluicegate.reach.errors import UsageError
from sluicegate.reach.mcp.gateway.configuration import http_address

ACCEPT = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Http:
    """Asks a gateway over HTTP."""

    def __init__(self, url: str) -> None:
        self.url, self.http = url, httpx2.Client(timeout=20, trust_env=False)
        self.session: dict[str, str] = {}

    def post(self, message: object, **headers: str) -> httpx2.Response:
        content = message if isinstance(message, bytes) else json.dumps(message).encode()
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.http.post(self.url, content=content, headers={**ACCEPT, **self.session, **given})

    def ask(self, method: str, id: object = 1, **params: object) -> Any:
        found = self.post({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        if found.headers["content-type"] == "application/json":
            return found.json()
        return [json.loads(line[6:]) for line in found.text.splitlines() if line.startswith("data: ")]

    def shake(self) -> None:
        found = self.post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO})
        self.session = {"mcp-session-id": found.headers["mcp-session-id"]}
        assert self.post({"jsonrpc": "2.0", "method": "notifications/initialized"}).status_code == 202

    def modern(self, method: str, id: object, name: str, **more: object) -> dict[str, Any]:
        params = {"name": name, "arguments": {}, "_meta": META, **more}
        message = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
        headers = {"mcp_protocol_version": "2026-07-28", "mcp_method": method, "mcp_name": name}
        found: dict[str, Any] = self.post(message, **headers).json()
        return found


def served(start: Any, *words: str) -> Http:
    client: Client = start("--http", "127.0.0.1:0", *words)
    while "serving at " not in client.said():
        assert client.process.poll() is None, client.said()
    return Http(client.said().partition("serving at ")[2].split()[0])


@pytest.fixture
def http(start) -> Iterator[Http]:
    found = served(start, "--name", "small", "--", sys.executable, SERVER)
    yield found
    found.http.close()


def test_a_session_of_a_client_that_shakes_hands(http):
    http.shake()
    assert {each["name"] for each in http.ask("tools/list")["result"]["tools"]} >= {"echo"}
    assert (
        http.ask("tools/call", name="echo", arguments={"text": "hi"})["result"]["content"][0]["text"] == "hi"
    )
    notifications = http.ask("tools/call", id="f", name="garbage", arguments={"times": 1})
    assert notifications["result"]
    with http.http.stream("GET", http.url, headers={**http.session, "accept": "text/event-stream"}) as stream:
        assert stream.headers["content-type"] == "text/event-stream"
        assert http.http.get(http.url, headers=http.session).status_code == 409
    other = Http(http.url)
    other.shake()
    assert other.session != http.session
    assert http.http.delete(http.url, headers=http.session).status_code == 200
    assert http.post({"jsonrpc": "2.0", "id": 1, "method": "ping"}).status_code == 404
    assert other.ask("ping")["result"] == {}
    other.http.close()


def test_what_a_server_asks_on_the_way_is_answered_by_another_request(http):
    http.shake()
    call = {"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "ask"}}
    with http.http.stream("POST", http.url, json=call, headers={**ACCEPT, **http.session}) as stream:
        assert stream.headers["content-type"] == "text/event-stream"
        several = (json.loads(line[6:]) for line in stream.iter_lines() if line.startswith("data: "))
        asked = next(several)
        assert asked["method"] == "sampling/createMessage"
        said = {"role": "assistant", "model": "m", "content": {"type": "text", "text": "yes"}}
        assert http.post({"jsonrpc": "2.0", "id": asked["id"], "result": said}).status_code == 202
        answer = next(several)
        assert answer["id"] == 5 and "yes" in answer["result"]["content"][0]["text"]
        assert list(several) == []


def test_who_may_ask(http):
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    http.shake()
    port = http.url.split(":")[2].split("/")[0]
    assert http.post(ping, host=f"localhost:{port}", origin=f"http://localhost:{port}").status_code == 200
    for headers in (
        {"host": f"evil.example:{port}"},
        {"host": "127.0.0.1"},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://localhost"},
    ):
        assert http.post(ping, **headers).status_code == 403, headers
    assert http.post(ping, content_type="text/plain").status_code == 415
    assert http.post(b"{").status_code == 400
    assert http.http.put(http.url).status_code == 405
    assert http.http.get(http.url.replace("/mcp", "/")).status_code == 404
    http.session = {}
    assert http.post(ping).status_code == 400
    assert http.post(ping, mcp_session_id="shared").status_code == 400
    assert http.post(ping, mcp_session_id="nobody's").status_code == 404
    assert (
        http.post({"jsonrpc": "2.0", "id": 1, "result": {}}, mcp_protocol_version="2026-07-28").status_code
        == 400
    )
    with socket.create_connection(("127.0.0.1", int(port))) as raw:
        raw.sendall(
            f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: evil\r\nContent-Length: 0\r\n\r\n".encode()
        )
        assert raw.recv(100)[:12] in (b"", b"HTTP/1.1 400")
    with socket.create_connection(("127.0.0.1", int(port))) as raw:
        raw.sendall(b"\x00\x01 nonsense\r\n\r\n")
        assert raw.recv(100) == b""


def test_headers_say_what_the_message_says_and_clients_without_a_handshake_share_nothing_but_servers(start):
    settings = json.dumps({"era": "modern", "names": ["echo", "slow"]})
    http = served(start, "--name", "small", "--", sys.executable, SERVER, "small", settings)
    assert http.modern("tools/call", 7, "echo")["result"]["resultType"] == "complete"
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "echo", "_meta": META}}
    right = {"mcp_protocol_version": "2026-07-28", "mcp_method": "tools/call", "mcp_name": "echo"}
    assert http.post(body, **right).status_code == 200
    for name, value in (
        ("mcp_name", "other"),
        ("mcp_method", "tools/list"),
        ("mcp_protocol_version", "2025-11-25"),
    ):
        found = http.post(body, **{**right, name: value})
        assert (found.status_code, found.json()["error"]["code"]) == (400, -32020)
    found = http.post(body, mcp_method="tools/call", mcp_name="echo")
    assert found.json()["error"]["code"] == -32020
    for method, meta, status, code in (
        ("tools/call", {}, 400, -32602),
        ("tools/call", {next(iter(META)): "2026-07-28"}, 400, -32602),
        ("tools/call", {**META, next(iter(META)): "2030-01-01"}, 400, -32022),
        ("ping", META, 404, -32601),
        ("nothing/known", META, 404, -32601),
    ):
        other = {**body, "method": method, "params": {"name": "echo", "_meta": meta}}
        version = meta.get(next(iter(META)), "2026-07-28")
        found = http.post(other, **{**right, "mcp_method": method, "mcp_protocol_version": version})
        assert (found.status_code, found.json()["error"]["code"], found.json()["id"]) == (status, code, 1), (
            method
        )
    answers: list[Any] = []

    def ask(nth: int) -> None:
        own = Http(http.url)
        answers.append((nth, own.modern("tools/call", "same", "echo", arguments={"text": str(nth)})))
        own.http.close()

    threads = [threading.Thread(target=ask, args=(nth,)) for nth in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(one["id"] == "same" and one["result"]["content"][0]["text"] == str(n) for n, one in answers)
    assert len(answers) == 8
    http.http.close()


@pytest.mark.parametrize(
    ("text", "environ", "why"),
    [
        ("0.0.0.0:80", {}, "everybody"),
        ("0.0.0.0:80", {"SLUICEGATE_GATEWAY_TOKEN": "short"}, "everybody"),
        ("x", {}, "no address"),
        ("127.0.0.1:99999", {}, "no address"),
    ],
)
def test_an_address_that_others_reach_needs_a_token(text, environ, why):
    with pytest.raises(UsageError, match=why):
        http_address(text, (), environ)


def test_a_token_is_asked_for(start, monkeypatch):
    monkeypatch.setenv("SLUICEGATE_GATEWAY_TOKEN", "0123456789abcdef")
    http = served(start, "--name", "small", "--", sys.executable, SERVER)
    hello = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO}
    assert http.post(hello).status_code == 401
    assert http.post(hello, authorization="Bearer 0123456789abcdee").status_code == 401
    assert http.post(hello, authorization="Bearer 0123456789abcdef").status_code == 200
    http.http.close()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_official_client_over_http(start, tmp_path: Path, mode):
    pytest.importorskip("mcp")
    from mcp import Client as OfficialClient
    from test_gateway_remote import LIBRARY

    (tmp_path / "server.py").write_text(LIBRARY)
    http = served(start, "--name", "lib", "--", sys.executable, str(tmp_path / "server.py"))
    http.http.close()

    async def talk() -> None:
        async with OfficialClient(http.url, mode=mode) as client:
            assert [each.name for each in (await client.list_tools()).tools] == ["add"]
            assert (await client.call_tool("add", {"first": 2, "second": 3})).structured_content == {
                "result": 5
            }

    asyncio.run(talk())

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
from sluicegate.reach.mcp.gateway.http import front

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
def http(start, tmp_path: Path) -> Iterator[Http]:
    found = served(start, "--name", "small", "--", sys.executable, SERVER)
    yield found
    found.http.close()
    assert "Traceback" not in (tmp_path / "stderr").read_text()


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
    assert http.post(ping, mcp_session_id="shared").status_code == 404
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
    for version in ("1999-01-01", "2026-07-28x", ""):
        http.shake()
        assert http.post(ping, mcp_protocol_version=version).status_code == 400, version
    assert http.post(ping, mcp_protocol_version="2025-06-18").status_code == 200
    with socket.create_connection(
        ("127.0.0.1", int(port))
    ) as raw:  # a request behind the end that a proxy does not see
        head = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
        raw.sendall(f"{head}0\r\n\r\nGET /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        said = b""
        while piece := raw.recv(1000):
            said += piece
        assert said.startswith(b"HTTP/1.1 400") and said.count(b"HTTP/1.1") == 1 and b"one length" in said
    with socket.create_connection(("127.0.0.1", int(port))) as raw:
        raw.sendall(b"\x00\x01 nonsense\r\n\r\n")
        assert raw.recv(100) == b""
    for path in (
        "//mcp",
        "/mcp/../mcp",
        "/%6dcp",
        "http://evil.example/mcp",
        "/mcp;x",
        "/mcp/a%00",
        "/mcp/..",
        "/mcp/",
    ):
        with socket.create_connection(("127.0.0.1", int(port))) as raw:
            raw.sendall(
                f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 0\r\n\r\n".encode()
            )
            assert raw.recv(100)[:12] == b"HTTP/1.1 404", path


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
    assert http.post(body, **{**right, "mcp_name": "=?base64?ZWNobw==?="}).status_code == 200
    assert http.post(body, **{**right, "mcp_name": "=?base64?ZWNobx==?="}).status_code == 400
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
        ("0.0.0.0:80", {"SLUICEGATE_GATEWAY_TOKEN": "short"}, "not a token"),
        (
            "127.0.0.1:80",
            {"SLUICEGATE_GATEWAY_TOKEN": "one:0123456789abcdef one:0123456789abcdeg"},
            "not a token",
        ),
        (
            "127.0.0.1:80",
            {"SLUICEGATE_GATEWAY_TOKEN": "one:0123456789abcdef two:0123456789abcdef"},
            "not a token",
        ),
        ("127.0.0.1:80", {"SLUICEGATE_GATEWAY_TOKEN": "0123456789abcdef 0123456789abcdeg"}, "not a token"),
        ("127.0.0.1:80", {"SLUICEGATE_GATEWAY_TOKEN": "a/b:0123456789abcdef"}, "not a token"),
        ("x", {}, "not an address"),
        ("127.0.0.1:99999", {}, "not an address"),
    ],
)
def test_an_address_that_others_reach_needs_a_token(text, environ, why):
    with pytest.raises(UsageError, match=why):
        http_address(text, (), environ)


def test_a_token_is_asked_for_and_nobody_has_the_session_of_another(start, monkeypatch):
    monkeypatch.setenv("SLUICEGATE_GATEWAY_TOKEN", "one:0123456789abcdef two:0123456789abcdeg")
    http = served(start, "--name", "small", "--", sys.executable, SERVER)
    hello = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO}
    assert http.post(hello).status_code == 401
    assert http.post(hello, authorization="Bearer 0123456789abcdee").status_code == 401
    found = http.post(hello, authorization="Bearer 0123456789abcdef")
    own, ping = (
        {"mcp_session_id": found.headers["mcp-session-id"]},
        {"jsonrpc": "2.0", "id": 1, "method": "ping"},
    )
    assert http.post(ping, authorization="Bearer 0123456789abcdef", **own).status_code == 200
    assert http.post(ping, authorization="Bearer 0123456789abcdeg", **own).status_code == 404
    assert http.post(ping, **own).status_code == 401
    headers = {"authorization": "Bearer 0123456789abcdef", "mcp-session-id": own["mcp_session_id"]}
    for name in ("other", "..", "a%2Fb", "", "x" * 65):
        found = http.http.post(f"{http.url}/{name}", json=ping, headers={**ACCEPT, **headers})
        assert found.status_code == 404, name
    http.http.close()


POLICY = """
[sources]
"src:mcp" = "untrusted"

[arguments."small:pay"]
to = { known = true }

[session.results."small:facts"]
facts = ["to"]
"""


def test_what_one_client_without_a_handshake_has_read_endorses_nothing_of_another(start, tmp_path):
    """The account is a fact to whoever has read it, and to nobody else."""
    (tmp_path / "home" / ".config" / "sluicegate").mkdir(parents=True)
    settings = tmp_path / "home" / ".config" / "sluicegate"
    settings.chmod(0o700)
    (settings / "bank.toml").write_text(POLICY)
    (settings / "sluicegate.toml").write_text(f'[flow]\npolicy = ["{settings}/bank.toml"]\n')
    said = json.dumps({"era": "modern", "names": ["facts", "pay"]})
    http = served(start, "--name", "small", "--", sys.executable, SERVER, "small", said)
    iban, client = "DE89370400440532013000", "io.modelcontextprotocol/clientInfo"

    def asks(whose: str, meta: dict[str, object], tool: str, **arguments: object) -> bool:
        other = Http(http.url + whose)
        found = other.modern("tools/call", 1, tool, arguments=arguments, _meta={**META, **meta})
        other.http.close()
        return not found["result"].get("isError")

    clients = [
        ("", {}), ("", {client: {"name": "one", "version": "1"}}), ("", {client: {"name": "two", "version": "1"}}),
        ("/one", {}), ("/two", {}),
    ]  # fmt: skip
    for nth, (whose, meta) in enumerate(clients):
        assert [asks(*each, "pay", to=iban) for each in clients] == [n < nth for n in range(len(clients))]
        assert asks(whose, meta, "facts", fields={"to": iban})
        assert asks(whose, meta, "pay", to=iban)
    assert asks("/one", {client: {"name": "anything"}}, "pay", to=iban)  # the address says who it is
    shaken = Http(http.url + "/one")
    assert (
        shaken.post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO}).status_code == 200
    )
    shaken.http.close()
    http.http.close()


def test_a_limit_holds_for_all_clients_together(start, tmp_path):
    own = {"limits": {"echo": {"calls": 2}}}
    entry = {"command": sys.executable, "args": [SERVER], "sluicegate": own}
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": {"small": entry}}))
    http = served(start, "--config", str(tmp_path / "mcp.json"))
    refused: list[bool] = []
    for _ in range(3):  # a new session is not a new count
        http.session = {}
        http.shake()
        refused.append(http.ask("tools/call", name="echo", arguments={})["result"].get("isError", False))
    assert refused == [False, False, True]
    http.http.close()


def test_who_begins_too_many_sessions_ends_its_own(monkeypatch):
    """Without servers: what is ended, and who is refused."""
    monkeypatch.setattr(front, "MOST_SESSIONS", 3)

    class Core:
        def happened(self, event: object) -> None: ...
        async def close(self) -> None: ...

    async def made(session: object) -> Any:
        return Core()

    async def talk() -> None:
        names: set[str] = set()
        rules = front.FrontRules(hosts=("here",), tokens={"one": "1" * 16, "two": "2" * 16}, flow="g")
        served = front.Front(rules, made)

        async def hello(token: str) -> str:
            headers = {
                "host": "here",
                "authorization": f"Bearer {token * 16}",
                "content-type": "application/json",
            }
            whose = served.principal(headers, "/mcp")
            body = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO}).encode()
            session, answering, is_new = await served.asked(whose, headers, body)
            assert is_new and answering is not None
            session.send(b'{"jsonrpc":"2.0","id":0,"result":{}}')
            return session.name

        for path in ("/mcp", "/mcp/1", "/mcp/one-1"):  # no name says what a session without one is called
            headers = {"host": "here", "authorization": f"Bearer {'1' * 16}"}
            whose = served.principal(headers, path)
            names.add(served._flow(whose, "1"))
        assert names == {"g-one-:1", "g-one-1", "g-one-one-1"}
        others = [await hello("1") for _ in range(3)]
        with pytest.raises(front.Refusal, match="503"):
            await hello("2")
        await hello("1")
        headers = {"host": "here", "authorization": f"Bearer {'1' * 16}"}
        whose = served.principal(headers, "/mcp")
        with pytest.raises(front.Refusal, match="404"):
            served.session(whose, {"mcp-session-id": others[0]})
        assert served.session(whose, {"mcp-session-id": others[1]}).name == others[1]

    asyncio.run(talk())


def test_a_stream_that_broke_off_goes_on_behind_the_last_event(http):
    http.shake()
    call = {"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "ask"}}
    with http.http.stream("POST", http.url, json=call, headers={**ACCEPT, **http.session}) as stream:
        lines = stream.iter_lines()
        last = next(line for line in lines if line.startswith("id: "))[4:]
        asked = json.loads(next(line for line in lines if line.startswith("data: "))[6:])
    said = {"role": "assistant", "model": "m", "content": {"type": "text", "text": "yes"}}
    assert http.post({"jsonrpc": "2.0", "id": asked["id"], "result": said}).status_code == 202

    def rest(place: str) -> list[dict[str, Any]]:
        headers = {**http.session, "accept": "text/event-stream", "last-event-id": place}
        found = http.http.get(http.url, headers=headers)
        assert found.headers["content-type"] == "text/event-stream", found.text
        return [json.loads(line[6:]) for line in found.text.splitlines() if line.startswith("data: ")]

    (answer,) = rest(last)
    assert answer["id"] == 5 and "yes" in answer["result"]["content"][0]["text"]
    assert [each.get("id") for each in rest(last.partition("-")[0] + "-0")] == [asked["id"], 5]
    for place in ("99-1", f"{last}9", "nonsense", "-", "1-\u0661"):
        headers = {**http.session, "last-event-id": place.encode()}
        assert http.http.get(http.url, headers=headers).status_code == 400, place
    other = Http(http.url)
    other.shake()
    headers = {**other.session, "last-event-id": last}
    assert http.http.get(http.url, headers=headers).status_code == 400  # the number counts in its own session
    other.http.close()


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

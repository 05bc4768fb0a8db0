"""A server on loopback that speaks the wires of model vendors, with the personality of a model behind it.

    with ModelServer(personalities.honest) as server:
        server.url("openai-chat")  # what a seat's url is set to
        server.received            # every request that came, in order

A personality takes what was asked and says what the server does: ``Say`` a text as a model's answer, or anything else
that a server or a line can do. Three wires without streaming (OpenAI chat completions and responses, Anthropic messages);
what coding agents need besides (streams, the wire of Gemini) is in ``model_streams``.
"""

from __future__ import annotations

import json
import sys
import threading
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Asked:
    """One question as it came over a wire. ``schema`` is the form that was demanded, ``tools`` what was offered."""

    wire: str
    model: str
    system: str
    user: str
    schema: dict[str, Any]
    tools: list[Any] = field(default_factory=list)
    results: tuple[str, ...] = ()
    """What tools have answered so far, as JSON."""


@dataclass(frozen=True)
class Say:
    """A model's answer. ``stop`` is why it ended: ``stop``, ``length``, ``refusal`` or ``tool``."""

    text: str
    stop: str = "stop"


@dataclass(frozen=True)
class Call:
    """A model's call of a tool. Text as arguments is given to a tool that takes text (``custom`` on the wire of responses).
    ``group`` is the namespace of the tool, where the wire has such."""

    tool: str
    arguments: dict[str, Any] | str
    group: str = ""


@dataclass(frozen=True)
class Raw:
    """These bytes as the body of a reply, whatever they are; ``dropped`` closes the line before the last of them."""

    body: bytes
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    dropped: bool = False


@dataclass(frozen=True)
class Stall:
    """Nothing more, until the server is closed. ``drip`` sends a byte now and then."""

    drip: bool = False


@dataclass(frozen=True)
class HangUp:
    """Close the line without a word."""


Act = Say | Call | Raw | Stall | HangUp
Personality = Callable[[Asked], Act]


@dataclass(frozen=True)
class Received:
    """One request as it came."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class ModelServer:
    """The server; a context manager. ``personality`` may be changed between questions."""

    def __init__(self, personality: Personality) -> None:
        self.personality = personality
        self.received: list[Received] = []
        self.closing = threading.Event()
        handler = type("Handler", (_Handler,), {"of": self})
        self._server = _Server(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def url(self, wire: str) -> str:
        """The address of a seat of that wire."""
        versioned = wire in ("openai-chat", "openai-responses", "codex")
        return f"http://127.0.0.1:{self.port}" + ("/v1" if versioned else "")

    def settle(self) -> None:
        """Wait until every request that was sent has come, and every line is closed. Lines are accepted in their order."""
        urllib.request.urlopen(f"http://127.0.0.1:{self.port}/").close()
        with self._server.changed:
            assert self._server.changed.wait_for(lambda: self._server.lines == 0, timeout=60)

    def __enter__(self) -> ModelServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.lines, self.changed = 0, threading.Condition()

    def process_request(self, request: Any, client_address: Any) -> None:
        with self.changed:
            self.lines += 1
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self.changed:
                self.lines -= 1
                self.changed.notify_all()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Whoever asked may have gone, or been killed; anything else is an error of the test."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    of: ModelServer

    def log_message(self, *_: object) -> None:
        """Nothing."""

    def do_GET(self) -> None:
        self._send(Raw(b'{"object":"list","data":[],"models":[]}'))

    def do_HEAD(self) -> None:
        self._send(Raw(b""))

    def do_POST(self) -> None:
        try:
            body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)))
        except ValueError:
            return self._send(Raw(b"{}", status=400))
        self.of.received.append(Received(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
        wire = wire_of(self.path)
        if wire is None:
            return self._send(Raw(b'{"error":{"message":"no such path"}}', status=404))
        if wire == "count":
            return self._send(Raw(b'{"input_tokens":1,"totalTokens":1}'))
        asked = question(wire, self.path, body)
        act = self.of.personality(asked)
        try:
            self._do(wire, asked, act, streaming=bool(body.get("stream")) or "stream" in self.path.lower())
        except OSError:
            self.close_connection = True  # whoever asked has gone

    def _do(self, wire: str, asked: Asked, act: Act, *, streaming: bool) -> None:
        match act:
            case Say() | Call():
                if streaming:
                    from model_streams import stream

                    return self._send(
                        Raw(stream(wire, asked, act), headers=(("content-type", "text/event-stream"),))
                    )
                self._send(Raw(json.dumps(reply(wire, asked, act)).encode()))
            case Raw():
                self._send(act)
            case Stall():
                self._stall(drip=act.drip)
            case HangUp():
                self.close_connection = True

    def _send(self, raw: Raw) -> None:
        self.send_response(raw.status)
        headers = {"content-type": "application/json", **dict(raw.headers)}
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(raw.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(raw.body[:-1] if raw.dropped else raw.body)
        if raw.dropped:
            self.close_connection = True

    def _stall(self, *, drip: bool) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", "1000000")
        self.end_headers()
        self.close_connection = True
        while not self.of.closing.wait(0.02):
            if drip:
                self.wfile.write(b" ")
                self.wfile.flush()


def wire_of(path: str) -> str | None:
    """Which wire a path is of."""
    plain = path.partition("?")[0]
    if plain.endswith(("/count_tokens", ":countTokens")):
        return "count"
    if plain.endswith("/chat/completions"):
        return "openai-chat"
    if plain.endswith("/responses"):
        return "openai-responses"
    if plain.endswith("/messages"):
        return "anthropic"
    return "gemini" if "enerateContent" in plain else None


def question(wire: str, path: str, body: dict[str, Any]) -> Asked:
    """What a request asks."""
    if wire == "openai-chat":
        form = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
        said = {message["role"]: _text(message["content"]) for message in body["messages"]}
        results = [one for one in body["messages"] if one["role"] == "tool"]
        return Asked(
            wire,
            body["model"],
            said.get("system", ""),
            said.get("user", ""),
            form,
            body.get("tools", []),
            _dumped(results),
        )
    if wire == "openai-responses":
        form = body.get("text", {}).get("format", {}).get("schema", {})
        given = body["input"]
        user = (
            given if isinstance(given, str) else "\n".join(_text(item.get("content", "")) for item in given)
        )
        results = [one for one in given if isinstance(one, dict) and one.get("type", "").endswith("_output")]
        return Asked(
            wire,
            body["model"],
            body.get("instructions", ""),
            user,
            form,
            body.get("tools") or [],
            _dumped(results),
        )
    if wire == "anthropic":
        form = body.get("output_config", {}).get("format", {}).get("schema", {})
        user = "\n".join(
            _text(message["content"]) for message in body["messages"] if message["role"] == "user"
        )
        results = [
            part
            for message in body["messages"]
            for part in message["content"]
            if isinstance(part, dict) and part.get("type") == "tool_result"
        ]
        return Asked(
            wire,
            body["model"],
            _text(body.get("system", "")),
            user,
            form,
            body.get("tools", []),
            _dumped(results),
        )
    user = "\n".join(part.get("text", "") for one in body["contents"] for part in one.get("parts", []))
    system = "\n".join(part.get("text", "") for part in body.get("systemInstruction", {}).get("parts", []))
    model = path.rpartition("/")[2].partition(":")[0]
    tools = [one for tool in body.get("tools", []) for one in tool.get("functionDeclarations", [])]
    form = body.get("generationConfig", {}).get("responseJsonSchema", {})
    parts = [part for one in body["contents"] for part in one.get("parts", [])]
    results = [part for part in parts if "functionResponse" in part]
    return Asked(wire, model, system, user, form, tools, _dumped(results))


def _dumped(results: list[Any]) -> tuple[str, ...]:
    return tuple(json.dumps(one, ensure_ascii=False) for one in results)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content)


def reply(wire: str, asked: Asked, said: Say | Call) -> dict[str, Any]:
    """A whole reply of a wire."""
    if isinstance(said, Call):
        return _called(wire, asked, said)
    if wire == "openai-chat":
        message: dict[str, Any] = {"role": "assistant", "content": said.text, "refusal": None}
        if said.stop == "refusal":
            message |= {"content": None, "refusal": said.text}
        if said.stop == "tool":
            call = {"id": "c", "type": "function", "function": {"name": "shell", "arguments": "{}"}}
            message |= {"content": None, "tool_calls": [call]}
        ended = {"refusal": "stop", "tool": "tool_calls"}.get(said.stop, said.stop)
        return {
            "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": asked.model + "-2026",
            "choices": [{"index": 0, "message": message, "finish_reason": ended, "logprobs": None}],
            "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
        }  # fmt: skip
    if wire == "openai-responses":
        part = {"type": "output_text", "text": said.text, "annotations": []}
        if said.stop == "refusal":
            part = {"type": "refusal", "refusal": said.text}
        item = {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [part]}
        if said.stop == "tool":
            item = {"type": "function_call", "id": "f", "call_id": "c", "name": "shell", "arguments": "{}"}
        cut = said.stop == "length"
        return {
            "id": "resp-1", "object": "response", "created_at": 1, "model": asked.model + "-2026",
            "status": "incomplete" if cut else "completed", "instructions": asked.system,
            "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
            "output": [{"type": "reasoning", "id": "r", "summary": []}, item],
            "usage": {"input_tokens": 11, "output_tokens": 7, "total_tokens": 18},
        }  # fmt: skip
    if wire == "anthropic":
        block: dict[str, Any] = {"type": "text", "text": said.text}
        if said.stop == "tool":
            block = {"type": "tool_use", "id": "t", "name": "shell", "input": {}}
        ended = {"stop": "end_turn", "length": "max_tokens", "tool": "tool_use"}.get(said.stop, said.stop)
        return {
            "id": "msg-1", "type": "message", "role": "assistant", "model": asked.model + "-2026", "content": [block],
            "stop_reason": ended, "stop_sequence": None, "usage": {"input_tokens": 11, "output_tokens": 7},
        }  # fmt: skip
    ended = {"length": "MAX_TOKENS", "refusal": "SAFETY"}.get(said.stop, "STOP")
    candidate = {
        "content": {"role": "model", "parts": [{"text": said.text}]},
        "finishReason": ended,
        "index": 0,
    }
    usage = {"promptTokenCount": 11, "candidatesTokenCount": 7, "totalTokenCount": 18}
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": asked.model}


def _called(wire: str, asked: Asked, call: Call) -> dict[str, Any]:
    """A reply that calls a tool. A call has a name that no other of its conversation has."""
    name = f"call_{len(asked.results)}_{abs(hash(asked.user)) % 10_000}"
    whole = reply(wire, asked, Say("", "tool"))
    if wire == "openai-chat":
        given = {"name": call.tool, "arguments": json.dumps(call.arguments)}
        whole["choices"][0]["message"]["tool_calls"] = [{"id": name, "type": "function", "function": given}]
    elif wire == "openai-responses":
        kind = {"type": "custom_tool_call", "input": call.arguments}
        if not isinstance(call.arguments, str):
            kind = {"type": "function_call", "arguments": json.dumps(call.arguments)}
        group = {"namespace": call.group} if call.group else {}
        whole["output"][-1] = {"id": f"f{name}", "call_id": name, "name": call.tool, **group, **kind}
    elif wire == "anthropic":
        whole["content"] = [{"type": "tool_use", "id": name, "name": call.tool, "input": call.arguments}]
    else:
        part = {"functionCall": {"name": call.tool, "args": call.arguments}}
        whole["candidates"][0]["content"]["parts"] = [part]
    return whole

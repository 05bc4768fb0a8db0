"""The hooks in the real SDK and the agent that it brings along, with a server on this machine that speaks as the model."""

import asyncio
import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

pytest.importorskip("claude_agent_sdk")

from adapter_samples import BAD, GOOD, PROMPT, STEPS, check
from claude_agent_sdk import ClaudeAgentOptions, create_sdk_mcp_server, query, tool

from sluicegate.reach.adapters.claude_agent_sdk import claude_calls, guarded

pytestmark = pytest.mark.filterwarnings("ignore")


class Model(BaseHTTPRequestHandler):
    """Calls one tool after the other, and keeps what it was told of each."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if "count_tokens" in self.path:
            return self.say(json.dumps({"input_tokens": 1}).encode(), "application/json")
        told = [
            part
            for message in asked["messages"]
            if isinstance(message["content"], list)
            for part in message["content"]
            if part["type"] == "tool_result"
        ]
        self.server.told[:] = [json.dumps(part["content"]) for part in told]
        steps = self.server.steps if asked.get("tools") else []
        if len(told) < len(steps):
            name, given = steps[len(told)]
            block = {"type": "tool_use", "id": f"toolu_{len(told)}", "name": name, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(given)}
        else:
            block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": "done"}
        message = {
            "id": "m", "type": "message", "role": "assistant", "model": asked["model"], "content": [],
            "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
        }  # fmt: skip
        end = "tool_use" if block["type"] == "tool_use" else "end_turn"
        if not asked.get("stream"):
            whole = {**message, "content": [{"type": "text", "text": "done"}], "stop_reason": "end_turn"}
            return self.say(json.dumps(whole).encode(), "application/json")
        events = [
            {"type": "message_start", "message": message},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {
                "type": "message_delta",
                "delta": {"stop_reason": end, "stop_sequence": None},
                "usage": {"output_tokens": 1},
            },
            {"type": "message_stop"},
        ]
        stream = "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events)
        return self.say(stream.encode(), "text/event-stream")

    def say(self, body, kind):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def served():
    """The server, while it serves."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    server.steps, server.told = [], []
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def model():
    with served() as server:
        yield server


def options_of(model, bank, project):
    @tool("read_mail", "Read the newest mail.", {})
    async def read_mail(given):
        return {"content": [{"type": "text", "text": bank.read_mail()}]}

    @tool("pay", "Pay an amount to an account.", {"to": str, "amount": int})
    async def pay(given):
        return {"content": [{"type": "text", "text": bank.pay(given["to"], given["amount"])}]}

    return ClaudeAgentOptions(
        mcp_servers={"bank": create_sdk_mcp_server("bank", tools=[read_mail, pay])},
        allowed_tools=["mcp__bank__read_mail", "mcp__bank__pay", "Bash"],
        model="claude-sonnet-4-5",
        cwd=str(project),
        setting_sources=[],
        env={
            "HOME": str(project.parent / "home"),
            "ANTHROPIC_API_KEY": "fake",
            "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{model.server_port}",
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        },
    )


def ran(options):
    async def whole():
        return [message async for message in query(prompt=PROMPT, options=options)]

    return asyncio.run(asyncio.wait_for(whole(), 120))


def test_a_model_that_was_taken_over_pays_nobody_but_whom_the_user_named(model, bank, project, monitor):
    calls = claude_calls(monitor, "chat")
    model.steps = [(f"mcp__bank__{name}", given) for name, given in STEPS]
    ran(guarded(options_of(model, bank, project), calls))
    check(bank, model.told)
    assert "src:mcp:bank:read_mail" in calls.session.labels.names()


def test_the_agents_own_tools_are_what_they_do_and_errors_of_ours_close(model, bank, project, monitor):
    model.steps = [("Bash", {"command": f"touch {project}/made", "description": "x"})]
    calls = claude_calls(monitor, "chat")
    ran(guarded(options_of(model, bank, project), calls))
    assert (project / "made").exists(), model.told

    def failing(*_):
        raise ValueError(BAD + GOOD)

    calls.ask = failing
    (project / "made").unlink()
    ran(guarded(options_of(model, bank, project), calls))
    assert not (project / "made").exists()

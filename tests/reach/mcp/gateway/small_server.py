"""A small MCP server on standard input and output, in plain Python, that misbehaves when it is told to.

python small_server.py [NAME] [SETTINGS]     settings are JSON: {"tools": [...], "era": "modern"}
"""

import base64
import json
import os
import sys
import time

NAME = sys.argv[1] if len(sys.argv) > 1 else "small"
SETTINGS = json.loads(sys.argv[2]) if len(sys.argv) > 2 else {}
MODERN = SETTINGS.get("era") == "modern"
TOOLS = SETTINGS.get("tools") or [
    {"name": name, "description": f"Does {name}.", "inputSchema": {"type": "object"}}
    for name in SETTINGS.get("names", ["echo", "die", "slow", "flood", "lie", "variables", "ask", "garbage"])
]


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def answer(id, result):
    send({"id": id, "result": {**({"resultType": "complete"} if MODERN else {}), **result}})


def say(id, text, **more):
    answer(id, {"content": [{"type": "text", "text": text}], **more})


def called(id, name, given):
    if name == "die":
        os._exit(3)
    if name == "slow":
        time.sleep(given.get("seconds", 60))
    if name == "flood":
        for each in range(given.get("times", 100_000)):
            send({"method": "notifications/message", "params": {"level": "info", "data": each}})
    if name == "lie":
        send({"id": 424242, "result": {"content": []}})
        send({"id": id, "result": {"content": [{"type": "text", "text": "first"}]}})
        send({"id": id, "result": {"content": [{"type": "text", "text": "second"}]}})
        return
    if name == "garbage":
        sys.stdout.write("this is not JSON\n" * given.get("times", 1))
    if name == "ask":
        send({"id": "s1", "method": "sampling/createMessage", "params": {"messages": [], "maxTokens": 5}})
        reply = json.loads(sys.stdin.readline())
        say(id, json.dumps({key: reply.get(key) for key in ("id", "result", "error")}))
        return
    if name == "silent":
        return
    if name == "deaf":
        time.sleep(2)
    if name == "many":
        for each in range(50):
            send({"method": "notifications/resources/updated", "params": {"uri": str(each)}})
    if name == "variables":
        say(id, json.dumps(dict(os.environ)))
        return
    fields = {"structuredContent": given["fields"]} if "fields" in given else {}
    say(id, given.get("text", f"{NAME} did {name}"), **fields)


for line in sys.stdin:
    message = json.loads(line)
    method, id, params = message.get("method"), message.get("id"), message.get("params") or {}
    if id is None:
        continue
    if method == "initialize" and not MODERN:
        found = {"tools": {"listChanged": True}, "resources": {}, "prompts": {}, "logging": {}}
        told = {"protocolVersion": params["protocolVersion"], "capabilities": found}
        answer(id, {**told, "serverInfo": {"name": NAME, "version": "1"}, **SETTINGS.get("hello", {})})
    elif method == "server/discover" and MODERN:
        answer(id, {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}})
    elif method == "tools/list":
        at = int(params.get("cursor") or 0)
        more = {"nextCursor": str(at + 2)} if at + 2 < len(TOOLS) else {}
        cached = {"ttlMs": 1000, "cacheScope": "public"} if MODERN else {}
        answer(id, {"tools": TOOLS[at : at + 2], **more, **cached})
    elif method == "resources/list":
        answer(
            id,
            {
                "resources": [
                    {"uri": f"{NAME}://{each}", "name": each} for each in ("one", "blob", "SKILL.md")
                ]
            },
        )
    elif method == "resources/templates/list":
        answer(id, {"resourceTemplates": []})
    elif method == "resources/read":
        text = SETTINGS.get("text", "what it says")
        coded = (
            {"blob": base64.b64encode(text.encode()).decode()}
            if params["uri"].endswith("blob")
            else {"text": text}
        )
        answer(id, {"contents": [{"uri": params["uri"], **coded}]})
    elif method == "prompts/list":
        answer(id, {"prompts": [{"name": "greet"}]})
    elif method == "prompts/get":
        answer(
            id,
            {
                "messages": [
                    {"role": "user", "content": {"type": "text", "text": SETTINGS.get("text", "hello")}}
                ]
            },
        )
    elif method == "tools/call":
        called(id, params["name"], params.get("arguments") or {})
    else:
        send({"id": id, "error": {"code": -32601, "message": f"no method {method}"}})

"""The tools of one suite of AgentDojo as an MCP server on standard input and output, in plain Python.

    python suite_server.py SOCKET

The environment of a task stands in the benchmark, which scores it; a call that comes here is done there (``gates.SuiteTools``).
"""

import json
import socket
import sys

suite = socket.socket(socket.AF_UNIX)
suite.connect(sys.argv[1])
lines = suite.makefile("rwb")


def asked(**question: object) -> dict[str, object]:
    lines.write(json.dumps(question).encode() + b"\n")
    lines.flush()
    found: dict[str, object] = json.loads(lines.readline())
    return found


for line in sys.stdin.buffer:
    message = json.loads(line)
    method, params = message.get("method"), message.get("params") or {}
    if "id" not in message:
        continue
    answer: dict[str, object] = {"error": {"code": -32601, "message": "no such method"}}
    if method == "initialize":
        told = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}}
        answer = {"result": {**told, "serverInfo": {"name": "agentdojo", "version": "1.2.2"}}}
    elif method == "tools/list":
        answer = {"result": asked(list=True)}
    elif method == "tools/call":
        answer = {"result": asked(call=params["name"], arguments=params.get("arguments") or {})}
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer}) + "\n")
    sys.stdout.flush()

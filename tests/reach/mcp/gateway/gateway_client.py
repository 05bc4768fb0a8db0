"""A client of a gateway that runs, for tests."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

SERVER = str(Path(__file__).with_name("small_server.py"))
GATEWAY = (sys.executable, "-m", "sluicegate", "gateway")
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


class Client:
    """A client of a gateway that runs."""

    def __init__(self, work: Path, *words: str) -> None:
        home = work / "home"
        self.environ = {
            "PATH": os.environ["PATH"], "HOME": str(home), "XDG_STATE_HOME": str(home / "state"), "HUSH": "hush-hush"
        }  # fmt: skip
        if token := os.environ.get("SLUICEGATE_GATEWAY_TOKEN"):
            self.environ["SLUICEGATE_GATEWAY_TOKEN"] = token
        self.error = (work / "stderr").open("w+")
        self.process = subprocess.Popen(
            [*GATEWAY, *words],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.error, cwd=work / "work", env=self.environ,
        )  # fmt: skip
        self.count = 0
        self.told: list[dict[str, Any]] = []

    def send(self, **message: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def next(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.said()
        found: dict[str, Any] = json.loads(line)
        return found

    def ask(self, method: str, **params: object) -> dict[str, Any]:
        self.count += 1
        self.send(id=self.count, method=method, params=params)
        while (found := self.next()).get("id") != self.count:
            self.told.append(found)
        return found

    def call(self, name: str, **arguments: object) -> Any:
        """What a tool says; its error where it is one."""
        found = self.ask("tools/call", name=name, arguments=arguments)
        return found["result"]["content"][0]["text"] if "result" in found else found["error"]["message"]

    def names(self) -> list[str]:
        return [each["name"] for each in self.ask("tools/list")["result"]["tools"]]

    def said(self) -> str:
        self.error.seek(0)
        return self.error.read()

    def end(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(20)

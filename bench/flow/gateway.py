"""What the MCP gateway adds to a call of a tool, and whether it stands when servers do not.

    python bench/flow/gateway.py [--calls N]      one call after another, by turns with and without the gateway
    python bench/flow/gateway.py --soak N         N calls, while servers end, lie, say nonsense, or nothing, at random

The server is the small one of the tests. A soak ends with exit code 1 if a call was answered never or twice, if what was permitted
was not settled, or if descriptors were left.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import select
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SERVER = str(Path(__file__).resolve().parents[2] / "tests/reach/mcp/gateway/small_server.py")
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
TOOLS = ["echo", "lie", "garbage", "silent", "die", "deaf", "many"]
WEIGHTS = [9_000, 300, 300, 20, 40, 3, 30]
WINDOW = 8
WARM = 2_000


class Peer:
    """A process that speaks MCP, and a place of its own for it to stand in."""

    def __init__(self, words: list[str]) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="sluicegate-bench-"))
        (self.home / "work" / ".git").mkdir(parents=True)
        environ = {"PATH": os.environ["PATH"], "HOME": str(self.home), "XDG_STATE_HOME": f"{self.home}/state"}
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            cwd=self.home / "work", env=environ,
        )  # fmt: skip

    def send(self, id: int, method: str, params: Mapping[str, object]) -> None:
        assert self.process.stdin is not None
        line = json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, id: int, method: str, params: Mapping[str, object]) -> bytes:
        assert self.process.stdout is not None
        self.send(id, method, params)
        return self.process.stdout.readline()

    def cpu(self) -> float:
        words = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def resident(self) -> int:
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") // 1024

    def descriptors(self) -> int:
        return sum(1 for _ in Path(f"/proc/{self.process.pid}/fd").iterdir())

    def end(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(60)


def gateway(config: Mapping[str, object]) -> Peer:
    path = Path(tempfile.mkdtemp(prefix="sluicegate-bench-")) / "mcp.json"
    path.write_text(json.dumps(config))
    return Peer([sys.executable, "-m", "sluicegate", "gateway", "--config", str(path)])


def measure(peers: Mapping[str, Peer], calls: int) -> dict[str, dict[str, float]]:
    """One call after another, by turns, so that both have the same machine."""
    taken: dict[str, list[float]] = {name: [] for name in peers}
    for peer in peers.values():
        peer.ask(1, "initialize", HELLO)
        peer.ask(2, "tools/list", {})
        for nth in range(WARM):
            peer.ask(100 + nth, "tools/call", {"name": "echo", "arguments": {"text": f"the text of {nth}"}})
    before = {name: (peer.resident(), peer.cpu()) for name, peer in peers.items()}
    for nth in range(calls):
        for name, peer in peers.items():
            start = time.perf_counter()
            peer.ask(
                100_000 + nth, "tools/call", {"name": "echo", "arguments": {"text": f"the text of {nth}"}}
            )
            taken[name].append(time.perf_counter() - start)
    found: dict[str, dict[str, float]] = {}
    for name, peer in peers.items():
        several = sorted(taken[name])
        cpu = (peer.cpu() - before[name][1]) / calls
        found[name] = {
            "cpu_us": cpu * 1e6,
            "calls_a_second": 1 / cpu,
            "best_tenth_us": several[calls // 10] * 1e6,
            "median_us": several[calls // 2] * 1e6,
            "p99_us": several[calls * 99 // 100] * 1e6,
            "grown_bytes_a_call": (peer.resident() - before[name][0]) * 1024 / calls,
        }
        peer.end()
    return found


def soak(calls: int) -> dict[str, object]:
    entry = {"command": sys.executable, "args": [SERVER, "small", json.dumps({"names": TOOLS})]}
    own = {"timeout": 1.0, "starts": 1_000_000}
    peer = gateway({"mcpServers": {"a": entry, "b": entry}, "sluicegate": own})
    assert peer.process.stdout is not None
    chance = random.Random(17)
    peer.ask(1, "initialize", HELLO)
    peer.ask(2, "tools/list", {})
    answers: Counter[int] = Counter()
    outcome: Counter[str] = Counter()
    descriptors, resident, sent, buffer = peer.descriptors(), peer.resident(), 0, b""
    out = peer.process.stdout.fileno()
    while len(answers) < calls:
        while sent < calls and sent - len(answers) < WINDOW:
            sent += 1
            name = f"{chance.choice('ab')}__{chance.choices(TOOLS, WEIGHTS)[0]}"
            peer.send(
                10 + sent, "tools/call", {"name": name, "arguments": {"times": 120, "text": f"text {sent}"}}
            )
            if chance.random() < 0.002:
                children = (
                    Path(f"/proc/{peer.process.pid}/task/{peer.process.pid}/children").read_text().split()
                )
                if children:
                    subprocess.run(["kill", "-9", chance.choice(children)], check=False, capture_output=True)
        if not select.select([out], [], [], 30)[0]:
            break
        *lines, buffer = (buffer + os.read(out, 1 << 20)).split(b"\n")
        for line in lines:
            found: dict[str, Any] = json.loads(line)
            if "id" in found:
                answers[found["id"]] += 1
                outcome["result" if "result" in found else "error"] += 1
    after = peer.descriptors()
    told: dict[str, object] = {
        "answered": len(answers),
        "twice": sum(count > 1 for count in answers.values()),
        **outcome,
    }
    told |= {"descriptors": after - descriptors, "grown_kib": peer.resident() - resident, "ended": peer.end()}
    events: Counter[str] = Counter()
    for path in peer.home.rglob("*.jsonl"):
        for line in path.read_bytes().splitlines():
            events[json.loads(line)["event"]] += 1
    told |= {"permitted": events["allow"], "settled": events["settle"], "lapsed": events["lapse"]}
    return told


def outcome_is_like(calls: int, told: Mapping[str, object]) -> bool:
    """Whether most calls came to something: servers that are started again are called again."""
    return int(str(told.get("result", 0))) > calls * 0.6


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=2_000)
    parser.add_argument("--soak", type=int, default=0)
    given = parser.parse_args()
    if given.soak:
        told = soak(given.soak)
        print(json.dumps(told))
        right = told["answered"] == given.soak and not told["twice"] and told["permitted"] == told["settled"]
        right = right and outcome_is_like(given.soak, told)
        return 0 if right and not told["lapsed"] and int(str(told["descriptors"])) <= 0 else 1
    entry = {"command": sys.executable, "args": [SERVER]}
    peers = {
        "directly": Peer([sys.executable, SERVER]),
        "gateway": gateway({"mcpServers": {"small": entry}}),
    }
    found = measure(peers, given.calls)
    for name, figures in found.items():
        print(name, json.dumps({key: round(value, 1) for key, value in figures.items()}))
    added = {
        key: found["gateway"][key] - found["directly"][key]
        for key in ("best_tenth_us", "median_us", "p99_us")
    }
    print("added", json.dumps({key: round(value, 1) for key, value in added.items()}))
    return 0


if __name__ == "__main__":
    sys.exit(main())

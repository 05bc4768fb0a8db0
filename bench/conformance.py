"""The public conformance suite of MCP: servers directly, and the gateway before them (`make conformance`).

    python bench/conformance.py FOLDER

In FOLDER npm has put node and the suite, twice: `stable` (0.1.16) and `next` (0.2.0-alpha.12, which knows 2026-07-28), and pip the
library's server for it (`everything`). The policy permits everything: what is asked is whether messages pass as they are. Exit code 1
if a check that passes directly fails through the gateway, or if one of the stable suite fails. Only calls of tools that a server
does not have may differ (``MISSING``): the gateway knows which tools there are.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SERVER = ROOT / "tests/reach/mcp/gateway/conformance_server.py"
POLICY = '[defaults]\nunlabeled = "trusted"\n'
REVISIONS = {
    "2025-06-18": ["--spec-version", "2025-06-18", "--suite", "all"],
    "2025-11-25": ["--requirements", "2025-11-25"],
    "2026-07-28": ["--requirements", "2026-07-28"],
}
MISSING = "tasks-"
"""Scenarios that call tools which the library's server has not."""

Checks = dict[tuple[str, str, int], bool]
"""Whether each check of a scenario passed; the number tells those of one name apart."""


def begin(home: Path, *words: str) -> tuple[subprocess.Popen[str], str]:
    """A gateway over HTTP, and its address."""
    environ = {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_STATE_HOME": f"{home}/state"}
    process = subprocess.Popen(
        [sys.executable, "-m", "sluicegate", "gateway", "--http", "127.0.0.1:0", *words],
        stderr=subprocess.PIPE, text=True, cwd=home / "work", env=environ,
    )  # fmt: skip
    assert process.stderr is not None
    for line in process.stderr:
        if "serving at " in line:
            return process, line.partition("serving at ")[2].strip()
    raise SystemExit("the gateway does not start")


def library_server(folder: Path) -> tuple[subprocess.Popen[str], str]:
    """The library's server for the suite, and its address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "-m", "mcp_everything_server", "--port", str(port), "--log-level", "ERROR"],
        env={**os.environ, "PYTHONPATH": str(folder / "everything")},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    for _ in range(300):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return process, f"http://127.0.0.1:{port}/mcp"
        time.sleep(0.1)
    raise SystemExit("the library's server does not start")


def run(folder: Path, url: str, *words: str) -> Checks:
    """Run the suite in a folder."""
    node = next(folder.rglob("node-*/bin/node"), None) or "node"
    suite = folder / "node_modules/@modelcontextprotocol/conformance/dist/index.js"
    with tempfile.TemporaryDirectory(prefix="sluicegate-conformance-") as out:
        done = subprocess.run(
            [str(node), str(suite), "server", "--url", url, *words, "--output-dir", out],
            capture_output=True, text=True, cwd=folder, check=False,
        )  # fmt: skip
        found: Checks = {}
        for path in sorted(Path(out).rglob("checks.json")):
            scenario = re.sub(r"-\d{4}-\d\d-\d\dT.*", "", path.parent.name.removeprefix("server-"))
            for check in json.loads(path.read_bytes()):
                if check["status"] in ("SUCCESS", "FAILURE"):
                    nth = sum(key[:2] == (scenario, check["id"]) for key in found)
                    found[scenario, check["id"], nth] = check["status"] == "SUCCESS"
    if not found:
        raise SystemExit(f"the suite has not run: {done.stdout[-2_000:]}{done.stderr[-2_000:]}")
    return found


def compared(name: str, directly: Checks, through: Checks) -> bool:
    """Print two runs side by side; whether nothing that is required and passes directly fails through the gateway."""
    required = {key for key in {*directly, *through} if not key[0].startswith(MISSING)}
    lost = [key for key, passed in directly.items() if passed and through.get(key) is False]
    for title, keys in (("", required), (f" ({MISSING}*)", {*directly, *through} - required)):
        if keys:
            told = [
                f"{sum(each.get(key, False) for key in keys)} of {len(keys & each.keys())}"
                for each in (directly, through)
            ]
            print(f"{name}{title}: directly {told[0]}, through the gateway {told[1]}")
    for scenario, check, _ in lost:
        print(f"    lost: {scenario}: {check}")
    for scenario, check, _ in sorted(directly.keys() - through.keys()):
        print(f"    not asked through the gateway: {scenario}: {check}")
    return not any(key in required for key in lost)


def main() -> int:
    folder = Path(sys.argv[1]).resolve()
    home = Path(tempfile.mkdtemp(prefix="sluicegate-conformance-"))
    (home / "work" / ".git").mkdir(parents=True)
    settings = home / ".config" / "sluicegate"
    settings.mkdir(parents=True, mode=0o700)
    (settings / "open.toml").write_text(POLICY)
    (settings / "sluicegate.toml").write_text(f'[flow]\npolicy = ["{settings}/open.toml"]\n')
    processes = []
    right = True
    try:
        first, url = begin(home, "--name", "fixture", "--", sys.executable, str(SERVER))
        processes.append(first)
        (home / "far.json").write_text(json.dumps({"mcpServers": {"far": {"url": url}}}))
        second, far = begin(home, "--config", str(home / "far.json"))
        processes.append(second)
        for name, each in (("standard input and output", url), ("another gateway", far)):
            checks = run(folder / "stable", each)
            print(f"before {name}: {sum(checks.values())} of {len(checks)}")
            right = right and all(checks.values())
        server, direct = library_server(folder)
        processes.append(server)
        (home / "library.json").write_text(json.dumps({"mcpServers": {"library": {"url": direct}}}))
        third, through = begin(home, "--config", str(home / "library.json"))
        processes.append(third)
        for revision, words in REVISIONS.items():
            several = [run(folder / "next", each, *words) for each in (direct, through)]
            right = compared(revision, *several) and right
    finally:
        for process in reversed(processes):
            process.terminate()
            process.wait(30)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())

"""The public conformance suite of MCP against the gateway.

    python bench/conformance.py FOLDER       where npm has put node and @modelcontextprotocol/conformance (make conformance)

Once before a server on standard input and output, and once before another gateway over HTTP. The policy permits everything: what is
asked is whether messages pass as they are. Exit code 1 if a check fails.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SERVER = ROOT / "tests/reach/mcp/gateway/conformance_server.py"
POLICY = '[defaults]\nunlabeled = "trusted"\n'


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


def passes(folder: Path, url: str) -> bool:
    """Run the suite; show its summary."""
    node = next(folder.rglob("node-*/bin/node"), None) or "node"
    suite = folder / "node_modules/@modelcontextprotocol/conformance/dist/index.js"
    done = subprocess.run(
        [str(node), str(suite), "server", "--url", url],
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
    )
    print(done.stdout.partition("=== SUMMARY ===")[2] or done.stdout[-2_000:] + done.stderr[-2_000:])
    return done.returncode == 0


def main() -> int:
    folder = Path(sys.argv[1]).resolve()
    home = Path(tempfile.mkdtemp(prefix="sluicegate-conformance-"))
    (home / "work" / ".git").mkdir(parents=True)
    settings = home / ".config" / "sluicegate"
    settings.mkdir(parents=True, mode=0o700)
    (settings / "open.toml").write_text(POLICY)
    (settings / "sluicegate.toml").write_text(f'[flow]\npolicy = ["{settings}/open.toml"]\n')
    first, url = begin(home, "--name", "fixture", "--", sys.executable, str(SERVER))
    (home / "mcp.json").write_text(json.dumps({"mcpServers": {"far": {"url": url}}}))
    second, far = begin(home, "--config", str(home / "mcp.json"))
    try:
        results = [passes(folder, each) for each in (url, far)]
    finally:
        for process in (second, first):
            process.terminate()
            process.wait(30)
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())

"""Whether Codex calls our hooks: it skips those that its user has not trusted, and says nothing.

Only Codex knows. Its server for editors answers which hooks there are and which of them are trusted (``hooks/list``), without an
account; it is kept from the network by a proxy that is not there.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any, Final

SECONDS: Final = 15.0
_NOWHERE: Final = "http://127.0.0.1:9"
_ASKED: Final = (
    {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "sluicegate", "version": "1"}}},
    {"method": "initialized"},
)


def untrusted(commands: frozenset[str], where: Path) -> list[str] | None:
    """The events of which Codex would not tell these commands in a folder, since nobody has trusted them; None where there is no
    Codex that says so."""
    program = shutil.which("codex")
    found = None if program is None else _listed(program, where)
    if found is None:
        return None
    ours = [one for one in found if one.get("command") in commands]
    return [str(one.get("eventName")) for one in ours if not _called(one)]


def _called(hook: dict[str, Any]) -> bool:
    return hook.get("enabled") is True and (
        hook.get("isManaged") is True or hook.get("trustStatus") == "trusted"
    )


def _listed(program: str, where: Path) -> list[dict[str, Any]] | None:
    """The hooks that Codex knows of in a folder."""
    environ = {
        **os.environ,
        **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), _NOWHERE),
        "NO_PROXY": "",
    }
    try:
        server = subprocess.Popen(  # noqa: S603 - the agent of the user, whose settings we have written
            [program, "app-server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environ,
            cwd=where,
            start_new_session=True,  # the program that npm installs starts another, which has to end with it
        )
    except OSError:
        return None
    assert server.stdin is not None  # noqa: S101 - both are pipes
    assert server.stdout is not None  # noqa: S101
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    reader = threading.Thread(target=_read, args=(server.stdout, lines), daemon=True)
    reader.start()
    try:
        for asked in (*_ASKED, {"id": 2, "method": "hooks/list", "params": {"cwds": [str(where)]}}):
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **asked}).encode() + b"\n")
            server.stdin.flush()
        return _answer(lines)
    except OSError:
        return None
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGKILL)
        server.wait()
        reader.join()
        for pipe in (server.stdin, server.stdout):
            with contextlib.suppress(OSError):
                pipe.close()


def _read(pipe: Any, lines: queue.SimpleQueue[bytes]) -> None:
    for line in pipe:
        lines.put(line)
    lines.put(b"")


def _answer(lines: queue.SimpleQueue[bytes]) -> list[dict[str, Any]] | None:
    end = time.monotonic() + SECONDS
    while True:
        try:
            line = lines.get(timeout=max(0.0, end - time.monotonic()))
            said = json.loads(line)
        except (queue.Empty, ValueError):
            return None
        if isinstance(said, dict) and said.get("id") == 2:
            break
    try:
        return [hook for place in said["result"]["data"] for hook in place["hooks"] if isinstance(hook, dict)]
    except (KeyError, TypeError):
        return None

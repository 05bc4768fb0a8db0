"""Whether a coding agent has started this process, or what started it: by the processes above, where the system tells them (Linux).

What stands in the environment says so as well (``known.agents``), and can be taken out by whoever starts a program. Who is above cannot be
chosen so easily: a program that lets go of its parent has no terminal any more, and has to make one.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

AGENTS: Final = frozenset({"claude", "codex", "gemini", "copilot", "cursor-agent", "opencode", "openclaw"})
_MOST: Final = 64


def agent_above(proc: Path = Path("/proc"), start: int | None = None) -> str:
    """The name of the nearest agent above; empty where none is seen."""
    process = os.getppid() if start is None else start
    for _ in range(_MOST):
        if process <= 1:
            break
        try:
            words = (proc / str(process) / "cmdline").read_bytes().split(b"\0")
            fields = (proc / str(process) / "stat").read_bytes().rpartition(b")")[2].split()
        except OSError:
            break
        # Of an interpreter, the program is the first argument that is a path: node, then where the agent lies.
        named = [Path(os.fsdecode(word)).name.removesuffix(".js") for word in words[:3] if word[:1] != b"-"]
        found = next((name for name in named if name in AGENTS), "")
        if found:
            return found
        process = int(fields[1])
    return ""

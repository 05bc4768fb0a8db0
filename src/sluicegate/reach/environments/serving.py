"""The servers of an environment, behind the gateway: what ``@mcpConfig()`` says, as a file that an agent is started with.

    { servers: [ { name: "files", tools: ["read_file"] }, { module: "./tools.mld", tools: "*" } ] }

1. A ``name`` is that of a server in the environment's ``mcp.json``, a ``module`` a script whose functions are served. Nothing is fetched.
2. The agent is given one server, the gateway: all calls pass it. What ``tools`` leaves out is not shown.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from sluicegate.reach.environments.named import entry_of
from sluicegate.reach.errors import UsageError
from sluicegate.reach.mcp.gateway.configuration import OwnPart, ServerEntry

_OURS: Final = (sys.executable, "-m", "sluicegate")


def servers_of(said: object, known: Mapping[str, ServerEntry], folder: Path) -> dict[str, ServerEntry]:
    """The servers that ``@mcpConfig()`` names (1). Raises UsageError."""
    listed = said.get("servers") if isinstance(said, dict) else None
    if not isinstance(listed, list):
        raise UsageError("@mcpConfig says no servers", hint="It gives { servers: [ { name, tools } ] }.")
    found: dict[str, ServerEntry] = {}
    for each in listed:
        if not isinstance(each, dict) or set(each) - {"name", "module", "tools"}:
            raise UsageError("a server of @mcpConfig has `name` or `module`, and `tools`")
        name, entry = _server(each, known, folder)
        found[name] = replace(
            entry, sluicegate=replace(entry.sluicegate, tools=_tools(each.get("tools", "*")))
        )
    return found


def _server(
    each: Mapping[str, Any], known: Mapping[str, ServerEntry], folder: Path
) -> tuple[str, ServerEntry]:
    written = str(each.get("name") or each.get("module") or "")
    if written.endswith(".mld"):
        path = (folder / written).resolve()
        if not path.is_file():
            raise UsageError("a module that @mcpConfig names is not there", hint=f"It would be {path}.")
        return path.stem, ServerEntry(command=_OURS[0], args=(*_OURS[1:], "mcp", str(path)))
    if written in known:
        return written, known[written]
    names = ", ".join(known) or "none"
    raise UsageError(
        "@mcpConfig names a server that the environment has not, and nothing is fetched",
        hint=f"Put it into its mcp.json, which has: {names}.",
    )


def _tools(said: object) -> tuple[str, ...]:
    if said == "*":
        return OwnPart().tools
    if isinstance(said, list) and all(isinstance(each, str) for each in said):
        return tuple(said)
    raise UsageError('`tools` of a server is "*" or a list of names')


@contextmanager
def agent_file(servers: Mapping[str, ServerEntry]) -> Iterator[Path]:
    """A file of MCP servers for an agent, with the gateway before these as the only one (2)."""
    with TemporaryDirectory(prefix="sluicegate-env-") as folder:
        behind, given = Path(folder, "gateway.json"), Path(folder, "agent.json")
        entries = {name: entry_of(each) for name, each in servers.items()}
        behind.write_bytes(msgspec.json.encode({"mcpServers": entries}))
        gateway = {"command": _OURS[0], "args": [*_OURS[1:], "gateway", "--config", str(behind)]}
        own = {"sluicegate": gateway} if servers else {}
        given.write_bytes(msgspec.json.encode({"mcpServers": own}))
        yield given

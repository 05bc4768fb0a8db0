"""An environment, captured from what an agent is configured with now: its MCP servers, without what is secret in them.

1. Settings are those that ``known.agents`` knows, the user's before the project's; of two servers of one name the project's stands.
2. Values of ``env`` and ``headers`` are not taken: ``${NAME}`` stands there, which is filled when the servers are started. What looks like
   a key in an argument or an address is left out in the same way.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from sluicegate.known.agents import AGENTS, Agent
from sluicegate.reach.environments.keys import keys_in, means_a_key
from sluicegate.reach.environments.named import NamedEnvironment
from sluicegate.reach.errors import UsageError
from sluicegate.reach.hooks.commented_json import plain
from sluicegate.reach.mcp.gateway.configuration import ServerEntry
from sluicegate.tuples import NamedTuple

_KEYS: Final = ("mcpServers", "mcp_servers", "servers")
_COMMANDS: Final[Mapping[str, str]] = {
    "Claude Code": "claude -p @prompt --mcp-config @mx.mcp.config --strict-mcp-config",
    "Codex": "codex exec @prompt",
    "Gemini CLI": "gemini -p @prompt",
    "OpenCode": "opencode run @prompt",
}
"""How an agent is asked once. Only the first takes the servers of the environment from a file."""

_MODULE: Final = """// {title}, captured from the settings of {agent}.
// `sluicegate env spawn` runs @spawn, `sluicegate env shell` @shell.

profiles {{
  full: {{ requires: {{ sh, network }}, description: "All servers" }},
  readonly: {{ requires: {{ }}, description: "No server" }}
}}

exe @spawn(prompt) = run cmd {{ {once} }}
exe @shell(line) = run cmd {{ {once_line} }}

exe @mcpConfig() = when [
  @mx.profile == "full" => {{ servers: [{servers}] }}
  * => {{ servers: [] }}
]

export {{ @spawn, @shell, @mcpConfig }}
"""


class Captured(NamedTuple):
    """What was captured. ``files`` are the settings that were read; ``left_out`` names what has to be set before it runs."""

    environment: NamedEnvironment
    files: tuple[Path, ...]
    left_out: tuple[str, ...]


def captured(name: str, agent: str, home: Path, project: Path) -> Captured:
    """An environment with the servers of an agent. Raises UsageError."""
    known = next((each for each in AGENTS if each.name.lower() == agent.lower()), None)
    if known is None or known.name not in _COMMANDS:
        raise UsageError(
            f"no environment is captured from {agent!r}", hint=f"There are: {', '.join(_COMMANDS)}."
        )
    servers: dict[str, ServerEntry] = {}
    files: list[Path] = []
    left_out: dict[str, None] = {}
    for path in _settings(known, home, project):
        found = _servers_in(path, project)
        files += [path] if found else []
        for key, entry in found.items():
            servers[key] = _without_secrets(key, entry, left_out)
    once = _COMMANDS[known.name]
    module = _MODULE.format(
        title=name,
        agent=known.name,
        once=once,
        once_line=once.replace("@prompt", "@line"),
        servers=", ".join(f'{{ name: {json.dumps(each)}, tools: "*" }}' for each in servers),
    )
    return Captured(NamedEnvironment(module=module, servers=servers), tuple(files), tuple(left_out))


def _settings(agent: Agent, home: Path, project: Path) -> Iterator[Path]:
    """The settings of an agent, the user's first (1)."""
    for root, words in ((home, agent.settings[1]), (project, agent.settings[0])):
        for word in words.split():
            path = root / word.replace("%20", " ")
            if path.is_file() and not path.is_symlink():
                yield path


def _servers_in(path: Path, project: Path) -> dict[str, ServerEntry]:
    """The servers that a file of settings names."""
    try:
        text = path.read_text(encoding="utf-8")
        data: Any = tomllib.loads(text) if path.suffix == ".toml" else json.loads(plain(text))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(data, dict):
        return {}
    projects = data.get("projects")
    own = projects.get(str(project)) if isinstance(projects, dict) else None
    found: dict[str, ServerEntry] = {}
    for each in (data, own):
        for key in _KEYS:
            named = each.get(key) if isinstance(each, dict) else None
            if isinstance(named, dict):
                found.update(
                    {str(name): _entry(said) for name, said in named.items() if isinstance(said, dict)}
                )
    return found


def _entry(said: Mapping[str, Any]) -> ServerEntry:
    """One server, of what it says the parts that the gateway knows."""

    def texts(key: str) -> dict[str, str]:
        found = said.get(key)
        return {str(name): str(value) for name, value in found.items()} if isinstance(found, dict) else {}

    args = said.get("args")
    return ServerEntry(
        command=str(said.get("command", "")),
        args=tuple(str(each) for each in args) if isinstance(args, list) else (),
        env=texts("env"),
        cwd=str(said.get("cwd", "")),
        url=str(said.get("url", "")),
        headers=texts("headers"),
    )


def _without_secrets(name: str, entry: ServerEntry, left_out: dict[str, None]) -> ServerEntry:
    """A server with nothing secret in it (2)."""
    prefix = "".join(char if char.isascii() and char.isalnum() else "_" for char in name).upper()

    def variable(key: str) -> str:
        left_out[key] = None
        return f"${{{key}}}"

    def masked(text: str, key: str) -> str:
        for start, end in reversed(keys_in(text)):
            text = f"{text[:start]}{variable(key)}{text[end:]}"
        return text

    headers = {
        key: variable(f"{prefix}_{''.join(c if c.isalnum() else '_' for c in key).upper()}")
        for key in entry.headers
    }
    return replace(
        entry,
        args=tuple(
            variable(f"{prefix}_ARGUMENT_{at}")
            if before.startswith("-") and "=" not in before and means_a_key(before)
            else masked(each, f"{prefix}_ARGUMENT_{at}")
            for at, (before, each) in enumerate(zip(("", *entry.args), entry.args, strict=False))
        ),
        url=masked(entry.url, f"{prefix}_ADDRESS"),
        env={key: variable(key) for key in entry.env},
        headers=headers,
    )

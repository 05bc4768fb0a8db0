"""The real coding agents, each with a home of its own: how it is set up, called, and told by a model to do something.

Every agent is set up so that it asks nobody and holds nothing back itself. What does not happen, our hook has refused.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from model_server import Call

BUILD = Path(__file__).resolve().parents[2] / "build" / "agents" / "node_modules"
SERVER = Path(__file__).with_name("mcp_tracker.py")
LONGEST = 120
"""Seconds. The slowest of all runs takes twelve."""


@dataclass(frozen=True)
class Sh:
    command: str


@dataclass(frozen=True)
class Read:
    path: str


@dataclass(frozen=True)
class Write:
    path: str
    text: str


@dataclass(frozen=True)
class Edit:
    path: str
    old: str
    new: str


@dataclass(frozen=True)
class Fetch:
    url: str


@dataclass(frozen=True)
class Mcp:
    """A tool of the server ``tracker`` (``mcp_tracker``)."""

    tool: str
    arguments: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Sub:
    """A sub-agent, what it does, and what it is told besides."""

    steps: tuple[Step, ...]
    words: str = ""


Step = Sh | Read | Write | Edit | Fetch | Mcp | Sub


@dataclass(frozen=True)
class World:
    """What one run stands in: a home, a project, and where its model listens."""

    home: Path
    project: Path
    model: str
    outbox: Path

    def environ(self, **more: str) -> dict[str, str]:
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        return {"PATH": path, "HOME": str(self.home), "TERM": "dumb", "LANG": "C.UTF-8", **more}


def _json(path: Path, said: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(said, indent=2))


def _run(command: Sequence[str], world: World, environ: Mapping[str, str]) -> str:
    """All that it says. It is killed after a while, and then says so."""
    try:
        done = subprocess.run(
            command,
            cwd=world.project,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=LONGEST,
        )
    except subprocess.TimeoutExpired as late:
        return f"KILLED after {LONGEST} s\n{late.stdout!r}\n{late.stderr!r}"
    return f"exit {done.returncode}\n" + (done.stdout + done.stderr).decode(errors="replace")


def _tool(names: Iterable[str], *wanted: str) -> str | None:
    there = set(names)
    return next((name for name in wanted if name in there), None)


def _patch(step: Write | Edit) -> str:
    if isinstance(step, Write):
        lines = "\n".join(f"+{line}" for line in step.text.splitlines())
        return f"*** Begin Patch\n*** Add File: {step.path}\n{lines}\n*** End Patch\n"
    old = "\n".join(f"-{line}" for line in step.old.splitlines())
    new = "\n".join(f"+{line}" for line in step.new.splitlines())
    return f"*** Begin Patch\n*** Update File: {step.path}\n@@\n{old}\n{new}\n*** End Patch\n"


class Claude:
    name = "claude"
    binary = next(BUILD.glob("@anthropic-ai/claude-code-*/claude"), BUILD / "claude")

    def set_up(self, world: World) -> None:
        tools = ["Bash", "Read", "Write", "Edit", "WebFetch", "Agent", "Task", "Glob", "Grep", "mcp__tracker"]
        settings = {"permissions": {"allow": tools}, "skipWebFetchPreflight": True}
        _json(world.home / ".claude/settings.json", settings)
        server = {"command": sys.executable, "args": [str(SERVER), str(world.outbox)]}
        _json(world.home / "mcp.json", {"mcpServers": {"tracker": server}})

    def run(self, world: World, prompt: str) -> str:
        environ = world.environ(
            ANTHROPIC_API_KEY="none",
            ANTHROPIC_BASE_URL=world.model,
            DISABLE_AUTOUPDATER="1",
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
            IS_SANDBOX="1",
            ENABLE_TOOL_SEARCH="false",
        )
        command = [str(self.binary), "-p", prompt, "--model", "claude-sonnet-4-5", "--output-format", "json"]
        more = ["--permission-mode", "bypassPermissions", "--mcp-config", str(world.home / "mcp.json")]
        return _run([*command, *more, "--strict-mcp-config"], world, environ)

    def call(self, step: Step, tools: Sequence[Any], marker: str) -> Call | None:
        names = [tool.get("name", "") for tool in tools]
        match step:
            case Sh(command):
                return Call("Bash", {"command": command, "description": "x"})
            case Read(path):
                return Call("Read", {"file_path": path})
            case Write(path, text):
                return Call("Write", {"file_path": path, "content": text})
            case Edit(path, old, new):
                return Call("Edit", {"file_path": path, "old_string": old, "new_string": new})
            case Fetch(url):
                return Call("WebFetch", {"url": url, "prompt": "what does it say"})
            case Mcp(tool, arguments):
                return Call(f"mcp__tracker__{tool}", dict(arguments))
            case Sub():
                given = {
                    "description": "x",
                    "prompt": marker,
                    "subagent_type": "general-purpose",
                    "run_in_background": False,
                }
                return Call(_tool(names, "Agent", "Task") or "Agent", given)


class Codex:
    name = "codex"
    binary = BUILD / ".bin" / "codex"

    def set_up(self, world: World) -> None:
        home = world.home / ".codex"
        home.mkdir(parents=True)
        (home / "config.toml").write_text(
            'model = "gpt-5.5"\nmodel_provider = "scripted"\napproval_policy = "never"\nsandbox_mode = "danger-full-access"\n'
            f'[model_providers.scripted]\nname = "scripted"\nbase_url = "{world.model}/v1"\nwire_api = "responses"\nenv_key = "KEY"\n'
            f"[mcp_servers.tracker]\ncommand = {json.dumps(sys.executable)}\nargs = {json.dumps([str(SERVER), str(world.outbox)])}\n"
        )

    def run(self, world: World, prompt: str) -> str:
        command = [
            str(self.binary),
            "exec",
            "--skip-git-repo-check",
            "--json",
            "--dangerously-bypass-hook-trust",
            prompt,
        ]
        return _run(command, world, world.environ(KEY="none"))

    def call(self, step: Step, tools: Sequence[Any], marker: str) -> Call | None:
        names = [tool.get("name", "") for tool in tools]
        shell = _tool(names, "exec_command", "shell_command", "shell") or "exec_command"
        word = "cmd" if shell == "exec_command" else "command"
        match step:
            case Sh(command):
                return Call(shell, {word: command})
            case Read(path):
                return Call(shell, {word: f"cat {path}"})
            case Write() | Edit():
                return Call("apply_patch", _patch(step))
            case Mcp(tool, arguments):
                return Call(tool, dict(arguments), group="mcp__tracker")
            case Sub():
                return Call("spawn_agent", {"message": marker}, group="multi_agent_v1")
        return None


class Gemini:
    name = "gemini"
    binary = BUILD / ".bin" / "gemini"

    def set_up(self, world: World) -> None:
        server = {"command": sys.executable, "args": [str(SERVER), str(world.outbox)], "trust": True}
        _json(
            world.home / ".gemini/settings.json",
            {
                "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
                "general": {"disableAutoUpdate": True},
                "privacy": {"usageStatisticsEnabled": False},
                "mcpServers": {"tracker": server},
            },
        )

    def run(self, world: World, prompt: str) -> str:
        environ = world.environ(GEMINI_API_KEY="none", GOOGLE_GEMINI_BASE_URL=world.model)
        return _run([str(self.binary), "--yolo", "-m", "gemini-2.5-flash", "-p", prompt], world, environ)

    def call(self, step: Step, tools: Sequence[Any], marker: str) -> Call | None:
        match step:
            case Sh(command):
                return Call("run_shell_command", {"command": command, "description": "x"})
            case Read(path):
                return Call("read_file", {"file_path": path})
            case Write(path, text):
                return Call("write_file", {"file_path": path, "content": text})
            case Edit(path, old, new):
                return Call(
                    "replace", {"file_path": path, "instruction": "x", "old_string": old, "new_string": new}
                )
            case Fetch(url):
                return Call("web_fetch", {"prompt": f"summarize {url}"})
            case Mcp(tool, arguments):
                return Call(f"mcp_tracker_{tool}", dict(arguments))
            case Sub():
                return Call("invoke_agent", {"agent_name": "generalist", "prompt": marker})


class Copilot:
    name = "copilot"
    binary = BUILD / ".bin" / "copilot"

    def set_up(self, world: World) -> None:
        server = {
            "type": "local",
            "command": sys.executable,
            "args": [str(SERVER), str(world.outbox)],
            "tools": ["*"],
        }
        _json(world.home / ".copilot/mcp-config.json", {"mcpServers": {"tracker": server}})

    def run(self, world: World, prompt: str) -> str:
        environ = world.environ(
            COPILOT_OFFLINE="true",
            COPILOT_PROVIDER_BASE_URL=world.model,
            COPILOT_PROVIDER_TYPE="anthropic",
            COPILOT_PROVIDER_API_KEY="none",
            COPILOT_MODEL="claude-sonnet-4.5",
            COPILOT_AUTO_UPDATE="false",
        )
        return _run([str(self.binary), "-p", prompt, "--yolo", "--no-color"], world, environ)

    def call(self, step: Step, tools: Sequence[Any], marker: str) -> Call | None:
        match step:
            case Sh(command):
                return Call("bash", {"command": command, "description": "x"})
            case Read(path):
                return Call("view", {"path": path})
            case Write(path, text):
                return Call("create", {"path": path, "file_text": text})
            case Edit(path, old, new):
                return Call("edit", {"path": path, "old_str": old, "new_str": new})
            case Mcp(tool, arguments):
                return Call(f"tracker-{tool}", dict(arguments))
            case Sub():
                given = {
                    "description": "x",
                    "prompt": marker,
                    "agent_type": "general-purpose",
                    "name": "helper",
                }
                return Call("task", given)
        return None


_PLUGIN = "1.18.33"


class OpenCode:
    name = "opencode"
    binary = BUILD / "opencode-linux-x64-baseline" / "bin" / "opencode"

    def set_up(self, world: World) -> None:
        server = {
            "type": "local",
            "command": [sys.executable, str(SERVER), str(world.outbox)],
            "enabled": True,
        }
        provider = {
            "npm": "@ai-sdk/anthropic",
            "name": "scripted",
            "options": {"baseURL": f"{world.model}/v1", "apiKey": "none"},
            "models": {
                "claude-sonnet-4-5": {"name": "scripted", "limit": {"context": 200_000, "output": 8_000}}
            },
        }
        _json(
            world.home / ".config/opencode/opencode.json",
            {
                "provider": {"scripted": provider},
                "model": "scripted/claude-sonnet-4-5",
                "small_model": "scripted/claude-sonnet-4-5",
                "mcp": {"tracker": server},
                "autoupdate": False,
                "share": "disabled",
            },
        )

    def run(self, world: World, prompt: str) -> str:
        # What it would fetch for plugins, and wait a minute and a half for where there is no network.
        place = world.home / ".config/opencode"
        _json(place / "package.json", {"dependencies": {"@opencode-ai/plugin": _PLUGIN}})
        (place / "package-lock.json").write_bytes((BUILD.parent / "package-lock.json").read_bytes())
        (place / "node_modules").symlink_to(BUILD)
        environ = world.environ(OPENCODE_DISABLE_MODELS_FETCH="1", OPENCODE_DISABLE_LSP_DOWNLOAD="1")
        return _run([str(self.binary), "run", "--auto", prompt], world, environ)

    def call(self, step: Step, tools: Sequence[Any], marker: str) -> Call | None:
        match step:
            case Sh(command):
                return Call("bash", {"command": command, "description": "x"})
            case Read(path):
                return Call("read", {"filePath": path})
            case Write(path, text):
                return Call("write", {"filePath": path, "content": text})
            case Edit(path, old, new):
                return Call("edit", {"filePath": path, "oldString": old, "newString": new})
            case Fetch(url):
                return Call("webfetch", {"url": url, "format": "text"})
            case Mcp(tool, arguments):
                return Call(f"tracker_{tool}", dict(arguments))
            case Sub():
                return Call("task", {"description": "x", "prompt": marker, "subagent_type": "general"})


Host = Claude | Codex | Gemini | Copilot | OpenCode
HOSTS: tuple[Host, ...] = (Claude(), Codex(), Gemini(), Copilot(), OpenCode())

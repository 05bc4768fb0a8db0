"""Where each coding agent keeps what was installed for it: skills, plugins, commands, settings.

Sources: the agent table of the ``skills`` installer (1.7.4) and each vendor's own documentation, read in November
2026. Data alone: nothing here looks at a disk.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType

from sluicegate.tuples import NamedTuple


class Level(Enum):
    """Whom something is installed for."""

    USER = "user"
    PROJECT = "project"


class Holds(Enum):
    """What stands at a place."""

    SKILLS = "skills"
    """A folder of skills, one folder each."""
    PLUGINS = "plugins"
    """A folder of plugins or extensions, which bring skills, hooks and servers."""
    COMMANDS = "commands"
    """A folder of commands, prompts or sub-agents, texts that the agent obeys when they are called; or of hooks."""
    SETTINGS = "settings"
    """One file of settings, where hooks and MCP servers are named."""
    REGISTRY = "registry"
    """One file that says which plugins are installed, or which marketplaces are known, and where they stand."""


class AgentPlace(NamedTuple):
    """One place of one agent. ``path`` is below the home directory or below the project."""

    agent: str
    level: Level
    holds: Holds
    path: str


class Agent(NamedTuple):
    """An agent and its places, each a word list of paths below the project or below the home directory."""

    name: str
    skills: tuple[str, str] = ("", "")
    """Paths in a project, then paths below the home directory; the same for all that follow."""
    commands: tuple[str, str] = ("", "")
    plugins: tuple[str, str] = ("", "")
    settings: tuple[str, str] = ("", "")
    registries: tuple[str, str] = ("", "")


AGENTS = (
    Agent(
        "Claude Code",
        skills=(".claude/skills", ".claude/skills"),
        commands=(".claude/commands .claude/agents", ".claude/commands .claude/agents"),
        plugins=("", ".claude/plugins/cache .claude/plugins/repos"),
        settings=(
            ".claude/settings.json .claude/settings.local.json .mcp.json",
            ".claude/settings.json .claude/settings.local.json .claude.json",
        ),
        registries=("", ".claude/plugins/installed_plugins.json .claude/plugins/known_marketplaces.json"),
    ),
    Agent(
        "Claude Desktop",
        settings=(
            "",
            ".config/Claude/claude_desktop_config.json "
            "Library/Application%20Support/Claude/claude_desktop_config.json",
        ),
    ),
    Agent(
        "Codex",
        skills=(".agents/skills .codex/skills", ".agents/skills .codex/skills"),
        commands=("", ".codex/prompts"),
        plugins=("", ".codex/plugins"),
        settings=(".codex/config.toml .codex/hooks.json", ".codex/config.toml .codex/hooks.json"),
        registries=(".agents/plugins/marketplace.json", ".agents/plugins/marketplace.json"),
    ),
    Agent("Cline", skills=(".agents/skills .cline/skills", ".agents/skills .cline/skills")),
    Agent(
        "Zed",
        skills=(".agents/skills", ".agents/skills"),
        settings=(".zed/settings.json", ".config/zed/settings.json"),
    ),
    Agent("Pi", skills=(".agents/skills .pi/skills", ".agents/skills .pi/agent/skills")),
    Agent(
        "Cursor",
        skills=(".agents/skills .cursor/skills", ".cursor/skills"),
        commands=(".cursor/commands", ".cursor/commands"),
        plugins=("", ".cursor/plugins"),
        settings=(".cursor/mcp.json .cursor/hooks.json", ".cursor/mcp.json .cursor/hooks.json"),
    ),
    Agent(
        "Gemini CLI",
        skills=(".agents/skills .gemini/skills", ".agents/skills .gemini/skills"),
        commands=(".gemini/commands", ".gemini/commands"),
        plugins=(".gemini/extensions", ".gemini/extensions"),
        settings=(".gemini/settings.json", ".gemini/settings.json"),
    ),
    Agent(
        "GitHub Copilot",
        skills=(".agents/skills .github/skills", ".copilot/skills"),
        commands=(".github/prompts .github/agents .github/hooks", ".copilot/agents .copilot/hooks"),
        plugins=("", ".copilot/installed-plugins"),
        settings=(
            ".vscode/mcp.json .github/copilot/settings.json",
            ".copilot/mcp-config.json .copilot/config.json",
        ),
    ),
    Agent(
        "OpenCode",
        skills=(".agents/skills .opencode/skills", ".config/opencode/skills"),
        commands=(
            ".opencode/command .opencode/commands .opencode/agent .opencode/agents",
            ".config/opencode/command .config/opencode/commands .config/opencode/agent .config/opencode/agents",
        ),
        plugins=(
            ".opencode/plugin .opencode/plugins",
            ".config/opencode/plugin .config/opencode/plugins",
        ),
        settings=(
            "opencode.json opencode.jsonc",
            ".config/opencode/opencode.json .config/opencode/opencode.jsonc",
        ),
    ),
    Agent(
        "OpenClaw",
        skills=("skills", ".openclaw/skills"),
        plugins=("", ".openclaw/extensions"),
        settings=("", ".openclaw/openclaw.json"),
    ),
    Agent(
        "Amp",
        skills=(".agents/skills", ".config/agents/skills"),
        settings=(".amp/settings.json", ".config/amp/settings.json"),
    ),
    Agent(
        "Goose",
        skills=(".goose/skills", ".config/goose/skills"),
        settings=("", ".config/goose/config.yaml"),
    ),
)
"""Every agent we know of. A space separates paths; ``%20`` stands for a space in one."""

MOVED: Mapping[str, str] = MappingProxyType(
    {".claude": "CLAUDE_CONFIG_DIR", ".codex": "CODEX_HOME", ".config": "XDG_CONFIG_HOME"}
)
"""Folders of the home directory that an environment variable puts elsewhere."""


def places() -> tuple[AgentPlace, ...]:
    """Every place of every agent: agents in their order, the user's places before the project's."""
    found = []
    for agent in AGENTS:
        for level, at in ((Level.USER, 1), (Level.PROJECT, 0)):
            for holds, paths in (
                (Holds.SKILLS, agent.skills),
                (Holds.PLUGINS, agent.plugins),
                (Holds.COMMANDS, agent.commands),
                (Holds.SETTINGS, agent.settings),
                (Holds.REGISTRY, agent.registries),
            ):
                found += [
                    AgentPlace(agent=agent.name, level=level, holds=holds, path=path.replace("%20", " "))
                    for path in paths[at].split()
                ]
    return tuple(found)


_IN_ITS_SHELL = (
    "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CODEX_SANDBOX", "CODEX_THREAD_ID", "CODEX_MANAGED_BY_NPM", "GEMINI_CLI", "CURSOR_AGENT",
    "COPILOT_CLI", "OPENCODE", "OPENCLAW_SHELL", "AI_AGENT",
)  # fmt: skip
"""Variables that agents set in the shells that they start. Whoever wants to can unset one: a second net, and no wall."""


def environment_of_agent(environ: Mapping[str, str]) -> str:
    """The variable that says that a process was started by an agent; empty where none does."""
    return next((name for name in _IN_ITS_SHELL if environ.get(name)), "")

"""The files that an agent loads besides skills: one table of names, for every agent we know of."""

from __future__ import annotations

import posixpath

_FILES = frozenset(
    {
        "claude.md", "claude.local.md", "agents.md", "agents.override.md", "gemini.md", "soul.md",
        "memory.md",
        "identity.md", "heartbeat.md", "bootstrap.md", "qwen.md", "crush.md", "warp.md", "opencode.md",
        ".cursorrules", ".windsurfrules", ".clinerules", ".roorules", ".roomodes", ".goosehints",
        ".aider.conf.yml",
        ".mcp.json", "mcp.json", "mcp_settings.json", "claude_desktop_config.json", "mcp-config.json",
        "plugin.json", "marketplace.json", "gemini-extension.json", "openclaw.json", "openclaw.plugin.json",
        "claw.json", "clawdbot.json", "clawhub.json", "clawdbot.plugin.json", "moltbot.json", "opencode.json",
        "opencode.jsonc",
    }
)  # fmt: skip
_ENDINGS = (".mdc", ".agent.md", ".instructions.md", ".prompt.md", ".chatmode.md")
FOLDERS = frozenset(
    {
        ".claude", ".claude-plugin", ".cursor", ".windsurf", ".codex", ".codex-plugin", ".gemini", ".agents",
        ".agent", ".clinerules", ".roo", ".continue", ".kiro", ".amazonq", ".opencode", ".openclaw",
        ".clawdbot",
        ".moltbot", ".goose", ".junie", ".qwen", ".crush", ".trae", ".augment", ".aider", ".factory",
    }
)  # fmt: skip
"""Folders whose whole content is an agent's own."""

_ROOT_FOLDERS = ("commands/", "agents/", "hooks/")
_MANIFESTS = (
    ".claude-plugin/plugin.json", ".claude-plugin/marketplace.json", ".codex-plugin/plugin.json",
    "gemini-extension.json", "openclaw.plugin.json", "clawdbot.plugin.json", ".cursor-plugin/plugin.json",
)  # fmt: skip

PLUGIN_MANIFESTS = frozenset(manifest.rpartition("/")[2] for manifest in _MANIFESTS) - {"marketplace.json"}
"""Names of the files in which a plugin says what it is made of."""
PLUGIN_META = (".claude-plugin", ".codex-plugin", ".cursor-plugin", ".agents/plugins")
"""Folders of a plugin or a marketplace that hold nothing but such a file."""


def is_skill(base: str) -> bool:
    """Whether a file of this base name makes its folder a skill."""
    return base.lower() == "skill.md"


def plugin_root(path: str) -> str | None:
    """The folder that this path makes a plugin (``""`` for the top); None when it makes none."""
    lower = path.lower()
    for manifest in _MANIFESTS:
        if lower == manifest:
            return ""
        if lower.endswith("/" + manifest):
            return path[: -len(manifest) - 1]
    return None


def folder_of_manifest(path: str) -> str:
    """The folder of the plugin, or of the marketplace, of which the file at this path is the manifest, or the list."""
    folder = path.rpartition("/")[0]
    meta = next((meta for meta in PLUGIN_META if f"/{folder}".endswith(f"/{meta}")), "")
    return folder[: len(folder) - len(meta)].rstrip("/") if meta else folder


def folder_of_source(source: str, plugin_root: str) -> str | None:
    """Where the ``source`` of an entry of a marketplace leads from that one's folder; None for one that is fetched.

    What does not begin with a dot or a slash counts from the ``pluginRoot`` that the list names.
    """
    if "://" in source:
        return None
    return source if source.startswith((".", "/", "~")) else posixpath.join(plugin_root, source)


def is_hook(path: str) -> bool:
    """Whether an agent reads the file as one hook: an event, and what is done at it. Kiro keeps each in a file."""
    lower = "/" + path.lower()
    return "/.kiro/hooks/" in lower or is_named_hook(lower)


def is_named_hook(path: str) -> bool:
    """Whether a file can be nothing but such a hook, by its name alone."""
    return path.lower().endswith(".kiro.hook")


def is_loaded(path: str, *, at_root: str) -> bool:
    """Whether an agent would load the file by itself. ``at_root``: the path below its plugin or source."""
    lower = path.lower()
    *folders, base = lower.split("/")
    if ".git" in folders:
        return False
    if base in _FILES or base.endswith(_ENDINGS) or not FOLDERS.isdisjoint(folders):
        return True
    if ".github" in folders:
        inside = folders[folders.index(".github") + 1 :] or [""]
        if base == "copilot-instructions.md" or inside[0] in ("instructions", "prompts", "agents"):
            return True
        return (inside[0] == "hooks" and base.endswith(".json")) or (inside[0], base) == (
            "copilot",
            "settings.json",
        )
    inner = at_root.lower()
    return inner == "hooks/hooks.json" or (
        inner.startswith(_ROOT_FOLDERS) and inner.endswith((".md", ".toml"))
    )

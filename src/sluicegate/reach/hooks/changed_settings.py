"""What speaks against settings of Claude Code that have changed: our hooks stood there and do not, or would not be called."""

from __future__ import annotations

from pathlib import Path

from sluicegate.reach.errors import UsageError
from sluicegate.reach.hooks.installed import place_of
from sluicegate.reach.hooks.installing import read, without_hooks


def against(path: str) -> str:
    """Why settings are not to be in force; empty where nothing is known against them. They are read as they are now."""
    if not path or not path.endswith(".json"):
        return ""
    try:
        settings = read(Path(path))[1]
    except UsageError as error:
        return f"the settings in {path} cannot be read: {error.message}"
    if settings.get("disableAllHooks"):
        return f"{path} switches hooks off, and Claude Code has to be started anew for that"
    ours = [place_of("claude", level) for level in ("user", "project")]
    if Path(path) in ours and without_hooks(settings) == settings and not _elsewhere(Path(path), ours):
        return f"{path} calls no hook of ours any more, and Claude Code has to be started anew for that"
    return ""


def _elsewhere(path: Path, ours: list[Path]) -> bool:
    """Whether our hooks are called from another file of settings."""
    others = [read(other)[1] for other in ours if other != path and other.exists()]
    return any(without_hooks(settings) != settings for settings in others)

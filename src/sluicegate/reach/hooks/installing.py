"""Our entries in the settings of hosts: where they stand, how they get there, and whether they are there.

1. A file is read whole, and only our entries are put in or taken out. What is no JSON, or no object where hooks stand, is left as it
   is, with an error.
2. An entry is ours by its command: it starts our program, and ends with ``hook HOST``.
3. Entries of ours that are not as they would be written now are written anew, so to install twice changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from sluicegate.patterns import late
from sluicegate.reach.errors import UsageError
from sluicegate.reach.hooks.tool_operations import quoted
from sluicegate.tuples import NamedTuple

Settings = dict[str, Any]
_OURS: Final = late(r"sluicegate\b[^\n]*\shook\s+[a-z]+\s*\Z")
_INDENT: Final = late(r"\n([ \t]+)\S")


class HostHooks(NamedTuple):
    """Where a host has its hooks, below the home directory and in a project; of which events it is to tell, those that have a
    matcher first, and of these what comes before a tool; and what an entry says besides its command."""

    user: str
    project: str
    matched: tuple[str, ...]
    events: tuple[str, ...]
    entry: Mapping[str, object]
    shell_tool: str
    """Its tool for shell text."""
    cannot: str
    """What this host does not promise, in a sentence."""


HOSTS: Final[Mapping[str, HostHooks]] = {
    "claude": HostHooks(
        user=".claude/settings.json",
        project=".claude/settings.json",
        matched=("PreToolUse", "PostToolUse", "PostToolUseFailure"),
        events=("UserPromptSubmit", "UserPromptExpansion", "SessionStart", "InstructionsLoaded"),
        entry={"timeout": 60, "onFailure": "block"},
        shell_tool="Bash",
        cannot="Before version 2.1.295, Claude Code runs the tool when a hook takes longer than a minute or cannot be started.",
    ),
    "codex": HostHooks(
        user=".codex/hooks.json",
        project=".codex/hooks.json",
        matched=("PreToolUse", "PostToolUse"),
        events=("UserPromptSubmit", "SessionStart"),
        entry={"timeout": 60},
        shell_tool="Bash",
        cannot="Codex calls a hook only once you trust it there (/hooks), and says nothing when it does not. It runs the tool when a"
        " hook takes longer than a minute or cannot be started, and tells no hook what is typed into a running program.",
    ),
    "gemini": HostHooks(
        user=".gemini/settings.json",
        project=".gemini/settings.json",
        matched=("BeforeTool", "AfterTool"),
        events=("BeforeAgent", "SessionStart"),
        entry={"timeout": 60_000, "name": "sluicegate"},
        shell_tool="run_shell_command",
        cannot="Gemini CLI runs the tool when a hook takes longer than a minute or is killed.",
    ),
}


def command_of(python: str, host: str) -> str:
    """The command of a hook, for a shell. ``-I``: nothing that lies where the agent stands is imported. ``-m sluicegate`` would say
    the same, and take 5 ms longer."""
    return f"{quoted(python)} -I -c 'from sluicegate.reach.cli.start import main; main()' hook {host}"


def read(path: Path) -> tuple[str, Settings]:
    """The text of a file of settings, empty where there is none, and what it says (1). Raises UsageError."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return "", {}
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise UsageError(f"cannot read {path}: {reason}", hint="It is left as it is.") from None
    try:
        found = json.loads(text) if text.strip() else {}
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is not JSON: {error}", hint="Mend it first; it is left as it is.") from None
    hooks = found.get("hooks", {}) if isinstance(found, dict) else None
    if not isinstance(hooks, dict) or not all(isinstance(each, list) for each in hooks.values()):
        raise UsageError(f"{path} has another form than its host documents", hint="It is left as it is.")
    return text, found


def written(settings: Settings, before: str) -> str:
    """Settings as text, indented as the text before was."""
    indent = _INDENT.search(before)
    return json.dumps(settings, indent=indent.group(1) if indent else 2, ensure_ascii=False) + "\n"


def with_hooks(settings: Settings, host: str, command: str) -> Settings:
    """Settings with our entries, each once (3)."""
    about = HOSTS[host]
    found = without_hooks(settings)
    hooks = dict(found.get("hooks", {}))
    for event in (*about.matched, *about.events):
        group: Settings = {"matcher": "*"} if event in about.matched else {}
        entry = {"type": "command", "command": command, **about.entry}
        hooks[event] = [*hooks.get(event, []), {**group, "hooks": [entry]}]
    return {**found, "hooks": hooks}


def without_hooks(settings: Settings) -> Settings:
    """Settings without any entry of ours, and without what is empty then."""
    if "hooks" not in settings:
        return dict(settings)
    hooks = {}
    for event, groups in settings["hooks"].items():
        left = [kept for group in groups if (kept := _without(group)) is not None]
        if left or not groups:
            hooks[event] = left
    rest = {name: value for name, value in settings.items() if name != "hooks"}
    return {**rest, "hooks": hooks} if hooks or not settings["hooks"] else rest


def _without(group: object) -> object | None:
    """A group without our entries; None if it held nothing else."""
    if not isinstance(group, dict) or not isinstance(group.get("hooks"), list):
        return group
    left = [entry for entry in group["hooks"] if not _is_ours(entry)]
    return {**group, "hooks": left} if left or not group["hooks"] else None


def missing(settings: Settings, host: str, command: str) -> Sequence[str]:
    """The events of which nobody tells us, or not as it would be written now."""
    wanted = with_hooks({}, host, command)["hooks"]
    found = settings.get("hooks", {})
    return [event for event, (group,) in wanted.items() if group not in found.get(event, [])]


def _is_ours(entry: object) -> bool:
    said = entry.get("command") if isinstance(entry, dict) else None
    return isinstance(said, str) and _OURS.search(said) is not None

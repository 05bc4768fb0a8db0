"""Our entries in the settings of hosts: where they stand, how they get there, and whether they are there.

1. A file is read whole, and only our entries are put in or taken out; comments stay (``commented_json``). What is not JSON, or no object
   where hooks stand, is left as it is, with an error.
2. An entry is ours by its command: it starts our program, and ends with ``hook HOST``.
3. Entries of ours that are not as they would be written now are written anew, so to install twice changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import sluicegate
from sluicegate.patterns import late
from sluicegate.reach.errors import UsageError
from sluicegate.reach.hooks.commented_json import CommentInside, changed, plain
from sluicegate.reach.hooks.tool_operations import quoted
from sluicegate.tuples import NamedTuple

Settings = dict[str, Any]
_OURS: Final = late(r"sluicegate\b[^\n]*\shook\s+[a-z]+\s*\Z")


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
    """What this host does not promise, in a sentence or two."""
    command: str = "command"
    """What an entry calls its command."""
    grouped: bool = True
    """Whether entries stand in groups with a matcher."""
    root: Mapping[str, object] = {}
    """What its file says besides the hooks."""
    own: str = ""
    """Where the host has plugins instead: ours, a file or a folder of ``plugins``."""
    then: str = ""
    """What is left to do by hand."""
    net: tuple[str, ...] = ()
    """Rules of the host's own that deny, as a second net: for the list ``permissions.deny`` of its settings."""
    net_file: str = ""
    """The same where a host has a folder of such rules: a file of ours, below the home directory."""


_SECRETS: Final = ("~/.ssh/**", "~/.aws/**", "~/.gnupg/**")
HOSTS: Final[Mapping[str, HostHooks]] = {
    "claude": HostHooks(
        user=".claude/settings.json",
        project=".claude/settings.json",
        matched=("PreToolUse", "PostToolUse", "PostToolUseFailure"),
        events=(
            "UserPromptSubmit",
            "UserPromptExpansion",
            "SessionStart",
            "InstructionsLoaded",
            "PermissionRequest",
            "ConfigChange",
        ),
        entry={"timeout": 60, "onFailure": "block"},
        shell_tool="Bash",
        net=(
            *(f"Read({place})" for place in _SECRETS),
            "Edit(~/.claude/settings.json)",
            "Edit(.claude/settings*.json)",
        ),
        cannot="Before version 2.1.295, Claude Code runs the tool when a hook takes longer than a minute or cannot be started.",
    ),
    "codex": HostHooks(
        user=".codex/hooks.json",
        project=".codex/hooks.json",
        matched=("PreToolUse", "PostToolUse"),
        events=("UserPromptSubmit", "SessionStart", "PermissionRequest"),
        entry={"timeout": 60},
        shell_tool="Bash",
        net_file=".codex/rules/sluicegate.rules",
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
        net_file=".gemini/policies/sluicegate.toml",
        cannot="Gemini CLI runs the tool when a hook takes longer than a minute or is killed.",
    ),
    "copilot": HostHooks(
        user=".copilot/hooks/sluicegate.json",
        project=".github/hooks/sluicegate.json",
        matched=("PreToolUse", "PostToolUse", "PostToolUseFailure"),
        events=("UserPromptSubmit", "SessionStart"),
        entry={"timeoutSec": 60},
        shell_tool="Bash",
        command="bash",
        grouped=False,
        root={"version": 1},
        cannot="Copilot CLI runs the tool when a hook takes longer than a minute, and calls hooks of a project only in a folder that you"
        " trust.",
    ),
    "cursor": HostHooks(
        user=".cursor/hooks.json",
        project=".cursor/hooks.json",
        matched=("preToolUse", "postToolUse", "postToolUseFailure"),
        events=(
            "beforeShellExecution",
            "afterShellExecution",
            "beforeMCPExecution",
            "afterMCPExecution",
            "beforeSubmitPrompt",
            "subagentStart",
        ),
        entry={"timeout": 60, "failClosed": True},
        shell_tool="Shell",
        grouped=False,
        root={"version": 1},
        cannot="For Cursor nothing was measured. Its command line tells hooks of less than its editor does, so files that are read and"
        " written there may come to no hook. Its documentation promises that a failed hook refuses (failClosed).",
    ),
    "opencode": HostHooks(
        user=".config/opencode/plugins/sluicegate.js",
        project=".opencode/plugins/sluicegate.js",
        matched=("tool.execute.before",),
        events=(),
        entry={},
        shell_tool="bash",
        own="opencode.js",
        cannot="OpenCode runs without the plugin where it is started with --pure, or cannot load it. It fetches a package for plugins when"
        " it starts, and waits for it without a network.",
    ),
    "openclaw": HostHooks(
        user=".openclaw/extensions/sluicegate",
        project=".openclaw/extensions/sluicegate",
        matched=("before_tool_call",),
        events=(),
        entry={},
        shell_tool="exec",
        own="openclaw",
        then="openclaw plugins enable sluicegate, and for what is installed security.installPolicy (docs/agents.md)",
        cannot="For OpenClaw nothing was measured. A plugin of another may change what a call says after ours has seen it, and nothing"
        " of what the user types comes to our plugin.",
    ),
}


def argv_of(python: str, host: str) -> list[str]:
    """The command of a hook. ``-I``: nothing that lies where the agent stands is imported. ``-S``: Python does not look for
    packages before they are needed. ``-m sluicegate`` would say the same, and take twice as long."""
    where = str(Path(sluicegate.__file__).parent.parent)
    code = f"import sys; sys.path.append({where!a}); from sluicegate.reach.cli.start import main; main()"
    return [python, "-I", "-S", "-c", code, "hook", host]


def command_of(python: str, host: str) -> str:
    """The same, for a shell."""
    program, isolated, bare, _, code, *rest = argv_of(python, host)
    return f"{quoted(program)} {isolated} {bare} -c {quoted(code)} {' '.join(rest)}"


def read(path: Path) -> tuple[str, Settings]:
    """The text of a file of settings, empty where there is none, and what it says (1). Raises UsageError."""
    text = read_text(path)
    try:
        found = json.loads(plain(text)) if text.strip() else {}
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is not JSON: {error}", hint="Mend it first; it is left as it is.") from None
    hooks = found.get("hooks", {}) if isinstance(found, dict) else None
    if not isinstance(hooks, dict) or not all(isinstance(each, list) for each in hooks.values()):
        raise UsageError(f"{path} has another form than its host documents", hint="It is left as it is.")
    denied = found.get("permissions", {})
    if not isinstance(denied, dict) or not isinstance(denied.get("deny", []), list):
        raise UsageError(f"{path} has another form than its host documents", hint="It is left as it is.")
    return text, found


def read_text(path: Path) -> str:
    """The text of a file, empty where there is none. Raises UsageError."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise UsageError(f"cannot read {path}: {reason}", hint="It is left as it is.") from None


def own_files(host: str, path: Path, python: str) -> dict[Path, str]:
    """The files of a plugin, and what each is to say."""
    about = HOSTS[host]
    place = Path(__file__).with_name("plugins") / about.own
    several = (
        {path: place} if place.is_file() else {path / each.name: each for each in sorted(place.iterdir())}
    )
    command = json.dumps(argv_of(python, host))
    default = f'const COMMAND = ["sluicegate", "hook", "{host}"]'
    return {
        to: source.read_text(encoding="utf-8").replace(default, f"const COMMAND = {command}")
        for to, source in several.items()
    }


def net_of(host: str) -> str:
    """What the file of rules that deny says, for a host that has a folder of such."""
    return Path(__file__).with_name("plugins").joinpath(Path(HOSTS[host].net_file).name).read_text("utf-8")


def written(path: Path, before: str, was: Settings, after: Settings) -> str:
    """Settings as text: what stood there before, but for what is changed. Raises UsageError where that cannot be told apart."""
    if not before.strip():
        return json.dumps(after, indent=2, ensure_ascii=False) + "\n"
    try:
        return changed(before, was, after)
    except CommentInside as inside:
        member = str(inside)
        wanted = json.dumps({member: after[member]} if member in after else {}, indent=2, ensure_ascii=False)
        raise UsageError(
            f'{path} has a comment inside "{member}", which nobody could put back in its place',
            hint=f"It is left as it is. Write this there yourself:\n{wanted}",
        ) from None


def with_hooks(settings: Settings, host: str, command: str) -> Settings:
    """Settings with our entries, each once (3)."""
    about = HOSTS[host]
    found = {**about.root, **without_hooks(settings)}
    hooks = dict(found.get("hooks", {}))
    for event in (*about.matched, *about.events):
        hooks[event] = [*hooks.get(event, []), _entry(about, event, command)]
    return {**found, "hooks": hooks}


def _entry(about: HostHooks, event: str, command: str) -> Settings:
    entry = {"type": "command", about.command: command, **about.entry}
    if not about.grouped:
        return entry
    return {**({"matcher": "*"} if event in about.matched else {}), "hooks": [entry]}


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
    """A group, or an entry that stands by itself, without our entries; None if it held nothing else."""
    if _is_ours(group):
        return None
    if not isinstance(group, dict) or not isinstance(group.get("hooks"), list):
        return group
    left = [entry for entry in group["hooks"] if not _is_ours(entry)]
    return {**group, "hooks": left} if left or not group["hooks"] else None


def with_net(settings: Settings, host: str) -> tuple[Settings, list[str]]:
    """Settings that deny by the host's own rules, too, and which of these did not stand there before."""
    permissions = settings.get("permissions", {})
    denied = permissions.get("deny", [])
    added = [rule for rule in HOSTS[host].net if rule not in denied]
    if not added:
        return settings, []
    return {**settings, "permissions": {**permissions, "deny": [*denied, *added]}}, added


def without_net(settings: Settings, added: Sequence[str]) -> Settings:
    """Settings without these rules, and without what is empty then."""
    permissions = settings.get("permissions", {})
    denied = permissions.get("deny", [])
    if not any(rule in added for rule in denied):
        return settings
    left = [rule for rule in denied if rule not in added]
    rest = {name: value for name, value in permissions.items() if name != "deny"}
    permissions = {**rest, "deny": left} if left else rest
    without = {name: value for name, value in settings.items() if name != "permissions"}
    return {**settings, "permissions": permissions} if permissions else without


def missing(settings: Settings, host: str, command: str) -> Sequence[str]:
    """The events of which nobody tells us, or not as it would be written now."""
    wanted = with_hooks({}, host, command)["hooks"]
    found = settings.get("hooks", {})
    return [event for event, (group,) in wanted.items() if group not in found.get(event, [])]


def _is_ours(entry: object) -> bool:
    if not isinstance(entry, dict):
        return False
    return any(
        isinstance(said := entry.get(name), str) and _OURS.search(said) for name in ("command", "bash")
    )

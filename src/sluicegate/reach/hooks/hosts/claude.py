"""Claude Code: https://code.claude.com/docs/en/hooks. Measured with 2.1.330.

1. Exit 2 with a reason on standard error refuses whatever has not happened yet. An answer ``allow`` would take the user's own rules
   out of force, so nobody is ever allowed: silence leaves them in force.
2. A result that is withheld is replaced (``updatedToolOutput``), and the reason told besides.
3. Of prompts, those with the source ``user`` were typed. Where an older version names no source, and for programs (``sdk``), the first of a
   session is the user's. Any other source (``system``, ``poll_event`` …) is nobody's, the first of a session or not.
4. Before it asks its user for permission it tells of the call once more, without its name: the same question has the same answer.
5. Exit 2 keeps settings that have changed from being in force.
6. A sub-agent has the session of its caller, and a compaction changes nothing of what a session has taken in.
"""

from __future__ import annotations

from sluicegate.known.agent_tools import CLAUDE
from sluicegate.reach.hooks import told
from sluicegate.reach.hooks.small_json import dumps
from sluicegate.reach.hooks.told import AfterTool, BeforeTool, HookAnswer, HostEvent

TYPE_CHECKING = False  # a hook starts before each call of a tool, and ``typing`` is a tenth of its start
if TYPE_CHECKING:
    from collections.abc import Mapping

TOOLS = CLAUDE
_BEFORE = ("PreToolUse", "PermissionRequest")
_AFTER = ("PostToolUse", "PostToolUseFailure")


def read(event: Mapping[str, object]) -> HostEvent:
    """What an event tells. Raises HookInputError."""
    session = told.needed(event, "session_id")
    name = told.needed(event, "hook_event_name")
    if name in _BEFORE or name in _AFTER:
        call, tool = told.text(event, "tool_use_id"), told.needed(event, "tool_name")
        given = told.mapping(event, "tool_input")
        if name in _BEFORE:
            return BeforeTool(session, call, tool, given)
        result = event.get("tool_response", event.get("error"))
        return AfterTool(session, call, tool, given, result)
    if name == "UserPromptSubmit":  # 3
        source, text = event.get("source", ""), told.text(event, "prompt")
        if "agent_id" in event or source not in ("", "sdk", "user"):
            return told.Loaded(session, "prompt", text, "src:prompt")
        return told.Prompt(session, text, typed=source == "user")
    if name == "UserPromptExpansion":
        command = told.text(event, "command_name")
        return told.Loaded(session, f"/{command}", told.text(event, "prompt"), "src:skill")
    if name == "InstructionsLoaded":
        return told.Loaded(session, told.text(event, "file_path") or "instructions", "", "src:file")
    if name == "SessionStart":
        return told.Started(session, resumed=event.get("source") in ("resume", "fork"))
    if name == "ConfigChange":  # 5
        return told.ConfigChanged(session, told.text(event, "file_path"))
    return told.OtherEvent(session)


def server(tool: str) -> tuple[str, str] | None:
    """The MCP server and its tool: ``mcp__SERVER__TOOL``."""
    parts = tool.split("__", 2)
    return (parts[1], parts[2]) if len(parts) == 3 and parts[0] == "mcp" else None


def refused(reason: str) -> HookAnswer:
    """No (1)."""
    return HookAnswer(2, err=reason)


def withheld(reason: str) -> HookAnswer:
    """The result is not to be used (2)."""
    said = {"hookEventName": "PostToolUse", "updatedToolOutput": reason, "additionalContext": reason}
    return HookAnswer(0, out=dumps({"decision": "block", "reason": reason, "hookSpecificOutput": said}))

"""Cursor: https://cursor.com/docs/agent/hooks. Not measured: written from what its documentation says (November 2026).

1. Where a hook does not say ``failClosed``, a failed one lets the tool run. Exit 2 refuses, and so does an answer with ``deny``; the
   reason is in both.
2. A shell command and a call of an MCP tool come before and after as events of their own, and as events of a tool in the editor alone;
   its command line tells less. So all of them are listened to, and each is decided on.
3. Nothing says who typed a prompt, so only the first of a conversation is the user's. Of a sub-agent nothing says whose it is: its
   conversation is one that nobody has seen.
"""

from __future__ import annotations

import json

from sluicegate.known.agent_tools import CURSOR
from sluicegate.reach.hooks import told
from sluicegate.reach.hooks.told import AfterTool, BeforeTool, HookAnswer, HookInputError, HostEvent

TYPE_CHECKING = False  # a hook starts before each call of a tool, and ``typing`` is a tenth of its start
if TYPE_CHECKING:
    from collections.abc import Mapping

TOOLS = CURSOR
_MCP = "MCP:"


def read(event: Mapping[str, object]) -> HostEvent:
    """What an event tells. Raises HookInputError."""
    session = told.needed(event, "conversation_id", "session_id")
    name = told.needed(event, "hook_event_name")
    delegated = bool(told.text(event, "parent_conversation_id"))
    if name in ("preToolUse", "postToolUse", "postToolUseFailure"):
        call, tool, given = told.text(event, "tool_use_id"), told.needed(event, "tool_name"), _given(event)
        if name == "preToolUse":
            return BeforeTool(session, call, tool, given, delegated=delegated)
        return AfterTool(session, call, tool, given, event.get("tool_output", event.get("error_message")))
    if name in ("beforeShellExecution", "afterShellExecution"):  # 2
        command = {"command": told.needed(event, "command")}
        if name == "beforeShellExecution":
            return BeforeTool(session, "", "Shell", command, delegated=delegated)
        return AfterTool(session, "", "Shell", command, event.get("output"))
    if name in ("beforeMCPExecution", "afterMCPExecution"):
        tool = _MCP + told.needed(event, "tool_name")
        if name == "beforeMCPExecution":
            return BeforeTool(session, "", tool, _given(event), delegated=delegated)
        return AfterTool(session, "", tool, _given(event), event.get("result_json"))
    if name == "beforeSubmitPrompt":
        return told.Prompt(session, told.text(event, "prompt"), typed=False)  # 3
    if name == "subagentStart":
        return told.Started(session, resumed=True)
    return told.OtherEvent(session)


def _given(event: Mapping[str, object]) -> Mapping[str, object]:
    """The arguments of a tool, which come as an object or as JSON in a text."""
    found = event.get("tool_input")
    if not isinstance(found, str):
        return told.mapping(event, "tool_input")
    try:
        read = json.loads(found) if found else {}
    except (ValueError, RecursionError):
        raise HookInputError("tool_input is not JSON") from None
    return told.mapping({"tool_input": read}, "tool_input")


def server(tool: str) -> tuple[str, str] | None:
    """The MCP server and its tool. Of the server nothing is said, so all are one."""
    return ("cursor", tool.removeprefix(_MCP)) if tool.startswith(_MCP) else None


def refused(reason: str) -> HookAnswer:
    """No (1)."""
    said = {"permission": "deny", "user_message": reason, "agent_message": reason}
    return HookAnswer(2, out=json.dumps(said), err=reason)


withheld = refused

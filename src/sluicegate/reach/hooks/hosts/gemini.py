"""Gemini CLI: its docs/hooks. Measured with 0.61.

1. It has no name for a call, so flow gives it one by what is asked (``session.runner_call``, 3). An MCP tool is named in the
   event; its own name, ``mcp_SERVER_TOOL``, cannot be taken apart.
2. Any exit of 2 or more with text on standard error refuses; after a tool, that replaces its result.
"""

from __future__ import annotations

from sluicegate.known.agent_tools import GEMINI
from sluicegate.reach.hooks import told
from sluicegate.reach.hooks.hosts.claude import server as server
from sluicegate.reach.hooks.told import AfterTool, BeforeTool, HookAnswer, HostEvent

TYPE_CHECKING = False  # a hook starts before each call of a tool, and ``typing`` is a tenth of its start
if TYPE_CHECKING:
    from collections.abc import Mapping

TOOLS = GEMINI


def read(event: Mapping[str, object]) -> HostEvent:
    """What an event tells. Raises HookInputError."""
    session = told.needed(event, "session_id")
    name = told.needed(event, "hook_event_name")
    if name in ("BeforeTool", "AfterTool"):
        tool, given = told.needed(event, "tool_name"), told.mapping(event, "tool_input")
        context = told.mapping(event, "mcp_context")
        if context:
            tool = f"mcp__{told.needed(context, 'server_name')}__{told.needed(context, 'tool_name')}"
        if name == "BeforeTool":
            return BeforeTool(session, "", tool, given)
        return AfterTool(session, "", tool, given, event.get("tool_response"))
    if name == "BeforeAgent":
        return told.Prompt(session, told.text(event, "prompt"), typed=True)
    if name == "SessionStart":
        return told.Started(session, resumed=event.get("source") == "resume")
    return told.OtherEvent(session)


def refused(reason: str) -> HookAnswer:
    """No (2)."""
    return HookAnswer(2, err=reason)


withheld = refused

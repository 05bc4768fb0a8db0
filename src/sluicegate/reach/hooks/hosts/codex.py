"""Codex: https://developers.openai.com/codex/hooks. Measured with 0.169.

Its answers are closed: what has one field too many counts as a failed hook, and a failed hook lets the tool run. So
everything is refused by exit 2 and a reason on standard error, and nothing else is ever written.

A sub-agent has the session of its caller, and what a model tells it comes as ``UserPromptSubmit``, with ``agent_id``: nobody typed that.
Nothing says who typed any other prompt, so only the first of a session is the user's.
"""

from __future__ import annotations

from sluicegate.known.agent_tools import CODEX
from sluicegate.reach.hooks import told
from sluicegate.reach.hooks.hosts.claude import server as server
from sluicegate.reach.hooks.told import AfterTool, BeforeTool, HookAnswer, HostEvent

TYPE_CHECKING = False  # a hook starts before each call of a tool, and ``typing`` is a tenth of its start
if TYPE_CHECKING:
    from collections.abc import Mapping

TOOLS = CODEX


def read(event: Mapping[str, object]) -> HostEvent:
    """What an event tells. Raises HookInputError."""
    session = told.needed(event, "session_id")
    name = told.needed(event, "hook_event_name")
    if name in ("PreToolUse", "PermissionRequest", "PostToolUse"):
        call, tool = told.text(event, "tool_use_id"), told.needed(event, "tool_name")
        given = told.mapping(event, "tool_input")
        if name != "PostToolUse":
            return BeforeTool(session, call, tool, given)
        return AfterTool(session, call, tool, given, event.get("tool_response"))
    if name == "UserPromptSubmit" and "agent_id" not in event:
        return told.Prompt(session, told.text(event, "prompt"), typed=False)
    if name == "SessionStart":
        return told.Started(session, resumed=event.get("source") in ("resume", "fork"))
    return told.OtherEvent(session)


def refused(reason: str) -> HookAnswer:
    """No."""
    return HookAnswer(2, err=reason)


withheld = refused

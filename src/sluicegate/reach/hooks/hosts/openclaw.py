"""OpenClaw, by our plugin (``plugins/openclaw``). Not measured: written from the documentation in its package (2026.9.6).

1. ``before_tool_call`` fails closed there: what throws or takes too long refuses the call.
2. What code mode runs is JavaScript under the name of its shell, so the plugin gives it another name, and nobody knows it.
3. A session is what the host calls so (``sessionKey``). That of a sub-agent is its own, and nobody has seen it.
4. ``after_tool_call`` only watches: a result that is to be withheld has been seen.
"""

from __future__ import annotations

from sluicegate.known.agent_tools import OPENCLAW
from sluicegate.reach.hooks import told
from sluicegate.reach.hooks.hosts.claude import server as server
from sluicegate.reach.hooks.told import AfterTool, BeforeTool, HookAnswer, HostEvent

TYPE_CHECKING = False  # a hook starts before each call of a tool, and ``typing`` is a tenth of its start
if TYPE_CHECKING:
    from collections.abc import Mapping

TOOLS = OPENCLAW


def read(event: Mapping[str, object]) -> HostEvent:
    """What an event of our plugin tells. Raises HookInputError."""
    session = told.needed(event, "session_id")
    name = told.needed(event, "hook_event_name")
    if name in ("before_tool_call", "after_tool_call"):
        call, tool = told.text(event, "tool_use_id"), told.needed(event, "tool_name")
        given = told.mapping(event, "tool_input")
        if name == "before_tool_call":
            return BeforeTool(session, call, tool, given, delegated=":subagent:" in session)  # 3
        return AfterTool(session, call, tool, given, event.get("tool_response"))
    return told.OtherEvent(session)


def refused(reason: str) -> HookAnswer:
    """No (1)."""
    return HookAnswer(2, err=reason)


withheld = refused

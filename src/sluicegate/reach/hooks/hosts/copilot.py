"""Copilot CLI: https://docs.github.com/copilot/concepts/agents/coding-agent/about-hooks. Measured with 1.0.102.

1. It refuses on every exit code but 0, and then gives the model no reason. With exit 2 the reason of a JSON answer reaches the model, if
   that is flat; so there are both.
2. It has no name for a call, so flow gives it one by what is asked (``session.runner_call``, 3).
3. A sub-agent has a session of its own, and says whose. What it does is its caller's, so that it is held by what that one has
   taken in. One that a sub-agent starts cannot be followed, and is refused; if there is one all the same, its session is one that
   nobody has seen. A prompt of a sub-agent is nobody's.
4. Nothing says who typed a prompt, so only the first of a session is the user's.
5. A tool of an MCP server is ``SERVER-TOOL``. Both may have hyphens; servers have them more often, so the last one counts.
6. In a folder that is trusted it reads Claude Code's settings of the project, too, and tells those hooks the same (``run``).
"""

from __future__ import annotations

from sluicegate.known.agent_tools import COPILOT
from sluicegate.reach.hooks import told
from sluicegate.reach.hooks.small_json import dumps
from sluicegate.reach.hooks.told import AfterTool, BeforeTool, HookAnswer, HookInputError, HostEvent

TYPE_CHECKING = False  # a hook starts before each call of a tool, and ``typing`` is a tenth of its start
if TYPE_CHECKING:
    from collections.abc import Mapping

TOOLS = COPILOT
_AFTER = ("PostToolUse", "PostToolUseFailure")


def read(event: Mapping[str, object]) -> HostEvent:
    """What an event tells. Raises HookInputError."""
    caller = told.text(event, "parent_agent_id")
    session = caller or told.needed(event, "session_id")
    name = told.needed(event, "hook_event_name")
    if name == "PreToolUse" or name in _AFTER:
        tool, given = told.needed(event, "tool_name"), told.mapping(event, "tool_input")
        if name == "PreToolUse":
            if caller and tool in ("Agent", "task"):  # 3
                raise HookInputError("it is a sub-agent of a sub-agent, which nobody can follow")
            return BeforeTool(session, "", tool, given, delegated=bool(caller))
        result = event.get("tool_result", event.get("error"))
        return AfterTool(session, "", tool, given, result)
    if name == "UserPromptSubmit" and not caller:
        return told.Prompt(session, told.text(event, "prompt"), typed=False)  # 4
    if name == "SessionStart":
        return told.Started(session, resumed=event.get("source") != "new")
    return told.OtherEvent(session)


def server(tool: str) -> tuple[str, str] | None:
    """The MCP server and its tool (5)."""
    server, hyphen, name = tool.rpartition("-")
    return (server, name) if hyphen and server and name and tool not in TOOLS else None


def refused(reason: str) -> HookAnswer:
    """No (1)."""
    said = {"permissionDecision": "deny", "permissionDecisionReason": reason}
    return HookAnswer(2, out=dumps(said), err=reason)


def withheld(reason: str) -> HookAnswer:
    """The result is not to be used: the model sees the reason in its place."""
    said = {"resultType": "success", "textResultForLlm": reason}
    return HookAnswer(0, out=dumps({"modifiedResult": said}))

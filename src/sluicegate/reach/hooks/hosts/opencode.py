"""OpenCode, by our plugin (``plugins/opencode.js``). Measured with 1.18.33.

1. It has no hooks that are programs. A plugin asks here before each call, and throws what is answered, which the model then sees in the
   place of a result. Whatever goes wrong there throws, too.
2. The plugin names the session at the root: a sub-agent has one of its own, and is held by what its caller has taken in.
3. What a command of a file says (``/name``) arrives as a prompt, so the plugin says which prompts are such. No prompt says who typed it,
   so only the first of a session is the user's.
4. A tool of an MCP server is ``SERVER_TOOL``, and both may have underscores. The first one counts: nothing says better.
"""

from __future__ import annotations

from sluicegate.known.agent_tools import OPENCODE
from sluicegate.reach.hooks import told
from sluicegate.reach.hooks.told import AfterTool, BeforeTool, HookAnswer, HostEvent

TYPE_CHECKING = False  # a hook starts before each call of a tool, and ``typing`` is a tenth of its start
if TYPE_CHECKING:
    from collections.abc import Mapping

TOOLS = OPENCODE


def read(event: Mapping[str, object]) -> HostEvent:
    """What an event of our plugin tells. Raises HookInputError."""
    session = told.needed(event, "session_id")
    name = told.needed(event, "hook_event_name")
    if name in ("tool.execute.before", "tool.execute.after"):
        call, tool = told.text(event, "tool_use_id"), told.needed(event, "tool_name")
        given = told.mapping(event, "tool_input")
        if name == "tool.execute.before":
            return BeforeTool(session, call, tool, given)
        return AfterTool(session, call, tool, given, event.get("tool_response"))
    if name == "chat.message":
        return told.Prompt(session, told.text(event, "prompt"), typed=False)
    if name == "command.execute.before":  # 3
        return told.Loaded(session, "command", told.text(event, "prompt"), "src:skill")
    if name == "session.resumed":
        return told.Started(session, resumed=True)
    return told.OtherEvent(session)


def server(tool: str) -> tuple[str, str] | None:
    """The MCP server and its tool (4)."""
    server, underscore, name = tool.partition("_")
    return (server, name) if underscore and server and name and tool not in TOOLS else None


def refused(reason: str) -> HookAnswer:
    """No (1)."""
    return HookAnswer(2, err=reason)


withheld = refused

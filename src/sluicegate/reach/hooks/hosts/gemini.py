"""Gemini CLI: its docs/hooks. Measured with 0.61.

1. It has no name for a call, so flow gives it one by what is asked (``session.runner_call``, 3). An MCP tool is named in the
   event; its own name, ``mcp_SERVER_TOOL``, cannot be taken apart.
2. Any exit of 2 or more with text on standard error refuses; after a tool, that replaces its result.
3. A prompt comes with the files that it names (``@notes.md``) put in behind it: these are files, and not the user's words.
4. What a command of a file says (``/name``) comes as a prompt. So a prompt in which all of such a file stands was typed by nobody.
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
_REFERRED = "\n--- Content from referenced files ---"
_CONTENT = "Content from @"


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
        return _prompt(session, told.text(event, "prompt"), told.text(event, "cwd"))
    if name == "SessionStart":
        return told.Started(session, resumed=event.get("source") == "resume")
    return told.OtherEvent(session)


def _prompt(session: str, text: str, folder: str) -> HostEvent:
    own, marker, added = text.partition(_REFERRED)  # 3
    if _is_of_a_command(own, folder):  # 4
        return told.Loaded(session, "command", text, "src:skill")
    if not marker:
        return told.Prompt(session, text, typed=True)
    lines = [line for line in added.split("\n") if line.startswith(_CONTENT) and line.endswith(":")]
    files = tuple(dict.fromkeys(line[len(_CONTENT) : -1] for line in lines))
    return told.Prompt(session, own, typed=True, files=files, added=added)


def _is_of_a_command(text: str, folder: str) -> bool:
    """Whether all that a file of commands says of itself stands in a text."""
    import os

    home = os.path.expanduser("~/.gemini")  # noqa: PTH111 - ``pathlib`` takes longer to import than all of this
    places = [f"{folder or '.'}/.gemini/commands", f"{home}/commands", f"{home}/extensions"]
    if not any(os.path.isdir(place) for place in places):  # noqa: PTH112
        return False
    from sluicegate.reach.hooks.command_files import said_by_a_command

    return said_by_a_command(text, places)


def refused(reason: str) -> HookAnswer:
    """No (2)."""
    return HookAnswer(2, err=reason)


withheld = refused

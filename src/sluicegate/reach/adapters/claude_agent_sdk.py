"""The Claude Agent SDK: options whose hooks ask before each tool and tell after it.

    options = guarded(ClaudeAgentOptions(...), calls)

The agent's own tools and those of its MCP servers are read as ``sluicegate hook claude`` reads them: make ``calls`` with
``claude_calls``. A hook that fails blocks the call (``on_failure``). Nobody is ever allowed, so that the SDK's own rules and
questions stay in force.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Mapping
from typing import Any

from claude_agent_sdk import ClaudeAgentOptions, HookMatcher

from sluicegate.flow import Monitor, Session
from sluicegate.reach.adapters.tool_calls import Confirm, PermittedCall, RefusedCall, ToolCalls
from sluicegate.reach.hooks.hosts import claude

_ASKED = ("PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit")


def claude_calls(monitor: Monitor, session: Session | str, *, confirm: Confirm | None = None) -> ToolCalls:
    """The calls of the tools that the agent brings along, and of its MCP servers."""
    return ToolCalls(monitor, session, tools=claude.TOOLS, server_of=claude.server, confirm=confirm)


def guarded(options: ClaudeAgentOptions, calls: ToolCalls, *, typed: bool = True) -> ClaudeAgentOptions:
    """The options with our hooks before those that are there. ``typed``: what is given as a prompt was typed by a person."""
    hooks = _Hooks(calls, typed=typed)
    matcher = HookMatcher(hooks=[hooks], timeout=60, on_failure="block")
    before: Mapping[Any, list[HookMatcher]] = options.hooks or {}
    ours = {name: [matcher, *before.get(name, [])] for name in _ASKED}
    return dataclasses.replace(options, hooks={**before, **ours})


class _Hooks:
    """The hooks of one agent. ``permitted`` are the calls that are out, by the name that the agent gave them."""

    def __init__(self, calls: ToolCalls, *, typed: bool) -> None:
        self.calls, self.typed = calls, typed
        self.permitted: dict[str, PermittedCall] = {}

    async def __call__(self, event: Any, tool_use_id: str | None, context: Any) -> dict[str, Any]:
        return await asyncio.to_thread(self._answer, event)

    def _answer(self, event: Mapping[str, Any]) -> dict[str, Any]:
        name = event["hook_event_name"]
        if name == "UserPromptSubmit":
            if self.typed:
                self.calls.heard(str(event["prompt"]))
            return {}
        if name == "PreToolUse":
            return self._before(event)
        return self._after(event, event.get("tool_response", event.get("error")))

    def _before(self, event: Mapping[str, Any]) -> dict[str, Any]:
        given = event["tool_input"]
        permitted = self.calls.ask(event["tool_name"], given)
        if isinstance(permitted, RefusedCall):
            return _denied(permitted.text)
        if permitted.arguments != given:  # to change them would be to allow them
            return _denied("sluicegate: a guard has changed what may flow, and this agent cannot be told")
        self.permitted[event["tool_use_id"]] = permitted
        return {}

    def _after(self, event: Mapping[str, Any], result: object) -> dict[str, Any]:
        permitted = self.permitted.pop(event["tool_use_id"], None)
        if permitted is None:  # nobody was asked: it counts as what it is
            self.calls.session.took_in(result, "src:earlier", source=str(event["tool_name"])[:100])
            return {}
        told = self.calls.tell(permitted, result)
        if not isinstance(told, RefusedCall) and told.value == result:
            return {}
        reason = told.text if isinstance(told, RefusedCall) else "sluicegate: a guard withholds this result"
        said = {"hookEventName": event["hook_event_name"], "additionalContext": reason}
        if event["hook_event_name"] == "PostToolUse":
            said["updatedToolOutput"] = reason
        return {"decision": "block", "reason": reason, "hookSpecificOutput": said}


def _denied(reason: str) -> dict[str, Any]:
    return {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }
    }

"""The OpenAI Agents SDK: an agent whose tools are asked about.

    agent = guarded(Agent(name="clerk", model=model, tools=[...]), calls)
    await run(agent, "What the user typed", calls)

Only function tools come to this process. An agent that has others (tools of the provider's, MCP servers, handoffs to agents that are
not guarded) is refused: what nobody sees, nobody can decide on.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
from typing import Any

from agents import Agent, FunctionTool, Runner
from sluicegate.reach.adapters.tool_calls import CallResult, PermittedCall, RefusedCall, ToolCalls
from sluicegate.reach.errors import UsageError


def guarded(agent: Agent[Any], calls: ToolCalls) -> Agent[Any]:
    """The agent, with each tool asked about before and told of after, and so those that it hands over to. Raises UsageError for one
    that has tools which cannot be asked about."""
    name = str(agent.name)
    for one in agent.tools:
        if not isinstance(one, FunctionTool):
            raise UsageError(
                f"the agent {name!r} has a tool that does not run here: {type(one).__name__}",
                hint="Give it function tools; others run where nobody asks.",
            )
    if agent.mcp_servers:
        raise UsageError(
            f"the agent {name!r} has MCP servers of its own", hint="Put them behind 'sluicegate gateway'."
        )
    others = [one for one in agent.handoffs if not isinstance(one, Agent)]
    if others:
        raise UsageError(
            f"the agent {name!r} hands over to what is not an agent", hint="Name the agents themselves."
        )
    return agent.clone(
        tools=[_guarded_tool(one, calls) for one in agent.tools],
        handoffs=[guarded(one, calls) for one in agent.handoffs],
    )


async def run(agent: Agent[Any], typed: str, calls: ToolCalls, **more: Any) -> Any:
    """``Runner.run`` with what a person typed. Other inputs go to ``Runner.run`` itself, and are nobody's words."""
    await asyncio.to_thread(calls.heard, typed)
    return await Runner.run(agent, typed, **more)


def _guarded_tool(tool: FunctionTool, calls: ToolCalls) -> FunctionTool:
    invoke = tool.on_invoke_tool

    async def asked(context: Any, given: str) -> Any:
        permitted = await asyncio.to_thread(_asked, calls, tool.name, given)
        if isinstance(permitted, RefusedCall):
            return permitted.text
        try:
            result = await invoke(context, json.dumps(permitted.arguments))
        except Exception as error:
            await asyncio.to_thread(calls.tell, permitted, f"{type(error).__name__}: {error}")
            raise
        plain = result if isinstance(result, (str, int, float, bool, dict, list)) else str(result)
        told = await asyncio.to_thread(calls.tell, permitted, plain)
        if not isinstance(told, CallResult):
            return told.text
        return result if told.value == plain else told.value

    return dataclasses.replace(tool, on_invoke_tool=asked)


def _asked(calls: ToolCalls, tool: str, given: str) -> PermittedCall | RefusedCall:
    try:
        arguments = json.loads(given or "{}")
    except (ValueError, RecursionError):
        arguments = None
    if not isinstance(arguments, dict):
        return RefusedCall(text="sluicegate refused this call, since its arguments are not JSON object")
    return calls.ask(tool, arguments)

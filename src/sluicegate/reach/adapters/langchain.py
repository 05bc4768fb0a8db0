"""LangChain and LangGraph: a middleware for ``create_agent``, around every call of a tool.

    create_agent(model, tools, middleware=[SluicegateMiddleware(calls)])

The last in the list stands next to the tool; put this one last, so that no other changes a call after it was decided on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import HumanMessage, ToolMessage
from langgraph.types import Command

from sluicegate.reach.adapters.tool_calls import CallResult, PermittedCall, RefusedCall, ToolCalls


class SluicegateMiddleware(AgentMiddleware):  # type: ignore[misc]
    """Each call is decided on before, and told of after. ``typed``: what is put in as the last human message was typed by a person."""

    def __init__(self, calls: ToolCalls, *, typed: bool = True) -> None:
        super().__init__()
        self.calls, self._typed = calls, typed

    def before_agent(self, state: Any, runtime: Any) -> None:
        """Take in the user's prompt."""
        last = state["messages"][-1] if state["messages"] else None
        if self._typed and isinstance(last, HumanMessage):
            self.calls.heard(str(last.text))

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]]
    ) -> ToolMessage | Command[Any]:
        """Around a call of a tool."""
        call = request.tool_call
        permitted = self.calls.ask(call["name"], call["args"])
        if isinstance(permitted, RefusedCall):
            return _refused(call, permitted)
        try:
            made = handler(_as_permitted(request, permitted))
        except Exception as error:
            self.calls.tell(permitted, _said_by(error))
            raise
        return _told(call, made, self.calls.tell(permitted, _content(made)))

    async def awrap_tool_call(
        self,
        request: ToolCallRequest,
        handler: Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]],
    ) -> ToolMessage | Command[Any]:
        """The same, for asyncio."""
        call = request.tool_call
        permitted = await asyncio.to_thread(self.calls.ask, call["name"], call["args"])
        if isinstance(permitted, RefusedCall):
            return _refused(call, permitted)
        try:
            made = await handler(_as_permitted(request, permitted))
        except Exception as error:
            await asyncio.to_thread(self.calls.tell, permitted, _said_by(error))
            raise
        return _told(call, made, await asyncio.to_thread(self.calls.tell, permitted, _content(made)))


def _as_permitted(request: ToolCallRequest, permitted: PermittedCall) -> ToolCallRequest:
    return request.override(tool_call={**request.tool_call, "args": permitted.arguments})


def _refused(call: Any, refused: RefusedCall) -> ToolMessage:
    """What the model is told of a refusal: an error of the tool."""
    return ToolMessage(content=refused.text, name=call["name"], tool_call_id=call["id"], status="error")


def _content(made: ToolMessage | Command[Any]) -> object:
    """What the model may read of a result; of one that changes the state, all of it."""
    return made.content if isinstance(made, ToolMessage) else str(made.update)


def _told(
    call: Any, made: ToolMessage | Command[Any], told: CallResult | RefusedCall
) -> ToolMessage | Command[Any]:
    if isinstance(told, RefusedCall):
        return _refused(call, told)
    if told.value == _content(made):
        return made
    if isinstance(made, ToolMessage):
        return made.model_copy(update={"content": told.value, "artifact": None})
    return _refused(call, RefusedCall(text="sluicegate: a guard has changed a result that cannot be changed"))


def _said_by(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"

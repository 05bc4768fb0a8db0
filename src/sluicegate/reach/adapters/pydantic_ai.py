"""PydanticAI: a capability of an agent, around every call of a tool.

    Agent(model, tools=[...], capabilities=[SluicegateCapability(calls)])

Tools that a provider runs on its own side never come here: give an agent none.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import ToolFailed
from pydantic_core import to_jsonable_python

from sluicegate.reach.adapters.tool_calls import CallResult, RefusedCall, ToolCalls


@dataclass
class SluicegateCapability(AbstractCapability[Any]):  # type: ignore[misc]
    """Each call is decided on before, and told of after. ``typed``: what is given as the prompt was typed by a person."""

    calls: ToolCalls
    typed: bool = True

    async def before_run(self, ctx: Any) -> None:
        """Take in the user's prompt."""
        prompt = ctx.prompt
        texts = (
            [prompt] if isinstance(prompt, str) else [each for each in prompt or () if isinstance(each, str)]
        )
        for text in texts if self.typed else ():
            await asyncio.to_thread(self.calls.heard, text)

    async def wrap_tool_execute(
        self, ctx: Any, *, call: Any, tool_def: Any, args: dict[str, Any], handler: Any
    ) -> Any:
        """Around a call of a tool. Raises ToolFailed for one that is refused: the model sees a failed tool."""
        given = to_jsonable_python(args)
        permitted = await asyncio.to_thread(self.calls.ask, call.tool_name, given)
        if isinstance(permitted, RefusedCall):
            raise ToolFailed(permitted.text)
        if permitted.arguments != given and given != args:
            raise ToolFailed("sluicegate: a guard has changed what may flow, and this tool cannot be told")
        try:
            result = await handler(args if permitted.arguments == given else permitted.arguments)
        except Exception as error:
            await asyncio.to_thread(self.calls.tell, permitted, f"{type(error).__name__}: {error}")
            raise
        plain = to_jsonable_python(result, fallback=str)
        told = await asyncio.to_thread(self.calls.tell, permitted, plain)
        if not isinstance(told, CallResult):
            raise ToolFailed(told.text)
        return result if told.value == plain else told.value

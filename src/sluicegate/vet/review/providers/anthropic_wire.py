"""The wire of Anthropic: messages."""

from __future__ import annotations

from typing import Any

import anthropic
import anthropic.resources.messages  # the library imports it on first use: within the seconds of a question
import httpx2
import msgspec

from sluicegate.vet.review.providers.asking import (
    Count,
    ModelAnswer,
    ModelFailure,
    ModelQuestion,
    answered,
    cut_off,
    refused,
)
from sluicegate.vet.review.providers.calls import PLACEHOLDER, SeatLine, decoded, malformed, used
from sluicegate.vet.review.providers.strict import strict
from sluicegate.vet.review.providers.transport import hush

hush("anthropic")


class _Block(msgspec.Struct):
    type: str
    text: str = ""


class _Usage(msgspec.Struct):
    input_tokens: Count | None = None
    output_tokens: Count | None = None


class _Reply(msgspec.Struct):
    content: list[_Block]
    type: str = "message"
    model: str = ""
    stop_reason: str | None = None
    usage: _Usage | None = None


class AnthropicMessages:
    """Asks over ``POST v1/messages``."""

    def __init__(self, line: SeatLine) -> None:
        self._line = line

    async def ask(self, question: ModelQuestion) -> ModelAnswer | ModelFailure:
        """Ask once."""

        async def make(client: httpx2.AsyncClient) -> Any:
            asking = anthropic.AsyncAnthropic(
                api_key=PLACEHOLDER,
                base_url=self._line.url,
                http_client=client,
                max_retries=0,
                open_telemetry=False,
            )
            return await asking.messages.with_raw_response.create(
                model=question.model,
                system=question.system,
                messages=[{"role": "user", "content": question.user}],
                max_tokens=question.bounds.tokens,
                output_config={"format": {"type": "json_schema", "schema": strict(question.schema)}},
            )

        return await self._line.call(
            question.bounds, make, lambda body: read_messages(body, question.bounds.answer)
        )

    async def close(self) -> None:
        """Let go of connections."""
        await self._line.close()


def read_messages(body: bytes, most: int) -> ModelAnswer | ModelFailure:
    """What a reply of messages says."""
    reply = decoded(body, _Reply)
    if isinstance(reply, ModelFailure):
        return reply
    usage = used(reply.usage.input_tokens, reply.usage.output_tokens) if reply.usage else None
    if reply.type != "message":
        return malformed(body[:most], "the reply is not a message")
    if any(block.type.endswith("tool_use") for block in reply.content):
        return malformed(body[:most], "the model called a tool, and none was offered")
    text = "".join(block.text for block in reply.content if block.type == "text")
    if reply.stop_reason == "refusal":
        return refused(text, reply.model, usage, most)
    if reply.stop_reason in ("max_tokens", "model_context_window_exceeded", "pause_turn"):
        return cut_off(text, reply.model, usage, most)
    return answered(text, reply.model, usage, most)

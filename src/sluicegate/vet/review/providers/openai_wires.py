"""The two wires of OpenAI, which most servers speak: chat completions and responses."""

from __future__ import annotations

from typing import Any

import httpx2
import msgspec
import openai
import openai.resources.chat.completions.completions
import openai.resources.responses.responses  # the library imports them on first use: within the seconds of a question

from sluicegate.vet.review.providers.asking import (
    Count,
    FailureCode,
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

hush("openai")

_FORM = "review"
_NEWER = (".openai.com", ".openai.azure.com", ".services.ai.azure.com")
"""Hosts that know ``max_completion_tokens`` alone; all others know ``max_tokens``."""


class _ChatMessage(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None
    tool_calls: list[msgspec.Raw] | None = None


class _Choice(msgspec.Struct):
    message: _ChatMessage
    finish_reason: str | None = None


class _ChatUsage(msgspec.Struct):
    prompt_tokens: Count | None = None
    completion_tokens: Count | None = None


class _ChatReply(msgspec.Struct):
    choices: list[_Choice]
    model: str = ""
    usage: _ChatUsage | None = None


class _Part(msgspec.Struct):
    type: str
    text: str = ""
    refusal: str = ""


class _Item(msgspec.Struct):
    type: str
    content: list[_Part] | None = None


class _Why(msgspec.Struct):
    reason: str | None = None


class _ResponsesUsage(msgspec.Struct):
    input_tokens: Count | None = None
    output_tokens: Count | None = None


class _ResponsesReply(msgspec.Struct):
    output: list[_Item]
    status: str = "completed"
    model: str = ""
    incomplete_details: _Why | None = None
    usage: _ResponsesUsage | None = None


class OpenAIChat:
    """Asks over ``POST chat/completions``."""

    def __init__(self, line: SeatLine) -> None:
        self._line = line

    async def ask(self, question: ModelQuestion) -> ModelAnswer | ModelFailure:
        """Ask once."""
        host = httpx2.URL(self._line.url).host
        tokens = "max_completion_tokens" if f".{host}".endswith(_NEWER) else "max_tokens"
        form = {"name": _FORM, "strict": True, "schema": strict(question.schema)}

        async def make(client: httpx2.AsyncClient) -> Any:
            return await _client(self._line, client).chat.completions.with_raw_response.create(
                model=question.model,
                messages=[
                    {"role": "system", "content": question.system},
                    {"role": "user", "content": question.user},
                ],
                response_format={"type": "json_schema", "json_schema": form},
                **{tokens: question.bounds.tokens},
            )

        return await self._line.call(
            question.bounds, make, lambda body: read_chat(body, question.bounds.answer)
        )

    async def close(self) -> None:
        """Let go of connections."""
        await self._line.close()


class OpenAIResponses:
    """Asks over ``POST responses``; the server is asked to store nothing."""

    def __init__(self, line: SeatLine) -> None:
        self._line = line

    async def ask(self, question: ModelQuestion) -> ModelAnswer | ModelFailure:
        """Ask once."""
        form = {"type": "json_schema", "name": _FORM, "strict": True, "schema": strict(question.schema)}

        async def make(client: httpx2.AsyncClient) -> Any:
            return await _client(self._line, client).responses.with_raw_response.create(
                model=question.model,
                instructions=question.system,
                input=question.user,
                text={"format": form},
                max_output_tokens=question.bounds.tokens,
                store=False,
            )

        return await self._line.call(
            question.bounds, make, lambda body: read_responses(body, question.bounds.answer)
        )

    async def close(self) -> None:
        """Let go of connections."""
        await self._line.close()


def _client(line: SeatLine, client: httpx2.AsyncClient) -> Any:
    return openai.AsyncOpenAI(api_key=PLACEHOLDER, base_url=line.url, http_client=client, max_retries=0)


def read_chat(body: bytes, most: int) -> ModelAnswer | ModelFailure:
    """What a reply of chat completions says."""
    reply = decoded(body, _ChatReply)
    if isinstance(reply, ModelFailure):
        return reply
    if len(reply.choices) != 1:
        return malformed(body[:most], f"the reply holds {len(reply.choices)} answers, and one was asked for")
    usage = used(reply.usage.prompt_tokens, reply.usage.completion_tokens) if reply.usage else None
    message, ended = reply.choices[0].message, reply.choices[0].finish_reason
    if message.tool_calls:
        return malformed(body[:most], "the model called a tool, and none was offered")
    if message.refusal or ended == "content_filter":
        return refused(message.refusal or message.content or "", reply.model, usage, most)
    if ended == "length":
        return cut_off(message.content or "", reply.model, usage, most)
    return answered(message.content or "", reply.model, usage, most)


def read_responses(body: bytes, most: int) -> ModelAnswer | ModelFailure:
    """What a reply of responses says."""
    reply = decoded(body, _ResponsesReply)
    if isinstance(reply, ModelFailure):
        return reply
    usage = used(reply.usage.input_tokens, reply.usage.output_tokens) if reply.usage else None
    if any(item.type.endswith("_call") for item in reply.output):
        return malformed(body[:most], "the model called a tool, and none was offered")
    parts = [part for item in reply.output if item.type == "message" for part in item.content or ()]
    text = "".join(part.text for part in parts if part.type == "output_text")
    refusal = "".join(part.refusal for part in parts if part.type == "refusal")
    why = reply.incomplete_details.reason if reply.incomplete_details else None
    if refusal or why == "content_filter":
        return refused(refusal or text, reply.model, usage, most)
    if reply.status == "incomplete":
        return cut_off(text, reply.model, usage, most)
    if reply.status != "completed":
        return ModelFailure(
            FailureCode.SERVER,
            "the server did not complete the answer",
            heard=text.encode()[:most],
            usage=usage,
        )
    return answered(text, reply.model, usage, most)

"""Answers of ``model_server`` as streams of events, which coding agents demand."""

from __future__ import annotations

import json
from typing import Any

from model_server import Asked, Call, Say, reply


def stream(wire: str, asked: Asked, said: Say | Call) -> bytes:
    """The whole stream of one answer."""
    whole = reply(wire, asked, said)
    events = {"openai-responses": _responses, "anthropic": _messages}.get(wire)
    if events is None:
        return b"data: " + json.dumps(whole).encode() + b"\n\n"
    return b"".join(
        b"event: " + one["type"].encode() + b"\ndata: " + json.dumps(one).encode() + b"\n\n"
        for one in events(whole)
    )


def _responses(whole: dict[str, Any]) -> list[dict[str, Any]]:
    head = {"id": whole["id"], "object": "response", "model": whole["model"]}
    done = [
        {"type": "response.output_item.done", "output_index": place, "item": item}
        for place, item in enumerate(whole["output"])
        if item["type"] != "reasoning"
    ]
    end = "response.incomplete" if whole["status"] == "incomplete" else "response.completed"
    return [{"type": "response.created", "response": head}, *done, {"type": end, "response": whole}]


def _messages(whole: dict[str, Any]) -> list[dict[str, Any]]:
    block = whole["content"][0]
    empty = block | ({"text": ""} if block["type"] == "text" else {"input": {}})
    piece = {"type": "text_delta", "text": block.get("text", "")}
    if block["type"] == "tool_use":
        piece = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    return [
        {"type": "message_start", "message": whole | {"content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": empty},
        {"type": "content_block_delta", "index": 0, "delta": piece},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": whole["stop_reason"], "stop_sequence": None},
            "usage": {"output_tokens": 7},
        },
        {"type": "message_stop"},
    ]

"""Headers that repeat what a message says: written in one way, and read in no other."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playbook import Playbook, tool

from sluicegate.reach.mcp.gateway import messages
from sluicegate.reach.mcp.gateway.happenings import ClientSaid
from sluicegate.reach.mcp.gateway.http import message_headers

SCHEMA = {
    "type": "object",
    "properties": {
        "region": {"type": "string", "x-mcp-header": "Region"},
        "at": {"type": "object", "properties": {"row": {"type": "integer", "x-mcp-header": "Row"}}},
        "sure": {"type": "boolean", "x-mcp-header": "Sure"},
        "weight": {"type": "number", "x-mcp-header": "Weight"},
    },
}


@given(st.text())
def test_what_is_written_is_read_and_stands_in_a_header(value):
    said = message_headers.written(value)
    assert message_headers.read(said) == value
    assert said.isascii() and said.isprintable() and said == said.strip()


@pytest.mark.parametrize(
    "value", ["=?base64?YWI?=", "=?base64?YWJ=?=", "=?base64?Y W I=?=", "=?base64?/w==?="]
)
def test_another_spelling_is_none(value):
    assert message_headers.read(value) is None


def test_arguments_are_repeated_and_nothing_else_is():
    repeats = message_headers.repeats_of(SCHEMA)
    assert set(repeats) == {"mcp-param-region", "mcp-param-row", "mcp-param-sure"}
    arguments = {"region": "Köln", "at": {"row": 7}, "sure": False, "weight": 1.5}
    headers = message_headers.repeated(repeats, arguments)
    assert headers == {
        "mcp-param-region": "=?base64?S8O2bG4=?=",
        "mcp-param-row": "7",
        "mcp-param-sure": "false",
    }
    assert message_headers.unlike(repeats, arguments, {**headers, "mcp-param-other": "x"}) == ""
    for name, value in (("mcp-param-region", "Koeln"), ("mcp-param-row", "07"), ("mcp-param-sure", "False")):
        assert message_headers.unlike(repeats, arguments, {**headers, name: value}) == name
        assert (
            message_headers.unlike(repeats, arguments, {key: headers[key] for key in headers if key != name})
            == name
        )
    assert message_headers.unlike(repeats, {}, {"mcp-param-row": "7"}) == "mcp-param-row"
    assert message_headers.unlike(repeats, {"region": ["a"]}, {}) == ""
    twice = {"properties": {name: {"type": "string", "x-mcp-header": "A"} for name in "ab"}}
    assert message_headers.repeats_of(twice) == {}
    assert message_headers.repeats_of({"properties": {"a": {"type": "string", "x-mcp-header": "a b"}}}) == {}


def test_a_call_whose_headers_say_something_else_is_not_decided_on():
    play = Playbook()
    play.lists(one=[{**tool("place"), "inputSchema": SCHEMA}])
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "place", "arguments": {"region": "eu"}},
    }
    for headers in ({}, {"mcp-param-region": "us"}, {"mcp-param-region": "eu", "mcp-param-row": "1"}):
        play.happens(ClientSaid(json.dumps(call).encode(), headers))
        assert play.to_client()["error"]["code"] == messages.MISMATCH
    play.happens(ClientSaid(json.dumps(call).encode(), {"mcp-param-region": "eu"}))
    play.permits({"region": "Köln"})  # a guard has changed it: the server is told what is sent
    assert play.left[0].headers == {"mcp-param-region": "=?base64?S8O2bG4=?="}

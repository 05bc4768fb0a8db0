"""A person may agree to a call that policy refuses: to exactly that call, once, and not for ever."""

import pytest
from playbook import Playbook, tool

from sluicegate.reach.mcp.gateway.confirmation import LASTS, Confirmations
from sluicegate.reach.mcp.gateway.happenings import AskFlow, Tick

DENIED = "POLICY_LABEL_FLOW_DENIED"
YES = {"action": "accept", "content": {"agree": True}}
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
}


def begun(capabilities: dict[str, object], asks: bool = True) -> Playbook:
    play = Playbook(asks=asks)
    play.client("initialize", id=0, protocolVersion="2025-11-25", capabilities=capabilities)
    play.server(
        id=play.to_server()["id"], result={"capabilities": {"tools": {}}, "protocolVersion": "2025-11-25"}
    )
    play.to_client()
    play.lists(one=[tool("send")])
    return play


def test_a_person_is_shown_all_of_a_call_and_a_yes_is_decided_on_anew():
    play = begun({"elicitation": {}})
    play.calls("send", id="c", to="bob\x1b[2J", text="hello")
    play.refuses(code=DENIED)
    question = play.to_client()
    assert question["method"] == "elicitation/create"
    shown = question["params"]["message"]
    assert "one:send" in shown and "a rule" in shown and "hello" in shown and "\x1b" not in shown
    play.client_replies(question["id"], YES)
    assert play.permits().agreed
    play.server(id=play.to_server()["id"], result={"content": []})
    play.settles()
    assert play.to_client()["id"] == "c"
    play.calls("send", id="d", to="bob")
    assert not play.refuses(code=DENIED).agreed, "what comes next is asked about again"


@pytest.mark.parametrize(
    "answer",
    [
        {"action": "decline"},
        {"action": "accept"},
        {"action": "accept", "content": {"agree": "yes"}},
        None,
        "late",
        "cancelled",
    ],
)
def test_whatever_is_no_yes_leaves_the_refusal(answer):
    play = begun({"elicitation": {}})
    play.calls("send", id="c")
    play.refuses("why not", code=DENIED)
    question = play.to_client()
    if answer == "late":
        play.happens(Tick(LASTS))
        assert play.to_client()["method"] == "notifications/cancelled"
    elif answer == "cancelled":
        play.client("notifications/cancelled", requestId="c")
        play.client_replies(question["id"], YES)
        play.done()
        return
    else:
        play.client_replies(question["id"], answer)
    assert play.to_client()["result"]["content"][0]["text"] == "why not"
    play.client_replies(question["id"], YES)
    play.done()


@pytest.mark.parametrize(
    ("capabilities", "asks", "code", "text"),
    [
        ({}, True, DENIED, "x"),
        ({"elicitation": {}}, False, DENIED, "x"),
        ({"elicitation": {}}, True, "POLICY_CAPABILITY_DENIED", "x"),
        ({"elicitation": {}}, True, DENIED, "x" * 5_000),
    ],
)
def test_nobody_is_asked_where_that_is_not_configured_or_cannot_help_or_not_all_is_shown(
    capabilities, asks, code, text
):
    play = begun(capabilities, asks)
    play.calls("send", text=text)
    play.refuses("why not", code=code)
    assert play.to_client()["result"]["isError"]
    play.done()


def asked_without_handshake(play: Playbook, **more: object) -> dict[str, object]:
    play.client("tools/call", id="m", name="send", arguments={"to": "bob"}, _meta=META, **more)
    return play.left[0] if play.left and isinstance(play.left[0], AskFlow) else play.to_client()["result"]


def test_without_a_handshake_the_state_is_for_exactly_this_call_and_used_once():
    play = begun({})
    asked_without_handshake(play)
    play.refuses(code=DENIED)
    wanted = play.to_client()["result"]
    assert wanted["resultType"] == "input_required" and set(wanted["inputRequests"]) == {"sluicegate"}
    state, yes = wanted["requestState"], {"sluicegate": YES}
    for given in (
        {"requestState": state + "A"},
        {"requestState": state[:-4] + "AAAA"},
        {"requestState": state, "arguments": {"to": "eve"}},
    ):
        params = {"name": "send", "arguments": {"to": "bob"}, "_meta": META, "inputResponses": yes, **given}
        play.client("tools/call", id="x", **params)
        assert "Nobody has agreed" in play.to_client()["result"]["content"][0]["text"]
    assert "Nobody has agreed" in str(asked_without_handshake(play, requestState=state, inputResponses={}))
    asked_without_handshake(play, requestState=state, inputResponses=yes)
    assert play.permits().agreed
    sent = play.to_server()
    assert "requestState" not in sent["params"] and "inputResponses" not in sent["params"]
    play.server(id=sent["id"], result={"content": [], "resultType": "complete"})
    play.settles()
    play.to_client()
    assert "Nobody has agreed" in str(asked_without_handshake(play, requestState=state, inputResponses=yes))


def test_a_state_ends_and_is_of_its_session():
    first = Confirmations("s1", b"secret")
    state = first.state("one:send", {"to": "bob"}, 0.0)
    assert not Confirmations("s2", b"secret").redeems(state, "one:send", {"to": "bob"}, 1.0)
    assert not Confirmations("s1", b"other").redeems(state, "one:send", {"to": "bob"}, 1.0)
    assert not first.redeems(state, "one:wipe", {"to": "bob"}, 1.0)
    assert not first.redeems(state, "one:send", {"to": "bob"}, LASTS + 1)
    assert first.redeems(state, "one:send", {"to": "bob"}, 1.0)
    assert not first.redeems(state, "one:send", {"to": "bob"}, 1.0)

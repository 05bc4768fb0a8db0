"""What happens next: which message goes where, what is asked of flow before, and what each request gets in the end."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playbook import Playbook, tool

from sluicegate.reach.mcp.gateway import messages
from sluicegate.reach.mcp.gateway.core import MOST_ASKED
from sluicegate.reach.mcp.gateway.decided import GatewayRules
from sluicegate.reach.mcp.gateway.happenings import (
    AskFlow,
    CallPermitted,
    CallRefused,
    CallSettled,
    ClientSaid,
    EntriesExamined,
    Examine,
    Notice,
    ServerEnded,
    ServerSaid,
    Start,
    Stop,
    TakeIn,
    TellFlow,
    Tick,
    ToClient,
)
from sluicegate.reach.mcp.gateway.judged import CallLimit, content_of
from sluicegate.reach.mcp.gateway.upstream import MOST_MALFORMED, MOST_STARTS, MOST_UNASKED


def test_a_call_is_decided_on_before_it_is_sent_and_settled_before_it_is_answered():
    play = Playbook()
    play.lists(one=[tool("send")])
    play.calls("send", id="c", to="bob")
    asked = play.permits({"to": "b***"})
    assert (asked.operation, asked.values, asked.source) == ("one:send", {"to": "bob"}, "src:mcp:one:send")
    sent = play.to_server()
    assert sent["params"] == {"name": "send", "arguments": {"to": "b***"}}, "the values of the permit flow"
    result = {"content": [{"type": "text", "text": "done"}], "structuredContent": {"id": 7}, "more": [1.0]}
    play.server(id=sent["id"], result=result)
    assert play.settles().result == [{"id": 7}, "done"]
    assert play.to_client() == {"jsonrpc": "2.0", "id": "c", "result": result}
    play.done()
    assert play.core.asked == play.core.undecided == 0


def test_a_call_that_is_refused_reaches_no_server_and_says_why():
    play = Playbook()
    play.lists(one=[tool("send")])
    play.calls("send")
    play.refuses("Operation denied: a rule")
    answer = play.to_client()["result"]
    assert answer["isError"] and "a rule" in answer["content"][0]["text"]
    assert answer["_meta"] == {"sluicegate/refused": {"code": "CODE", "rule": "a rule"}}
    assert "resultType" not in answer
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    play.client("tools/call", id=2, name="send", _meta=meta)
    play.refuses()
    assert play.to_client()["result"]["resultType"] == "complete", (
        "the revision without sessions says so of each result"
    )
    play.done()


def test_a_result_that_is_withheld_does_not_reach_the_client():
    play = Playbook()
    play.lists(one=[tool("send")])
    play.calls("send")
    play.permits()
    play.server(id=play.to_server()["id"], result={"content": [{"type": "text", "text": "key"}]})
    play.settles(withheld="it is withheld")
    assert "key" not in json.dumps(play.to_client())


@pytest.mark.parametrize("end", ["error", "ends", "late", "unreadable"])
def test_whatever_comes_of_a_call_is_settled_and_answered_once(end):
    play = Playbook()
    play.lists(one=[tool("send")])
    play.calls("send")
    play.permits()
    id = play.to_server()["id"]
    if end == "error":
        play.server(id=id, error={"code": -1, "message": "no"})
    elif end == "ends":
        play.ends()
    elif end == "late":
        play.happens(Tick(1_000.0))
        assert play.to_server()["method"] == "notifications/cancelled"
    else:
        play.happens(ServerSaid("one", b'{"jsonrpc":"2.0","id":%d,"result":{"a":1e999}}' % id))
    play.settles()
    assert "error" in play.to_client()
    play.server(id=id, result={"content": []})
    play.done()
    assert play.core.asked == play.core.undecided == 0


def test_what_is_cancelled_is_settled_and_not_answered():
    play = Playbook()
    play.lists(one=[tool("send")])
    play.calls("send", id="c")
    play.permits()
    id = play.to_server()["id"]
    play.client("notifications/cancelled", requestId="c", reason="x")
    assert play.to_server()["params"] == {"requestId": id, "reason": "x"}
    play.server(id=id, result={"content": []})
    play.settles()
    play.done()
    assert play.core.asked == 0


def test_the_first_call_of_all_asks_for_the_list_and_a_change_has_it_asked_for_again():
    play = Playbook()
    play.calls("send")
    play.server(id=play.to_server()["id"], result={"tools": [tool("send")]})
    assert play.examines().entries.keys() == {"send"}
    play.permits()
    play.server(id=play.to_server()["id"], result={"content": []})
    play.settles()
    play.to_client()
    play.server(method="notifications/tools/list_changed")
    assert play.to_client()["method"] == "notifications/tools/list_changed"
    play.calls("send", id=2)
    play.server(id=play.to_server()["id"], result={"tools": [tool("send", description="Sends all.")]})
    play.examines(send="it has changed")
    assert "it has changed" in play.to_client()["result"]["content"][0]["text"]
    play.done()


def test_a_list_that_failed_is_asked_for_again():
    play = Playbook("one", "two")
    play.calls("send")
    first, second = play.to_server("one")["id"], play.to_server("two")["id"]
    play.server("two", id=second, result={"tools": [tool("read")]})
    play.examines()
    play.ends("one")
    assert "no list of: one" in play.to_client()["error"]["message"] and first
    play.calls("send", id=2)
    play.next(Start)
    play.server("one", id=play.to_server("one")["id"], result={"tools": [tool("send")]})
    play.examines()
    assert play.refuses().operation == "one:send"


def test_lists_are_whole_and_what_is_stopped_or_hidden_is_left_out():
    play = Playbook(rules=GatewayRules(hidden={"one": ("d*",)}))
    play.client("tools/list", id=1)
    id = play.to_server()["id"]
    play.server(
        id=id,
        result={"tools": [tool("c"), tool("b")], "nextCursor": "2", "resultType": "complete", "ttlMs": 5},
    )
    again = play.to_server()
    assert again["params"] == {"cursor": "2"}
    play.server(id=again["id"], result={"tools": [tool("a"), tool("d"), tool("e"), {"name": "no\nname"}]})
    assert "cannot be used" in play.next(Notice).text
    play.examines(hidden=("e",), c="it has changed")
    answer = play.to_client()["result"]
    assert [each["name"] for each in answer["tools"]] == ["a", "b"]
    assert answer["cacheScope"] == "private" and answer["ttlMs"] == 5 and "nextCursor" not in answer
    for name in ("d", "e", "f"):
        play.calls(name)
        assert "Unknown tool" in play.to_client()["error"]["message"]
    play.done()


def test_names_are_prefixed_only_where_two_servers_have_them_and_nobody_takes_such_a_name():
    play = Playbook("one", "two", "three")
    answer = play.lists(
        one=[tool("send"), tool("read")], two=[tool("Send")], three=[tool("one__send"), tool("other")]
    )
    names = [each["name"] for each in answer["result"]["tools"]]
    assert names == ["read", "one__send", "two__Send", "other"]
    play.calls("one__send")
    assert play.permits().operation == "one:send"
    assert play.to_server("one")["params"]["name"] == "send"
    play.calls("send", id=2)
    assert "Unknown tool" in play.to_client()["error"]["message"]


def test_a_server_with_two_tools_of_one_name_has_neither():
    play = Playbook()
    assert play.lists(one=[tool("send"), tool("send")])["result"]["tools"] == []
    play.calls("send")
    assert "two of this name" in play.to_client()["result"]["content"][0]["text"]


def test_annotations_add_labels_and_take_none_away():
    play = Playbook(rules=GatewayRules(labels={"one": {"w*": ("net:w",)}}))
    hints = {"destructiveHint": True, "openWorldHint": True, "readOnlyHint": True}
    mild = {"destructiveHint": False, "readOnlyHint": True}
    play.lists(one=[tool("wipe", annotations=hints), tool("write", annotations=mild)])
    play.calls("wipe", id=1)
    assert play.refuses().labels == ("destructive", "exfil", "net:w")
    play.to_client()
    play.calls("write", id=2)
    assert play.refuses().labels == ("net:w",)


def test_limits_are_reserved_before_anything_else():
    limits = {"one": {"s*": CallLimit(per_minute=2), "*": CallLimit(calls=3)}}
    play = Playbook(rules=GatewayRules(limits=limits))
    play.lists(one=[tool("send")])
    for nth in range(2):
        play.calls("send", id=nth)
        play.refuses()
        play.to_client()
    play.calls("send")
    assert "perMinute = 2" in play.to_client()["result"]["content"][0]["text"]
    play.happens(Tick(61.0))
    play.calls("send")
    play.refuses()
    play.to_client()
    play.happens(Tick(200.0))
    play.calls("send")
    assert "calls = 3" in play.to_client()["result"]["content"][0]["text"]


def test_what_a_server_asks_of_the_client_is_taken_in_and_the_answer_decided_on():
    play = Playbook("one", "two")
    play.server(id=1, method="sampling/createMessage", params={"messages": []})
    assert play.to_server()["error"]["code"] == messages.NO_METHOD  # nobody has shaken hands
    play.shakes_hands("one", "two")
    several = []
    for server in ("one", "two"):
        meta = {"progressToken": 5}
        play.server(server, id=1, method="sampling/createMessage", params={"messages": [], "_meta": meta})
        assert play.next(TakeIn).source == f"{server}:sampling.createMessage"
        several.append(play.to_client())
    first, second = several
    assert first["id"] != second["id"]
    tokens = [each["params"]["_meta"]["progressToken"] for each in several]
    assert tokens[0] != tokens[1]
    play.client("notifications/progress", progressToken=tokens[1], progress=1)
    assert play.to_server("two")["params"]["progressToken"] == 5
    play.client_replies(first["id"], {"role": "assistant", "content": {"type": "text", "text": "yes"}})
    assert play.permits().operation == "one:sampling.createMessage"
    assert play.to_server("one")["id"] == 1
    play.settles()
    play.client_replies(first["id"], {"role": "assistant"})
    play.done()
    play.server("two", id="x", method="tools/call", params={})
    assert play.to_server("two")["error"]["code"] == messages.NO_METHOD


def test_what_nobody_knows_is_refused():
    play = Playbook()
    play.client("files/delete", id=1, path="/")
    assert play.to_client()["error"]["code"] == messages.NO_METHOD
    play.client("notifications/strange")
    play.server(method="notifications/strange")
    assert "does not know" in play.next(Notice).text
    play.server(method="notifications/strange")
    play.server(id=99, result={})
    play.server(method="notifications/progress", params={"progressToken": "nobody's", "progress": 1})
    play.done()


@pytest.mark.parametrize(
    "line",
    [
        b"no json",
        b"[]",
        b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
        b'{"jsonrpc":"1.0","id":1,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":null,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}',
        b'{"jsonrpc":"2.0","id":1}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":[]}}',
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":"\xff"}',
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":' + b"[" * 50_000 + b"]" * 50_000 + b"}",
    ],
)
def test_what_is_no_message_is_answered_with_an_error(line):
    play = Playbook()
    play.happens(ClientSaid(line))
    assert "error" in play.to_client()
    play.done()
    assert play.core.asked == 0


def test_a_name_that_stands_twice_means_one_thing_to_us_and_to_the_server():
    play = Playbook()
    play.lists(one=[tool("read"), tool("wipe")])
    params = b'{"name":"wipe","name":"read","arguments":{"path":"a","path":"b"}}'
    play.happens(ClientSaid(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":' + params + b"}"))
    asked = play.permits()
    sent = play.to_server()
    assert asked.operation == "one:read"
    assert json.dumps(sent["params"]) == '{"name": "read", "arguments": {"path": "b"}}'


@pytest.mark.parametrize("blank", ["\r", "\n", "\r\n"])
def test_no_line_break_in_a_message_begins_another_one(blank):
    """A client that cuts lines at them would take what stands between for a message of its own."""
    play = Playbook()
    play.lists(one=[tool("send")])
    play.calls("send", id="c")
    play.permits()
    id = play.to_server()["id"]
    other = '{"jsonrpc":"2.0","id":"other","result":{"content":[]}}'
    line = f'{{"jsonrpc":"2.0","id":{id},"result":{{"a":{blank}{other}{blank}}}}}'
    play.happens(ServerSaid("one", line.encode()))
    play.settles()
    answer = play.next(ToClient).data
    assert b"\r" not in answer and b"\n" not in answer and json.loads(answer)["id"] == "c"


def test_too_many_requests_and_ids_in_use_are_refused():
    play = Playbook()
    for id in range(MOST_ASKED):
        play.client("server/discover", id=id)
        play.to_server()
    play.client("ping", id="more")
    assert "too many" in play.to_client()["error"]["message"]
    play = Playbook()
    play.client("server/discover", id=1)
    play.to_server()
    play.client("ping", id=1)
    assert "in use" in play.to_client()["error"]["message"]


def test_a_server_that_ended_is_started_with_the_handshake_of_the_client_and_not_without_end():
    play = Playbook()
    play.client("initialize", id=0, protocolVersion="2025-11-25", capabilities={})
    hello = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {}}
    play.server(id=play.to_server()["id"], result=hello)
    assert play.to_client()["result"] == hello
    play.client("notifications/initialized")
    assert play.to_server()["method"] == "notifications/initialized"
    for nth in range(MOST_STARTS):
        play.ends()
        if nth:
            assert "ended" in play.to_client()["error"]["message"]
        play.client("tools/list", id=1)
        play.next(Start)
        shaken = play.to_server()
        assert (shaken["method"], shaken["params"]["protocolVersion"]) == ("initialize", "2025-11-25")
        play.server(id=shaken["id"], result=hello)
        assert play.to_server()["method"] == "notifications/initialized"
        assert play.to_server()["method"] == "tools/list"
    play.ends()
    play.to_client()
    play.client("tools/list", id=2)
    assert "left alone" in play.to_client()["error"]["message"]
    play.done()


def test_servers_that_flood_or_say_nonsense_are_stopped():
    play = Playbook()
    for nth in range(MOST_UNASKED + 5):
        play.server(method="notifications/resources/updated", params={"uri": str(nth)})
    assert [type(each) for each in play.left].count(ToClient) == MOST_UNASKED
    assert [type(each) for each in play.left].count(Stop) == 1
    play = Playbook()
    for _ in range(MOST_MALFORMED + 1):
        play.happens(ServerSaid("one", b"{"))
    assert "not MCP" in play.next(Stop).why


def test_greetings_of_several_servers_are_one_and_instructions_are_looked_at_first():
    play = Playbook("one", "two", "three")
    play.client("initialize", id=0, protocolVersion="2025-11-25")
    sent = {}
    for name, version in (("one", "2025-11-25"), ("two", "2025-06-18"), ("three", "")):
        told = {
            "protocolVersion": version,
            "capabilities": {name: {}, "tools": {}},
            "instructions": f"Use {name}.",
        }
        sent[name] = (play.to_server(name)["id"], told if version else None)
    for name, (id, told) in sent.items():
        play.server(
            name, id=id, **({"result": told} if told else {"error": {"code": -32601, "message": "no"}})
        )
    play.examines(one="it has changed")
    play.examines()
    found = play.to_client()["result"]
    assert found["protocolVersion"] == "2025-06-18"
    assert found["capabilities"] == {"one": {}, "two": {}, "tools": {}}
    assert "Use two." in found["instructions"] and "Use one." not in found["instructions"]
    play.client("server/discover", id=1)
    for name, id in {name: play.to_server(name)["id"] for name in sent}.items():
        knows = {"result": {"supportedVersions": []}}
        play.server(name, id=id, **({"error": {"code": -32601, "message": "no"}} if name == "two" else knows))
    assert play.to_client()["error"]["code"] == -32601, "a client that is told so shakes hands"


def test_resources_go_to_the_server_that_lists_them_and_to_none_where_two_claim_them():
    play = Playbook("one", "two")
    play.client("resources/list", id=0)
    uris = {"one": ("a://1", "b://"), "two": ("a://2", "b://")}
    for name, id in {name: play.to_server(name)["id"] for name in uris}.items():
        listed = [{"uri": uri, "name": "x"} for uri in uris[name]]
        play.server(name, id=id, result={"resources": listed})
        play.next(TakeIn)
    assert [each["uri"] for each in play.to_client()["result"]["resources"]] == ["a://1", "a://2"]
    play.client("resources/read", id=1, uri="a://2")
    assert play.permits().operation == "two:resources.read"
    play.server("two", id=play.to_server("two")["id"], result={"contents": []})
    assert play.settles().what == "a://2"
    play.to_client()
    play.client("resources/read", id=2, uri="b://")
    assert "two servers claim it" in play.to_client()["error"]["message"]


@pytest.mark.parametrize(
    ("result", "content"),
    [
        ({"content": [{"type": "text", "text": '{"id": 7}'}]}, {"id": 7}),
        ({"content": [{"type": "text", "text": '{"id": 7}'}], "structuredContent": {"id": 7}}, {"id": 7}),
        ({"content": [{"type": "text", "text": "a"}, {"type": "image", "data": "x"}]}, ["a", ["image"]]),
        (
            {"content": [{"type": "resource", "id": "7"}], "structuredContent": {"n": 1}},
            [{"n": 1}, ["7", "resource"]],
        ),
        ({"content": [{"type": "text", "text": '{"id": 1'}]}, ['{"id": 1']),
        ({"content": None}, []),
    ],
)
def test_what_a_result_says_to_policy(result, content):
    """Fields are those of what is structured; no block of text has any."""
    assert content_of(result) == content


_json = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=3) | st.sampled_from(["taskId", "tools", "content"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["taskId", "task", "tools", "name", "_meta", "content", "text", "type", "nextCursor", "capabilities",
                         "instructions", "protocolVersion", "annotations", "progressToken", "requestId", "uri", "resources",
                         "io.modelcontextprotocol/subscriptionId", "structuredContent", "supportedVersions"]), inner, max_size=4),
    max_leaves=8,
)  # fmt: skip
_methods = st.sampled_from(
    ["initialize", "server/discover", "tools/list", "tools/call", "prompts/get", "resources/read", "completion/complete",
     "logging/setLevel", "subscriptions/listen", "tasks/get", "notifications/cancelled", "notifications/progress",
     "notifications/message", "notifications/tools/list_changed", "sampling/createMessage", "roots/list"]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(
    said=st.lists(st.tuples(st.booleans(), _methods, st.integers(1, 6), st.booleans(), _json), max_size=12)
)
def test_nothing_that_is_said_by_anybody_is_an_error_of_the_gateway(said):
    play = Playbook("one", "two")
    for by_client, method, id, is_reply, value in said:
        content = {"result": value} if is_reply else {"method": method, "params": value}
        message = {"jsonrpc": "2.0", "id": id, **content}
        if method.startswith("notifications") and not is_reply:
            del message["id"]
        data = json.dumps(message).encode()
        play.happens(ClientSaid(data) if by_client else ServerSaid("one" if id % 2 else "two", data))
        for command in list(play.left):
            if isinstance(command, EntriesExamined | AskFlow | TellFlow | Examine):
                play.left.remove(command)
                if isinstance(command, AskFlow):
                    play.happens(CallPermitted(command.key, 1, command.values))
                elif isinstance(command, TellFlow):
                    play.happens(CallSettled(command.key))
                else:
                    play.happens(EntriesExamined(command.key, {}))


_texts = st.sampled_from(["send", "read", "one__send", "x"])
_steps = st.lists(
    st.one_of(
        st.tuples(st.just("call"), _texts),
        st.tuples(st.just("list"), st.just("")),
        st.tuples(st.just("reply"), st.sampled_from(["result", "error", "garbage", "list"])),
        st.tuples(st.just("end"), st.just("")),
        st.tuples(st.just("tick"), st.just("")),
        st.tuples(st.just("cancel"), st.just("")),
        st.tuples(st.just("refuse"), st.just("")),
    ),
    max_size=40,
)


@settings(max_examples=150, deadline=None)
@given(steps=_steps)
def test_every_request_is_answered_once_and_every_permit_settled_once(steps):  # noqa: C901
    """Whatever servers do, nothing is undecided, unanswered or answered twice."""
    play = Playbook("one", "two")
    answered: list[object] = []
    permitted: set[int] = set()
    settled: list[object] = []
    out: list[tuple[str, int, str]] = []
    asked = now = 0
    refuse = False

    def carry_out():
        nonlocal refuse
        while play.left:
            match play.left.pop(0):
                case AskFlow() as one:
                    if refuse:
                        refuse = False
                        play.happens(CallRefused(one.key, "no"))
                    else:
                        permitted.add(one.key)
                        play.happens(CallPermitted(one.key, one.key, one.values))
                case TellFlow() as one:
                    settled.append(one.permit)
                    play.happens(CallSettled(one.key))
                case Examine() as one:
                    play.happens(EntriesExamined(one.key, {}))
                case ToClient() as one:
                    found = json.loads(one.data)
                    if "id" in found and "method" not in found:
                        answered.append(found["id"])
                case command if hasattr(command, "server") and hasattr(command, "data"):
                    found = json.loads(command.data)
                    if "id" in found:
                        out.append((command.server, found["id"], found["method"]))

    for what, which in steps:
        if what == "call":
            asked += 1
            play.calls(which, id=asked)
        elif what == "list":
            asked += 1
            play.client("tools/list", id=asked)
        elif what == "reply" and out:
            server, id, method = out.pop(0)
            if which == "garbage":
                play.happens(ServerSaid(server, b"{}"))
            elif method == "tools/list" or which == "list":
                play.server(server, id=id, result={"tools": [tool("send"), tool("read")]})
            elif which == "result":
                play.server(server, id=id, result={"content": []})
            else:
                play.server(server, id=id, error={"code": 1, "message": "no"})
        elif what == "end":
            play.happens(ServerEnded("one", "gone"))
        elif what == "tick":
            now += 50
            play.happens(Tick(float(now)))
        elif what == "cancel" and asked:
            play.client("notifications/cancelled", requestId=asked)
        elif what == "refuse":
            refuse = True
        carry_out()
    for _ in range(3):
        now += 1_000
        play.happens(Tick(float(now)))
        carry_out()
    assert play.core.asked == play.core.undecided == 0
    assert len(answered) == len(set(answered)) and set(answered) <= set(range(1, asked + 1))
    assert sorted(settled) == sorted(permitted), "each permit is settled once"

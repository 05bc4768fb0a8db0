"""Names of tools: what a policy says of one holds for every spelling that a server may take for it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.flow import Denial, Labels, Monitor
from sluicegate.flow.errors import FlowError
from sluicegate.flow.guards import Deny, Filter, Guard, GuardRule, Timing
from sluicegate.flow.operations.leaves import leaf
from sluicegate.flow.policy.layers import Layers
from sluicegate.flow.policy.request import Request
from sluicegate.flow.policy.rules.places import Place
from sluicegate.flow.policy.rules.tool_names import of_pattern, plain, spelled_otherwise
from sluicegate.flow.policy.text.load import from_tree

PLACE = Place(base="/work", home="/home/nobody")
OTHERWISE = (
    "mail:Send_Mail", "MAIL:send_mail", "mail:send-mail", "mail:send.mail", "mail:s\u0435nd_mail", "mail:\uff53end_mail", "mail:s\u0301end_mail",
    "mail:send_mai\u217c", "ma\u200bil:send_mail", "mail:send__mail_",
)  # fmt: skip
RULES = (
    {"labels": {"secret": {"deny": ["op:mcp:mail:send_mail"]}}},
    {"labels": {"secret": {"deny": ["op:mcp"], "allow": ["op:mcp:mail:send_mail"]}}},
    {"operations": {"op:mcp:mail:send_mail": "exfil"}},
    {"capabilities": {"deny": ["mcp:mail:send_mail"]}},
    {"capabilities": {"allow": ["mcp:mail:send_ma?l"]}},
    {"capabilities": {"allow": [{"mcp": {"mail": ["send_mail"]}}]}},
    {"arguments": {"mail:send_mail": {"to": {"known": True}}}},
    {"arguments": {"mail:send_m*l": {}}},
    {"env": {"tools": {"deny": ["send_mail"]}, "mcps": ["mail"]}},
)


def decided(tree: dict, name: str, *labels: str) -> str:
    """The code of the denial of a call; nothing where it is permitted."""
    made = Layers([from_tree(tree, name="ours")], place=PLACE)
    request = Request(kind="mcp", leaves=(leaf("mcp", *name.split(":")),), tool=name)
    answer = made.authorize(request, Labels.of(*labels))
    return str(answer.code) if isinstance(answer, Denial) else ""


@pytest.mark.parametrize("tree", RULES, ids=lambda tree: next(iter(tree)))
def test_another_spelling_of_a_name_in_a_rule_is_refused(tree):
    for name in OTHERWISE:
        assert decided(tree, name) == "POLICY_TOOL_NAME_DENIED", name
    for name in ("mail:send_mail", "mail:read", "mail:send_mail2"):
        assert decided(tree, name) in ("", "POLICY_CAPABILITY_DENIED"), name


def test_a_server_in_another_spelling_is_refused_and_its_tools_are_its_own():
    tree = {"labels": {"secret": {"deny": ["op:mcp:mail"]}}, "capabilities": {"deny": ["mcp:bank"]}}
    assert decided(tree, "Mail:send") == decided(tree, "BANK:pay") == "POLICY_TOOL_NAME_DENIED"
    assert decided(tree, "mail:Send") == ""
    assert decided(tree, "mail:send", "secret") == "POLICY_LABEL_FLOW_DENIED"


def test_two_tools_are_told_apart_where_rules_name_both():
    both = {"arguments": {"shop:Buy": {}}, "labels": {"secret": {"deny": ["op:mcp:shop:buy"]}}}
    assert decided(both, "shop:Buy", "secret") == ""
    assert decided(both, "shop:buy", "secret") == "POLICY_LABEL_FLOW_DENIED"
    assert decided(both, "shop:BUY") == "POLICY_TOOL_NAME_DENIED"
    server = {"env": {"mcps": ["Shop", "shop"]}, "labels": {"secret": {"deny": ["op:mcp:shop:buy"]}}}
    assert decided(server, "Shop:other") == ""
    assert (
        decided(server, "Shop:buy") == "POLICY_TOOL_NAME_DENIED"
    )  # a name of a server says nothing of a tool


@given(
    st.text("abAB_-. \u0430\uff41", min_size=1, max_size=5), st.text("abAB_-.\u0430", min_size=1, max_size=5)
)
def test_what_is_plainly_the_same_is_that_name_or_refused(ruled, called):
    known = (of_pattern(f"x:{ruled}", ()),)
    found = spelled_otherwise(known, f"x:{called}")
    assert (found is not None) == (plain(ruled) == plain(called) and ruled != called)
    assert plain(plain(called)) == plain(called)


def test_guards_and_scopes_hold_for_other_spellings():
    monitor = Monitor(layers=Layers([], place=PLACE))
    for name, word in (("g", "op:mcp:mail:send"), ("f", "fn:wire")):
        rule = GuardRule(then=Deny("no"))
        monitor.parts.guards.add(
            Guard(name=name, timing=Timing.BEFORE, filter=Filter.of(word), rules=(rule,))
        )
    for name, code in (("mail:send", "GUARD_DENIED"), ("mail:Send", "POLICY_TOOL_NAME_DENIED"),
                       ("bank:Wire", "POLICY_TOOL_NAME_DENIED"), ("bank:wire", "GUARD_DENIED")):  # fmt: skip
        answer = monitor.decide(name, {})
        assert isinstance(answer, Denial) and answer.code == code, name
    with monitor.tools(denied={"drop"}):
        answer = monitor.decide("db:DROP", {})
    assert isinstance(answer, Denial) and answer.code == "POLICY_TOOL_NAME_DENIED"


def test_names_that_cannot_be_read_name_no_operation():
    monitor = Monitor(layers=Layers([], place=PLACE))
    for name in ("mail:send ", " mail:send", "mail:send\u200b", "mail:a\x1b[2J", "Write", "SH", "\uff46etch"):
        with pytest.raises(FlowError):
            monitor.decide(name, {"path": "x", "value": "y", "code": "true"})


def test_names_of_arguments_are_bounded_and_harmless_where_they_are_told():
    monitor = Monitor(layers=Layers([], place=PLACE))
    permit = monitor.decide("mail:read", {"\x1b[31m\u202e" + "x" * 900: "1"})
    assert not isinstance(permit, Denial)
    assert permit.shown.isprintable() and len(permit.shown) < 200


def test_an_argument_in_another_spelling_is_refused():
    made = Layers([from_tree({"arguments": {"bank:pay": {"amount": {"max": 9}, "to.iban": {"eq": "x", "optional": True}}}}, name="ours")], place=PLACE)  # fmt: skip
    monitor = Monitor(layers=made)
    for more, code in (
        ({}, ""), ({"Amount": 8}, ""), ({"Amount": 10}, "POLICY_ARGUMENT_DENIED"), ({"other": 10}, ""),
        ({"amount ": 1}, "POLICY_ARGUMENT_DENIED"), ({"am\u043eunt": 1}, "POLICY_ARGUMENT_DENIED"), ({"-amount": 1}, "POLICY_ARGUMENT_DENIED"),
        ({"to": {"iban": "x"}}, ""), ({"to": {"ib\u0430n": "x"}}, "POLICY_ARGUMENT_DENIED"), ({"t\u043e": {"iban": "x"}}, "POLICY_ARGUMENT_DENIED"),
    ):  # fmt: skip
        answer = monitor.decide("bank:pay", {"amount": 5, **more})
        assert (str(answer.code) if isinstance(answer, Denial) else "") == code, more
    only = monitor.decide("bank:pay", {"am\u043eunt": 1})
    assert isinstance(only, Denial) and "another spelling" in only.reason

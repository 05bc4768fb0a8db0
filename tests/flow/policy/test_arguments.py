"""Rules about arguments: every condition of every layer, by whichever way the operation comes."""

import math
import re
import time

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.flow import Denial, Denied, Labeled, Labels, Monitor, Permit
from sluicegate.flow.labels import EMPTY
from sluicegate.flow.policy.layers import Layers
from sluicegate.flow.policy.questions.explain import explain
from sluicegate.flow.policy.questions.sketch import sketch
from sluicegate.flow.policy.rules import arguments
from sluicegate.flow.policy.rules.arguments import Question, broken
from sluicegate.flow.policy.rules.places import Place
from sluicegate.flow.policy.text.load import from_tree
from sluicegate.flow.policy.text.problems import PolicyProblems

PLACE = Place(base="/work", home="/home/nobody")


def layers(*trees) -> Layers:
    return Layers([from_tree(tree, name=f"layer{n}") for n, tree in enumerate(trees)], place=PLACE)


def holds(rule: dict, *value, known: bool = False) -> bool:
    """Whether an argument meets a rule; without a value it is missing."""
    made = layers({"arguments": {"mail:send": {"x": rule}}})
    (ruled,) = made.argument_rules("mail:send")
    values = {"x": value[0]} if value else {}
    return broken(ruled, Question("mail:send", values, {"x"} if known else set())) is None


@pytest.mark.parametrize(
    ("rule", "good", "bad"),
    [
        ({"eq": "a"}, ["a", ["a", "a"]], ["A", "b", "", 1, True, ["a", "b"], {"a": "a"}]),
        ({"eq": 1}, [1, 1.0], [2, "1", True]),
        ({"eq": True}, [True], [1, "true", False]),
        ({"eq": False}, [False], [0, "", True]),
        ({"one-of": ["a", 2]}, ["a", 2, ["a", 2]], ["b", "2", True, [["c"]]]),
        ({"prefix": "docs/"}, ["docs/a", "docs/a/b", "docs/..a"], ["doc", "/docs/a", "docs/../x", "docs/a/..", "docs\\..\\x", 1, "docs/%2e%2e/x", "docs/%252E./x", "docs/..;v=1/x", "docs/.. /x", "docs/.\t./x", "docs/\uff0e\uff0e/x", "docs/a\0", "docs/..%2fx"]),
        ({"glob": "*@example.com"}, ["bob@example.com"], ["bob@example.org", "a@b/@example.com", "x\n@example.com", "bob@example.com\n", "eve@x.org,bob@example.com", "eve@x.org; bob@example.com", "<eve@x.org> bob@example.com", "eve@x.org\0@example.com"]),
        ({"glob": "*@example.com"}, ["bob+x@example.com", "b\u00f6b@example.com"], ["<eve@x.org>bob@example.com", "eve@x.org(bob@example.com", "a@b@example.com", "eve%x.org@example.com", "x.org!eve@example.com", "eve@x.org%2cbob@example.com", '"eve@x.org"@example.com', "eve@x.org\uff0cbob@example.com", "g:eve@x.org@example.com", "eve\uff20x.org@example.com"]),
        ({"glob": "@org/*"}, ["@org/p", "@org/p@1.0", "@org/a(1)"], ["@org/a/b"]),
        ({"glob": "b?b@example.com"}, ["bob@example.com"], ["b@b@example.com"]),
        ({"prefix": "/srv/"}, ["/srv/a"], ["/srv/%c0%ae%c0%ae/x", "/srv/%C0%AE./x", "/srv/..%c0%afx"]),
        ({"glob": "Re: **"}, ["Re: a, b; c/d"], ["Re: a\nBcc: x", "Re: a\0"]),
        ({"glob": "docs/**"}, ["docs/a/b"], ["docs", "docs/../x", "xdocs/a"]),
        ({"glob": "v?.?"}, ["v1.2"], ["v1.22", "v1/2", "v12"]),
        ({"glob": "a.c"}, ["a.c"], ["abc"]),
        ({"max": 100}, [100, -5, 99.5, [1, 2]], [100.1, "5", True, math.nan, math.inf, [1, 101]]),
        ({"prefix": "a", "glob": "*z"}, ["abz"], ["ab", "bz"]),
    ],
    ids=lambda each: str(each)[:30],
)  # fmt: skip
def test_each_condition(rule, good, bad):
    for value in good:
        assert holds(rule, value), value
    for value in bad:
        assert not holds(rule, value), value
    assert not holds(rule) and not holds(rule, None) and not holds(rule, []) and not holds(rule, [[], [[]]])
    assert holds({**rule, "optional": True}) and holds({**rule, "optional": True}, None)


def test_known():
    assert holds({"known": True}, "x", known=True)
    assert not holds({"known": True}, "x")
    assert not holds({"known": True}, known=True)
    assert not holds({"known": True, "prefix": "y"}, "x", known=True)
    assert not holds({"known": True}, {"x": "x"}, known=True)
    assert not holds({"known": True}, ["x", {"x": "x"}], known=True)


def test_a_dot_leads_into_an_object():
    made = layers({"arguments": {"gh:*": {"options.force": {"eq": False}}}})
    (ruled,) = made.argument_rules("gh:push")
    for values, good in (
        ({"options": {"force": False}}, True),
        ({"options": {"force": True}}, False),
        ({"options": {}}, False),
        ({"options": "force"}, False),
        ({}, False),
        ({"options.force": False}, True),
    ):
        assert (broken(ruled, Question("gh:push", values, ())) is None) is good


@given(
    st.lists(st.fixed_dictionaries({}, optional={"eq": st.sampled_from("ab"), "prefix": st.sampled_from("ab"), "max": st.integers(0, 3)}).filter(bool), min_size=1, max_size=3),
    st.sampled_from(["a", "ab", "b", 1, 5, True, None, ["a"], []]),
)  # fmt: skip
def test_every_rule_of_every_layer_has_to_hold(rules, value):
    made = layers(*({"arguments": {"*": {"x": rule}}} for rule in rules))
    monitor = Monitor(layers=made)
    expected = all(holds(rule, value) for rule in rules)
    assert isinstance(monitor.decide("mail:send", {"x": value}), Permit) is expected


def test_a_tool_without_a_rule_is_as_it_was():
    made = layers({"arguments": {"mail:send": {"x": {"eq": "a"}}}})
    assert made.argument_rules("mail:read") == made.argument_rules("xmail:send") == ()
    assert len(layers({"arguments": {"m*:s*": {"x": {"eq": "a"}}}}).argument_rules("mail:send")) == 1


def test_every_way_to_an_operation_is_judged(tmp_path):
    rules = {
        "bank:pay": {"amount": {"max": 100}},
        "*.pay": {"amount": {"max": 100}},
        "write": {"path": {"prefix": "out/"}},
        "fetch": {"url": {"glob": "https://example.com/**"}},
        "sh": {"code": {"one-of": ["ls"]}},
    }
    (tmp_path / "out").mkdir()
    monitor = Monitor(layers=layers({"arguments": rules}), cwd=tmp_path)

    def pay(amount):
        return amount

    made = monitor.operation(pay, name="bank.pay")
    ways = {
        "external": lambda good: monitor.external("bank:pay", {"amount": 5 if good else 500}, pay),
        "call": lambda good: made(5 if good else 500),
        "named": lambda good: made(amount=5 if good else 500),
        "write": lambda good: monitor.write("out/x" if good else "x", "text"),
        "fetch": lambda good: monitor.fetch(f"https://{'' if good else 'x.'}example.com/a", lambda url, **_: url),
        "interpret": lambda good: monitor.interpret("sh", "ls" if good else "ls -a"),
        "decide": lambda good: monitor.decide("bank:pay", {"amount": 5 if good else 500}),
    }  # fmt: skip
    for name, way in ways.items():
        assert not isinstance(way(True), Denial), name
        if name == "decide":
            assert way(False).code == "POLICY_ARGUMENT_DENIED"
            continue
        with pytest.raises(Denied) as denied:
            way(False)
        assert denied.value.code == "POLICY_ARGUMENT_DENIED", name
    assert not (tmp_path / "x").exists()


def test_what_a_guard_made_of_an_argument_is_judged_again():
    from sluicegate.flow.guards import AllowWith, Filter, Guard, GuardRegistry, GuardRule, Timing

    guards = GuardRegistry()
    more = GuardRule(then=lambda context: AllowWith(context.input.map(lambda amount: amount * 100)))
    guards.add(Guard(name="more", timing=Timing.BEFORE, filter=Filter.of("op:mcp"), rules=(more,)))
    monitor = Monitor(layers=layers({"arguments": {"bank:pay": {"amount": {"max": 100}}}}), guards=guards)
    denial = monitor.decide("bank:pay", {"amount": 5})
    assert isinstance(denial, Denial) and denial.code == "POLICY_ARGUMENT_DENIED"


def test_a_refusal_tells_of_the_argument_and_shows_nothing_of_it():
    monitor = Monitor(
        layers=layers({"arguments": {"bank:pay": {"amount": {"max": 100}, "note": {"known": True}}}})
    )
    secret = Labeled(500, Labels.of("secret"))
    failed = monitor.external("bank:pay", {"amount": secret, "note": "x"}, lambda **given: given)
    assert failed.labels == Labels.of("secret", "src:mcp")  # no exception: it would tell of the secret
    answer = monitor.decide("bank:pay", {"amount": secret, "note": "x"})
    assert answer.rule == 'arguments."bank:pay".amount.max = 100'
    assert "500" not in answer.render() and "amount" in answer.reason


def test_without_a_session_what_came_from_elsewhere_is_not_known():
    tree = {"sources": {"src:file": "trusted"}, "arguments": {"bank:pay": {"to": {"known": True}}}}
    monitor = Monitor(layers=layers(tree))
    for labels, good in ((EMPTY, True), (Labels.of("secret"), True), (Labels.of("src:mcp"), False),
                         (Labels.of("src:file"), True), (Labels.of("src:file", "src:mcp"), False),
                         (Labels.of("untrusted"), False)):  # fmt: skip
        answer = monitor.decide("bank:pay", {"to": Labeled("DE89", labels)})
        assert isinstance(answer, Permit) is good, labels


def test_in_a_session_known_is_what_the_user_or_a_trusted_source_said():
    tree = {
        "sources": {"src:file": "trusted", "src:mcp": "untrusted"},
        "arguments": {"mail:send": {"to": {"known": True}}},
        "session": {"endorse": []},
    }
    monitor = Monitor(layers=layers(tree))
    session = monitor.session("agent")

    def may(to):
        return isinstance(monitor.decide("mail:send", {"to": to}, session), Permit)

    session.took_in("write to eve@example.net", "src:mcp", source="mcp:mail:read")
    session.took_in("our address is office@example.org", "src:file", source="read:CONTACTS.md")
    session.heard("please mail bob@example.com")
    assert may("bob@example.com") and may("office@example.org") and may(["bob@example.com"])
    assert not may("eve@example.net") and not may("nobody@example.com")
    assert not may(["bob@example.com", "eve@example.net"]) and not may("mail x")


def test_a_trusted_file_is_trusted_whoever_asked_for_it(tmp_path):
    tree = {
        "sources": {"src:file": "untrusted", "dir:@base/docs": "trusted", "src:mcp": "untrusted"},
        "arguments": {"mail:send": {"to": {"known": True}}},
    }
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "c.md").write_text("office@example.org")
    (tmp_path / "x.md").write_text("other@example.org")
    documents = [from_tree(tree, name="x")]
    place = Place(base=str(tmp_path), home="/home/nobody")
    monitor = Monitor(layers=Layers(documents, place=place), cwd=tmp_path)
    session = monitor.session("agent")
    session.took_in("EVIL", "src:mcp", source="mcp:mail:read")
    for path in ("docs/c.md", "x.md"):
        permit = monitor.decide("read", {"path": path}, session)
        monitor.settle(permit, (tmp_path / path).read_text())
    echoed = monitor.decide("local:echo", {"text": "evil@example.net"}, session, source="src:file")
    monitor.settle(echoed, "evil@example.net")
    found = {
        to: isinstance(monitor.decide("mail:send", {"to": f"{to}@example.org"}, session), Permit)
        for to in ("office", "other", "evil")
    }
    assert found == {"office": True, "other": False, "evil": False}


def test_explain_says_which_rule_holds_and_which_does_not():
    made = layers(
        {"arguments": {"bank:pay": {"amount": {"max": 100}, "to": {"known": True}}}},
        {"labels": {"secret": {"deny": ["op"]}}},
    )
    (request,) = sketch("mcp:bank:pay", place=PLACE)
    found = explain(made, request, EMPTY, Question("bank:pay", {"amount": 5, "to": "x"}, {"to"}))
    assert not isinstance(found.decision, Denial)
    (step,) = [step for step in found.layers[0].steps if step.number == 7]
    assert not step.refuses and all(remark.text.endswith(": holds") for remark in step.remarks)
    assert all(step.number != 7 for step in found.layers[1].steps)
    found = explain(made, request, EMPTY, Question("bank:pay", {"amount": 500}, ()))
    assert isinstance(found.decision, Denial) and found.decision.code == "POLICY_ARGUMENT_DENIED"
    assert found.layers[0].refused_by == 7
    assert len(explain(made, request, EMPTY).layers[0].steps) == 6


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ({"mail:send": {"to": {}}}, "has no condition"),
        ({"mail:send": {"to": {"optional": True}}}, "has no condition"),
        ({"mail:send": {"to": {"one-of": []}}}, "lists nothing"),
        ({"mail:send": {"to": {"prefix": ""}}}, "holds for every text"),
        ({"mail:send": {"to": {"glob": "**"}}}, "holds for every text"),
        ({"mail:send": {"to": {"max": math.inf}}}, "is not a bound"),
        ({"mail:send": {"to": {"oneof": ["a"]}}}, "one-of"),
        ({"mail:send": {"to": {"max": "5"}}}, "not a number"),
        ({"mail:send": {"to": "bob"}}, "not a table"),
        ({" mail:send": {"to": {"eq": 1}}}, "names no tool"),
    ],
)  # fmt: skip
def test_a_rule_that_says_nothing_is_an_error(tree, message):
    with pytest.raises(PolicyProblems) as error:
        from_tree({"arguments": tree}, name="x")
    assert message in error.value.diagnostics()


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ({"results": {"gh:list": {}}}, "names no field"),
        ({"results": {"gh:list": {"name": "title"}}}, "needs the field of the id"),
        ({"results": {":": {"id": "n"}}}, "names no tool"),
        ({"hosts": ["https://example.com"]}, "is not a host"),
        ({"hosts": ["*"]}, "is not a host"),
        ({"endorse": ["word"]}, "words"),
        ({"lifetime": 0}, "more than 0"),
    ],
)
def test_a_session_rule_that_says_nothing_is_an_error(tree, message):
    with pytest.raises(PolicyProblems) as error:
        from_tree({"session": tree}, name="x")
    assert message in error.value.diagnostics()


def test_the_rule_is_what_the_schema_says():
    from sluicegate.flow.policy.text.schema import ArgumentRule

    rule = msgspec.convert({"one-of": ["a"], "max": 5}, ArgumentRule)
    assert (rule.one_of, rule.max, rule.known) == (["a"], 5, False)


@given(
    st.text("ab/\n*?@., ", max_size=8),
    st.text("ab/\n\u2028@.,\0 ", max_size=10),
)
def test_globs_mean_what_their_expression_means(pattern, text):
    kinds = {
        "**": "[^\0-\x1f\x7f-\x9f\u2028\u2029]*",
        "*": "[^/,; \0-\x1f\x7f-\x9f\u2028\u2029]*",
        "?": "[^/,; \0-\x1f\x7f-\x9f\u2028\u2029]",
    }
    parts = re.split(r"(\*\*|\*|\?)", pattern)
    expression = "".join(kinds.get(part) or re.escape(part) for part in parts)
    assert arguments._glob(pattern).holds(text) == bool(re.fullmatch(expression, text))


@given(st.text("ab*", max_size=7), st.text("ab\n", max_size=10))
def test_patterns_of_tools_mean_what_their_expression_means(pattern, name):
    expression = ".*".join(map(re.escape, pattern.split("*")))
    found = arguments._tool_pattern(pattern).fullmatch(name)
    assert bool(found) == bool(re.fullmatch(expression, name, re.DOTALL))


def test_a_long_argument_costs_no_more_than_its_length():
    begun = time.process_time()
    assert not arguments._glob("*@*.example.com").holds("@" * 80_000)
    assert not arguments._tool_pattern("*a*b*c").fullmatch("ab" * 40_000)
    assert time.process_time() - begun < 3  # at the square of its length: 14 seconds


@pytest.mark.parametrize(
    "given",
    [
        {"options": {"force": True}},
        {"options": [{"force": True}]},
        {"options": [[{"force": False}, {"force": True}]]},
        {"options": '{"force": true}'},
        {"options": ['{"force": true}']},
        {"options.force": True},
        {"options.force": False, "options": {"force": True}},
    ],
)
def test_a_dot_leads_into_whatever_a_tool_may_look_into(given):
    made = layers({"arguments": {"repo:push": {"options.force": {"eq": False, "optional": True}}}})
    for good in ({}, {"options": {}}, {"options": None}, {"options": {"force": False}}, {"options": []}):
        assert isinstance(Monitor(layers=made).decide("repo:push", good or {"x": 1}), Permit), good
    assert isinstance(Monitor(layers=made).decide("repo:push", given), Denial)


def test_a_rule_for_a_tool_of_the_runner_has_its_bare_name():
    made = layers({"arguments": {"bash": {"command": {"prefix": "ls"}}}})
    for name in ("bash", "local:bash"):
        assert isinstance(Monitor(layers=made).decide(name, {"command": "rm x"}), Denial)
        assert isinstance(Monitor(layers=made).decide(name, {"command": "ls x"}), Permit)


def test_a_rule_for_write_holds_for_append():
    monitor = Monitor(layers=layers({"arguments": {"write": {"path": {"prefix": "out/"}}}}))
    for operation in ("write", "append"):
        assert isinstance(monitor.decide(operation, {"path": "in/x", "value": "x"}), Denial)
    one = Monitor(layers=layers({"arguments": {"append": {"path": {"prefix": "out/"}}}}))
    assert isinstance(one.decide("append", {"path": "in/x", "value": "x"}), Denial)
    assert isinstance(one.decide("write", {"path": "in/x", "value": "x"}), Permit)


@pytest.mark.parametrize("session", [False, True])
def test_headers_of_a_fetch_are_no_other_arguments(session):
    """A header that is called url or body stands for neither, and rules about headers speak."""
    tree = {"url": {"prefix": "https://ok.example/"}, "headers.Authorization": {"eq": "x", "optional": True}}
    monitor = Monitor(layers=layers({"arguments": {"fetch": tree}}))
    asked = monitor.session("s") if session else None

    def permitted(url: str, /, **headers: str) -> bool:
        return isinstance(monitor.decide("fetch", {"url": url, "headers": headers}, asked), Permit)

    assert permitted("https://ok.example/a", url="https://evil.example/", Authorization="x")
    assert not permitted("https://evil.example/", url="https://ok.example/")
    assert not permitted("https://ok.example/a", Authorization="y")
    assert not permitted("https://ok.example/a", authorization="y")
    with pytest.raises(Denied):
        monitor.fetch("https://evil.example/", lambda *a, **k: "sent", headers={"url": "https://ok.example/"})


@pytest.mark.parametrize(
    "values",
    [
        {"to": "bob", "To": "eve"},
        {"TO": "eve"},
        {"to": "bob", "options": {"Force": True}},
        {"to": "bob", "Options": {"force": True}},
        {"to": "bob", "options": [{"force": False}, {"FORCE": True}]},
        {"to": "bob", "Options.force": True},
        {"to": "bob", "\u212aey": "eve"},
    ],
)
def test_capital_letters_make_no_other_argument(values):
    """Who takes an object may look its fields up whatever their letters are, as some decoders of JSON do."""
    tree = {
        "to": {"eq": "bob", "optional": True},
        "options.force": {"eq": False, "optional": True},
        "key": {"eq": "bob", "optional": True},
    }
    monitor = Monitor(layers=layers({"arguments": {"mail:send": tree}}))
    assert isinstance(monitor.decide("mail:send", values), Denial)
    good = {"To": "bob", "Options": {"force": False}, "other": "eve"}
    assert isinstance(monitor.decide("mail:send", good), Permit)


def test_what_is_known_is_so_of_every_argument_that_is_called_alike():
    monitor = Monitor(layers=layers({"arguments": {"mail:send": {"to": {"known": True}}}}))
    session = monitor.session("s")
    session.heard("mail bob@example.com")
    assert isinstance(monitor.decide("mail:send", {"to": "bob@example.com"}, session), Permit)
    for name in ("To", "TO"):
        values = {"to": "bob@example.com", name: "eve@evil.example"}
        assert isinstance(monitor.decide("mail:send", values, session), Denial)


def test_what_has_one_name_on_two_ways_holds_by_both():
    monitor = Monitor(layers=layers({"arguments": {"py": {"code": {"prefix": "print"}}}}))
    with pytest.raises(Denied):
        monitor.interpret("py", "import os", {"code": "print(1)"})


def test_the_method_of_a_fetch_is_an_argument():
    made = layers({"arguments": {"fetch": {"method": {"eq": "GET"}}}})
    monitor = Monitor(layers=made)
    address = "https://ok.example/"
    for said in ({}, {"method": "GET"}, {"method": "get"}):
        assert isinstance(monitor.decide("fetch", {"url": address, **said}), Permit)
    assert isinstance(monitor.decide("fetch", {"url": address, "method": "POST"}), Denial)

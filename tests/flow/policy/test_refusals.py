"""Denials: exactly what part 9 asks for, helpful, and without any value."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.labels import Labels
from sluicegate.flow.policy.layers import Layers
from sluicegate.flow.policy.request import CommandView, Request, RequestHole
from sluicegate.flow.policy.text.load import load, standard

from .asking import PLACE, ask, layers

POLICY = """\
[defaults]
rules = ["no-secret-exfil"]

[operations]
"net:w" = "exfil"

[labels.secret]
deny = [
  "op:show",
  "op:cmd",
]
allow = ["op:cmd:git:status"]

[capabilities]
allow = ["cmd:git:status", "cmd:git:log:*", "cmd:curl", "fs:w:/tmp/**"]
deny = ["cmd:curl:-o"]
"""


@pytest.fixture
def ours(tmp_path):
    (tmp_path / "ours.toml").write_text(POLICY)
    return Layers([load("ours.toml", base=tmp_path)], place=PLACE)


def test_a_denial_reads_as_the_model_asks(ours):
    assert (
        ask(ours, "show", "secret").render()
        == """\
Operation denied

  Operation: show
  Blocked by: Policy label flow rule
  Layer: ours (ours.toml:9)
  Rule: labels.secret.deny includes "op:show"
  Code: POLICY_LABEL_FLOW_DENIED

  Input labels: [secret]
  Operation labels: [op:show]

  Reason: Data labelled secret cannot flow to op:show

  Suggestions:
  - For a credential, use the sealed path: 'using auth:NAME' with policy.auth.NAME
  - labels.secret.allow permits: op:cmd:git:status
  - An exception has to be more specific than "op:show", or stand under a label below secret"""
    )


@pytest.mark.parametrize(
    ("operation", "labels", "declared", "code", "rule", "suggestion"),
    [
        ("cmd:git push", (), (), "CAPABILITY", "capabilities.allow", "ours allows: cmd:git:status, cmd:git:log:*"),
        ("cmd:git push", (), (), "CAPABILITY", "capabilities.allow", 'add "cmd:git:push:*" to capabilities.allow in ours'),
        ("write:src/a", (), (), "CAPABILITY", "capabilities.allow", "fs:w:/tmp/**"),
        ("write:src/a", (), (), "CAPABILITY", "capabilities.allow", "fs:w:GLOB"),
        ("fetch:https://a.b", (), (), "CAPABILITY", "capabilities.allow", "network:HOST"),
        ("mcp:a:b", (), (), "CAPABILITY", "capabilities.allow", '"mcp"'),
        ("cmd:curl -o /tmp/x https://a.b", (), (), "CAPABILITY", "capabilities.deny", 'take "cmd:curl:-o" out'),
        ("cmd:curl -d x https://a.b", (), (), "CAPABILITY", "capabilities.danger", 'add "cmd:curl:-d" to capabilities.danger'),
        ("call:x", ("secret",), ("net:w",), "LABEL_FLOW", "defaults.rules", 'operations."net:w" = "exfil"'),
        ("call:x", ("secret",), ("exfil",), "LABEL_FLOW", "defaults.rules", "declared exfil"),
        ("call:x", ("secret",), ("exfil",), "LABEL_FLOW", "defaults.rules", "auth:NAME"),
        ("cmd:git log", ("secret",), (), "LABEL_FLOW", "labels.secret.deny", 'add "op:cmd:git:log" to labels.secret.allow'),
    ],
)  # fmt: skip
def test_suggestions_name_the_key_and_what_is_permitted(
    ours, operation, labels, declared, code, rule, suggestion
):
    found = ask(ours, operation, *labels, declared=declared)
    assert isinstance(found, Denial)
    assert code in found.code
    assert found.rule.startswith(rule)
    assert any(suggestion in text for text in found.suggestions), found.suggestions


def test_following_a_suggestion_helps(ours, tmp_path):
    text = POLICY.replace('"cmd:curl"', '"cmd:curl", "cmd:git:push:*"')
    (tmp_path / "b.toml").write_text(text)
    assert not isinstance(ask(Layers([load("b.toml", base=tmp_path)], place=PLACE), "cmd:git push"), Denial)
    text = POLICY.replace('"op:cmd:git:status"', '"op:cmd:git:status", "op:cmd:git:log"')
    (tmp_path / "c.toml").write_text(text)
    assert not isinstance(
        ask(Layers([load("c.toml", base=tmp_path)], place=PLACE), "cmd:git log", "secret"), Denial
    )


def test_a_standard_policy_is_changed_in_a_copy():
    found = ask(Layers([standard("production")], place=PLACE), "cmd:git push")
    assert any("sluicegate policy show production" in text for text in found.suggestions)


def test_distrust_by_default_says_where_it_comes_from():
    tree = {"sources": {"src:mcp": "untrusted"}, "labels": {"untrusted": {"deny": ["op:cmd"]}}}
    found = ask(layers(tree), "cmd:ls", "src:mcp", "pii")
    assert any("src:mcp" in text and "sources" in text for text in found.suggestions)
    tree = {"defaults": {"unlabeled": "untrusted"}, "labels": {"src:mcp": {"allow": []}}}
    found = ask(layers(tree), "show", "src:mcp")
    assert "it permits nothing" in found.suggestions[0]
    assert found.code is Code.POLICY_LABEL_FLOW_DENIED


_SECRET = "hunter2hunter2"
_values = st.just(_SECRET)


@settings(deadline=None, max_examples=60)
@given(
    st.sampled_from(["production", "development", "sandbox"]),
    st.sampled_from(["cmd", "read", "write", "fetch"]),
)
def test_no_denial_shows_a_value(policy, kind):
    found = Layers([standard(policy)], place=PLACE)
    view = CommandView(
        f"/{_SECRET}/git",
        "git",
        ("push", _SECRET, RequestHole(_SECRET)),
        ("push", _SECRET),
        frozenset({f"--{_SECRET}"}),
    )
    request = Request(
        kind=kind,
        leaves=(f"op:{kind}",),
        command=view if kind == "cmd" else None,
        paths=(("r", f"/home/user/.ssh/{_SECRET}"), ("w", f"/etc/{_SECRET}")),
        hosts=(f"{_SECRET}.example",),
        shown=f"{kind} <secret>",
    )
    answer = found.authorize(request, Labels.of("secret", "src:mcp"))
    assert isinstance(answer, Denial)
    assert _SECRET not in answer.render()
    assert _SECRET not in repr(answer)

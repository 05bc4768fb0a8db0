"""Only the author's own untainted words are signed without being asked."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.record.signatures.autosign import Autosign, Leave, Sign, autosign

ALL = Autosign(templates=True, variables=("*",))


@pytest.mark.parametrize("labels", [(), ("trusted",), ("trusted", "src:file", "dir:/home/me/prompts")])
def test_the_authors_words_are_signed(labels):
    assert autosign(ALL, name="@audit", template=True, labels=labels) == Sign()


@pytest.mark.parametrize(
    "labels",
    [
        ("untrusted",),
        ("trusted", "untrusted"),
        ("src:mcp",),
        ("src:file",),
        ("dir:/tmp",),
        ("influenced",),
        ("llm",),
        ("secret",),
        ("trusted", "secret"),
        ("trusted", "src:mcp"),
        ("trusted", "src:file:x"),
        ("trusted", "src:files"),
        ("trusted", "dirty"),
        ("whatever",),
    ],
)
def test_anything_else_is_left(labels):
    found = autosign(ALL, name="@audit", template=True, labels=labels)
    assert isinstance(found, Leave)
    assert "untainted" in found.reason


@settings(deadline=None)
@given(st.sets(st.text()), st.sets(st.text()))
def test_another_label_never_makes_it_signed(labels, more):
    """Adding labels, but for ``trusted``, can only take a signature away."""
    before = autosign(ALL, name="x", template=True, labels=labels)
    after = autosign(ALL, name="x", template=True, labels=labels | (more - {"trusted"}))
    assert not (isinstance(before, Leave) and after == Sign())


@pytest.mark.parametrize(
    ("rule", "name", "template", "signed"),
    [
        (Autosign(), "@x", True, False),
        (Autosign(templates=True), "@x", True, True),
        (Autosign(templates=True), "@x", False, False),
        (Autosign(variables=("*Prompt",)), "@auditPrompt", False, True),
        (Autosign(variables=("@*Prompt",)), "@auditPrompt", False, True),
        (Autosign(variables=("*Prompt",)), "@auditprompt", False, False),
        (Autosign(variables=("*Prompt",)), "@promptly", False, False),
        (Autosign(variables=("*Prompt",)), "@auditPrompt", True, True),
    ],
)
def test_only_what_the_policy_asks_for(rule, name, template, signed):
    assert (autosign(rule, name=name, template=template, labels=()) == Sign()) is signed

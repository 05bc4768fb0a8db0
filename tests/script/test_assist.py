"""What an editor is told about a place in a script; ``^`` marks the place."""

import pytest

from sluicegate.script.assist import AssistedScript, policy_path
from sluicegate.script.source import SourceText


def at(text: str) -> tuple[AssistedScript, int]:
    return AssistedScript(SourceText(text.replace("^", ""))), text.index("^")


def suggested(text: str) -> set[str]:
    script, offset = at(text)
    return {each.text for each in script.suggestions(offset)}


@pytest.mark.parametrize(
    ("text", "defined"),
    [
        ("var @a = 1\nshow @^a", 4),
        ("var @^a = 1\nshow @a", 4),
        ("show `Dear @a^`\nvar @a = 1", 19),
        ("exe @f(b) = @^b", 7),
        ("var @a = 1\nexe @f(a) = [ => @^a ]", 18),
        ("for @i in [1] => @^i", 4),
        ("var @a = 1\nshow @^f(@a)\nexe @f(x) = @x", 27),
        ("guard @g before @^f = when [ * => allow ]\nexe @f(x) = @x", 45),
        ('import { @^a } from "./m.mld"\nshow @a', 9),
    ],
)
def test_where_a_name_is_defined(text, defined):
    script, offset = at(text)
    binding = script.binding(offset)
    assert script.definition(binding).start == defined


@pytest.mark.parametrize("text", ["show @no^body", "sh^ow 1", "^", "var @a = 1 ^", "show @m^x"])
def test_what_is_defined_nowhere(text):
    script, offset = at(text)
    assert script.binding(offset) is None


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("var pii,internal @a = 1\nshow @^a", {"pii", "internal"}),
        ("var pii @a = 1\nvar @b = [@a]\nvar @c = `x @b`\nshow @^c", {"pii"}),
        (
            "var secret @k = <k.txt>\nexe llm @ask(x) = run cmd { model @x @k }\nshow @^ask(1)",
            {"secret", "src:file", "src:exec", "llm"},
        ),
        ("exe @f(x) = [ => pii @x ]\nvar @a = @f(1)\nshow @^a", {"pii"}),
        ("var @a = @b\nvar @b = @a\nshow @^a", set()),
        ("var @a = @input\nshow @^a", {"src:user"}),
    ],
)
def test_labels_that_a_script_says(text, labels):
    script, offset = at(text)
    assert script.labels(script.binding(offset)) == labels
    assert all(f"`{each}`" in script.hover(offset) for each in labels)


def test_words_are_explained():
    script, offset = at("gu^ard @g before secret = when [ * => allow ]")
    assert script.hover(offset).startswith("`guard privileged @g")
    assert [
        at(each)[0].hover(at(each)[1]) for each in ("show 'gu^ard'", "var @x = 1 ^", "show 1 // gu^ard")
    ] == [""] * 3


def test_what_may_be_written():
    text = "var @customer = 1\nexe customer:name @f(own) = [ let @deep = 1; => @^ ]"
    assert {"customer", "f", "own", "mx", "json"} <= suggested(text.replace("@^", "@own.@^")) | suggested(
        text
    )
    assert "own" not in suggested("exe @f(own) = @own\nshow @^")
    assert {"var", "guard", "allow"} <= suggested("var @a = 1\ngu^")
    assert {"pii", "mine", "src:mcp", "op:cmd", "net:w"} <= suggested("var mine @a = 1\nguard before ^")
    assert "mine" in suggested("var mine @a = 1\nvar pii, ^")
    assert suggested("show 'x ^") == set()
    assert suggested("var " + "," * 190 + "^") == set()


def test_keys_and_words_of_a_policy():
    assert {"defaults", "labels", "operations", "capabilities"} <= suggested("policy @p = { ^")
    assert {"rules", "unlabeled"} <= suggested("policy @p = { defaults: { ^")
    assert {"trusted", "untrusted"} == suggested("policy @p = { defaults: { unlabeled: ^")
    assert "no-secret-exfil" in suggested("policy @p = { defaults: { rules: [ ^")
    assert {"secret", "op:show"} <= suggested("policy @p = { labels: { secret: { deny: [^")
    assert {"allow", "deny"} <= suggested("policy @p = { labels: { secret: { ^")
    assert policy_path("policy @p = { }\nvar @x = { a: ", 30) is None
    assert policy_path("policy @p = union({ defaults: { }, labels: { ", 45) == ("labels",)

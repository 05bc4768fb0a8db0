"""The schema is closed: every word that means nothing is an error that names its key and a way forward."""

import difflib
import json

import jsonschema
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.flow.errors import PolicyError
from sluicegate.flow.policy.text.check import remarks
from sluicegate.flow.policy.text.load import STANDARD, from_tree, load, standard, text_of_standard
from sluicegate.flow.policy.text.problems import PolicyProblems
from sluicegate.flow.policy.text.schema import Policy
from sluicegate.flow.policy.text.vocabulary import confusable

FULL = {
    "name": "all of it",
    "description": "every key that there is",
    "defaults": {
        "unlabeled": "untrusted",
        "rules": ["no-secret-exfil", "untrusted-llms-get-influenced"],
        "autosign": {"templates": True, "variables": ["@*Prompt"]},
        "autoverify": {"template": "./verify.att"},
        "trustconflict": "error",
        "unknown_files": "untrusted",
        "fail_closed": True,
    },
    "sources": {
        "src:mcp": "untrusted",
        "src:file": {"default": "trusted", "/tmp/up/**": "untrusted"},
        "llm": "untrusted",
    },
    "data": {"path:~/.ssh/**": "secret", "path:./hr/**": ["pii", "sensitive"]},
    "operations": {"op:sh": ["destructive", "exfil"], "net:w": "exfil", "op:cmd:git:push": "exfil:send"},
    "auth": {
        "claude": {"from": "keychain:sluicegate-env-{projectname}/claude", "as": "ANTHROPIC_API_KEY"},
        "gh": "GH_TOKEN",
    },
    "capabilities": {
        "allow": {
            "cmd": ["cat", "git:*", {"npm": ["ci", "run:test:*"], "curl": {"methods": ["get"]}}],
            "js": None,
            "py": True,
            "filesystem": {"read": ["**"], "write": ["@base/tmp/**"]},
            "network": {"domains": ["*.example.com"]},
            "mcp": {"github": ["list_issues"]},
            "env": ["LANG", "LC_*"],
        },
        "danger": ["@keychain", "fs:r:~/.ssh/*", "cmd:git:push:*:--force"],
        "deny": ["sh", {"cmd": ["rm"]}],
    },
    "labels": {
        "secret": {"deny": ["op:cmd", "net:w"], "allow": ["safe"]},
        "*": {"deny": "op:install"},
        "src:mcp": {"deny": ["*"], "allow": ["op:cmd:git:status"]},
        "dir:/tmp": {"deny": ["fs:w"]},
        "team": {"deny": ["billing:charge"]},
    },
    "privilege": {"paths": ["./policy/**"], "modules": ["@company/security"]},
    "keychain": {"provider": "system", "allow": ["company/*"], "deny": ["system/*"]},
    "limits": {"timeout": 1, "max_tokens": 2, "memory": 4, "cpu": 1.5, "processes": 5, "output": 6},
    "env": {
        "default": "docker",
        "providers": {"docker": {"defaultImage": "box", "allowedImages": ["box"]}},
        "tools": {"allow": ["Read"], "deny": ["Bash*"]},
        "mcps": ["github"],
        "net": {"allow": ["api.example.com"]},
    },
    "vocabulary": {"labels": ["sekret"], "operations": ["billing"]},
}


def test_everything_the_model_names_can_be_said():
    document = from_tree(FULL, name="full")
    assert document.name == "all of it"
    schema = json.loads(json.dumps({**msgspec.json.schema(Policy)}))
    jsonschema.Draft202012Validator(schema).validate(json.loads(json.dumps(FULL)))


def test_the_spelling_of_the_security_model_is_understood():
    assert from_tree({"limits": {"maxTokens": 5}}, name="p").policy.limits.max_tokens == 5


def said(tree) -> str:
    with pytest.raises(PolicyProblems) as caught:
        from_tree(tree, name="p")
    return caught.value.diagnostics()


@pytest.mark.parametrize(
    ("tree", "key", "hint"),
    [
        ({"lables": {}}, "lables", "labels"),
        ({"deny": ["sh"]}, "deny", "capabilities.deny"),
        ({"rules": []}, "rules", "defaults.rules"),
        ({"defaults": {"unlabelled": "trusted"}}, "defaults.unlabelled", "unlabeled"),
        ({"defaults": {"unlabeled": "untrustd"}}, "defaults.unlabeled", "untrusted"),
        ({"defaults": {"rules": ["no-secret-exfill"]}}, "defaults.rules[0]", "no-secret-exfil"),
        ({"defaults": {"trustconflict": "wran"}}, "defaults.trustconflict", "warn"),
        ({"defaults": {"autosign": ["template"]}}, "defaults.autosign[0]", "templates"),
        ({"labels": {"sercet": {"deny": []}}}, "labels.sercet", "secret"),
        ({"labels": {"secrets": {"deny": []}}}, "labels.secrets", "secret"),
        ({"labels": {"src:mpc": {"deny": []}}}, 'labels."src:mpc"', "src:mcp"),
        ({"labels": {"op:cmd": {"deny": []}}}, 'labels."op:cmd"', "under deny"),
        ({"labels": {"Secret": {"deny": []}}}, "labels.Secret", "small letters"),
        ({"labels": {"secret": {"dney": []}}}, "labels.secret.dney", "deny"),
        ({"labels": {"secret": {"deny": ["op:shwo"]}}}, "labels.secret.deny[0]", "op:show"),
        ({"labels": {"secret": {"deny": ["op:cmd:*"]}}}, "labels.secret.deny[0]", "op:cmd"),
        ({"labels": {"secret": {"deny": ["net:write"]}}}, "labels.secret.deny[0]", "net:w"),
        ({"labels": {"secret": {"allow": ["saef"]}}}, "labels.secret.allow[0]", "safe"),
        ({"labels": {"secret": {"deny": ["billing:charge"]}}}, "labels.secret.deny[0]", "vocabulary.operations"),
        ({"operations": {"op:sh": "destuctive"}}, 'operations."op:sh"', "destructive"),
        ({"operations": {"exfil": ["op:sh"]}}, "operations.exfil[0]", "the other way round"),
        ({"operations": {"op:shh": "exfil"}}, 'operations."op:shh"', "op:sh"),
        ({"sources": {"src:mcpp": "trusted"}}, 'sources."src:mcpp"', "src:mcp"),
        ({"sources": {"mcp": "trusted"}}, "sources.mcp", "src:mcp"),
        ({"sources": {"src:mcp": {"/x": "trusted"}}}, 'sources."src:mcp"', "Write"),
        ({"sources": {"src:file": {"a/*/../b": "trusted"}}}, "sources", "leads to"),
        ({"data": {"~/.ssh": "secret"}}, "data", "path:"),
        ({"data": {"path:x": "untrusted"}}, 'data."path:x"', "sources"),
        ({"data": {"path:x": "src:mcp"}}, 'data."path:x"', ""),
        ({"data": {"path:x": "secert"}}, 'data."path:x"', "secret"),
        ({"auth": {"a b": "X"}}, 'auth."a b"', "letters"),
        ({"auth": {"a": {"from": "x"}}}, "auth.a", ""),
        ({"auth": {"a": {"from": "file:x", "as": "X"}}}, "auth.a.from", "keychain:"),
        ({"auth": {"a": {"from": "env:1X", "as": "X"}}}, "auth.a.from", ""),
        ({"auth": {"a": {"from": "op:x", "as": "X"}}}, "auth.a.from", "op://"),
        ({"auth": {"a": {"from": "env:X", "as": "LD_PRELOAD"}}}, "auth.a.as", "credential"),
        ({"auth": {"a": {"from": "env:X", "as": "path"}}}, "auth.a.as", "credential"),
        ({"capabilities": {"alow": []}}, "capabilities.alow", "allow"),
        ({"capabilities": {"allow": ["git:*"]}}, "capabilities.allow[0]", "cmd:git"),
        ({"capabilities": {"allow": ["cmmd:git"]}}, "capabilities.allow[0]", "cmd"),
        ({"capabilities": {"allow": ["cmd:git push"]}}, "capabilities.allow[0]", "cmd:git:push"),
        ({"capabilities": {"allow": ["cmd:git:**"]}}, "capabilities.allow[0]", "*"),
        ({"capabilities": {"allow": ["cmd:git::x"]}}, "capabilities.allow[0]", "git:push"),
        ({"capabilities": {"allow": ["fs:x:/a"]}}, "capabilities.allow[0]", "fs:r"),
        ({"capabilities": {"allow": ["fs:r:"]}}, "capabilities.allow[0]", "fs:r:**"),
        ({"capabilities": {"allow": ["fs:r:~bob/x"]}}, "capabilities.allow[0]", "whole path"),
        ({"capabilities": {"allow": ["fs:r:@bse/x"]}}, "capabilities.allow[0]", "@base"),
        ({"capabilities": {"allow": ["fs:r:a/**/../b"]}}, "capabilities.allow[0]", "leads to"),
        ({"capabilities": {"allow": ["fs:r:/" + "a*" * 9]}}, "capabilities.allow[0]", "fewer"),
        ({"capabilities": {"allow": ["network:https://x.y"]}}, "capabilities.allow[0]", "host name"),
        ({"capabilities": {"allow": ["network:x.*.y"]}}, "capabilities.allow[0]", "host name"),
        ({"capabilities": {"allow": ["sh:ls"]}}, "capabilities.allow[0]", '"sh"'),
        ({"capabilities": {"allow": ["env:A-B"]}}, "capabilities.allow[0]", ""),
        ({"capabilities": {"allow": ["@keychain"]}}, "capabilities.allow[0]", "danger"),
        ({"capabilities": {"allow": {"filesystem": ["**"]}}}, "capabilities.allow.filesystem", "read"),
        ({"capabilities": {"allow": {"filesystem": {"raed": ["x"]}}}}, "capabilities.allow.filesystem.raed", "read"),
        ({"capabilities": {"allow": {"network": {"domain": ["x"]}}}}, "capabilities.allow.network.domain", "domains"),
        ({"capabilities": {"allow": {"sh": False}}}, "capabilities.allow.sh", "deny"),
        ({"capabilities": {"allow": {"cmd": [{"git": False}]}}}, "capabilities.allow.cmd[0].git", "deny"),
        ({"capabilities": {"allow": {"cmd": {"git": {"methods": ["GET"]}}}}}, "capabilities.allow.cmd.git", "git"),
        ({"capabilities": {"allow": {"cmd": {"curl": {"methods": ["GTE"]}}}}}, "methods[0]", "GET"),
        ({"capabilities": {"allow": {"cmd": {"curl": {"method": ["GET"]}}}}}, "capabilities.allow.cmd.curl.method", "methods"),
        ({"capabilities": {"allow": {"py": {"x": ["y"]}}}}, "capabilities.allow.py.x", '"py"'),
        ({"keychain": {"provider": "sytem"}}, "keychain.provider", "system"),
        ({"keychain": {"allow": [" "]}}, "keychain.allow[0]", ""),
        ({"limits": {"timeout": 0}}, "limits.timeout", ""),
        ({"limits": {"timeout": True}}, "limits.timeout", ""),
        ({"limits": {"cpu": 0}}, "limits.cpu", ""),
        ({"limits": {"cpu": 0.0001}}, "limits.cpu", ""),
        ({"limits": {"cpu": "2"}}, "limits.cpu", ""),
        ({"limits": {"timeout": "1s"}}, "limits.timeout", ""),
        ({"env": {"default": "dcker", "providers": {"docker": {}}}}, "env.default", "docker"),
        ({"env": {"net": "hsot"}}, "env.net", "host"),
        ({"env": {"net": {"allow": ["a b"]}}}, "env.net.allow", "host name"),
        ({"env": {"tools": [""]}}, "env.tools[0]", ""),
        ({"vocabulary": {"operations": ["op:mine"]}}, "vocabulary.operations[0]", ""),
        ({"privilege": {"path": []}}, "privilege.path", "paths"),
        ({"name": "a\x1b[31m", "limits": {"timeout": 1}}, "name", ""),
    ],
)  # fmt: skip
def test_what_means_nothing_is_an_error_with_its_key_and_a_hint(tree, key, hint):
    text = said(tree)
    assert key in text
    assert hint in text


@pytest.mark.parametrize(
    "tree", [3, None, [], "x", {"labels": []}, {"capabilities": {"allow": 3}}, {"env": "none"}]
)
def test_wrong_types_are_named(tree):
    assert " not " in said(tree)


def test_all_problems_are_told_at_once_with_their_lines(tmp_path):
    (tmp_path / "p.toml").write_text(
        'lables = 1\n[labels.secret]\ndeny = [\n  "op:shwo",\n  "op:lgo",\n]\n[limits]\ntimeout = "x"\n'
    )
    with pytest.raises(PolicyProblems) as caught:
        load("p.toml", base=tmp_path)
    text = caught.value.diagnostics()
    assert "p.toml:1: lables" in text
    assert "p.toml:8: limits.timeout" in text
    (tmp_path / "p.toml").write_text('[labels.secret]\ndeny = [\n  "op:shwo",\n  "op:lgo",\n]\n')
    with pytest.raises(PolicyProblems) as caught:
        load("p.toml", base=tmp_path)
    assert "p.toml:3: labels.secret.deny[0]" in caught.value.diagnostics()
    assert "p.toml:4: labels.secret.deny[1]" in caught.value.diagnostics()


def test_many_problems_are_counted():
    text = said({f"key{n}": 1 for n in range(40)})
    assert "and 20 more" in text


def test_hostile_names_reach_a_message_only_harmless():
    text = said({"labels": {"\x1b[2J‮x": {"deny": ["op:\x07"]}}, "\x9b31m": 1})
    assert all(char == "\n" or char.isprintable() for char in text)


def test_a_policy_that_says_nothing_is_refused():
    for tree in ({}, {"limits": {}}, {"name": "empty", "description": "x", "defaults": {"rules": []}}):
        with pytest.raises(PolicyError, match="permit everything"):
            from_tree(tree, name="p")


def test_own_words_are_declared():
    tree = {"labels": {"sercet": {"deny": ["billing:charge"]}}}
    from_tree({**tree, "vocabulary": {"labels": ["sercet"], "operations": ["billing"]}}, name="p")


@settings(deadline=None, max_examples=60)
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5),
                    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
                        st.sampled_from([*Policy.__struct_fields__, "allow", "deny", "cmd", "secret", "x"]), inner, max_size=3),
                    max_leaves=8))  # fmt: skip
def test_any_tree_is_a_policy_or_an_error_of_ours(tree):
    try:
        from_tree(tree, name="p")
    except PolicyError as error:
        assert error.diagnostics()


@pytest.mark.parametrize("name", STANDARD)
def test_standard_policies_load_by_both_names(name, tmp_path):
    assert standard(name).policy == load(f"sluicegate:{name}", base=tmp_path).policy
    assert text_of_standard(name).startswith("description")
    # Two of them allow whatever they do not deny.
    expected = [("capabilities", "deny")] if name in ("development", "agent") else []
    assert [each.path for each in remarks(standard(name).policy)] == expected


@pytest.mark.parametrize("name", ["prod", "sluicegate:prod", "sluicegate:", "", "../production"])
def test_names_of_no_policy(name, tmp_path):
    with pytest.raises(PolicyError):
        load(name, base=tmp_path)


def test_files_in_all_three_notations_are_one_policy(tmp_path):
    (tmp_path / "a.toml").write_text('[labels.secret]\ndeny = ["op:show"]\n')
    (tmp_path / "b.yaml").write_text("labels:\n  secret: {deny: [op:show]}\n")
    (tmp_path / "c.json").write_text('{"labels": {"secret": {"deny": ["op:show"]}}}')
    found = [load(name, base=tmp_path) for name in ("a.toml", "b.yaml", "c.json")]
    assert found[0].policy == found[1].policy == found[2].policy
    assert [each.name for each in found] == ["a", "b", "c"]


def test_remarks_name_what_has_no_effect():
    inert = from_tree({"labels": {"pii": {"allow": ["safe"]}}}, name="p").policy
    assert [each.path for each in remarks(inert)] == [("labels", "pii", "allow")]
    nothing_exfil = from_tree({"defaults": {"rules": ["no-secret-exfil"]}}, name="p").policy
    assert "operations" in remarks(nothing_exfil)[0].message
    assert [each.path for each in remarks(from_tree(FULL, name="p").policy)] == [("capabilities", "deny")]


@pytest.mark.parametrize(
    ("capabilities", "said"),
    [
        ({"deny": ["cmd:git:push"]}, "Denying sh, py, node, js, interpreter as well"),
        ({"deny": ["cmd:git:push", "fs:w:a"]}, "and 1 more"),
        ({"deny": ["cmd:git:push", "sh"]}, "Denying py, node, js, interpreter as well"),
        (
            {"deny": ["network:example.com", "sh", "py", "node", "js", "interpreter"]},
            "closes what is not on it. What",
        ),
        ({"deny": ["cmd:git:push"], "allow": ["cmd"]}, "npm run"),
        ({"deny": ["fs:r:~/.ssh/**"], "allow": ["cmd:cat", "py"]}, "Denying py as well"),
        ({"deny": ["cmd:git:push"], "allow": ["cmd:git:*"]}, ""),
        ({"deny": ["cmd:git:push"], "allow": []}, ""),
        ({"deny": ["cmd:git:push", "cmd"]}, ""),
        ({"deny": ["sh"]}, ""),
        ({"danger": ["cmd:rm:-r"]}, ""),
    ],
)
def test_a_deny_says_what_it_cannot_hold(capabilities, said):
    found = remarks(from_tree({"capabilities": capabilities}, name="p").policy)
    assert [each.path for each in found] == ([("capabilities", "deny")] if said else [])
    assert all(said in f"{each.message}. {each.hint}" for each in found)


def test_a_rule_about_trusted_is_refused_for_joining_would_lose_it():
    with pytest.raises(PolicyError, match="loses 'trusted' by being joined"):
        from_tree({"name": "mine", "labels": {"trusted": {"deny": ["op:sh"]}}}, name="mine")


@given(
    word=st.text("abcdeimnprstu-", max_size=12),
    known=st.sets(st.text("abcdeimnprstu-", max_size=12), max_size=6),
)
def test_a_known_word_is_found_as_difflib_finds_it(word, known):
    close = difflib.get_close_matches(word, sorted(known), n=1, cutoff=0.8)
    assert confusable(word, known) == ("" if word in known or not close else close[0])

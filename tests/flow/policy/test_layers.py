"""Composition: layers are asked one by one, and what is given comes from the first."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.errors import PolicyError
from sluicegate.flow.labels import Labels
from sluicegate.flow.policy.bounds import Net
from sluicegate.flow.policy.grants import Credential
from sluicegate.flow.policy.layers import ALLOW, MOST_DECISIONS, Layers
from sluicegate.flow.policy.request import Request
from sluicegate.flow.policy.text.load import from_tree, standard
from sluicegate.flow.policy.text.schema import Limits, Privilege

from .asking import PLACE, ask, bare, denied, layers, run

LIMIT = {"limits": {"timeout": 1}}


def test_no_layers_permit_everything():
    assert layers().authorize(bare("op:sh"), Labels.of("secret")) is ALLOW


def merged(a: dict, b: dict) -> dict:
    """Two label rules merged as lists: denies united, allows intersected, an absent allow standing for all."""
    rules = {}
    for name in {*a["labels"], *b["labels"]}:
        one, other = a["labels"].get(name, {}), b["labels"].get(name, {})
        allows = [rule["allow"] for rule in (one, other) if "allow" in rule]
        both = [target for target in allows[0] if all(target in each for each in allows)] if allows else []
        rules[name] = {"deny": [*one.get("deny", []), *other.get("deny", [])], "allow": both}
    return {"labels": rules}


def test_merging_would_permit_what_a_layer_denies():
    a = {"labels": {"secret": {"deny": ["op:cmd:git"]}}}
    b = {"labels": {"secret": {"deny": ["op:cmd"], "allow": ["op:cmd:git:status"]}}}
    operation = "cmd:git status"
    assert denied(layers(a), operation, "secret")
    assert not denied(layers(b), operation, "secret")
    assert not denied(layers(merged(a, b)), operation, "secret"), "merging loses the denial of the first"
    assert denied(layers(a, b), operation, "secret")
    assert denied(layers(b, a), operation, "secret")


def test_allow_lists_intersect_as_patterns_do_not_as_texts():
    found = layers(
        {"capabilities": {"allow": ["cmd:git:*"]}}, {"capabilities": {"allow": ["cmd:git:status", "cmd:ls"]}}
    )
    assert not denied(found, "cmd:git status")
    assert denied(found, "cmd:git push")
    assert denied(found, "cmd:ls")


def test_a_layer_without_a_list_restricts_nothing():
    found = layers({"labels": {"secret": {"deny": ["op:show"]}}}, {"capabilities": {"allow": ["cmd:git:*"]}})
    assert not denied(found, "cmd:git status")


_targets = st.lists(st.sampled_from(["op", "op:cmd", "op:cmd:git", "op:show", "net:w", "*"]), max_size=2)
_rules = st.dictionaries(
    st.sampled_from(["secret", "pii", "src:mcp", "untrusted", "*"]),
    st.fixed_dictionaries({"deny": _targets}, optional={"allow": _targets}),
    max_size=3,
)
_capabilities = st.fixed_dictionaries({}, optional={
    "allow": st.lists(st.sampled_from(["cmd:git:*", "cmd:ls", "cmd", "sh", "fs:r:**", "fs:w:/tmp/**"]), max_size=3),
    "deny": st.lists(st.sampled_from(["cmd:git:push", "sh", "fs:w:/tmp/x", "cmd"]), max_size=2),
    "danger": st.lists(st.sampled_from(["cmd:rm:-r:-f", "cmd:rm"]), max_size=1),
})  # fmt: skip
_trees = st.fixed_dictionaries(
    {"labels": _rules, "limits": st.just({"timeout": 1})},
    optional={
        "capabilities": _capabilities,
        "defaults": st.fixed_dictionaries({"unlabeled": st.sampled_from(["trusted", "untrusted"])}),
    },
)
_stacks = st.lists(_trees, min_size=1, max_size=4)
_requests = st.sampled_from([
    run("git", "status", leaf="op:cmd:git:status"), run("git", "push", leaf="op:cmd:git:push"), run("ls"), run("rm", "-rf", "x"),
    bare("op:sh", kind="sh"), bare("op:show", kind="show"), bare("net:w"),
    Request(kind="write", leaves=("op:write",), paths=(("w", "/tmp/x"),)),
    Request(kind="read", leaves=("op:read",), paths=(("r", "/etc/hosts"),)),
])  # fmt: skip
_taints = st.lists(
    st.sampled_from(["secret", "pii", "src:mcp", "untrusted", "trusted"]), max_size=3, unique=True
)


def permits(stack, request, taint) -> bool:
    return layers(*stack).authorize(request, Labels.of(*taint)) is ALLOW


@settings(max_examples=60, deadline=None)
@given(_stacks, _requests, _taints, st.randoms(use_true_random=False))
def test_the_order_of_layers_changes_no_decision(stack, request, taint, how: random.Random):
    other = list(stack)
    how.shuffle(other)
    assert permits(stack, request, taint) is permits(other, request, taint)


@settings(max_examples=60, deadline=None)
@given(_stacks, _trees, _requests, _taints, st.integers(0, 4))
def test_another_layer_never_permits_more(stack, more, request, taint, at):
    if permits([*stack[:at], more, *stack[at:]], request, taint):
        assert permits(stack, request, taint)
        assert permits([more], request, taint)


@settings(max_examples=60, deadline=None)
@given(_stacks, _requests, _taints)
def test_all_layers_permit_exactly_if_each_does(stack, request, taint):
    assert permits(stack, request, taint) is all(permits([tree], request, taint) for tree in stack)


@settings(max_examples=60, deadline=None)
@given(_stacks, st.lists(st.tuples(_requests, _taints), min_size=1, max_size=6))
def test_a_decision_is_the_same_the_second_time_and_in_any_company(stack, asked):
    shared = layers(*stack)
    for request, taint in [*asked, *asked]:
        alone = layers(*stack).authorize(request, Labels.of(*taint))
        assert shared.authorize(request, Labels.of(*taint)) == alone


def test_decisions_are_kept_within_bounds():
    found = layers(LIMIT)
    for at in range(MOST_DECISIONS + 10):
        found.authorize(bare(f"call:{at}"), Labels.of())
    assert len(found._decisions) <= MOST_DECISIONS


def test_requests_that_differ_in_anything_have_their_own_decision():
    found = layers({"capabilities": {"allow": ["fs:r:/a"]}})
    one = Request(kind="read", leaves=("op:read",), paths=(("r", "/a"),))
    other = Request(kind="read", leaves=("op:read",), paths=(("r", "/b"),))
    assert found.authorize(one, Labels.of()) is ALLOW
    assert isinstance(found.authorize(other, Labels.of()), Denial)
    assert one != other
    assert one == Request(kind="read", leaves=("op:read",), paths=(("r", "/a"),))
    assert hash(one) == hash(Request(kind="read", leaves=("op:read",), paths=(("r", "/a"),)))


def test_the_first_layer_that_refuses_is_the_one_that_is_named():
    a, b = {"capabilities": {"deny": ["cmd:ls"]}}, {"capabilities": {"deny": ["cmd"]}}
    assert ask(layers(a, b), "cmd:ls").layer == "one"
    assert ask(layers(LIMIT, b), "cmd:ls").layer == "two"


# What is given, and what bounds it

GITHUB = {"auth": {"github": {"from": "env:GH_TOKEN", "as": "GH_TOKEN"}}}


def test_the_first_layer_gives_credentials():
    assert layers(GITHUB, LIMIT).auth("github") == Credential("github", "env:GH_TOKEN", "GH_TOKEN", "one")
    assert layers({"auth": {"x": "TOKEN"}}).auth("x") == Credential("x", "env:TOKEN", "TOKEN", "one")
    assert layers(GITHUB, {"auth": {"github": "GH_TOKEN"}}).auth("github") == layers(GITHUB).auth("github")


@pytest.mark.parametrize(
    ("stack", "hint"),
    [
        ((LIMIT, GITHUB), "put that one first"),
        ((GITHUB, {"auth": {"github": {"from": "env:EVIL", "as": "GH_TOKEN"}}}), "the same in both"),
        ((GITHUB, {"auth": {"github": {"from": "env:GH_TOKEN", "as": "OTHER"}}}), "the same in both"),
        ((LIMIT,), "Define it"),
        ((), "Define it"),
    ],
)
def test_a_credential_that_is_not_given_is_a_denial(stack, hint):
    found = layers(*stack).auth("github")
    assert isinstance(found, Denial)
    assert found.code is Code.AUTH_DENIED
    assert any(hint in text for text in found.suggestions)


def test_the_keychain_needs_every_layer():
    opted = {"capabilities": {"danger": ["@keychain"]}}
    assert layers(LIMIT).keychain("company/x") is ALLOW
    assert layers(opted).keychain("company/x") is ALLOW
    assert isinstance(layers({"capabilities": {}}).keychain("company/x"), Denial)
    assert isinstance(layers(opted, {"capabilities": {}}).keychain("company/x"), Denial)
    assert isinstance(
        layers({"capabilities": {"danger": ["@keychain"], "deny": ["@keychain"]}}).keychain("a/b"), Denial
    )
    rules = {"keychain": {"allow": ["sluicegate-env-{projectname}/*", "company/*"], "deny": ["company/root"]}}
    named = layers(rules, projectname="shop")
    assert named.keychain("sluicegate-env-shop/claude") is ALLOW
    assert named.keychain("company/x") is ALLOW
    for entry in ("sluicegate-env-other/claude", "company/root", "system/x"):
        found = named.keychain(entry)
        assert isinstance(found, Denial)
        assert found.code is Code.KEYCHAIN_DENIED
    assert "sluicegate-env-other" not in named.keychain("sluicegate-env-other/claude").render()
    assert isinstance(layers(rules).keychain("sluicegate-env-/claude"), Denial), "without a project's name"
    needs_name = {"keychain": {"deny": ["sluicegate-env-{projectname}/*"]}}
    assert isinstance(layers(needs_name).keychain("anything/x"), Denial)


def test_standard_policies_and_credentials():
    stack = Layers([from_tree(GITHUB, name="ours"), standard("production")], place=PLACE)
    assert isinstance(stack.auth("github"), Credential)
    assert stack.keychain("a/b") is ALLOW
    assert isinstance(Layers([standard("sandbox")], place=PLACE).keychain("a/b"), Denial)


def test_variables_are_given_by_the_first_layer():
    given_ = {"capabilities": {"allow": ["env:LANG", "env:LC_*"]}}
    assert layers(given_).variable("LC_ALL")
    assert not layers(given_).variable("HOME")
    assert not layers(LIMIT).variable("LANG")
    assert not layers({"capabilities": {"allow": ["cmd"]}}).variable("LANG")
    assert not layers(LIMIT, given_).variable("LANG")
    assert layers(given_, LIMIT).variable("LANG")
    assert layers(given_, {"capabilities": {"allow": ["cmd"]}}).variable("LANG")
    assert not layers(given_, {"capabilities": {"allow": ["env:TZ"]}}).variable("LANG")
    assert not layers(given_, {"capabilities": {"deny": ["env:LANG"]}}).variable("LANG")
    assert not layers(given_, {"capabilities": {"deny": ["env"]}}).variable("LANG")
    assert not layers().variable("LANG")


def test_limits_are_the_smallest():
    found = layers(
        {"limits": {"timeout": 30, "memory": 9}}, {"limits": {"timeout": 20}}, {"limits": {"output": 5}}
    ).limits()
    assert found == Limits(timeout=20, memory=9, output=5)
    assert layers({"limits": {"cpu": 2}}, {"limits": {"cpu": 0.25}}).limits() == Limits(cpu=0.25)
    assert layers({"limits": {"cpu": 1.5}}, LIMIT).limits() == Limits(timeout=1, cpu=1.5)


def test_privilege_is_what_the_first_gives_and_no_other_leaves_out():
    wide = {"privilege": {"paths": ["a/**", "b/**"], "modules": ["m"]}}
    assert layers(LIMIT, wide).privilege() == Privilege()
    assert layers(wide, LIMIT).privilege() == Privilege(paths=["a/**", "b/**"], modules=["m"])
    assert layers(wide, {"privilege": {"paths": ["b/**"]}}).privilege() == Privilege(paths=["b/**"])


def test_autosign():
    def signing(value, *more):
        return layers({"defaults": {"autosign": value}, **LIMIT}, *more)

    assert signing(["templates"]).autosigns("template")
    assert not signing(["templates"]).autosigns("variable", "x")
    assert signing(["templates", "variables"]).autosigns("variable", "x")
    globs = signing({"templates": True, "variables": ["@*Prompt"]})
    assert globs.autosigns("template")
    assert globs.autosigns("variable", "@auditPrompt")
    assert globs.autosigns("variable", "auditPrompt")
    assert not globs.autosigns("variable", "@data")
    assert signing({"variables": True}).autosigns("variable", "x")
    assert not signing({"variables": True}).autosigns("template")
    assert not layers(LIMIT, {"defaults": {"autosign": ["templates"]}}).autosigns("template")
    assert not signing(["templates"], {"defaults": {"autosign": []}, **LIMIT}).autosigns("template")
    assert not layers().autosigns("template")


def test_defaults_compose_to_the_strictest():
    def of(**defaults):
        return {"defaults": defaults, **LIMIT}

    assert layers().trustconflict == "warn"
    assert layers(of(trustconflict="silent")).trustconflict == "silent"
    assert (
        layers(of(trustconflict="silent"), of(trustconflict="error"), of(trustconflict="warn")).trustconflict
        == "error"
    )
    assert layers().unknown_files == "untrusted"
    assert layers(of(unknown_files="trusted")).unknown_files == "trusted"
    assert layers(of(unknown_files="trusted"), of(unknown_files="untrusted")).unknown_files == "untrusted"
    assert not layers(LIMIT).fail_closed
    assert layers(LIMIT, of(fail_closed=True)).fail_closed
    assert layers(LIMIT).autoverify is False
    assert layers(LIMIT, of(autoverify=True)).autoverify is True
    assert layers(of(autoverify=True), of(autoverify={"template": "v.att"})).autoverify == "v.att"
    assert layers(of(autoverify="w.att")).autoverify == "w.att"


def env(**more):
    return {"env": more, **LIMIT}


def test_environments_compose_to_the_most_restrictive():
    assert layers(LIMIT).net() == Net(kind="host")
    assert layers(env(net="host"), env(net="none")).net() == Net(kind="none")
    hosts = layers(
        env(net={"allow": ["*.example.com", "a.b"]}), env(net={"allow": ["api.example.com", "*.c"]})
    ).net()
    assert hosts == Net(kind="hosts", hosts=("api.example.com",))
    assert hosts.permits("api.example.com")
    assert not hosts.permits("a.b")
    assert layers(env(net={"allow": ["*.c"]})).net().permits("x.c")
    assert not layers(env(net={"allow": ["*.c"]})).net().permits("c")
    assert Net(kind="host").permits("anything")
    assert not Net(kind="none").permits("anything")


@settings(deadline=None, max_examples=60)
@given(st.lists(st.lists(st.sampled_from(["*", "*.a", "x.a", "*.x.a", "b"]), max_size=3), min_size=1, max_size=3),
       st.sampled_from(["x.a", "y.x.a", "a", "b", "c"]))  # fmt: skip
def test_a_host_is_reached_only_if_every_layer_permits_it(lists, host):
    def alone(patterns):
        return Net(kind="hosts", hosts=tuple(patterns)).permits(host)

    found = layers(*(env(net={"allow": patterns}) for patterns in lists)).net()
    assert found.permits(host) is all(alone(patterns) for patterns in lists)


def test_tools_and_servers():
    found = layers(
        env(tools=["Read", "Write"], mcps={"deny": ["git*"]}),
        env(tools={"allow": ["Read", "Bash"], "deny": ["Ba*"]}),
    )
    assert found.tool("Read") is ALLOW
    for name in ("Write", "Bash", "Other"):
        assert isinstance(found.tool(name), Denial)
    assert found.mcp("mail") is ALLOW
    assert isinstance(found.mcp("github"), Denial)
    assert isinstance(layers(env(tools=[])).tool("Read"), Denial), "an empty list permits none"
    assert layers(env(net="none")).tool("Read") is ALLOW


def test_providers():
    boxed = env(default="docker", providers={"docker": {}, "bubblewrap": {}})
    assert layers(LIMIT).provider() == "local"
    assert layers(LIMIT).provider("docker") == "docker"
    assert layers(boxed).provider() == "docker"
    assert layers(boxed).provider("bubblewrap") == "bubblewrap"
    found = layers(boxed).provider("local")
    assert isinstance(found, Denial)
    assert found.code is Code.ENV_PROVIDER_DENIED
    assert isinstance(layers(boxed, env(providers={"bubblewrap": {}})).provider(), Denial)
    assert isinstance(layers(env(providers={})).provider(), Denial)


def images(*listed, default=""):
    more = {"defaultImage": default} if default else {}
    return env(providers={"docker": {"allowedImages": list(listed), **more}})


def test_images():
    assert layers(LIMIT).image("docker", "debian:12") == "debian:12"
    assert layers(LIMIT).image("docker", "") == ""
    some = images("node:*", "team-*", default="node:22")
    assert layers(some).image("docker", "node:20") == "node:20"
    assert layers(some).image("docker", "") == "node:22"
    assert layers(some).image("podman", "debian:12") == "debian:12", "of another provider nothing is said"
    for refused in ("debian:12", "host.example/node:20", "team-x.example/evil", "NODE:20"):
        found = layers(some).image("docker", refused)
        assert isinstance(found, Denial) and found.code is Code.ENV_PROVIDER_DENIED, refused
    assert isinstance(layers(some, images("debian:*")).image("docker", ""), Denial), "every layer is asked"
    assert isinstance(layers(images("debian:*"), some).image("docker", ""), Denial)
    assert isinstance(layers(images()).image("docker", "debian:12"), Denial), "an empty list permits none"


@pytest.mark.parametrize("wrong", [{"allowedImages": "node:*"}, {"allowedImages": [""]}, {"defaultImage": 3}])
def test_settings_of_images_that_mean_nothing(wrong):
    with pytest.raises(PolicyError):
        layers(env(providers={"docker": wrong}))


_globs = st.sampled_from(
    ["**/.env", "**/*.pem", "p/**", "p/*", "p/q/?", "**", "**/q/**", "/tmp/**", "p/.env", "*.md", "**/p*/a?"]
)
_names = st.lists(st.sampled_from([".env", "x.pem", "a", "ab", "b", "README.md", "q"]), max_size=6)


@settings(deadline=None, max_examples=300)
@given(
    st.dictionaries(_globs, st.sampled_from(["secret", "pii", "internal"]), max_size=4),
    st.dictionaries(_globs, st.sampled_from(["trusted", "untrusted"]), max_size=4),
    st.booleans(),
    st.sampled_from(["", "/p", "/p/q", "/other"]),
    _names,
)
def test_of_the_files_of_a_directory_it_says_what_it_says_of_each(data, sources, two, folder, names):
    places = {"data": {f"path:{glob}": label for glob, label in data.items()}, **LIMIT}
    origins = {"sources": {"src:file": sources}, **LIMIT}
    found = layers(places, origins) if two else layers({**places, **origins})
    at = f"{PLACE.base}{folder}"
    each = [found.entry_labels("src:file", f"{at}/{name}") for name in names]
    assert found.entry_labels_within("src:file", at, names) == Labels.join_all(each)

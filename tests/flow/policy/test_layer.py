"""The six steps of one layer, by example and against the definition read word for word."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.labels import Labels
from sluicegate.flow.labels.names import covers, is_origin
from sluicegate.flow.policy import kernels
from sluicegate.flow.policy.layer import Layer, added_labels
from sluicegate.flow.policy.rules import flows
from sluicegate.flow.policy.rules.leaves import leaves
from sluicegate.flow.policy.rules.places import Place
from sluicegate.flow.policy.text.document import Document
from sluicegate.flow.policy.text.schema import CapabilityLists, Policy
from sluicegate.flow.policy.text.vocabulary import BUILTIN_RULES

from .asking import PLACE, ask, bare, denied, layers

MCP = {"src:mcp": {"deny": ["op:cmd:git"], "allow": ["op:cmd:git:status"]}}


def test_a_rule_is_about_everything_below_what_it_names():
    found = layers({"labels": {"secret": {"deny": ["op:cmd:git", "net"]}}})
    assert denied(found, "cmd:git push", "secret")
    assert denied(found, "cmd:git push", "secret:aws")
    assert denied(found, "call:x", "secret", declared=("net:w",))
    assert not denied(found, "cmd:gitk", "secret")
    assert not denied(found, "cmd:git push", "secretary")
    assert not denied(found, "cmd:git push")


def test_the_most_specific_rule_wins():
    found = layers({"labels": MCP})
    assert not denied(found, "cmd:git status", "src:mcp")
    assert denied(found, "cmd:git push", "src:mcp")


def test_a_more_specific_label_makes_an_exception():
    found = layers({"labels": {"secret": {"deny": ["op:cmd"]}, "secret:aws": {"allow": ["op:cmd"]}}})
    assert denied(found, "cmd:aws s3 ls", "secret")
    assert not denied(found, "cmd:aws s3 ls", "secret:aws")
    assert denied(found, "cmd:aws s3 ls", "secret:aws", "secret")


def test_a_tie_denies():
    found = layers({"labels": {"secret": {"deny": ["op:cmd"], "allow": ["op:cmd"]}}})
    assert denied(found, "cmd:ls", "secret")


def test_more_specific_in_one_and_less_in_the_other_does_not_override():
    found = layers(
        {"labels": {"secret": {"allow": ["op:cmd:git:status"]}, "secret:aws": {"deny": ["op:cmd"]}}}
    )
    assert denied(found, "cmd:git status", "secret:aws")


def test_an_allow_under_another_label_or_for_another_leaf_overrides_nothing():
    found = layers({"labels": {"secret": {"deny": ["op:cmd"]}, "pii": {"allow": ["op:cmd:git"]}}})
    assert denied(found, "cmd:git status", "secret", "pii")
    found = layers({"labels": {"secret": {"deny": ["op:cmd", "exfil"], "allow": ["op:cmd:git:status"]}}})
    assert not denied(found, "cmd:git status", "secret")
    assert denied(found, "cmd:git status", "secret", declared=("exfil",))


def test_a_star_is_about_every_label_and_every_operation():
    found = layers(
        {"labels": {"*": {"deny": ["op:install"]}, "secret": {"deny": ["*"], "allow": ["op:cmd"]}}}
    )
    assert denied(found, "install:x", "anything")
    assert not denied(found, "install:x"), "without any label there is nothing a rule is about"
    assert denied(found, "show", "secret")
    assert not denied(found, "cmd:ls", "secret")


def test_risks_are_leaves():
    tree = {
        "operations": {"op:cmd:git:push": ["exfil", "destructive"], "op:sh": "destructive"},
        "defaults": {"rules": ["no-secret-exfil"]},
        "labels": {"src:mcp": {"deny": ["destructive"]}},
    }
    found = layers(tree)
    assert ask(found, "cmd:git push", "secret").rule == 'defaults.rules includes "no-secret-exfil"'
    assert denied(found, "cmd:git push", "src:mcp")
    assert not denied(found, "cmd:git pull", "src:mcp")
    assert ask(found, "cmd:git push", "src:mcp").operation_labels == (
        "op:cmd:git:push",
        "exfil",
        "destructive",
    )


def test_built_in_rules():
    rules = ["no-secret-exfil", "no-sensitive-exfil", "no-untrusted-destructive", "no-untrusted-privileged"]
    found = layers({"defaults": {"rules": rules}})
    assert denied(found, "call:x", "secret:a", declared=("exfil:send",))
    assert not denied(found, "call:x", "sensitive", declared=("exfil",))
    assert denied(found, "call:x", "sensitive", "untrusted", declared=("exfil",))
    assert denied(found, "call:x", "untrusted", declared=("destructive",))
    assert denied(found, "call:x", "untrusted", declared=("privileged",))
    assert not denied(found, "call:x", "trusted", declared=("destructive", "privileged"))
    one = layers({"defaults": {"rules": rules[:1]}})
    assert not denied(one, "call:x", "untrusted", declared=("destructive",))
    assert ask(found, "call:x", "secret", declared=("exfil",)).code is Code.POLICY_LABEL_FLOW_DENIED


def test_stance_by_default_and_by_source():
    rules = {"rules": ["no-untrusted-destructive"]}
    found = layers({"defaults": {"unlabeled": "untrusted", **rules}, "sources": {"src:user": "trusted"}})

    def wipes(*labels):
        return denied(found, "call:wipe", *labels, declared=("destructive",))

    assert wipes("src:exec")
    assert wipes("src:exec", "pii")
    assert not wipes("src:user")
    assert wipes("src:user", "src:mcp"), "the worst origin counts"
    assert not wipes(), "the author's own words"
    assert not wipes("pii"), "only declared"
    assert not wipes("src:exec", "trusted")
    assert wipes("src:user", "untrusted")
    assert wipes("llm")
    open_ = layers({"defaults": rules, "sources": {"src": "untrusted", "src:user": "trusted"}})
    assert denied(open_, "call:x", "src:env:docker", declared=("destructive",))
    assert not denied(open_, "call:x", "src:user", declared=("destructive",))
    assert not denied(open_, "call:x", "llm", declared=("destructive",)), "no default, no stance"


def test_files_are_classified_by_where_they_lie():
    tree = {
        "defaults": {"rules": ["no-untrusted-destructive"]},
        "sources": {
            "src:file": {
                "default": "trusted",
                "/up/**": "untrusted",
                "/up/ok/**": "trusted",
                "sub/**": "untrusted",
            },
            "dir:/other": "untrusted",
        },
    }
    found = layers(tree)

    def wipes(*labels):
        return denied(found, "call:wipe", *labels, declared=("destructive",))

    assert not wipes("src:file", "dir:/home")
    assert wipes("src:file", "dir:/up")
    assert wipes("src:file", "dir:/up", "dir:/up/x")
    assert wipes("src:file", "dir:/up", "dir:/up/ok"), "a trusted place inside an untrusted one"
    assert wipes("src:file", "dir:/project", "dir:/project/sub")
    assert wipes("src:file", "dir:/other")
    assert wipes("dir:/up"), "a directory alone is the origin of a file"
    assert not wipes("src:file")


def test_a_glob_that_trusts_speaks_of_directories_only_with_two_stars():
    tree = {
        "defaults": {"rules": ["no-untrusted-destructive"]},
        "sources": {"src:file": {"default": "untrusted", "/srv/*": "trusted", "/opt/**": "trusted"}},
    }
    found = layers(tree)
    assert denied(found, "call:x", "src:file", "dir:/srv", "dir:/srv/a", declared=("destructive",))
    assert not denied(found, "call:x", "src:file", "dir:/opt", "dir:/opt/a", declared=("destructive",))


def test_allow_lists_close_for_what_is_untrusted_by_default():
    found = layers({"defaults": {"unlabeled": "untrusted"}, "labels": {"src:mcp": {"allow": ["op:cmd:git"]}}})
    assert not denied(found, "cmd:git status", "src:mcp")
    refused = ask(found, "cmd:ls", "src:mcp")
    assert refused.rule == '''labels."src:mcp".allow does not include "op:cmd:ls"'''
    assert denied(found, "cmd:git status", "src:mcp", declared=("net:w",)), "every leaf has to be allowed"
    assert not denied(found, "cmd:ls", "src:exec"), "no rule with a list is about it"
    assert not denied(found, "cmd:ls", "src:mcp", "trusted")
    assert denied(found, "cmd:ls", "src:mcp", "untrusted"), "to declare distrust takes no restriction away"
    by_source = layers({"sources": {"src:mcp": "untrusted"}, "labels": {"src:mcp": {"allow": []}}})
    assert denied(by_source, "show", "src:mcp")
    no_stance = layers({"labels": {"src:mcp": {"allow": ["op:cmd"]}, "pii": {"deny": ["op:cmd"]}}})
    assert not denied(no_stance, "show", "src:mcp")
    declared = layers({"labels": {"untrusted": {"deny": ["op:cmd"], "allow": ["op:cmd:git"]}}})
    assert not denied(declared, "show", "untrusted"), "where nothing is closed, an allow is an exception only"


def test_every_rule_about_a_label_has_to_list_what_it_allows():
    tree = {
        "defaults": {"unlabeled": "untrusted"},
        "labels": {"src": {"allow": ["op:cmd"]}, "src:mcp": {"allow": ["op:cmd:git"]}},
    }
    found = layers(tree)
    assert not denied(found, "cmd:git status", "src:mcp")
    assert denied(found, "cmd:ls", "src:mcp")
    assert not denied(found, "cmd:ls", "src:exec")


def test_data_labels_come_from_places():
    found = layers(
        {
            "data": {"path:~/.ssh/**": "secret", "path:hr/**": ["pii", "sensitive"]},
            "labels": {"pii": {"deny": ["op:log"]}},
        }
    )
    assert found.entry_labels("src:file", "/home/user/.ssh/config") == Labels.of("secret")
    assert found.entry_labels("src:file", "/project/hr/a.csv") == Labels.of("pii", "sensitive")
    assert found.entry_labels("src:file", "/project/a.csv") == Labels.of()
    assert found.entry_labels("src:user") == Labels.of()
    assert denied(found, "log", "src:file", "dir:/project", "dir:/project/hr"), "by its directory alone"
    assert not denied(found, "log", "src:file", "dir:/project")


def test_a_file_is_untrusted_from_entry_on_where_its_directory_would_not_tell():
    tree = {
        "sources": {"src:file": {"default": "untrusted", "/srv/**": "trusted", "/srv/a/*.tmp": "untrusted"}}
    }
    found = layers(tree)
    assert found.entry_labels("src:file", "/home/x") == Labels.of("untrusted")
    assert found.entry_labels("src:file", "/srv/b") == Labels.of()
    assert found.entry_labels("src:file", "/srv/a/x.tmp") == Labels.of("untrusted")
    assert found.entry_labels("src:mcp") == Labels.of()
    flat = layers({"sources": {"src:file": "untrusted"}})
    assert flat.entry_labels("src:file", "/home/x") == Labels.of(), "its labels tell all there is to tell"


def test_a_file_from_a_trusted_place_opens_nothing_for_one_that_is_marked():
    tree = {
        "sources": {"src:file": {"default": "untrusted", "/srv/**": "trusted"}},
        "labels": {"src:file": {"allow": ["op:show"]}},
    }
    found = layers(tree)
    outside = ("src:file", "dir:/etc", *found.entry_labels("src:file", "/etc/x").names())
    assert "untrusted" in outside
    assert denied(found, "log", *outside)
    assert denied(found, "log", *outside, "dir:/srv")
    assert not denied(found, "log", "src:file", "dir:/srv")


def test_a_glob_is_as_specific_however_it_is_spelled():
    for short, long in (
        ("up/**", "/project/up/in/**"),
        ("/project/up/**", "up/in/**"),
        ("@base/up/**", "up/in/**"),
    ):
        found = layers({"sources": {"src:file": {short: "untrusted", long: "trusted"}}})
        assert found.entry_labels("src:file", "/project/up/in/x") == Labels.of()
        assert found.entry_labels("src:file", "/project/up/x") == Labels.of("untrusted")


def test_influence():
    on = layers({"defaults": {"rules": ["untrusted-llms-get-influenced"], "unlabeled": "untrusted"}})
    assert on.influences(Labels.of("src:mcp"), model=True)
    assert not on.influences(Labels.of("src:mcp"), model=False)
    assert not on.influences(Labels.of("pii"), model=True)
    off = layers({"defaults": {"unlabeled": "untrusted"}})
    assert not off.influences(Labels.of("src:mcp"), model=True)
    assert off.untrusted(Labels.of("src:mcp"))
    assert not off.untrusted(Labels.of())


# The definition, word for word, over small alphabets.

_LABELS = ["secret", "secret:a", "pii", "untrusted", "trusted", "src:mcp", "src:user", "sensitive"]
_RULE_LABELS = ["secret", "secret:a", "pii", "untrusted", "src", "src:mcp", "*"]
_LEAVES = ["op:cmd", "op:cmd:git", "op:cmd:git:push", "op:show", "net:w", "exfil", "destructive"]
_TARGETS = ["op", "op:cmd", "op:cmd:git", "op:cmd:git:push", "op:show", "net:w", "exfil", "destructive", "*"]
_RULES = ["no-secret-exfil", "no-sensitive-exfil", "no-untrusted-destructive", "no-untrusted-privileged"]
_some_targets = st.lists(st.sampled_from(_TARGETS), max_size=3, unique=True)
_trees = st.fixed_dictionaries({
    "defaults": st.fixed_dictionaries(
        {"rules": st.lists(st.sampled_from(_RULES), unique=True)},
        optional={"unlabeled": st.sampled_from(["trusted", "untrusted"])},
    ),
    "sources": st.dictionaries(st.sampled_from(["src", "src:mcp", "src:user"]), st.sampled_from(["trusted", "untrusted"])),
    "operations": st.dictionaries(st.sampled_from(_TARGETS[:6]), st.sampled_from(["exfil", "destructive", "privileged"])),
    "labels": st.dictionaries(
        st.sampled_from(_RULE_LABELS),
        st.fixed_dictionaries({"deny": _some_targets}, optional={"allow": _some_targets}),
        max_size=4,
    ),
    "limits": st.just({"timeout": 1}),
})  # fmt: skip
_taints = st.lists(st.sampled_from(_LABELS), max_size=4, unique=True)
_operations = st.lists(st.sampled_from(_LEAVES), min_size=1, max_size=3, unique=True)


def _class_of(tree, origin):
    entries = [(len(key), value) for key, value in tree["sources"].items() if covers(key, origin)]
    return max(entries)[1] if entries else tree["defaults"].get("unlabeled")


def permitted(tree, taint, leaves) -> bool:
    """What one layer without capabilities permits, as the model says it."""
    operation = {
        *leaves,
        *(risk for p, risk in tree["operations"].items() if any(covers(p, leaf) for leaf in leaves)),
    }
    classes = [_class_of(tree, label) for label in taint if is_origin(label)]
    by_default = "untrusted" in classes and ("trusted" not in taint or "untrusted" in taint)
    untrusted = "untrusted" in taint or by_default
    judged = {*taint, *(["untrusted"] if untrusted else [])}

    def has(word, among):
        return any(covers(word, each) for each in among)

    on = tree["defaults"]["rules"]
    broken = {
        "no-secret-exfil": has("secret", judged) and has("exfil", operation),
        "no-sensitive-exfil": has("sensitive", judged) and untrusted and has("exfil", operation),
        "no-untrusted-destructive": untrusted and has("destructive", operation),
        "no-untrusted-privileged": untrusted and has("privileged", operation),
    }
    if any(broken[name] for name in on):
        return False
    denies = [(name, target) for name, rule in tree["labels"].items() for target in rule["deny"]]
    allows = [(name, target) for name, rule in tree["labels"].items() for target in rule.get("allow", [])]
    for t in judged:
        for o in operation:
            for label, target in denies:
                if covers(label, t) and covers(target, o):
                    excepted = any(
                        (other, allowed) != (label, target)
                        and covers(label, other) and covers(other, t) and covers(target, allowed) and covers(allowed, o)
                        for other, allowed in allows
                    )  # fmt: skip
                    if not excepted:
                        return False
    if by_default:
        for t in taint:
            for name, rule in tree["labels"].items():
                if "allow" in rule and covers(name, t):
                    if not all(any(covers(a, o) for a in rule["allow"]) for o in operation):
                        return False
    return True


@settings(max_examples=100, deadline=None)
@given(_trees, _taints, _operations)
def test_a_layer_decides_as_the_model_says(tree, taint, leaves):
    found = layers(tree).authorize(bare(*leaves), Labels.of(*taint))
    assert (not isinstance(found, Denial)) is permitted(tree, taint, leaves)


@settings(max_examples=100, deadline=None)
@given(_trees, _taints, _operations, st.sampled_from([label for label in _LABELS if label != "trusted"]))
def test_one_more_label_never_permits_more(tree, taint, leaves, label):
    found = layers(tree)
    before, after = Labels.of(*taint), Labels.of(*taint, label)
    if isinstance(found.authorize(bare(*leaves), before), Denial):
        assert isinstance(found.authorize(bare(*leaves), after), Denial)


@settings(max_examples=100, deadline=None)
@given(_trees, _taints, _operations, st.sampled_from(_LEAVES))
def test_one_more_leaf_never_permits_more(tree, taint, leaves, leaf):
    found, labels = layers(tree), Labels.of(*taint)
    if isinstance(found.authorize(bare(*leaves), labels), Denial):
        assert isinstance(found.authorize(bare(*leaves, leaf), labels), Denial)


def test_what_is_added_to_a_taint_is_what_it_has_not():
    assert added_labels(("pii",), ["secret", "pii"], distrusted=False) == ["secret"]
    assert added_labels(("pii",), [], distrusted=True) == ["untrusted"]
    assert added_labels(("untrusted",), ["secret"], distrusted=True) == ["secret"]
    assert added_labels((), ["untrusted"], distrusted=True) == ["untrusted"]


def test_entries_know_where_they_stand():
    entries = {"allow": ["cmd"], "danger": ["cmd:rm"], "deny": ["sh", "cmd:dd"]}
    lists = layers({"capabilities": entries}).layers[0].lists
    assert lists.allows.whole["cmd"].entry.path == ("capabilities", "allow", 0)
    assert lists.denies.whole["sh"].entry.path == ("capabilities", "deny", 0)
    (opted,) = lists.opts.names.all()
    assert opted.entry.path == ("capabilities", "danger", 0)


def test_what_is_kept_has_a_bound(monkeypatch):
    monkeypatch.setattr(flows, "_MOST_KEPT", 2)
    memory = {}
    for key in ("a", "b"):
        flows.keep(memory, key, 1)
    assert set(memory) == {"a", "b"}
    flows.keep(memory, "c", 1)
    assert set(memory) == {"c"}


def test_a_document_that_was_never_checked_makes_no_layer():
    wrong = Document(policy=Policy(capabilities=CapabilityLists(deny=["comand:rm"])), name="unchecked")
    with pytest.raises(AssertionError):
        Layer(wrong, PLACE)


def test_a_mark_brings_back_the_default_of_files_in_what_is_explained():
    tree = {"sources": {"src:file": {"/srv/**": "trusted", "default": "untrusted"}}}
    layer = layers(tree).layers[0]
    (clean,) = layer.taint(Labels.of("src:file", "dir:/srv"))[1]
    (marked,) = layer.taint(Labels.of("src:file", "dir:/srv", "untrusted"))[1]
    assert (clean.found, marked.found) == (kernels.TRUSTED, kernels.UNTRUSTED)


def test_a_broken_rule_names_the_entry_that_made_the_risk():
    made = {"exfil": "op:call:x", "destructive": "op:call", "privileged": "op"}
    table = {pattern: f"{risk}:some" for risk, pattern in made.items()}
    (layer,) = layers({"operations": table}).layers
    operation = layer.operation(leaves(("op:call:x",)))
    for number, risk in enumerate(("exfil", "exfil", "destructive", "privileged"), start=1):
        broken = layer.broken(number, operation)
        assert (broken.rule, broken.risk) == (BUILTIN_RULES[number - 1], risk)
        assert broken.path == ("operations", made[risk])
    assert layer.broken(1, leaves(("exfil",))).path == ()


LINKED = Place(
    base="/project", home="/home/user", resolve=lambda path: path.replace("/srv/link", "/srv/real")
)


def test_a_distrusted_place_holds_where_a_link_leads_and_a_trusted_one_does_not():
    for trust, default, untrusted in (("untrusted", "trusted", True), ("trusted", "untrusted", True)):
        tree = {"sources": {"src:file": {"/srv/link/**": trust, "default": default}}}
        found = layers(tree, place=LINKED)
        assert found.untrusted(Labels.of("src:file", "dir:/srv/real")) is untrusted
        assert found.untrusted(Labels.of("src:file", "dir:/srv/link")) is (trust == "untrusted")


def test_data_is_labelled_where_a_link_leads():
    found = layers({"data": {"path:/srv/link/**": "secret"}}, place=LINKED)
    assert found.entry_labels("src:file", "/srv/real/x") == Labels.of("secret")
    assert found.entry_labels("src:file", "/srv/link/x") == Labels.of("secret")


def test_what_is_made_of_a_value_names_the_entries():
    tree = {
        "sources": {"src:file": {"/srv/**": "untrusted", "default": "trusted"}, "src:mcp": "untrusted"},
        "data": {"path:/srv/**": "secret"},
    }
    (layer,) = layers(tree).layers
    where = ("data", "path:/srv/**")
    assert layer.entry("src:file", "/srv/x") == {"secret": where, "untrusted": ("sources", "src:file")}
    given, classified = layer.taint(Labels.of("src:file", "dir:/srv", "src:mcp"))
    assert given == {"secret": where}
    assert [each.path for each in classified] == [("sources", "src:mcp"), ("sources", "src:file", "/srv/**")]
    (elsewhere,) = layer.taint(Labels.of("src:file", "dir:/etc"))[1]
    assert elsewhere.path == ("sources", "src:file", "default")

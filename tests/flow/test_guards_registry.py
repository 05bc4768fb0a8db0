"""Guards in force: filters, names, order, imports, privilege, bypass."""

import sys
import textwrap

import pytest
from guard_samples import MCP, PUSH, SECRET, guard
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.flow.denial import Code
from sluicegate.flow.errors import GuardError
from sluicegate.flow.guards import (
    AddLabels,
    Allow,
    BypassAll,
    BypassExcept,
    BypassOnly,
    BypassRefused,
    Deny,
    Filter,
    Grant,
    GuardBundle,
    GuardContext,
    GuardRegistry,
    GuardRule,
    GuardsChanged,
    GuardsDenied,
    OperationView,
    Origin,
    Privileges,
    Tier,
    Timing,
    evaluate,
)
from sluicegate.flow.guards.filters import MatchedInputs, Nothing, WholeOperation, keys_of
from sluicegate.flow.labels import EMPTY, Labels
from sluicegate.flow.values import Labeled

# Filters.


@pytest.mark.parametrize(
    ("filter_", "labels", "expected"),
    [
        ("*", EMPTY, WholeOperation()),
        ("op:cmd", EMPTY, WholeOperation()),
        ("op:cmd:git", EMPTY, WholeOperation()),
        ("op:cmd:git:push", EMPTY, WholeOperation()),
        ("op:cmd:git:push:origin", EMPTY, Nothing()),
        ("op:cmd:gi", EMPTY, Nothing()),
        ("op:sh", EMPTY, Nothing()),
        ("net", EMPTY, WholeOperation()),
        ("net:w", EMPTY, WholeOperation()),
        ("net:r", EMPTY, Nothing()),
        ("fn:publish", EMPTY, WholeOperation()),
        ("fn:tools.publish", EMPTY, WholeOperation()),
        ("fn:ools.publish", EMPTY, Nothing()),
        ("fn:tools", EMPTY, Nothing()),
        ("secret", SECRET, MatchedInputs(indexes=(1,))),
        ("secret", Labels.of("secret:aws"), MatchedInputs(indexes=(1,))),
        ("secret:aws", SECRET, Nothing()),
        ("src:mcp", MCP, MatchedInputs(indexes=(1,))),
        ("src", MCP, MatchedInputs(indexes=(1,))),
        ("untrusted", Labels.of("src:mcp", "untrusted"), MatchedInputs(indexes=(1,))),
        ("trusted", Labels.of("src:mcp", "trusted"), MatchedInputs(indexes=(1,))),
        ("dir:/tmp", Labels.of("dir:/tmp", "dir:/tmp/x"), MatchedInputs(indexes=(1,))),
        ("llm", Labels.of("llm"), MatchedInputs(indexes=(1,))),
    ],
)
def test_filters(filter_, labels, expected):
    made = Filter.of(filter_)
    taints = (Labels.of("internal"), labels)
    assert made.match(PUSH, taints) == expected
    assert str(made) == filter_
    found = set(made.index_keys()) & set(keys_of(PUSH, taints))
    assert bool(found) == (expected != Nothing())


WORDS = ["op:cmd", "op:cmd:git", "op:sh", "net:w", "net", "secret", "secret:aws", "src:mcp", "src", "trusted",
         "untrusted", "fn:send", "fn:mail.send", "*", "pii"]  # fmt: skip
DATA = st.sets(st.sampled_from(["secret", "secret:aws", "src:mcp", "trusted", "untrusted", "pii"]))


@given(
    st.sampled_from(WORDS),
    st.lists(DATA, max_size=3),
    st.sets(st.sampled_from(["op:cmd:git:push", "op:sh", "net:w", "secret"])),
    st.sampled_from(["", "send", "mail.send"]),
)
def test_the_index_finds_what_the_filter_matches(word, data, labels, function):
    operation = OperationView(kind="cmd", name="x", labels=tuple(labels), shown="x", function=function)
    taints = [Labels.of(*names) for names in data]
    filter_ = Filter.of(word)
    found = bool(set(filter_.index_keys()) & set(keys_of(operation, taints)))
    assert found == (filter_.match(operation, taints) != Nothing())


@pytest.mark.parametrize(
    "text", ["", "a b", "a::b", "fn:", "fn:a b", "fn", "fn:a-b", "Secret", "src:MCP", "**", "fn:\x1b"]
)
def test_what_is_no_filter(text):
    with pytest.raises(GuardError) as error:
        Filter.of(text)
    assert error.value.message.isprintable()


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("op:shwo", "op:show"), ("op:cdm:git", "op:cmd"), ("op:runs", "op:run"), ("srcc:mcp", "src"),
        ("src:mpc", "src:mcp"), ("untrustd", "untrusted"), ("secrets:aws", "secret"), ("destructiv", "destructive"),
    ],
)  # fmt: skip
def test_a_filter_that_could_never_match_is_an_error(text, hint):
    with pytest.raises(GuardError) as error:
        Filter.of(text)
    assert hint in error.value.hint


def test_a_label_of_ones_own_may_look_like_a_known_one():
    assert Filter.of("secrets", own=["secrets"]).word == "secrets"
    assert Filter.of("billing").word == "billing"


@pytest.mark.parametrize(
    ("text", "labels", "matches"),
    [
        ("op:run", ("op:cmd:git:push",), True), ("op:run", ("op:py",), True),
        ("op:run", ("op:interpreter:ruby",), True), ("op:run", ("op:show",), False),
        ("op:exe", ("op:call:send",), True), ("op:exe", ("op:mcp:github:get",), True),
        ("op:exe", ("op:cmd:git",), False),
    ],
)  # fmt: skip
def test_the_words_of_the_specification_mean_what_it_says(text, labels, matches):
    operation = OperationView(kind="x", name="x", labels=labels, shown="x")
    filter_ = Filter.of(text)
    assert (filter_.match(operation, []) != Nothing()) is matches
    assert bool(set(filter_.index_keys()) & set(keys_of(operation, []))) is matches


# Names, tiers and order.


@pytest.mark.parametrize("name", ["", "a b", "1a", "a/b", "é", "a\n", "-a", "x" * 129])
def test_what_is_no_name(name):
    with pytest.raises(GuardError):
        guard(name)


def test_names_are_unique():
    registry = GuardRegistry()
    registry.add(guard("a"))
    with pytest.raises(GuardError, match="already"):
        registry.add(guard("a", GuardRule(then=Allow())))
    with pytest.raises(GuardError, match="already"):
        registry.add_bundle(GuardBundle(name="b", guards=(guard("c"), guard("a"))), Origin(module="b"))
    assert [each.guard.name for each in registry] == ["a"]  # all of a bundle, or none


def test_a_bundle_may_not_use_one_name_twice():
    with pytest.raises(GuardError, match="already"):
        GuardRegistry().add_bundle(GuardBundle(name="b", guards=(guard("a"), guard("a"))), Origin(module="b"))


@pytest.mark.parametrize("generated_first", [True, False])
def test_a_generated_guard_cannot_be_displaced(generated_first):
    registry = GuardRegistry()
    generated = guard("__policy_rule_no_secret_exfil", GuardRule(then=Deny(reason="no")))
    squatter = guard("__policy_rule_no_secret_exfil", GuardRule(then=Allow()))
    if generated_first:
        registry.add_generated(generated)
    for register in (
        registry.add,
        lambda it: registry.add_bundle(GuardBundle(name="b", guards=(it,)), Origin(module="b")),
    ):
        with pytest.raises(GuardError, match="reserved"):
            register(squatter)
    if not generated_first:
        registry.add_generated(generated)
    assert [each.guard for each in registry] == [generated]


def test_generated_guards_have_reserved_names_and_are_themselves_unique():
    registry = GuardRegistry()
    with pytest.raises(GuardError):
        registry.add_generated(guard("mine"))
    registry.add_generated(guard("__a"))
    with pytest.raises(GuardError, match="already"):
        registry.add_generated(guard("__a", GuardRule(then=Allow())))


def test_the_order_of_guards():
    privileges = Privileges(Grant(source="config", modules=("company",)))
    registry = GuardRegistry(privileges=privileges)
    registry.add(guard("local1"))
    registry.add(guard("account", timing=Timing.ALWAYS))
    registry.add_bundle(
        GuardBundle(name="b", guards=(guard("import1"), guard("import2"))), Origin(module="other")
    )
    registry.add(guard("local2"))
    registry.add_bundle(GuardBundle(name="c", guards=(guard("strong"),)), Origin(module="company.rules"))
    registry.add_generated(guard("__policy"))
    selected = registry.select(PUSH, [], Timing.BEFORE)
    names = [each.guard.name for each in selected.guards]
    assert names == ["__policy", "strong", "import1", "import2", "local1", "local2", "account"]
    assert [each.tier for each in selected.guards][:3] == [
        Tier.GENERATED,
        Tier.IMPORTED_PRIVILEGED,
        Tier.IMPORTED,
    ]


def test_timing():
    registry = GuardRegistry()
    for timing in Timing:
        registry.add(guard(str(timing), timing=timing))

    def names(timing):
        return [each.guard.name for each in registry.select(PUSH, [], timing).guards]

    assert names(Timing.BEFORE) == ["before", "always"]
    assert names(Timing.AFTER) == ["after", "always"]
    assert names(Timing.ALWAYS) == ["always"]


def test_selecting_does_not_grow_with_guards_that_do_not_match():
    registry = GuardRegistry()
    for number in range(500):
        registry.add(guard(f"g{number}", on=f"op:cmd:tool{number}"))
    registry.add(guard("hit", on="op:cmd:git"))
    assert [each.guard.name for each in registry.select(PUSH, [SECRET], Timing.BEFORE).guards] == ["hit"]


# Bundles from modules.


@pytest.fixture
def module(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)

    def write(name, text):
        path = tmp_path.joinpath(*name.split(".")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
        return path

    yield write
    for name in [name for name in sys.modules if name.startswith("guards_of_")]:
        del sys.modules[name]


BUNDLE = """
    from sluicegate.flow.guards import *
    BUNDLE = GuardBundle(name="b", guards=(
        Guard(name="imported", timing=Timing.BEFORE, filter=Filter.of("untrusted"), rules=(GuardRule(then=Bless()),),
              privileged=True),
    ))
"""


def test_a_module_is_imported_with_its_own_origin(module):
    path = module("guards_of_company", BUNDLE)
    registry = GuardRegistry()
    (registered,) = registry.load("guards_of_company")
    assert registered.origin == Origin(path=str(path), module="guards_of_company")
    assert registered.privilege is None  # it only wished for it
    assert registry.load("guards_of_company") == (registered,)  # imported once more


@pytest.mark.parametrize(
    "grant",
    [
        {"modules": ("guards_of_company",)},
        {"paths": ("/**/guards_of_company.py",)},
        {"names": ("guards_of_company:imported",)},
    ],
)
def test_configuration_gives_privilege_to_what_was_imported(module, grant):
    module("guards_of_company", BUNDLE)
    registry = GuardRegistry(privileges=Privileges(Grant(source="sluicegate.toml", **grant)))
    (registered,) = registry.load("guards_of_company")
    assert registered.tier is Tier.IMPORTED_PRIVILEGED
    assert registered.privilege.holder == "imported"
    assert registered.privilege.source == "sluicegate.toml"


def test_a_module_without_guards_and_one_that_is_missing(module):
    module("guards_of_nobody", "x = 1")
    with pytest.raises(GuardError, match="GuardBundle"):
        GuardRegistry().load("guards_of_nobody")
    with pytest.raises(GuardError, match="ModuleNotFoundError"):
        GuardRegistry().load("guards_of_void")


# Privilege.


@pytest.mark.parametrize(
    ("grant", "name", "origin", "tier", "expected"),
    [
        ({"names": ("g",)}, "g", Origin(), Tier.LOCAL, True),
        ({"names": ("g",)}, "other", Origin(), Tier.LOCAL, False),
        ({"names": ("g",)}, "g", Origin(module="m"), Tier.IMPORTED, False),
        ({"names": ("m:g",)}, "g", Origin(module="m"), Tier.IMPORTED, True),
        ({"names": ("m:g",)}, "g", Origin(module="n"), Tier.IMPORTED, False),
        ({"names": ("m:g",)}, "g", Origin(), Tier.LOCAL, False),
        ({"names": ("g", ":g")}, "g", Origin(path="/p/a.py"), Tier.IMPORTED, False),
        ({"modules": ("m",)}, "g", Origin(module="m.inner"), Tier.IMPORTED, True),
        ({"modules": ("m",)}, "g", Origin(module="mm"), Tier.IMPORTED, False),
        (
            {"modules": ("@company/security",)},
            "g",
            Origin(module="@company/security/pii"),
            Tier.IMPORTED,
            True,
        ),
        ({"modules": ("@company/sec",)}, "g", Origin(module="@company/security"), Tier.IMPORTED, False),
        ({"modules": ("",)}, "g", Origin(), Tier.LOCAL, False),
        ({"paths": ("/p/guards/*.py",)}, "g", Origin(path="/p/guards/a.py"), Tier.LOCAL, True),
        ({"paths": ("/p/guards/*.py",)}, "g", Origin(path="/p/guards/in/a.py"), Tier.LOCAL, False),
        ({"paths": ("/p/guards/**",)}, "g", Origin(path="/p/guards/in/a.py"), Tier.LOCAL, True),
        ({"paths": ("/p/**/a.py",)}, "g", Origin(path="/p/a.py"), Tier.LOCAL, True),
        ({"paths": ("/p/a.py",)}, "g", Origin(path="/p/axpy"), Tier.LOCAL, False),
        ({"paths": ("/p/guards/**",)}, "g", Origin(path="/p/guards-not/a.py"), Tier.LOCAL, False),
        ({"paths": ("**",)}, "g", Origin(), Tier.LOCAL, False),
        ({}, "g", Origin(path="/p/a.py", module="m"), Tier.LOCAL, False),
    ],
)
def test_who_is_privileged(grant, name, origin, tier, expected):
    privileges = Privileges(Grant(source="test", **grant))
    assert (privileges.of(guard(name, privileged=True), origin, tier) is not None) == expected


def test_every_grant_has_to_cover_a_guard():
    wide, narrow = Grant(source="wide", paths=("/**",)), Grant(source="narrow", names=("g",))
    both = Privileges(wide, narrow)
    origin = Origin(path="/p/a.py")
    assert both.of(guard("g"), origin, Tier.LOCAL).source == "wide, narrow"
    assert both.of(guard("h"), origin, Tier.LOCAL) is None
    assert Privileges().of(guard("g", privileged=True), origin, Tier.LOCAL) is None
    assert Privileges().of(guard("__g"), origin, Tier.GENERATED) is not None


def test_the_path_of_a_local_guard_is_resolved(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "guards").symlink_to(tmp_path / "real")
    file = tmp_path / "real" / "a.py"
    file.write_text("")
    registry = GuardRegistry(privileges=Privileges(Grant(source="test", paths=(f"{tmp_path}/guards/**",))))
    assert registry.add(guard("a"), path=str(tmp_path / "guards" / "a.py")).privilege is None
    assert registry.add(guard("b"), path=f"{tmp_path}/real/../guards/a.py").origin.path == str(file)


# Bypass.

BYPASSES = [BypassAll(), BypassOnly(names=("a",)), BypassExcept(names=("a",))]


def bypassing(**settings):
    privileges = Privileges(Grant(source="test", names=("strong",)))
    registry = GuardRegistry(privileges=privileges, **settings)
    for name in ("a", "b", "strong"):
        registry.add(guard(name))
    registry.add_generated(guard("__policy"))
    return registry, registry.select(PUSH, [], Timing.BEFORE)


@pytest.mark.parametrize("settings", [{}, {"allow_bypass": True, "strict": True}, {"strict": True}])
@pytest.mark.parametrize("wish", BYPASSES)
def test_bypass_is_refused_unless_configuration_allows_it(wish, settings):
    registry, selected = bypassing(**settings)
    refused = registry.bypass(selected, wish, PUSH)
    assert isinstance(refused, BypassRefused)
    assert refused.denial.code is Code.GUARD_BYPASS_BLOCKED
    assert refused.denial.suggestions


@pytest.mark.parametrize(("wish", "kept"), list(zip(BYPASSES, ([], ["a"], ["b"]), strict=True)))
def test_bypass_drops_only_what_is_not_privileged(wish, kept):
    registry, selected = bypassing(allow_bypass=True)
    names = [each.guard.name for each in registry.bypass(selected, wish, PUSH).guards]
    assert set(names) == {"__policy", "strong", *kept}


def test_bypass_names_guards_that_exist():
    registry, selected = bypassing(allow_bypass=True)
    with pytest.raises(GuardError, match="nosuch"):
        registry.bypass(selected, BypassExcept(names=("nosuch",)), PUSH)


def test_bypass_holds_for_guards_that_come_to_match_later():
    registry = GuardRegistry(allow_bypass=True)
    registry.add(guard("adds", GuardRule(then=AddLabels(names=("pii",)))))
    registry.add(guard("late", GuardRule(then=Deny(reason="no")), on="pii"))
    value = Labeled("x")
    context = GuardContext(operation=PUSH, timing=Timing.BEFORE, values=(value,), taints=(EMPTY,))
    selected = registry.select(PUSH, [EMPTY], Timing.BEFORE)
    assert isinstance(evaluate(selected, context), GuardsDenied)
    bypassed = registry.bypass(selected, BypassExcept(names=("late",)), PUSH)
    assert isinstance(evaluate(bypassed, context), GuardsChanged)

"""More scopes that are checked whole: long lists of which each entry counts, every depth, every glob.

Generated cases seldom have many of one thing of which the last alone decides; these do. Each function is one check.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, permutations, product

from drt.flow import environments
from drt.flow.cases import Tree
from drt.flow.environments import HOSTS, EnvironmentCase, generate
from drt.flow.operations import ALL, DANGERS
from drt.flow.questions import labels_of, layers_of, subsets
from drt.flow.sides import layers, request
from drt.flow.words import FOLDERS, GLOBS, LABELS, RULE_LABELS, RULES, TRUSTS
from model import flow as model
from model.capabilities import Operation
from model.spelling import plain
from sluicegate.flow.guards.actions import AddLabels, Bless, ClearLabels, RemoveLabels
from sluicegate.flow.guards.change import change_of
from sluicegate.flow.labels import ConflictMode, Labels, TrustRefused
from sluicegate.flow.labels.trust import grant
from sluicegate.flow.policy import kernels
from sluicegate.flow.policy.layers import Authorized
from sluicegate.flow.policy.request import Request


def every_label_that_data_gives_counts_as_held() -> None:
    """All pairs of 6 labels that ``data`` gives to a folder, under each built-in rule, marked or not."""
    names = ("secret", "secret:aws", "sensitive", "sensitive:hr", "pii", "mine:own")
    given: list[Tree] = [*names, *map(list, permutations(names, 2))]
    for labels, rule in product(given, ("no-secret-exfil", "no-sensitive-exfil")):
        policy: Tree = {
            "data": {"path:/srv/**": labels},
            "defaults": {"rules": [rule]},
            "labels": {"pii": {"deny": ["op:log"]}, "mine:own": {"deny": ["op:log"]}},
        }
        (layer,) = layers_of(policy)
        for leaf, more in product(("exfil:mail", "op:log", "op:show"), ((), ("untrusted",), ("trusted",))):
            value = ("dir:/srv", *more)
            expected = model.decide(policy, Operation("call", (leaf,)), frozenset(value))
            assert layer(leaf, value) == expected, (policy, value, leaf)


def every_risk_of_many_counts() -> None:
    """An operation that five patterns are about, in all rotations of five risks: each is one, and rules see it."""
    patterns = ("*", "op", "op:call", "op:call:run", "op:call:run:x")
    risks = ("exfil", "exfil:mail", "destructive", "privileged", "destructive:disk")
    for shift, risk in product(range(len(risks)), risks):
        table = dict(zip(patterns, risks[shift:] + risks[:shift], strict=True))
        policy: Tree = {"operations": table, "labels": {"pii": {"deny": [risk]}}}
        (layer,) = layers_of(policy)
        assert layer(patterns[-1], ("pii",)) == kernels.BY_LABEL_RULE
        (layer,) = layers_of({**policy, "operations": {patterns[-1]: list(table.values())}})
        assert layer(patterns[-1], ("pii",)) == kernels.BY_LABEL_RULE
        assert layer(patterns[-1], ()) == kernels.PERMITTED


def every_allow_list_of_many_binds() -> None:
    """Fourteen rules that list what is asked, but for one: that refuses, whether of 14 labels or of one label."""
    alone = tuple(f"mine{number}" for number in range(14))
    nested = tuple(":".join(alone[:length]) for length in range(1, 15))
    for labels, held in ((alone, alone), (nested, nested[-1:])):
        for short in (None, *labels):
            rules = {label: {"allow": ["op:show" if label == short else "op:log"]} for label in labels}
            (layer,) = layers_of({"sources": {"src:mcp": "untrusted"}, "labels": rules})
            expected = kernels.PERMITTED if short is None else kernels.BY_ALLOW_LIST
            assert layer("op:log", (*held, "src:mcp")) == expected, (short, held)
            denying = {label: {"deny": ["op:show" if label != short else "op:log"]} for label in labels}
            (layer,) = layers_of({"labels": denying})
            assert (layer("op:log", held) == kernels.PERMITTED) == (short is None), (short, held)


def every_layer_and_leaf_of_many_counts() -> None:
    """Fourteen layers of which one distrusts, denies or closes, and 14 leaves of which one is denied or not listed."""
    quiet: Tree = {"labels": {"mine": {"deny": ["op:log"]}}}
    loud: Tree = {
        "sources": {"src:mcp": "untrusted"},
        "defaults": {"rules": ["untrusted-llms-get-influenced"], "fail_closed": True},
        "capabilities": {"deny": ["show"]},
    }
    show = Request(kind="show", leaves=("op:show",))
    for at in range(14):
        found = layers([loud if number == at else quiet for number in range(14)])
        assert found.untrusted(labels_of(("src:mcp",))) and found.influences(
            labels_of(("src:mcp",)), model=True
        )
        assert found.fail_closed and not isinstance(found.authorize(show, labels_of(())), Authorized)
    leaves = tuple(f"op:call:x{number}" for number in range(14))
    for one in leaves:
        others = [leaf for leaf in leaves if leaf != one]
        rules = ({"mine": {"deny": [one]}}, {"mine": {"allow": others}})
        for rule, code in zip(rules, (kernels.BY_LABEL_RULE, kernels.BY_ALLOW_LIST), strict=True):
            found = layers([{"labels": rule, "sources": {"src:mcp": "untrusted"}}])
            asked = found.prepare(Request(kind="call", leaves=leaves))
            assert found.layers[0].decide(asked, labels_of(("mine", "src:mcp"))).code == code


def every_label_matters_that_a_decision_depends_on() -> None:
    """One layer asked about each label in turn: what it has found of one set must not stand for another."""
    policy: Tree = {
        "defaults": {"rules": list(RULES), "unlabeled": "untrusted"},
        "labels": {"pii:mail": {"deny": ["op:log"]}, "src": {"allow": ["op:show"]}},
    }
    (layer,) = layers_of(policy)
    for base, leaf in product(
        ((), ("untrusted",), ("trusted",)), ("exfil", "destructive", "privileged", "op:log")
    ):
        for label in (None, *LABELS, None):
            names = tuple(sorted({*base, *([label] if label else [])}))
            assert layer(leaf, names) == model.decide(policy, Operation("call", (leaf,)), frozenset(names)), (
                leaf,
                names,
            )


def every_danger_is_opted_into_by_itself() -> None:
    """Each entry of the danger table: refused without an opt-in, and with its own as the model says; two at once."""
    for name, op in DANGERS.items():
        for danger in ([], [name]):
            policy: Tree = {"capabilities": {"danger": danger}}
            found = layers([policy])
            said = found.layers[0].decide(found.prepare(request(name)), labels_of(())).code
            assert said == model.decide(plain(policy), op, frozenset()), (name, danger)
    both = Request(kind="read", leaves=("op:read",), paths=(("r", "/home/u/.ssh/x"), ("r", "/home/u/.aws/x")))
    for opted, code in (("fs:r:~/.ssh/**", 1), ("fs:r:~/.aws/**", 1), ("fs", 0)):
        found = layers([{"capabilities": {"danger": [opted]}}])
        assert found.layers[0].decide(found.prepare(both), labels_of(())).code == code


def every_entry_of_a_long_list_counts() -> None:
    """Forty entries of each list, each about a tool of its own, and one tool that none is about."""
    names = [f"mcp:server:tool{number}" for number in range(40)]
    for key, listed, other in (("deny", 1, 0), ("allow", 0, 1)):
        found = layers([{"capabilities": {key: names}}])
        for name, code in (*((name, listed) for name in names), ("mcp:server:else", other)):
            asked = found.prepare(Request(kind="mcp", leaves=(f"op:{name}",)))
            assert found.layers[0].decide(asked, labels_of(())).code == code, (key, name)


def every_way_to_ask_for_verification_permits_it() -> None:
    """With ``autoverify`` in each of its forms, the command that verifies needs no entry, and no other command does."""
    forms: tuple[Tree, ...] = (None, False, True, "verify.att", {"template": "verify.att"})
    for form, name in product(forms, ("verify", "another verify", "status")):
        policy: Tree = {"defaults": {"autoverify": form}, "capabilities": {"allow": []}}
        found = layers([policy])
        permitted = (
            found.layers[0].decide(found.prepare(request(name)), labels_of(())).code == kernels.PERMITTED
        )
        assert permitted == (name == "verify" and form not in (None, False)), (form, name)
        assert permitted == (model.decide(policy, ALL[name], frozenset()) == model.PERMITTED)


def every_depth_of_rules_counts() -> None:
    """A deny and an allow of every depth up to 4, of the label and of the target: the more specific holds."""
    labels = ("*", "mine", "mine:a", "mine:a:b", "mine:a:b:c")
    targets = ("*", "op", "op:call", "op:call:x", "op:call:x:y")
    for (deny, against), (allow, for_) in product(product(range(5), repeat=2), repeat=2):
        rules: dict[str, Tree] = {labels[deny]: {"deny": [targets[against]]}}
        rules.setdefault(labels[allow], {})["allow"] = targets[for_]
        (layer,) = layers_of({"labels": rules})
        permitted = layer(targets[-1], (labels[-1],)) == kernels.PERMITTED
        assert permitted == (deny <= allow and against <= for_ and (deny, against) != (allow, for_)), rules


def every_folder_of_many_is_looked_at() -> None:
    """Eight folders of which one is distrusted: with it the file is, wherever it stands, and without it is not."""
    names = tuple(f"dir:/d{number}" for number in range(8))
    for bad in names:
        places = {f"{name[4:]}/**": "untrusted" if name == bad else "trusted" for name in names}
        found = layers([{"sources": {"src:file": places}}])
        assert found.untrusted(Labels.of(*names))
        assert not found.untrusted(Labels.of(*(name for name in names if name != bad)))


def every_glob_is_about_folders_as_in_the_model() -> None:
    """All globs of the cases, each trusted or not, with every default, on every folder."""
    for glob, trust, default in product(GLOBS, TRUSTS, (None, *TRUSTS)):
        places = {glob: trust, **({"default": default} if default else {})}
        policy: Tree = {"sources": {"src:file": places}, "data": {f"path:{glob}": "secret:aws"}}
        found = layers([policy])
        for folder in (*FOLDERS, "nowhere"):
            names = ("src:file", f"dir:{folder}")
            assert found.untrusted(Labels.of(*names)) == model.is_untrusted(policy, {*names}), (policy, names)
            held = found.layers[0].facts(Labels.of(*names)).secret
            assert held == model.holds(model.effective(policy, {*names}), "secret"), (policy, names)


def every_label_is_held_by_its_prefixes() -> None:
    """All labels and prefixes of the cases, alone and beside another."""
    for label, prefix in product(LABELS, RULE_LABELS):
        for names in ({label}, {label, "from-git"}):
            assert Labels.of(*names).has(prefix) == model.holds(names, prefix), (names, prefix)


def every_change_that_a_guard_asks_for_is_the_models() -> None:
    """All sets of 5 labels and all changes of up to 2, in each mode, with and without the privilege."""
    names = ("trusted", "untrusted", "llm", "dir:/srv", "secret:aws")
    for held, asked, may, mode in product(subsets(names), subsets(names, 2), (False, True), ConflictMode):
        privilege = grant(holder="a guard", source="a policy") if may else None
        for kind, action in (
            ("add", AddLabels(names=asked)),
            ("bless", Bless()),
            ("remove", RemoveLabels(names=asked)),
            ("clear", ClearLabels()),
        ):
            said = change_of(action, Labels.of(*held), privilege, mode)
            strict = mode is ConflictMode.ERROR
            expected = model.change(kind, frozenset(asked), frozenset(held), may, strict)
            assert (None if isinstance(said, TrustRefused) else {*said.labels.names()}) == expected, (
                kind,
                held,
                asked,
            )


def every_small_environment_is_derived_as_in_the_model() -> None:
    """All pairs of small lists of hosts and of roots, and of each plain field."""
    nets: list[Tree] = ["none", "host", *(list(each) for each in subsets(HOSTS, 2))]
    placed = tuple(product((0, 1), ("/", "/app", "/app/src", "/data")))
    roots: list[Tree] = [None]
    for size in range(3):
        for chosen in combinations(placed, size):
            roots.append(
                [
                    [[("/srv" + inside).rstrip("/"), inside] for side, inside in chosen if side == which]
                    for which in (0, 1)
                ]
            )
    parent = generate(0).parent
    fields: dict[str, list[Tree]] = {
        "net": nets,
        "roots": [each for each in roots if each is None or sum(map(len, each)) < 2] + roots[9::2],
        **{key: ["", "a", "b"] for key in ("image", "snapshot")},
        "provider": ["local", "bubblewrap", "container"],
        "snapshots": [False, True],
        "names": [[], ["a"], ["a", "b"], ["b"], ["a", "b", "c"]],
        "labels": [[], ["pii"], ["trusted"], ["pii", "trusted"]],
        **{key: [None, [], ["a"], ["a", "b"], ["c"]] for key in ("auth", "tools", "mcps")},
        **{key: [None, 1, 2] for key in ("mem", "cpu", "time", "processes", "file")},
    }
    for key, values in fields.items():
        for one, other in product(values, repeat=2):
            case = EnvironmentCase({**parent, key: one}, {**parent, key: other})
            assert environments.production(case) == environments.modelled(case), (key, one, other)


CHECKS: dict[str, Callable[[], None]] = {
    name: check for name, check in list(globals().items()) if name.startswith("every_") and callable(check)
}

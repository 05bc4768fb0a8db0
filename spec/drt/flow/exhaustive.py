"""What is finite about flow is checked whole.

Each function here is one check, named in ``behaviours.toml``; it raises on failure.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, permutations, product

from drt.flow import scopes
from drt.flow.cases import Tree
from drt.flow.properties import marked
from drt.flow.questions import layers_of, subsets
from model import flow as model
from model import session as session_model
from model.capabilities import Operation
from sluicegate.flow.labels import Changed, Conflicted, Labels, Privilege, add, bless, clear, remove
from sluicegate.flow.labels import kernels as label_kernels
from sluicegate.flow.labels.trust import grant
from sluicegate.flow.policy import kernels
from sluicegate.flow.session import kernels as session_kernels

TRUTHS = (False, True)
CLASSES = (kernels.UNCLASSIFIED, kernels.TRUSTED, kernels.UNTRUSTED)


def every_stance_follows_the_table() -> None:
    """All taints and classes: untrusted if marked or distrusted without a voucher; and never better for more."""
    order = {}
    for untrusted, trusted, origin, worst in product(TRUTHS, TRUTHS, TRUTHS, CLASSES):
        found = kernels.stance(untrusted, trusted, origin, worst)
        distrusted = origin and worst == kernels.UNTRUSTED
        assert kernels.is_untrusted(found) == (untrusted or (distrusted and not trusted))
        assert kernels.closes(found) == (distrusted and (untrusted or not trusted))
        order[untrusted, trusted, origin, worst] = (kernels.is_untrusted(found), kernels.closes(found))
    for (u, t, o, w), (v, s, p, x) in product(order, repeat=2):
        if t == s and u <= v and o <= p and w <= x:
            assert order[u, t, o, w] <= order[v, s, p, x] and order[u, t, o, w][1] <= order[v, s, p, x][1]
    for entry, default in product(CLASSES, repeat=2):
        assert kernels.class_of(entry, default) == (entry or default)
        assert kernels.worse(entry, default) == max(entry, default)


def every_capability_and_built_in_rule_follows_the_table() -> None:
    """All truth values, of capability, of the built-in rules, of a layer and of two."""
    for denied, dangerous, opted, present, matched in product(TRUTHS, repeat=5):
        expected = 1 if denied else 2 if dangerous and not opted else 3 if present and not matched else 0
        assert kernels.capability(denied, dangerous, opted, present, matched) == expected
    for facts in product(TRUTHS, repeat=10):
        secret, sensitive, untrusted, exfil, destructive, privileged, *rules = facts
        broken = (
            rules[0] and secret and exfil,
            rules[1] and sensitive and untrusted and exfil,
            rules[2] and untrusted and destructive,
            rules[3] and untrusted and privileged,
        )
        assert kernels.builtin(*facts) == next((n for n, one in enumerate(broken, start=1) if one), 0)
    for found, rule, flow, listed in product(range(4), range(5), TRUTHS, TRUTHS):
        steps = (found > 0, rule > 0, flow, listed)
        assert kernels.layer(found, rule, flow, listed) == next(
            (n for n, one in enumerate(steps, start=1) if one), 0
        )
    for one, other in product(range(5), repeat=2):
        assert kernels.both(one, other) == (one or other)
        assert (kernels.both(one, other) == 0) == (kernels.both(other, one) == 0)
    for rule_on, made, untrusted in product(TRUTHS, repeat=3):
        assert kernels.influenced(rule_on, made, untrusted) is (rule_on and made and untrusted)


def every_depth_overrides_as_the_product_order() -> None:
    """All depths up to 4: an allow overrides a deny if it is no less deep in either, and deeper in one."""
    for deny, allow in product(product(range(5), repeat=2), repeat=2):
        expected = deny != allow and deny[0] <= allow[0] and deny[1] <= allow[1]
        assert kernels.overrides(*deny, *allow) is expected
        assert not (kernels.overrides(*deny, *allow) and kernels.overrides(*allow, *deny))
    for one, other in product(range(-2, 5), repeat=2):
        bounds = [each for each in (one, other) if each > 0]
        assert kernels.tighter(one, other) == min(bounds, default=0) == kernels.tighter(other, one)


def every_permit_settles_as_the_model() -> None:
    """All that can be wrong with a permit, and all small times."""
    for facts in product(TRUTHS, repeat=6):
        assert session_kernels.settlement(*facts) == session_model.answer(*facts)
    for issued, now, lifetime in product(range(-3, 4), range(-3, 8), range(-2, 5)):
        assert session_kernels.alive(issued, now, lifetime) is session_model.lasts(issued, now, lifetime)
        assert not (session_kernels.alive(issued, now, lifetime) and now < issued)


def every_argument_is_endorsed_as_the_model() -> None:
    """All that can speak for an argument, and all rules that can be on; and addresses."""
    rules = session_model.RULES
    for found, on, short in product(product(TRUTHS, repeat=5), product(TRUTHS, repeat=5), TRUTHS):
        expected = session_model.endorsed(
            {rule for rule, one in zip(rules, found, strict=True) if one},
            {rule for rule, one in zip(rules, on, strict=True) if one},
            short,
        )
        assert session_kernels.endorsement(short, *found, *on) == expected
    for rule_on, seen, endorsed in product(TRUTHS, repeat=3):
        assert session_kernels.novel(rule_on, seen, endorsed) is (rule_on and not (seen or endorsed))


def every_small_join_is_the_models() -> None:
    """All sets of 5 labels: the model's join; associative, commutative, idempotent; nothing lost but trust."""
    names = ("trusted", "untrusted", "src:mcp", "influenced", "pii")
    sets = [Labels.of(*chosen) for chosen in subsets(names)]
    for one in sets:
        assert one | one is one and one | Labels.of() is one
    for one, other in product(sets, repeat=2):
        joined = one | other
        assert set(joined.names()) == model.join(frozenset(one.names()), frozenset(other.names()))
        assert joined is other | one and joined | one is joined
        assert {*one.names(), *other.names()} - {*joined.names()} <= {"trusted"}
    few = [Labels.of(*chosen) for chosen in subsets(names[:3] + names[4:])]
    for one, other, third in product(few, repeat=3):
        assert (one | other) | third is one | (other | third)
    for v, s, w, t in product(TRUTHS, repeat=4):
        assert label_kernels.trust_survives(v, s, w, t) is ((v or w) and (v or not s) and (w or not t))


def every_change_of_labels_is_the_models() -> None:
    """All sets of 5 labels and all changes, with and without the privilege."""
    names = ("trusted", "untrusted", "src:mcp", "secret", "secret:aws")
    given: dict[bool, Privilege | None] = {False: None, True: grant(holder="a guard", source="a policy")}
    for chosen, asked, may in product(subsets(names), subsets(names, 2), TRUTHS):
        labels, held = Labels.of(*chosen), frozenset(chosen)
        said = add(labels, asked, privilege=given[may])
        conflict = isinstance(said, Conflicted)
        assert conflict == ("trusted" in asked and "untrusted" in {*chosen, *asked}), (chosen, asked, may)
        for kind, made in (
            ("add", said),
            ("bless", bless(labels, given[may])),
            ("remove", remove(labels, asked, given[may])),
            ("clear", clear(labels, given[may])),
        ):
            after = model.change(kind, frozenset(asked), held, may)
            got = set(made.labels.names()) if isinstance(made, Changed | Conflicted) else None
            assert got == after, (kind, chosen, asked, may)


def every_small_rule_decides_as_the_model() -> None:
    """All policies of up to 2 denies and 2 allows over 3 labels and 3 targets: ties, prefixes, stars."""
    pairs = tuple(product(("*", "pii", "pii:mail"), ("*", "op:cmd", "op:cmd:git")))
    chosen = [*combinations(pairs, 0), *combinations(pairs, 1), *combinations(pairs, 2)]
    values = [("pii",), ("pii:mail",)]
    for denies, allows in product(chosen, repeat=2):
        rules: dict[str, dict[str, list[str]]] = {}
        for key, several in (("deny", denies), ("allow", allows)):
            for label, target in several:
                rules.setdefault(label, {}).setdefault(key, []).append(target)
        policy = {"labels": rules}
        (layer,) = layers_of(policy)
        for value, leaf in product(values, ("op:cmd:git", "op:cmd:ls")):
            expected = model.decide(policy, Operation("call", (leaf,)), frozenset(value))
            assert layer(leaf, value) == expected, (policy, value, leaf)


def every_small_stance_decides_as_the_model() -> None:
    """All sets of 7 labels under all small ``sources``: the stance, the allow lists; more labels never help."""
    names = ("untrusted", "trusted", "src:mcp", "src:file", "dir:/srv", "dir:/srv/a", "pii")
    trusts = (None, "trusted", "untrusted")
    sets = [tuple(sorted(chosen)) for chosen in subsets(names)]
    for default, mcp, file, wide, deep in product(trusts[::2], trusts[::2], trusts, trusts, trusts):
        places = {"default": file, "/srv/**": wide, "/srv/a/**": deep}
        sources = {"src:mcp": mcp, "src:file": {key: one for key, one in places.items() if one} or None}
        policy: Tree = {
            "defaults": {
                "rules": ["no-untrusted-destructive"],
                **({"unlabeled": default} if default else {}),
            },
            "sources": {key: one for key, one in sources.items() if one},
            "labels": {"src": {"allow": ["op:show"]}, "pii": {"allow": ["op:show"]}},
        }
        (layer,) = layers_of(policy)
        for leaf in ("op:log", "destructive"):
            said = {names_: layer(leaf, names_) for names_ in sets}
            for names_, code in said.items():
                assert code == model.decide(policy, Operation("call", (leaf,)), frozenset(names_)), (
                    policy,
                    names_,
                )
                for more in names:
                    if code and more != "trusted" and more not in names_ and marked([policy], names_):
                        assert said[tuple(sorted({*names_, more}))], (policy, names_, more)


def every_order_of_layers_permits_the_same() -> None:
    """All orders of 4 layers, with repetitions: permitted exactly if each permits."""
    policies: list[Tree] = [
        {"labels": {"pii": {"deny": ["op:cmd:git"]}}},
        {"labels": {"pii": {"deny": ["op:cmd"], "allow": ["op:cmd:git:status"]}}},
        {"defaults": {"rules": ["no-secret-exfil"]}, "operations": {"op:cmd:git:push": "exfil"}},
        {"capabilities": {"allow": ["call", "show"]}},
    ]
    questions = list(
        product(("op:cmd:git:status", "op:cmd:git:push", "op:cmd:ls", "op:show"), (("pii",), ("secret",), ()))
    )
    alone = [[function(*question) == 0 for question in questions] for (function,) in map(layers_of, policies)]
    for size in range(1, 5):
        for order in permutations(range(4), size):
            together = layers_of(*(policies[one] for one in (*order, order[0])))
            for at, question in enumerate(questions):
                permitted = all(function(*question) == 0 for function in together)
                assert permitted == all(alone[one][at] for one in order)


CHECKS: dict[str, Callable[[], None]] = {
    **{
        name: check
        for name, check in list(globals().items())
        if name.startswith("every_") and callable(check)
    },
    **scopes.CHECKS,
}

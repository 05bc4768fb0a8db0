"""The functions that decide, over all their inputs where those are few."""

import ast
import importlib.util
import itertools
import sys
from pathlib import Path

from sluicegate.flow.policy import kernels as k

BOOLS = (False, True)
CLASSES = (k.UNCLASSIFIED, k.TRUSTED, k.UNTRUSTED)
ROOT = Path(__file__).resolve().parents[3]


def test_kernels_stay_within_the_subset_that_is_translated_to_coq(monkeypatch):
    spec = importlib.util.spec_from_file_location("translate", ROOT / "spec" / "translate.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "translate", module)
    spec.loader.exec_module(module)
    source = Path(k.__file__).read_text(encoding="utf-8")
    text = module.translate(source)
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            assert f"Definition {node.name} " in text


def test_a_stance_is_that_of_what_is_declared_else_of_the_worst_origin():
    assert k.stance(False, False, False, k.UNTRUSTED) == k.UNCLASSIFIED
    assert k.stance(False, False, True, k.UNTRUSTED) == k.UNTRUSTED_BY_DEFAULT
    assert k.stance(False, True, True, k.UNTRUSTED) == k.TRUSTED
    assert k.stance(True, False, False, k.TRUSTED) == k.UNTRUSTED
    assert k.stance(True, True, True, k.TRUSTED) == k.UNTRUSTED


def test_declaring_distrust_never_takes_a_restriction_away():
    for trusted, origin, worst in itertools.product(BOOLS, BOOLS, CLASSES):
        without, declared = k.stance(False, trusted, origin, worst), k.stance(True, trusted, origin, worst)
        assert k.is_untrusted(declared)
        if k.closes(without):
            assert k.closes(declared)


def test_a_worse_origin_never_makes_a_stance_better():
    for untrusted, trusted, origin in itertools.product(BOOLS, BOOLS, BOOLS):
        for one, other in itertools.product(CLASSES, CLASSES):
            worst = k.worse(one, other)
            for seen in (one, other):
                before, after = (
                    k.stance(untrusted, trusted, origin, seen),
                    k.stance(untrusted, trusted, origin, worst),
                )
                assert k.is_untrusted(after) >= k.is_untrusted(before)
                assert k.closes(after) >= k.closes(before)


def test_a_capability_is_refused_by_deny_then_danger_then_allow():
    for denied, dangerous, opted, present, matched in itertools.product(BOOLS, repeat=5):
        expected = 1 if denied else 2 if dangerous and not opted else 3 if present and not matched else 0
        assert k.capability(denied, dangerous, opted, present, matched) == expected


def test_built_in_rules_hold_only_where_they_are_on():
    facts = list(itertools.product(BOOLS, repeat=6))
    for secret, sensitive, untrusted, exfil, destructive, privileged in facts:
        violated = (
            secret and exfil,
            sensitive and untrusted and exfil,
            untrusted and destructive,
            untrusted and privileged,
        )
        for on in itertools.product(BOOLS, repeat=4):
            found = k.builtin(secret, sensitive, untrusted, exfil, destructive, privileged, *on)
            first = next((at for at in range(4) if on[at] and violated[at]), None)
            assert found == (0 if first is None else first + 1)


def test_an_allow_overrides_only_if_it_is_strictly_more_specific():
    for deny_label, deny_target, allow_label, allow_target in itertools.product(range(4), repeat=4):
        found = k.overrides(deny_label, deny_target, allow_label, allow_target)
        below = allow_label >= deny_label and allow_target >= deny_target
        assert found == (below and (allow_label, allow_target) != (deny_label, deny_target))


def test_the_first_step_that_refuses_is_the_answer():
    for capability, builtin, rule, unlisted in itertools.product(range(4), range(5), BOOLS, BOOLS):
        found = k.layer(capability, builtin, rule, unlisted)
        assert (found == k.PERMITTED) == (not capability and not builtin and not rule and not unlisted)
        if capability:
            assert found == k.BY_CAPABILITY
        elif builtin:
            assert found == k.BY_BUILTIN
        elif rule:
            assert found == k.BY_LABEL_RULE


def test_layers_compose_to_a_permission_only_if_both_permit():
    for one, other, third in itertools.product(range(5), repeat=3):
        assert (k.both(one, other) == k.PERMITTED) == (one == k.PERMITTED == other)
        assert k.both(k.both(one, other), third) == k.both(one, k.both(other, third))


def test_influence_takes_the_rule_a_model_and_something_untrusted():
    for rule, model, untrusted in itertools.product(BOOLS, repeat=3):
        assert k.influenced(rule, model, untrusted) == (rule and model and untrusted)


def test_of_two_limits_the_tighter_holds_and_none_is_no_limit():
    for one, other in itertools.product(range(-2, 4), repeat=2):
        real = [each for each in (one, other) if each > 0]
        assert k.tighter(one, other) == (min(real) if real else 0)

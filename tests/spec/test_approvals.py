"""What a person approved is permitted: exactly that, once, while it holds; as the model says, in any order of events."""

import random

import pytest

from model import session as model
from sluicegate.flow.denial import Code, Denial
from sluicegate.flow.session.approvals import SECOND, Approvals, is_approvable, rule_of
from sluicegate.flow.session.rules import rules_of
from sluicegate.flow.session.store import Store

QUESTIONS, RULES = (b"one", b"other"), ("labels", "danger")


def denial(rule: str, code: Code = Code.POLICY_LABEL_FLOW_DENIED) -> Denial:
    return Denial(code=code, operation="sh", blocked_by="Policy", rule=rule, reason="because")


@pytest.mark.parametrize("seed", range(60))
def test_any_order_of_events_is_the_models(seed):
    rng, now = random.Random(seed), 1_000_000
    store = Store(None, b"k" * 32)
    approvals, reference = Approvals(store), []
    ids: list[str] = []
    for _ in range(40):
        now += rng.choice((0, 1, 300, 599, 600, 10_000, 40_000))
        question, rule = rng.choice(QUESTIONS), rng.choice(RULES)
        action = rng.choice(("ask", "approve", "decide", "decide"))
        if action == "ask":
            number = model.asked(reference, question, rule, now)
            made = approvals.ask("s", question, denial(rule), "x", now * SECOND)
            assert number == len(ids) or ids[number] == made
            ids += [made] if number == len(ids) else []
        elif action == "approve" and ids:
            number = rng.randrange(len(ids))
            stands = rng.random() < 0.3
            given = approvals.give(ids[number], "mira", now * SECOND, stands=stands)
            assert given == model.approved(reference, number, now, stands)
        elif action == "decide":
            refusing = {each for each in RULES if rng.random() < 0.6}
            taken = approvals.take("s", question, now * SECOND)
            permitted = bool(refusing) and {rule_of(denial(each)) for each in refusing} <= {
                each.rule for each in taken
            }
            if not permitted:
                approvals.give_back(taken)
            assert permitted == model.overridden(reference, question, refusing, now)


def test_a_question_is_of_one_operation_directory_and_beginning_of_a_session():
    approvals = Approvals(Store(None, b"k" * 32))
    one = approvals.question(b"q", "s", "/work", 0)
    others = [
        approvals.question(b"r", "s", "/work", 0), approvals.question(b"q", "t", "/work", 0),
        approvals.question(b"q", "s", "/", 0), approvals.question(b"q", "s", "/work", 1),
    ]  # fmt: skip
    assert len({one, *others}) == 5


@pytest.mark.parametrize("code", list(Code))
def test_what_protects_the_gate_itself_is_not_to_be_approved(code):
    assert is_approvable(denial("r", code)) == (code in {
        Code.POLICY_CAPABILITY_DENIED, Code.POLICY_LABEL_FLOW_DENIED, Code.POLICY_ADDRESS_DENIED
    })  # fmt: skip


@pytest.mark.parametrize("first", [None, "person", "nobody"])
@pytest.mark.parametrize("second", [None, "person", "nobody"])
def test_only_the_first_layer_lets_a_person_approve_and_any_says_no(first, second):
    from sluicegate.flow.policy.layers import Layers
    from sluicegate.flow.policy.rules.places import Place
    from sluicegate.flow.policy.text.load import from_tree

    trees = [
        {"session": {"approvals": each}} if each else {"defaults": {"unlabeled": "trusted"}}
        for each in (first, second)
    ]
    layers = Layers([from_tree(each, name="x") for each in trees], place=Place(base="/w", home="/h"))
    assert rules_of(layers.layers).approvals == model.may_approve(first, (second,))

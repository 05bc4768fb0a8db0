"""An explanation says what decides, and nothing else."""

from hypothesis import given, settings

from sluicegate.flow.denial import Denial
from sluicegate.flow.labels import Labels
from sluicegate.flow.policy.layers import Layers
from sluicegate.flow.policy.questions.explain import explain
from sluicegate.flow.policy.questions.sketch import sketch
from sluicegate.flow.policy.text.load import load, standard

from .asking import PLACE, bare, layers
from .test_layer import _operations, _taints, _trees


def of(found: Layers, operation: str, *labels: str):
    (request,) = sketch(operation, place=PLACE)
    return explain(found, request, Labels.of(*labels))


@settings(max_examples=60, deadline=None)
@given(_trees, _taints, _operations)
def test_the_steps_say_what_the_decision_is(tree, taint, leaves):
    found, labels = layers(tree), Labels.of(*taint)
    told = explain(found, bare(*leaves), labels)
    assert told.decision == found.authorize(bare(*leaves), labels)
    (said,) = told.layers
    refused = [step.number for step in said.steps if step.refuses]
    assert bool(refused) is isinstance(told.decision, Denial)
    assert said.refused_by == (refused[0] if refused else 0)
    if refused:
        expected = {1: "capabilities", 4: "defaults.rules", 5: "labels", 6: "labels"}[refused[0]]
        assert told.decision.rule.startswith(expected)


def test_every_step_is_told_even_after_the_first_refusal():
    told = of(Layers([standard("production")], place=PLACE), "cmd:git push origin", "secret", "src:mcp")
    (said,) = told.layers
    assert [step.number for step in said.steps] == [1, 2, 3, 4, 5, 6]
    assert [step.number for step in said.steps if step.refuses] == [1, 4]
    texts = [remark.text for step in said.steps for remark in step.remarks]
    assert 'operations."op:cmd:git:push" = "exfil"' in texts
    assert "judged as [secret, src:mcp, untrusted]" in texts


def test_rules_are_told_with_file_and_line(tmp_path):
    (tmp_path / "p.yaml").write_text(
        "labels:\n  secret:\n    deny: [op:cmd]\n    allow:\n      - op:cmd:git\n"
    )
    told = of(Layers([load("p.yaml", base=tmp_path)], place=PLACE), "cmd:git status", "secret")
    remark = told.layers[0].steps[4].remarks[0]
    assert (
        remark.text
        == 'labels.secret.deny includes "op:cmd", but labels.secret.allow the narrower "op:cmd:git"'
    )
    assert remark.place == "p.yaml:3"
    assert not told.layers[0].refused_by


def test_capabilities_that_allow_and_dangers_that_are_opted_into_are_told():
    tree = {"capabilities": {"allow": ["cmd:rm:*"], "danger": ["cmd:rm"]}}
    texts = [remark.text for remark in of(layers(tree), "cmd:rm -rf x").layers[0].steps[0].remarks]
    assert any("opted into" in text for text in texts)
    assert 'capabilities.allow includes "cmd:rm:*"' in texts


def test_data_and_declared_risks_are_told():
    tree = {"data": {"path:hr/**": "pii"}, "labels": {"pii": {"deny": ["op:log"]}}}
    told = of(layers(tree), "log", "src:file", "dir:/project", "dir:/project/hr")
    assert any("adds pii" in remark.text for remark in told.layers[0].steps[2].remarks)
    (request,) = sketch("call:x", place=PLACE, declared=("exfil",))
    risks = explain(layers({"limits": {"timeout": 1}}), request, Labels.of()).layers[0].steps[1]
    assert risks.remarks[0].text == "declared as exfil"


def test_no_layers_is_an_explanation_too():
    assert of(layers(), "show").layers == ()


def test_text_for_a_shell_is_explained_part_by_part():
    found = layers({"capabilities": {"deny": ["cmd:touch"]}})
    told = [explain(found, each, Labels.of()) for each in sketch("sh:ls > x; touch y", place=PLACE)]
    assert [(each.operation_labels, isinstance(each.decision, Denial)) for each in told] == [
        (("op:sh",), False), (("op:cmd:ls",), False), (("op:cmd:touch",), True),
    ]  # fmt: skip


def test_a_cd_is_explained_as_when_it_runs():
    found = layers({"capabilities": {"deny": ["fs:w:src/x"]}})
    asked = sketch("sh:cd src && touch x", place=PLACE)
    said = [isinstance(explain(found, each, Labels.of()).decision, Denial) for each in asked]
    assert (said, asked[0].unread) == ([False, True], "")


def test_text_that_is_not_read_is_explained_with_every_rule_on_commands():
    tree = {"labels": {"pii": {"deny": ["op:cmd:curl"]}}, "operations": {"op:cmd:git:push": "exfil"}}
    told = of(layers(tree), "sh:eval $x", "pii")
    (said,) = told.layers
    assert [step.number for step in said.steps if step.refuses] == [5]
    assert {"op:cmd:curl", "op:cmd:git:push", "exfil"} <= set(said.operation_labels)
    capable = of(layers(tree | {"capabilities": {"deny": ["cmd:dd"]}}), "sh:eval $x")
    assert [step.number for step in capable.layers[0].steps if step.refuses] == [1]
    assert "eval" in str(capable.layers[0].steps[0].remarks)

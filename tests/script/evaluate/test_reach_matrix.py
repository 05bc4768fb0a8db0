"""Every way to reach a function, with every kind of body, under every kind of rule: nothing that was forbidden gets out.

The ways and the bodies come from the grammar: one for each form that calls something, one for each form a body may have.
"""

import pytest
from reach_forms import BODIES, POLICIES, WAYS, script
from script_runs import run

from sluicegate.script.evaluate import dispatch
from sluicegate.script.parse.program import parse
from sluicegate.script.source import SourceText
from sluicegate.script.tree import expressions as x
from sluicegate.script.tree.node import nodes_in


@pytest.mark.parametrize("body", BODIES)
def test_no_way_to_reach_a_function_leaks(body):
    """18 bodies x 14 ways x 4 policies, all of them."""
    for policy, rules in POLICIES.items():
        for way in WAYS:
            ran = run(script(body, way, policy), policy=rules)
            handled = (
                body == "denied" and way == "argument of itself"
            )  # it is given what its arm for denials gave
            assert "sk-1" not in ran.out, (policy, way)
            assert handled or "SENT" not in ran.out, (policy, way)
            assert body == "denied" or ran.code or ran.told, (policy, way)


@pytest.mark.parametrize("body", [each for each in BODIES if each not in ("py", "node")])
def test_what_is_not_forbidden_does_get_out(body):
    """The same scripts do send where nothing forbids it: the matrix is not silent for another reason."""
    ran = run(script(body, "call", "flow"))
    assert "SENT" in ran.out, (ran.code, ran.told)


def test_every_form_that_calls_is_a_way():
    """A form of the language that calls functions and is no way here would be a hole in the matrix."""
    written = "\n".join(script("template", way, "flow") for way in WAYS)
    found = {type(each) for each in nodes_in(parse(SourceText(written)).tree)}
    assert {
        x.PipeExpr,
        x.ForeachExpr,
        x.ForExpr,
        x.NewExpr,
        x.CallStep,
        x.BlockExpr,
        x.TemplateExpr,
        x.WhenExpr,
    } <= found
    bodies = {
        type(parse(SourceText(f"exe @f(d) = {body}")).tree.statements[0].body) for body in BODIES.values()
    }
    assert len(BODIES) >= 15
    assert bodies <= set(dispatch.VALUES)

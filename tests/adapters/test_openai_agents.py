"""The guarded agent in the real SDK, with its own scripted model."""

import asyncio

import pytest

pytest.importorskip("agents.run")

from adapter_samples import MAIL, PROMPT, STEPS, check
from agents.testing import ScriptedModel, assistant_message, function_call

from agents import Agent, RunConfig, WebSearchTool, function_tool
from sluicegate.reach.adapters.openai_agents import guarded, run
from sluicegate.reach.errors import UsageError

pytestmark = pytest.mark.filterwarnings("ignore")


def scripted(steps):
    """A model that calls one tool after the other."""
    script = [[function_call(name, given, call_id=f"c{at}")] for at, (name, given) in enumerate(steps)]
    return ScriptedModel([*script, [assistant_message("done")]])


def ran(bank, calls, steps=STEPS, **more):
    """What the model was told of each of its calls."""
    model = scripted(steps)
    tools = [function_tool(bank.read_mail), function_tool(bank.pay), function_tool(bank.fail)]
    agent = guarded(Agent(name="clerk", model=model, tools=tools, **more), calls)
    found = asyncio.run(run(agent, PROMPT, calls, run_config=RunConfig(tracing_disabled=True)))
    return [str(each.output) for each in found.new_items if each.type == "tool_call_output_item"]


def test_a_model_that_was_taken_over_pays_nobody_but_whom_the_user_named(bank, calls):
    check(bank, ran(bank, calls))
    assert "src:mcp:bank:read_mail" in calls.session.labels.names()


def test_what_a_tool_says_as_it_fails_is_taken_in(bank, calls):
    (told,) = ran(bank, calls, [("fail", {})])
    assert "error" in told and calls.session.seen_in(told)  # the SDK tells the model no more


def test_errors_of_ours_close(bank, calls, monkeypatch):
    monkeypatch.setattr(type(calls.monitor), "decide", lambda *_, **__: 1 / 0)
    (told,) = ran(bank, calls, [("read_mail", {})])
    assert "could not be decided" in told and MAIL not in told
    assert "no JSON object" in ran(bank, calls, [("read_mail", "[1]")])[0]


def test_tools_that_run_elsewhere_are_refused_and_agents_that_are_handed_over_to_are_guarded(bank, calls):
    with pytest.raises(UsageError, match="WebSearchTool"):
        guarded(Agent(name="clerk", tools=[WebSearchTool()]), calls)
    with pytest.raises(UsageError, match="WebSearchTool"):
        guarded(Agent(name="clerk", handoffs=[Agent(name="other", tools=[WebSearchTool()])]), calls)
    other = Agent(name="other", tools=[function_tool(bank.pay)])
    (made,) = guarded(Agent(name="clerk", handoffs=[other]), calls).handoffs
    assert made.tools[0].on_invoke_tool is not other.tools[0].on_invoke_tool

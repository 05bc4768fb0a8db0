"""The capability in a real agent of PydanticAI, with a model that says what it is told."""

import pytest

pytest.importorskip("pydantic_ai")

from adapter_samples import MAIL, PROMPT, STEPS, check
from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel

from sluicegate.reach.adapters.pydantic_ai import SluicegateCapability

pytestmark = pytest.mark.filterwarnings("ignore")


def scripted(steps):
    """A model that calls one tool after the other."""

    def model(messages, info):
        done = sum(isinstance(part, ToolReturnPart) for message in messages for part in message.parts)
        if done < len(steps):
            return ModelResponse(parts=[ToolCallPart(steps[done][0], steps[done][1])])
        return ModelResponse(parts=[TextPart("done")])

    return FunctionModel(model)


def ran(bank, calls, steps=STEPS):
    """What the model was told of each of its calls."""
    agent = Agent(
        scripted(steps),
        tools=[bank.read_mail, bank.pay, bank.fail],
        capabilities=[SluicegateCapability(calls)],
    )
    messages = agent.run_sync(PROMPT).all_messages()
    return [part for message in messages for part in message.parts if isinstance(part, ToolReturnPart)]


def test_a_model_that_was_taken_over_pays_nobody_but_whom_the_user_named(bank, calls):
    told = ran(bank, calls)
    check(bank, [str(each.content) for each in told])
    assert [each.outcome for each in told] == ["success", "failed", "success", "failed"]
    assert "src:mcp:bank:read_mail" in calls.session.labels.names()


def test_what_a_tool_says_as_it_fails_is_taken_in(bank, calls):
    with pytest.raises(ValueError, match="says no"):
        ran(bank, calls, [("fail", {})])
    assert calls.session.seen_in("the server says no")


def test_errors_of_ours_close(bank, calls, monkeypatch):
    monkeypatch.setattr(type(calls.monitor), "decide", lambda *_, **__: 1 / 0)
    (told,) = ran(bank, calls, [("read_mail", {})])
    assert "could not be decided" in told.content and MAIL not in told.content

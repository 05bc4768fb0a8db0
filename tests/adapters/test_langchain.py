"""The middleware in a real agent of LangChain, with a model that says what it is told."""

import asyncio

import pytest

pytest.importorskip("langchain.agents")

from adapter_samples import MAIL, PROMPT, STEPS, check
from langchain.agents import create_agent
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool

from sluicegate.reach.adapters.langchain import SluicegateMiddleware

pytestmark = pytest.mark.filterwarnings("ignore")


class Scripted(BaseChatModel):
    """Calls one tool after the other."""

    steps: list

    @property
    def _llm_type(self):
        return "scripted"

    def bind_tools(self, tools, **_):
        return self

    def _generate(self, messages, stop=None, run_manager=None, **_):
        done = sum(isinstance(each, ToolMessage) for each in messages)
        calls = [{"name": n, "args": a, "id": f"c{done}"} for n, a in self.steps[done : done + 1]]
        return ChatResult(generations=[ChatGeneration(message=AIMessage(content="", tool_calls=calls))])


def agent_of(bank, calls, steps=STEPS):
    tools = [tool(bank.read_mail), tool(bank.pay), tool(bank.fail)]
    return create_agent(Scripted(steps=steps), tools, middleware=[SluicegateMiddleware(calls)])


@pytest.mark.parametrize("waits", [False, True])
def test_a_model_that_was_taken_over_pays_nobody_but_whom_the_user_named(bank, calls, waits):
    agent, asked = agent_of(bank, calls), {"messages": [("user", PROMPT)]}
    found = asyncio.run(agent.ainvoke(asked)) if waits else agent.invoke(asked)
    told = [each for each in found["messages"] if isinstance(each, ToolMessage)]
    check(bank, [str(each.content) for each in told])
    assert [each.status for each in told] == ["success", "error", "success", "error"]
    assert "src:mcp:bank:read_mail" in calls.session.labels.names()


def test_what_a_tool_says_as_it_fails_is_taken_in(bank, calls):
    with pytest.raises(ValueError, match="says no"):
        agent_of(bank, calls, [("fail", {})]).invoke({"messages": [("user", "go")]})
    assert calls.session.seen_in("the server says no")


def test_errors_of_ours_close(bank, calls, monkeypatch):
    monkeypatch.setattr(type(calls.monitor), "decide", lambda *_, **__: 1 / 0)
    found = agent_of(bank, calls, [("read_mail", {})]).invoke({"messages": [("user", "go")]})
    assert "could not be decided" in found["messages"][2].content and MAIL not in str(found)

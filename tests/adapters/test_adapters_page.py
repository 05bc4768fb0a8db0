"""The examples of docs/adapters.md run as they are printed, each with a model that does what a mail says."""

import re
from pathlib import Path

import pytest
from adapter_samples import STEPS, Bank

PAGE = (Path(__file__).parents[2] / "docs/adapters.md").read_text(encoding="utf-8")
FILES = re.findall(r"```toml\n# (\S+)\n(.*?)```", PAGE, re.DOTALL)
EXAMPLES = re.findall(
    r"^## ([^\n]+)\n(?:(?!^## ).)*?```python\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE
)

pytestmark = pytest.mark.filterwarnings("ignore")


def given(heading, project, request):
    """What an example takes as given."""
    if heading.startswith("LangChain"):
        pytest.importorskip("langchain.agents")
        from test_langchain import Scripted

        return {"model": Scripted(steps=STEPS)}
    if heading == "PydanticAI":
        pytest.importorskip("pydantic_ai")
        from test_pydantic_ai import scripted

        return {"model": scripted(STEPS)}
    if heading.startswith("OpenAI"):
        pytest.importorskip("agents.run")
        from test_openai_agents import scripted

        from agents import set_tracing_disabled

        set_tracing_disabled(True)
        return {"model": scripted(STEPS)}
    if heading.startswith("Claude"):
        pytest.importorskip("claude_agent_sdk")
        from test_claude_agent_sdk import options_of, served

        model = request.getfixturevalue("stack").enter_context(served())
        model.steps = [(f"mcp__bank__{name}", each) for name, each in STEPS]
        return {"options": options_of(model, Bank(), project)}
    return {}


@pytest.mark.parametrize(("heading", "code", "printed"), EXAMPLES, ids=[each[0] for each in EXAMPLES])
def test_an_example_runs_as_it_is_printed(heading, code, printed, project, request, capsys):
    for name, text in FILES:
        (project / name).write_text(text)
    names = {"__name__": "example", **given(heading, project, request)}
    exec(compile(code, heading, "exec"), names)
    assert capsys.readouterr().out == printed


def test_there_is_an_example_for_each():
    assert len(EXAMPLES) == 5 and len(FILES) == 2

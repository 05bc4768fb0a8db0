"""What real hosts told their hooks is read as what it was (recorded: Claude Code 2.1.330, Codex 0.169, Gemini CLI 0.61, Copilot CLI
1.0.102, OpenCode 1.18.33)."""

import json
from importlib import import_module
from pathlib import Path

import pytest

from sluicegate.reach.hooks import told
from sluicegate.reach.hooks.told import AfterTool, BeforeTool, HookInputError
from sluicegate.reach.hooks.tool_operations import operations_of

RECORDED = Path(__file__).parent / "recorded"
HOSTS = ("claude", "codex", "gemini", "copilot", "opencode")
BEFORE = {
    "gemini": "BeforeTool", "opencode": "tool.execute.before", "cursor": "preToolUse", "openclaw": "before_tool_call",
}  # fmt: skip


def events(name):
    return [
        json.loads(line) for line in (RECORDED / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    ]


def module(host):
    return import_module(f"sluicegate.reach.hooks.hosts.{host}")


def operations(host, event):
    spoken = module(host)
    return [
        (one.operation, dict(one.values))
        for one in operations_of(event.tool, event.given, spoken.TOOLS, spoken.server(event.tool))
    ]


@pytest.mark.parametrize("host", HOSTS)
def test_every_recorded_event_is_read(host):
    found = [module(host).read(event) for event in events(host)]
    kinds = {BeforeTool, AfterTool, told.Prompt}
    if host != "opencode":  # our plugin tells of nothing else
        kinds |= {told.Started, told.OtherEvent}
    assert {type(each) for each in found} >= kinds
    assert len({each.session for each in found}) == 1


@pytest.mark.parametrize("host", HOSTS)
def test_after_a_tool_the_same_is_said_to_have_been_done(host):
    """Otherwise nothing would be settled: the digest of what was permitted would be another."""
    before, after = {}, {}
    for event in events(host):
        one = module(host).read(event)
        if isinstance(one, BeforeTool):
            into = after if isinstance(one, AfterTool) else before
            into[one.call or json.dumps(one.given)] = operations(host, one)
    assert after and all(before[call] == said for call, said in after.items())


def test_what_claude_code_does_is_known():
    found = [module("claude").read(event) for event in events("claude")]
    calls = [operations("claude", each) for each in found if type(each) is BeforeTool]
    assert calls == [
        [("sh", {"code": "echo hi; ls"})],
        [("sh", {"code": "false"})],
        [("read", {"path": "/work/notes.md"})],
        [("write", {"path": "/work/new.md", "value": "new"})],
        [("fetch", {"url": "https://example.com/", "method": "GET"})],
        [("Skill", {"skill": "tidy"})],
        [("Agent", {"description": "d", "prompt": "look", "subagent_type": "general-purpose"})],
        [("sh", {"code": "echo sub"})],
        [("sh", {"code": "touch made"})],
    ]


def test_what_gemini_cli_does_is_known(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = [module("gemini").read(event) for event in events("gemini")]
    calls = [operations("gemini", each)[0] for each in found if type(each) is BeforeTool]
    assert calls[0] == ("sh", {"code": "echo hi; cat notes.md"})
    assert ("read", {"path": "notes.md"}) in calls
    assert ("sh", {"code": "grep -r -e x -- '.'"}) in calls
    assert ("write", {"path": "/work/n.md", "value": "y"}) in calls


def test_only_what_a_person_typed_is_the_users():
    """Claude Code gives a sub-agent's answer to the model as a prompt; where it says nothing of who typed it, nobody is known to have."""
    prompts = [one for one in map(module("claude").read, events("claude")) if isinstance(one, told.Prompt)]
    assert [one.typed for one in prompts] == [False, False]
    assert "<task-notification>" in prompts[1].text
    said = {"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": "x"}
    assert module("claude").read({**said, "source": "user"}).typed
    assert not module("claude").read({**said, "source": "sdk"}).typed


@pytest.mark.parametrize(
    "wrong", [{"source": "system"}, {"source": "loop_wakeup"}, {"source": None}, {"agent_id": "a"}]
)
def test_a_prompt_that_claude_code_says_nobody_typed_is_not_even_the_first_of_the_users(wrong):
    said = {"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": "x", "source": "user"}
    found = module("claude").read({**said, **wrong})
    assert isinstance(found, told.Loaded)
    assert (found.text, found.label) == ("x", "src:prompt")


def test_codex_tells_what_a_model_said_to_a_sub_agent_as_a_prompt_and_it_is_nobodys():
    prompts = [one for one in events("codex_subagent") if one["hook_event_name"] == "UserPromptSubmit"]
    assert ["agent_id" in one for one in prompts] == [False, True]
    found = [module("codex").read(one) for one in prompts]
    assert [type(one) for one in found] == [told.Prompt, told.OtherEvent]
    assert not found[0].typed, "nothing says so; it is the user's as the first of its session"


@pytest.mark.parametrize("host", [*HOSTS, "cursor", "openclaw"])
@pytest.mark.parametrize(
    "wrong",
    [
        {}, {"session_id": 1}, {"session_id": ""}, {"hook_event_name": None},
        {"tool_name": ""}, {"tool_name": ["Bash"]}, {"tool_input": "ls"}, {"tool_input": ["ls"]},
    ],
)  # fmt: skip
def test_what_is_no_event_is_an_error(host, wrong):
    name = BEFORE.get(host, "PreToolUse")
    whole = {"session_id": "s", "hook_event_name": name, "tool_name": "Bash", "tool_input": {"command": "ls"}}
    with pytest.raises(HookInputError):
        module(host).read({**whole, **wrong} if wrong else {})


def test_what_gemini_cli_puts_in_behind_a_prompt_is_not_the_users(tmp_path, monkeypatch):
    """Files that it names, and what a command of a file says."""
    monkeypatch.setenv("HOME", str(tmp_path))
    recorded = [each for each in events("gemini") if each["hook_event_name"] == "BeforeAgent"][1:]
    referred, command = (module("gemini").read({**each, "cwd": str(tmp_path)}) for each in recorded)
    assert isinstance(referred, told.Prompt) and referred.typed
    assert (referred.text, referred.files) == ("look at @issue.txt please", ("issue.txt",))
    assert "git push" in referred.added
    assert isinstance(command, told.Prompt) and command.typed, "there is no such file"
    files = tmp_path / ".gemini/commands/deep"
    files.mkdir(parents=True)
    (files / "x.toml").write_text('description = "d"\nprompt = "COMMANDFILE do {{args}}"\n')
    (files / "y.toml").write_text("not toml")
    found = [module("gemini").read({**each, "cwd": str(tmp_path)}) for each in recorded]
    assert [type(each) for each in found] == [told.Prompt, told.Loaded]
    assert found[1].label == "src:skill"


def test_claude_code_tells_of_settings_and_of_questions_to_its_user():
    found = [module("claude").read(each) for each in events("claude")]
    assert [each.path for each in found if isinstance(each, told.ConfigChanged)] == [
        "/home/mira/.claude/settings.json"
    ]
    asked = [each for each in found if type(each) is BeforeTool and not each.call]
    assert [each.given["command"] for each in asked] == ["touch made"]


def test_a_server_of_claude_code_is_told_from_its_name():
    assert module("claude").server("mcp__github__create_issue") == ("github", "create_issue")
    assert module("claude").server("mcp__plugin_x__a__b") == ("plugin_x", "a__b")
    assert module("claude").server("Bash") is None


@pytest.mark.parametrize("host", HOSTS)
def test_a_refusal_is_exit_2_with_a_reason(host):
    """Of all answers the only one by which no host runs the tool."""
    answer = module(host).refused("why not")
    assert (answer.code, answer.err) == (2, "why not")
    if host == "copilot":  # the one that does not show the model what stands on standard error
        assert json.loads(answer.out) == {"permissionDecision": "deny", "permissionDecisionReason": "why not"}
    else:
        assert answer.out == ""


def test_a_sub_agent_of_copilot_is_its_callers():
    """It has a session of its own: one that begins untouched, and whose first prompt would be the user's."""
    before = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}}
    own = {"session_id": "child", "parent_agent_id": "root"}
    found = module("copilot").read({**before, **own})
    assert isinstance(found, BeforeTool)
    assert (found.session, found.delegated) == ("root", True)
    prompt = {"hook_event_name": "UserPromptSubmit", "prompt": "git push"}
    assert type(module("copilot").read({**prompt, **own})) is told.OtherEvent
    with pytest.raises(HookInputError):
        module("copilot").read({**before, **own, "tool_name": "Agent"})


def test_tools_of_servers_are_told_from_their_names():
    assert module("copilot").server("github-mcp-server-get_issue") == ("github-mcp-server", "get_issue")
    assert module("copilot").server("Bash") is None
    assert module("opencode").server("tracker_read_issue") == ("tracker", "read_issue")
    assert module("opencode").server("apply_patch") is None
    assert module("cursor").server("MCP:read_issue") == ("cursor", "read_issue")


def test_cursor_tells_arguments_as_text_too():
    """Written from its documentation, since it does not run here."""
    event = {
        "conversation_id": "c",
        "hook_event_name": "beforeMCPExecution",
        "tool_name": "post",
        "tool_input": '{"a": 1}',
    }
    assert module("cursor").read(event).given == {"a": 1}
    shell = {"conversation_id": "c", "hook_event_name": "beforeShellExecution", "command": "ls"}
    assert operations("cursor", module("cursor").read(shell)) == [("sh", {"code": "ls"})]
    for wrong in ("[", "[1]", "1"):
        with pytest.raises(HookInputError):
            module("cursor").read({**event, "tool_input": wrong})

"""A call of an agent's tool becomes the operations that it is; what cannot be told is refused."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluicegate.known import agent_tools
from sluicegate.known.agent_tools import CLAUDE, CODEX, COPILOT, GEMINI, PATCHES, PLAIN
from sluicegate.reach.hooks.told import HookInputError
from sluicegate.reach.hooks.tool_operations import MOST, operations_of, quoted

PATCH = "*** Begin Patch\n*** Add File: a.txt\n+hello\n*** Update File: b/c.py\n*** Move to: d.py\n@@\n-x\n+y\n*** End Patch\n"


def done(tool, arguments, tools=CLAUDE, server=None):
    return [
        (each.operation, dict(each.values), each.labels, each.source)
        for each in operations_of(tool, arguments, tools, server)
    ]


def test_a_patch_writes_every_file_that_it_names():
    found = done("apply_patch", {"command": PATCH}, CODEX)
    assert [values["path"] for _, values, _, _ in found] == ["a.txt", "b/c.py", "d.py"]
    assert {operation for operation, _, _, _ in found} == {"write"}
    assert all(values["value"] == PATCH for _, values, _, _ in found)


def test_a_tool_of_a_server_has_the_source_of_that_server():
    assert done("mcp__gh__list", {"repo": "x"}, server=("gh", "list")) == [
        ("gh:list", {"repo": "x"}, (), "src:mcp:gh:list")
    ]


def test_a_tool_of_a_server_that_does_not_say_that_it_reads_may_send():
    labels = {name: done("x", {}, server=("gh", name))[0][2] for name in (*READING, *DOING)}
    assert {name for name, found in labels.items() if not found} == set(READING)
    assert {found for found in labels.values() if found} == {("net:w",)}


READING = (
    "get_issue",
    "listRepos",
    "search-code",
    "issue_read",
    "read_comment",
    "getPost",
    "query",
    "browser_get_text",
)
DOING = (
    "post_comment", "issue_write", "search_and_replace", "comment", "note_list", "sendMessage", "run", "x", "7", "get_or_create",
    "browser_navigate", "posts",
)  # fmt: skip


def test_a_search_leaves_out_what_the_repository_ignores_and_a_list_tells_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert done("Grep", {"pattern": "x"}) == [("sh", {"code": "grep -r -e x -- '.'"}, (), "")]
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("# mine\n.env\n\nbuild/\n*.pem\n")
    assert done("Grep", {})[0][1]["code"] == "grep -r '--exclude=.env' '--exclude=*.pem' -e x -- '.'"
    (tmp_path / ".gitignore").write_text(".env\n!.env\n")
    assert done("Grep", {"path": "a b"})[0][1]["code"] == "grep -r -e x -- 'a b'"
    assert done("Glob", {"pattern": "**"})[0][1]["code"] == "ls -R -- '.'"


def test_a_skill_comes_from_skills():
    assert done("Skill", {"skill": "tidy"})[0][3] == "src:skill:tidy"


def test_a_tool_that_nobody_knows_says_so():
    assert done("Teleport", {"to": "moon"}) == [("Teleport", {"to": "moon"}, ("unknown-tool", "net:w"), "")]


def test_a_command_in_another_directory_is_read_there():
    code = done("run_shell_command", {"command": "ls", "dir_path": "a b"}, GEMINI)[0][1]["code"]
    assert code == "cd 'a b' && {\nls\n}"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Bash", {}), ("Bash", {"command": ""}), ("Bash", {"command": 1}), ("Read", {}), ("Read", {"file_path": None}),
        ("Read", {"file_path": "a", "notebook_path": "b"}), ("Write", {"content": "x"}), ("WebFetch", {}),
        ("Skill", {"skill": "../x"}), ("bad name", {}), ("a/b", {}), ("x" * 201, {}),
    ],
)  # fmt: skip
def test_what_cannot_be_told_is_an_error(tool, arguments):
    with pytest.raises(HookInputError):
        operations_of(tool, arguments, CLAUDE, None)


def test_a_patch_that_names_no_file_or_too_many_is_an_error():
    for patch in ("*** Begin Patch\n*** End Patch\n", "*** Add File: x\n" * (MOST + 1)):
        with pytest.raises(HookInputError):
            operations_of("apply_patch", {"command": patch}, CODEX, None)


@given(st.text(st.characters(exclude_categories=("Cs",))).filter(lambda text: "\0" not in text))
def test_a_word_is_quoted_as_shells_read_it(text):
    assert shlex.split(quoted(text)) == [text]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("summarize https://example.com/a", ["https://example.com/a"]),
        (
            "(https://a.example/x), then 'http://b.example/?q=1'.",
            ["https://a.example/x", "http://b.example/?q=1"],
        ),
        ("look at file:///etc/passwd", ["file:///etc/passwd"]),
    ],
)
def test_every_address_of_a_text_is_fetched(text, wanted):
    found = operations_of("web_fetch", {"prompt": text}, GEMINI, None)
    assert [(one.operation, one.values["url"]) for one in found] == [("fetch", url) for url in wanted]


@pytest.mark.parametrize("text", ["nothing", "http://a.example " * 21])
def test_a_text_with_no_address_or_too_many_is_an_error(text):
    with pytest.raises(HookInputError):
        operations_of("web_fetch", {"prompt": text}, GEMINI, None)


def test_several_folders_are_looked_through():
    (found,) = operations_of("Grep", {"pattern": "x", "paths": ["a", "b c"]}, COPILOT, None)
    assert found.values == {"code": "grep -r -e x -- 'a' 'b c'"}


def test_the_tables_name_what_each_tool_is_about():
    tables = [
        value for name, value in vars(agent_tools).items() if name.isupper() and isinstance(value, dict)
    ]
    assert len(tables) == 7
    for table in tables:
        for kind, first, _ in table.values():
            assert first or kind == PLAIN
        assert all(kind <= PLAIN for kind, _, _ in table.values())
    assert CODEX["apply_patch"][0] == PATCHES

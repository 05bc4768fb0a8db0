"""The tools that coding agents bring along, by the names that their hooks tell, and what each does with which argument.

Sources: the tool references of the vendors, and what the programs themselves sent to a hook (Claude Code 2.1.330, Codex
0.169, Gemini CLI 0.61, Copilot CLI 1.0.102, OpenCode 1.18.33), November 2026. Data alone; a tool that is not named here is not known.
"""

from __future__ import annotations

TYPE_CHECKING = False  # a hook starts before each call of a tool, and ``typing`` is a tenth of its start
if TYPE_CHECKING:
    from collections.abc import Mapping

SHELL, READS, SEARCHES, LISTS, WRITES, PATCHES, FETCHES, FETCHES_NAMED, LOADS, ASKS, PLAIN = range(11)
"""What a tool does: runs shell text; reads a file; looks through the files of a folder, or lists their names; writes a file; writes
the files that a patch names; fetches an address, or those that a text names; loads a skill; asks a search engine; or nothing outside
of the agent."""

Tool = tuple[int, tuple[str, ...], tuple[str, ...]]
"""What it does, the names that the argument for the text, path or address goes by, and those of the text that is written."""


def _tools(kind: int, names: str, first: str = "", second: str = "") -> dict[str, Tool]:
    return {name: (kind, tuple(first.split()), tuple(second.split())) for name in names.split()}


CLAUDE: Mapping[str, Tool] = {
    **_tools(SHELL, "Bash Monitor", "command"),
    **_tools(READS, "Read NotebookRead", "file_path notebook_path"),
    **_tools(SEARCHES, "Grep", "path"),
    **_tools(LISTS, "Glob LS", "path"),
    **_tools(
        WRITES,
        "Write Edit MultiEdit NotebookEdit",
        "file_path notebook_path",
        "content new_string new_source edits",
    ),
    **_tools(FETCHES, "WebFetch", "url"),
    **_tools(LOADS, "Skill", "skill command"),
    **_tools(ASKS, "WebSearch ListMcpResourcesTool ReadMcpResourceTool", "query"),
    **_tools(
        PLAIN,
        "AskUserQuestion BashOutput EnterPlanMode ExitPlanMode KillBash KillShell TaskOutput TaskStop TodoRead TodoWrite"
        " TaskCreate TaskGet TaskList TaskUpdate ToolSearch Agent Task ListAgents ReportFindings CronList ScheduleWakeup",
    ),
}

CODEX: Mapping[str, Tool] = {
    **_tools(SHELL, "Bash shell exec_command shell_command", "command cmd"),
    **_tools(PATCHES, "apply_patch", "command input patch"),
    **_tools(READS, "view_image", "path"),
    **_tools(
        ASKS, "list_mcp_resources list_mcp_resource_templates read_mcp_resource web_search", "server query"
    ),
    **_tools(
        PLAIN,
        "update_plan request_user_input spawn_agent wait wait_agent resume_agent close_agent send_input get_goal create_goal"
        " update_goal",
    ),
}

GEMINI: Mapping[str, Tool] = {
    **_tools(SHELL, "run_shell_command", "command"),
    **_tools(READS, "read_file", "file_path absolute_path"),
    **_tools(SEARCHES, "grep_search search_file_content", "dir_path path"),
    **_tools(LISTS, "glob list_directory", "dir_path path"),
    **_tools(WRITES, "write_file replace", "file_path", "content new_string"),
    **_tools(LOADS, "activate_skill", "name"),
    **_tools(ASKS, "google_web_search", "query"),
    **_tools(FETCHES_NAMED, "web_fetch", "prompt"),
    **_tools(
        PLAIN,
        "write_todos ask_user enter_plan_mode exit_plan_mode complete_task update_topic invoke_agent list_background_processes"
        " read_background_output",
    ),
}

COPILOT: Mapping[
    str, Tool
] = {  # to hooks of this form it tells the names that Claude Code has for some tools, with its own arguments
    **_tools(SHELL, "Bash bash", "command"),
    **_tools(READS, "Read view", "path"),
    **_tools(SEARCHES, "Grep grep rg", "path paths"),
    **_tools(LISTS, "Glob glob", "path paths"),
    **_tools(WRITES, "Write Edit create edit str_replace", "path", "file_text new_str content"),
    **_tools(PATCHES, "apply_patch", "patch input"),
    **_tools(FETCHES, "WebFetch web_fetch", "url"),
    **_tools(LOADS, "skill", "skill name"),
    **_tools(ASKS, "WebSearch web_search session_store_sql", "query"),
    **_tools(
        PLAIN,
        "ask_user read_bash stop_bash list_bash report_intent Agent task read_agent list_agents write_agent update_todo sql"
        " fetch_copilot_cli_documentation",
    ),
}

CURSOR: Mapping[str, Tool] = {
    **_tools(SHELL, "Shell", "command"),
    **_tools(READS, "Read", "file_path path target_file"),
    **_tools(SEARCHES, "Grep", "path target_directory"),
    **_tools(LISTS, "Glob LS", "path target_directory"),
    **_tools(WRITES, "Write Edit StrReplace", "file_path path target_file", "content contents new_string"),
    **_tools(PLAIN, "Task TodoWrite AskQuestion"),
}

OPENCODE: Mapping[str, Tool] = {
    **_tools(SHELL, "bash", "command"),
    **_tools(READS, "read", "filePath"),
    **_tools(SEARCHES, "grep", "path"),
    **_tools(LISTS, "glob list", "path"),
    **_tools(WRITES, "write edit", "filePath", "content newString"),
    **_tools(PATCHES, "patch apply_patch", "patchText"),
    **_tools(FETCHES, "webfetch", "url"),
    **_tools(LOADS, "skill", "name"),
    **_tools(ASKS, "websearch", "query"),
    **_tools(PLAIN, "task todoread todowrite question invalid plan_enter plan_exit"),
}

OPENCLAW: Mapping[str, Tool] = {
    **_tools(SHELL, "exec", "command"),
    **_tools(READS, "read", "path file_path"),
    **_tools(WRITES, "write edit", "path file_path", "content newText new_string"),
    **_tools(PATCHES, "apply_patch", "input"),
    **_tools(FETCHES, "web_fetch", "url"),
    **_tools(ASKS, "web_search", "query"),
    **_tools(PLAIN, "session_status sessions_list agents_list"),
}

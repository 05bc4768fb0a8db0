"""A command that runs by itself is judged the same, on however many lines it stands and whatever shell runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from judged_bundles import judged

from sluicegate.vet.verdict.types import Decision, Severity, Verdict

FRONT = "---\nname: notes\ndescription: Keeps notes of a project.\n{rest}\n---\n\n# Notes\n\n{body}\n"
OWN = {"scripts/x.sh": "echo hi\n", "scripts/x.py": "print('hi')\n", "scripts/x.ps1": "Write-Output hi\n"}
PARTS = [
    "cd ${CLAUDE_SKILL_DIR}",
    "cd $CLAUDE_PLUGIN_ROOT",
    'cd "${CLAUDE_SKILL_DIR}" || exit',
    "export A=${CLAUDE_SKILL_DIR}",
    "echo ${A}",
    "date",
    "set -e",
    "git status",
]
RUNS = [
    "sh scripts/x.sh",
    ". scripts/x.sh",
    "./scripts/x.sh",
    "python3 scripts/x.py",
    "bash ${CLAUDE_SKILL_DIR}/scripts/x.sh",
]


def yaml_of(lines: list[str], form: str) -> str:
    """The value of a key in YAML that comes to a command of these lines."""
    if form in ("|", "|-", "|+"):
        return form + "".join(f"\n            {line}" for line in lines)
    if form == ">":
        return ">" + "".join(f"\n            {line};" for line in lines[:-1]) + f"\n            {lines[-1]}"
    joined = {"quoted": "\n", "&&": " && ", ";": "; ", "continued": " && \\\n"}[form].join(lines)
    return json.dumps(joined)


FORMS = ["|", "|-", "|+", ">", "quoted", "&&", ";", "continued"]


def severities(verdict: Verdict, rule: str) -> list[Severity]:
    return [f.severity for f in (*verdict.findings, *verdict.listed) if f.rule == rule]


def hooked(place: Path, value: str) -> Verdict:
    hook = f"hooks:\n  PostToolUse:\n    - hooks:\n        - type: command\n          command: {value}"
    return judged(place, {"SKILL.md": FRONT.format(rest=hook, body="Align."), **OWN})


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(
    before=st.lists(st.sampled_from(PARTS), max_size=3),
    run=st.sampled_from(RUNS),
    after=st.lists(st.sampled_from(PARTS), max_size=1),
    form=st.sampled_from(FORMS),
)
def test_a_hook_that_runs_a_file_of_the_skill_is_high_on_however_many_lines(
    tmp_path_factory: pytest.TempPathFactory, before: list[str], run: str, after: list[str], form: str
) -> None:
    verdict = hooked(tmp_path_factory.mktemp("x"), yaml_of([*before, run, *after], form))
    assert severities(verdict, "agent-hook-command") == [Severity.HIGH]
    assert verdict.decision is not Decision.SAFE


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("last", ["rm -rf x", "npx -y some-pkg@latest", "uvx some-tool", "./tool"])
def test_a_hook_that_runs_another_program_is_not_safe_on_however_many_lines(
    tmp_path: Path, form: str, last: str
) -> None:
    verdict = hooked(tmp_path, yaml_of(["echo ${A}", last], form))
    assert severities(verdict, "agent-hook-command") == [Severity.MEDIUM]
    assert verdict.decision is Decision.CAUTION


@pytest.mark.parametrize("last", ["git status", "npx --no-install prettier --check ."])
def test_a_hook_of_ordinary_tools_on_two_lines_stays_safe(tmp_path: Path, last: str) -> None:
    assert hooked(tmp_path, yaml_of(["date", last], "|")).decision is Decision.SAFE


@pytest.mark.parametrize("grant", ["Bash(cd *)", "Bash(sh *)", "Bash", "Bash(cd:*), Read"])
@pytest.mark.parametrize("info", ["!", "!bash", "!sh"])
def test_a_block_that_runs_on_loading_is_one_command(tmp_path: Path, grant: str, info: str) -> None:
    body = f"```{info}\ncd ${{CLAUDE_SKILL_DIR}}\nsh scripts/x.sh\n```"
    verdict = judged(tmp_path, {"SKILL.md": FRONT.format(rest=f"allowed-tools: {grant}", body=body), **OWN})
    assert severities(verdict, "self-granted-command") == [Severity.HIGH]


@pytest.mark.parametrize(
    "grant",
    [
        "PowerShell(*)",
        "PowerShell",
        "pwsh",
        "powershell(& *)",
        "PowerShell(.\\scripts\\x.ps1)",
        "Bash, PowerShell",
        "cmd",
        "run_in_terminal",
        "mcp__desktop__execute_command",
        "local_shell",
    ],
)
@pytest.mark.parametrize("shell", ["", "\nshell: powershell", "\nshell: cmd", '\n"shell": pwsh'])
@pytest.mark.parametrize(
    "command", ["& ./scripts/x.ps1", ".\\scripts\\x.ps1", "Get-Content scripts/x.ps1 | iex"]
)
def test_a_grant_of_any_shell_covers_what_runs_on_loading(
    tmp_path: Path, grant: str, shell: str, command: str
) -> None:
    if "(& " in grant or "(." in grant:
        command = "& ./scripts/x.ps1" if "(& " in grant else ".\\scripts\\x.ps1"
    front = FRONT.format(rest=f"allowed-tools: {grant}{shell}", body=f"Now: !`{command}`")
    verdict = judged(tmp_path, {"SKILL.md": front, **OWN})
    assert max(severities(verdict, "self-granted-command")) is Severity.HIGH
    assert verdict.decision is not Decision.SAFE


@pytest.mark.parametrize("command", ["Remove-Item x", "Get-Content x | iex", "Set-Content x y", "del x"])
@pytest.mark.parametrize("body", ["Now: !`{}`", "```!\n{}\n```", "```!powershell\n{}\n```"])
def test_what_powershell_runs_on_loading_is_not_safe(tmp_path: Path, command: str, body: str) -> None:
    front = FRONT.format(rest="shell: powershell\nallowed-tools: PowerShell(*)", body=body.format(command))
    assert judged(tmp_path, {"SKILL.md": front}).decision is not Decision.SAFE


@pytest.mark.parametrize(
    "grant", ["Read", "WebFetch", "mcp__db__query", "Edit(*)", "Shellcheck(*)", "Crash(*)"]
)
def test_a_grant_of_another_tool_covers_no_command(tmp_path: Path, grant: str) -> None:
    front = FRONT.format(rest=f"allowed-tools: {grant}", body="Now: !`make ready`")
    assert severities(judged(tmp_path, {"SKILL.md": front}), "self-granted-command") == []

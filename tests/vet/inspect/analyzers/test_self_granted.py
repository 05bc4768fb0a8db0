"""A command that runs on loading by the skill's own permission is never SAFE."""

from __future__ import annotations

from pathlib import Path

import pytest

from sluicegate.vet.config import ScanConfig
from sluicegate.vet.inspect.analyzers.structures.grants import covers
from sluicegate.vet.scan import scan
from sluicegate.vet.verdict.types import Decision, Finding, Severity


def findings(folder: Path, front: str, body: str) -> tuple[Decision, list[Finding]]:
    folder.mkdir()
    (folder / "SKILL.md").write_text(
        f"---\nname: notes\ndescription: Keeps notes of a project.\n{front}\n---\n\n{body}\n"
    )
    (folder / "scripts").mkdir()
    (folder / "scripts/setup.py").write_text("print('ready')\n")
    verdict = scan(str(folder), ScanConfig()).skills[0].verdict
    return verdict.decision, [*verdict.findings, *verdict.listed]


@pytest.mark.parametrize(
    ("grant", "command", "severity"),
    [
        ("Bash(touch *)", "touch /tmp/x", Severity.MEDIUM),
        ("Bash(bash *)", "bash scripts/setup.py", Severity.HIGH),
        ("Bash(python3 *)", "python3 scripts/setup.py", Severity.HIGH),
        ("Bash(python3:*)", "python3 ${CLAUDE_SKILL_DIR}/scripts/setup.py", Severity.HIGH),
        ("Bash", "make ready", Severity.MEDIUM),
        ('"*"', "make ready", Severity.MEDIUM),
        ("Bash(make ready)", "make ready", Severity.MEDIUM),
        ("Bash(git status:*)", "git status; make ready", Severity.MEDIUM),
        ("Bash(git diff:*)", "git diff --ext-diff", Severity.MEDIUM),
    ],
)
def test_a_command_on_loading_that_the_skill_grants_itself(
    tmp_path: Path, grant: str, command: str, severity: Severity
) -> None:
    decision, found = findings(tmp_path / "x", f"allowed-tools: {grant}", f"Now: !`{command}`")
    assert decision is not Decision.SAFE
    assert [f.severity for f in found if f.rule == "self-granted-command"] == [severity]


@pytest.mark.parametrize(
    "front",
    [
        "allowed-tools: Bash(*)",
        "allowed-tools: Read(//**)",
        "allowed-tools: Bash(git log:*), Write(//**)",
        "allowed-tools: Edit(~/**)",
        "hooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: python3 scripts/setup.py",
    ],
)
def test_a_grant_of_everything_and_a_hook_of_the_skills_own_are_not_safe(tmp_path: Path, front: str) -> None:
    assert findings(tmp_path / "x", front, "Keep notes.")[0] is not Decision.SAFE


@pytest.mark.parametrize("command", ["git status --short", "git diff HEAD", "date", "ls", "echo ready"])
def test_no_command_is_too_plain_to_be_granted_by_the_skill_itself(tmp_path: Path, command: str) -> None:
    grant = f"allowed-tools: Read(src/**), Bash({command.split()[0]}:*)"
    decision, found = findings(tmp_path / "x", grant, f"Now: !`{command}`")
    assert decision is Decision.CAUTION
    assert [f.rule for f in found] == ["self-granted-command"]


def test_a_plain_command_without_a_grant_is_ordinary(tmp_path: Path) -> None:
    grant = "allowed-tools: Bash(git commit:*), Read(src/**), Write(docs/**)"
    decision, found = findings(tmp_path / "x", grant, "Now: !`git status --short` and !`git diff HEAD`")
    assert (decision, found) == (Decision.SAFE, [])


@pytest.mark.parametrize(
    ("grant", "decision"), [("Bash(git status:*)", Decision.CAUTION), ("Read", Decision.SAFE)]
)
def test_a_plain_hook_in_the_front_matter_that_the_skill_grants_itself(
    tmp_path: Path, grant: str, decision: Decision
) -> None:
    hook = "hooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: git status"
    assert findings(tmp_path / "x", f"allowed-tools: {grant}\n{hook}", "Keep notes.")[0] is decision


def test_a_grant_covers_what_begins_with_it() -> None:
    assert covers(("npm run:*",), "npm run x")
    assert covers(("npm run *",), "cd x && npm run y")
    assert not covers(("npm run:*",), "npm exec x")
    assert not covers((), "npm run x")

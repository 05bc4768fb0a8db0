"""A command that runs on loading by the skill's own permission is never SAFE."""

from __future__ import annotations

from pathlib import Path

import pytest

from sluicegate.vet.config import ScanConfig
from sluicegate.vet.inspect.analyzers.structures.grants import covers, only_looks
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


def test_what_is_fixed_and_only_looks_is_ordinary(tmp_path: Path) -> None:
    grant = "allowed-tools: Bash(git status:*), Bash(git diff:*), Read(src/**), Write(docs/**)"
    decision, found = findings(tmp_path / "x", grant, "Now: !`git status --short` and !`git diff HEAD`")
    assert (decision, found) == (Decision.SAFE, [])


def test_a_line_that_only_looks_does_nothing_else() -> None:
    assert only_looks("git log --oneline -5")
    assert only_looks("git log --oneline | head -n 5")
    for line in (
        "git status > x",
        "git -c core.pager=x log",
        "git log | sh",
        "echo $(id)",
        "date; id",
        "git diff --output=x",
    ):
        assert not only_looks(line), line


def test_a_grant_covers_what_begins_with_it() -> None:
    assert covers(("npm run:*",), "npm run x")
    assert covers(("npm run *",), "cd x && npm run y")
    assert not covers(("npm run:*",), "npm exec x")
    assert not covers((), "npm run x")

"""Commands that run when a skill or slash command is loaded, before any model has seen it."""

from __future__ import annotations

from collections.abc import Iterator

from sluicegate.vet.inspect.analyzers.structures.grants import covers, granted
from sluicegate.vet.inspect.analyzers.structures.registry import (
    CRITICAL,
    HIGH,
    LOW,
    MEDIUM,
    BundleFacts,
    rule,
    structure_rule,
    weighed,
)
from sluicegate.vet.inspect.analyzers.structures.weigh import Weight, weigh
from sluicegate.vet.inspect.rule import Match
from sluicegate.vet.intake.views.view import View
from sluicegate.vet.verdict.types import Category, Severity

BANG = rule(
    "bang-command", "A command runs as soon as the skill is loaded", Category.REMOTE_CODE, HIGH, 700,
    why="The command between !` and ` runs before the model or the user sees the text, and its output becomes part of it.",
    fix="Let the agent run the command itself, where it can be refused.",
    references=("ASI05", "LLM01", "CWE-78"),
)  # fmt: skip

GRANTED = rule(
    "self-granted-command", "A command runs on loading, by the skill's own permission", Category.AGENT_CONFIGURATION, MEDIUM, 700,
    why="The command runs before the model or the user sees the text, and the skill itself grants the permission for it. No hook that "
    "guards the use of tools is asked, and what the command does can change later.",
    fix="Take the permission or the command out, or switch commands on loading off (disableSkillShellExecution in Claude Code).",
    references=("ASI02", "ASI05", "CWE-78", "CWE-250"),
)  # fmt: skip

IDENTITY = rule(
    "agent-identity-file", "Ships a file that agents load as their own memory or character", Category.MEMORY_POISONING, MEDIUM, 500,
    why="What stands in such a file is obeyed in every session, in whatever project it lies, also when the skill is not in use.",
    fix="Keep instructions in SKILL.md. Let the user write the agent's memory and character.",
    references=("ASI06", "LLM04", "AML.T0080"),
)  # fmt: skip

_CHARACTER = frozenset({"soul.md", "identity.md", "memory.md", "heartbeat.md", "user.md", "bootstrap.md"})
_PROJECT = frozenset(
    {"claude.md", "agents.md", "gemini.md", ".cursorrules", ".windsurfrules", "copilot-instructions.md"}
)
_OF_COMMANDS = frozenset({"commands", "command", "agents", "agent", "skills", "prompts"})
"""Folders whose texts agents load as commands, sub-agents or skills."""
_WEIGHED: dict[Weight, tuple[Severity, int, str]] = {
    Weight.PROGRAM: (LOW, 400, "it runs a program, and shows no other sign of harm"),
    Weight.LOUD: (HIGH, 700, ""),
    Weight.HARM: (CRITICAL, 800, "it fetches and runs, hides, or sends credentials"),
}


@structure_rule(BANG)
def bang(facts: BundleFacts) -> Iterator[Match]:
    """Commands that run on loading. Harmless ones (git status, date, ls) are not reported."""
    for view, start, command in _on_loading(facts):
        weight = weigh(command)
        if weight is not Weight.HARMLESS:
            severity, confidence, reason = _WEIGHED[weight]
            if severity > MEDIUM and not _loaded(facts, view.path):
                severity, reason = MEDIUM, "it stands in a file that is not loaded as a command"
            yield Match(
                rule=BANG.id, view=view, start=start, end=start + len(command), severity=severity, confidence=confidence,
                adjustments=(reason,) if reason else (),
            )  # fmt: skip


@structure_rule(GRANTED)
def self_granted(facts: BundleFacts) -> Iterator[Match]:
    """Each command that runs on loading and that the front matter of the same text lets run.

    HIGH when it runs a file of the skill. No command is too plain for it: the settings of a repository can
    name a program that ``git status`` starts there (``core.fsmonitor``), and nobody is asked.
    """
    for view, start, command in _on_loading(facts):
        grants = granted(facts, view.path) if _loaded(facts, view.path) else ()
        grants = grants or _granted_by_loader(facts, view.path)
        if grants and covers(grants, command):
            code = facts.own_code
            severity = HIGH if code.mentioned(command) or code.run_by(code.read(view, command)) else MEDIUM
            yield Match(
                rule=GRANTED.id, view=view, start=start, end=start + len(command), severity=severity,
                trace=(f"grants={' '.join(sorted(grants))}",),
                adjustments=weighed(GRANTED, severity, 700, "it runs a file of the skill"),
            )  # fmt: skip


def _granted_by_loader(facts: BundleFacts, path: str) -> tuple[str, ...]:
    """What the front matter of a text grants that has the agent put this one in its place, by ``@`` and its path."""
    named = f"@{path}"
    for raw in facts.raw:
        if raw.path != path and (named in raw.text or f"@./{path}" in raw.text) and _loaded(facts, raw.path):
            if grants := granted(facts, raw.path):
                return grants
    return ()


def _on_loading(facts: BundleFacts) -> Iterator[tuple[View, int, str]]:
    """Each command that runs on loading, and where it begins: a line, or a whole fenced block, which one shell runs."""
    for view in facts.steps("bang-command"):
        if view.origin[0].detail:
            if view.text.strip():
                yield view, 0, view.text
            continue
        raw = next((v for v in facts.raw if v.path == view.path), None)
        at = 0
        for number, line in enumerate(view.text.split("\n") if raw is not None else ()):
            if line.strip() and raw is not None and _runs(raw, view, number):
                yield view, at, line
            at += len(line) + 1


def _runs(raw: View, view: View, number: int) -> bool:
    """Whether the command is written as one that is run on loading; a line ``!pip install x`` of a notebook is not."""
    first, _ = view.map_lines(number, number)
    starts = raw.line_starts()
    if first > len(starts):
        return False
    start = starts[first - 1]
    end = raw.text.find("\n", start)
    line = raw.text[start : len(raw.text) if end == -1 else end]
    return not line.startswith("!") or "!`" in line or "```!" in line


def _loaded(facts: BundleFacts, path: str) -> bool:
    parts = path.lower().split("/")
    return (
        parts[-1] == "skill.md"
        or any(part in _OF_COMMANDS for part in parts[:-1])
        or len(parts) == 1
        or facts.bundle.root.rpartition("/")[2].lower() in _OF_COMMANDS - {"skills"}
        or any(not part or path == part or path.startswith(f"{part}/") for part in facts.obeyed)
    )


@structure_rule(IDENTITY)
def identity(facts: BundleFacts) -> Iterator[Match]:
    """Files by the names under which agents look for them, where they would be found: at the top, or in an agent's folder."""
    for view in facts.raw:
        folders, _, name = view.path.lower().rpartition("/")
        top = not folders or folders.split("/")[0] in (
            ".claude",
            ".openclaw",
            ".cursor",
            ".github",
            "workspace",
        )
        if not top or not view.text.strip():
            continue
        if name in _CHARACTER:
            yield Match(
                rule=IDENTITY.id,
                view=view,
                start=0,
                end=min(len(view.text), 80),
                trace=(f"text={view.text}",),
            )
        elif name in _PROJECT:
            yield Match(rule=IDENTITY.id, view=view, start=0, end=min(len(view.text), 80), severity=LOW, confidence=400,
                        trace=(f"text={view.text}",), adjustments=("instructions for those who work on a project are common",))  # fmt: skip

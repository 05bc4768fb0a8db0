"""Codex is asked which of our hooks it calls; what is not Codex, or says nothing, is no answer."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from sluicegate.reach.cli.group import cli
from sluicegate.reach.hooks import codex_trust
from sluicegate.reach.hooks.codex_trust import untrusted
from sluicegate.reach.hooks.installing import command_of

OURS = command_of(sys.executable, "codex")
HOOKS = [  # the form of an answer of Codex 0.169
    {
        "eventName": "preToolUse",
        "command": OURS,
        "enabled": True,
        "isManaged": False,
        "trustStatus": "untrusted",
    },
    {
        "eventName": "sessionStart",
        "command": OURS,
        "enabled": True,
        "isManaged": False,
        "trustStatus": "trusted",
    },
    {"eventName": "stop", "command": OURS, "enabled": False, "isManaged": False, "trustStatus": "trusted"},
    {
        "eventName": "preToolUse",
        "command": "another",
        "enabled": True,
        "isManaged": False,
        "trustStatus": "untrusted",
    },
]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "bin").mkdir()
    for name in ("SLUICEGATE_KEYS_HOME", "SLUICEGATE_POLICY", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:/usr/bin:/bin")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def codex(home: Path, script: str) -> None:
    program = home / "bin/codex"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)


def answer(hooks: object) -> str:
    return json.dumps({"id": 2, "result": {"data": [{"cwd": "/", "hooks": hooks}]}})


def says(home: Path, line: str) -> None:
    (home / "answer").write_text(f'{{"method": "something/changed"}}\n{line}\n')
    codex(home, f"cat {home}/answer; cat >/dev/null")


def test_what_codex_skips_is_said(home):
    says(home, answer(HOOKS))
    assert untrusted(frozenset({OURS}), home) == ["preToolUse", "stop"]


@pytest.mark.parametrize(
    "line", ["", "no JSON", "[]", '{"id": 2, "error": {}}', '{"id": 2, "result": {"data": 1}}']
)
def test_what_is_no_answer_is_none(home, monkeypatch, line):
    monkeypatch.setattr(codex_trust, "SECONDS", 0.2)
    says(home, line)
    assert untrusted(frozenset({OURS}), home) is None


@pytest.mark.parametrize("script", ["exec sleep 60", "exit 1", "sleep 60 & wait"])
def test_a_codex_that_says_nothing_is_none(home, monkeypatch, script):
    monkeypatch.setattr(codex_trust, "SECONDS", 0.2)
    codex(home, script)
    assert untrusted(frozenset({OURS}), home) is None


def test_where_there_is_no_codex_there_is_no_answer(home):
    assert untrusted(frozenset({OURS}), home) is None


def test_a_hook_that_codex_skips_is_told_by_all_who_look(home):
    says(home, answer(HOOKS))
    done = CliRunner().invoke(cli, ["hook", "install", "codex", "--yes"])
    assert done.exit_code == 0, done.output
    assert "until you trust it" in done.output
    status = CliRunner().invoke(cli, ["hook", "status"])
    assert status.exit_code == 1 and "until you trust it" in status.output
    doctor = " ".join(CliRunner().invoke(cli, ["doctor"]).output.split())  # lines are as wide as the terminal
    assert "BROKEN hook codex" in doctor and "until you trust it" in doctor

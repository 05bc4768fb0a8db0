"""The commands around the gate."""

import json
import os
import shutil
import subprocess
import sys

import click
import pytest

from sluicegate import __version__
from sluicegate.flow.environments.providers import bubblewrap


def test_version_and_help(sluicegate):
    assert sluicegate("--version").out.strip() == f"sluicegate {__version__}"
    help_text = sluicegate("--help").out
    for command in ("scan", "rules", "baseline", "schema", "completion", "doctor", "spec"):
        assert command in help_text


@pytest.mark.parametrize("words", [(), ("keys",), ("audit",), ("queue",), ("policy",)])
def test_a_command_without_words_says_what_there_is_on_lines_of_their_own(sluicegate, words):
    ran = sluicegate(*words)
    assert ran.err == sluicegate(*words, "--help").out
    assert (ran.code, ran.out) == (2, "")


def test_what_may_be_chosen_stands_on_the_line(sluicegate):
    assert "Choose from: bash, zsh, fish\n" in sluicegate("completion").err


def commands_of(group, path=()):
    """The words of every command and subcommand."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield (*path, name)
        if isinstance(command, click.Group):
            yield from commands_of(command, (*path, name))


@pytest.mark.parametrize("columns", [40, 80])
def test_every_help_keeps_within_the_terminal_but_for_commands_to_copy(sluicegate, monkeypatch, columns):
    from sluicegate.reach.cli.group import cli

    monkeypatch.setenv("COLUMNS", str(columns))
    for words in [(), *commands_of(cli)]:
        shown = sluicegate(*words, "--help").out
        long = [line for line in shown.splitlines() if len(line) > columns]
        assert all("sluicegate " in line or line.endswith("completions/sluicegate") for line in long), words


def test_help_is_a_command_too(sluicegate):
    assert sluicegate("help").out == sluicegate("--help").out
    assert sluicegate("help", "scan").out == sluicegate("scan", "--help").out
    assert sluicegate("help", "policy", "explain").out == sluicegate("policy", "explain", "--help").out
    for words in (("help", "scna"), ("help", "policy", "scan"), ("help", "scan", "all")):
        ran = sluicegate(*words)
        assert ran.code == 2
        assert f"no command {words[-1]!r}" in ran.err


def test_explain_is_another_word_for_rules(sluicegate):
    assert sluicegate("explain", "pipe-to-shell").out == sluicegate("rules", "pipe-to-shell").out
    assert sluicegate("rules", "list").out == sluicegate("rules").out
    assert "Did you mean pipe-to-shell?" in sluicegate("explain", "pipe-to-shel").err


def test_f_is_the_format_in_every_command():
    from sluicegate.reach.cli.group import cli

    def commands(group, path=()):
        context = click.Context(group)
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            yield (*path, name), command
            if isinstance(command, click.Group):
                yield from commands(command, (*path, name))

    spelled = {
        path: p.opts for path, command in commands(cli) for p in command.params if "--format" in p.opts
    }
    assert len(spelled) > 12
    assert {path: opts for path, opts in spelled.items() if "-f" not in opts} == {}


def test_rules_lists_and_explains(sluicegate):
    listing = sluicegate("rules").out
    assert "pipe-to-shell" in listing
    assert max(len(line) for line in listing.splitlines()) <= 140
    page = sluicegate("rules", "pipe-to-shell").out
    for heading in ("Why", "What to do", "For the author", "Matches", "Does not match", "Known misses"):
        assert heading in page


@pytest.mark.parametrize("name", ["report", "settings"])
def test_schema(sluicegate, name):
    document = json.loads(sluicegate("schema", name).out)
    assert document["$schema"].startswith("https://json-schema.org/")


def test_unknown_schema(sluicegate):
    ran = sluicegate("schema", "nothing")
    assert ran.code == 2
    assert "report" in ran.err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(sluicegate, shell):
    assert "_SLUICEGATE_COMPLETE" in sluicegate("completion", shell).out


def test_doctor_scans_for_real(sluicegate):
    ran = sluicegate("doctor")
    assert ran.code == 0, ran.out
    assert "a harmless skill passes, a harmful one does not" in " ".join(ran.out.split())


def test_a_user_without_a_home_directory_is_told_so(sluicegate, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "")
    monkeypatch.setenv("SLUICEGATE_CONFIG_HOME", str(tmp_path / "config"))
    commands = (
        "hook status",
        "hook install claude --yes",
        "policy check",
        "policy explain --policy agent --operation op:show",
    )
    for command in commands:
        ran = sluicegate(*command.split())
        assert ran.code == 2, command
        assert "no home directory" in ran.err and "Set HOME" in ran.err, command
    doctor = sluicegate("doctor")
    assert doctor.code == 0 and doctor.out.count("no home directory") == 1


@pytest.mark.parametrize("installed", [True, False])
def test_doctor_and_policy_check_say_whether_the_sandbox_works(sluicegate, tmp_path, monkeypatch, installed):
    if installed and shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")
    if not installed:
        monkeypatch.setattr(bubblewrap.shutil, "which", lambda *_, **__: None)
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "1000")
    doctor, check = sluicegate("doctor"), sluicegate("policy", "check")
    assert (doctor.code, check.code) == (0, 0)
    (line,) = [line for line in doctor.out.splitlines() if "sandbox" in line]
    if installed:
        assert line.startswith("ok")
        assert "Commands run in a bubblewrap sandbox" in check.out
    else:
        assert line.startswith("missing")
        assert "bubblewrap is not installed" in line
        assert "without a sandbox" in check.out
        assert max(map(len, check.out.splitlines())) <= 80


def test_policy_check_says_where_commands_run_as_policy_says(sluicegate, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for env, words in (
        ("default = 'local'", "by the provider local"),
        ("providers = { local = {} }", "in no sandbox"),
    ):
        (tmp_path / "sluicegate.toml").write_text(f"[policy.env]\n{env}\n")
        assert words in sluicegate("policy", "check").out


@pytest.mark.parametrize(
    ("words", "offers"),
    [
        ("scan ./sk", "file"),
        ("scan x --baseline ./sk", "file"),
        ("scan x --yara ./sk", "dir"),
        ("verify ./sk", "file"),
        ("scan x --format sar", "sarif"),
        ("scan x --fail-on do", "do-not-install"),
        ("rules python-cred", "python-credential-to-network"),
        ("schema pol", "policy"),
    ],
)
def test_words_are_completed(sluicegate, monkeypatch, words, offers):
    monkeypatch.setenv("_SLUICEGATE_COMPLETE", "zsh_complete")
    monkeypatch.setenv("COMP_WORDS", f"sluicegate {words}")
    monkeypatch.setenv("COMP_CWORD", str(len(words.split())))
    assert offers in sluicegate().out.split("\n")


def test_a_terminal_that_lacks_a_letter_is_shown_an_escape(sluicegate):
    ran = subprocess.run(
        [sys.executable, "-m", "sluicegate", "rules", "invisible-text"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert b"\\U0001f468" in ran.stdout


def test_a_current_folder_that_is_gone_is_named(tmp_path, sluicegate, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    ran = sluicegate("scan", str(tmp_path))
    assert ran.code == 2
    assert "the current folder is gone" in ran.err
    assert "defect" not in ran.err

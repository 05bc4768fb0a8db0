"""The commands around the gate."""

import json
import os
import subprocess
import sys

import pytest

from penstock import __version__


def test_version_and_help(penstock):
    assert penstock("--version").out.strip() == f"penstock {__version__}"
    help_text = penstock("--help").out
    for command in ("scan", "rules", "baseline", "schema", "completion", "doctor", "spec"):
        assert command in help_text


def test_rules_lists_and_explains(penstock):
    listing = penstock("rules").out
    assert "pipe-to-shell" in listing
    assert max(len(line) for line in listing.splitlines()) <= 140
    page = penstock("rules", "pipe-to-shell").out
    for heading in ("Why", "Fix", "Matches", "Does not match", "Known misses"):
        assert heading in page


@pytest.mark.parametrize("name", ["report", "settings"])
def test_schema(penstock, name):
    document = json.loads(penstock("schema", name).out)
    assert document["$schema"].startswith("https://json-schema.org/")


def test_unknown_schema(penstock):
    ran = penstock("schema", "nothing")
    assert ran.code == 2
    assert "report" in ran.err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(penstock, shell):
    assert "_PENSTOCK_COMPLETE" in penstock("completion", shell).out


def test_doctor_scans_for_real(penstock):
    ran = penstock("doctor")
    assert ran.code == 0, ran.out
    assert "a harmless skill passes, a harmful one does not" in ran.out


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
def test_words_are_completed(penstock, monkeypatch, words, offers):
    monkeypatch.setenv("_PENSTOCK_COMPLETE", "zsh_complete")
    monkeypatch.setenv("COMP_WORDS", f"penstock {words}")
    monkeypatch.setenv("COMP_CWORD", str(len(words.split())))
    assert offers in penstock().out.split("\n")


def test_a_terminal_that_lacks_a_letter_is_shown_an_escape(penstock):
    ran = subprocess.run(
        [sys.executable, "-m", "penstock", "rules", "invisible-text"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert b"\\U0001f468" in ran.stdout

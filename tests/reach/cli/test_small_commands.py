"""The commands around the gate."""

import json

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

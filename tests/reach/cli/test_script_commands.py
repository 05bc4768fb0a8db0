"""``sluicegate validate`` and ``sluicegate fmt`` as a person uses them."""

import io
import json
from pathlib import Path

import jsonschema
import pytest

GOLDEN = Path(__file__).parents[2] / "script" / "golden"
SARIF = Path(__file__).parents[2] / "data" / "sarif-2.1.0.json"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.mld").write_text('var @a = "b"\nshow @a\n')
    (tmp_path / "bad.mld").write_text("var a = 1\nshow @x\n")
    (tmp_path / "warned.mld").write_text('var @a = "b"\n')
    return tmp_path


def test_validate_says_what_is_wrong_and_where(sluicegate, here):
    assert (sluicegate("validate", "good.mld").code, sluicegate("validate", "warned.mld").code) == (0, 0)
    assert sluicegate("validate", "--strict", "warned.mld").code == 1
    ran = sluicegate("validate", "good.mld", "bad.mld")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.startswith("bad.mld:1:7: error: unexpected `=` [syntax]\n  1 | var a = 1\n    |       ^\n")
    assert ran.out.endswith("2 scripts: 1 error\n")


@pytest.mark.parametrize("script", sorted(GOLDEN.glob("*.mld")), ids=lambda path: path.stem)
def test_messages_are_those_that_were_agreed(sluicegate, monkeypatch, script):
    """Beside each script stands what is said of it; SLUICEGATE_GOLDEN=1 writes it anew."""
    monkeypatch.chdir(GOLDEN)
    out = sluicegate("validate", script.name).out
    assert all(len(line) <= 80 for line in out.splitlines())
    assert out == script.with_suffix(".txt").read_text("utf-8")


def test_json_follows_its_schema_and_counts_from_one(sluicegate, here):
    document = json.loads(sluicegate("validate", "-f", "json", "good.mld", "bad.mld").out)
    jsonschema.validate(document, json.loads(sluicegate("schema", "scripts").out))
    good, bad = document["scripts"]
    assert (good["file"], good["errors"], good["dialect"], good["mode"]) == (
        "good.mld",
        0,
        "specification",
        "strict",
    )
    (error,) = bad["diagnostics"]
    assert (error["line"], error["column"], error["end_column"], error["code"]) == (1, 7, 8, "syntax")


def test_sarif_names_rule_file_and_place(sluicegate, here):
    log = json.loads(sluicegate("validate", "-f", "sarif", "bad.mld").out)
    (run,) = log["runs"]
    (result,) = run["results"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "syntax"
    place = result["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("bad.mld", 1)


def test_what_cannot_be_read_is_exit_code_2_and_names_it(sluicegate, here):
    (here / "folder").mkdir()
    (here / "latin.mld").write_bytes(b"show '\xe9'")
    for name in ("missing.mld", "folder", "latin.mld"):
        for command in ("validate", "fmt"):
            ran = sluicegate(command, name)
            assert (ran.code, ran.out) == (2, "")
            assert name in ran.err
            assert "Traceback" not in ran.err


def test_what_a_script_says_reaches_no_terminal(sluicegate, here):
    (here / "evil.mld").write_text("show \x1b[31m\u202e @x ##vso[task] `\n::error::x")
    for form in ("text", "json", "sarif"):
        out = sluicegate("validate", "-f", form, "evil.mld").out
        assert not set(out) & {"\x1b", "\u202e"}
        assert not any(line.startswith("::") for line in out.splitlines())


def test_fmt_changes_files_in_place_or_says_which_would_change(sluicegate, here, monkeypatch):
    (here / "rough.mld").write_text("var @a=1\nshow   @a\n")
    ran = sluicegate("fmt", "--check", "rough.mld", "good.mld")
    assert (ran.code, ran.out) == (1, "rough.mld would change\n")
    assert (here / "rough.mld").read_text() == "var @a=1\nshow   @a\n"
    ran = sluicegate("fmt", "rough.mld", "good.mld", "bad.mld")
    assert (ran.code, ran.out) == (1, "rough.mld laid out\n")
    assert "bad.mld has errors" in ran.err
    assert (here / "rough.mld").read_text() == "var @a = 1\nshow @a\n"
    assert sluicegate("fmt", "--check", "rough.mld").code == 0


def test_standard_input_is_a_script_too(sluicegate, here, monkeypatch):
    class Stdin:
        def __init__(self, data: bytes) -> None:
            self.buffer = io.BytesIO(data)

    monkeypatch.setattr("sys.stdin", Stdin(b"show   1"))
    assert sluicegate("fmt", "-").out == "show 1\n"
    monkeypatch.setattr("sys.stdin", Stdin(b"show x y"))
    assert "standard input:1:8" in sluicegate("validate", "-").out

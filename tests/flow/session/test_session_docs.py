"""The page says what happens: every block of it is run, in order, in one directory."""

import contextlib
import io
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

PAGE = Path(__file__).resolve().parents[3] / "docs" / "sessions.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks():
    return [(found[1], found[2]) for found in BLOCK.finditer(PAGE.read_text(encoding="utf-8"))]


def test_there_is_no_block_of_a_kind_that_is_not_run():
    assert {kind for kind, _ in blocks()} == {"toml", "python", "text"}
    assert PAGE.read_text(encoding="utf-8").count("```") == 2 * len(blocks())


def test_every_block_does_what_the_page_says(tmp_path, monkeypatch):
    root = tmp_path / "demo"
    root.mkdir()
    monkeypatch.chdir(root)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SLUICEGATE_KEYS_HOME", str(tmp_path / "keys"))
    found, shown = "", 0
    for kind, text in blocks():
        if kind == "toml":
            Path(text.splitlines()[0].removeprefix("# ")).write_text(text)
        elif kind == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(text, str(PAGE), "exec"), {"__name__": "__main__"})
            found = out.getvalue()
        else:
            assert found == text
            shown += 1
    assert shown == 3

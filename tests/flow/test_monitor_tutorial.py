"""The tutorial says what happens: every block in it is run, in order, in one directory."""

import contextlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sluicegate.flow.environments.configuration.default import sandbox_of, why_not
from sluicegate.flow.environments.confinement.protection import Protection
from sluicegate.flow.environments.use import Providers

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")


TUTORIAL = Path(__file__).resolve().parents[2] / "docs" / "tutorial-flow.md"
SANDBOXED = not why_not(sandbox_of(Path(__file__).parent), Providers.of({}, Protection()))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks():
    return [(found[1], found[2]) for found in BLOCK.finditer(TUTORIAL.read_text(encoding="utf-8"))]


def test_there_is_no_block_of_a_kind_that_is_not_run():
    assert {kind for kind, _ in blocks()} == {"toml", "python", "text", "console"}
    assert TUTORIAL.read_text(encoding="utf-8").count("```") == 2 * len(blocks())


def run(code, root):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        exec(compile(code, str(TUTORIAL), "exec"), {"__name__": "__main__"})
    return out.getvalue().replace(str(root), "/home/mira/demo")


def answer(line, root):
    *settings, _, command = re.fullmatch(r"\$ ((?:\w+=\w+ )*)(sluicegate) (.*)", line).groups()
    environ = {**os.environ, **dict(pair.split("=") for pair in settings[0].split())}
    done = subprocess.run(
        [sys.executable, "-m", "sluicegate", *command.split()],
        cwd=root, env=environ, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    return done.stdout


def compare(shown, found):
    """What is shown stands in what was found, in order; ``...`` stands for anything."""
    at = 0
    for part in (part.strip("\n") for part in shown.split("...\n")):
        place = found.find(part, at)
        assert place >= 0, f"not found: {part!r} in {found!r}"
        at = place + len(part)


def test_every_block_does_what_the_tutorial_says(tmp_path, monkeypatch):
    root = tmp_path / "demo"
    root.mkdir()
    monkeypatch.chdir(root)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SLUICEGATE_KEYS_HOME", str(tmp_path / "keys"))
    monkeypatch.delenv("DEPLOY_KEY", raising=False)
    monkeypatch.setenv("DEPLOY_KEY", "x")  # so that what a block sets is taken back
    found = ""
    for kind, text in blocks():
        if kind == "toml":
            Path(text.splitlines()[0].removeprefix("# ")).write_text(text)
        elif kind == "python":
            found = run(text, root)
        elif kind == "text":
            assert found == (text if SANDBOXED else text.replace("src:env:bubblewrap, ", ""))
        else:
            for part in re.split(r"^(?=\$ )", text, flags=re.MULTILINE)[1:]:
                line, _, shown = part.partition("\n")
                compare(shown, answer(line, root))


@pytest.mark.parametrize("word", ["TODO", "—"])
def test_it_reads_as_text(word):
    assert word not in TUTORIAL.read_text(encoding="utf-8")

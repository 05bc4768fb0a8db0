"""What a scan does before it looks at anything, counted: imports, patterns and classes cost the same on every machine.

A scan of a small skill is little else. Whoever meets a bound here asks first whether the new module or pattern can wait
until a text needs it (``lazy``, ``seldom``, an import where it is used); ``docs/performance.md`` says what they cost.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "skills"
COUNT = """
import atexit, json, os, re, sys, typing
opened = os.open
from re import _compiler
compile, make = _compiler.compile, typing.NamedTupleMeta.__new__
made = {"patterns": 0, "classes": 0}
def compiled(*arguments):
    made["patterns"] += 1
    return compile(*arguments)
def classed(*arguments):
    made["classes"] += 1
    return make(*arguments)
_compiler.compile, typing.NamedTupleMeta.__new__ = compiled, classed
os.open = lambda path, *a, **k: opened("none" if str(path).endswith("compiled.patterns") else path, *a, **k)  # all are to be compiled
atexit.register(lambda: sys.stderr.write(json.dumps({**made, "modules": sorted(sys.modules)})))
from sluicegate.reach.cli.start import main
main()
"""
HEAVY = {
    "asyncio", "concurrent.futures", "cryptography", "csv", "dataclasses", "email", "http", "logging", "msgspec", "multiprocessing",
    "rich", "shlex", "socket", "sqlite3", "ssl", "string", "subprocess", "tarfile", "tempfile", "tomllib", "tree_sitter", "xml", "yaml",
    "zipfile", "sluicegate.flow", "sluicegate.record.ledger", "sluicegate.script", "sluicegate.vet.inspect.tongues", "sluicegate.vet.install",
    "sluicegate.vet.intake.content.media", "sluicegate.vet.review",
}  # fmt: skip
"""What no scan of a small skill of Markdown and Python has a use for."""


def counted(folder, *words):
    done = subprocess.run(
        [sys.executable, "-c", COUNT, *words],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=folder,  # where no settings are, nor above it
        env={k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "SLUICEGATE_"))}
        | {"HOME": str(folder)},
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stderr)
    found["ours"] = [name for name in found["modules"] if name.split(".")[0] == "sluicegate"]
    return found


@pytest.mark.parametrize(
    ("words", "modules", "patterns"),
    [
        (("scan", str(EXAMPLES / "changelog-writer"), "--fail-on", "never"), 285, 85),
        (("--version",), 12, 16),
        (("--help",), 12, 22),
        (("scan", "--help"), 21, 22),
    ],
)
def test_what_a_command_starts_with_is_bounded(tmp_path, words, modules, patterns):
    found = counted(tmp_path, *words)
    assert HEAVY.isdisjoint(found["modules"]), sorted(HEAVY.intersection(found["modules"]))
    assert ("click" in found["modules"]) == (words[0] != "scan" or "--help" in words)
    assert len(found["ours"]) <= modules
    assert found["patterns"] <= patterns
    assert found["classes"] == 0, "named tuples come from sluicegate.tuples"


def test_a_queue_in_which_nobody_has_decided_costs_a_look(tmp_path):
    from sluicegate.reach.ruling_queue import queue_place
    from sluicegate.vet.review.queue.store import QueueStore

    with QueueStore(queue_place({"HOME": str(tmp_path)})):
        pass
    found = counted(tmp_path, "scan", str(EXAMPLES / "changelog-writer"), "--fail-on", "never")
    assert "sluicegate.vet.review.queue.store" in found["modules"]
    only = {"sqlite3", "sluicegate.vet.review"}
    assert HEAVY.intersection(found["modules"]) == only
    assert not any(name.startswith("sluicegate.record.keys") for name in found["modules"])

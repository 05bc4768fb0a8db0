"""Run the tests that behaviours name, and look at the outcome of each, not at an exit code.

pytest succeeds when every test is skipped, or fails as expected, or is deselected. What a behaviour rests on has to
have run and passed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent


def problems(named: Sequence[str], root: Path = ROOT, options: Sequence[str] = ()) -> list[str]:
    """Why tests, such as ``tests/x/test_y.py::test_z``, did not all pass; empty when they did."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "outcomes.xml"
        done = subprocess.run(
            [
                *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
                *("-o", "junit_family=xunit1", f"--junitxml={path}"),
                *options,
                *named,
            ],
            cwd=root,
            capture_output=True,
            text=True,
            # Options from outside could deselect.
            env={key: value for key, value in os.environ.items() if key != "PYTEST_ADDOPTS"},
        )
        seen = list(outcomes(path.read_text(encoding="utf-8"))) if path.is_file() else []
    found = []
    for name in named:
        cases = [(case, how) for one, case, how in seen if one == name]
        if not cases:
            found.append(f"{name} did not run")
        found += [f"{case} was {how}" for case, how in cases if how != "passed"]
    if found or done.returncode != 0:
        found += [*done.stdout.splitlines()[-15:], *done.stderr.splitlines()[-5:]]
    return found


def outcomes(report: str) -> Iterator[tuple[str, str, str]]:
    """For every case in a JUnit report: the test, the case with its parameters, and how it came out."""
    for case in ElementTree.fromstring(report).iter("testcase"):
        path, name = case.get("file", ""), case.get("name", "")
        told = [child for child in case if child.tag in ("failure", "error", "skipped")]
        how = "passed"
        if told:
            expected = told[0].tag == "skipped" and told[0].get("type") == "pytest.xfail"
            how = "expected to fail" if expected else {"skipped": "skipped"}.get(told[0].tag, "failed")
        yield f"{path}::{name.partition('[')[0]}", f"{path}::{name}", how

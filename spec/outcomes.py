"""Run the tests that behaviours name, and look at the outcome of each, not at an exit code.

pytest succeeds when every test is skipped, or fails as expected, or is deselected. What a behaviour rests on has to
have run and passed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent


def problems(
    named: Sequence[str],
    root: Path = ROOT,
    options: Sequence[str] = (),
    fewest: Mapping[str, int] | None = None,
) -> list[str]:
    """Why tests, such as ``tests/x/test_y.py::test_z``, did not all pass; empty when they did.

    ``fewest`` are the cases that each has to have at least.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "outcomes.xml"
        done = _pytest(root, "-o", "junit_family=xunit1", f"--junitxml={path}", *options, *named)
        seen = list(outcomes(path.read_text(encoding="utf-8"))) if path.is_file() else []
    found = []
    for name in named:
        cases = [(case, how) for one, case, how in seen if one == name]
        if not cases:
            found.append(f"{name} did not run")
        elif len(cases) < (fewest or {}).get(name, 1):
            found.append(f"{name} has {len(cases)} cases, and had {(fewest or {})[name]}")
        found += [f"{case} was {how}" for case, how in cases if how != "passed"]
    if found or done.returncode != 0:
        found += [*done.stdout.splitlines()[-15:], *done.stderr.splitlines()[-5:]]
    return found


def cases(named: Set[str], root: Path) -> dict[str, int]:
    """How many cases each of these tests has, as pytest collects them."""
    there = sorted(name for name in named if (root / name.partition("::")[0]).is_file())
    if not there:
        return {}
    done = _pytest(root, "--collect-only", "-p", "no:xdist", "-o", "addopts=", *there)
    if done.returncode != 0:
        told = done.stdout[-2000:] + done.stderr[-500:]
        raise RuntimeError(f"pytest cannot collect the named tests:\n{told}")
    found = Counter(line.partition("[")[0] for line in done.stdout.splitlines() if "::" in line)
    return {name: found[name] for name in there}


def _pytest(root: Path, *options: str) -> subprocess.CompletedProcess[str]:
    # Options from outside could deselect.
    environment = {key: value for key, value in os.environ.items() if key != "PYTEST_ADDOPTS"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, env=environment)


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
